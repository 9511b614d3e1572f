package inbox

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/webhook"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// mostReplayed limits how many events of a search are replayed at once.
const mostReplayed = 1_000

// A replay asks where an event is sent again, or all that the search found. More than one are sent only after a question.
type replay struct {
	detail.Dialog
	inbox   *Model
	of      webhook.Record
	target  *ui.TextField
	which   *ui.ChoiceField // nil for one event
	search  webhook.Search  // finds the others
	gather  ui.Call[gathered]
	found   gathered
	to      string // as it was when the question was asked
	sending detail.Work[sent]
	all     int // events that are sent; 0 before any is
}

// A gathered is the events that a search found, the oldest first.
type gathered struct {
	ids    []int64
	masked int  // that are not among them
	more   bool // there are older ones
}

func (r *replay) busy() bool { return r.gather.Pending() || r.sending.Pending() }

// Keys implements [ui.Screen].
func (r *replay) Keys() []key.Binding {
	if r.busy() {
		return []key.Binding{ui.Bind("esc", "stop")}
	}
	return r.Dialog.Keys()
}

// hasMore reports whether all that a search found can be replayed, and not the marked event alone.
func (m *Model) hasMore() bool {
	_, open := m.Opened()
	return !open && !m.Query().Empty() && m.Count() > 1
}

// whyNoReplay says why an event cannot be sent again.
func (m *Model) whyNoReplay(r webhook.Record) string {
	if r.Masked && !m.hasMore() {
		return "A masked event cannot be replayed: it is no longer what was sent."
	}
	return ""
}

// openReplay asks for the target of an event. It is the last one, where there was one.
func (m *Model) openReplay(r webhook.Record) tea.Cmd {
	p := &replay{inbox: m, target: m.targetField(), of: r, search: m.search(m.Query())}
	fields := []ui.Field{p.target}
	if m.hasMore() {
		p.which = ui.NewChoiceField(m.Theme, "Events", "the marked one, or all that the search found", "this one", "all found")
		fields = append(fields, p.which)
	}
	p.Dialog = detail.NewDialog(m.Theme, detail.Asks{
		Title: "Replay", Help: m.Explain(), Head: p.head, Under: p.namedTargets, Busy: p.progress, Submit: p.submit,
	}, "send", fields...)
	p.target.SetValue(m.lastTarget(r))
	return nav.Open(nav.Over{Screen: p})
}

// targetField returns where a target is typed.
func (m *Model) targetField() *ui.TextField {
	return ui.NewTextField(m.Theme, "Target", "a URL on this host, or one that the profile names", ui.Required(), ui.Limit(512), ui.Checked(func(s string) string {
		if _, err := webhook.ParseTarget(s, m.options.Targets); err != nil {
			return strings.TrimSuffix(present.Sentence(err.Error()), ".")
		}
		return ""
	}))
}

// lastTarget returns where an event was sent last in this run, or else that one ever, or what the profile names.
func (m *Model) lastTarget(r webhook.Record) string {
	target := m.target
	if e := m.eventOf(r); len(e.Sent) > 0 {
		target = cmp.Or(target, e.Sent[0].Target)
	}
	if target == "" && len(m.options.Targets) > 0 {
		target = m.options.Targets[0]
	}
	return target
}

// Back stops what is under way. Where nothing was sent the list is as it was before the key.
func (r *replay) Back() bool {
	switch {
	case r.sending.Pending():
		r.sending.Cancel()
	case r.gather.Pending():
		r.gather.Drop()
	case r.all == 0:
		r.inbox.TakeBack()
		return false
	default:
		return false
	}
	return true
}

// submit sends. The form stays until the target has accepted what was sent.
func (r *replay) submit() tea.Cmd {
	r.to = r.target.Value()
	r.inbox.target = r.to
	switch {
	case r.which != nil && r.which.Chosen() == 1:
		return r.gatherAll()
	case r.of.Masked:
		r.Form.SetError(r.target, "This event is masked: it cannot be replayed")
		return nil
	}
	return r.send([]int64{r.of.ID})
}

// gatherAll finds the events of the search, and asks whether to send them.
func (r *replay) gatherAll() tea.Cmd {
	store, q := r.inbox.options.Store, r.search
	return r.gather.Then(func(a ui.Result[gathered]) tea.Cmd {
		switch {
		case a.Err != nil:
			r.Form.SetError(r.target, strings.TrimSuffix(errorText(a.Err), "."))
			return nil
		case len(a.Value.ids) == 0:
			r.Form.SetError(r.target, "There is nothing to send: each event is masked")
			return nil
		}
		r.found = a.Value
		return detail.Ask(&r.Body, detail.Question{
			Question: r.question(), Title: "Send", Help: r.Explain(), Alone: true, Do: func() tea.Cmd { return r.send(r.found.ids) },
		})
	}).Ask(r.Scope, func(ctx context.Context) (gathered, error) { return readAll(ctx, store, q) })
}

// readAll reads what a search finds, a part at a time.
func readAll(ctx context.Context, store Store, q webhook.Search) (g gathered, err error) {
	for {
		found, err := store.Find(ctx, q)
		if err != nil {
			return g, err
		}
		for _, r := range found.Records {
			switch {
			case r.Masked:
				g.masked++
			case len(g.ids) < mostReplayed:
				g.ids = append(g.ids, r.ID)
			default:
				g.more = true
			}
			q.Before = r.Number
		}
		if !found.More || g.more {
			slices.Reverse(g.ids)
			return g, nil
		}
	}
}

// question is asked before more than one event is sent.
func (r *replay) question() ui.Question {
	n := present.Count(len(r.found.ids), "event", "events")
	lines := []string{"To: " + present.Plain(r.to), "Found by: " + present.Plain(r.search.Query.String()), "The oldest is sent first, one after the other."}
	if r.found.more {
		lines = append(lines, "These are the newest: the search finds more.")
	}
	if r.found.masked > 0 {
		lines = append(lines, present.Count(r.found.masked, "masked event is", "masked events are")+" left out.")
	}
	return ui.Question{Title: "Send " + n + " again?", Lines: lines, Yes: "Send", No: "Go back"}
}

// head says what will be sent.
func (r *replay) head(w int) []string {
	heading := "Send " + report.EventName(r.of.WebhookEvent) + " · " + report.EventReference(r.of) + " again"
	if r.which != nil {
		heading = "Send events again"
	}
	lines := []string{r.Theme.Strong.Render(ui.Fit(heading, w)), ""}
	return append(append(lines, ui.Wrap("The body is sent exactly as it came, with its headers except those that look like credentials. Nothing is sent to the payment service.", w)...), "")
}

// namedTargets are the targets that the profile names.
func (r *replay) namedTargets(w int) []string {
	if len(r.inbox.options.Targets) == 0 {
		return nil
	}
	return append([]string{""}, r.Theme.MutedLines("The profile names: "+present.Plain(strings.Join(r.inbox.options.Targets, ", ")), w)...)
}

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
