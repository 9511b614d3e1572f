package activity

import (
	"testing"
	"time"
)

func TestAPurgeIsPreviewedConfirmedAndReported(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) { // 20 days
		d.Press("x").Sees("Nothing is older than 90 days.").Press("enter").Sees("There is nothing to delete.")
		d.Press("ctrl+u").Type("7").Sees("1,771 attempts are older than 7 days, in all profiles.", "221 unresolved or mismatched ones are kept").Golden("purge")
		d.Fits().Press("ctrl+u").Sees("Delete old attempts").WaitsUntilGone("older than 7").Type("0").Press("enter").Sees("Enter a whole number of days").Fits()
		d.Press("ctrl+u").Type("7").Press("enter").Sees("Delete 1,771 attempts permanently?").Wait(time.Second).Golden("purge-confirm")
		d.Fits().Slowly("1771").Press("tab").Wait(time.Second).Press("enter").Wait(time.Second)
		d.Sees("1,771 attempts were deleted. 221 unresolved or mismatched ones are kept", "1,229 attempts of this service").Golden("purge-done")
		if len(d.rows) != 1229 {
			t.Errorf("%d rows are left", len(d.rows))
		}
	})
}

func TestAPurgeIsNotDoneWithoutTheCount(t *testing.T) {
	open(t, 80, 24, rows(3000), func(d *screen) {
		d.Press("x", "ctrl+u").Type("7").Press("enter").Wait(time.Second)
		d.Paste("1771").Wait(time.Second).Press("tab").Wait(time.Second).Press("enter").Wait(time.Second).Sees("Delete 1,771 attempts permanently?")
		d.Slowly("1770").Press("enter").Wait(time.Second).Sees("Type 1771 exactly as shown")
		d.Press("esc").Sees("Keep days").Press("esc").Sees("3,000 attempts")
		if len(d.rows) != 3000 {
			t.Errorf("%d rows are left", len(d.rows))
		}
	})
}
