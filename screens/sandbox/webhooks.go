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
	"paydesk/screens/present"
	"paydesk/ui"
)

// A webhookList shows the webhook deliveries, newest first.
type webhookList struct {
	base
	all     []sandbox.Delivery
	targets []string
}

func newWebhooks(m *Model) *webhookList {
	h := &webhookList{base: newBase(m, "Webhooks", "Webhook", 1,
		ui.Column{Title: "Made", Width: 8, Drop: 2},
		ui.Column{Title: "Event", Width: 17},
		ui.Column{Title: "Reference", Width: 10, Grow: true},
		ui.Column{Title: "Sent to", Width: 12, Grow: true, Drop: 1},
		ui.Column{Title: "Delivery", Width: 16},
	)}
	h.least = 7
	return h
}

// read keeps the same delivery selected.
func (h *webhookList) read() {
	was, had := h.selected()
	h.all, h.targets = h.m.view.Deliveries, h.m.view.Targets
	h.setRows([]any{h.all, h.targets}, len(h.all), h.row)
	if i := slices.IndexFunc(h.all, func(d sandbox.Delivery) bool { return d.ID == was.ID }); had && i >= 0 {
		h.table.Select(i)
	}
}

func (h *webhookList) row(i int) []ui.Cell {
	d := h.all[i]
	reference := cmp.Or(d.Reference, "none named")
	if d.Sample {
		reference = "a sample"
	}
	return []ui.Cell{
		{Text: present.Clock(d.Made)}, {Text: cmp.Or(d.Event, "none named")}, {Text: reference},
		{Text: shortURL(d.Target)}, h.deliveryCell(d),
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

func (h *webhookList) selected() (sandbox.Delivery, bool) { return ui.Selected(h.table, h.all) }

// removed reports whether nothing is sent to a delivery's URL any more.
func (h *webhookList) removed(d sandbox.Delivery) bool { return !slices.Contains(h.targets, d.Target) }

// deliveryCell is the state of a delivery. It is not a payment's success and not painted as
// one.
func (h *webhookList) deliveryCell(d sandbox.Delivery) ui.Cell {
	switch {
	case d.Delivered:
		return ui.Cell{Text: "delivered"}
	case h.removed(d):
		return ui.Cell{Text: "not delivered", Tone: ui.ToneBad}
	case !d.Next.IsZero() && len(d.Tries) > 0:
		return ui.Cell{Text: "retry " + present.Clock(d.Next), Tone: ui.ToneWait}
	case !d.Next.IsZero() || len(d.Tries) == 0:
		return ui.Cell{Text: "sending", Tone: ui.ToneWait}
	}
	return ui.Cell{Text: "not delivered", Tone: ui.ToneBad}
}

func (h *webhookList) head(w int) []string {
	if len(h.targets) == 0 {
		words := "No URL is set. Add one (e) to have payments that become final from then on posted to it."
		if len(h.all) == 0 {
			words = "No webhooks were sent in this run. " + words
		}
		return append(ui.Wrap(words, w), "")
	}
	words := h.targets[0]
	if n := len(h.targets); n > 1 {
		words = strconv.Itoa(n) + " URLs: " + strings.Join(h.targets, " ")
	}
	lines := []string{ui.Fit(h.m.Theme.Muted.Render(ui.Fit("Sent to", label))+words, w)}
	if len(h.all) == 0 {
		lines = append(append(lines, ""), ui.Wrap("No webhooks were sent in this run. Payments that become final from now on are; E sends a sample.", w)...)
	}
	return append(lines, "")
}

func (h *webhookList) commands() ui.Commands {
	some, set := len(h.all) > 0, len(h.targets) > 0
	return ui.Commands{
		{Key: ui.Bind("enter", "send again"), On: some, Do: h.redeliver},
		{Key: ui.Bind("z", "whole"), On: some, Do: h.openWhole},
		{Key: ui.Bind("e", "add URL"), On: true, Do: h.openURL},
		{Key: ui.Bind("E", "sample"), On: true, Do: func() tea.Cmd { return h.m.open(newSamples(h.m)) }},
		{Key: ui.Bind("+", "edit a copy"), On: some, Do: h.openEdit},
		{Key: ui.Bind("r", "again all failed"), On: h.failed() > 0, Do: h.redeliverFailed},
		{Key: ui.Bind("x", "remove URL"), On: set, Do: h.remove},
		{Key: ui.Bind("y", "copy body"), On: some, Do: h.copy},
	}
}

// failed counts what was not delivered, and is not being sent for the first time.
func (h *webhookList) failed() (n int) {
	for _, d := range h.all {
		if !d.Delivered && (len(d.Tries) > 0 || h.removed(d)) {
			n++
		}
	}
	return n
}

// redeliver sends the selected webhook again, as a service does when its receiver was down.
func (h *webhookList) redeliver() tea.Cmd {
	d, ok := h.selected()
	if !ok {
		return h.m.Notify("There is no webhook to send.")
	}
	box := h.m.sandbox
	return h.m.act(func(ctx context.Context) error { return box.Redeliver(ctx, d.ID) }, h.m.tellSent("The webhook is sent again."))
}

// redeliverFailed sends all again that were not delivered, as after the repair of a receiver.
func (h *webhookList) redeliverFailed() tea.Cmd {
	if h.failed() == 0 {
		return h.m.Notify("Every webhook was delivered.")
	}
	box, n := h.m.sandbox, 0
	return h.m.act(func(ctx context.Context) (err error) {
		n, err = box.RedeliverFailed(ctx)
		return err
	}, func(err error) tea.Cmd {
		switch {
		case err == nil && n == 0:
			return h.m.tellSent("")(sandbox.ErrNoWebhook)
		case n == 1:
			return h.m.tell("1 webhook is sent again.")(err)
		}
		return h.m.tell(strconv.Itoa(n) + " webhooks are sent again.")(err)
	})
}

// tellSent is tell for what needs a URL.
func (m *Model) tellSent(words string) func(error) tea.Cmd {
	return func(err error) tea.Cmd {
		if errors.Is(err, sandbox.ErrNoWebhook) {
			return m.Warn("Nothing was sent: no URL is set. Add one first (e).")
		}
		return m.tell(words)(err)
	}
}
