package screens_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/challenge"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// The roads are walked in real time, over sockets: what the stories, whose time
// and network are not real, cannot vouch for.

// roadKey is the secret key of every road; it must never be seen.
const roadKey = "sk_test_CANARYkeyOfTheRoads00042"

// A road is the whole console with a real client and a sandbox that listens.
type road struct {
	person
	program *teatest.TestModel
	display *display
	sandbox *sandbox.Sandbox
	work    *ui.Work
}

// begin opens the console at home.
func begin(t *testing.T) *road {
	t.Helper()
	s := sandbox.New(sandbox.Options{Key: roadKey, Seed: 7, Transactions: 1_204, Settle: 200 * time.Millisecond})
	server, err := s.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	profile := keystore.Profile{Name: "demo", Environment: keystore.Sandbox, BaseURL: server.Origin(), ListURL: server.Origin(), Source: "demo"}.WithDefaults()
	store := keystore.NewMemory("demo")
	book := journal.New(journal.Options{Dir: filepath.Join(t.TempDir(), "state")})
	t.Cleanup(func() { book.Close() })
	env := screens.Deps{
		Version: "road", Theme: ui.NewTheme(false), Dial: dialled, TestCards: consoletest.Cards(), Sandbox: s,
		Store:   func(keystore.Profile) keystore.Store { return store },
		Journal: func(keystore.Profile) *journal.Journal { return book },
		Browser: challenge.Browser{Unavailable: "This host has no display."},
	}
	key, err := keystore.ParseKey(roadKey)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Set(t.Context(), profile.Name, key); err != nil {
		t.Fatal(err)
	}
	r := &road{display: newDisplay(80, 24, io.Discard), sandbox: s, work: &ui.Work{}}
	t.Cleanup(r.display.close)
	r.person = person{t: t, screen: r.screen, key: r.key}
	app := screens.New(t.Context(), env, r.work, nav.Key{Profile: profile})
	r.program = teatest.NewTestModel(t, app,
		teatest.WithInitialTermSize(80, 24),
		teatest.WithProgramOptions(tea.WithFilter(app.Filter), tea.WithColorProfile(colorprofile.ANSI), tea.WithEnvironment([]string{"TERM=xterm-256color"})))
	t.Cleanup(func() { r.program.Quit() }) // when the test failed on its way
	r.sees("Menu", "SANDBOX", strings.TrimPrefix(server.Origin(), "http://"))
	return r
}

func dialled(p keystore.Profile, k *keystore.KeyHolder) (api.Service, error) {
	return api.New(api.Config{
		BaseURL: p.BaseURL, ListURL: p.ListURL, Key: k, KeyHeader: p.KeyHeader,
		AuthenticatePath: p.AuthenticatePath, StatusPath: p.StatusPath, UserAgent: "paydesk/road",
	})
}

// screen is what a terminal shows of all that was written so far. Renderers write
// only what changed, so the bytes themselves say little.
func (r *road) screen() string {
	written, err := io.ReadAll(r.program.Output())
	if err != nil {
		r.t.Fatal(err)
	}
	// Without a real terminal nobody puts the carriage return before a line feed.
	r.display.write(bytes.ReplaceAll(written, []byte("\n"), []byte("\r\n")))
	return r.display.text()
}

var roadKeys = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab}, "esc": {Code: tea.KeyEscape},
	"down": {Code: tea.KeyDown}, "right": {Code: tea.KeyRight},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+t": {Code: 't', Mod: tea.ModCtrl},
}

func (r *road) key(name string) {
	k, named := roadKeys[name]
	if !named {
		r.program.Type(name)
		return
	}
	r.program.Send(k)
}

// end leaves the console, and looks at what it left: the model that was seen last, a
// terminal as it was, and no secret among all the bytes.
func (r *road) end(last ...string) {
	r.t.Helper()
	r.press("ctrl+c")
	model := r.program.FinalModel(r.t, teatest.WithFinalTimeout(patience))
	view := ansi.Strip(model.(*screens.App).View().Content)
	for _, text := range last {
		if !strings.Contains(view, text) {
			r.t.Errorf("the model does not show %q at its end:\n%s", text, view)
		}
	}
	ctx, stop := context.WithTimeout(r.t.Context(), patience)
	defer stop()
	if !r.work.Wait(ctx) {
		r.t.Error("something was still being sent")
	}
	r.screen()
	if on := r.display.left(); len(on) > 0 {
		r.t.Errorf("the terminal was left with %q", on)
	}
	for _, secret := range secrets(roadKey) {
		if bytes.Contains(r.display.sent, []byte(secret)) {
			r.t.Errorf("a secret was written to the terminal: it begins with %q", secret[:6])
		}
	}
}

// secrets are a key and the test cards, as they could be written.
func secrets(key string) []string {
	all := []string{key}
	for _, c := range sandbox.Cards() {
		n := c.Number
		all = append(all, n, n[:4]+" "+n[4:8]+" "+n[8:12]+" "+n[12:])
	}
	return all
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)

// approve is a customer who opens the address that was copied, and approves.
func (r *road) approve(address string) {
	r.t.Helper()
	browser := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	page, body := r.visit(browser.Get(address))
	if page.StatusCode != http.StatusOK || !strings.Contains(body, "Do you approve this payment?") {
		r.t.Fatalf("the bank answered %d", page.StatusCode)
	}
	form := url.Values{"decision": {"approve"}}
	for _, f := range hiddenField.FindAllStringSubmatch(body, -1) {
		form.Set(f[1], f[2])
	}
	page, _ = r.visit(browser.PostForm(strings.Split(address, "?")[0], form))
	if to := page.Header.Get("Location"); to != "https://shop.example/done" {
		r.t.Errorf("the bank sent the customer to %q", to)
	}
}

func (r *road) visit(page *http.Response, err error) (*http.Response, string) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(errors.Unwrap(err))
	}
	defer page.Body.Close()
	body, err := io.ReadAll(page.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return page, string(body)
}
