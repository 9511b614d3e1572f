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

func presentMarkup(t *testing.T, d driver) {
	ctx := t.Context()
	// The page's origin is not known before the browser is started.
	r := newBrowserTest(t, d, true)
	reference, _ := r.challenge()
	v := r.send("GET", "/api/payment/pay/get-auth-3ds?referenceId="+reference, nil)
	page, err := challenge.Serve(ctx, api.NewMarkup(v["authenticationhtml"].(string)))
	must(t, err)
	t.Cleanup(func() { page.Close() })
	u, err := url.Parse(page.Address())
	must(t, err)
	r.known = append(r.known, "http://"+u.Host)
	r.visit(page.Address())
	r.eventually("the bank's question", func() bool { return strings.Contains(r.text(), "Do you approve") })
	r.press("button[value=approve]")
	r.returnedToShop()
	r.newestIs("PENDING", 1)
}
