package inbox

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/api/webhook"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// A fakeStore has events in memory, and counts what is read of it.
type fakeStore struct {
	mu      sync.Mutex
	events  []webhook.Detail // the last delivered first
	number  int64
	version uint64
	changed chan struct{}
	dropped int64
	renamed string
	err     error
	finds   int
	largest int
}

func (s *fakeStore) change() {
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
}

// add stores an event at the top.
func (s *fakeStore) add(d webhook.Detail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
	d.Number = s.number
	if d.ID == 0 {
		d.ID = s.number
	}
	s.events = slices.DeleteFunc(s.events, func(e webhook.Detail) bool { return e.ID == d.ID })
	s.events = slices.Insert(s.events, 0, d)
	s.change()
}

// set changes an event where it is.
func (s *fakeStore) set(id int64, change func(*webhook.Detail)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.events {
		if s.events[i].ID == id {
			change(&s.events[i])
		}
	}
	s.change()
}

func (s *fakeStore) Find(_ context.Context, q webhook.Search) (f webhook.Found, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finds++
	f.Total, f.Newest, f.Dropped, f.Replaced = len(s.events), s.number, s.dropped, s.renamed
	skip := q.Skip
	for i := range s.events {
		e := &s.events[i]
		if e.Verdict == webhook.Disagrees {
			f.Disagree++
		}
		if q.Before > 0 && e.Number >= q.Before || !finds(e.Record, q.Query) {
			continue
		}
		if skip--; skip >= 0 {
			continue
		}
		if f.More = len(f.Records) == q.Limit; !f.More {
			f.Records = append(f.Records, e.Record)
		}
	}
	s.largest = max(s.largest, len(f.Records))
	return f, s.err
}

// searches returns how often it was searched.
func (s *fakeStore) searches() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.finds
}

// finds reads an event by the text of the terms alone.
func finds(r webhook.Record, q query.Query) bool {
	return !slices.ContainsFunc(q.Terms, func(t query.Term) bool {
		return slices.ContainsFunc(t.Values, func(v query.Value) bool {
			return !strings.Contains(strings.ToLower(string(r.Reference)+" "+string(r.Verdict)), strings.ToLower(v.Text))
		})
	})
}

func (s *fakeStore) Get(_ context.Context, _ string, id int64) (webhook.Detail, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		if e.ID == id {
			return e, s.err
		}
	}
	return webhook.Detail{}, webhook.ErrNotFound
}

func (s *fakeStore) Wait(ctx context.Context, version uint64) (uint64, error) {
	for {
		s.mu.Lock()
		now, changed := s.version, s.changed
		s.mu.Unlock()
		if now > version {
			return now, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func gbp(minor int64) money.Amount { return screentest.Money(minor, "GBP") }

// sample is the i-th event, with each verdict in turn.
func sample(i int) webhook.Detail {
	at := time.Now().Add(-time.Duration(1000-i) * time.Second)
	word := []string{"SUCCESSFUL", "FAILED"}[i%2]
	body := fmt.Sprintf(`{"event":"payment.success","data":{"reference":"REF%07d","amount":"%d.50","currency":"GBP","status":"%s"}}`, i, i, word)
	d := webhook.Detail{
		Record: webhook.Record{
			WebhookEvent: api.WebhookEvent{
				Name: api.Clean([]string{"payment.success", "PaymentFailed"}[i%2]), Reference: api.Reference(fmt.Sprintf("REF%07d", i)), Status: api.ParseClaim(word),
				Says: api.StateOf(word), Amount: gbp(int64(i)*100 + 50), HasAmount: true, Channel: api.Clean("CARD"),
			},
			First: at, Last: at, Deliveries: 1, Size: len(body), Verdict: mixed[i%len(mixed)],
		},
		Body: []byte(body), Header: http.Header{"Content-Type": {"application/json"}, "User-Agent": {"pay/1"}},
		Arrivals: []webhook.Arrival{{Number: 1, At: at}},
	}
	answered := webhook.Answer{At: at.Add(time.Second), Status: api.ParseStatus("PENDING"), Amount: gbp(int64(i)*100 + 50), HasAmount: true}
	switch d.Verdict {
	case webhook.Agrees:
		answered.Status = api.ParseStatus(word)
		d.Answer = answered
	case webhook.Disagrees:
		d.Answer, d.Differs = answered, []webhook.Differ{webhook.Status}
	case webhook.Unknown:
		d.Answer = webhook.Answer{At: at, NotFound: true}
	case webhook.NotAsked:
		d.Answer = webhook.Answer{At: at, Problem: "the connection was refused"}
	case webhook.NotUnderstood:
		d.WebhookEvent = api.WebhookEvent{Name: d.Name, Problem: api.Clean("it names no payment")}
	}
	return d
}

// mixed are the verdicts of the events of a world, in turn.
var mixed = []webhook.Verdict{webhook.Waiting, webhook.Agrees, webhook.Disagrees, webhook.Unknown, webhook.NotAsked, webhook.NotUnderstood}

// A world is the screen on a terminal, with its store.
type world struct {
	*screentest.Console
	t        *testing.T
	store    *fakeStore
	model    *Model
	asked    []api.Reference
	replayed []string
	answer   webhook.Forward
	receiver Receiver
}

// open shows the screen over n events in a window of w×h. The time is 2000-01-01 12:00.
func open(t *testing.T, w, h, n int, drive func(*world), change ...func(*Options)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		<-time.After(12 * time.Hour) // of the bubble
		d := &world{
			t:        t,
			store:    &fakeStore{changed: make(chan struct{})},
			receiver: Receiver{URL: "http://127.0.0.1:8425/hooks/abcdefghijklmnopqrstuvwxyz"},
			answer:   webhook.Forward{Status: 200, Took: 12 * time.Millisecond},
		}
		for i := range n {
			d.store.add(sample(i))
		}
		o := d.options()
		for _, f := range change {
			f(&o)
		}
		d.model = New(screentest.Theme, o)
		d.Console = screentest.Open(t, d.model, w, h)
		drive(d)
	})
}

func (d *world) options() Options {
	return Options{
		Store: d.store, Profile: "shop", Receiver: func() Receiver { return d.receiver },
		Check: func(_ context.Context, r api.Reference) error {
			d.asked = append(d.asked, r)
			return nil
		},
		Attempt: func(_ context.Context, r api.Reference) (nav.Attempt, bool, error) {
			return nav.Attempt{ID: "k3f9000001"}, r == "REF0000001", nil
		},
		Target: func(url string) error {
			if !strings.HasPrefix(url, "http://127.0.0.1:") {
				return webhook.ErrNotLoopback
			}
			return nil
		},
		Targets: []string{"https://hooks.example/in"},
		Replay: func(ctx context.Context, ids []int64, target string, report func(webhook.Forward)) error {
			for _, id := range ids {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if len(ids) > 1 {
					<-time.After(d.answer.Took) // of the bubble
				}
				d.replayed = append(d.replayed, fmt.Sprint(id, " ", target))
				f := d.answer
				f.Target, f.Replay, f.At = target, true, time.Now()
				d.store.set(id, func(e *webhook.Detail) { e.Sent, e.Forwards = slices.Insert(e.Sent, 0, f), e.Forwards+1 })
				report(f)
			}
			return nil
		},
		Tunnel: func(url string) string { return "ssh -R 8425:127.0.0.1:8425 bastion" },
	}
}

// marks fails the test unless the marked row has a text.
func (d *world) marks(text string) {
	d.t.Helper()
	if !strings.Contains(d.Marked(), text) {
		d.t.Fatalf("%q is not marked\n%s", text, d.Boxed())
	}
}
