package screens_test

import (
	"strings"
	"testing"

	"paydesk/screens/consoletest"
)

// In the smallest window: that nothing moves in others is tested in package present.
func TestAQueryIsExplainedWhileItIsTyped(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		at := func() int { // the line of the list's titles
			before, _, _ := strings.Cut(c.Screen(), "Status ")
			return strings.Count(before, "\n")
		}
		c.Press("2").Sees(" rows read").Press("/").Sees("status:failed,pending")
		list := at()
		for _, step := range []struct{ typed, meaning string }{
			{"failed,successful", "status is FAILED or SUCCESSFUL"},
			{"-currency:xof", "currency is not XOF"},
			{"amount:>=0.01", "amount 0.01 or more"},
			{"100..250", "amount from 100 to 250"},
			{"-amount:1000000..2000000", "amount known and not from 1,000,000 to 2,000,000"},
			{`-id:zz* -"two words"`, "ID does not begin with zz"},
			{"status:fialed", "! This status is not known. Did you mean FAILED?"},
			{"stauts:failed", "! No such field. Did you mean status?"},
			{"failed,successful day:today", "! The service's list has no dates."},
			{"amount:250..100", "! Write the smaller amount first, as in 100..250."},
			{"amount:1,234", "! Leave this comma out, or put a blank after it"},
			{"amount:10-20", "! Write a range with two dots, as in 100..250."},
			{">20gbp", "! Write the currency apart, as in >100 gbp."},
			{"failed pending", "! No row has two."},
			{"failed or pending", "! Write a comma for “or”, as in failed,pending."},
			{`"never closed`, "! Close the quotation marks"},
		} {
			c.Press("ctrl+u").Type(step.typed).Sees(step.meaning)
			if wrong := strings.HasPrefix(step.meaning, "!"); wrong != c.Has("^^") {
				t.Errorf("is %q marked? %v", step.typed, !wrong)
			}
			if now := at(); now != list && c.Has("Status ") {
				t.Errorf("the list moved from %d to %d with %q", list, now, step.typed)
			}
		}
		c.Press("enter").Sees("! Close the quotation marks").Press("backspace")
		c.Press("ctrl+u").Type("failed,successful").Press("enter").WaitsUntilGone("status is FAILED").Sees("“failed,successful”")
	}, consoletest.Size(60, 18))
}
