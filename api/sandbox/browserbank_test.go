//go:build browser

package sandbox_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"paydesk/api"
	challenge "paydesk/api/browser"
)

func answerTheBank(r *browserTest) {
	for count, c := range []struct{ decision, state string }{{"approve", "PENDING"}, {"reject", "FAILED"}, {"leave", "INITIATED"}} {
		_, bank := r.challenge()
		r.visit(bank)
		r.checkPage()
		r.press("button[value=" + c.decision + "]")
		r.returnedToShop()
		r.newestIs(c.state, count+1)
	}
}

func closeTheBank(r *browserTest) {
	reference, bank := r.challenge()
	bank = strings.Replace(bank, "redirect=true", "redirect=false", 1)
	r.visit(r.shop)
	r.listen()
	r.run(`window.open(`+"`"+bank+"`"+`); return null`, nil)
	windows := func() (all []string) { r.call("GET", r.address+"/window/handles", nil, &all); return all }
	r.eventually("a second window", func() bool { return len(windows()) == 2 })
	both := windows()
	r.call("POST", r.address+"/window", map[string]string{"handle": both[1]}, nil)
	r.eventually("the question", func() bool { return strings.Contains(r.text(), "Do you approve") })
	r.press("button[value=approve]")
	r.eventually("the window closing", func() bool { return len(windows()) == 1 })
	r.call("POST", r.address+"/window", map[string]string{"handle": both[0]}, nil)
	r.told(reference, "approved")
	r.newestIs("PENDING", 1)
	r.visit(bank)
	r.says("You approved the payment", "You can close this window.")
	r.picture("12-close")
	r.excused = "Scripts may close only the windows that were opened by them."
}

// listen makes the shop keep what windows and frames tell it.
func (r *browserTest) listen() {
	r.t.Helper()
	r.run(`window.told = []; addEventListener('message', m => told.push([m.origin, m.data])); return null`, nil)
}

// told checks that the shop was told of an answer, by the sandbox and once.
func (r *browserTest) told(reference, answer string) {
	r.t.Helper()
	var told []json.RawMessage
	r.eventually("telling the shop", func() bool { r.run(`return window.told`, &told); return len(told) > 0 })
	want := `["` + r.origin + `",{"answer":"` + answer + `","reference":"` + reference + `","source":"paydesk-sandbox"}]`
	var got any
	json.Unmarshal(told[0], &got)
	if b, _ := json.Marshal(got); len(told) != 1 || string(b) != want {
		r.t.Errorf("the shop was told %s, want once %s", told, want)
	}
}

func frameTheBank(r *browserTest) {
	for count, c := range []struct{ decision, answer, state string }{
		{"approve", "approved", "PENDING"}, {"reject", "rejected", "FAILED"}, {"leave", "left", "INITIATED"},
	} {
		reference, bank := r.challenge()
		r.visit(r.shop)
		r.listen()
		r.run(`const f = document.createElement('iframe'); f.width = 500; f.height = 500;
f.src = "`+strings.Replace(bank, "redirect=true", "redirect=false", 1)+`"; document.body.append(f); return null`, nil)
		r.call("POST", r.address+"/frame", map[string]int{"id": 0}, nil)
		r.says("Do you approve this payment?")
		r.press("button[value=" + c.decision + "]")
		r.says("You can close this window.")
		r.call("POST", r.address+"/frame", map[string]any{"id": nil}, nil)
		r.told(reference, c.answer)
		r.newestIs(c.state, count+1)
	}
}

func presentMarkup(t *testing.T, d driver) {
	ctx := t.Context()
	// The page's origin is not known before the browser is started.
	r := newBrowserTest(t, d, true)
	reference, _ := r.challenge()
	v := r.send("GET", "/api/payment/pay/get-auth-3ds?referenceId="+reference, nil)
	page, err := challenge.Serve(ctx, api.NewMarkup(v["authenticationhtml"].(string)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { page.Close() })
	u, err := url.Parse(page.Address())
	if err != nil {
		t.Fatal(err)
	}
	r.known = append(r.known, "http://"+u.Host)
	r.visit(page.Address())
	r.eventually("the bank's question", func() bool { return strings.Contains(r.text(), "Do you approve") })
	r.press("button[value=approve]")
	r.returnedToShop()
	r.newestIs("PENDING", 1)
}

func payFromAccount(r *browserTest) {
	r.visit(r.withReturnURL(r.link("A mug", "GBP", 0, 12.5)))
	r.press("#channel-paybyaccount")
	var shown bool
	if r.run(`return document.querySelector('#card').checkVisibility()`, &shown); shown {
		r.t.Error("a card is asked for where none is needed")
	}
	r.picture("14-account-form")
	r.fillInCustomer()
	r.press("#pay")
	r.says("Do you approve this payment?", "from your account")
	r.checkPage()
	r.picture("15-account-bank")
	r.press("button[value=approve]")
	r.returnedToShop()
	r.newestIs("PENDING", 1)
}

func payByInterac(r *browserTest) {
	r.visit(r.withReturnURL(r.link("A mug", "CAD", 0, 12.5)))
	r.checkPage()
	r.fillInCustomer()
	r.press("#pay")
	r.says("Approve the request in your e-mail", "ada@shop.example", "looks again every 5 seconds")
	r.checkPage()
	r.picture("16-interac")
	if all := r.sandbox.Payments(); !r.sandbox.Approve(all[0].Reference) { // in the e-mail, elsewhere
		r.t.Fatal("there is nothing to approve")
	}
	r.returnedToShop() // by itself
	r.newestIs("PENDING", 1)
}
