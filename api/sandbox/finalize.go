package sandbox

import "net/http"

// A finalizationValue is the response to finalize (2.11).
type finalizationValue struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

const wordCompleted = "completed" // (2.11)

// finalize records that the customer's part is complete (endpoint 5). Repeating it changes
// nothing and gets the same response.
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
