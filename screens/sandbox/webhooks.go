package sandbox

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A webhookList shows the webhook deliveries, newest first.
type webhookList struct {
	base
	all []sandbox.Delivery
}

func newWebhooks(m *Model) *webhookList {
	return &webhookList{base: newBase(m, "Webhooks", "Webhook", 1,
		ui.Column{Title: "Event", Width: 15},
		ui.Column{Title: "Reference", Width: 10, Grow: true},
		ui.Column{Title: "Delivery", Width: 19},
		ui.Column{Title: "Made", Width: 8, Drop: 1},
	)}
}

// read keeps the same delivery selected.
func (h *webhookList) read() {
	was, had := h.selected()
	h.all = h.m.view.Deliveries
	h.setRows(h.all, len(h.all), func(i int) []ui.Cell {
		d := h.all[i]
		return []ui.Cell{{Text: d.Event}, {Text: d.Reference}, deliveryCell(d), {Text: present.Clock(d.Made)}}
	})
	if i := slices.IndexFunc(h.all, func(d sandbox.Delivery) bool { return d.ID == was.ID }); had && i >= 0 {
		h.table.Select(i)
	}
}

func (h *webhookList) selected() (sandbox.Delivery, bool) { return ui.Selected(h.table, h.all) }

// deliveryCell is the state of a delivery. It is not a payment's success and not painted as
// one.
func deliveryCell(d sandbox.Delivery) ui.Cell {
	switch {
	case d.Delivered:
		return ui.Cell{Text: "delivered"}
	case !d.Next.IsZero():
		return ui.Cell{Text: "retry at " + present.Clock(d.Next), Tone: ui.ToneWait}
	case len(d.Tries) == 0:
		return ui.Cell{Text: "sending", Tone: ui.ToneWait}
	}
	return ui.Cell{Text: "not delivered", Tone: ui.ToneBad}
}

func (h *webhookList) head(w int) []string {
	if len(h.all) > 0 {
		return nil
	}
	words := "No webhooks were sent in this run. Set a URL (e) to have payments that become final from then on posted to it."
	return append(ui.Wrap(words, w), "")
}

func (h *webhookList) foot(w int) []present.Line {
	d, ok := shown(&h.base, h.all)
	if !ok {
		return nil
	}
	var tries, to, result string
	if n := len(d.Tries); n > 0 {
		last := d.Tries[n-1]
		tries, to = strconv.Itoa(n)+", the last at "+present.Clock(last.At), last.Address
		result = cmp.Or(last.Problem, "HTTP "+strconv.Itoa(last.Status))
	}
	return h.m.facts(w, fact{rankWhere, "Reference", d.Reference}, fact{rankMoney, "Attempts", tries}, fact{rankMore, "To", to}, fact{rankKeep, "Result", result})
}

func (h *webhookList) commands() ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "send again"), On: len(h.all) > 0, Do: h.redeliver},
		{Key: ui.Bind("e", "set URL"), On: true, Do: h.openURL},
		{Key: ui.Bind("x", "stop"), On: true, Do: h.stop},
		{Key: ui.Bind("E", "sample"), On: true, Do: func() tea.Cmd { return h.sample("payment.success") }},
		{Key: ui.Bind("L", "failed sample"), On: true, Do: func() tea.Cmd { return h.sample("payment.failed") }},
	}
}

// redeliver sends the selected webhook again, as a service does when its receiver was down.
func (h *webhookList) redeliver() tea.Cmd {
	d, ok := h.selected()
	if !ok {
		return h.m.Notify("There is no webhook to send.")
	}
	box := h.m.sandbox
	return h.m.act(func(ctx context.Context) error { return box.Redeliver(ctx, d.ID) }, h.m.tell("The webhook is sent again."))
}

// sample sends an event of no payment, to try a receiver with.
func (h *webhookList) sample(event string) tea.Cmd {
	box := h.m.sandbox
	return h.m.act(func(ctx context.Context) error { return box.SendSample(ctx, event, "") }, func(err error) tea.Cmd {
		if errors.Is(err, sandbox.ErrNoWebhook) {
			return h.m.Warn("Nothing was sent: no URL is set. Set one first (e).")
		}
		return h.m.tell("A sample of " + event + " is sent. It belongs to no payment.")(err)
	})
}

// openURL asks where to send webhooks. Only payments that become final from then on are sent.
func (h *webhookList) openURL() tea.Cmd {
	f := ui.NewTextField(h.m.Theme, "Webhook", "http or https URL that final payments are posted to", ui.Required())
	return h.m.openEntry(f, "Payments that become final are now sent there.", h.m.sandbox.SetWebhook)
}

// stop ends the sending, and aborts a delivery in progress.
func (h *webhookList) stop() tea.Cmd {
	box := h.m.sandbox
	return h.m.act(func(ctx context.Context) error { return box.SetWebhook(ctx, "") }, h.m.tell("Webhooks are no longer sent."))
}
