package card

import (
	"testing"

	"paydesk/api/sandbox"
)

func TestPublishedTestNumbersAreKnownAndOthersAreNot(t *testing.T) {
	for _, n := range testNumbers {
		if p, err := ParsePAN(n); err != nil || !p.IsTest() {
			t.Errorf("%s: %v", n, err)
		}
	}
	for _, c := range sandbox.Cards() {
		if p, err := ParsePAN(c.Number); err != nil || !p.IsTest() {
			t.Errorf("the sandbox's %s: %v", c.Name, err)
		}
	}
	for _, n := range []string{"4242424242424200", "4539148803436467", "5425233430109903", "4242424242424242424"} {
		if p, _ := ParsePAN(n); p.IsTest() {
			t.Errorf("%s is taken for a test number", n)
		}
	}
	if (PAN{}).IsTest() {
		t.Error("no number is taken for one")
	}
}
