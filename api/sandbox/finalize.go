package sandbox

import "net/http"

// A finalizationValue is the answer to finalize (2.11).
type finalizationValue struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

const wordCompleted = "completed" // (2.11)

// finalize says that the customer's part is complete (endpoint 5). Saying so again
// changes nothing and is answered alike.
func (s *Sandbox) finalize(c call) answer {
	reference := c.body.requiredText("paymentReference")
	if no := c.refusal(); no != nil {
		return *no
	}
	p, no := s.lookUp(c, reference)
	if no != nil {
		return *no
	}
	switch p.at(c.now) {
	case initiated:
		return c.refuse(http.StatusBadRequest, "paymentReference belongs to a payment that the customer has not authorized yet")
	case failed:
		return c.refuse(http.StatusBadRequest, "paymentReference belongs to a payment that has failed")
	}
	p.finalize(c.now)
	s.wakeSender()
	return ok(codedEnvelope{
		Value:        finalizationValue{wordCompleted, "The customer's part is complete."},
		Status:       http.StatusOK,
		IsSuccess:    true,
		Message:      "The payment was finalized.",
		ResponseCode: codeDone,
	})
}

// A transactionValue is what is said of a payment (2.12).
type transactionValue struct {
	PaymentReference string         `json:"paymentReference"`
	Amount           currencyAmount `json:"amount"`
	PaymentStatus    string         `json:"paymentStatus"`
}

// transaction gives the status of a payment (endpoint 6).
func (s *Sandbox) transaction(c call) answer {
	p, no := s.lookUp(c, c.reference)
	if no != nil {
		return *no
	}
	return ok(plainEnvelope{
		Value:     transactionValue{p.reference, currencyAmount{p.currency, formatMajor(p.amount)}, p.at(c.now).word()},
		IsSuccess: true,
	})
}
