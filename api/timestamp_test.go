package api

import (
	"testing"
	"time"
)

func TestTimesInResponsesAreParsedStrictly(t *testing.T) {
	plus1 := time.FixedZone("", 3600)
	for text, want := range map[string]Timestamp{
		"2026-11-21T09:30:00Z":                {Time: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC), Zoned: true},
		"2026-11-21T09:30:00+01:00":           {Time: time.Date(2026, 11, 21, 9, 30, 0, 0, plus1), Zoned: true},
		"2026-11-21T09:30:00.1234567+01:00":   {Time: time.Date(2026, 11, 21, 9, 30, 0, 123456700, plus1), Zoned: true},
		"2026-11-21T09:30:00.123456789-00:00": {Time: time.Date(2026, 11, 21, 9, 30, 0, 123456789, time.UTC), Zoned: true},
		"2026-11-21T09:30:00":                 {Time: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)},
		"2026-11-21T09:30:00.5":               {Time: time.Date(2026, 11, 21, 9, 30, 0, 500000000, time.UTC)},
		"2026-11-21 09:30:00":                 {Time: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)},
		"2028-02-29T00:00:00Z":                {Time: time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC), Zoned: true},
		"":                                    {}, "1763717400": {}, "2026-11-21": {}, "2026-02-29T00:00:00Z": {}, "2026-11-21T24:00:00Z": {}, "2026-11-21T09:30:60Z": {}, "2026-11-21T9:30:00Z": {},
		"2026-11-21T09:30:00,5Z": {}, "2026-11-21T09:30:00.1234567890Z": {}, "2026-11-21T09:30:00+24:00": {}, "2026-11-21T09:30:00+0100": {}, "2026-11-21T09:30:00Z and more": {},
		"٢٠٢٦-11-21T09:30:00Z": {}, "2026-11-21\u00a009:30:00Z": {},
	} {
		got := ParseTimestamp(text)
		if !got.Time.Equal(want.Time) || got.Zoned != want.Zoned || got.Text != Clean(text) {
			t.Errorf("%q is %v, zoned %v, shown as %q", text, got.Time, got.Zoned, got.Text)
		}
		if want.Time.IsZero() && got.Time != (time.Time{}) {
			t.Errorf("%q is not the zero time", text)
		}
	}
}
