package api

import (
	"reflect"
	"testing"
)

func TestEachOperationOfTheServiceHasItsRule(t *testing.T) {
	service := reflect.TypeFor[Service]()
	if n := service.NumMethod(); n != len(rules) {
		t.Errorf("%d methods and %d rules", n, len(rules))
	}
	for m := range service.Methods() {
		r := Operation(m.Name).Rule()
		switch {
		case r.Effect == 0 || r.Allowed == 0:
			t.Errorf("%s has no rule", m.Name)
		case r.Effect == Sends && (r.Records == "" || r.Allowed != WhenUnlocked):
			t.Errorf("%s changes something: it must be recorded, and allowed only when unlocked", m.Name)
		case r.Effect != Sends && r.Records != "":
			t.Errorf("%s changes nothing, but its rule records it", m.Name)
		case r.Effect == Local && r.Allowed != Always:
			t.Errorf("%s never leaves the program, and its rule speaks of what does", m.Name)
		case r.Effect == Reads && r.Allowed == Always:
			t.Errorf("%s needs the key, and does not wait for it", m.Name)
		}
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
