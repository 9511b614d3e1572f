package cli_test

import (
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
)

// Each of these lines is what no command may print.
func TestALineThatIsNotDocumentedIsFound(t *testing.T) {
	const good = `{"schema":"paydesk.status/1","reference":"A1","status":{"word":"Successfull","means":"SUCCESSFUL","final":true,"success":true},` +
		`"at":"2026-11-23T09:00:00Z","amount":{"amount":"12.50","currency":"GBP","minor":"1250","exponent":2},"amount_stated":true,"made_here":true,"exit":0}` + "\n"
	must(t, clitest.CheckObject(good))
	for name, change := range map[string][2]string{
		"schema":            {"paydesk.status/1", "paydesk.status/2"},
		"further member":    {`"exit":0`, `"exit":0,"more":1`},
		"missing member":    {`"made_here":true,`, ``},
		"empty member":      {`"exit":0`, `"means":"","exit":0`},
		"null":              {`"exit":0`, `"mismatch":null,"exit":0`},
		"order":             {`"schema":"paydesk.status/1","reference":"A1"`, `"reference":"A1","schema":"paydesk.status/1"`},
		"second object":     {"}\n", "}{}\n"},
		"blank":             {`"exit":0`, `"exit": 0`},
		"no zone":           {"09:00:00Z", "09:00:00"},
		"number":            {`"12.50"`, `12.50`},
		"other minor units": {`"1250"`, `"125"`},
		"other decimals":    {`"exponent":2`, `"exponent":3`},
		"not final":         {`"final":true`, `"final":false`},
		"other meaning":     {`"SUCCESSFUL"`, `"PENDING"`},
		"mismatch":          {`"exit":0`, `"mismatch":{"differs":["amount"]},"exit":0`},
		"problem":           {`"exit":0`, `"problem":{"what":"x"},"exit":0`},
	} {
		line := strings.Replace(good, change[0], change[1], 1)
		if line == good {
			t.Fatalf("%s changes nothing", name)
		}
		if clitest.CheckObject(line) == nil {
			t.Errorf("%s is not found: %s", name, line)
		}
	}
}
