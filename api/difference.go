package api

import (
	"cmp"
	"strings"

	"paydesk/api/card"
	"paydesk/api/money"
)

// Asked describes what an answer about a payment is compared with.
type Asked struct {
	Reference    Reference
	OwnReference string       // ours; "" when none was sent
	Amount       money.Amount // zero when it is not known: amounts are then not compared
	// Fees and Total are as the answer to the initiation stated them; zero when it stated none.
	Fees, Total money.Amount
	// Earlier is the amount in an earlier answer, which says what a payment that was made elsewhere is for: it is
	// compared where Amount is not known.
	Earlier money.Amount
	Status  Status // the last one reported
}

// Aspects describe what differs, as a set.
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

// A Difference says how answers about a payment differ from what was asked. The zero Difference is
// none.
type Difference struct {
	What      Aspects
	Answered  money.Amount // zero when it cannot be read, or does not differ
	Of        money.Amount // the amount in the answer itself, when Answered or Text is what it says was received of it
	Earlier   money.Amount // the amount in an earlier answer, when Answered or Text is what a later one says instead
	Text      Text         // the amount in the answer, when it cannot be read
	Reference Text         // the reference in the answer, when it differs
	Status    Text         // the status in the answer, when it contradicts the final one
}

// IsZero reports whether nothing differs.
func (d Difference) IsZero() bool { return d.What == 0 }

// Then returns what differs after a later answer. What once differed stays, with its latest value.
func (d Difference) Then(later Difference) Difference {
	if later.What&(AmountDiffers|CurrencyDiffers) != 0 {
		d.Answered, d.Of, d.Earlier, d.Text = later.Answered, later.Of, later.Earlier, later.Text
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

// Words say what differs, with both values: "requested 12.50 GBP, but the service reported …".
func (d Difference) Words(asked Asked) string {
	var words []string
	if d.What&(AmountDiffers|CurrencyDiffers) != 0 {
		words = append(words, d.amountWords(asked))
	}
	if d.What&ReferenceDiffers != 0 {
		words = append(words, "asked about "+asked.Reference.String()+", but the service answered about "+Clean(card.Hide(d.Reference.Line(0))).Line(80))
	}
	if d.What&StatusDiffers != 0 {
		words = append(words, "the final status "+asked.Status.State.String()+" was followed by "+cmp.Or(d.Status.Line(40), "an answer without a status"))
	}
	return strings.Join(words, "; ")
}

// amountWords say how the amount differs from the requested one. Of a payment that was made elsewhere that is
// not known: there the answer itself says what it is for.
func (d Difference) amountWords(asked Asked) string {
	const unreadable = "but the amount that the service reported cannot be read: "
	switch {
	case !d.Of.Currency.IsZero() && d.Text.Empty():
		return "the payment is for " + d.Of.String() + ", but " + d.Answered.String() + " was received"
	case !d.Of.Currency.IsZero():
		return "the payment is for " + d.Of.String() + ", but the amount received cannot be read: " + d.Text.Line(40)
	case !d.Earlier.Currency.IsZero() && d.Text.Empty():
		return "an earlier answer was for " + d.Earlier.String() + ", a later one is for " + d.Answered.String()
	case !d.Earlier.Currency.IsZero():
		return "an earlier answer was for " + d.Earlier.String() + ", but the amount in a later one cannot be read: " + d.Text.Line(40)
	case asked.Amount.Currency.IsZero():
		return "something was received, " + unreadable + d.Text.Line(40)
	case !d.Text.Empty():
		return "requested " + asked.Amount.String() + ", " + unreadable + d.Text.Line(40)
	}
	return Mismatch(asked.Amount, d.Answered).Line(0)
}

// For returns the answer as it counts for what was asked. Of a payment that was made elsewhere the first answer alone says what
// it is for: there an amount of nothing, or less, does not count, since no payment is for that. Any other is compared with
// what is known, and differs.
func (t PaymentStatus) For(asked Asked) PaymentStatus {
	known := !asked.Amount.Currency.IsZero() || !asked.Earlier.Currency.IsZero()
	if !known && t.HasAmount && t.Amount.Minor <= 0 {
		t.AmountText = Clean(t.Amount.String())
		t.Amount, t.HasAmount = money.Amount{}, false
	}
	return t
}

// Compare compares the answer about a payment with what was asked. A payment may be asked for, and
// be named, by our own reference too (2.12). An answer about another payment is not compared any
// further: neither its amount nor its status describes ours.
func (t PaymentStatus) Compare(asked Asked) Difference {
	if t.aboutAnother(asked) {
		return Difference{What: ReferenceDiffers, Reference: t.OtherReference}
	}
	reported := Reported{Text: t.AmountText}
	if t.HasAmount {
		reported = Reported{Amount: t.Amount}
	}
	d := asked.compareAmount(reported)
	if asked.Amount.Currency.IsZero() {
		if d = (Asked{Amount: asked.Earlier}).compareAmount(reported); !d.IsZero() {
			d.Earlier = asked.Earlier
		}
	}
	if d.IsZero() && t.Status.State == Successful {
		d = t.compareReceived(asked)
	}
	return asked.compareStatus(d, t.Status)
}

// Compare compares a row of the list, whose ID is the reference of a payment, with what was asked of that. A row
// differs too when its amount cannot be read: nothing then says that it is the same.
func (r Transaction) Compare(asked Asked) (d Difference) {
	if !asked.Amount.Currency.IsZero() {
		d = asked.compareAmount(r.reported())
	}
	return asked.compareStatus(d, r.Status)
}

// reported is the amount of a row. Where it cannot be read, its Text is worded so that it is not taken for one in major units.
func (r Transaction) reported() Reported {
	switch {
	case r.Known:
		return Reported{Amount: r.Amount}
	case r.Raw.Empty():
		return Reported{Text: Clean("none")}
	}
	return Reported{Text: Clean(r.Raw.Line(24) + " minor units of " + cmp.Or(r.Currency.Line(12), "no currency"))}
}

// compareStatus adds to what differs that a status contradicts the final one before it.
func (asked Asked) compareStatus(d Difference, s Status) Difference {
	if final := asked.Status.State; final.Final() && s.State != final {
		d.What |= StatusDiffers
		d.Status = s.Text
	}
	return d
}

// aboutAnother reports whether the answer names another payment. References are the service's own: two that differ in the
// case of letters alone may be two payments.
func (t PaymentStatus) aboutAnother(asked Asked) bool {
	named, own := t.OtherReference.Line(0), asked.OwnReference
	if own != "" && (named == own || string(t.Reference) == own) {
		return false
	}
	return named != "" && named != string(asked.Reference)
}

// A Reported is an amount as an answer or an event states it. The zero Reported is none.
type Reported struct {
	Amount money.Amount // zero where it cannot be read
	Text   Text         // as received, where it cannot be read
}

// IsZero reports whether none is stated.
func (r Reported) IsZero() bool { return !r.Readable() && r.Text.Empty() }

// Readable reports whether Amount is the one that is stated.
func (r Reported) Readable() bool { return !r.Amount.Currency.IsZero() }

// Brought reports whether money was received, or may have been: an unreadable text counts unless it is a zero.
func (r Reported) Brought() bool {
	return r.Amount.Minor > 0 || !r.Readable() && strings.ContainsAny(r.Text.Line(0), "123456789")
}

// In returns the amount, where a number without a currency is read in c.
func (r Reported) In(c money.Currency) Reported {
	if a, err := statusAmount.parse(r.Text.Line(0), c); !r.Readable() && err == nil {
		return Reported{Amount: a}
	}
	return r
}

// compareAmount compares a reported amount with the requested one. An answer without an amount does
// not differ, nor does one with nothing but the currency that was requested. A number without a currency
// is read in that.
func (asked Asked) compareAmount(r Reported) Difference {
	currency := asked.Amount.Currency
	switch r = r.In(currency); {
	case currency.IsZero(), !r.Readable() && (r.Text.Empty() || r.Text.Line(0) == currency.Code()):
		return Difference{}
	case !r.Readable():
		return Difference{What: AmountDiffers, Text: r.Text}
	}
	switch {
	case r.Amount == asked.Amount, asked.explains(r.Amount):
		return Difference{}
	case r.Amount.Currency != asked.Amount.Currency && r.Amount.Minor == asked.Amount.Minor:
		return Difference{What: CurrencyDiffers, Answered: r.Amount}
	case r.Amount.Currency != asked.Amount.Currency:
		return Difference{What: AmountDiffers | CurrencyDiffers, Answered: r.Amount}
	}
	return Difference{What: AmountDiffers, Answered: r.Amount}
}

// compareReceived compares what a successful payment has brought with the requested amount, or where that is
// not known with the one in the answer. Less, or something that cannot be compared, is not what was asked;
// more is.
func (t PaymentStatus) compareReceived(asked Asked) (d Difference) {
	paid := t.Paid()
	elsewhere := asked.Amount.Currency.IsZero()
	switch {
	case elsewhere && t.HasAmount:
		asked = Asked{Amount: t.Amount}
	case elsewhere && t.amountUnreadable() && (paid.Readable() || !paid.Text.Empty() && paid.Text != t.AmountText):
		return Difference{What: AmountDiffers, Text: t.AmountText}
	}
	paid = paid.In(asked.Amount.Currency)
	if paid.Readable() && paid.Amount.Currency == asked.Amount.Currency && paid.Amount.Minor >= asked.Amount.Minor {
		return Difference{}
	}
	if d = asked.compareAmount(paid); elsewhere && !d.IsZero() {
		d.Of = t.Amount
	}
	return d
}

// Paid is what has been paid so far, where the answer says.
func (t PaymentStatus) Paid() Reported { return Reported{t.Received, t.ReceivedText} }

// amountUnreadable reports whether the answer has an amount, and not only a currency, that cannot be read.
func (t PaymentStatus) amountUnreadable() bool {
	_, err := money.ParseCurrency(t.AmountText.Line(0))
	return !t.HasAmount && !t.AmountText.Empty() && err != nil
}

// Extra returns what a reported amount has beyond the requested one where stated fees, or a stated total,
// explain it; else zero.
func (asked Asked) Extra(reported money.Amount) money.Amount {
	if !asked.explains(reported) {
		return money.Amount{}
	}
	reported.Minor -= asked.Amount.Minor
	return reported
}

// Due returns what the customer pays, as far as the answer to the initiation says. known is false where it
// states fees, and not whether the customer pays them beside the amount.
func (asked Asked) Due() (due money.Amount, known bool) {
	if asked.explains(asked.Total) {
		return asked.Total, true
	}
	return asked.Amount, asked.Total == asked.Amount || asked.Fees.Minor <= 0 && asked.Total.Minor <= 0
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
