package collect

// Command implements [ui.Commander]: the payment as far as it is filled in, without its card.
func (m *Model) Command() []string {
	in := m.withoutCard()
	words := []string{"collect"}
	add := func(option, value string) {
		if value != "" {
			words = append(words, option, value)
		}
	}
	add("--link", string(in.Link))
	add("--currency", in.Amount.Currency.Code())
	if in.Amount.Minor > 0 {
		add("--amount", in.Amount.Major())
	}
	add("--channel", in.Channel)
	c := in.Customer
	for _, f := range [][2]string{{"--first-name", c.FirstName}, {"--last-name", c.LastName}, {"--email", c.Email}, {"--phone", c.Phone}} {
		add(f[0], f[1])
	}
	if in.Email != c.Email {
		add("--interac-email", in.Email)
	}
	add("--return-url", in.ReturnURL)
	add("--narration", in.Narration)
	for _, p := range in.MetaData {
		add("--meta", p.Key+"="+p.Value)
	}
	return words
}
