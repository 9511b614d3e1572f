package screens_test

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest/v2"

	"paydesk/screens"
	"paydesk/screens/consoletest"
)

// The roads are walked in real time, over sockets, in the words of the stories. Each takes a few seconds, as for a person: a
// question is read before it takes an answer, and a status is asked for again after a while.

func TestTheRoadOfACardThroughItsBankToItsFinalStatus(t *testing.T) {
	onTheRoad(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		c.Sees("The customer opens this URL").Wait(moved)
		c.Press("y").Sees("sent to your terminal's clipboard")
		until(t, func() bool { return c.Copied() != "" }, func() string { return "nothing was copied" })
		approve(t, c.Copied())
		c.Press("enter").Sees("✓ SUCCESSFUL", "Provide the goods or service")
		if c.Sandbox.Accepted() != 1 {
			t.Errorf("the service took %d payments", c.Sandbox.Accepted())
		}
		c.Sees("✓ SUCCESSFUL", "12.50 GBP")
	})
}

// The other roads trust the driver and the emulator of termtest. This one has Bubble Tea's own driver,
// and reads what was written and the model that is left.
func TestTheRoadToTheTransactionsWithTheLibrarysOwnDriver(t *testing.T) {
	t.Parallel()
	app := consoletest.AppOnSockets(t)
	program := teatest.NewTestModel(t, app, teatest.WithInitialTermSize(80, 24), teatest.WithProgramOptions(
		tea.WithFilter(app.Filter), tea.WithColorProfile(colorprofile.ANSI), tea.WithEnvironment([]string{"TERM=xterm-256color"})))
	t.Cleanup(func() { program.Quit() }) // when the test failed on its way
	seen := func(text string) {
		t.Helper()
		teatest.WaitFor(t, program.Output(), func(b []byte) bool { return strings.Contains(ansi.Strip(string(b)), text) },
			teatest.WithDuration(time.Minute), teatest.WithCheckInterval(3*time.Millisecond))
	}
	seen("Menu")
	program.Type("2")
	seen("1,204")
	program.Send(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	program.WaitFinished(t, teatest.WithFinalTimeout(time.Minute))
	left := program.FinalModel(t).(*screens.App).View().Content
	if text := "100 of 1,204 rows read at "; !strings.Contains(ansi.Strip(left), text) {
		t.Errorf("the console was left without %q:\n%s", text, left)
	}
}

// onTheRoad walks a road, leaves the console, and looks at how it left the terminal.
func onTheRoad(t *testing.T, walk func(*consoletest.Console)) {
	t.Parallel()
	consoletest.RunOnSockets(t, func(c *consoletest.Console) {
		c.Sees("Menu", "SANDBOX", "127.0.0.1:")
		walk(c)
		if err := c.Press("ctrl+c").Done(); err != nil {
			t.Error(err)
		}
		if on := leftOn(c.Bytes()); len(on) > 0 {
			t.Errorf("the terminal was left with %q", on)
		}
	})
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)

// approve is a customer who opens the address that was copied, and approves.
func approve(t *testing.T, address string) {
	t.Helper()
	browser := &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	page, err := browser.Get(address)
	body := visit(t, page, err)
	if page.StatusCode != http.StatusOK || !strings.Contains(body, "Do you approve this payment?") {
		t.Fatalf("the bank answered %d", page.StatusCode)
	}
	form := url.Values{"decision": {"approve"}}
	for _, f := range hiddenField.FindAllStringSubmatch(body, -1) {
		form.Set(f[1], f[2])
	}
	page, err = browser.PostForm(strings.Split(address, "?")[0], form)
	visit(t, page, err)
	if to := page.Header.Get("Location"); to != "https://shop.example/done" {
		t.Errorf("the bank sent the customer to %q", to)
	}
}

// visit reads a page. An error of the browser's would name the address.
func visit(t *testing.T, page *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(errors.Unwrap(err))
	}
	defer page.Body.Close()
	body, err := io.ReadAll(page.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

var modeSwitch = regexp.MustCompile(`\x1b\[(?:\?([0-9;]+)([hl])|>(4)(;[1-9][0-9]*)?m|([<>])([0-9]*)u)`)

// leftOn are the modes that were switched on and not off again by what a terminal was sent: private
// modes by their number, "keys" for modifyOtherKeys, and the depth of each screen's kitty keyboard
// stack when it is not 0. The cursor (25) and wrapping (7) are to be on at the end.
func leftOn(sent []byte) []string {
	on := map[string]bool{"25": true, "7": true}
	alternate, depth := false, map[bool]int{}
	for _, m := range modeSwitch.FindAllStringSubmatch(string(sent), -1) {
		switch {
		case m[1] != "":
			for mode := range strings.SplitSeq(m[1], ";") {
				on[mode] = m[2] == "h"
				alternate = on["1049"]
			}
		case m[3] != "":
			on["keys"] = m[4] != ""
		case m[5] == ">":
			depth[alternate]++
		default: // a pop of an empty stack does nothing
			depth[alternate] = max(depth[alternate]-1, 0)
		}
	}
	on["25"], on["7"] = !on["25"], !on["7"]
	on["kitty keyboard"], on["kitty keyboard of the alternate screen"] = depth[false] != 0, depth[true] != 0
	maps.DeleteFunc(on, func(_ string, on bool) bool { return !on })
	return slices.Sorted(maps.Keys(on))
}
