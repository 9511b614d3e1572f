package ui_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"paydesk/ui"
)

var charge = ui.Question{
	Title: "Charge 12.50 GBP to •••• 4242?",
	Lines: []string{"The number that is sent is 12.5"},
	Place: "TEST · payments.example",
	Yes:   "Charge",
	No:    "Go back",
}

func chargeLive() ui.Question {
	q := charge
	q.Typed = "12.50"
	return q
}

// A dialog is a confirmation and the program that it needs: it runs commands and delivers their
// replies while no key is being sent.
type dialog struct {
	*ui.Confirm
	t       *testing.T
	clock   ui.Clock
	replies chan tea.Msg
	answers []string
}

// openDialog opens a confirmation in a synctest bubble.
func openDialog(t *testing.T, q ui.Question) *dialog {
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	c := &dialog{Confirm: ui.NewConfirm(theme, q), t: t, replies: make(chan tea.Msg, 1000)}
	c.run(c.Init(ui.NewScope(ctx, &ui.Work{}, &c.clock, nil)))
	return c
}

// The answers of a person.
const accepted, declined = "accepted", "declined"

func (c *dialog) notes(answer string) func() tea.Cmd {
	return func() tea.Cmd {
		c.answers = append(c.answers, answer)
		return nil
	}
}

func (c *dialog) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		if r, ok := cmd().(tea.BatchMsg)[0]().(ui.Reply); ok {
			c.replies <- r.Msg
		}
	}()
}

func (c *dialog) send(msgs ...tea.Msg) *dialog {
	for _, msg := range msgs {
		c.run(c.Answer(c.clock.Filter(nil, msg), c.notes(accepted), c.notes(declined)))
	}
	return c
}

// wait lets time pass and delivers replies.
func (c *dialog) wait(d time.Duration) *dialog {
	for end := time.Now().Add(d); ; {
		synctest.Wait()
		select {
		case msg := <-c.replies:
			c.send(msg)
			continue
		default:
		}
		if !time.Now().Before(end) {
			return c
		}
		select {
		case msg := <-c.replies:
			c.send(msg)
		case <-time.After(time.Until(end)):
		}
	}
}

// pressSlowly sends keys 120 ms apart, as a person presses them.
func (c *dialog) pressSlowly(names ...string) *dialog {
	for _, name := range names {
		c.send(stroke(name)).wait(120 * time.Millisecond)
	}
	return c
}

func (c *dialog) answered(want ...string) {
	c.t.Helper()
	if fmt.Sprint(c.answers) != fmt.Sprint(want) {
		c.t.Errorf("the answers are %v, not %v, at\n%s", c.answers, want, shown(c, 58, 14))
	}
}

// runDialog runs a subtest with a confirmation.
func runDialog(t *testing.T, name string, q ui.Question, test func(*testing.T, *dialog)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { test(t, openDialog(t, q)) })
	})
}

func TestAnAnswerCountsOnlyAfterQuiet(t *testing.T) {
	runDialog(t, "arming", charge, func(t *testing.T, c *dialog) {
		if c.wait(299 * time.Millisecond); c.Armed() {
			t.Error("armed after 299 ms")
		}
		if c.wait(time.Millisecond); !c.Armed() {
			t.Error("not armed after 300 ms")
		}
		c.answered()
	})
	runDialog(t, "keys restart the quiet", charge, func(t *testing.T, c *dialog) {
		for range 20 {
			c.wait(200 * time.Millisecond).send(stroke("enter"))
		}
		if c.wait(299 * time.Millisecond); c.Armed() {
			t.Error("armed 299 ms after a key")
		}
		if c.wait(time.Millisecond); !c.Armed() {
			t.Error("not armed 300 ms after a key")
		}
		c.answered()
	})
	runDialog(t, "a key that was queued behind the arming", charge, func(t *testing.T, c *dialog) {
		c.wait(300 * time.Millisecond).send(stroke("y")).wait(time.Second).answered()
		c.pressSlowly("y").answered(accepted)
	})
	runDialog(t, "the key that opened it", charge, func(t *testing.T, c *dialog) {
		c.send(keys("y", "enter")...).wait(250 * time.Millisecond).answered()
	})
}

func TestDeliberateKeysAnswer(t *testing.T) {
	for _, tt := range []struct {
		keys string
		want string
	}{
		{"enter", declined},
		{"right enter", accepted},
		{"tab enter", accepted},
		{"y", accepted},
		{"n", declined},
		{"esc", declined},
		{"x ? space up down right enter", accepted},
	} {
		runDialog(t, tt.keys, charge, func(t *testing.T, c *dialog) {
			c.wait(time.Second).pressSlowly(strings.Fields(tt.keys)...).answered(tt.want)
			c.pressSlowly("y", "enter", "esc").wait(time.Second).answered(tt.want) // ignored from then on
		})
	}
}

func TestAHeldKeyDoesNotAnswer(t *testing.T) {
	for _, rate := range []time.Duration{10 * time.Millisecond, 40 * time.Millisecond} {
		for _, focus := range []string{"left left", "right"} {
			runDialog(t, fmt.Sprint(rate, focus), charge, func(t *testing.T, c *dialog) {
				c.wait(time.Second).pressSlowly(strings.Fields(focus)...)
				c.send(stroke("enter")).wait(40 * time.Millisecond)
				for range 60 {
					c.send(stroke("enter")).wait(rate)
				}
				c.answered()
			})
		}
	}
	for _, opener := range []string{"y", "n", "enter"} { // at a keyboard that repeats late and slowly
		runDialog(t, "the key that opened it, "+opener, charge, func(t *testing.T, c *dialog) {
			c.send(stroke(opener))
			c.run(c.Init(ui.NewScope(t.Context(), &ui.Work{}, &c.clock, nil)))
			c.wait(660 * time.Millisecond)
			for range 20 {
				c.send(stroke(opener)).wait(100 * time.Millisecond)
			}
			c.answered()
			c.wait(time.Second).pressSlowly("y") // it was released
			c.answered(accepted)
		})
	}
	runDialog(t, "that the terminal says is held", charge, func(t *testing.T, c *dialog) {
		c.wait(time.Second)
		for range 10 {
			for _, name := range []string{"enter", "y", "n"} {
				k := stroke(name)
				k.IsRepeat = true
				c.send(k).wait(time.Second)
			}
		}
		c.answered()
	})
}

// Meta sends an escape first, so that esc and y in one read are this key.
func TestAKeyWithAltDoesNotAnswer(t *testing.T) {
	for _, mod := range []tea.KeyMod{tea.ModAlt, tea.ModCtrl, tea.ModAlt | tea.ModShift} {
		runDialog(t, fmt.Sprint(mod), charge, func(t *testing.T, c *dialog) {
			c.wait(time.Second)
			for _, code := range []rune{'y', 'n', tea.KeyEnter} {
				c.send(tea.KeyPressMsg{Code: code, Mod: mod}).wait(time.Second)
			}
			c.answered()
		})
	}
}

func TestAPasteNeverAnswers(t *testing.T) {
	run := func(s string) (msgs []tea.Msg) { // a paste without brackets: its keys at once
		for _, r := range s {
			switch r {
			case '\r', '\n':
				msgs = append(msgs, stroke("enter"))
			case '\t':
				msgs = append(msgs, stroke("tab"))
			default:
				msgs = append(msgs, typed(string(r))...)
			}
		}
		return msgs
	}
	right := stroke("right")
	for name, msgs := range map[string][]tea.Msg{
		"yes and enter":             {paste("yes\r")},
		"the amount, tab and enter": {paste("12.50\t\r")},
		"no brackets: y and enter":  run("y\r"),
		"no brackets: an arrow":     {right, stroke("enter")},
		"no brackets: the amount":   run("12.50\t\r"),
		"a part, then keys":         append([]tea.Msg{paste("12.5")}, run("0\t\r")...),
	} {
		for _, q := range []ui.Question{charge, chargeLive()} {
			for _, before := range []time.Duration{0, time.Second} {
				runDialog(t, fmt.Sprint(name, q.Typed, before), q, func(t *testing.T, c *dialog) {
					c.wait(before).send(msgs...).wait(2 * time.Second).answered()
				})
			}
		}
	}
}

func TestInLiveTheAmountIsTypedExactly(t *testing.T) {
	runDialog(t, "typed", chargeLive(), func(t *testing.T, c *dialog) {
		c.wait(time.Second).pressSlowly("enter").answered()
		sees(t, shown(c, 58, 14), "! Type 12.50 exactly as shown, or leave with esc", "▌ [Go back]")
		c.pressSlowly("1", "2", ".", "5", "enter").answered()
		c.pressSlowly("0").answered()
		sees(t, shown(c, 58, 14), "▌ [Charge]")
		c.pressSlowly("0", "enter").answered()
		sees(t, shown(c, 58, 14), "▌ [Go back]")
		c.pressSlowly("backspace", "enter").answered(accepted)
	})
	low := chargeLive()
	low.Grave, low.Lines = true, append(slices.Repeat(charge.Lines, 9), "If it was made before, the customer pays twice.")
	runDialog(t, "in a low window", low, func(t *testing.T, c *dialog) {
		sees(t, shown(c, 58, 9), charge.Title, charge.Lines[0]+"\n…\n"+low.Lines[9]+"\n"+charge.Place, "Type 12.50")
	})
	runDialog(t, "typed as soon as it is there", chargeLive(), func(t *testing.T, c *dialog) {
		c.pressSlowly("1", "2", ".", "5", "0", "enter").answered(accepted)
	})
	runDialog(t, "y and Yes are nothing without it", chargeLive(), func(t *testing.T, c *dialog) {
		c.wait(time.Second).pressSlowly("y", "right", "enter").answered()
		c.pressSlowly("left", "enter").answered()
		c.pressSlowly("esc").answered(declined)
	})
	runDialog(t, "pasted", chargeLive(), func(t *testing.T, c *dialog) {
		c.wait(time.Second).send(paste("12.50")).wait(time.Second)
		sees(t, shown(c, 58, 14), "! Paste ignored: type it by hand", "[       ")
		c.pressSlowly("right", "enter").answered()
	})
	runDialog(t, "a text with an n in it", ui.Question{Title: "Charge?", Yes: "Charge", No: "Go back", Typed: "9 NGN"}, func(t *testing.T, c *dialog) {
		c.wait(time.Second).pressSlowly("9", "space", "N", "G", "N", "tab", "enter").answered(accepted)
	})
}

func TestAClosedQuestionRefusesYesAndSaysWhy(t *testing.T) {
	why := "Sending is locked. Unlock it (ctrl+l)."
	q := charge
	q.Closed = func() string { return why }
	runDialog(t, "closed", q, func(t *testing.T, c *dialog) {
		c.wait(time.Second).pressSlowly("y").wait(time.Second).answered()
		if !strings.Contains(shown(c, 58, 14), "! "+why) {
			t.Errorf("the reason is not shown:\n%s", shown(c, 58, 14))
		}
		why = ""
		c.pressSlowly("y").wait(time.Second).answered(accepted)
	})
	why = "closed"
	runDialog(t, "no", q, func(t *testing.T, c *dialog) {
		c.wait(time.Second).pressSlowly("n").wait(time.Second).answered(declined)
	})
}

// The widgets with random keys and sizes.

var anyMsg = rapid.Custom(func(t *rapid.T) tea.Msg {
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return paste(rapid.OneOf(rapid.String(), rapid.StringMatching(`[0-9 ./,-]{0,24}[\r\n]*`)).Draw(t, "paste"))
	case 1, 2, 3, 4:
		return stroke(rapid.SampledFrom(slices.Sorted(maps.Keys(strokes))).Draw(t, "key"))
	case 5:
		return stroke(string(rapid.Rune().Draw(t, "rune")))
	case 6:
		return tea.MouseClickMsg{}
	}
	return stroke(rapid.StringMatching(`[0-9a-zA-Z./, 漢]`).Draw(t, "letter"))
})

func TestNoKeysAndNoSizeBreakAForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPaymentForm(t)
		for _, msg := range rapid.SliceOfN(anyMsg, 0, 60).Draw(t, "msgs") {
			p.Update(msg)
			fits(t, p)
		}
		before := values(p)
		for range 3 {
			fits(t, p)
		}
		if after := values(p); after != before {
			t.Fatalf("drawing changed %q to %q", before, after)
		}
	})
}

func TestNoKeysAndNoSizeBreakAConfirmation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := charge
		q.Title = rapid.OneOf(rapid.Just(q.Title), rapid.StringMatching(`[a-z漢 ]{0,200}`)).Draw(t, "title")
		q.Lines = rapid.SliceOfN(rapid.StringMatching(`[a-z漢 ]{0,100}`), 0, 20).Draw(t, "lines")
		q.Typed = rapid.SampledFrom([]string{"", "12.50", "9 NGN"}).Draw(t, "typed")
		c := ui.NewConfirm(theme, q)
		c.Init(ui.NewScope(context.Background(), &ui.Work{}, &ui.Clock{}, nil))
		for _, msg := range rapid.SliceOfN(anyMsg, 0, 20).Draw(t, "msgs") {
			c.Answer(msg, (&dialog{}).notes(accepted), (&dialog{}).notes(declined))
			fits(t, c)
		}
	})
}

// fits draws in a random size and fails if the drawing leaves it.
func fits(t *rapid.T, v interface {
	View(w, h int) (string, *tea.Cursor)
}) {
	w, h := rapid.IntRange(-1, 130).Draw(t, "w"), rapid.IntRange(-1, 40).Draw(t, "h")
	s, c := v.View(w, h)
	lines := strings.Split(s, "\n")
	if s != "" && len(lines) > h {
		t.Fatalf("%d lines in %d×%d", len(lines), w, h)
	}
	for _, line := range lines {
		if n := ansi.StringWidth(line); n > max(w, 0) {
			t.Fatalf("%d cells in %d×%d: %q", n, w, h, line)
		}
	}
	if c != nil && (c.X < 0 || c.Y < 0 || c.X >= w || c.Y >= h) {
		t.Fatalf("the cursor at %d,%d in %d×%d", c.X, c.Y, w, h)
	}
}

func values(p *paymentForm) string {
	pan, _ := p.pan.Value()
	amount, _ := p.amount.Value()
	expiry, _ := p.expiry.Value()
	return strings.Join([]string{pan.Expose(), amount.String(), expiry.String(), p.currency.Value(), p.channel.Value(), p.name.Value(), p.email.Value(),
		p.phone.Value(), p.city.Value(), p.country.Value(), p.narration.Value(), p.url.Value()}, "|")
}
