package api

import (
	"regexp"
	"time"
)

// A Timestamp is a time from an answer. The specification promises an offset; when
// it is missing the time is read as UTC and Zoned is false (facts page).
type Timestamp struct {
	Time  time.Time // zero when the text could not be read
	Zoned bool
	Text  Text // as it came
}

// timestampPattern is RFC 3339 with a blank allowed for its T, a fraction of up to nine digits,
// and the offset optional. The time package alone would let more pass: a comma, one
// digit for the hour, an offset of 99 hours.
var timestampPattern = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$`)

// ParseTimestamp reads a time as answers write it: RFC 3339 with up to nine digits of a
// second, with or without its offset (facts page). It guesses nothing: what it
// cannot read leaves Time zero, and the text to show.
func ParseTimestamp(s string) Timestamp {
	m := Timestamp{Text: Clean(s)}
	part := timestampPattern.FindStringSubmatch(s)
	if part == nil {
		return m
	}
	zone := part[3]
	if zone == "" {
		zone = "Z"
	}
	at, err := time.Parse(time.RFC3339, part[1]+"T"+part[2]+zone)
	if err != nil {
		return m
	}
	m.Time, m.Zoned = at, part[3] != ""
	return m
}
