package api_test

import (
	"strings"
	"testing"

	"paydesk/api"
)

// For a card both references are the same (2.6), unless one of them is our own.
func TestAnAnswerThatNamesTwoPaymentsIsUnresolved(t *testing.T) {
	for names, resolved := range map[string]bool{
		`"reference":"REF1","paymentReference":"REF1"`:   true,
		`"reference":"ref1","paymentReference":"REF1"`:   true,
		`"reference":"ORDER9","paymentReference":"REF1"`: true, // our own
		`"reference":"REF2","paymentReference":"REF1"`:   false,
	} {
		body := `{"isSuccess":true,"value":{"paymentStatus":"PENDING","paymentItem":{` + names + `}}}`
		c, _ := scripted(t, 0, reply{code: 200, body: strings.NewReader(body)})
		in := transferInitiation()
		in.OwnReference = "ORDER9"
		_, err := c.Initiate(t.Context(), in)
		if (err == nil) != resolved || err != nil && api.OutcomeOf(err) != api.OutcomeUnresolved {
			t.Errorf("%s: %v", names, err)
		}
	}
}
