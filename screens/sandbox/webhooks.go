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
	keyAddress = bind("w", "address")
	keyStop    = bind("x", "stop sending")
)

// A webhookList lists what was told to the merchant, newest first.
type webhookList struct {
	m     *Model
	table *ui.Table
	all   []sandbox.Delivery
}

func newWebhooks(m *Model) *webhookList {
	return &webhookList{m: m, table: ui.NewTable(m.theme,
		ui.Column{Title: "Event", Width: 15},
		ui.Column{Title: "Reference", Width: 10, Grow: true},
		ui.Column{Title: "Delivery", Width: 19},
		ui.Column{Title: "Made", Width: 8, Drop: 1},
	)}
}

func (h *webhookList) title() string    { return "Sandbox webhooks" }
func (h *webhookList) sheet() *ui.Table { return h.table }
func (h *webhookList) rows() int        { return len(h.all) }

// read keeps the selection on the same delivery.
func (h *webhookList) read() {
	was, had := h.selected()
	h.all = h.m.sandbox.Deliveries()
	h.table.SetRows(len(h.all), func(i int) []ui.Cell {
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

// deliveryCell is how it went. A delivery is no success of a payment and is not painted as one.
func deliveryCell(d sandbox.Delivery) ui.Cell {
	switch {
	case d.Delivered:
		return ui.Cell{Text: "delivered"}
	case !d.Next.IsZero():
		return ui.Cell{Text: "tries at " + present.Clock(d.Next), Tone: ui.ToneWait}
	case len(d.Tries) == 0:
		return ui.Cell{Text: "being sent", Tone: ui.ToneWait}
	}
	return ui.Cell{Text: "not delivered", Tone: ui.ToneBad}
}

func (h *webhookList) head(w int) []string {
	if len(h.all) > 0 {
		return nil
	}
	words := "No webhook was sent in this run. With an address (w), each payment that comes to its end from then on is told to it."
	return append(ui.Wrap(words, w), "")
}

func (h *webhookList) foot(w int) []present.Line {
	d, ok := h.selected()
	if !ok {
		return nil
	}
	lines := present.Rows(rankWhere, h.m.fact("Reference", d.Reference, w)...)
	if len(d.Tries) == 0 {
		return lines
	}
	last := d.Tries[len(d.Tries)-1]
	came := last.Problem
	if came == "" {
		came = "The receiver answered " + strconv.Itoa(last.Status) + "."
	}
	tries := strconv.Itoa(len(d.Tries)) + ", the last at " + present.Clock(last.At)
	lines = append(lines, present.Rows(rankMoney, h.m.fact("Tries", tries, w)...)...)
	lines = append(lines, present.Rows(rankMore, h.m.fact("To", last.Address, w)...)...)
	return append(lines, present.Rows(rankKeep, h.m.fact("Came of it", came, w)...)...)
}

func (h *webhookList) keys() []key.Binding {
	again := enterKey("deliver again")
	again.SetEnabled(len(h.all) > 0)
	return append([]key.Binding{again, keyAddress, keyStop}, h.table.Keys()[:1]...)
}

func (h *webhookList) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case h.table.Update(k):
	case isKey(k, enterKey("")):
		return h.redeliver()
	case isKey(k, keyAddress):
		return h.askAddress()
	case isKey(k, keyStop):
		return h.stop()
	}
	return nil
}

func (h *webhookList) redeliver() tea.Cmd {
	d, ok := h.selected()
	if !ok {
		return h.m.notify(ui.ToneNone, "There is nothing to deliver.")
	}
	if err := h.m.sandbox.Redeliver(d.ID); err != nil {
		return h.m.notify(ui.ToneAct, present.Sentence(err.Error()))
	}
	return h.m.notify(ui.ToneNone, "It is sent once more.")
}

func (h *webhookList) askAddress() tea.Cmd {
	f := ui.NewTextField(h.m.theme, "Webhook", "http or https; where the sandbox tells how payments ended", ui.Required())
	return h.m.openEntry(f, func(address string) (tea.Cmd, string) {
		if err := h.m.sandbox.SetWebhook(address); err != nil {
			return nil, present.Sentence(err.Error())
		}
		return h.m.notify(ui.ToneNone, "Payments that end from now on are told there."), ""
	})
}

// stop runs beside the screen: it waits for a delivery to be cut off.
func (h *webhookList) stop() tea.Cmd {
	box := h.m.sandbox
	return h.m.stopped.Ask(h.m.scope, func(context.Context) (struct{}, error) { return struct{}{}, box.SetWebhook("") })
}
