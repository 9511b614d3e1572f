package collect

import (
	"strings"
	"testing"
	"testing/synctest"

	"paydesk/api"
	"paydesk/api/ledger"
)

// A walk is one way through the screen that ends in a stage.
type walk struct {
	name string
	o    Options
	f    func(*fake)
	take func(*harness, string)
}

func walks() []walk {
	plain := func(*fake) {}
	filled := func(c *harness, pan string) {
		c.amount("g", "12.50").Press("enter")
		c.customer().card(pan, "1234"[:3])
	}
	sent := func(c *harness, pan string) { filled(c, pan); c.yes() }
	fails := func(err error) func(*fake) { return func(f *fake) { f.failed = err } }
	link := &api.Link{Alias: "0-abcdefg", HasAmount: true, Amount: gbp(1000)}
	return []walk{
		{"channels", Options{}, plain, func(c *harness, _ string) { c.amount("g", "12.50") }},
		{"channels failed", Options{}, func(f *fake) { f.refused = &api.Failure{Kind: api.KindDNS} },
			func(c *harness, _ string) { c.amount("g", "12.50") }},
		{"card", Options{}, plain, func(c *harness, pan string) { filled(c, pan); c.Press("esc") }},
		{"picker", Options{Cards: testCards}, plain, func(c *harness, pan string) { filled(c, pan); c.Press("esc", "ctrl+t") }},
		{"review", Options{Link: link}, plain, func(c *harness, pan string) {
			c.Press("enter", "enter")
			c.customer().fill(pan, "123", "1234", "https://shop.example/done", "Order 7", "order=7")
		}},
		{"live", Options{Target: live}, plain, filled},
		{"refused", Options{}, fails(&api.Refusal{Kind: api.KindService, Text: api.Clean("card number is odd")}), sent},
		{"unsent", Options{}, fails(&api.Failure{Kind: api.KindDNS}), sent},
		{"unresolved", Options{}, fails(&api.Unresolved{Kind: api.KindTimeout}), sent},
		{"duplicates", Options{Link: link}, func(f *fake) {
			f.failed = &ledger.Duplicate{Attempts: []ledger.Attempt{{ID: "a9z8y7x6w5", Amount: gbp(1000)}, {}, {}, {}, {}}}
		}, func(c *harness, pan string) {
			c.Press("enter", "enter")
			c.customer().fill(pan, "123", "1234", "https://shop.example/done", "Order 7", "order=7").yes().Sees("Type a9z8")
		}},
		{"sending", Options{}, func(f *fake) { f.answering = make(chan struct{}) }, sent},
	}
}

// A wide window has the preview beside the form.
func TestNoStageOverflowsItsBodyOrShowsMoreThanFourDigitsOfACard(t *testing.T) {
	for i, pan := range []string{visa, verve, "378282246310005"} {
		for _, walk := range walks() {
			if i > 0 && walk.name != "card" && walk.name != "live" {
				continue // the others show what these show
			}
			f := newFake(t)
			synctest.Test(t, func(t *testing.T) {
				t.Log(walk.name)
				walk.f(f)
				c := open(t, 118, 36, walk.o, f)
				walk.take(c, pan)
				sent := strings.NewReplacer(" ", "", "•", "").Replace(string(c.Bytes()))
				for i := range len(pan) - 4 {
					if five := pan[i : i+5]; strings.Contains(sent, five) {
						t.Fatalf("shows %s", five)
					}
				}
				c.Fits()
				if f.answering != nil {
					close(f.answering)
				}
			})
		}
	}
}
