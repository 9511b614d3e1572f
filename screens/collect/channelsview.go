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

// leastChannels are the lines that the list keeps below what is said above it: its titles and two channels.
const leastChannels = 3

// channelKeys lists the keys of the channel stage, and those that move through the rows.
func (m *Model) channelKeys() []key.Binding {
	if m.channel.call.Pending() {
		return nil
	}
	return m.channel.list.Keys()
}

// viewChannels is the list, or that it is being asked for.
func (m *Model) viewChannels(w, h int) (string, *tea.Cursor) {
	c := &m.channel
	if c.call.Pending() {
		return spaced(w, h, m.problem.Lines(m.Theme, w), m.Theme.WaitLines(c.call.Wait(), "Checking which channels accept "+c.amount.String(), w),
			m.Theme.MutedLines(ui.StopsWaiting, w))
	}
	c.list.Resize(w, h)
	return c.list.View()
}

// channelHead is the answer in words, or why there is none. In a low window the advice about the card makes way for the list.
func (m *Model) channelHead(w int) []string {
	c, empty := &m.channel, len(m.channel.answer.Channels) == 0
	var lines []present.Line
	add := func(rank int, texts []string) {
		if len(texts) > 0 {
			lines = append(append(lines, present.Rows(rank, texts...)...), present.Line{Rank: 2})
		}
	}
	add(0, m.problem.Lines(m.Theme, w))
	add(1, c.cardHelp(w))
	switch summary := c.summary(c.amount.String()); {
	case c.err != nil:
		p := present.Error(c.err, present.Reading)
		p.Next = strings.TrimSpace(p.Next + " Or choose a channel unchecked:")
		add(0, p.Lines(m.Theme, w))
	case empty || !c.answer.Valid:
		add(0, append(m.Theme.MarkLines(ui.ToneAct, summary, w), m.saidNo(w)...))
	default:
		add(0, ui.Wrap(summary, w))
	}
	if empty && !c.cardHidden {
		add(0, ui.Wrap(m.whatElse(), w))
	}
	return present.FitHeight(m.bodyHeight()-leastChannels, lines)
}

// saidNo returns what the service says where it calls the request invalid.
func (m *Model) saidNo(w int) []string {
	words := present.Quote(m.channel.answer.Message)
	if words == "" || m.channel.answer.Valid {
		return nil
	}
	return m.Theme.FactLines("Service", words, labels, w)
}

// described returns what the service says of a channel, in lines of the width.
func described(ch api.Channel, w int) []string {
	if ch.Description.Empty() {
		return nil
	}
	return ui.Wrap(ch.Name.Prose(0)+": "+ch.Description.Prose(0), max(w, 1))
}

// readDescription opens the description of a channel alone, for which there may be no room below the list.
func (m *Model) readDescription(of api.Channel) tea.Cmd {
	if of.Description.Empty() {
		return m.Warn("The service does not describe this channel.")
	}
	done := ui.Commands{{Key: ui.Bind("enter", "done"), On: true, Do: func() tea.Cmd { return nav.Pop }}}
	return detail.New(&m.Body, detail.Of{
		Title: "Description", Lines: func(w int) []string { return described(of, w) }, Commands: func() ui.Commands { return done }, Help: m.Explain(),
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
func (m *Model) whatElse() string {
	switch {
	case m.amount.form == nil:
		return "The link fixes the amount and the currency: check again (r), or other channels (e). " +
			"Channels are enabled in the provider's dashboard."
	case len(m.channel.only) > 0:
		return "Check other channels (e), or go back to change the amount or the currency."
	}
	return "Go back to change the amount or the currency, or check again. " +
		"Channels are enabled in the provider's dashboard."
}

// isCard reports whether a channel takes a card, however the response spells it.
func isCard(c api.Channel) bool { return Canonical(string(c.Alias)) == api.ChannelCard }
