package journal_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
)

// These tests make payments over a real socket: journal, client, service.

type key string

func (k key) Expose() string { return string(k) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ngn is a payment of so many kobo; another amount is not a duplicate.
func ngn(minor int64) api.Initiation {
	c := sandbox.Cards()[0]
	return api.Initiation{
		Amount: money.Amount{Minor: minor, Currency: must(money.ParseCurrency("NGN"))}, Channel: api.ChannelCard,
		Customer: api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@shop.example", Phone: "+2340000"},
		Card:     &api.CardEntry{PAN: must(card.ParsePAN(c.Number)), CVV: must(card.ParseCVV(c.CVV)), Expiry: must(card.ParseExpiry("12/2034"))},
	}
}

var thisConsole = ledger.Destination{Profile: "test", Environment: "TEST", Host: "127.0.0.1"}

func dial(origin, k string) (*api.Client, error) {
	return api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key(k), Retries: -1})
}

func client(t testing.TB, origin, k string) *api.Client {
	t.Helper()
	c := must(dial(origin, k))
	t.Cleanup(c.Close)
	return c
}

func openIn(t testing.TB, dir string) *journal.Journal {
	t.Helper()
	j, err := openJournal(t.Context(), journal.Options{Dir: dir, Operator: ledger.Operator{User: "ada", Host: "desk"}})
	noError(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

// repeats is how often a test repeats something: few times, many with PAYDESK_LONG.
func repeats(few, many int) int {
	if os.Getenv("PAYDESK_LONG") != "" {
		return many
	}
	return few
}

// onlyLong skips a test that is only worth its time with PAYDESK_LONG.
func onlyLong(t *testing.T) {
	t.Helper()
	if os.Getenv("PAYDESK_LONG") == "" {
		t.Skip("only with PAYDESK_LONG")
	}
}

// oneAtATime skips a long test of one goroutine where the tests look for races: it has none.
func oneAtATime(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine at a time")
	}
}

// For each way in which an answer is lost, the recorded outcome is that of the table, and one
// key press makes one payment at most. With PAYDESK_LONG=1 each is repeated a hundred times.
func TestWhateverBecomesOfTheAnswerOnePressIsOnePaymentAtMost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault string
		want  ledger.Outcome
	}{
		{"F8", ledger.Unresolved}, {"F9", ledger.Unresolved}, {"F11", ledger.Unresolved}, {"F12", ledger.Unresolved},
		{"F13", ledger.Unresolved}, {"F14", ledger.Unresolved}, {"F15", ledger.Unresolved}, {"F16", ledger.Unresolved},
		{"F18", ledger.Unresolved}, {"F20", ledger.Unresolved}, {"F21", ledger.Unresolved}, {"F23", ledger.Unresolved},
		{"F24", ledger.Unresolved}, {"F27", ledger.Unresolved}, {"F30", ledger.Unresolved}, {"F32", ledger.Unresolved},
		{"F40", ledger.Unresolved}, {"F43", ledger.Unresolved}, {"F44", ledger.Unresolved}, {"F47", ledger.Unresolved},
		{"F50", ledger.Refused}, {"F53", ledger.Unresolved}, {"F54", ledger.Refused}, {"F55", ledger.Refused},
		{"F57", ledger.Unresolved}, {"", ledger.Accepted}, {"F2", ledger.NotSent},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			s := sandbox.New(sandbox.Options{Faults: faulttest.All()})
			server := must(s.Listen(t.Context(), "127.0.0.1:0"))
			t.Cleanup(func() { server.Close() })
			j := openIn(t, filepath.Join(t.TempDir(), "state"))
			k := journal.NewRecorder(client(t, server.Origin(), s.Key()), j, thisConsole, nil, false)
			switch c.fault {
			case "":
			case "F2":
				server.Close()
			default:
				noError(t, s.Arm("initiate", c.fault, 0))
			}
			presses := repeats(1, 100)
			for i := range presses {
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				if c.fault == "F13" { // the service stays silent until the time limit
					go func() {
						for s.Armed()[0].Struck <= i {
							<-time.Tick(time.Millisecond)
						}
						stop()
					}()
				}
				_, err := k.Initiate(ctx, ngn(int64(100+i)))
				stop()
				if lost := (*journal.UnresolvedAttempt)(nil); errors.As(err, &lost) != (c.want == ledger.Unresolved) {
					t.Fatalf("press %d: %v", i, err)
				}
			}
			if took := s.Accepted(); took > presses || c.want != ledger.Unresolved && c.want != ledger.Accepted && took > 0 {
				t.Errorf("%d payments were made by %d presses", took, presses)
			}
			all, n, err := j.Attempts(t.Context(), journal.Filter{}, 0, presses+1)
			if err != nil || n != presses {
				t.Fatalf("%d attempts are written down for %d presses: %v", n, presses, err)
			}
			for _, a := range all {
				if a.Outcome != c.want {
					t.Errorf("%s is written down as %s, want %s (%s)", c.fault, a.Outcome, c.want, a.Why)
				}
			}
			left, err := j.Unfinished(t.Context(), thisConsole)
			if want := c.want == ledger.Unresolved || c.want == ledger.Accepted; err != nil || (len(left) == presses) != want {
				t.Errorf("%d are unfinished: %v", len(left), err)
			}
		})
	}
}
