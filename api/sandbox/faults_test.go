package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func (s *harness) arm(name, fault string, calls int) {
	s.t.Helper()
	must(s.t, s.Arm(name, fault, calls))
}

func TestAFaultStrikesTheCallsItIsArmedFor(t *testing.T) {
	s := serve(t, Options{})
	s.arm("transactions", "error-500", 1)
	s.arm("POST", "refused", 1)
	s.arm("all", "unauthorized", 2)
	codes := func(want ...int) {
		t.Helper()
		var got []int
		for range want {
			got = append(got, s.get(listPath).http)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	s.send("GET", listPath, "", func(r *http.Request) { r.Header.Del(KeyHeader) })
	s.send("POST", initiatePath, "not JSON").refused(400, "cannot be read")
	want := []ArmedFault{{"transactions", "error-500", 1, 0, 0}, {"POST", "refused", 1, 0, 0}, {"all", "unauthorized", 2, 0, 0}}
	if diff := cmp.Diff(want, s.Armed()); diff != "" {
		t.Error("a request that did not reach an operation counts:", diff)
	}
	codes(500, 401)
	s.post(validatePath, obj{}).refused(422, "The payload is not valid.")
	if diff := cmp.Diff([]ArmedFault{{"all", "unauthorized", 1, 1, 0}}, s.Armed()); diff != "" {
		t.Error(diff)
	}
	codes(401, 200)
	s.arm("GET", "Error-500", 0)
	codes(500, 500, 500)
	if diff := cmp.Diff([]ArmedFault{{"GET", "error-500", 0, 3, 0}}, s.Armed()); diff != "" {
		t.Error(diff)
	}
	s.ClearFaults()
	codes(200)
}

// What a program meets whose tester arms a fault for its second payment.
func TestEachFaultIsWhatItsLineSays(t *testing.T) {
	for fault, is := range map[string]func(a reply, before string) bool{
		"unauthorized":        func(a reply, _ string) bool { return a.http == 401 },
		"rate-limited":        func(a reply, _ string) bool { return a.http == 429 && a.header.Get("Retry-After") == "7" },
		"refused":             func(a reply, _ string) bool { return a.http == 422 && strings.Contains(a.text, "not valid") },
		"error-500":           func(a reply, _ string) bool { return a.http == 500 && strings.Contains(a.text, `"isSuccess":false`) },
		"unavailable":         func(a reply, _ string) bool { return a.http == 503 },
		"html-502":            func(a reply, _ string) bool { return a.http == 502 && strings.Contains(a.text, "<h1>") },
		"declined":            func(a reply, _ string) bool { return strings.Contains(a.text, `"paymentStatus":"FAILED"`) },
		"wrong-amount":        func(a reply, _ string) bool { return strings.Contains(a.text, `"amount":13.50`) },
		"wrong-reference":     func(a reply, before string) bool { return a.http == 200 && !strings.Contains(a.text, before) },
		"duplicate-reference": func(a reply, before string) bool { return strings.Contains(a.text, `"`+before+`"`) },
		"drifted":             func(a reply, _ string) bool { return strings.Contains(a.text, `"paymentStatus":"Initiated"`) },
	} {
		s := serve(t, Options{})
		before := s.pay(charge("approve"))
		s.arm("initiate", fault, 1)
		a := s.post(initiatePath, charge("approve"))
		if !is(a, before) {
			t.Errorf("%s: %d %s", fault, a.http, a.text)
		}
		after := s.post(initiatePath, charge("approve"))
		if after.http != 200 || !json.Valid([]byte(after.text)) {
			t.Errorf("after %s: %d %s", fault, after.http, after.text)
		}
		if p := s.Payments()[0]; fault == "declined" && s.Payments()[1].State != "FAILED" {
			t.Errorf("the payment is %+v", p)
		}
	}
}

func TestASlowAnswerIsTheTrueOneTenSecondsLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Key: testKey})
		s.Arm("validate", "slow", 1)
		began := time.Now()
		w := ask(s, "POST", validatePath, `{"amount":{"currencyCode":"GBP","amount":5}}`)
		if took := time.Since(began); took != 10*time.Second || w.Code != 200 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d after %v: %s", w.Code, took, w.Body)
		}
	})
}

func TestAConnectionIsClosedBeforeOrAfterThePaymentIsMade(t *testing.T) {
	for fault, made := range map[string]int{"not-reached": 0, "lost-answer": 1} {
		s := New(Options{Key: testKey})
		s.Arm("all", fault, 1)
		if !aborts(func() { ask(s, "POST", initiatePath, mustJSON(charge("approve"))) }) || s.Accepted() != made {
			t.Errorf("%s: %d payments were made", fault, s.Accepted())
		}
	}
}

func TestAnEventIsLostOrSentTwice(t *testing.T) {
	for fault, times := range map[string]int{"webhook-lost": 0, "webhook-twice": 2} {
		synctest.Test(t, func(t *testing.T) {
			s, e := onStreet(t, "shop")
			s.Arm("webhook", fault, 1)
			decline(t, s, "A1", "A2")
			synctest.Wait()
			e.hears(t, "shop", append(slices.Repeat([]string{"A1"}, times), "A2")...)
		})
	}
}

// aborts reports whether do panics as a handler that drops its response does.
func aborts(do func()) (yes bool) {
	defer func() {
		v := recover()
		if yes = v == http.ErrAbortHandler; v != nil && !yes {
			panic(v)
		}
	}()
	do()
	return false
}
