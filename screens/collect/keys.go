package collect

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

var (
	keyCards     = ui.Bind("ctrl+t", "test cards")
	keyCustomers = ui.Bind("ctrl+t", "fill in")
	keyDown      = ui.Bind("pgdn", "more", "pgdown")
	keyUp        = ui.Bind("pgup", "less")
)

// pressed reports whether msg is a key of the binding.
func pressed(msg tea.Msg, b key.Binding) bool {
	k, ok := msg.(tea.KeyPressMsg)
	return ok && key.Matches(k, b)
}

// none is for a stage without keys.
func none() []key.Binding { return nil }

// Keys lists the keys that do something now; there are none while the payment is being sent.
func (m *Model) Keys() []key.Binding { return m.part().keys() }

// formKeys lists the keys of the form, after the one that offers the test cards.
func (m *Model) formKeys() []key.Binding {
	keys := m.forms[m.stage].Keys()
	switch {
	case m.offersCards():
		return append([]key.Binding{keyCards}, keys...)
	case m.offersCustomers():
		return append([]key.Binding{keyCustomers}, keys...)
	}
	return keys
}

// reviewKeys lists the keys of the question, or the one that returns to the CVV, and those that scroll
// where not everything fits.
func (m *Model) reviewKeys() []key.Binding {
	keys := m.retypes().Keys()
	if m.review.confirm != nil {
		keys = m.review.confirm.Keys()
	}
	m.layReview(m.formWidth(), m.bodyHeight())
	if m.review.scroll.Overflows() {
		keys = append(keys, keyDown, keyUp)
	}
	return keys
}

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	lines := []string{
		"Collect takes one payment: amount, channel, customer, card, review. Nothing is sent until you confirm the review, " +
			"and then it is sent once.",
		"esc goes back one step, and from the first one out. Your input is there when you come back. The CVV is wiped when you leave the card and after every " +
			"response, the whole card when the payment is answered or you leave.",
		"If the service rejects the payment, nothing was done: correct it and send it again. " + present.Unresolved + ": " +
			present.NotKnown(ledger.Initiate) + " Look for it before you take another.",
		"e in the channel step chooses which channels the service is asked about; it is asked about all unless you choose.",
		"A payment that looks like one sent in the last ten minutes, or like an unresolved one, is sent only after " +
			"you type the short ID of that payment.",
	}
	if !m.options.Target.Live() {
		lines = append(lines, "ctrl+t in the customer step fills in the customer of the last payment, then a test customer.")
		lines = append(lines, "A card that is on no list of published test cards may be a real one: it is sent only after you type a word, once for each number.")
	}
	if m.options.NoCards {
		lines = append(lines, "Card entry is disabled here for live payments. To enable it, set allow_card_entry = true in the profile.")
	}
	if len(m.options.Cards) > 0 {
		lines = append(lines, "ctrl+t in the card step shows the test cards.")
	}
	return lines
}

// Command implements [ui.Commander]: the payment as far as it is filled in, without its card.
func (m *Model) Command() []string {
	in := m.withoutCard()
	c, amount, email := in.Customer, "", in.Email
	if in.Amount.Minor > 0 {
		amount = in.Amount.Major()
	}
	if email == c.Email { // which is where it goes without the option
		email = ""
	}
	words := append([]string{"collect"}, present.Options(
		"--link", string(in.Link), "--currency", in.Amount.Currency.Code(), "--amount", amount, "--channel", in.Channel,
		"--first-name", c.FirstName, "--last-name", c.LastName, "--email", c.Email, "--phone", c.Phone,
		"--interac-email", email, "--return-url", in.ReturnURL, "--narration", in.Narration)...)
	for _, pair := range typed(in.MetaData) {
		words = append(words, "--meta", pair)
	}
	return words
}
