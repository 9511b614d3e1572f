package inbox

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/webhook"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A sending is events on their way to a target.
type sending struct {
	ui.Call[sent]
	follow  ui.Call[int]
	stop    context.CancelFunc
	stopped bool // a person stopped it
	all     int
	done    int // when it was last looked
}

// A sent is what became of a sending.
type sent struct {
	n, accepted int
	last        webhook.Forward // that was not accepted, or else the last
}

// lookEvery sets how often the screen shows how far a sending is.
const lookEvery = 200 * time.Millisecond

// send sends events in the background. Stopping it does not drop the call: what was sent until then is said when it is
// known.
func (r *replay) send(ids []int64) tea.Cmd {
	s, do, to := &r.sending, r.inbox.options.Replay, r.to
	ctx, stop := context.WithCancel(context.Background())
	s.stop, s.stopped, s.all, s.done = stop, false, len(ids), 0
	var done atomic.Int64
	return tea.Batch(s.Then(r.replayed).Ask(r.Scope, func(screen context.Context) (all sent, err error) {
		defer stop()
		defer context.AfterFunc(screen, stop)() // when the screen is left
		err = do(ctx, ids, to, func(f webhook.Forward) {
			done.Add(1)
			if all.n++; f.Problem == "" {
				all.accepted++
			}
			if f.Problem != "" || all.accepted == all.n {
				all.last = f
			}
		})
		return all, err
	}), r.look(s, func() int { return int(done.Load()) }))
}

// look keeps the number of sent events up to date.
func (r *replay) look(s *sending, done func() int) tea.Cmd {
	if s.all < 2 {
		return nil
	}
	return s.follow.Then(func(a ui.Result[int]) tea.Cmd {
		if a.Err != nil || !s.Pending() {
			return nil
		}
		s.done = a.Value
		return r.look(s, done)
	}).Ask(r.Scope, func(ctx context.Context) (int, error) {
		timer := time.NewTimer(lookEvery)
		defer timer.Stop()
		select {
		case <-timer.C:
			return done(), nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	})
}

// cancel stops the sending after the event that is under way.
func (s *sending) cancel() {
	s.stopped = true
	s.stop()
}

// replayed says what became of a sending. The form stays open where not everything was accepted.
func (r *replay) replayed(a ui.Result[sent]) tea.Cmd {
	m, got := r.inbox, a.Value
	r.sending.follow.Drop()
	wrong := strings.TrimSuffix(got.words(r.sending.all), ".")
	switch {
	case r.sending.stopped && errors.Is(a.Err, context.Canceled):
		wrong = "Stopped. " + wrong
	case a.Err != nil:
		wrong = strings.TrimSuffix(errorText(a.Err), ".")
		if got.n > 0 {
			wrong = got.words(r.sending.all) + " " + wrong
		}
	case got.accepted == got.n:
		m.Notify(got.words(r.sending.all) + " Target: " + present.Plain(got.last.Target))
		return tea.Batch(m.Refresh(), nav.Pop)
	}
	r.form.SetError(r.target, wrong)
	return m.Refresh()
}

// words returns what became of a sending of so many events.
func (s sent) words(all int) string {
	switch {
	case all == 1 && s.n == 1:
		return report.EventSent(s.last)
	case s.n == 0:
		return "Nothing was sent."
	case s.accepted == all:
		return present.Thousands(all) + " events were accepted."
	}
	words := present.Thousands(s.n) + " of " + present.Thousands(all) + " events were sent, " + present.Thousands(s.accepted) + " accepted."
	if s.accepted < s.n {
		words += " The last failure: " + report.EventSent(s.last)
	}
	return words
}

// lines say how far the sending is.
func (s *sending) lines(t *ui.Theme, w int) []string {
	if s.stopped {
		return t.MarkLines(ui.ToneWait, "Stopping…", w)
	}
	if s.all < 2 {
		return t.MarkLines(ui.ToneWait, "Sending…", w)
	}
	return t.MarkLines(ui.ToneWait, "Sending… "+present.Thousands(s.done)+" of "+present.Thousands(s.all), w)
}
