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
			{"100..250", "amount from 100 to 250"},
			{"status:fialed", "! This status is not known. Did you mean FAILED?"},
			{"stauts:failed", "! No such field. Did you mean status?"},
			{"failed,successful day:today", "! The service's list has no dates."},
			{"amount:10-20", "! Write a range with two dots, as in 100..250."},
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
		c.Press("ctrl+u").Type("failed,successful").Press("enter").WaitsUntilGone("status is FAILED").Sees("“failed,…”")
	}, consoletest.Size(60, 18))
}
