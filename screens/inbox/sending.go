package inbox

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/webhook"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A sent says what became of a sending.
type sent struct {
	n, accepted int
	last        webhook.Forward // that was not accepted, or else the last
}

// send sends events in the background. It stops after the event that is under way.
func (r *replay) send(ids []int64) tea.Cmd {
	do, to := r.inbox.options.Replay, r.to
	r.all = len(ids)
	return r.sending.Begin(r.Scope, r.replayed, func(ctx context.Context, told func(int)) (all sent, err error) {
		err = do(ctx, ids, to, func(f webhook.Forward) {
			if all.n++; f.Problem == "" {
				all.accepted++
			}
			if f.Problem != "" || all.accepted == all.n {
				all.last = f
			}
			told(all.n)
		})
		return all, err
	})
}

// replayed says what became of a sending. The form stays open where not everything was accepted.
func (r *replay) replayed(a ui.Result[sent]) tea.Cmd {
	m, got := r.inbox, a.Value
	wrong := strings.TrimSuffix(got.words(r.all), ".")
	switch {
	case r.sending.Cancelled && errors.Is(a.Err, context.Canceled):
		wrong = "Stopped. " + wrong
	case a.Err != nil:
		wrong = strings.TrimSuffix(errorText(a.Err), ".")
		if got.n > 0 {
			wrong = got.words(r.all) + " " + wrong
		}
	case got.accepted == got.n:
		m.Notify(got.words(r.all) + " Target: " + present.Plain(got.last.Target))
		return tea.Batch(m.Refresh(), nav.Pop)
	}
	r.Form.SetError(r.target, wrong)
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

// progress says how far the sending is, or that it is searched for what to send.
func (r *replay) progress(w int) []string {
	words := "Sending…"
	switch {
	case r.gather.Pending():
		return r.Theme.WaitLines(nil, "Searching", w)
	case !r.sending.Pending():
		return nil
	case r.sending.Cancelled:
		words = "Stopping…"
	case r.all > 1:
		words += " " + present.Thousands(r.sending.Done) + " of " + present.Thousands(r.all)
	}
	return r.Theme.MarkLines(ui.ToneWait, words, w)
}
