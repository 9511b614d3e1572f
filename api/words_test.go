package api

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
)

func TestEveryErrorConsistsOfSentences(t *testing.T) {
	for kind := Kind(0); kind <= KindRedirect+1; kind++ {
		for _, status := range []int{0, 401} {
			for _, said := range []string{"", "no", "No.", "what?", "a\nb\x1b[31m"} {
				for _, err := range []error{
					&Refusal{Kind: kind, HTTP: status, Text: Clean(said)},
					&Unresolved{Kind: kind, HTTP: status, Detail: Clean(said)},
					&Failure{Kind: kind, HTTP: status, Detail: Clean(said)},
				} {
					s := err.Error()
					if s == "" || !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") || strings.ContainsAny(s, "\n\x1b") || strings.Contains(s, "  ") || strings.Contains(s, "..") {
						t.Errorf("%T says %q", err, s)
					}
					if unresolved := errors.Is(err, ErrUnresolved); unresolved != strings.HasPrefix(s, "It is not known") {
						t.Errorf("%T says %q", err, s)
					}
				}
			}
		}
	}
}

func TestDNSErrorsDoNotNameTheHost(t *testing.T) {
	for want, dns := range map[string]*net.DNSError{
		"no such host":                   {Name: "pay.example", Server: "192.0.2.1:53", IsNotFound: true},
		"the name server did not answer": {Name: "pay.example", Server: "192.0.2.1:53", IsTimeout: true},
		"the name server failed":         {Name: "pay.example", Server: "192.0.2.1:53", Err: "server misbehaving"},
	} {
		err := &url.Error{Op: "Get", URL: "https://pay.example/x", Err: &net.OpError{Op: "dial", Err: dns}}
		f := diagnose(err, false)
		if f.kind != KindDNS || f.text != want || f.sent {
			t.Errorf("%v is %+v, want %q", dns, f, want)
		}
		if again := retryable(response{}, f); again == dns.IsNotFound {
			t.Errorf("%q is retried: %v", f.text, again)
		}
	}
}

func TestAnExcerptDoesNotSplitACharacter(t *testing.T) {
	for pad := range 5 {
		body := strings.Repeat("x", pad) + strings.Repeat("é€😀", 300)
		s := response{body: []byte(body)}.excerpt()
		if !strings.HasPrefix(body, s) || len(s) > 512 || len(s) < 508 || strings.ContainsRune(s, '\ufffd') {
			t.Errorf("%d bytes: …%q", len(s), s[len(s)-8:])
		}
	}
	if s := (response{body: []byte(strings.Repeat("\x80", 600))}).excerpt(); len(s) < 508 {
		t.Errorf("%d bytes of 600", len(s))
	}
	hidden := response{body: []byte(strings.Repeat("x", 505) + "4242424242424242"), redactor: redactor{sent: sent(t, "4242424242424242")}}.excerpt()
	if strings.Contains(hidden, "42424") {
		t.Errorf("the cut shows the card: %q", fmt.Sprint(hidden[500:]))
	}
}
