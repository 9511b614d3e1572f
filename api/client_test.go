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
		"no key":                  func(c *api.Config) { c.Key = nil },
		"a key of two lines":      func(c *api.Config) { c.Key = key("sk_test_EXAMPLE\nX: y") },
		"an idempotency header":   func(c *api.Config) { c.KeyHeader = "Idempotency-Key" },
		"the header of hosts":     func(c *api.Config) { c.KeyHeader = "Host" },
		"a path without a place":  func(c *api.Config) { c.StatusPath = "/status" },
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
