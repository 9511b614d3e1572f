package present

import (
	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/ui"
)

// ClassOf returns how a class of rows is shown: by what the status means, and the service's own word where that is not known.
func ClassOf(c listing.Class) (ui.Tone, string) {
	switch {
	case c.Differs:
		return ui.ToneMismatch, Mismatch
	case c.State == api.Unrecognised:
		return ui.ToneUnknown, Quoted(c.Text, "NO STATUS")
	}
	s := api.Status{State: c.State}
	return Tone(s), ShortStatus(s)
}

// Quoted is a word as the service sent it, and none where it sent none.
func Quoted(word api.Text, none string) string {
	if word.Empty() {
		return none
	}
	return `"` + word.Line(20) + `"`
}
