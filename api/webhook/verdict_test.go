package webhook

import (
	"fmt"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

func TestAnEventAgreesOnlyWithTheStatusAndTheAmountOfTheService(t *testing.T) {
	t.Parallel()
	gbp, err := money.ParseCurrency("GBP")
	must(t, err)
	paid := Answer{At: time.Now(), Status: api.ParseStatus("Successfull"), Amount: money.Amount{Minor: 1000, Currency: gbp}, HasAmount: true}
	for claim, want := range map[string]string{
		`"amount":10,"currency":"GBP"`:                      "agrees []",
		`"amount":"10.00","currency":"GBP","amountPaid":10`: "agrees []",
		`"amount":10`:                                                          "agrees []", // of whatever the service says
		`"paymentStatus":"SUCCESSFUL"`:                                         "agrees []",
		`"amount":999999`:                                                      "disagrees [amount]",
		`"amount":999999,"currency":"ZZZ"`:                                     "disagrees [amount]",
		`"amount":10,"currency":"ZZZ"`:                                         "disagrees [amount]",
		`"amount":10.001,"currency":"GBP"`:                                     "disagrees [amount]",
		`"amount":1e400,"currency":"GBP"`:                                      "disagrees [amount]",
		`"amount":{"x":10},"currency":"GBP"`:                                   "disagrees [amount]",
		`"amount":11,"currency":"GBP"`:                                         "disagrees [amount]",
		`"amount":10,"currency":"EUR"`:                                         "disagrees [currency]",
		`"amount":10,"amountPaid":1,"currency":"GBP"`:                          "disagrees [paid]",
		`"amount":10,"amountPaid":"ten","currency":"GBP"`:                      "disagrees [paid]",
		`"paymentStatus":"Failed","amount":10,"currency":"GBP"`:                "disagrees [status]",
		`"paymentStatus":"Failed","amount":12,"currency":"GBP"`:                "disagrees [status amount]",
		`"paymentStatus":"COMPLETED"`:                                          "disagrees [status]",
		`"paymentStatus":"PENDING","amount":10,"currency":"GBP"`:               "disagrees [status]",
		`"paymentStatus":"Failed","amount":10,"amountPaid":0,"currency":"GBP"`: "disagrees [status]",
	} {
		e := api.ParseEvent([]byte(`{"event":"payment.success","data":{"reference":"R1",` + claim + `}}`))
		verdict, differs := Judge(e, paid)
		if got := fmt.Sprint(verdict, " ", differs); got != want {
			t.Errorf("%s: %s, want %s", claim, got, want)
		}
	}
}

func TestOnlyAnAnswerMakesAVerdict(t *testing.T) {
	t.Parallel()
	e := api.ParseEvent([]byte(`{"event":"payment.success","data":{"reference":"R1"}}`))
	at, paid := time.Now(), api.ParseStatus("SUCCESSFUL")
	for _, c := range []struct {
		a    Answer
		want Verdict
	}{
		{Answer{}, Waiting}, {Answer{Problem: "No."}, NotAsked}, {Answer{At: at, NotFound: true}, Unknown}, {Answer{At: at, Status: paid}, NoAmount},
		{Answer{At: at, Status: paid, Amount: money.Amount{Minor: 1000}, HasAmount: true}, Agrees},
		{Answer{At: at, Status: paid, Problem: "Later it could not be asked."}, NoAmount},
		{Answer{At: at, Status: api.ParseStatus("PENDING"), Problem: "Later it could not be asked."}, Disagrees},
		{Answer{At: at, NotFound: true, Problem: "Later it could not be asked."}, Unknown},
		{Answer{At: at, Status: api.ParseStatus("UNSUCCESSFUL")}, Disagrees}, {Answer{At: at}, Disagrees},
	} {
		if got, _ := Judge(e, c.a); got != c.want {
			t.Errorf("%+v: %s, want %s", c.a, got, c.want)
		}
	}
	if got, _ := Judge(api.ParseEvent([]byte("x")), Answer{At: at, Status: paid}); got != NotUnderstood {
		t.Errorf("%s", got)
	}
}
