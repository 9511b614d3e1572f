package sandbox

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

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
