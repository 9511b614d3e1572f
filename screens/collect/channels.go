package collect

import (
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/detail"
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
	err    error // why it is not: then it lists those to choose from unchecked
	list   *detail.Chooser[api.Channel]
	chosen string // as initiation sends it; "" for none yet
	doubt  string // why the service may not accept it, as a review has it; "" where it does
	// only are the channels that are asked about; none for all that the account may use.
	only []string
	// noCards hides the card channel; cardHidden reports that the service offered one.
	noCards, cardHidden bool
}

// newChannels lists the channels with their names and what the customer does, and describes the marked one. The list is
// drawn in the room of the stage, so that it has a body of its own.
func (m *Model) newChannels() *detail.Chooser[api.Channel] {
	return detail.NewChooser(&ui.Body{Theme: m.Theme}, detail.Rows[api.Channel]{
		All: func() []api.Channel { return m.channel.answer.Channels },
		Columns: func() []ui.Column {
			return []ui.Column{{Title: "Channel", Width: 14, Full: 18}, {Title: "How it is paid", Width: 14, Grow: true, Drop: 1}}
		},
		Cells: func(ch api.Channel) []ui.Cell {
			alias := Canonical(string(ch.Alias))
			switch does := howPaid(alias); {
			case alias == "":
				return []ui.Cell{{Text: ch.Name.Prose(0)}, {Text: "unusable", Tone: ui.ToneBad}}
			case does == "":
				return []ui.Cell{{Text: ch.Name.Prose(0)}, {Text: "sent as " + alias}}
			default:
				return []ui.Cell{{Text: present.ChannelName(alias)}, {Text: does}}
			}
		},
		ID:   func(ch api.Channel) string { return string(ch.Alias) },
		Head: m.channelHead, Commands: m.channelCommands,
		Says: func(marked api.Channel, _ bool, w, h int) []present.Line {
			lines, tallest := described(marked, w), 0
			for _, ch := range m.channel.answer.Channels { // what stands below moves with none of them
				tallest = max(tallest, len(described(ch, w)))
			}
			return present.Rows(1, append(lines, make([]string, tallest-len(lines))...)...)
		},
	})
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
	only := slices.Clone(c.only)
	c.amount, c.known, c.err = amount, false, nil
	return c.call.Then(c.receive).Timed(api.ReadLimit).Ask(m.Scope, func(ctx context.Context) (api.Channels, error) {
		return s.ValidateChannels(ctx, amount, only...)
	})
}

// checkAgain says that it asks: the answer may be the same.
func (m *Model) checkAgain() tea.Cmd {
	m.Notify(present.AskedAgain(m.Scope.Now()))
	return m.requestChannels()
}

// receive lists the channels that may be used on this host, or those that have a name here if the service did
// not answer. A channel that was chosen before stays selected, so that going back and forth changes nothing.
func (c *channelStep) receive(a ui.Result[api.Channels]) tea.Cmd {
	if c.answer, c.err, c.known = a.Value, a.Err, a.Err == nil; c.err != nil {
		c.answer.Channels = knownChannels()
	}
	if c.noCards {
		all := len(c.answer.Channels)
		c.answer.Channels = slices.DeleteFunc(slices.Clone(c.answer.Channels), isCard)
		c.cardHidden = len(c.answer.Channels) < all
	}
	for i, ch := range c.answer.Channels {
		if Canonical(string(ch.Alias)) == c.chosen && c.chosen != "" {
			c.list.Mark(i)
		}
	}
	return nil
}

// howPaid says how a known channel is paid, "" of any other.
func howPaid(channel string) string {
	return map[string]string{
		api.ChannelCard:     "by card; a bank check may follow",
		api.ChannelTransfer: "into an account given next",
		api.ChannelAccount:  "from the bank account",
		api.ChannelInterac:  "on a request by e-mail",
	}[channel]
}

// TypedChannels are the short names of the known channels.
func TypedChannels() (all []string) {
	for _, alias := range api.KnownChannels {
		all = append(all, strings.ToLower(present.ChannelName(alias)))
	}
	return all
}

// TypedChannel returns the channel with an alias or a short name. One that is not known stays as it is.
func TypedChannel(name string) string {
	name = strings.TrimSpace(name)
	for _, alias := range api.KnownChannels {
		if strings.EqualFold(name, present.ChannelName(alias)) {
			return alias
		}
	}
	return Canonical(name)
}

// knownChannels are those that have a name here.
func knownChannels() (all []api.Channel) {
	for _, alias := range api.KnownChannels {
		all = append(all, api.Channel{Alias: api.ChannelAlias(alias)})
	}
	return all
}

// Canonical is the known spelling of a channel, whatever the case in the response. The alias of a
// channel that is not known is returned unchanged.
func Canonical(alias string) string {
	for _, known := range api.KnownChannels {
		if strings.EqualFold(alias, known) {
			return known
		}
	}
	return alias
}

// pressChannel handles a key.
func (m *Model) pressChannel(msg tea.Msg) tea.Cmd {
	if _, pressed := msg.(tea.KeyPressMsg); pressed && m.channel.call.Pending() {
		return m.Warn("Still checking the channels. Wait, or go back (esc).")
	}
	return m.channel.list.Update(msg)
}

// channelCommands are the keys of the channel stage. A channel may be chosen unchecked only if the request failed: once
// the service has answered, its list decides. Where cards are disabled, a link is offered in place of the card.
func (m *Model) channelCommands(marked api.Channel, some bool) ui.Commands {
	c, choose, why := &m.channel, "choose", ""
	if c.err != nil {
		choose = "choose unchecked"
	}
	switch {
	case !some:
		why = "No channel to choose. " + m.whatElse()
	case marked.Alias == "": // it cannot be sent
		why = "This channel has no usable alias. Choose another."
	}
	cs := ui.Commands{
		{Key: ui.Bind("enter", choose), On: true, Why: why, Do: func() tea.Cmd { return m.chooseRow(marked) }},
		{Key: ui.Bind("r", "check again"), On: true, Do: m.checkAgain},
	}
	if c.noCards {
		cs = append(cs, ui.Command{Key: ui.Bind("n", "new link"), On: true, Do: nav.To(nav.NewLink{})})
	}
	return append(cs,
		ui.Command{Key: ui.Bind("e", "channels to check"), On: true, Do: m.openChecklist},
		ui.Command{Key: ui.Bind("v", "raw answer"), On: true, Do: nav.To(nav.Raw{Operation: api.OpValidateChannels})})
}

// chooseRow goes on to the customer with the marked channel.
func (m *Model) chooseRow(row api.Channel) tea.Cmd {
	c := &m.channel
	switch c.doubt = ""; {
	case c.err != nil:
		c.doubt = Unchecked
	case !c.answer.Valid && len(c.only) == 0: // else one of the others may be what is invalid
		c.doubt = "reported as invalid"
	}
	c.chosen, m.problem = Canonical(string(row.Alias)), present.Problem{}
	if c.chosen != api.ChannelCard {
		m.details.form.Wipe() // the card will not be charged
	}
	m.details.setFields(c.chosen)
	m.stage = stageCustomer
	return nil
}

// A tick is a channel that the service may be asked about, as the request has it.
type tick struct {
	name string
	on   bool
}

// openChecklist opens the choice of which channels the service is asked about (2.9): those that have a
// name here, and those that it has listed. What is asked about now is ticked.
func (m *Model) openChecklist() tea.Cmd {
	all := m.channel.ticks()
	return detail.NewChooser(&m.Body, detail.Rows[tick]{
		Title: "Channels to check", All: func() []tick { return all }, Columns: func() []ui.Column { return []ui.Column{{Title: "Check", Grow: true}} },
		Cells: func(t tick) []ui.Cell {
			if t.on {
				return []ui.Cell{{Text: "[x] " + present.ChannelName(t.name)}}
			}
			return []ui.Cell{{Text: "[ ] " + present.ChannelName(t.name)}}
		},
		Head: func(w int) []string {
			return append(ui.Wrap("Tick the channels to ask the service about. With none ticked, it is asked about all that the account may use.", w), "")
		},
		Commands: func(marked tick, _ bool) ui.Commands {
			return ui.Commands{
				{Key: ui.Bind("space", "tick"), On: true, Do: func() tea.Cmd {
					at := slices.Index(all, marked)
					all[at].on = !all[at].on
					return nil
				}},
				{Key: ui.Bind("enter", "check these"), On: true, Do: func() tea.Cmd { return tea.Batch(m.checkOnly(all), nav.Pop) }},
			}
		},
		Help: m.Explain(),
	}).Open(0)
}

// ticks are the channels to choose from.
func (c *channelStep) ticks() (all []tick) {
	names := api.KnownChannels[:]
	for _, ch := range c.answer.Channels {
		names = append(slices.Clip(names), Canonical(string(ch.Alias)))
	}
	for _, name := range append(slices.Clip(names), c.only...) {
		if name != "" && !slices.ContainsFunc(all, func(t tick) bool { return t.name == name }) {
			all = append(all, tick{name, slices.Contains(c.only, name)})
		}
	}
	return all
}

// checkOnly asks about the channels that are ticked.
func (m *Model) checkOnly(all []tick) tea.Cmd {
	m.channel.only = nil
	for _, t := range all {
		if t.on {
			m.channel.only = append(m.channel.only, t.name)
		}
	}
	return m.requestChannels()
}

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
	c.list.Resize(min(w, present.SplitFrom-1), h) // never as wide as a list with a pane beside it: the description stands below
	return c.list.View()
}

// channelHead is the answer in words, or why there is none. In a low window the advice about the card makes way for the list.
func (m *Model) channelHead(w int) []string {
	c, empty := &m.channel, len(m.channel.answer.Channels) == 0
	var lines []present.Line
	add := func(rank int, texts []string) {
		if len(texts) > 0 {
			lines = append(append(lines, present.Paragraph(rank, texts...)...), present.Line{Rank: 2})
		}
	}
	add(0, m.problem.Lines(m.Theme, w))
	if c.noCards {
		add(1, ui.Wrap("Card entry is disabled on this host for live payments: every host that handles card numbers "+
			"must be secured for it. Create a payment link instead (n): the customer enters the card on the provider's page. "+
			"allow_card_entry in the profile enables it here.", w))
	}
	switch summary := c.summary(c.amount.String()); {
	case c.err != nil:
		p := present.Error(c.err, present.Reading)
		p.Next = strings.TrimSpace(p.Next + " Or choose a channel unchecked:")
		add(0, p.Lines(m.Theme, w))
	case empty || !c.answer.Valid:
		says := m.Theme.MarkLines(ui.ToneAct, summary, w)
		if !c.answer.Valid {
			says = append(says, m.facts(w, "Service", present.Quote(c.answer.Message))...)
		}
		add(0, says)
	default:
		add(0, ui.Wrap(summary, w))
	}
	if empty && !c.cardHidden {
		add(0, ui.Wrap(m.whatElse()+" Channels are enabled in the provider's dashboard.", w))
	}
	return present.FitHeight(m.bodyHeight()-leastChannels, lines)
}

// described returns what the service says of a channel, in lines of the width. The raw answer has all of a long description.
func described(ch api.Channel, w int) []string {
	const most = 200 // cells
	if ch.Description.Empty() {
		return nil
	}
	return ui.Wrap(ch.Description.Prose(most), max(w, 1))
}

// summary is the service's answer in words. Where not all channels were checked, it says nothing of the others.
func (c *channelStep) summary(amount string) string {
	checked, none := "", "No channel accepts "
	if len(c.only) > 0 {
		var names []string
		for _, channel := range c.only {
			names = append(names, present.ChannelName(channel))
		}
		checked, none = "Only "+strings.Join(names, ", ")+" checked. ", "None of them accepts "
	}
	switch {
	case len(c.answer.Channels) == 0 && c.cardHidden:
		return checked + "The only channel for " + amount + " is the card."
	case len(c.answer.Channels) == 0:
		return checked + none + amount + "."
	case !c.answer.Valid:
		return checked + "The service reported an invalid request but still listed channels:"
	}
	return checked + "These channels accept " + amount + ":"
}

// whatElse returns what to do where no channel was listed.
func (m *Model) whatElse() string {
	if m.amount.form == nil { // a link fixes the amount
		return "Check again (r), or check other channels (e)."
	}
	return "Check again (r) or other channels (e), or go back to change the amount."
}

// isCard reports whether a channel takes a card, however the response spells it.
func isCard(c api.Channel) bool { return Canonical(string(c.Alias)) == api.ChannelCard }
