package inbound_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/inbound"
)

const form = `<form method="post" action="https://bank.example/acs"><script>document.forms[0].submit()</script></form>`

func present(t *testing.T) *inbound.Page {
	t.Helper()
	p, err := inbound.Present(t.Context(), api.NewMarkup(form))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func ask(t *testing.T, method, address string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a, string(b)
}

func TestAPageIsServedOnceAndThenGone(t *testing.T) {
	p := present(t)
	if a, _ := ask(t, "HEAD", p.Address(), nil); a.StatusCode != 200 || p.Served() {
		t.Fatalf("HEAD: %d, served %v", a.StatusCode, p.Served())
	}
	a, body := ask(t, "GET", p.Address(), nil)
	if a.StatusCode != 200 || body != form {
		t.Fatalf("GET: %d %q", a.StatusCode, body)
	}
	<-p.Done()
	if !p.Served() {
		t.Error("the page does not know that it was served")
	}
	if _, err := http.DefaultTransport.RoundTrip(mustRequest(t, p.Address())); err == nil {
		t.Error("the page was still there")
	}
}

func mustRequest(t *testing.T, address string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAPageHasAnOriginOfItsOwnAndIsNotKept(t *testing.T) {
	a, _ := ask(t, "GET", present(t).Address(), nil)
	for name, want := range map[string]string{
		"Content-Security-Policy":    "sandbox allow-scripts allow-forms; frame-ancestors 'none'; base-uri 'none'",
		"Cache-Control":              "no-store",
		"Referrer-Policy":            "no-referrer",
		"X-Content-Type-Options":     "nosniff",
		"Cross-Origin-Opener-Policy": "same-origin",
		"Content-Type":               "text/html; charset=utf-8",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if len(a.Cookies()) > 0 {
		t.Error("it sets cookies")
	}
}

func TestNobodyElseGetsThePage(t *testing.T) {
	p := present(t)
	root := p.Address()[:strings.Index(p.Address(), "/c/")]
	for _, c := range []struct {
		name, method, address string
		change                func(*http.Request)
		status                int
	}{
		{"another host name", "GET", p.Address(), func(r *http.Request) { r.Host = "evil.example" }, 403},
		{"localhost by name", "GET", p.Address(), func(r *http.Request) { r.Host = "localhost" }, 403},
		{"a page of somebody else", "GET", p.Address(), func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		{"a POST", "POST", p.Address(), nil, 405},
		{"the root", "GET", root + "/", nil, 404},
		{"a guessed token", "GET", root + "/c/" + strings.Repeat("0", 32), nil, 404},
		{"a query", "GET", p.Address() + "?x=1", nil, 404},
		{"a longer path", "GET", p.Address() + "/x", nil, 404},
	} {
		a, body := ask(t, c.method, c.address, c.change)
		if a.StatusCode != c.status || body != "" {
			t.Errorf("%s: %d %q, want %d and nothing", c.name, a.StatusCode, body, c.status)
		}
	}
	if p.Served() {
		t.Error("one of them used the page up")
	}
}

func TestAPageEndsWithWhatItWasMadeFor(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	p, err := inbound.Present(ctx, api.NewMarkup(form))
	if err != nil {
		t.Fatal(err)
	}
	stop()
	<-p.Done()
	if p.Served() {
		t.Error("a page that nobody fetched says it was served")
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestTwoPagesHaveTwoAddresses(t *testing.T) {
	a, b := present(t), present(t)
	if a.Address()[len(a.Address())-32:] == b.Address()[len(b.Address())-32:] {
		t.Error("they share their token")
	}
	if !strings.HasPrefix(a.Address(), "http://127.0.0.1:") || a.Port() == b.Port() {
		t.Error(a.Address(), b.Address())
	}
}
