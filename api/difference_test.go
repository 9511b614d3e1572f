package api

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"paydesk/api/money"
)

// differs fails unless a difference is in what is wanted, and says so.
func differs(t *testing.T, d Difference, asked Asked, want, words string) {
	t.Helper()
	if d.What.String() != want || d.IsZero() != (want == "") {
		t.Errorf("differs in %q, want %q", d.What, want)
	}
	if got := d.Words(asked); !strings.Contains(got, words) || d.IsZero() != (got == "") {
		t.Errorf("%q does not say %q", got, words)
	}
}

func TestAnAnswerIsComparedWithWhatWasAsked(t *testing.T) {
	pound, naira := currency(t, "GBP"), currency(t, "NGN")
	gbp := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: pound} }
	paid := func(a money.Amount) PaymentStatus {
		return PaymentStatus{Reference: "REF", Status: ParseStatus("PENDING"), Amount: a, HasAmount: true}
	}
	raw := func(text string) PaymentStatus { return PaymentStatus{Reference: "REF", AmountText: CleanASCII(text)} }
	about := func(asked Reference, named string) PaymentStatus {
		t := paid(gbp(9900))
		t.Reference, t.OtherReference = asked, CleanASCII(named)
		return t
	}
	brought := func(word string, received money.Amount) PaymentStatus {
		t := paid(gbp(1250))
		t.Status, t.Received = ParseStatus(word), received
		return t
	}
	elsewhere, secured := Asked{Reference: "REF"}, ParseStatus("SUCCESSFUL")
	plain := Asked{Reference: "REF", OwnReference: "OWN1", Amount: gbp(1250)}
	fees, total, both, huge, final := plain, plain, plain, plain, plain
	fees.Fees, total.Total, both.Fees, both.Total = gbp(19), gbp(1269), gbp(19), gbp(125000)
	huge.Total, final.Status = gbp(125000), ParseStatus("Successfull")
	disagreeing := plain
	disagreeing.Fees, disagreeing.Total = gbp(19), gbp(1300)
	hugeFees := plain
	hugeFees.Fees = gbp(123750)
	for name, test := range map[string]struct {
		asked Asked
		got   PaymentStatus
		want  string // what differs
		words string
	}{
		"the same":                         {plain, paid(gbp(1250)), "", ""},
		"a hundredfold":                    {plain, paid(gbp(125000)), "amount", "1,250.00 GBP: 100 times too large"},
		"a hundredth":                      {Asked{Reference: "REF", Amount: gbp(1200)}, paid(gbp(12)), "amount", "100 times too small"},
		"one more":                         {plain, paid(gbp(1251)), "amount", "requested 12.50 GBP, but the service reported 12.51 GBP"},
		"another currency":                 {plain, paid(money.Amount{Minor: 1250, Currency: naira}), "currency", "a different currency"},
		"nothing at all":                   {plain, paid(gbp(0)).For(plain), "amount", "reported 0.00 GBP"},
		"both":                             {plain, paid(money.Amount{Minor: 1, Currency: naira}), "amount, currency", "0.01 NGN"},
		"no amount":                        {plain, raw(""), "", ""},
		"the number alone":                 {plain, raw("12.50"), "", ""},
		"another number alone":             {plain, raw("12.51"), "amount", "12.51 GBP"},
		"nothing but another currency":     {plain, raw("USD"), "amount", "cannot be read: USD"},
		"a total that disagrees with fees": {disagreeing, paid(gbp(1300)), "amount", "13.00"},
		"with the stated fees":             {fees, paid(gbp(1269)), "", ""},
		"without the stated fees":          {fees, paid(gbp(1231)), "amount", "12.31"},
		"the stated total":                 {total, paid(gbp(1269)), "", ""},
		"a total that the fees contradict": {both, paid(gbp(125000)), "amount", "100 times"},
		"a total in the wrong unit":        {huge, paid(gbp(125000)), "amount", "100 times"},
		"fees in the wrong unit":           {hugeFees, paid(gbp(125000)), "amount", "100 times"},
		"nothing asked":                    {elsewhere, paid(gbp(1)), "", ""},
		"elsewhere, all was received":      {elsewhere, brought("SUCCESSFUL", gbp(1250)), "", ""},
		"elsewhere, more was received":     {elsewhere, brought("SUCCESSFUL", gbp(1500)), "", ""},
		"elsewhere, and no word of it":     {elsewhere, brought("SUCCESSFUL", money.Amount{}), "", ""},
		"elsewhere, a part so far":         {elsewhere, brought("PENDING", gbp(1)), "", ""},
		"elsewhere, a part":                {elsewhere, brought("SUCCESSFUL", gbp(1)), "amount", "the payment is for 12.50 GBP, but 0.01 GBP was received"},
		"elsewhere, other money":           {elsewhere, brought("SUCCESSFUL", money.Amount{Minor: 1250, Currency: naira}), "currency", "for 12.50 GBP, but 12.50 NGN was received"},
		"elsewhere, and then more":         {Asked{Reference: "REF", Earlier: gbp(1250)}, paid(gbp(1251)), "amount", "an earlier answer was for 12.50 GBP, a later one is for 12.51 GBP"},
		"elsewhere, in another currency":   {Asked{Reference: "REF", Earlier: gbp(1250)}, paid(money.Amount{Minor: 1250, Currency: naira}), "currency", "a later one is for 12.50 NGN"},
		"elsewhere, and then unreadable":   {Asked{Reference: "REF", Earlier: gbp(1250)}, raw("12.505 GBP"), "amount", "was for 12.50 GBP, but the amount in a later one cannot be read: 12.505 GBP"},
		"asked for, whatever came before":  {Asked{Reference: "REF", Amount: gbp(1250), Earlier: gbp(1)}, paid(gbp(1250)), "", ""},
		"more was received":                {plain, brought("SUCCESSFUL", gbp(1500)), "", ""},
		"a part was received so far":       {plain, brought("PENDING", gbp(500)), "", ""},
		"a part was received":              {plain, brought("SUCCESSFUL", gbp(500)), "amount", "5.00 GBP"},
		"nothing was received":             {plain, brought("SUCCESSFUL", gbp(0)), "amount", "0.00 GBP"},
		"other money was received":         {plain, brought("SUCCESSFUL", money.Amount{Minor: 1250, Currency: naira}), "currency", "12.50 NGN"},
		"another payment":                  {plain, about("REF", "OTHER"), "reference", "asked about REF, but the service answered about OTHER"},
		"payments named as cards are":      {Asked{Reference: "4111111111111111"}, about("4111111111111111", "5555555555554444"), "reference", "asked about <pan …1111>, but the service answered about <pan …4444>"},
		"ours, named by the service's":     {plain, about("OWN1", "OTHER"), "amount", "99.00"},
		"ours, named by our own":           {plain, about("REF", "OWN1"), "amount", "99.00"},
		"ours, in another case":            {plain, about("REF", "own1"), "reference", "answered about own1"},
		"final, and the same":              {final, PaymentStatus{Reference: "REF", Status: ParseStatus("SUCCESSFUL")}, "", ""},
		"final, and then something else":   {final, PaymentStatus{Reference: "REF", Status: ParseStatus("FAILED")}, "status", "SUCCESSFUL was followed by FAILED"},
		"final, and then nothing":          {final, PaymentStatus{Reference: "REF"}, "status", "an answer without a status"},
		"elsewhere, an unreadable part": {elsewhere, PaymentStatus{Reference: "REF", Status: secured, Amount: gbp(1250), HasAmount: true, ReceivedText: Clean("all")},
			"amount", "the payment is for 12.50 GBP, but the amount received cannot be read: all"},
		"elsewhere, of something": {elsewhere, PaymentStatus{Reference: "REF", Status: secured, AmountText: Clean("2OO GBP"), Received: gbp(1250)},
			"amount", "the amount that the service reported cannot be read: 2OO GBP"},
		"elsewhere, two numbers": {elsewhere, PaymentStatus{Reference: "REF", Status: secured, AmountText: Clean("200"), ReceivedText: Clean("100")},
			"amount", "cannot be read: 200"},
		"elsewhere, one number twice": {elsewhere, PaymentStatus{Reference: "REF", Status: secured, AmountText: Clean("200"), ReceivedText: Clean("200")}, "", ""},
	} {
		t.Run(name, func(t *testing.T) { differs(t, test.got.Compare(test.asked), test.asked, test.want, test.words) })
	}
}

// What once differed stays, whatever is answered later, and shows the latest value.
func TestADifferenceStays(t *testing.T) {
	pound := currency(t, "GBP")
	asked := Asked{Reference: "REF", Amount: money.Amount{Minor: 1250, Currency: pound}}
	rapid.Check(t, func(t *rapid.T) {
		var kept Difference
		var last int64
		for _, minor := range rapid.SliceOf(rapid.SampledFrom([]int64{1250, 1251, 125000})).Draw(t, "answers") {
			kept = kept.Then(PaymentStatus{Reference: "REF", Amount: money.Amount{Minor: minor, Currency: pound}, HasAmount: true}.Compare(asked))
			if minor != 1250 {
				last = minor
			}
			if kept.IsZero() != (last == 0) || kept.Answered.Minor != last {
				t.Fatalf("after %d it is %+v", minor, kept)
			}
		}
	})
}

// The answer to an initiation is never final.
func TestAClaimIsNotFinal(t *testing.T) {
	for word, want := range map[string]State{
		"SUCCESSFUL": Claimed, "successfull": Claimed, "Failed": Claimed, "PENDING": Pending, "INITIATED": Initiated,
		"CLAIMED": Unrecognised, "REQUIRE_BANK_AUTH": BankAuthRequired, "": Unrecognised,
	} {
		if s := ParseClaim(word); s.State != want || s.State.Final() {
			t.Errorf("%s is %v", word, s.State)
		}
	}
	for s := range Claimed + 1 {
		if StateOf(s.String()) != s {
			t.Errorf("%v is lost", s)
		}
	}
	if ParseStatus("CLAIMED").State != Unrecognised || StateOf("claimed") != Unrecognised {
		t.Error("the service's word is taken for ours")
	}
}
