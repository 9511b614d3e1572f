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

// A channelStep offers the channels that the service says are usable for the
// amount (endpoint 3). Where the question fails, a channel may be chosen by hand.
type channelStep struct {
	call   ui.Call[api.Channels]
	about  money.Amount // what was asked about
	answer api.Channels
	known  bool  // there is an answer
	err    error // why there is none
	table  *ui.Table
	chosen string // as initiation sends it; "" for none yet
	byHand bool   // chosen without the service's word
	// noCards leaves the card out, whatever the service names; left is whether it named one.
	noCards, left bool
}

func channelTable(t *ui.Theme) *ui.Table {
	return ui.NewTable(t,
		ui.Column{Title: "Channel", Width: 18},
		ui.Column{Title: "Sent as", Width: 14, Drop: 1},
		ui.Column{Title: "Description", Width: 10, Grow: true, Drop: 2},
	)
}

// toChannels asks which channels are usable, unless it is known for this amount.
func (m *Model) toChannels() tea.Cmd {
	m.stage = stageChannel
	if m.channel.known && m.channel.about == m.amount.value() {
		return nil
	}
	return m.askChannels()
}

func (m *Model) askChannels() tea.Cmd {
	c, s, amount := &m.channel, m.service, m.amount.value()
	c.about, c.known, c.err = amount, false, nil
	return c.call.Ask(m.scope, func(ctx context.Context) (api.Channels, error) {
		return s.ValidateChannels(ctx, amount)
	})
}

func (c *channelStep) take(a ui.Result[api.Channels]) {
	c.answer, c.err, c.known = a.Value, a.Err, a.Err == nil
	if c.noCards {
		all := len(c.answer.Channels)
		c.answer.Channels = slices.DeleteFunc(slices.Clone(c.answer.Channels), isCard)
		c.left = len(c.answer.Channels) < all
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
}

func isCard(c api.Channel) bool { return canonical(string(c.Alias)) == api.ChannelCard }

// canonical is the specification's spelling of the channels it names, so that a card
// is a card however the answer writes it; others stay as they came.
func canonical(alias string) string {
	for _, known := range []string{api.ChannelCard, api.ChannelTransfer} {
		if strings.EqualFold(alias, known) {
			return known
		}
	}
	return alias
}

func (m *Model) choose(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	c := &m.channel
	switch {
	case c.call.Pending():
		m.notice = "The service is being asked; wait for its answer, or go back."
	case pressed(k, keyAgain):
		return m.askChannels()
	case c.noCards && pressed(k, keyLink):
		return nav.Open(nav.NewLink{})
	case c.noCards && pressed(k, keyCard):
		m.notice = "Cards are not typed on this host for live payments: make a link (l)."
	case c.err != nil && pressed(k, keyCard):
		m.choice(api.ChannelCard, true)
	case c.err != nil && pressed(k, keyTransfer):
		m.choice(api.ChannelTransfer, true)
	case c.err != nil:
		m.notice = "Nothing was answered that could be chosen from: ask again, or choose by hand."
	case c.table.Update(k):
	case pressed(k, ui.Submit):
		m.chooseRow(c.table.Selected())
	case pressed(k, keyCard), pressed(k, keyTransfer):
		m.notice = "The service has answered: only what it names can be chosen."
	}
	return nil
}

func (m *Model) chooseRow(i int) {
	if i < 0 || i >= len(m.channel.answer.Channels) {
		m.notice = "There is no channel to choose; ask again, or go back and change the amount."
		return
	}
	alias := string(m.channel.answer.Channels[i].Alias)
	if alias == "" {
		m.notice = "The service's name for this channel cannot be sent back to it; choose another."
		return
	}
	m.choice(canonical(alias), false)
}

func (m *Model) choice(channel string, byHand bool) {
	m.channel.chosen, m.channel.byHand = channel, byHand
	m.trouble = present.Problem{}
	if channel != api.ChannelCard {
		m.details.form.Wipe() // a card that will not be charged is not kept
	}
	m.details.lay(channel == api.ChannelCard)
	m.stage = stageCustomer
}

func (m *Model) viewChannels(w, h int) string {
	c := &m.channel
	amount := c.about.String()
	top := m.troubleLines(m.trouble, w, "")
	switch {
	case c.call.Pending():
		return spaced(w, h, top, ui.Wrap("Asking which channels can take "+amount+"…", w))
	case c.err != nil:
		also := "Or choose by hand: c for the card, t for the transfer. That is unchecked."
		if c.noCards {
			also = "Or choose by hand: t for the transfer. That is unchecked."
		}
		return spaced(w, h, m.troubleLines(present.Error(c.err, present.Reading), w, also), c.elsewhere(w))
	}
	head := []string{c.verdict(amount)}
	if !c.answer.Valid || len(c.answer.Channels) == 0 {
		head[0] = m.theme.Mark(ui.ToneAct, head[0])
	}
	away := c.elsewhere(w)
	if len(c.answer.Channels) == 0 && c.left {
		return spaced(w, h, top, head, away)
	}
	if len(c.answer.Channels) == 0 {
		return spaced(w, h, top, head, ui.Wrap("Go back to change the amount or the currency, or ask again. "+
			"Which channels an account has is decided in the merchant's dashboard.", w))
	}
	room := max(h-len(top)-3, 2)
	if len(away) > 0 {
		room = max(min(room-len(away)-1, len(c.answer.Channels)+1), 2)
	}
	c.table.Resize(w, room)
	return spaced(w, h, top, head, strings.Split(c.table.View(), "\n"), away)
}

// elsewhere says why no card is offered, and what is better.
func (c *channelStep) elsewhere(w int) []string {
	if !c.noCards {
		return nil
	}
	return ui.Wrap("Cards are not typed on this host for live payments: every host that a card number passes "+
		"has to be protected for it. Make a payment link instead (l): the customer types the card on the service's own page. "+
		"allow_card_entry in the profile turns it on here.", w)
}

// verdict is the service's answer in words.
func (c *channelStep) verdict(amount string) string {
	switch {
	case !c.answer.Valid && len(c.answer.Channels) == 0:
		return "The service says that " + amount + " is not valid for any channel."
	case !c.answer.Valid:
		return "The service says the question was not valid, and still names channels:"
	case len(c.answer.Channels) == 0 && c.left:
		return "The only channel for " + amount + " is the card."
	case len(c.answer.Channels) == 0:
		return "The service names no channel for " + amount + "."
	}
	return "These channels can take " + amount + ":"
}
