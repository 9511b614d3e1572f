package screentest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/webhook"
	"paydesk/screens/inbox"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
	"paydesk/ui/termtest"
)

// An eventStore is in memory, and may be broken.
type eventStore struct {
	*webhook.Store
	err     error
	largest int // number of events that were read at a time
	asked   []api.Reference
}

func (s *eventStore) CheckNow(_ context.Context, _ string, r api.Reference) error {
	s.asked = append(s.asked, r)
	return nil
}

func (s *eventStore) Find(ctx context.Context, q webhook.Search) (webhook.Found, error) {
	f, err := s.Store.Find(ctx, q)
	s.largest = max(s.largest, len(f.Records))
	return f, errors.Join(s.err, err)
}

// An inboxWorld is the screen over a store.
type inboxWorld struct {
	*screentest.Console
	t        *testing.T
	store    *eventStore
	receiver inbox.Receiver
	answer   webhook.Forward // of a target
	replayed []string
}

// openInbox shows the screen of events with these bodies.
func openInbox(t *testing.T, query string, bodies []string, drive func(*inboxWorld)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &inboxWorld{
			t: t, store: &eventStore{Store: webhook.New(webhook.Options{})}, receiver: inbox.Receiver{URL: "http://127.0.0.1:8425/hooks/abcdefghijklmnopqrstuvwxyz"},
			answer: webhook.Forward{Status: 200, Took: 2 * time.Second},
		}
		defer w.store.Close()
		for _, body := range bodies {
			w.arrives(body)
		}
		w.Console = screentest.Open(t, inbox.New(screentest.Theme, w.options(query)), 80, 24)
		drive(w)
		w.Leave()
	})
}

// arrives stores an event as a receiver does.
func (w *inboxWorld) arrives(body string) {
	w.t.Helper()
	_, err := w.store.Keep(w.t.Context(), "shop", http.Header{"User-Agent": {"pay/1"}}, []byte(body))
	must(w.t, err)
}

func (w *inboxWorld) options(query string) inbox.Options {
	return inbox.Options{
		Store: w.store, Profile: "shop", Query: query, Receiver: func() inbox.Receiver { return w.receiver },
		Made: func(_ context.Context, r api.Reference) (a ledger.Attempt, err error) {
			if a.ID = "k3f9000001"; r != "REF1" {
				err = ledger.ErrNotFound
			}
			return a, err
		},
		Replay: func(ctx context.Context, ids []int64, target string, report func(webhook.Forward)) error {
			for _, id := range ids {
				if time.Sleep(w.answer.Took); ctx.Err() != nil {
					return ctx.Err()
				}
				w.replayed = append(w.replayed, fmt.Sprint(id, " ", target))
				report(w.answer)
			}
			return nil
		},
	}
}

// about is a body about a payment.
func about(ref, status string) string {
	return fmt.Sprintf(`{"event":"PaymentDone","data":{"reference":%q,"amount":12.50,"currency":"GBP","status":%q}}`, ref, status)
}

// some are so many events, every second of a payment that failed.
func some(n int) (all []string) {
	for i := range n {
		all = append(all, about(fmt.Sprint("REF", i+1), []string{"SUCCESSFUL", "FAILED"}[i%2]))
	}
	return all
}

func TestManyEventsAreReadAPartAtATime(t *testing.T) {
	openInbox(t, "", some(500), func(w *inboxWorld) {
		w.Sees("500 events").Press("pgdown", "pgdown").Wait(time.Second).Press("end").Wait(time.Second).Sees("REF1 ")
		w.Press("home").Wait(time.Second).Sees("REF500")
		if w.store.largest > 200 {
			t.Errorf("%d events were read at a time", w.store.largest)
		}
		w.Press("down").Wait(time.Second).Idle(time.Hour)
	})
}

func TestKeysLeadToThePaymentAndItsAttempt(t *testing.T) {
	openInbox(t, "", []string{"{}", about("REF2", "FAILED"), about("REF1", "SUCCESSFUL")}, func(w *inboxWorld) {
		for k, to := range map[string]nav.Route{"s": nav.Payment{Reference: "REF1"}, "h": nav.Attempt{ID: "k3f9000001"}, "v": nav.Raw{Reference: "REF1"}} {
			w.Press(k).Went(nav.Push{To: to})
		}
		for k, text := range map[string]string{"y": "REF1", "Y": w.receiver.URL} {
			if w.Press(k).Sees("was sent"); w.Copied() != text {
				t.Errorf("%s copied %q", k, w.Copied())
			}
		}
		if w.Press("r").Sees("The service is asked about REF1."); fmt.Sprint(w.store.asked) != "[REF1]" {
			t.Errorf("asked about %v", w.store.asked)
		}
		w.Press("down").Wait(time.Second).Press("h").Sees("not made from here").Press("down").Wait(time.Second)
		for _, k := range []string{"s", "h", "v", "y", "r"} {
			w.Press(k).Sees("This webhook has no payment reference.").Went()
		}
		w.OnLoop(func() { w.receiver = inbox.Receiver{Why: "the port is taken by another program"} })
		w.Press("Y").Sees("no URL to copy", "not listening: the port is taken by another program")
	})
}

func TestAnEventIsReplayedToATargetThatIsAllowed(t *testing.T) {
	openInbox(t, "", []string{about("REF1 4242424242424242", "SUCCESSFUL"), about("REF2", "SUCCESSFUL")}, func(w *inboxWorld) {
		w.Press(">", "esc").Wait(time.Second).Sees("2 events · following").Press(">").Sees("Send PaymentDone · REF2 again").Type("http://192.0.2.1/").Press("enter").Sees("The target is not on this machine").Fits()
		w.Press("ctrl+u").Type("http://127.0.0.1:3000/hooks").Press("enter").Wait(3 * time.Second).Sees("It answered 200 in 2.0 s.")
		if fmt.Sprint(w.replayed) != "[2 http://127.0.0.1:3000/hooks]" {
			t.Errorf("sent %q", w.replayed)
		}
		w.Press("down").Wait(time.Second).Sees("Masked").Press(">").Sees("A masked event cannot be replayed").WaitsUntilGone("Target").Fits()
	})
}

func TestAllThatASearchFoundIsReplayedAfterAQuestion(t *testing.T) {
	to := []string{"tab", "right", "enter"}
	openInbox(t, "status:failed", append(some(8), about("REF9 4242424242424242", "FAILED")), func(w *inboxWorld) {
		w.Press(">").Type("http://127.0.0.1:3000/").Press(to...).Wait(time.Second).Sees("Send 4 events again?", "1 masked event is left out.").Fits()
		if len(w.replayed) > 0 {
			t.Error("they were sent without an answer")
		}
		w.Press("n").Wait(time.Second).Sees("all found").Press("ctrl+s").Yes("Send 4 events again?").Wait(3*time.Second).Sees("Sending… ", " of 4").Fits()
		w.Wait(9 * time.Second).Sees("4 events were accepted.")
		if want := "[2 http://127.0.0.1:3000/ 4 http://127.0.0.1:3000/ 6 http://127.0.0.1:3000/ 8 http://127.0.0.1:3000/]"; fmt.Sprint(w.replayed) != want {
			t.Errorf("sent %v", w.replayed)
		}
	})
	openInbox(t, "status:failed", some(10), func(w *inboxWorld) {
		w.answer = webhook.Forward{Status: 404, Took: 2 * time.Second, Problem: "The target answered HTTP 404."}
		w.Press(">").Type("http://127.0.0.1:3000/").Press(to...).Yes("Send 5 events again?")
		w.Wait(3*time.Second).Sees("esc stop").Press("esc").Wait(3*time.Second).Sees("Stopped. ", " of 5 events were sent, 0 accepted").Fits()
		w.Press("ctrl+s").Yes("Send 5 events again?").Wait(15 * time.Second).Sees("5 of 5 events were sent, 0 accepted. The last failure").Fits()
	})
}

func TestAProblemOfTheStoreIsSaidAndEnds(t *testing.T) {
	openInbox(t, "", some(2), func(w *inboxWorld) {
		w.OnLoop(func() { w.store.err = errors.New("the inbox cannot be read: the disk reports an error") })
		w.arrives(about("REF3", "FAILED"))
		w.Wait(time.Second).Sees("! The inbox cannot be read").Fits()
		w.OnLoop(func() { w.store.err = nil })
		w.Wait(6 * time.Second).WaitsUntilGone("cannot be read").Sees("3 events")
	})
}

func TestHostileTextIsSpelledOutInEveryField(t *testing.T) {
	const hostile = `\u001b]0;owned\u0007\u001b[2J\r\n\u202e4242 4242 4242 4242\u200b\u009b31m`
	body := `{"event":"` + hostile + `","data":{"reference":"REF1","amount":"` + hostile + `","currency":"` + hostile + `","status":"` + hostile +
		`","narration":"` + hostile + `","paymentChannel":"` + hostile + `","environment":"` + hostile + `"}}`
	openInbox(t, "", []string{body, "\x1b]0;owned\a\x1b[2J not JSON \x9b31m" + strings.Repeat("x", 500), body}, func(w *inboxWorld) {
		w.Sees("2 events").Fits()
		for range 2 {
			w.Press("enter").Fits().Press("end", ">").Fits().Press("esc", "esc", "down").Wait(time.Second)
		}
		if breaches := termtest.Breaches(w.Bytes()); len(breaches) > 0 {
			t.Error(breaches)
		}
	})
}
