//go:build unix

package screens_test

import (
	"strings"
	"testing"
)

// On a host without a keyring the key is sealed, which makes five questions: an address twice, where the key is kept, the
// key and its passphrase. It takes seconds: the program works for one on each passphrase.
func TestTheFirstRunOfTheProgramLeadsToAProfileThatIsFoundAgain(t *testing.T) {
	t.Parallel()
	_, origin := serve(t, nil)
	e := newSetting(t)
	v := open(t, e, 80, 24)
	v.Sees("There is no configuration yet", "Try the demo", "Create a test profile", "write the file yourself")
	v.Press("n")
	v.Fill("Base URL", origin)
	v.Press("ctrl+s")
	v.Sees("A paydesk sandbox answers at this address", "sealed there with a passphrase")
	v.Type(programKey)
	v.Press("enter")
	v.Sees("New passphrase")
	for range 2 {
		v.Type(passphrase)
		v.Press("enter")
	}
	v.Sees("First run", "it works", "✓ Payments", "it is in the sealed file")
	v.Press("enter")
	v.Sees("Menu", "key age")
	v.Press("ctrl+c")
	if s := v.gone(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
	v = open(t, e, 80, 24) // and it is found again
	v.Sees("The key is sealed in", "Passphrase", strings.TrimPrefix(origin, "http://"))
	v.Type(passphrase)
	v.Press("enter")
	v.Sees("Menu", "key age")
	v.Press("ctrl+c")
	v.gone()
	v.noSecret(e)
}

const passphrase = "four words are best"
