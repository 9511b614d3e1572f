package collect

// Explain is what the help page says of this screen beyond its keys.
func (m *Model) Explain() []string {
	lines := []string{
		"Collect takes one payment: amount, channel, customer, card, review. Nothing is sent before the question " +
			"on the review is answered, and then it is sent once.",
		"esc goes a step back and keeps what was typed. The CVV is wiped when you leave the card and after every " +
			"answer, the whole card when the payment was answered or you leave.",
		"A refusal means that nothing was done: correct it and send it. A lost answer means that nobody knows: " +
			"look for the payment before you take another.",
		"A payment that looks like one sent in the last ten minutes, or like one nobody knows about, is not sent before " +
			"you have typed the short id of that one.",
	}
	if m.options.NoCards {
		lines = append(lines, "Cards are not typed here for live payments, unless the profile says allow_card_entry = true.")
	}
	if len(m.options.Cards) > 0 {
		lines = append(lines, "ctrl+t in the card step offers the test cards.")
	}
	return lines
}
