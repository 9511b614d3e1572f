package webhook

import (
	"fmt"
	"strings"
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

// A full inbox drops the oldest and counts them.
func TestAForgedFloodDoesNotDropThePaymentsThatAreKnown(t *testing.T) {
	t.Parallel()
	s := New(Options{Limit: 200_000})
	defer s.Close()
	keep(t, s, body("OURS", "SUCCESSFUL"))
	classify := func(r string, known bool) {
		must(t, s.classify(t.Context(), "shop", []api.Reference{api.Reference(r)}, map[api.Reference]bool{api.Reference(r): known}))
	}
	classify("OURS", true)
	keep(t, s, body("OURS", "SUCCESSFUL")) // again
	for i := range 80 {
		r := fmt.Sprint("R", i)
		keep(t, s, fmt.Appendf(nil, `{"event":"payment.success","data":{"reference":"%s","narration":"%s"}}`, r, strings.Repeat("x", 4000)))
		classify(r, false)
	}
	if f := find(t, s, "reference:OURS"); len(f.Records) != 1 {
		t.Errorf("found %+v", f)
	}
	if f := find(t, s, ""); f.Total >= 50 || f.Total < 20 || f.Dropped != int64(81-f.Total) || f.Newest != 82 || f.Records[0].Reference != "R79" {
		t.Errorf("%d events, %d dropped, newest %d", f.Total, f.Dropped, f.Newest)
	}
}

// What was just stored is there, and is passed on once, however full the inbox is of payments that are known.
func TestAnEventIsNotDroppedAsItArrives(t *testing.T) {
	t.Parallel()
	s := New(Options{Limit: 200_000})
	defer s.Close()
	var last int64
	for i := range 100 {
		r := api.Reference(fmt.Sprint("R", i))
		n := keep(t, s, fmt.Appendf(nil, `{"event":"payment.success","data":{"reference":"%s","narration":"%s"}}`, r, strings.Repeat("x", 4000)))
		all, err := s.After(t.Context(), "shop", last, 10)
		if err != nil || len(all) != 1 || all[0].Number != n || all[0].Reference != r {
			t.Fatalf("after %d there are %d deliveries, %v", last, len(all), err)
		}
		last = n
		must(t, s.classify(t.Context(), "shop", []api.Reference{r}, map[api.Reference]bool{r: i%5 > 0}))
	}
}

func TestAReplayStormFillsNothing(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	defer s.Close()
	for range 2*maxArrivals + 10 {
		keep(t, s, body("R1", "SUCCESSFUL"))
	}
	d, err := s.Get(t.Context(), "shop", find(t, s, "").Records[0].ID)
	if err != nil || d.Deliveries != 2*maxArrivals+10 || len(d.Arrivals) != shownArrivals {
		t.Errorf("%d deliveries, %d arrivals, %v", d.Deliveries, len(d.Arrivals), err)
	}
	if all, _ := s.After(t.Context(), "shop", 0, 10_000); len(all) > maxArrivals+10 {
		t.Errorf("%d deliveries are stored", len(all))
	}
}
