package sandbox

import (
	"math/rand/v2"
	"time"
)

const accountValid = 30 * time.Minute

// wireTime is ISO 8601 with an offset in digits, as 2.7 and 2.8 promise it.
const wireTime = "2006-01-02T15:04:05-07:00"

// A transferPart is what only a transfer has.
type transferPart struct {
	account string
	expires time.Time
	arrives time.Time // when the money comes by itself; zero when it does not
	paid    time.Time // when it was paid on demand; zero when it was not
}

// A wireAccount is transfer-info, the account to pay into (2.7).
type wireAccount struct {
	Note          string `json:"note"`
	Bank          string `json:"bank"`
	AccountNumber string `json:"account_number"`
	AccountName   string `json:"account_name"`
	Expiration    string `json:"expiration"`
	Mode          string `json:"mode"`
}

func newTransfer(r *rand.Rand, now time.Time, settles time.Duration, manual bool) *transferPart {
	t := &transferPart{
		account: "99" + pick(r, "0123456789", 8),
		expires: now.Add(accountValid),
	}
	if !manual {
		t.arrives = now.Add(settles)
	}
	return t
}

func (t *transferPart) describe() wireAccount {
	return wireAccount{
		Note:          "Pay the exact amount into this account, once, before it expires.",
		Bank:          "Sandbox Bank",
		AccountNumber: t.account,
		AccountName:   "Sandbox Collections",
		Expiration:    t.expires.UTC().Format(wireTime),
		Mode:          "banktransfer",
	}
}

// arrived reports whether the money came before the account expired.
func (t *transferPart) arrived(now time.Time) bool {
	if !t.paid.IsZero() {
		return true
	}
	return !t.arrives.IsZero() && t.arrives.Before(t.expires) && !now.Before(t.arrives)
}

// at is the state of a transfer; waits says that finalize is still needed.
func (t *transferPart) at(now time.Time, waits bool) state {
	switch {
	case t.arrived(now) && waits:
		return pending
	case t.arrived(now):
		return successful
	case !now.Before(t.expires):
		return failed
	}
	return pending
}

// open reports whether the account still waits for the money.
func (t *transferPart) open(now time.Time) bool {
	return !t.arrived(now) && now.Before(t.expires)
}

func (t *transferPart) pay(now time.Time) bool {
	if !t.open(now) {
		return false
	}
	t.paid = now
	return true
}

func (t *transferPart) expire(now time.Time) bool {
	if !t.open(now) {
		return false
	}
	t.expires = now
	return true
}
