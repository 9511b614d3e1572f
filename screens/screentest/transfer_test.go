package screentest_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/payment"
	"paydesk/screens/screentest"
)

const transferReference = "5e0fbd5e-54ab-4b1c-a6ab-0c9b6d5e4a11"

// account expires half an hour from now.
func account() api.Transfer {
	return api.Transfer{
		Note: api.Clean("Pay within 30 minutes"), Bank: api.Clean("Example Bank"), AccountNumber: api.Clean("0123456789"),
		AccountName: api.Clean("Paydesk / Ẹ́kọ̀"), Expiration: api.ParseTimestamp(time.Now().Add(30 * time.Minute).Format(time.RFC3339)),
	}
}

// payingByTransfer is a transfer into an account.
func payingByTransfer(a *api.Transfer) *paymentDesk {
	p := api.Payment{Reference: transferReference, Status: api.ParseStatus("REQUIRE_USER_OFFLINE_ACTION"), Transfer: a}
	return deskWith(screentest.Money(150_000, "NGN"), ledger.Attempt{Channel: api.ChannelTransfer}, p)
}

// openTransfer shows the usual account after change.
func openTransfer(t *testing.T, w, h int, change func(*api.Transfer), drive func(*screentest.Console, *paymentDesk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		a := account()
		if change != nil {
			change(&a)
		}
		p := payingByTransfer(&a)
		drive(screentest.Open(t, payment.NewTransfer(screentest.Theme, p, transferReference), w, h), p)
	})
}

func TestWithoutATimeOrItsZoneThereIsNoCountdown(t *testing.T) {
	for name, c := range map[string]struct{ came, says string }{
		"no-zone":    {"2000-01-01T00:10:00", "00:10:00, time zone not given"},
		"long-over":  {"1999-12-31T23:59:00Z", "✗ expired at 1999-12-31 23:59:00"},
		"far-future": {"2000-01-03T00:00:00+01:00", "2000-01-02 23:00:00, in 47:00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			openTransfer(t, 80, 24, func(a *api.Transfer) { a.Expiration = api.ParseTimestamp(c.came) }, func(s *screentest.Console, d *paymentDesk) {
				s.Sees(c.says).Fits()
				if name != "far-future" {
					s.Idle(time.Hour)
				}
				s.OnLoop(func() { d.entry.Status = api.ParseStatus("SUCCESSFUL") }) // as another screen was answered
				if s.Sees("SUCCESSFUL").Press("y").Sees("The payment is final"); s.Copied() != "" {
					t.Errorf("copied %q", s.Copied())
				}
			})
		})
	}
}

func TestAClockThatIsWrongIsToldWhereAnAccountExpires(t *testing.T) {
	openTransfer(t, 80, 24, func(a *api.Transfer) { a.Ahead = 5 * time.Minute }, func(s *screentest.Console, _ *paymentDesk) {
		s.Sees("(this machine's clock is 5 min slow), in 25:00").Fits()
	})
}

func TestAMissingAccountNumberIsReported(t *testing.T) {
	openTransfer(t, 60, 18, func(a *api.Transfer) { a.AccountNumber = api.Clean("") }, func(c *screentest.Console, _ *paymentDesk) {
		c.Sees("! The service returned no account to pay into.", "contact the provider").WaitsUntilGone("copy account").Fits()
		c.Press("y").Sees("There is no account number that is safe to copy.")
		if c.Copied() != "" {
			t.Errorf("copied %q", c.Copied())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		p := payingByTransfer(nil)
		c := screentest.Open(t, payment.NewTransfer(screentest.Theme, p, transferReference), 80, 24)
		c.Sees("The service returned no account to pay into.", "1,500.00 NGN").Fits().Idle(time.Hour)
	})
}

func TestOnlySafeValuesAreCopied(t *testing.T) {
	openTransfer(t, 80, 24, nil, func(c *screentest.Console, _ *paymentDesk) {
		if c.Press("y").Sees("The account number was sent to your terminal's clipboard."); c.Copied() != "0123456789" {
			t.Errorf("copied %q", c.Copied())
		}
		if c.Press("Y").Sees("The reference was sent to your terminal's clipboard."); c.Copied() != transferReference {
			t.Errorf("copied %q", c.Copied())
		}
	})
	for _, number := range []string{"0123 456789", "0123\n456", "12;rm -rf", "４２", strings.Repeat("9", 65), "1\x1b]52;c;aGk=\a"} {
		openTransfer(t, 80, 24, func(a *api.Transfer) { a.AccountNumber = api.Clean(number) }, func(c *screentest.Console, _ *paymentDesk) {
			if c.WaitsUntilGone("copy account").Press("y").Fits(); c.Copied() != "" {
				t.Errorf("%q: copied %q", number, c.Copied())
			}
		})
	}
}
