package ledger

import (
	"reflect"
	"testing"

	"paydesk/api"
)

// What sends has a row in the table of kinds, and the row has everything: what it forgets would be sent twice.
func TestEveryKindThatIsSentHasAllItsRules(t *testing.T) {
	service, sending := reflect.TypeFor[api.Service](), 0
	for i := range service.NumMethod() {
		op := api.Operation(service.Method(i).Name)
		if op.Rule().Effect != api.Sends {
			continue
		}
		sending++
		rules := reflect.ValueOf(kinds[Kind(op.Rule().Records)])
		for field, v := range rules.Fields() {
			if v.IsZero() {
				t.Errorf("%s has no rule %q", op, field.Name)
			}
		}
	}
	if sending != len(kinds) {
		t.Errorf("%d operations send, and there are rules for %d kinds", sending, len(kinds))
	}
}
