//go:build browser

package sandbox_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
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
	known   []string
	excused string // a console message that is allowed
}

// open starts a browser that can only reach loopback; known are the allowed origins.
func (d driver) open(t *testing.T, scripts bool, known ...string) *browser {
	t.Helper()
	options := map[string]any{"args": []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-popup-blocking", "--window-size=900,1000",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--user-data-dir=" + t.TempDir(),
	}}
	if !scripts {
		options["prefs"] = map[string]any{"profile.managed_default_content_settings.javascript": 2}
	}
	b := &browser{t: t, known: known}
	var session struct{ SessionID string }
	b.call("POST", d.address+"/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"goog:loggingPrefs": map[string]string{"browser": "ALL", "performance": "ALL"}, "goog:chromeOptions": options,
	}}}, &session)
	b.address = d.address + "/session/" + session.SessionID
	t.Cleanup(func() { b.call("DELETE", b.address, nil, nil) })
	t.Cleanup(b.quiet) // runs before, and may fail the test
	return b
}

// call makes one call to the driver.
func (b *browser) call(method, address string, body, value any) {
	b.t.Helper()
	must(b.t, call(method, address, body, value))
}

func call(method, address string, body, value any) error {
	var encoded []byte
	if method == "POST" {
		if body == nil {
			body = struct{}{}
		}
		var err error
		if encoded, err = json.Marshal(body); err != nil {
			return err
		}
	}
	r, err := http.NewRequest(method, address, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	a, err := (&http.Client{Timeout: time.Minute}).Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		return err
	}
	answer := struct{ Value any }{value}
	if a.StatusCode != 200 {
		return fmt.Errorf("%s %s: %s", method, address, text)
	}
	return json.Unmarshal(text, &answer)
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
func (b *browser) find(css string) string {
	b.t.Helper()
	var element map[string]string
	b.call("POST", b.address+"/element", map[string]string{"using": "css selector", "value": css}, &element)
	for _, id := range element {
		return b.address + "/element/" + id
	}
	b.t.Fatal("no element ", css)
	return ""
}

func (b *browser) press(css string) {
	b.t.Helper()
	b.call("POST", b.find(css)+"/click", nil, nil)
}

// pressLink clicks a link by its text.
func (b *browser) pressLink(says string) {
	b.t.Helper()
	var element map[string]string
	b.call("POST", b.address+"/element", map[string]string{"using": "link text", "value": says}, &element)
	for _, id := range element {
		b.call("POST", b.address+"/element/"+id+"/click", nil, nil)
	}
}

// fill types into fields, given as pairs of selector and text.
func (b *browser) fill(pairs ...string) {
	b.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		field := b.find(pairs[i])
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

// quiet checks that the console has no errors and that only known origins were requested.
func (b *browser) quiet() {
	b.t.Helper()
	var entries []struct{ Level, Message string }
	b.call("POST", b.address+"/se/log", map[string]string{"type": "browser"}, &entries)
	for _, e := range entries {
		if b.excused != "" && strings.Contains(e.Message, b.excused) {
			continue
		}
		b.t.Errorf("console %s: %s", e.Level, e.Message)
	}
	b.call("POST", b.address+"/se/log", map[string]string{"type": "performance"}, &entries)
	asked := 0
	for _, e := range entries {
		var event struct {
			Message struct {
				Method string
				Params struct{ Request struct{ URL string } }
			}
		}
		must(b.t, json.Unmarshal([]byte(e.Message), &event))
		if event.Message.Method != "Network.requestWillBeSent" {
			continue
		}
		u, err := url.Parse(event.Message.Params.Request.URL)
		if err == nil && u.Scheme == "chrome" { // the empty page it begins with is its own
			continue
		}
		asked++
		if err != nil || !slices.Contains(b.known, u.Scheme+"://"+u.Host) {
			b.t.Errorf("the browser requested %s", event.Message.Params.Request.URL)
		}
	}
	if asked == 0 {
		b.t.Error("no request was recorded")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
