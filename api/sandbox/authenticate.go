package sandbox

import "net/http"

// An authenticationValue is the response to the authentication check. Two of its names
// start with a capital (2.10).
type authenticationValue struct {
	Status         string `json:"status"`
	Enabled        bool   `json:"IsAuthenticationEnabled"`
	Recommendation string `json:"Recommendation"`
	Message        string `json:"message"`
	HTML           string `json:"authenticationhtml"`
}

// authenticate reports whether a card payment needs a challenge (endpoint 4).
func (s *Sandbox) authenticate(c call) answer {
	references := c.query["referenceId"]
	if len(references) != 1 || references[0] == "" {
		return c.refuse(http.StatusUnprocessableEntity, "referenceId is required, once")
	}
	p, no := s.lookUp(c, references[0])
	if no != nil {
		return *no
	}
	if p.card == nil {
		return c.refuse(http.StatusBadRequest, "referenceId is not the reference of a card payment")
	}
	v := authenticationValue{
		Status:         "AUTHENTICATION_NOT_REQUIRED",
		Recommendation: "DO_NOT_AUTHENTICATE",
		Message:        "No challenge is open for this payment.",
	}
	if p.challenged() {
		v = authenticationValue{
			Status:         "AUTHENTICATION_REQUIRED",
			Enabled:        true,
			Recommendation: "PROCEED_WITH_AUTHENTICATION",
			Message:        "Present the challenge to the customer.",
			HTML:           s.challengeForm(p),
		}
	}
	return ok(codedEnvelope{
		Value:        v,
		Status:       http.StatusOK,
		IsSuccess:    true,
		Error:        new(string),
		Message:      "The authentication check was carried out.",
		ResponseCode: codeDone,
	})
}
