package collect

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	leastChannels = 3 // lines of the table: its titles and two channels
	mostAbout     = 6 // lines of a description below the table
)

// channelKeys lists the keys of the channel stage, and those that move through the rows.
func (m *Model) channelKeys() []key.Binding {
	if m.channel.call.Pending() {
		return nil
	}
	return append(m.channelCommands().Keys(), m.channel.table.Keys()...)
}

// viewChannels is the answer in words and the channels it lists, or why there is no answer. Advice
// about the card keeps its lines; the table scrolls.
func (m *Model) viewChannels(w, h int) (string, *tea.Cursor) {
	c := &m.channel
	amount := c.amount.String()
	top := m.problem.Lines(m.Theme, w)
	switch {
	case c.call.Pending():
		return spaced(w, h, top, m.Theme.WaitLines(c.call.Wait(), "Checking which channels accept "+amount, w),
			m.Theme.MutedLines(ui.StopsWaiting, w))
	case c.err != nil:
		p := present.Error(c.err, present.Reading)
		p.Next = strings.TrimSpace(p.Next + " Or choose a channel unchecked:")
		why, help := p.Lines(m.Theme, w), c.cardHelp(w)
		c.table.Resize(w, max(min(h-len(why)-1, len(c.answer.Channels)+1), 2))
		return spaced(w, h, why, strings.Split(c.table.View(), "\n"), help)
	}
	head, help := ui.Wrap(c.summary(amount), w), c.cardHelp(w)
	if len(c.answer.Channels) == 0 {
		if !c.cardHidden {
			help = ui.Wrap(c.whatElse(), w)
		}
		return spaced(w, h, top, append(m.Theme.MarkLines(ui.ToneAct, c.summary(amount), w), m.saidNo(w)...), help)
	}
	if !c.answer.Valid {
		head = append(m.Theme.MarkLines(ui.ToneAct, c.summary(amount), w), m.saidNo(w)...)
	}
	about := m.aboutLines(w, m.aboutRoom(w, h))
	room := max(h-len(top)-len(head)-len(about)-2, 2)
	if len(help) > 0 {
		room = max(min(room-len(help)-1, len(c.answer.Channels)+1), 2)
	}
	c.table.Resize(w, min(room, len(c.answer.Channels)+1))
	return spaced(w, h, top, head, strings.Split(c.table.View(), "\n"), about, help)
}

// saidNo returns what the service says where it calls the request invalid.
func (m *Model) saidNo(w int) []string {
	words := present.Quote(m.channel.answer.Message)
	if words == "" || m.channel.answer.Valid {
		return nil
	}
	return m.Theme.FactLines("Service", words, labels, w)
}

// selectedAbout returns what the service says of the selected channel, in lines of the width.
func (m *Model) selectedAbout(w int) []string {
	row, ok := ui.Selected(m.channel.table, m.channel.answer.Channels)
	if !ok || row.Description.Empty() {
		return nil
	}
	return ui.Wrap(row.Name.Prose(0)+": "+row.Description.Prose(0), max(w, 1))
}

// aboutRoom returns how many lines the description has below the table.
func (m *Model) aboutRoom(w, h int) int {
	table := min(len(m.channel.answer.Channels)+1, leastChannels)
	around := len(m.problem.Lines(m.Theme, w)) + len(ui.Wrap(m.channel.summary(m.channel.amount.String()), w)) + 2 // and two blanks
	if help := m.channel.cardHelp(w); len(help) > 0 {
		around += len(help) + 1
	}
	return min(max(h-around-table, 1), mostAbout)
}

// aboutLines are the description of the selected channel in at most h lines; one that is cut off
// ends with the key that shows all of it.
func (m *Model) aboutLines(w, h int) []string {
	lines := m.selectedAbout(w)
	if len(lines) <= h {
		return lines
	}
	const more = " z: all of it"
	lines = lines[:h]
	lines[h-1] = strings.TrimRight(ui.Fit(lines[h-1]+" …", max(w-len(more), 0)), " ") + m.Theme.Muted.Render(m.Theme.Text(more))
	return lines
}

// aboutIsCut reports whether the description is not visible whole.
func (m *Model) aboutIsCut() bool {
	w := m.formWidth()
	return len(m.selectedAbout(w)) > m.aboutRoom(w, m.bodyHeight())
}

// readAbout opens the description of the selected channel alone.
func (m *Model) readAbout() tea.Cmd {
	if !m.aboutIsCut() {
		return m.Warn("The whole description is on the screen.")
	}
	done := ui.Commands{{Key: ui.Bind("enter", "done"), On: true, Do: func() tea.Cmd { return nav.Pop }}}
	return detail.New(&m.Body, detail.Of{
		Title: "Description", Lines: m.selectedAbout, Commands: func() ui.Commands { return done }, Help: m.Explain(),
	}).Open()
}

// cardHelp says why the card is not offered, and what to do instead.
func (c *channelStep) cardHelp(w int) []string {
	if !c.noCards {
		return nil
	}
	return ui.Wrap("Card entry is disabled on this host for live payments: every host that handles card numbers "+
		"must be secured for it. Create a payment link instead (n): the customer enters the card on the provider's page. "+
		"allow_card_entry in the profile enables it here.", w)
}

// summary is the service's answer in words.
func (c *channelStep) summary(amount string) string {
	if len(c.only) > 0 {
		return c.summaryOfSome(amount)
	}
	switch {
	case !c.answer.Valid && len(c.answer.Channels) == 0:
		return amount + " cannot be paid through any channel."
	case !c.answer.Valid:
		return "The service reported an invalid request but still listed channels:"
	case len(c.answer.Channels) == 0 && c.cardHidden:
		return "The only channel for " + amount + " is the card."
	case len(c.answer.Channels) == 0:
		return "No channel is available for " + amount + "."
	}
	return "These channels accept " + amount + ":"
}

// summaryOfSome is the answer where not all channels were asked about. It says what was asked, and
// nothing of the others.
func (c *channelStep) summaryOfSome(amount string) string {
	asked := "Only " + strings.Join(c.only, ", ") + " checked: "
	switch {
	case len(c.answer.Channels) == 0:
		return asked + "not accepted for " + amount + "."
	case !c.answer.Valid:
		return asked + "not all of them accepted for " + amount + "; the service listed these."
	}
	return asked + "these accept " + amount + "."
}

// whatElse returns what to do where no channel was listed.
func (c *channelStep) whatElse() string {
	if len(c.only) > 0 {
		return "Check other channels (e), or go back to change the amount or the currency."
	}
	return "Go back to change the amount or the currency, or check again. " +
		"Channels are enabled in the provider's dashboard."
}

// isCard reports whether a channel takes a card, however the response spells it.
func isCard(c api.Channel) bool { return Canonical(string(c.Alias)) == api.ChannelCard }
