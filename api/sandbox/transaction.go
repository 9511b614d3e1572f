package sandbox

// A transactionValue is what is said of a payment (2.12).
type transactionValue struct {
	PaymentReference string `json:"paymentReference"`
	Amount           priced `json:"amount"`
	PaymentStatus    string `json:"paymentStatus"`
}

// transaction gives the status of a payment (endpoint 6).
func (s *Sandbox) transaction(c call) answer {
	p, no := s.lookUp(c, c.reference)
	if no != nil {
		return *no
	}
	return ok(plainEnvelope{
		Value:     transactionValue{p.reference, priced{p.currency, major(p.amount)}, p.at(c.now).word()},
		IsSuccess: true,
	})
}
