package payment

import (
	"fmt"
	"testing"

	"paydesk/api"
)

func TestWhatIsPastedAtOnceIsSortedOut(t *testing.T) {
	p := &prompt{known: []api.Reference{"4242424242424242"}}
	s := p.take(" REF-1,\r\n\"REF-2\"\n\n6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f\nREF-1\n5555 5555 5555 4444\n4242424242424242\n" +
		"no reference\nsk_test_abcdef0123456789\n../etc\nREF-3\tpaid\n4000\n0566\n5566\n5556\n1234\nREF-4\n\x1b[2Jevil\n")
	got := fmt.Sprint(s.references, s.again, s.cards, s.keys, s.others)
	want := "[REF-1 REF-2 6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f <pan …4242> 1234 REF-4] 1 5 1 4"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if s := p.take("\n \n"); len(s.references)+s.others != 0 {
		t.Errorf("%+v", s)
	}
}

// A card number is copied in the groups that are printed on it, or as a narrow column has broken it.
func TestGroupsOfACardNumberAreNoReferences(t *testing.T) {
	for paste, want := range map[string]string{
		"3782\n822463\n10005\nREF-1":  "[REF-1] 3",
		"REF-1\n4000 0566\n5566 5556": "[REF-1] 2",
		"4000056655\n665556\nREF-2":   "[REF-2] 2",
		"40000566\n55665557":          "[40000566 55665557] 0", // the check digit says that it is none
	} {
		if s := (&prompt{}).take(paste); fmt.Sprint(s.references, s.cards) != want {
			t.Errorf("%q: %v, %d lines of cards, want %s", paste, s.references, s.cards, want)
		}
	}
	watch(t, &payments{}, "", func(c *console) {
		c.Paste("3782\n822463\n10005\nREF-1").Sees("1 reference to pin", "3 lines with card numbers were removed.").WaitsUntilGone("3782", "822463", "10005")
	})
}
