package present

import (
	"time"

	"paydesk/api"
)

// ExpiryWords returns when an account expires and the time left, that it has expired, or why it is not known. What
// changes each second stands at the end, so that little is sent over a slow connection.
func ExpiryWords(a api.Transfer, now time.Time) string {
	e := a.Expiration
	switch {
	case e.Time.IsZero() && e.Text.Empty():
		return "not reported"
	case e.Time.IsZero():
		return e.Text.Line(30) + ", not a readable time"
	case !e.Zoned:
		return momentOf(e.Time, now) + ", time zone not given"
	case a.Expired(now):
		return "expired at " + momentOf(e.Time.Local(), now)
	}
	return momentOf(e.Time.Local(), now) + ", in " + Countdown(a.Left(now))
}

// NotToBePaid stands beside an account while it is in doubt what it is for.
const NotToBePaid = "do not use: mismatch"

// PayInto says what the customer of a transfer does.
func PayInto(asked api.Asked) string {
	due, known := asked.Due()
	if !known {
		return "The customer pays into this account, from their own bank. Ask the provider whether the fees are added to the amount."
	}
	return "The customer pays exactly " + due.String() + " into this account, from their own bank."
}

// NextSecond is the time until the countdown of [ExpiryWords] changes; 0 where there is none.
func NextSecond(a api.Transfer, now time.Time) time.Duration {
	left := a.Left(now)
	if left <= 0 {
		return 0
	}
	return (left-1)%time.Second + 1
}

// momentOf is a time of day, with the date unless it is today.
func momentOf(when, now time.Time) string {
	if when.Format(time.DateOnly) == now.In(when.Location()).Format(time.DateOnly) {
		return Clock(when)
	}
	return when.Format(time.DateOnly) + " " + Clock(when)
}
