package browser

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/timely"
)

const form = `<form method="post" action="https://bank.example/acs"><script>document.forms[0].submit()</script></form>`

func servedPage(t *testing.T) *Page {
	t.Helper()
	p, err := Serve(t.Context(), api.NewMarkup(form))
	must(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

func fetch(t *testing.T, method, address string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	must(t, err)
	if change != nil {
		change(r)
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	must(t, err)
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	must(t, err)
	return a, string(b)
}

func TestOneOfManySimultaneousRequestsGetsThePageOnce(t *testing.T) {
	p := servedPage(t)
	if !regexp.MustCompile(`^http://127\.0\.0\.1:[1-9][0-9]*/c/[A-Z2-7]{26}$`).MatchString(p.Address()) || !strings.Contains(p.Address(), ":"+strconv.Itoa(p.Port())+"/") {
		t.Errorf("%s and %d", p.Address(), p.Port())
	}
	for range 2 { // looking does not use it up
		a, body := fetch(t, "HEAD", p.Address(), nil)
		if a.StatusCode != 200 || body != "" || a.ContentLength != int64(len(form)) || p.Served() {
			t.Fatalf("HEAD: %d %q, %d bytes, served %v", a.StatusCode, body, a.ContentLength, p.Served())
		}
	}
	var got atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			switch a, body := fetch(t, "GET", p.Address(), nil); {
			case a.StatusCode == 200 && body == form:
				got.Add(1)
			case a.StatusCode != 404 || body != "":
				t.Errorf("too late: %d %q", a.StatusCode, body)
			}
		})
	}
	all.Wait()
	if <-p.Done(); got.Load() != 1 || !p.Served() {
		t.Errorf("%d got it; served: %v", got.Load(), p.Served())
	}
	if a, body := fetch(t, "HEAD", p.Address(), nil); a.StatusCode != 404 || body != "" {
		t.Errorf("HEAD again: %d %q", a.StatusCode, body)
	}
}

func TestAPageHasAnOriginOfItsOwnAndIsNotCached(t *testing.T) {
	a, _ := fetch(t, "GET", servedPage(t).Address(), nil)
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
}

func TestNobodyElseGetsThePage(t *testing.T) {
	p := servedPage(t)
	root := p.Address()[:strings.Index(p.Address(), "/c/")]
	for _, c := range []struct {
		name, method, address string
		change                func(*http.Request)
		status                int
	}{
		{"another host name", "GET", p.Address(), func(r *http.Request) { r.Host = "evil.example" }, 403},
		{"a page of somebody else", "GET", p.Address(), func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		{"a page without a name", "GET", p.Address(), func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"a POST", "POST", p.Address(), nil, 405},
		{"OPTIONS", "OPTIONS", p.Address(), nil, 405},
		{"a POST elsewhere", "POST", root + "/c/", nil, 404},
		{"an escaped path", "GET", strings.Replace(p.Address(), "/c/", "/%63/", 1), nil, 404},
		{"a guessed token", "GET", root + "/c/" + strings.Repeat("0", 32), nil, 404},
		{"a query", "GET", p.Address() + "?x=1", nil, 404},
	} {
		a, body := fetch(t, c.method, c.address, c.change)
		if a.StatusCode != c.status || body != "" {
			t.Errorf("%s: %d %q, want %d and nothing", c.name, a.StatusCode, body, c.status)
		}
	}
	p.allowed = func(client, server string) bool { return false }
	for _, method := range []string{"GET", "HEAD", "POST"} { // a stranger gets words
		a, body := fetch(t, method, p.Address(), nil)
		if a.StatusCode != 403 || strings.Contains(body, "form") || method == "GET" && !strings.Contains(body, "its own user only") {
			t.Errorf("%s: %d %q", method, a.StatusCode, body)
		}
	}
	if p.Served() {
		t.Error("one of them used the page up")
	}
}

func TestAPageEnds(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit time.Duration
		end   func(p *Page, cancel func())
	}{
		{"with what it was made for", time.Hour, func(p *Page, cancel func()) { cancel() }},
		{"when it is closed", time.Hour, func(p *Page, cancel func()) { p.Close() }},
		{"when its time is over", time.Millisecond, func(*Page, func()) {}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		p, err := serveMarkup(ctx, api.NewMarkup(form), c.limit)
		must(t, err)
		c.end(p, cancel)
		<-p.Done()
		<-p.ended
		if p.Served() {
			t.Errorf("%s: not fetched, but reported as served", c.name)
		}
		if a, err := http.DefaultTransport.RoundTrip(httptest.NewRequest("GET", p.Address(), nil)); err == nil {
			a.Body.Close()
			t.Errorf("%s: it is still there", c.name)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		cancel()
	}
	if lifetime != 10*time.Minute {
		t.Errorf("a page lasts %v", lifetime)
	}
	if _, err := Serve(t.Context(), api.Markup{}); err == nil {
		t.Error("an empty page is presented")
	}
}

// Browsers open connections in advance. A page does not wait for them and ends them.
func TestAClosedPageLeavesNothingBehind(t *testing.T) {
	closes := func() (took time.Duration) {
		p, err := Serve(t.Context(), api.NewMarkup(strings.Repeat(form, 1000)))
		must(t, err)
		spare, err := net.Dial("tcp", p.host)
		must(t, err)
		half, err := net.Dial("tcp", p.host)
		must(t, err)
		io.WriteString(half, "GET / HT")
		fetch(t, "GET", p.Address(), nil)
		start := time.Now()
		p.Close()
		took = time.Since(start)
		for _, c := range []net.Conn{spare, half} { // both were ended by the page
			_ = c.SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("a connection is still open")
			}
			c.Close()
		}
		return took
	}
	timely.Within(t, time.Second, closes)
}

func TestClosingDoesNotCutOffAPageBeingServed(t *testing.T) {
	long := strings.Repeat(form, 150_000) // 15 MB, more than a socket takes at once
	p, err := Serve(t.Context(), api.NewMarkup(long))
	must(t, err)
	a, err := http.DefaultTransport.RoundTrip(httptest.NewRequest("GET", p.Address(), nil))
	must(t, err)
	defer a.Body.Close()
	closed := make(chan struct{})
	go func() {
		p.Close()
		close(closed)
	}()
	b, err := io.ReadAll(a.Body)
	if err != nil || string(b) != long {
		t.Errorf("%d of %d bytes: %v", len(b), len(long), err)
	}
	<-closed
}

const challenge = "https://bank.example/acs?token=SECRET-of-the-challenge"

// opened opens a URL with a program that only notes its arguments and what it reads, and returns both.
func opened(t *testing.T, system string) (args, input string) {
	t.Helper()
	a, err := api.ParseAddress(challenge)
	must(t, err)
	folder := t.TempDir()
	notes := program(t, `printf '%s\n' "$@" >`+folder+`/args; cat >`+folder+`/input`)
	must(t, open(t.Context(), system, []string{notes}, a))
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(folder, name))
		must(t, err)
		return strings.TrimSpace(string(b))
	}
	return read("args"), read("input")
}

func TestNoArgumentHasTheURLOfAChallenge(t *testing.T) {
	if !peersKnown {
		t.Skip("connections do not tell whose they are here")
	}
	door, input := opened(t, "linux")
	if strings.Contains(door+input, "SECRET") || !strings.HasPrefix(door, "http://127.0.0.1:") {
		t.Fatalf("arguments %q, input %q", door, input)
	}
	for name, change := range map[string]func(*http.Request){
		"a website":              func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"a website of this host": func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"a script":               func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"another host name":      func(r *http.Request) { r.Host = "evil.example" },
	} {
		if a, body := fetch(t, "GET", door, change); a.StatusCode != 403 || a.Header.Get("Location")+body != "" {
			t.Errorf("%s: %d %q", name, a.StatusCode, a.Header)
		}
	}
	a, _ := fetch(t, "GET", door, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") })
	if a.StatusCode != 303 || a.Header.Get("Location") != challenge || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	closes(t, door) // with the first request
}

// closes waits until nothing is served at an address, which leads to no bank meanwhile.
func closes(t *testing.T, address string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		a, err := http.DefaultTransport.RoundTrip(httptest.NewRequest("GET", address, nil))
		if err != nil {
			return
		}
		if a.Body.Close(); a.StatusCode == 303 || time.Now().After(deadline) {
			t.Fatalf("it is open: %d", a.StatusCode)
		}
	}
}

func TestOnMacOSTheURLIsReadAndNoArgument(t *testing.T) {
	args, input := opened(t, "darwin")
	if args != "" || input != `open location "`+challenge+`"` {
		t.Errorf("arguments %q, input %q", args, input)
	}
}

func TestADoorThatNobodyCouldBeGivenIsClosed(t *testing.T) {
	a, err := api.ParseAddress(challenge)
	must(t, err)
	out := filepath.Join(t.TempDir(), "door")
	if err := open(t.Context(), "linux", []string{program(t, `echo "$1" >`+out+`; exit 3`)}, a); err == nil {
		t.Fatal("a program that fails opens a browser")
	}
	b, err := os.ReadFile(out)
	must(t, err)
	if peersKnown {
		closes(t, strings.TrimSpace(string(b)))
	}
}

var must = timely.Must
