package keystore

import (
	"fmt"
	"strings"
	"testing"
)

func TestASlotGivesTheKeyThatWasPutLast(t *testing.T) {
	old, err := ParseKey("sk_test_CANARYold")
	if err != nil {
		t.Fatal(err)
	}
	another, err := ParseKey("sk_test_CANARYnew")
	if err != nil {
		t.Fatal(err)
	}
	s := NewKeyHolder(old)
	if s.Expose() != old.Expose() {
		t.Error("it does not give the key it was made with")
	}
	s.Put(another)
	if s.Expose() != another.Expose() || old.IsZero() {
		t.Error("it does not give the key that was put there, or wiped the other")
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		if said := fmt.Sprintf(verb, s); strings.Contains(said, "CANARY") || strings.Contains(said, "43414e415259") {
			t.Errorf("%s shows the key", verb)
		}
	}
}
