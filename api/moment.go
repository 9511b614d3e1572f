package api

import "time"

// A Moment is a time from an answer. The specification promises an offset; when
// it is missing the time is read as UTC and Zoned is false (facts page).
type Moment struct {
	Time  time.Time // zero when the text could not be read
	Zoned bool
	Text  Text // as it came
}
