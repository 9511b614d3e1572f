package sandbox

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A delivery is a webhook that was sent to a URL, which may have been removed since.
type delivery struct {
	sandbox.Delivery
	removed bool
}

func (m *Model) deliveries() (all []delivery) {
	for _, d := range m.view.Deliveries {
		all = append(all, delivery{d, !slices.Contains(m.view.Targets, d.Target)})
	}
	return all
}

// A webhookList shows the webhooks that were sent, newest first.
type webhookList struct {
	*detail.Chooser[delivery]
	m     *Model
	whole *detail.Model // one of them, on its own screen; nil for none
}

// openWebhooks opens the list of webhooks.
func (m *Model) openWebhooks() tea.Cmd {
	h := &webhookList{m: m}
	of := chooser("Webhooks", "Webhook", nil, delivery.cells,
		ui.Column{Title: "Made", Width: 8, Drop: 2},
		ui.Column{Title: "Event", Width: 17},
		ui.Column{Title: "Reference", Width: 10, Grow: true, Quiet: true, Whole: true},
		ui.Column{Title: "Sent to", Width: 12, Grow: true, Drop: 1},
		ui.Column{Title: "Delivery", Width: 16},
	)
	of.All, of.ID, of.Least = m.deliveries, func(d delivery) string { return d.ID }, 7
	of.Head, of.Says, of.Commands, of.Follow, of.Left = h.head, h.says, h.commands, m.look, func() { m.webhooks = nil }
	h.Chooser = detail.NewChooser(m.Body, of)
	m.webhooks = h
	return nav.Open(nav.Over{Screen: h})
}

// Update implements [ui.Screen], as that of the payments.
func (h *webhookList) Update(msg tea.Msg) tea.Cmd {
	return h.m.lookAfter(msg, h.Keys(), h.Chooser.Update(msg))
}

func (d delivery) cells() []ui.Cell {
	reference := cmp.Or(d.Reference, "none named")
	if d.Sample {
		reference = "a sample"
	}
	state, _ := d.state()
	return []ui.Cell{
		{Text: present.Clock(d.Made)}, {Text: cmp.Or(d.Event, "none named")}, {Text: reference},
		{Text: shortURL(d.Target)}, state,
	}
}

// shortURL is the host and the path; of this machine, the port and the path.
func shortURL(target string) string {
	_, short, _ := strings.Cut(target, "://")
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]"} {
		if rest, is := strings.CutPrefix(short, host); is && strings.HasPrefix(rest, ":") {
			return rest
		}
	}
	return short
}

// state is the state of a delivery, and that in words with what comes next. It is not a payment's success and not painted
// as one.
func (d delivery) state() (ui.Cell, string) {
	failed := ui.Cell{Text: "not delivered", Tone: ui.ToneBad}
	after := " after " + present.Count(len(d.Tries), "try", "tries") + "."
	switch {
	case d.Delivered && d.Next.IsZero():
		return ui.Cell{Text: "delivered"}, "Delivered" + after
	case d.Delivered:
		return ui.Cell{Text: "delivered"}, "Delivered" + after + " It is being sent again."
	case d.removed:
		return failed, "Not delivered: its URL was removed. enter sends it to the first that is set."
	case !d.Next.IsZero() && len(d.Tries) > 0:
		return ui.Cell{Text: "retry " + present.Clock(d.Next), Tone: ui.ToneWait}, "Not delivered" + after + " Next try at " + present.Clock(d.Next) + "."
	case !d.Next.IsZero() || len(d.Tries) == 0:
		return ui.Cell{Text: "sending", Tone: ui.ToneWait}, "It is being sent."
	}
	return failed, "Not delivered" + after + " enter sends it again."
}

func (h *webhookList) head(w int) []string {
	if len(h.m.view.Targets) == 0 {
		if len(h.m.view.Deliveries) == 0 {
			words := "No webhooks were sent in this run. Add a URL: payments that become final from then on are posted there."
			return h.m.Theme.Invite(words, ui.Bind("e", "add URL"), w, h.m.H)
		}
		return append(ui.Wrap("No URL is set. Add one (e) to have payments that become final from then on posted to it.", w), "")
	}
	words := h.m.view.Targets[0]
	if n := len(h.m.view.Targets); n > 1 {
		words = strconv.Itoa(n) + " URLs: " + strings.Join(h.m.view.Targets, " ")
	}
	lines := []string{ui.Fit(h.m.Theme.Muted.Render(ui.Fit("Sent to", label))+words, w)}
	if len(h.m.view.Deliveries) == 0 {
		lines = append(append(lines, ""), ui.Wrap("No webhooks were sent in this run. Payments that become final from now on are; E sends a sample.", w)...)
	}
	return append(lines, "")
}

func (h *webhookList) commands(delivery, bool) ui.Commands {
	none := ifNone(len(h.m.view.Deliveries), "There is no webhook yet. E sends a sample.")
	return ui.Commands{
		{Key: ui.Bind("enter", "send again"), On: true, Why: none, Do: h.redeliver},
		{Key: ui.Bind("z", "whole"), On: true, Why: none, Do: h.openWhole},
		{Key: ui.Bind("e", "add URL"), On: true, Do: h.openURL},
		{Key: ui.Bind("E", "sample"), On: true, Do: h.m.openSamples},
		{Key: ui.Bind("+", "edit a copy"), On: true, Why: none, Do: func() tea.Cmd { return h.edit(nav.Open) }},
		{Key: ui.Bind("r", "again all failed"), On: true, Why: ifNone(h.failed(), allDelivered), Do: h.redeliverFailed},
		{Key: ui.Bind("x", "remove URL"), On: true, Why: ifNone(len(h.m.view.Targets), "No URL is set."), Do: h.openURLs},
		{Key: ui.Bind("y", "copy body"), On: true, Why: none, Do: h.copy},
	}
}

// ifNone says why a key is off where there are none of what it is for, "" where there are some.
func ifNone(n int, words string) string {
	if n > 0 {
		return ""
	}
	return words
}

// failed counts what was not delivered, and is not being sent for the first time.
func (h *webhookList) failed() (n int) {
	for _, d := range h.m.deliveries() {
		if !d.Delivered && (len(d.Tries) > 0 || d.removed) {
			n++
		}
	}
	return n
}

// redeliver sends the selected webhook again, as a service does when its receiver was down.
func (h *webhookList) redeliver() tea.Cmd {
	box := h.m.sandbox
	d, _ := h.Selected()
	return h.m.act(func(ctx context.Context) error { return box.Redeliver(ctx, d.ID) }, h.m.tellSent("The webhook is sent again."))
}

const allDelivered = "Every webhook was delivered."

// redeliverFailed sends all again that were not delivered, as after the repair of a receiver.
func (h *webhookList) redeliverFailed() tea.Cmd {
	box, n := h.m.sandbox, 0
	return h.m.act(func(ctx context.Context) (err error) {
		n, err = box.RedeliverFailed(ctx)
		return err
	}, func(err error) tea.Cmd {
		if err == nil && n == 0 { // they were delivered since this list was read
			return h.m.Warn(allDelivered)
		}
		return h.m.tellSent(present.Count(n, "webhook is", "webhooks are") + " sent again.")(err)
	})
}

// tellSent is tell for an action that requires a URL.
func (m *Model) tellSent(words string) func(error) tea.Cmd {
	return func(err error) tea.Cmd {
		if errors.Is(err, sandbox.ErrNoWebhook) {
			return m.Warn("Nothing was sent: no URL is set. Add one first (e).")
		}
		return m.tell(words)(err)
	}
}

// A sample is an event of no payment, in one of the formats that have been seen.
type sample struct {
	event, style string // as the sandbox calls them
	says         string // the event and the status in it
	about        string
}

// samples are all that there are. Only of a failed payment does "contradictory" say anything else than "official".
var samples = []sample{
	{"payment.success", "spec", "payment.success, SUCCESSFUL", "The format of the specification."},
	{"payment.failed", "spec", "payment.failed, FAILED", "The format of the specification."},
	{"payment.success", "official", "PaymentSuccessful, Successful", "The service was seen to send this format."},
	{"payment.failed", "official", "PaymentFailed, Failed", "The service was seen to send this format."},
	{"payment.success", "camel", "PaymentSuccessful, Successful", "The service was seen to send this format: its names begin with small letters."},
	{"payment.failed", "camel", "PaymentFailed, Failed", "The service was seen to send this format: its names begin with small letters."},
	{"payment.failed", "contradictory", "PaymentSuccessful, Failed", "The service was seen to do this: the event says success, the status says Failed. A receiver has to ask for the status."},
}

// openSamples opens the choice of a sample, to try a receiver with. The format that webhooks have now is marked.
func (m *Model) openSamples() tea.Cmd {
	of := chooser("Send a sample", "Sample", samples, func(s sample) []ui.Cell { return []ui.Cell{{Text: s.style}, {Text: s.says}} },
		ui.Column{Title: "Format", Width: 13}, ui.Column{Title: "It says", Width: 30, Grow: true})
	of.Says = func(one sample, _ bool, w, _ int) []present.Line {
		return present.Rows(rankKeep, ui.Wrap(one.about+" The sample belongs to no payment: its status is not found.", w)...)
	}
	of.Commands = func(one sample, _ bool) ui.Commands {
		return ui.Commands{{Key: ui.Bind("enter", "send"), On: true, Do: func() tea.Cmd { return tea.Batch(m.sendSample(one), nav.Pop) }}}
	}
	return detail.NewChooser(m.Body, of).Open(max(slices.IndexFunc(samples, func(one sample) bool {
		return slices.ContainsFunc(m.view.Switches, func(s sandbox.Switch) bool { return s.Name == "webhook.style" && s.Value == one.style })
	}), 0))
}

func (m *Model) sendSample(one sample) tea.Cmd {
	box := m.sandbox
	return m.act(func(ctx context.Context) error { return box.SendSample(ctx, one.event, one.style) }, func(err error) tea.Cmd {
		m.newest = err == nil
		return m.tellSent("A sample is sent: " + one.says + ". It belongs to no payment.")(err)
	})
}
