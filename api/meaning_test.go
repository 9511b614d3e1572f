package api_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/api"
)

func TestAStatusMeansWhatItsChannelAndAccountMakeOfIt(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	account := func(expires string) *api.Transfer {
		return &api.Transfer{AccountNumber: api.Clean("0123456789"), Expiration: api.ParseTimestamp(expires)}
	}
	open, over := account("2026-03-01T12:00:01Z"), account("2026-03-01T12:00:00Z")
	for _, c := range []struct {
		name, status, channel string
		account               *api.Transfer
		want, never           string
	}{
		{"a transfer", "PENDING", api.ChannelTransfer, open, "may not have paid yet", "authorised"},
		{"an expired transfer", "PENDING", api.ChannelTransfer, over, "Do not use this account now", "authorised"},
		{"one nobody paid", "REQUIRE_USER_OFFLINE_ACTION", api.ChannelTransfer, over, "collect again for a new account", "must pay"},
		{"one without a zone", "PENDING", api.ChannelTransfer, account("2020-01-01T00:00:00"), "may not have paid yet", "expired"},
		{"a paid transfer", "Successfull", api.ChannelTransfer, over, "Funds have been secured.", "expired"},
	} {
		means, action := api.ParseStatus(c.status).State.Meaning(api.Circumstances{Channel: c.channel, Account: c.account, Now: now})
		if words := means + " " + action; !strings.Contains(words, c.want) || strings.Contains(words, c.never) {
			t.Errorf("%s: %s means %q", c.name, c.status, words)
		}
	}
}

func TestAnAccountMayBePaidIntoOnlyBeforeItExpiresAndThePaymentIsFinal(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	account := &api.Transfer{AccountNumber: api.Clean("0123456789"), Expiration: api.ParseTimestamp("2026-03-01T12:30:00Z")}
	for _, c := range []struct {
		name    string
		account *api.Transfer
		state   api.State
		at      time.Time
		want    bool
	}{
		{"open", account, api.ActionRequired, now, true},
		{"pending", account, api.Pending, now, true},
		{"expired", account, api.Pending, now.Add(30 * time.Minute), false},
		{"paid", account, api.Successful, now, false},
		{"no account", nil, api.Pending, now, false},
		{"no number", &api.Transfer{}, api.Pending, now, false},
	} {
		if got := (api.Circumstances{Account: c.account, Now: c.at}).MayPay(c.state); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
