package api

import (
	"time"

	"paydesk/api/pattern"
)

// A Timestamp is a time from a response. The specification promises an offset, but the service was
// observed to leave it out: then the time is read as UTC, and Zoned is false.
type Timestamp struct {
	Time  time.Time // zero when the text could not be parsed
	Zoned bool
	Text  Text // as received
}

// timestampPattern is RFC 3339 with a space allowed for the T, a fraction of up to nine digits, and
// an optional offset. The time package alone accepts more: a comma, a one-digit hour, an offset of
// 99 hours.
var timestampPattern = pattern.Lazy(`^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$`)

// ParseTimestamp parses a time as responses contain it: RFC 3339 with up to nine fractional digits,
// with or without an offset. It guesses nothing: a text it cannot parse leaves Time zero and is
// only displayed.
func ParseTimestamp(s string) Timestamp {
	m := Timestamp{Text: Clean(s)}
	part := timestampPattern().FindStringSubmatch(s)
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
