package collect

import (
	"cmp"
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
	byHand bool   // chosen unchecked
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
			return []ui.Column{{Title: "Channel", Width: 18, Full: 24}, {Title: "How it is paid", Width: 14, Grow: true, Drop: 1}}
		},
		Cells: func(ch api.Channel) []ui.Cell {
			does := ui.Cell{Text: cmp.Or(channelNames[Canonical(string(ch.Alias))].does, "sent as "+string(ch.Alias))}
			if ch.Alias == "" {
				does = ui.Cell{Text: "unusable", Tone: ui.ToneBad}
			}
			return []ui.Cell{{Text: ch.Name.Prose(0)}, does}
		},
		ID:   func(ch api.Channel) string { return string(ch.Alias) },
		Head: m.channelHead, Commands: m.channelCommands,
		Says: func(ch api.Channel, _ bool, w, h int) []present.Line {
			return present.Rows(1, m.beginning(described(ch, w), w, max(h, 1))...)
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

// channelNames name [api.KnownChannels]: shown stands on the screen, and does is how it is paid.
var channelNames = map[string]struct{ shown, does string }{
	api.ChannelCard:     {"Card", "by card; a bank check may follow"},
	api.ChannelTransfer: {"Bank transfer", "into an account given next"},
	api.ChannelAccount:  {"Bank account", "from the bank account"},
	api.ChannelInterac:  {"Interac", "on a request by e-mail"},
}

// TypedChannels are the short names of the known channels.
func TypedChannels() (all []string) {
	for _, alias := range api.KnownChannels {
		all = append(all, present.ChannelWord(alias))
	}
	return all
}

// TypedChannel returns the channel with an alias or a short name. One that is not known stays as it is.
func TypedChannel(name string) string {
	name = strings.TrimSpace(name)
	for alias := range channelNames {
		if strings.EqualFold(name, present.ChannelWord(alias)) {
			return alias
		}
	}
	return Canonical(name)
}

// knownChannels are those that have a name here.
func knownChannels() (all []api.Channel) {
	for _, alias := range api.KnownChannels {
		all = append(all, api.Channel{Name: api.Clean(channelNames[alias].shown), Alias: api.ChannelAlias(alias)})
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
	c, choose := &m.channel, "choose"
	if c.err != nil {
		choose = "choose unchecked"
	}
	cs := ui.Commands{
		{Key: ui.Bind("enter", choose), On: some, Do: func() tea.Cmd { return m.chooseRow(marked, some) }},
		{Key: ui.Bind("r", "check again"), On: true, Do: m.checkAgain},
	}
	if c.noCards {
		cs = append(cs, ui.Command{Key: ui.Bind("n", "new link"), On: true, Do: nav.To(nav.NewLink{})})
	}
	return append(cs,
		ui.Command{Key: ui.Bind("e", "channels to check"), On: true, Do: m.openChecklist},
		ui.Command{Key: ui.Bind("z", "whole description"), On: !marked.Description.Empty(), Do: func() tea.Cmd { return m.readDescription(marked) }})
}

// chooseRow goes on with the marked channel, if there is one. One without an alias cannot be sent.
func (m *Model) chooseRow(row api.Channel, some bool) tea.Cmd {
	switch {
	case !some:
		instead := "or go back and change the amount."
		if m.amount.form == nil {
			instead = "or check other channels (e)."
		}
		return m.Warn("No channel to choose. Check again (r), " + instead)
	case row.Alias == "":
		return m.Warn("This channel has no usable alias. Choose another.")
	}
	m.chooseChannel(Canonical(string(row.Alias)), m.channel.err != nil)
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
	m.details.setFields(channel)
	m.stage = stageCustomer
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
				return []ui.Cell{{Text: "[x] " + t.name}}
			}
			return []ui.Cell{{Text: "[ ] " + t.name}}
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

// beginning is as much of a description as h lines have room for; one that is cut ends with the key that shows all of it.
func (m *Model) beginning(lines []string, w, h int) []string {
	if len(lines) <= h {
		return lines
	}
	const more = " z: all of it"
	lines = lines[:h]
	lines[h-1] = strings.TrimRight(ui.Fit(lines[h-1]+" …", max(w-len(more), 0)), " ") + m.Theme.Muted.Render(more)
	return lines
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
