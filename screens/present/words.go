package present

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/text"
	"paydesk/ui"
)

// Plain cleans words for the terminal and puts them on one line.
func Plain(words string) string { return api.Clean(words).Line(0) }

// Sentence cleans words and gives them a capital and a full stop. Use it for errors, which may
// quote text from outside.
func Sentence(words string) string {
	words = Plain(words)
	if words == "" {
		return ""
	}
	return text.Capital(strings.TrimSuffix(words, ".")) + "."
}

var copyable = text.Pattern(`^[A-Za-z0-9_-]+$`)

// Copyable reports whether a reference, an alias or an account number may go to the clipboard. Of
// other values only an [api.Address] may.
func Copyable(s string) bool { return len(s) <= 64 && copyable().MatchString(s) }

// WhyNotCopied says why a value, such as a reference, may not go to the clipboard, "" if it may.
func WhyNotCopied(name, value string) string {
	if Copyable(value) {
		return ""
	}
	return "Cannot copy this " + name + ": it is too long or has unusual characters."
}

// Age is a duration in its largest unit: "now", "12 s", "3 min", "2 h", "4 d".
func Age(d time.Duration) string {
	switch {
	case d < time.Second:
		return "now"
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + " s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + " d"
}

// Took returns how long an answer took: "< 1 ms", "12 ms", "1.4 s", "12 s".
func Took(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "< 1 ms"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < 10*time.Second:
		tenths := d / (100 * time.Millisecond)
		return fmt.Sprintf("%d.%d s", tenths/10, tenths%10)
	}
	return Age(d)
}

// Bytes is a size: "412 B", "9.8 kB", "120 kB", "1.2 MB".
func Bytes(n int64) string {
	const kilo = 1000
	size, units := float64(n), []string{"B", "kB", "MB", "GB"}
	for len(units) > 1 && size >= kilo {
		size, units = size/kilo, units[1:]
	}
	if units[0] != "B" && size < 10 {
		return strconv.FormatFloat(size, 'f', 1, 64) + " " + units[0]
	}
	return strconv.FormatFloat(size, 'f', 0, 64) + " " + units[0]
}

// Lasted returns how long something lasted, in its two largest units: "3 s", "2 min 2 s", "1 h 5 min", "4 d". Less than a
// second is nothing.
func Lasted(d time.Duration) string {
	units := []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}}
	for i, u := range units {
		if d < u.of {
			continue
		}
		words := strconv.Itoa(int(d/u.of)) + " " + u.name
		if i+1 < len(units) {
			if rest := int(d % u.of / units[i+1].of); rest > 0 {
				words += " " + strconv.Itoa(rest) + " " + units[i+1].name
			}
		}
		return words
	}
	return ""
}

// Countdown is a remaining time as "29:59" or "1:02:03"; "0:00" once it is over.
func Countdown(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Clock is the time of day, in the zone of t.
func Clock(t time.Time) string { return t.Format("15:04:05") }

// AskedAgain says that the service was asked again, where the answer may be the same as before.
func AskedAgain(now time.Time) string { return "Asked again at " + Clock(now) + "." }

// ReadAgain says that what is recorded here is read again, where it may be the same as before.
func ReadAgain(now time.Time) string { return "Read again at " + Clock(now) + "." }

// When is a time in at most 12 cells: the time of day today, the day and the minute this year, else the date.
func When(t, now time.Time) string {
	t = t.In(now.Location())
	switch y, m, d := now.Date(); {
	case t.Year() == y && t.Month() == m && t.Day() == d:
		return Clock(t)
	case t.Year() == y, now.Sub(t).Abs() < 24*time.Hour:
		return t.Format("02 Jan 15:04")
	}
	return t.Format("2006-01-02")
}

// Zone says which zone the times are in: once, because not every row has room for it.
func Zone(now time.Time) string {
	offset := "UTC" + now.Local().Format("-07:00")
	switch name := time.Local.String(); name {
	case "UTC":
		return "times are UTC"
	case "Local":
		return "times are local, now " + offset
	default:
		return "times are of " + name + ", now " + offset
	}
}

// Thousands groups a count: "1,204".
func Thousands(n int) string { return text.Grouped(strconv.Itoa(n)) }

// Share is the share of n in a whole as a percentage, rounded half up. What is rounded to nothing or to everything, and is
// not, says so: "<0.1 %".
func Share(n, whole int) string {
	permille := 0
	if whole > 0 {
		permille = (2000*n + whole) / (2 * whole) // half up
	}
	switch {
	case permille == 0 && n > 0:
		return "<0.1 %"
	case permille == 1000 && n < whole:
		return ">99.9 %"
	}
	return strconv.Itoa(permille/10) + "." + strconv.Itoa(permille%10) + " %"
}

// Count is a count and what is counted: "1 row", "1,204 rows".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// FileProblem words why a file could not be written, or the journal not be read for it.
func FileProblem(err error) string {
	var blocked *ledger.Unavailable
	var file *fs.PathError
	switch {
	case errors.As(err, &blocked):
		return Plain(blocked.Why)
	case errors.Is(err, fs.ErrExist):
		return "A file or folder with this name already exists. It was not changed."
	case errors.Is(err, fs.ErrNotExist):
		return "This folder does not exist."
	case errors.Is(err, fs.ErrPermission):
		return "You cannot write to this folder."
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "The disk is full."
	case errors.As(err, &file):
		return "The file could not be written: " + Plain(file.Err.Error()) + "."
	case errors.Is(err, ui.ErrPanicked):
		return "paydesk itself failed."
	}
	return "Something went wrong: " + Plain(err.Error()) + "."
}

// Uses returns how often a link can be paid, and of a one-time link that it was; a type that cannot be read
// is returned cleaned.
func Uses(l api.Link, paid bool) string {
	t, known := api.ParseLinkType(l.Type.Line(0))
	switch {
	case UsedUp(l, paid):
		return t.String() + "; paid already"
	case known:
		return t.String()
	}
	return l.Type.Line(0)
}

// UsedUp reports whether a payment from here used up a link: the service will refuse another.
func UsedUp(l api.Link, paid bool) bool {
	t, known := api.ParseLinkType(l.Type.Line(0))
	return paid && known && t == api.OneTime
}

// bounds lists the bounds of the wait for the next check.
var bounds = [...]time.Duration{5 * time.Second, 10 * time.Second, 30 * time.Second}

// Due says when the next check of a payment is. It is a bound while answers come as they should, because the checks come
// at random times and each would change the words. After an error, or where the service asked for a long wait, it
// is the time.
func Due(wait time.Duration, due time.Time, failed error) string {
	for _, bound := range bounds {
		if failed == nil && wait.Truncate(time.Second) <= bound {
			return "within " + Age(bound)
		}
	}
	return "at " + Clock(due)
}

// OperationName names what the service was asked, as a heading.
func OperationName(op api.Operation) string { return operationNames[op] }

var operationNames = map[api.Operation]string{
	api.OpInitiate: "Initiation", api.OpCreateLink: "Link creation", api.OpValidateChannels: "Channel validation",
	api.OpAuthenticate: "Authentication check", api.OpFinalize: "Finalize", api.OpTransaction: "Status check",
	api.OpTransactions: "Transactions list",
}

// PathEnd is a path in at most n cells. A long one is cut at its beginning, because its end tells more.
func PathEnd(path string, n int) string {
	path = Plain(path)
	if over := utf8.RuneCountInString(path) - max(n, 1); over > 0 {
		return "…" + string([]rune(path)[over+1:])
	}
	return path
}
