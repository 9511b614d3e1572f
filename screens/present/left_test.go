package present

import (
	"slices"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

func TestWhatIsLeftIsSaidInOneLineEach(t *testing.T) {
	pound, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	amount := money.Amount{Minor: 1250, Currency: pound}
	shop := ledger.Destination{Profile: "shop\x1b[2J\nx", Environment: "LIVE", Host: "pay.example"}
	for want, a := range map[string]ledger.Attempt{
		`UNRESOLVED 3f7k, 12.50 GBP, LIVE shop^[[2J\nx: It is not known whether this payment was made. Do not send it again: home lists it and says how to find out.`:                 {ID: "3f7k", Kind: ledger.Initiate, Amount: amount, Destination: shop},
		`UNRESOLVED 3f7k, REF1, LIVE shop^[[2J\nx: It is not known whether it was finalized. Do not send it again: home lists it and says how to find out.`:                           {ID: "3f7k", Kind: ledger.Finalize, Reference: "REF1", Destination: shop},
		`UNRESOLVED 3f7k, LIVE shop^[[2J\nx: It is not known whether this link was created. Do not send it again: home lists it and says how to find out.`:                            {ID: "3f7k", Kind: ledger.CreateLink, Destination: shop},
		`UNRESOLVED, 12.50 GBP, TEST a: It is not known whether this payment was made. Do not send it again: the journal is off, so look for it in the transactions.`:                 {Kind: ledger.Initiate, Amount: amount, Destination: ledger.Destination{Profile: "a", Environment: "TEST"}},
		`UNRESOLVED 3f7k, 12.50 GBP, SANDBOX demo: It is not known whether this payment was made. It was practice, and ended with the sandbox.`:                                       {ID: "3f7k", Kind: ledger.Initiate, Amount: amount, Destination: ledger.Destination{Profile: "demo", Environment: "SANDBOX"}},
		`MISMATCH 3f7k, 12.50 GBP, REF1, LIVE shop^[[2J\nx: The service's answer differs from what was asked for. Do not charge until you have decided what it means: home lists it.`: {ID: "3f7k", Kind: ledger.Initiate, Amount: amount, Reference: "REF1", Destination: shop, Mismatch: ledger.Mismatch{Difference: api.Difference{What: api.AmountDiffers}}},
	} {
		if got := Left([]ledger.Attempt{a}); len(got) != 1 || got[0] != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
	if got := Left(nil); got != nil {
		t.Error(got)
	}
	if got := Left(make([]ledger.Attempt, maxLeft)); len(got) != maxLeft || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "more") }) {
		t.Error(got)
	}
	if got := Left(make([]ledger.Attempt, 12)); len(got) != maxLeft+1 || got[maxLeft] != "7 more. Home lists them all." {
		t.Error(got)
	}
}
