package sandbox

import (
	"encoding/json"
	"sync"
	"testing"
)

func TestTheMerchantsOwnReferenceIsTheReference(t *testing.T) {
	s := serve(t, Options{})
	for _, body := range []obj{with(charge("approve"), "reference", "Order1"), with(bankTransfer(), "reference", "Order2")} {
		ref := s.pay(body)
		if ref != body["reference"] {
			t.Errorf("the reference is %s, want %s", ref, body["reference"])
		}
		s.is(ref, "PENDING")
		s.post(initiatePath, body).refused(400, "reference was used before")
	}
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestFiveHundredRequestsAtOnce(t *testing.T) {
	s := serve(t, Options{Transactions: 1000})
	alias := s.link(draft("mug"))
	bodies := []string{mustJSON(charge("challenge")), mustJSON(bankTransfer()), mustJSON(with(charge("approve"), "link", obj{"alias": alias}))}
	var all sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	for i := range 500 {
		all.Go(func() {
			method, path, body := "POST", initiatePath, bodies[i%3]
			if i%5 == 4 {
				method, path, body = "GET", listPath+"?perPage=100", ""
			}
			w := ask(s.Sandbox, method, path, body)
			mu.Lock()
			defer mu.Unlock()
			codes[w.Code]++
		})
	}
	all.Wait()
	// The one-time link accepts one payment.
	if s.Accepted()+100+codes[400] != 500 || codes[200] != s.Accepted()+100 {
		t.Errorf("answers by status: %v, payments %d", codes, s.Accepted())
	}
	linked := 0
	for _, p := range s.ordered {
		if p.link != nil {
			linked++
		}
	}
	if linked != 1 {
		t.Errorf("a one-time link was paid %d times", linked)
	}
}
