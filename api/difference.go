package api

import (
	"strings"

	"paydesk/api/money"
)

// Asked is what an answer about a payment is compared with.
type Asked struct {
	Reference    Reference
	OwnReference string       // ours; "" when none was sent
	Amount       money.Amount // zero when it is not known: amounts are then not compared
	// Fees and Total are what the answer to the initiation stated; zero when it stated none.
	Fees, Total money.Amount
	Status      Status // the last one reported
}

// Aspects are what differs, as a set.
type Aspects int

// The aspects.
const (
	AmountDiffers Aspects = 1 << iota
	CurrencyDiffers
	ReferenceDiffers
	StatusDiffers // a status contradicts the final one before it
)

// String names the aspects: "amount, reference".
func (a Aspects) String() string {
	var words []string
	for i, word := range [...]string{"amount", "currency", "reference", "status"} {
		if a&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

// A Difference is how answers about a payment differ from what was asked. The zero Difference is
// none.
type Difference struct {
	What      Aspects
	Answered  money.Amount // zero when it cannot be read, or does not differ
	Text      Text         // the amount in the answer, when it cannot be read
	Reference Text         // the reference in the answer, when it differs
	Status    Text         // the status in the answer, when it contradicts the final one
}

// IsZero reports whether nothing differs.
func (d Difference) IsZero() bool { return d.What == 0 }

// Then is what differs after a later answer. What once differed stays, with its latest value.
func (d Difference) Then(later Difference) Difference {
	if later.What&(AmountDiffers|CurrencyDiffers) != 0 {
		d.Answered, d.Text = later.Answered, later.Text
	}
	if later.What&ReferenceDiffers != 0 {
		d.Reference = later.Reference
	}
	if later.What&StatusDiffers != 0 {
		d.Status = later.Status
	}
	d.What |= later.What
	return d
}

// Words say what differs, with both values: "requested 12.50 GBP, but the service reports …".
func (d Difference) Words(asked Asked) string {
	var words []string
	switch {
	case d.What&(AmountDiffers|CurrencyDiffers) == 0:
	case !d.Text.Empty():
		words = append(words, "requested "+asked.Amount.String()+
			", but the amount that the service reports cannot be read: "+d.Text.Line(40))
	default:
		words = append(words, Mismatch(asked.Amount, d.Answered).Line(0))
	}
	if d.What&ReferenceDiffers != 0 {
		words = append(words, "asked about "+string(asked.Reference)+", but the service answers about "+d.Reference.Line(80))
	}
	if d.What&StatusDiffers != 0 {
		words = append(words, "the final status "+asked.Status.State.String()+" was followed by "+statusWord(d.Status))
	}
	return strings.Join(words, "; ")
}

func statusWord(t Text) string {
	if t.Empty() {
		return "an answer without a status"
	}
	return t.Line(40)
}

// Compare compares the answer about a payment with what was asked. A payment may be asked for, and
// be named, by our own reference too (2.12). An answer about another payment is not compared any
// further: neither its amount nor its status are about ours.
func (t Transaction) Compare(asked Asked) Difference {
	if t.aboutAnother(asked) {
		return Difference{What: ReferenceDiffers, Reference: t.OtherReference}
	}
	d := asked.compareAmount(reportedAmount{t.Amount, t.HasAmount, t.AmountText})
	if d.IsZero() && t.Status.State == Successful {
		d = asked.compareReceived(reportedAmount{t.Received, !t.Received.Currency.IsZero(), t.ReceivedText})
	}
	if final := asked.Status.State; final.Final() && t.Status.State != final {
		d.What |= StatusDiffers
		d.Status = t.Status.Text
	}
	return d
}

func (t Transaction) aboutAnother(asked Asked) bool {
	named, own := t.OtherReference.Line(0), asked.OwnReference
	if own != "" && (strings.EqualFold(named, own) || strings.EqualFold(string(t.Reference), own)) {
		return false
	}
	return named != "" && !strings.EqualFold(named, string(asked.Reference))
}

// A reportedAmount is an amount in an answer.
type reportedAmount struct {
	amount   money.Amount
	readable bool
	text     Text // as received, empty when the answer has none
}

// in is the amount, where a number without a currency is read in c.
func (r reportedAmount) in(c money.Currency) reportedAmount {
	if a, err := statusAmount.parse(r.text.Line(0), c); !r.readable && err == nil {
		return reportedAmount{amount: a, readable: true}
	}
	return r
}

// compareAmount compares a reported amount with the requested one. An answer without an amount does
// not differ, nor does one with nothing but the currency that was requested. A number without a currency
// is read in that.
func (asked Asked) compareAmount(r reportedAmount) Difference {
	currency := asked.Amount.Currency
	switch r = r.in(currency); {
	case currency.IsZero(), !r.readable && (r.text.Empty() || r.text.Line(0) == currency.Code()):
		return Difference{}
	case !r.readable:
		return Difference{What: AmountDiffers, Text: r.text}
	}
	switch {
	case r.amount == asked.Amount, asked.explains(r.amount):
		return Difference{}
	case r.amount.Currency != asked.Amount.Currency && r.amount.Minor == asked.Amount.Minor:
		return Difference{What: CurrencyDiffers, Answered: r.amount}
	case r.amount.Currency != asked.Amount.Currency:
		return Difference{What: AmountDiffers | CurrencyDiffers, Answered: r.amount}
	}
	return Difference{What: AmountDiffers, Answered: r.amount}
}

// compareReceived compares what a successful payment has brought with the requested amount. Less, or
// something that cannot be compared, is not what was asked; more is.
func (asked Asked) compareReceived(r reportedAmount) Difference {
	r = r.in(asked.Amount.Currency)
	if r.readable && r.amount.Currency == asked.Amount.Currency && r.amount.Minor >= asked.Amount.Minor {
		return Difference{}
	}
	return asked.compareAmount(r)
}

// Extra is what a reported amount has beyond the requested one where stated fees, or a stated total,
// explain it; else zero.
func (asked Asked) Extra(reported money.Amount) money.Amount {
	if !asked.explains(reported) {
		return money.Amount{}
	}
	reported.Minor -= asked.Amount.Minor
	return reported
}

// Due is what the customer pays, as far as the answer to the initiation says. known is false where it
// states fees, and not whether the customer pays them beside the amount.
func (asked Asked) Due() (due money.Amount, known bool) {
	switch {
	case asked.Total != asked.Amount && asked.explains(asked.Total):
		return asked.Total, true
	case asked.Total == asked.Amount:
		return asked.Amount, true
	}
	return asked.Amount, asked.Fees.Minor <= 0 && asked.Total.Minor <= 0
}

// explains reports whether the stated fees, or the stated total, make up the difference between the
// requested amount and a reported one. Fees that reach the amount itself explain nothing: a number
// in the wrong unit is then more likely. Where fees are stated, a total has to be with them.
func (asked Asked) explains(reported money.Amount) bool {
	extra := reported.Minor - asked.Amount.Minor
	switch {
	case reported.Currency != asked.Amount.Currency, extra <= 0, extra >= asked.Amount.Minor:
		return false
	case asked.Fees.Minor > 0:
		return asked.Fees == money.Amount{Minor: extra, Currency: reported.Currency}
	}
	return asked.Total == reported
}
