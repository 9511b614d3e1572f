package sandbox

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// challenge makes a payment with a challenge and returns its reference and the bank URL
// without the origin.
func (s *harness) challenge(body obj) (string, string) {
	s.t.Helper()
	a := s.post(initiatePath, body)
	return a.str("value.paymentItem.reference"), strings.TrimPrefix(a.str("value.bankAuthURL"), s.origin)
}

// visit requests a page like a browser, without the key.
func (s *harness) visit(path string) reply {
	s.t.Helper()
	return s.send("GET", path, "", func(r *http.Request) { r.Header.Del(KeyHeader) })
}

// press submits the form of a page with a button's name and value.
func (s *harness) press(page reply, name, value string) reply {
	s.t.Helper()
	return s.fillIn(page, url.Values{name: {value}})
}

func TestTheBankAsksAndSendsTheCustomerOn(t *testing.T) {
	for decision, word := range map[string]string{"approve": "PENDING", "reject": "FAILED"} {
		s := serve(t, Options{})
		ref, address := s.challenge(charge("challenge"))
		page := s.visit(address)
		page.shows("12.50 GBP", "ending in 1019", ref, ">Approve<", ">Reject<", ">Leave without answering<", "the payment waits", "sandbox")
		s.is(ref, "INITIATED")
		a := s.press(page, "decision", decision)
		if a.http != 303 || a.header.Get("Location") != "https://shop.example/back?order=1" {
			t.Errorf("%s: %d to %q", decision, a.http, a.header.Get("Location"))
		}
		s.is(ref, word)
		if again := s.visit(address); strings.Contains(again.text, "<form") || !strings.Contains(again.text, "Return to the shop") {
			t.Error("the bank asks twice, or does not link to the shop")
		}
		s.press(page, "decision", "approve")
		s.is(ref, word)
	}
}

func TestTheBankAddressMustComeBackUnchanged(t *testing.T) {
	s := serve(t, Options{})
	ref, address := s.challenge(charge("challenge"))
	for name, change := range map[string]func(string) string{
		"decoded":         func(a string) string { return strings.Replace(a, "%20", "+", 1) },
		"lower case":      func(a string) string { return strings.Replace(a, "%2B", "%2b", 1) },
		"without a token": func(a string) string { return regexp.MustCompile(`token=\w+`).ReplaceAllString(a, "token=") },
		"without query":   func(a string) string { return strings.Split(a, "?")[0] },
		"another payment": func(a string) string { return strings.Replace(a, ref, "OTHER", 1) },
	} {
		if a := s.visit(change(address)); a.http != 404 || strings.Contains(a.text, "<form") {
			t.Errorf("%s: %d", name, a.http)
		}
	}
	form := "token=guess&decision=approve"
	if a := s.send("POST", "/bank/"+ref, form, asForm); a.http != 404 {
		t.Errorf("a guessed URL got %d", a.http)
	}
	s.is(ref, "INITIATED")
	if a := s.send("DELETE", address, ""); a.http != 405 || a.header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("DELETE: %d", a.http)
	}
}

func TestPagesAreSafeAndPlain(t *testing.T) {
	s := serve(t, Options{})
	hostile := `"><script>alert(1)</script>&amp;` + "\u202e"
	alias := s.link(with(with(draft(hostile), "description", hostile+"'"), "amountType", 1))
	_, address := s.challenge(with(charge("challenge"), "paymentRequestProps.returnUrl", `https://shop.example/"><script>x</script>`))
	for _, path := range []string{"/pay/" + alias, "/pay/none", address, "/bank/none"} {
		a := s.visit(path)
		policy := a.header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; base-uri 'none'") || !strings.Contains(policy, cspHash(asset("page.css"))) {
			t.Errorf("%s: the policy is %q", path, policy)
		}
		for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8"} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if framed := !strings.HasSuffix(policy, "; frame-ancestors 'none'"); path == address && !framed || path == "/pay/"+alias && framed || len(a.header["Set-Cookie"]) > 0 {
			t.Errorf("a shop frames the bank and nothing of a link, and there are no cookies: %s %v", path, a.header)
		}
		if strings.Contains(a.text, "<script") || strings.Contains(a.text, "src=") || strings.Contains(a.text, "@import") {
			t.Errorf("%s contains markup from outside: %s", path, a.text)
		}
		a.shows(`<html lang="en">`, "<title>", "<main>", "<h1>")
	}
}

func TestLeavingTheBankDecidesNothing(t *testing.T) {
	s := serve(t, Options{})
	ref, address := s.challenge(charge("challenge"))
	if a := s.press(s.visit(address), "decision", "leave"); a.http != 303 || a.header.Get("Location") != "https://shop.example/back?order=1" {
		t.Errorf("%d to %q", a.http, a.header.Get("Location"))
	}
	s.is(ref, "INITIATED")
	closing := s.press(s.visit(strings.Replace(address, "redirect=true", "redirect=false", 1)), "decision", "leave")
	closing.shows("You left without answering", `data-answer="left"`)
	s.visit(strings.TrimPrefix(closing.href("Answer it now"), s.origin)).shows(">Approve<")
	s.is(ref, "INITIATED")
}
