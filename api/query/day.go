package query

import (
	"strconv"
	"strings"
	"time"

	"paydesk/api/text"
)

// A DayNumber is a day: how many days it is after the first of January 1970.
type DayNumber int32

// A DayRange is a range of days. Neither of its ends is open.
type DayRange struct{ span[DayNumber] }

// The days that can be written.
var firstDay, lastDay = dayNumber(1, time.January, 1), dayNumber(9999, time.December, 31)

// DayOf is the day of a time, in its own zone.
func DayOf(t time.Time) DayNumber { return dayNumber(t.Year(), t.Month(), t.Day()) }

func dayNumber(y int, m time.Month, d int) DayNumber {
	return DayNumber(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// String is the day as it is typed: "2026-11-23".
func (d DayNumber) String() string { return d.In(time.UTC).Format(time.DateOnly) }

// In is the first moment of the day in a zone.
func (d DayNumber) In(zone *time.Location) time.Time {
	y, m, day := time.Unix(int64(d)*86400, 0).UTC().Date()
	return time.Date(y, m, day, 0, 0, 0, 0, zone)
}

// Times are the first moment of the range and the first after it, in a zone. The zero time is an open end.
func (r DayRange) Times(zone *time.Location) (from, before time.Time) {
	if r.Low.Set {
		from = r.Low.At.In(zone)
	}
	if r.High.Set {
		before = (r.High.At + 1).In(zone)
	}
	return from, before
}

// days parses one day, one month, or words for days: the first and the last of them.
func (l *Language) days(s string) (first, last DayNumber, ok bool) {
	s = strings.ToLower(s)
	if t, err := time.Parse(time.DateOnly, s); err == nil && t.Year() > 0 {
		return DayOf(t), DayOf(t), true
	}
	if t, err := time.Parse("2006-01", s); err == nil && t.Year() > 0 {
		return DayOf(t), DayOf(t.AddDate(0, 1, -1)), true
	}
	today := l.Today()
	switch n, back := strings.CutSuffix(s, "d"); {
	case s == "today":
		return today, today, true
	case s == "yesterday":
		return today - 1, today - 1, true
	case back && allDigits(n) && len(n) <= 4:
		days, _ := strconv.Atoi(n)
		return today - DayNumber(max(days, 1)) + 1, today, true
	}
	return 0, 0, false
}

// looksLikeDays reports whether a word without a field is meant as a day or a range of days.
func looksLikeDays(s string) bool {
	first, last, isRange := strings.Cut(s, "..")
	if !isRange {
		return looksLikeDay(s)
	}
	return (first == "" || looksLikeDay(first)) && (last == "" || looksLikeDay(last)) && first+last != ""
}

// dayLike is 2026-11-23, and orders and signs that others write.
var dayLike = text.Pattern(`^(?:[0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}|[0-9]{2}[-/.][0-9]{2}[-/.][0-9]{4})$`)

func looksLikeDay(s string) bool {
	s = strings.ToLower(s)
	return s == "today" || s == "yesterday" || dayLike().MatchString(s)
}
