package browser

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api"
)

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
	for deadline := time.Now().Add(time.Minute); ; { // it is gone with the first request
		r, err := http.NewRequestWithContext(t.Context(), "GET", door, nil)
		must(t, err)
		a, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			break
		}
		if a.Body.Close(); a.StatusCode == 303 || time.Now().After(deadline) {
			t.Fatalf("it leads there again: %d", a.StatusCode)
		}
	}
}

func TestOnMacOSTheURLIsReadAndNoArgument(t *testing.T) {
	args, input := opened(t, "darwin")
	if args != "" || input != `open location "`+challenge+`"` {
		t.Errorf("arguments %q, input %q", args, input)
	}
}

func TestAStrangerGetsWordsAndNotThePage(t *testing.T) {
	p := servedPage(t)
	p.allowed = func(client, server string) bool { return false }
	for _, method := range []string{"GET", "HEAD", "POST"} {
		a, body := fetch(t, method, p.Address(), nil)
		if a.StatusCode != 403 || strings.Contains(body, "form") || method == "GET" && !strings.Contains(body, "its own user only") {
			t.Errorf("%s: %d %q", method, a.StatusCode, body)
		}
	}
	if p.Served() {
		t.Error("they used the page up")
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
	for deadline := time.Now().Add(time.Minute); peersKnown; {
		a, err := http.Get(strings.TrimSpace(string(b)))
		if err != nil {
			break
		}
		io.Copy(io.Discard, a.Body)
		if a.Body.Close(); time.Now().After(deadline) {
			t.Fatal("it is open")
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
