package detail_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/detail"
	"paydesk/screens/screentest"
)

const reference = api.Reference("K7Q2M9XA")

// A service has kept answers, and adds one each time it is asked.
type service struct {
	mu   sync.Mutex
	kept []session.KeptAnswer
	err  error
}

func (s *service) Kept(session.Subject) []session.KeptAnswer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.kept)
}

func (s *service) Transaction(context.Context, api.Reference) (api.PaymentStatus, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, silent := s.err.(*api.Failure); !silent {
		s.kept = slices.Insert(s.kept, 0, kept(api.OpTransaction, "{\n  \"n\": "+fmt.Sprint(len(s.kept))+"\n}"))
	}
	return api.PaymentStatus{}, s.err
}

func kept(op api.Operation, body string) session.KeptAnswer {
	return session.KeptAnswer{
		Subject: session.Subject{Operation: op, Reference: reference},
		Answer:  api.Answer{At: time.Date(2000, 1, 1, 9, 8, 7, 0, time.UTC), HTTP: 200, Received: int64(len(body)), Body: api.Clean(body)},
	}
}

func open(t *testing.T, s *service, about session.Subject, w, h int, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		drive(screentest.Open(t, detail.NewRaw(screentest.Theme, s, about), w, h))
	})
}

func TestEveryLineIsReached(t *testing.T) {
	var body []string
	for i := range 60 {
		body = append(body, fmt.Sprintf("  \"part%d\": \"%s\"", i, strings.Repeat("wide ", i%30)))
	}
	s := &service{kept: []session.KeptAnswer{kept(api.OpFinalize, strings.Join(body, "\n")), kept(api.OpInitiate, "{}")}}
	open(t, s, session.Subject{Reference: reference}, 80, 24, func(c *screentest.Console) {
		c.Sees("Payment K7Q2M9XA", "2 answers, newest first", "Finalize · received 09:08:07 · HTTP 200").Fits().HelpBarFits()
		seen := ""
		for range 200 {
			seen += c.Screen()
			c.Press("down")
		}
		for i := range body {
			if !strings.Contains(seen, fmt.Sprintf(`"part%d"`, i)) {
				t.Errorf("part %d is never shown", i)
			}
		}
		c.Sees("Initiation · received", "{}").Idle(time.Hour)
	})
}

func TestWhatIsCutSaysSoAndAnEmptyBodyToo(t *testing.T) {
	cut, empty := kept(api.OpTransactions, "{"), kept(api.OpInitiate, "")
	cut.Cut, cut.Received = true, 300_000
	s := &service{kept: []session.KeptAnswer{cut, empty}}
	open(t, s, session.Subject{Reference: reference}, 60, 18, func(c *screentest.Console) {
		c.Sees("300,000 bytes in all", "(no body)").Fits()
	})
	open(t, s, session.Subject{Operation: api.OpTransactions}, 80, 24, func(c *screentest.Console) {
		c.Sees("1 answer", "cut, 300,000 bytes in all").WaitsUntilGone("(no body)", "ask for the status") // the last one only
		c.Press("r").Sees("press r to ask again")
	})
}

func TestALongCopyIsCutAtALineAndSaysSo(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat(strings.Repeat("x", 200)+"\n", 390))
	s := &service{kept: []session.KeptAnswer{kept(api.OpFinalize, long)}}
	open(t, s, session.Subject{Reference: reference}, 80, 24, func(c *screentest.Console) {
		c.Press("y").Sees("beginning of the raw text")
		if got := c.Copied(); len(got) > 48<<10+20 || !strings.HasSuffix(got, "x\n… cut here") {
			t.Errorf("%d bytes, ending %q", len(got), got[len(got)-30:])
		}
	})
}
