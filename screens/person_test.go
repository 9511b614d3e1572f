package screens_test

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest/v2"

	"paydesk/api/ledger"
	"paydesk/api/sandbox"
	"paydesk/api/timely"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/consoletest"
	"paydesk/ui/termtest"
)

// What a person does on any device.

// until waits in real time for a condition, however much else the machine has to do. Nothing is
// asserted on time itself.
func until(t *testing.T, what func() bool, otherwise func() string) {
	t.Helper()
	if !termtest.Poll(what) {
		t.Fatal(otherwise())
	}
}

// decide takes a decision about an attempt from the list of those that are possible.
func decide(c *consoletest.Console, label string) *consoletest.Console {
	c.T.Helper()
	return c.Press("d").Sees("decide this").Pick(label).Press("enter")
}

// holds waits until something has been so for a time.
func holds(t *testing.T, d time.Duration, what func() bool, otherwise func() string) {
	t.Helper()
	var since time.Time
	until(t, func() bool {
		if !what() {
			since = time.Time{}
		} else if since.IsZero() {
			since = time.Now()
		}
		return !since.IsZero() && time.Since(since) > d
	}, otherwise)
}

const (
	// soon sets how long a program may take to end once it is told from outside.
	soon = 2 * time.Second
	// byItself sets how long it has for that before it is broken off in what it does and says.
	byItself = 1900 * time.Millisecond
)

// toMenu goes back to home.
func toMenu(c *consoletest.Console) *consoletest.Console {
	c.T.Helper()
	for range 20 {
		if c.Has("paydesk ▸ Home ") {
			break
		}
		c.Press("esc").Wait(time.Second)
	}
	return c.Sees("paydesk ▸ Home ")
}

// recorded is an attempt that the journal has with its outcome.
func recorded(c *consoletest.Console, a ledger.Attempt, who ledger.Payer, r ledger.Result) ledger.Attempt {
	c.T.Helper()
	a, err := c.Journal.Begin(c.T.Context(), a, who, nil)
	if err == nil {
		err = c.Journal.End(c.T.Context(), a.ID, r)
	}
	must(c.T, err)
	return a
}

// customer fills in the customer of a payment.
func customer[H any](p termtest.Person[H]) {
	p.Fill("First name", "Ada")
	p.Fill("Last name", "Obi")
	p.Fill("E-mail", "ada@example.org")
	p.Fill("Phone", "+44 20 7946 0000")
	p.Press("enter")
}

// onHome is on the screen at home alone, in a window of any size.
const onHome = "q quit"

// toCard goes from home to the card of a payment.
func toCard[H any](p termtest.Person[H], amount, currency string) {
	p.Sees(onHome)
	p.Press("c")
	p.Choose("Currency", currency)
	p.Fill("Amount", amount)
	p.Press("enter")
	p.Sees("These channels accept")
	p.Press("enter")
	customer(p)
}

// pick chooses a test card.
func pick[H any](p termtest.Person[H], card string) {
	p.Sees("CVV")
	p.Press("ctrl+t")
	p.Sees("What it does")
	p.Pick(card)
	p.Press("enter")
	p.WaitsUntilGone("What it does")
}

// describe fills in a payment with a card that is typed, up to the key that asks whether to make it.
// What is on the screen is looked at after each field of the card.
func describe[H any](p termtest.Person[H], amount string, c sandbox.TestCard, look func()) {
	toCard(p, amount, "GBP")
	for _, f := range [][2]string{
		{"Card number", c.Number}, {"Expiry", fmt.Sprintf("%02d%02d", c.Month, c.Year%100)}, {"CVV", c.CVV}, {"Return URL", "https://shop.example/done"},
	} {
		p.Fill(f[0], f[1])
		look()
	}
}

// visa is the card of most payments.
var visa = sandbox.Cards()[0]

func nothing() {}

// The stories trust the driver and the emulator of termtest. This one has Bubble Tea's own driver and real time, and reads
// what was written and the model that is left.
func TestTheRoadToTheTransactionsWithTheLibrarysOwnDriver(t *testing.T) {
	t.Parallel()
	app := consoletest.App(t)
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
	if text := "100 of 1,204 read at "; !strings.Contains(ansi.Strip(left), text) {
		t.Errorf("the console was left without %q:\n%s", text, left)
	}
}

var must = timely.Must

// The profile names no address, so that the console itself receives nothing.
func TestAListenerThatRunsIsKnown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	b := &screens.Journals{State: dir}
	defer b.Close()
	p := keystore.Profile{Name: "shop", Environment: keystore.Test}.WithDefaults()
	if r, err := b.Receive(t.Context(), p); r != nil || err != nil || webhook.HasPath(dir, "shop") {
		t.Fatalf("%v, %v", r, err)
	}
	path, err := webhook.Path(dir, "shop")
	must(t, err)
	r, err := webhook.New(webhook.Options{}).Receive(t.Context(), "shop", webhook.ReceiverOptions{Address: "127.0.0.1:0", Path: path})
	must(t, err)
	defer r.Close()
	at, err := url.Parse(r.URL())
	must(t, err)
	forget, err := webhook.Announce(dir, "shop", at.Host)
	must(t, err)
	_, err = b.Receive(t.Context(), p)
	if inUse, is := errors.AsType[*webhook.InUse](err); !is || !inUse.Ours || inUse.Address != at.Host {
		t.Errorf("%v", err)
	}
	forget()
	if _, err := b.Receive(t.Context(), p); err != nil {
		t.Errorf("it has ended: %v", err)
	}
}
