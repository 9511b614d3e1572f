package sandbox

import (
	"context"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/present"
	"paydesk/ui"
)

var (
	keyURL  = ui.Bind("w", "set URL")
	keyStop = ui.Bind("x", "stop sending")
)

// A webhookList shows the webhook deliveries, newest first.
type webhookList struct {
	base
	all []sandbox.Delivery
}

func newWebhooks(m *Model) *webhookList {
	return &webhookList{base: newBase(m, "Sandbox webhooks",
		ui.Column{Title: "Event", Width: 15},
		ui.Column{Title: "Reference", Width: 10, Grow: true},
		ui.Column{Title: "Delivery", Width: 19},
		ui.Column{Title: "Made", Width: 8, Drop: 1},
	)}
}

// read keeps the same delivery selected.
func (h *webhookList) read() {
	was, had := h.selected()
	h.all = h.m.sandbox.Deliveries()
	h.setRows(len(h.all), func(i int) []ui.Cell {
		d := h.all[i]
		return []ui.Cell{{Text: d.Event}, {Text: d.Reference}, deliveryCell(d), {Text: present.Clock(d.Made)}}
	})
	if i := slices.IndexFunc(h.all, func(d sandbox.Delivery) bool { return d.ID == was.ID }); had && i >= 0 {
		h.table.Select(i)
	}
}

func (h *webhookList) selected() (sandbox.Delivery, bool) {
	if i := h.table.Selected(); i >= 0 && i < len(h.all) {
		return h.all[i], true
	}
	return sandbox.Delivery{}, false
}

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
	words := "No webhooks were sent in this run. Set a URL (w) to have payments that become final from then on posted to it."
	return append(ui.Wrap(words, w), "")
}

func (h *webhookList) foot(w int) []present.Line {
	d, ok := h.selected()
	if !ok {
		return nil
	}
	lines := h.m.fact(rankWhere, "Reference", d.Reference, w)
	if len(d.Tries) == 0 {
		return lines
	}
	last := d.Tries[len(d.Tries)-1]
	result := last.Problem
	if result == "" {
		result = "HTTP " + strconv.Itoa(last.Status)
	}
	tries := strconv.Itoa(len(d.Tries)) + ", the last at " + present.Clock(last.At)
	lines = append(lines, h.m.fact(rankMoney, "Attempts", tries, w)...)
	lines = append(lines, h.m.fact(rankMore, "To", last.Address, w)...)
	return append(lines, h.m.fact(rankKeep, "Result", result, w)...)
}

func (h *webhookList) keys() []key.Binding {
	again := enterKey("send again")
	again.SetEnabled(len(h.all) > 0)
	return append([]key.Binding{again, keyURL, keyStop}, h.table.Keys()[:1]...)
}

func (h *webhookList) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case h.table.Update(k):
	case isKey(k, enterKey("")):
		return h.redeliver()
	case isKey(k, keyURL):
		return h.openURL()
	case isKey(k, keyStop):
		return h.stop()
	}
	return nil
}

func (h *webhookList) redeliver() tea.Cmd {
	d, ok := h.selected()
	if !ok {
		return h.m.notify(ui.ToneNone, "There is no webhook to send.")
	}
	if err := h.m.sandbox.Redeliver(d.ID); err != nil {
		return h.m.notify(ui.ToneAct, present.Sentence(err.Error()))
	}
	return h.m.notify(ui.ToneNone, "The webhook is sent again.")
}

func (h *webhookList) openURL() tea.Cmd {
	f := ui.NewTextField(h.m.theme, "Webhook", "http or https URL that final payments are posted to", ui.Required())
	return h.m.openEntry(f, func(url string) (tea.Cmd, string) {
		if err := h.m.sandbox.SetWebhook(url); err != nil {
			return nil, present.Sentence(err.Error())
		}
		return h.m.notify(ui.ToneNone, "Payments that become final are now sent there."), ""
	})
}

// stop runs in the background: it blocks until a delivery in progress is aborted.
func (h *webhookList) stop() tea.Cmd {
	box := h.m.sandbox
	return h.m.stopped.Ask(h.m.scope, func(context.Context) (struct{}, error) { return struct{}{}, box.SetWebhook("") })
}
