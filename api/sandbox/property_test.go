package sandbox

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// ask sends a request directly to the handler.
func ask(s *Sandbox, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", strings.NewReader(body))
	path, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawQuery = path, query
	r.Header.Set(KeyHeader, testKey)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// drawNumber draws a card number with a valid check digit: a test card or any other.
func drawNumber(r *rapid.T) string {
	if rapid.Bool().Draw(r, "a test card") {
		return rapid.SampledFrom(Cards()).Draw(r, "card").Number
	}
	n := rapid.StringMatching(`[3-6][0-9]{11,17}`).Draw(r, "number")
	for check := byte('0'); check <= '9'; check++ {
		if luhn(n + string(check)) {
			return n + string(check)
		}
	}
	return n
}

// No response, no page and no line of the log contains a card number, its code or the key, wherever the request has it.
func TestNoAnswerAndNoLineOfTheLogHoldsACardNumber(t *testing.T) {
	charges := []string{
		"amount", "channel", "currency", "narration", "reference", "link", "userInformation.firstName", "userInformation.emailAddress",
		"paymentRequestProps.card.number", "paymentRequestProps.card.cvv", "paymentRequestProps.card.expYear", "metaData.order", "unknown",
	}
	links := []string{"name", "description", "linkType", "currencyCode", "amountInfo.currencyCode", "amountInfo.amount"}
	rapid.Check(t, func(r *rapid.T) {
		var log logRecorder
		s := New(Options{Key: testKey, Seed: rapid.Uint64().Draw(r, "seed"), Log: log.add})
		number := drawNumber(r)
		secret := rapid.SampledFrom([]string{number, testKey, "987"}).Draw(r, "secret")
		clean := func(w *httptest.ResponseRecorder) {
			if text := w.Body.String(); strings.Contains(text, number) || strings.Contains(w.Header().Get("Location"), number) {
				r.Fatalf("the number is in %s", text)
			}
		}
		set := func(body obj, paths []string) string {
			path := rapid.SampledFrom(paths).Draw(r, "field")
			var v any = number
			if rapid.Bool().Draw(r, "as a number") {
				v = json.Number(number)
			}
			return mustJSON(with(body, path, v))
		}
		body := charge(rapid.SampledFrom(Cards()).Draw(r, "paid with").Name)
		clean(ask(s, "POST", initiatePath, set(body, charges)))
		clean(ask(s, "POST", initiatePath, mustJSON(with(body, "link", obj{"alias": number}))))
		clean(ask(s, "POST", makeLinkPath, set(draft("mug"), links)))
		clean(ask(s, "POST", finalizePath, mustJSON(obj{"paymentReference": number})))
		for _, path := range []string{statusPath + number, checkPath + number, listPath + "?page=" + number, "/bank/" + number, "/pay/" + number, "/" + number} {
			clean(ask(s, "GET", path, ""))
		}
		pay := with(charge("challenge"), "paymentRequestProps.card.number", number)
		w := ask(s, "POST", initiatePath, mustJSON(pay))
		clean(w)
		clean(ask(s, "POST", initiatePath, mustJSON(with(byInterac(), "paymentRequestProps.email", number+"@shop.example"))))
		if text := mustJSON(s.Payments()); strings.Contains(text, number) {
			r.Fatalf("the number is in %s", text)
		}
		for _, p := range s.ordered {
			clean(ask(s, "GET", statusPath+p.reference, ""))
			clean(ask(s, "GET", checkPath+p.reference, ""))
			clean(ask(s, "GET", strings.TrimPrefix(s.bankURL(p), s.origin), ""))
		}
		clean(ask(s, "GET", listPath, ""))
		ask(s, "POST", initiatePath, mustJSON(with(body, rapid.SampledFrom(charges).Draw(r, "field of the secret"), secret)))
		for _, path := range []string{
			initiatePath + "/" + secret, statusPath + secret, listPath + "?" + secret + "=1", bankPath + secret, linkPath + secret,
			controlPath + secret, controlPath + "payments/" + secret + "/approve", controlPath + "?" + secret,
		} {
			ask(s, rapid.SampledFrom([]string{"GET", "POST", "M" + strings.ReplaceAll(secret, "_", "")}).Draw(r, "method"), path, secret)
		}
		for _, line := range log.all() {
			plain := logLine.ReplaceAllString(line, "$1$3") // without times, which are digits
			if strings.Contains(plain, secret) || strings.Contains(plain, number) {
				r.Fatalf("the log line is %s", line)
			}
		}
	})
}

func TestTimesAreNotTakenForCardNumbers(t *testing.T) {
	for text, want := range map[string]bool{
		"4242424242424242": true, "a4242424242424242b": true, "card 378282246310005.": true, "2223003122003222": true,
		"1700000000004": false, "20260504093002": false, "42424242424": false, "4242424242424241": false, "order 12": false, "": false,
	} {
		if got := holdsCardNumber(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Every amount in hundredths is parsed and formatted exactly.
func TestAmountsAreExact(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.Int64Range(0, maxAmount).Draw(r, "hundredths")
		if got, problem := parseHundredths(formatMajor(n).String()); got != n || problem != "" {
			r.Fatalf("%s reads as %d (%s)", formatMajor(n), got, problem)
		}
	})
	if got, problem := parseHundredths("1.500"); got != 150 || problem != "" {
		t.Errorf("it reads as %d (%s)", got, problem)
	}
	for _, literal := range []string{"12.50", "1e3", "-1"} {
		if _, problem := parseMinor(literal); problem == "" {
			t.Errorf("%s minor units are accepted", literal)
		}
	}
	for _, literal := range []string{"1.001", "1e2", "-1", "1000000000.01", "9223372036854775808"} {
		if _, problem := parseHundredths(literal); problem == "" {
			t.Errorf("%s is accepted", literal)
		}
	}
}

func TestTheMerchantsOwnReferenceIsTheReferenceAndIsUsedOnce(t *testing.T) {
	s := serve(t, Options{})
	if ref := s.pay(with(charge("approve"), "reference", "Order1")); ref != "Order1" {
		t.Errorf("the reference is %s", ref)
	}
	s.post(initiatePath, with(bankTransfer(), "reference", "Order1")).refused(400, "reference was used before")
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestOfManyPaymentsAtOnceALinkThatIsPaidOnceTakesOne(t *testing.T) {
	s := serve(t, Options{Transactions: 1000})
	alias := s.link(draft("mug"))
	bodies := []string{mustJSON(charge("challenge")), mustJSON(bankTransfer()), mustJSON(with(charge("approve"), "link", obj{"alias": alias}))}
	var all sync.WaitGroup
	for i := range 300 {
		all.Go(func() {
			ask(s.Sandbox, "POST", initiatePath, bodies[i%3])
			ask(s.Sandbox, "GET", listPath+"?perPage=100", "")
		})
	}
	all.Wait()
	linked := slices.DeleteFunc(slices.Clone(s.ordered), func(p *payment) bool { return p.link == nil })
	if len(s.Payments()) != 201 || len(linked) != 1 {
		t.Errorf("%d payments, %d of the link", len(s.Payments()), len(linked))
	}
}

func aCase() *Scenario {
	seed, rows := uint64(7), 3
	return &Scenario{
		Clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Seed: &seed, Settle: "2s", Transactions: &rows,
		Switches: map[string]string{"finalize.status": "Done"},
		On: []Step{
			{Call: "initiate", Time: 2, Fault: "refused"}, {Call: "initiate", Time: 3, Status: int64(503)}, {Call: "transaction", Time: 2, Status: "ON_HOLD"},
		},
	}
}

// tell makes the calls of a case, and returns what was answered, to the byte.
func tell(t *testing.T, s *Sandbox) (answers []string) {
	t.Helper()
	call := func(method, path, body string) {
		w := ask(s, method, path, body)
		answers = append(answers, w.Header().Get("Date")+" "+w.Body.String())
	}
	for range 4 {
		call("POST", initiatePath, mustJSON(charge("approve")))
	}
	made := s.Payments()[0].Reference
	for range 3 {
		call("GET", statusPath+made, "")
	}
	call("GET", listPath, "")
	return answers
}

func TestAScenarioIsRepeatedToTheByte(t *testing.T) {
	c := aCase()
	must(t, c.Check())
	s := New(Options{Key: testKey, Scenario: c})
	first := tell(t, s)
	for i, part := range map[int]string{
		0: "Fri, 02 Jan 2026 03:04:06 GMT {", 1: "The payload is not valid.", 2: "Service Unavailable", 3: `"paymentStatus":"INITIATED"`,
		4: `"paymentStatus":"PENDING"`, 5: `"paymentStatus":"ON_HOLD"`, 6: `"paymentStatus":"Successfull"`, 7: `"total":5`,
	} {
		if !strings.Contains(first[i], part) {
			t.Errorf("call %d has no %s: %s", i+1, part, first[i])
		}
	}
	if s.Reset(); s.switches.of("finalize.status") != "Done" {
		t.Error("a reset forgets the scenario")
	}
	if d := cmp.Diff(first, tell(t, New(Options{Key: testKey, Scenario: c}))); d != "" {
		t.Error(d)
	}
}

func TestAScenarioThatCannotBePlayedSaysWhy(t *testing.T) {
	for want, c := range map[string]Scenario{
		"settle must be a duration":                          {Settle: "soon"},
		"[switches] x: no switch has this name":              {Switches: map[string]string{"x": "y"}},
		"[[on]] number 1: the fault applies to no operation": {On: []Step{{Call: "x", Fault: "slow"}}},
		"[[on]] number 2: fault must be one of":              {On: []Step{{Call: "all", Fault: "slow"}, {Call: "all"}}},
		"[[on]] number 1: fault must be one of":              {On: []Step{{Call: "all", Fault: "F99"}}},
		"number 1: status must be an HTTP status":            {On: []Step{{Call: "all", Status: int64(99)}}},
		"[[on]] number 1: status must be an HTTP":            {On: []Step{{Call: "all", Status: true}}},
		"time must be 1 for the first":                       {On: []Step{{Call: "all", Status: "X", Time: -1}}},
		"it has a fault and a status; give it one":           {On: []Step{{Call: "all", Status: int64(500), Fault: "slow"}}},
	} {
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
}

func TestTransfersArePaidOnDemandAloneWhenTheSwitchSaysSo(t *testing.T) {
	s := serve(t, Options{})
	before := s.pay(bankTransfer())
	must(t, s.SetSwitch("transfer.paid", "on-demand"))
	after := s.pay(bankTransfer())
	s.Forward(time.Minute)
	s.is(before, "Successfull")
	s.is(after, "PENDING")
	s.Forward(accountValid)
	s.is(after, "FAILED")
}

func TestOnlyMoneyCanBePaidAndOnlyIntoATransfer(t *testing.T) {
	s := serve(t, Options{})
	transfer, card := s.pay(bankTransfer()), s.pay(charge("approve"))
	for _, amount := range []string{"", "0.00", "-1", "1e3", "1.001", ".5", "1,00", "1000000000.01"} {
		if err := s.Pay(transfer, amount); err == nil || !strings.HasPrefix(err.Error(), "the amount ") {
			t.Errorf("%q: %v", amount, err)
		}
	}
	if err := s.Pay(card, "1"); err != ErrNotTransfer {
		t.Errorf("a card: %v", err)
	}
	if err := s.Pay("NONE", "1"); err != ErrNoPayment {
		t.Errorf("nothing: %v", err)
	}
}

func TestTheNewestPaymentsAndLinksAreKept(t *testing.T) {
	s := New(Options{Key: testKey, Transactions: 3})
	oneTime := &link{alias: "0-once", name: "once", currency: "GBP", dynamic: true}
	s.keepLink(oneTime)
	initiateWith(t, s, "FIRST", with(charge("approve"), "link", obj{"alias": "0-once"}))
	for range maxPayments {
		s.mu.Lock()
		s.accept(request{amount: 100, currency: "NGN", channel: channelTransfer}, s.now())
		s.mu.Unlock()
	}
	if a := ask(s, "GET", statusPath+"FIRST", ""); a.Code != 404 {
		t.Errorf("the oldest payment: %d", a.Code)
	}
	if len(s.payments) != maxPayments || len(s.ordered) != maxPayments {
		t.Errorf("%d and %d kept", len(s.payments), len(s.ordered))
	}
	if !oneTime.used(s.now()) {
		t.Error("a one-time link can be paid again because its payment was dropped")
	}
	for i := range maxLinks {
		s.keepLink(&link{alias: pick(s.random, base36, 20), name: string(rune(i))})
	}
	if len(s.links) != maxLinks || len(s.orderedLinks) != maxLinks || s.links["0-once"] != nil {
		t.Errorf("%d and %d links kept", len(s.links), len(s.orderedLinks))
	}
}
