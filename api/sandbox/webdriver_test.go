//go:build browser

package sandbox_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"paydesk/api/timely"
)

// A driver is Debian's chromedriver, controlled by WebDriver (W3C) over HTTP on loopback.
type driver struct{ address string }

func startDriver(t *testing.T) driver {
	t.Helper()
	for _, name := range []string{"chromium", "chromedriver"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("%s is needed (Debian: chromium and chromium-driver): %v", name, err)
		}
	}
	c := exec.Command("chromedriver", "--port=0")
	c.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	t.Cleanup(func() { // including its browsers, which would outlive it
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
	})
	started := regexp.MustCompile(`started successfully on port (\d+)`)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := started.FindStringSubmatch(lines.Text()); m != nil {
			go io.Copy(io.Discard, out)
			return driver{"http://127.0.0.1:" + m[1]}
		}
	}
	t.Fatal("chromedriver did not start")
	return driver{}
}

// A browser is a window of Chromium with an empty profile.
type browser struct {
	t       *testing.T
	address string // of the session
	excused string // a console message that is allowed
}

// open starts a browser that can only reach loopback: what asks for anything else is an error in its console.
func (d driver) open(t *testing.T) *browser {
	t.Helper()
	options := map[string]any{"args": []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-popup-blocking", "--window-size=900,1000",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--user-data-dir=" + t.TempDir(),
	}}
	b := &browser{t: t}
	var session struct{ SessionID string }
	b.call("POST", d.address+"/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"goog:loggingPrefs": map[string]string{"browser": "ALL"}, "goog:chromeOptions": options,
	}}}, &session)
	b.address = d.address + "/session/" + session.SessionID
	t.Cleanup(func() { b.call("DELETE", b.address, nil, nil) })
	t.Cleanup(b.quiet) // runs before, and may fail the test
	return b
}

// call makes one call to the driver.
func (b *browser) call(method, address string, body, value any) {
	b.t.Helper()
	var encoded []byte
	if method == "POST" {
		if body == nil {
			body = struct{}{}
		}
		var err error
		encoded, err = json.Marshal(body)
		must(b.t, err)
	}
	r, err := http.NewRequest(method, address, bytes.NewReader(encoded))
	must(b.t, err)
	a, err := (&http.Client{Timeout: time.Minute}).Do(r)
	must(b.t, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	must(b.t, err)
	if a.StatusCode != 200 {
		b.t.Fatalf("%s %s: %s", method, address, text)
	}
	must(b.t, json.Unmarshal(text, &struct{ Value any }{value}))
}

func (b *browser) visit(address string) {
	b.t.Helper()
	b.call("POST", b.address+"/url", map[string]string{"url": address}, nil)
}

// at is the URL the browser shows.
func (b *browser) at() (address string) {
	b.t.Helper()
	b.call("GET", b.address+"/url", nil, &address)
	return address
}

// find returns the path of an element for further calls.
func (b *browser) find(using, value string) string {
	b.t.Helper()
	var element map[string]string
	b.call("POST", b.address+"/element", map[string]string{"using": using, "value": value}, &element)
	for _, id := range element {
		return b.address + "/element/" + id
	}
	b.t.Fatal("no element ", value)
	return ""
}

func (b *browser) press(css string) {
	b.t.Helper()
	b.call("POST", b.find("css selector", css)+"/click", nil, nil)
}

// pressLink clicks a link by its text.
func (b *browser) pressLink(says string) {
	b.t.Helper()
	b.call("POST", b.find("link text", says)+"/click", nil, nil)
}

// fill types into fields, given as pairs of selector and text.
func (b *browser) fill(pairs ...string) {
	b.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		field := b.find("css selector", pairs[i])
		b.call("POST", field+"/clear", nil, nil)
		b.call("POST", field+"/value", map[string]string{"text": pairs[i+1]}, nil)
	}
}

// text is the visible text of the page.
func (b *browser) text() (text string) {
	b.t.Helper()
	b.run(`return document.body ? document.body.innerText : ''`, &text)
	return text
}

// says waits for a page that contains all texts.
func (b *browser) says(texts ...string) {
	b.t.Helper()
	missing := func(text string) bool { return !strings.Contains(b.text(), text) }
	if !b.soon(func() bool { return !slices.ContainsFunc(texts, missing) }) {
		b.t.Fatalf("the page at %s does not contain all of %q:\n%s", b.at(), texts, b.text())
	}
}

// run runs a script of the test in the page, regardless of the page's policy.
func (b *browser) run(script string, value any) {
	b.t.Helper()
	b.call("POST", b.address+"/execute/sync", map[string]any{"script": script, "args": []any{}}, value)
}

// eventually waits for a condition.
func (b *browser) eventually(what string, is func() bool) {
	b.t.Helper()
	if !b.soon(is) {
		b.t.Fatalf("it never happened: %s; the browser is at %s", what, b.at())
	}
}

// soon reports whether a condition holds within 10 s.
func (b *browser) soon(is func() bool) bool {
	b.t.Helper()
	tick, late := time.NewTicker(20*time.Millisecond), time.After(10*time.Second)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			return false
		}
	}
	return true
}

// quiet checks that the console has no errors.
func (b *browser) quiet() {
	b.t.Helper()
	var entries []struct{ Level, Message string }
	b.call("POST", b.address+"/se/log", map[string]string{"type": "browser"}, &entries)
	for _, e := range entries {
		if b.excused == "" || !strings.Contains(e.Message, b.excused) {
			b.t.Errorf("console %s: %s", e.Level, e.Message)
		}
	}
}

var must = timely.Must
