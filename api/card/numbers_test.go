package card

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/quick"
)

func parse(t *testing.T, s string) PAN {
	t.Helper()
	p, err := ParsePAN(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOnlyTheNumbersOfTheSetAreRecognised(t *testing.T) {
	var k Numbers
	p := parse(t, "4242424242424242")
	if s := p.Expose(); k.Find(s) != "" || k.Hide(s) != s || k.Has(p) {
		t.Error("it knows a number that was not added")
	}
	k.Add(p)
	if !k.Has(p) || k.Has(parse(t, "4111111111111111")) || k.Has(PAN{}) {
		t.Error("it has other numbers than the one that was added")
	}
	k.Add(parse(t, "378282246310005"))
	k.Add(PAN{})
	p.Wipe()
	for s, want := range map[string]string{
		"4242424242424242":                   "<pan …4242>",
		"424242424242424242424":              "<pan …4242>42424", // the first of those that overlap
		"a 4242-4242-4242-4242b":             "a <pan …4242>b",
		"3782 822463 10005 and 4111 1111":    "<pan …0005> and 4111 1111",
		"\x004\x002\x004\x002 4242 42424242": "\x00<pan …4242>",
		"\xff4242\xff42424242\xff4242":       "\xff4242\xff42424242\xff4242",
	} {
		if got := k.Hide(s); got != want || (k.Find(s) != "") != (s != want) {
			t.Errorf("%q: %q, want %q; found %q", s, got, want, k.Find(s))
		}
	}
	if s := fmt.Sprintf("%+v %#v", &k, k.numbers); strings.Contains(s, "42424242") {
		t.Errorf("what is kept has the number: %s", s)
	}
}

func TestTheLastOfManyNumbersAreKnown(t *testing.T) {
	var k Numbers
	number := func(i int) string {
		for c := range 10 {
			if s := fmt.Sprintf("4%014d%d", i, c); Luhn([]byte(s)) {
				return s
			}
		}
		return ""
	}
	var all sync.WaitGroup
	for i := range 2 * maxNumbers {
		k.Add(parse(t, number(i)))
		all.Go(func() { k.Hide(number(i)) })
	}
	all.Wait()
	if k.Find(number(2*maxNumbers-1)) == "" || k.Find(number(maxNumbers)) == "" || k.Find(number(0)) != "" || len(k.numbers) != maxNumbers {
		t.Errorf("%d are known", len(k.numbers))
	}
}

func TestHidingChangesNothingElse(t *testing.T) {
	var k Numbers
	k.Add(parse(t, "4242424242424242"))
	if err := quick.Check(func(s string) bool { return k.Hide(s) == s }, nil); err != nil {
		t.Error(err)
	}
	if err := quick.Check(func(a, b string) bool {
		return strings.HasPrefix(k.Hide(a+"x4242424242424242x"+b), a+"x<pan ")
	}, nil); err != nil {
		t.Error(err)
	}
}
