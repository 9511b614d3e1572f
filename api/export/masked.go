package export

import (
	"encoding/json"
	"strings"

	"paydesk/api"
	"paydesk/api/card"
)

// Masked is a text of the service as files and the clipboard have it: one that looks like a card number is masked,
// whichever field it came in. The list shows an ID as it came, since one number in ten passes for a card's.
func Masked(t api.Text) string { return card.Redact(t.Line(0)) }

// IsWhole reports whether a text is a whole number as JSON has it.
func IsWhole(s string) bool {
	return s != "" && strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") == "" && json.Valid([]byte(s))
}
