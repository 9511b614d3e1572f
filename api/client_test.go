package api_test

import (
	"strings"
	"testing"

	"paydesk/api"
)

func TestNewRejectsWhatCannotWork(t *testing.T) {
	whole := api.Config{BaseURL: "https://a.example", ListURL: "https://b.example", Key: secret}
	if _, err := api.New(whole); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*api.Config){
		"no base":                 func(c *api.Config) { c.BaseURL = "" },
		"a base with a login":     func(c *api.Config) { c.BaseURL = "https://user:sk@evil.example" },
		"no list":                 func(c *api.Config) { c.ListURL = "" },
		"a list elsewhere":        func(c *api.Config) { c.ListURL = "http://evil.example" },
		"no key":                  func(c *api.Config) { c.Key = nil },
		"an empty key":            func(c *api.Config) { c.Key = key("") },
		"a key of two lines":      func(c *api.Config) { c.Key = key("sk_test_EXAMPLE\nX: y") },
		"a blank in the key":      func(c *api.Config) { c.Key = key("sk test") },
		"a header of two words":   func(c *api.Config) { c.KeyHeader = "X Api" },
		"a header with a colon":   func(c *api.Config) { c.KeyHeader = "X-Api:" },
		"a header beyond ASCII":   func(c *api.Config) { c.KeyHeader = "X-\u0410pi" },
		"an idempotency header":   func(c *api.Config) { c.KeyHeader = "Idempotency-Key" },
		"another one":             func(c *api.Config) { c.KeyHeader = "x-idempotency-key" },
		"the header of hosts":     func(c *api.Config) { c.KeyHeader = "Host" },
		"a path without a place":  func(c *api.Config) { c.StatusPath = "/status" },
		"a path with two":         func(c *api.Config) { c.StatusPath = "/{reference}/{reference}" },
		"a path of another host":  func(c *api.Config) { c.StatusPath = "//evil.example/{reference}" },
		"a path with a login":     func(c *api.Config) { c.StatusPath = "@evil.example/{reference}" },
		"a path that climbs":      func(c *api.Config) { c.StatusPath = "/a/../{reference}" },
		"a path with a fragment":  func(c *api.Config) { c.AuthenticatePath = "/a?x={reference}#y" },
		"a path with a blank":     func(c *api.Config) { c.AuthenticatePath = "/a b/{reference}" },
		"a path with a bad %":     func(c *api.Config) { c.AuthenticatePath = "/%zz/{reference}" },
		"a user agent with lines": func(c *api.Config) { c.UserAgent = "a\r\nb" },
	} {
		c := whole
		change(&c)
		_, err := api.New(c)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if strings.Contains(err.Error(), "evil") || strings.Contains(err.Error(), "sk") {
			t.Errorf("%s: the error repeats what was given: %v", name, err)
		}
	}
}

// Gateways and services that repeat a request in their response must not bring the card or the key
// back.
func TestAResponseThatRepeatsTheRequestHidesTheCardAndTheKey(t *testing.T) {
	for _, as := range []string{"application/json", "text/html"} {
		for _, code := range []int{200, 400, 500} {
			c, _ := newClient(t, echo(as, code))
			for _, operation := range []string{"initiate", "finalize", "transaction", "transactions"} {
				err := try(t.Context(), c, operation)
				if err == nil {
					t.Fatalf("%s %d: no error", as, code)
				}
				text := err.Error() + strings.Join(describeError(err), "\n")
				hiding := []string{string(secret)}
				if operation == "initiate" { // the others send no card
					hiding = append(hiding, pan, "4242 4242 4242 4242", "4242-4242-4242-4242", `"`+cvv+`"`, "cvv "+cvv+".")
				}
				for _, hidden := range hiding {
					if strings.Contains(text, hidden) {
						t.Errorf("%s %d %s tells %q: %s", as, code, operation, hidden, text)
					}
				}
				if !strings.Contains(text, "[key]") || operation == "initiate" && !strings.Contains(text, "<pan …4242>") {
					t.Errorf("%s %d: nothing was repeated, so this proves nothing: %s", as, code, text)
				}
			}
		}
	}
}
