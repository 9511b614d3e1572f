package collect

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A channelStep offers the channels that the service accepts for the amount (endpoint 3). If the
// request fails, a channel can be chosen unchecked.
type channelStep struct {
	call   ui.Call[api.Channels]
	amount money.Amount // the amount of the request
	answer api.Channels
	known  bool  // answer is valid
	err    error // why it is not
	table  *ui.Table
	chosen string // as initiation sends it; "" for none yet
	byHand bool   // chosen unchecked
	// noCards hides the card channel; cardHidden reports that the service offered one.
	noCards, cardHidden bool
}

// channelTable lists the channels with their names, what initiation sends for them, and what they
// are. A narrow window drops the last columns first.
func channelTable(t *ui.Theme) *ui.Table {
	return ui.NewTable(t,
		ui.Column{Title: "Channel", Width: 18},
		ui.Column{Title: "Sent as", Width: 14, Drop: 1},
		ui.Column{Title: "Description", Width: 10, Grow: true, Drop: 2},
	)
}

// toChannels requests the channels, unless they are known for this amount.
func (m *Model) toChannels() tea.Cmd {
	m.stage = stageChannel
	if m.channel.known && m.channel.amount == m.amount.value() {
		return nil
	}
	return m.requestChannels()
}

// requestChannels requests the channels for the present amount. It changes nothing at the service,
// so that it may be cancelled and repeated.
func (m *Model) requestChannels() tea.Cmd {
	c, s, amount := &m.channel, m.service, m.amount.value()
	c.amount, c.known, c.err = amount, false, nil
	return c.call.Then(c.receive).Timed(present.SendLimit).Ask(m.Scope, func(ctx context.Context) (api.Channels, error) {
		return s.ValidateChannels(ctx, amount)
	})
}

// receive lists the channels that may be used on this host. A channel that was chosen before stays
// selected, so that going back and forth changes nothing.
func (c *channelStep) receive(a ui.Result[api.Channels]) tea.Cmd {
	c.answer, c.err, c.known = a.Value, a.Err, a.Err == nil
	if c.noCards {
		all := len(c.answer.Channels)
		c.answer.Channels = slices.DeleteFunc(slices.Clone(c.answer.Channels), isCard)
		c.cardHidden = len(c.answer.Channels) < all
	}
	channels := c.answer.Channels
	c.table.SetRows(len(channels), func(i int) []ui.Cell {
		ch := channels[i]
		sent := ui.Cell{Text: string(ch.Alias)}
		if ch.Alias == "" {
			sent = ui.Cell{Text: "unusable", Tone: ui.ToneBad}
		}
		return []ui.Cell{{Text: ch.Name.Line(0)}, sent, {Text: ch.Description.Line(0)}}
	})
	for i, ch := range channels {
		if canonical(string(ch.Alias)) == c.chosen && c.chosen != "" {
			c.table.Select(i)
		}
	}
	return nil
}

// isCard reports whether a channel takes a card, however the response spells it.
func isCard(c api.Channel) bool { return canonical(string(c.Alias)) == api.ChannelCard }

// canonical is the specification's spelling of a channel, whatever the case in the response. An
// alias that is not in the specification is returned unchanged.
func canonical(alias string) string {
	for _, known := range []string{api.ChannelCard, api.ChannelTransfer} {
		if strings.EqualFold(alias, known) {
			return known
		}
	}
	return alias
}

// pressChannel handles a key. A channel may be chosen unchecked only if the request failed: once
// the service has answered, its list decides.
func (m *Model) pressChannel(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	c := &m.channel
	switch {
	case c.call.Pending():
		return m.Warn("Still checking the channels. Wait, or go back (esc).")
	case pressed(k, keyAgain):
		return m.requestChannels()
	case c.noCards && pressed(k, keyLink):
		return nav.Open(nav.NewLink{})
	case c.noCards && pressed(k, keyCard):
		return m.Warn("Card entry is disabled here for live payments. Create a link instead (l).")
	case c.err != nil && pressed(k, keyCard):
		m.chooseChannel(api.ChannelCard, true)
	case c.err != nil && pressed(k, keyTransfer):
		m.chooseChannel(api.ChannelTransfer, true)
	case c.err != nil:
		return m.Warn("No channels were returned. Check again (r), or choose one unchecked.")
	case c.table.Update(k):
	case pressed(k, ui.Submit):
		return m.chooseRow()
	case pressed(k, keyCard), pressed(k, keyTransfer):
		return m.Warn("Only the channels in the list can be chosen.")
	}
	return nil
}

// chooseRow goes on with the selected channel. One without an alias cannot be sent.
func (m *Model) chooseRow() tea.Cmd {
	row, ok := ui.Selected(m.channel.table, m.channel.answer.Channels)
	switch {
	case !ok:
		return m.Warn("No channel to choose. Check again (r), or go back and change the amount.")
	case row.Alias == "":
		return m.Warn("This channel has no usable alias. Choose another.")
	}
	m.chooseChannel(canonical(string(row.Alias)), false)
	return nil
}

// chooseChannel goes on to the customer. A card that was entered is wiped if another channel will
// be charged.
func (m *Model) chooseChannel(channel string, byHand bool) {
	m.channel.chosen, m.channel.byHand = channel, byHand
	m.problem = present.Problem{}
	if channel != api.ChannelCard {
		m.details.form.Wipe() // the card will not be charged
	}
	m.details.setFields(channel == api.ChannelCard)
	m.stage = stageCustomer
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
		p, also := present.Error(c.err, present.Reading), "Or choose a channel unchecked: c for card, t for transfer."
		if c.noCards {
			also = "Or choose the transfer unchecked: t."
		}
		p.Next = strings.TrimSpace(p.Next + " " + also)
		return spaced(w, h, p.Lines(m.Theme, w), c.cardHelp(w))
	}
	none := len(c.answer.Channels) == 0
	head, help := []string{c.summary(amount)}, c.cardHelp(w)
	if !c.answer.Valid || none {
		head[0] = m.Theme.Mark(ui.ToneAct, head[0])
	}
	if none {
		if !c.cardHidden {
			help = ui.Wrap("Go back to change the amount or the currency, or check again. "+
				"Channels are enabled in the provider's dashboard.", w)
		}
		return spaced(w, h, top, head, help)
	}
	room := max(h-len(top)-3, 2)
	if len(help) > 0 {
		room = max(min(room-len(help)-1, len(c.answer.Channels)+1), 2)
	}
	c.table.Resize(w, room)
	return spaced(w, h, top, head, strings.Split(c.table.View(), "\n"), help)
}

// cardHelp says why the card is not offered, and what to do instead.
func (c *channelStep) cardHelp(w int) []string {
	if !c.noCards {
		return nil
	}
	return ui.Wrap("Card entry is disabled on this host for live payments: every host that handles card numbers "+
		"must be secured for it. Create a payment link instead (l): the customer enters the card on the provider's page. "+
		"allow_card_entry in the profile enables it here.", w)
}

// summary is the service's answer in words.
func (c *channelStep) summary(amount string) string {
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
