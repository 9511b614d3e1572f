package collect

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/ui"
)

func (m *Model) offersCards() bool {
	return m.stage == stageDetails && m.channel.chosen == api.ChannelCard && len(m.options.Cards) > 0
}

// openPicker shows the test cards of the demo instead of the form.
func (m *Model) openPicker() {
	cards := m.options.Cards
	m.picker = ui.NewTable(m.Theme,
		ui.Column{Title: "Test card", Width: 17},
		ui.Column{Title: "Number", Width: 9},
		ui.Column{Title: "What it does", Width: 12, Grow: true},
	)
	m.picker.SetRows(len(cards), func(i int) []ui.Cell {
		pan, _ := card.ParsePAN(cards[i].Number) // an invalid one masks to nothing
		return []ui.Cell{{Text: cards[i].Name}, {Text: pan.Masked()}, {Text: cards[i].Does}}
	})
}

func (m *Model) updatePicker(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok || m.picker.Update(k):
	case pressed(k, ui.Submit):
		m.fillCard(m.options.Cards[m.picker.Selected()])
		m.picker = nil
	case pressed(k, keyCards):
		m.picker = nil
	}
	return nil
}

// fillCard puts a test card into the form.
func (m *Model) fillCard(c TestCard) {
	d := m.details
	pan, err := card.ParsePAN(c.Number)
	if err != nil {
		m.Warn("The test card " + c.Name + " has no usable number.")
		return
	}
	d.pan.Set(pan)
	if cvv, err := card.ParseCVV(c.CVV); err == nil {
		d.cvv.Set(cvv)
	}
	d.expiry.Set(card.Expiry{Month: c.Month, Year: c.Year})
	d.form.FocusOn(d.returnURL)
}

// viewPicker is the list, and below it the full description of the selected card.
func (m *Model) viewPicker(w, h int) (string, *tea.Cursor) {
	const under = 3 // a blank line and two of the description
	table := m.picker
	table.Resize(w, min(h-under, len(m.options.Cards)+1))
	c := m.options.Cards[table.Selected()]
	words := ui.Wrap(c.Name+": "+c.Does+".", w)
	return ui.Lines(w, h, append([]string{table.View(), ""}, words...)...), nil
}
