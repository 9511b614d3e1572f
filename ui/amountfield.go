package ui

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/money"
	"paydesk/api/text"
)

// An AmountField is a required decimal amount greater than zero, in major units of a currency
// that another field names. What is typed stays as it was typed, so that no ignored key makes
// another number of it: "12 50" is shown as that, with what is wrong with it.
type AmountField struct {
	TextField
	currency func() money.Currency
}

// NewAmountField returns a field whose currency function returns the present currency, zero when
// it is unknown.
func NewAmountField(t *Theme, label string, currency func() money.Currency) *AmountField {
	return &AmountField{*NewTextField(t, label, "", Required(), Limit(32), Except(punctuated().MatchString)), currency}
}

// punctuated matches amounts, and no card number: those have 13 digits at least.
var punctuated = text.Pattern(`^[0-9]{1,12}\.[0-9]{0,4}$|^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]{0,4})?$`)

// unread returns why text cannot be the start of an amount, "" when it can.
func unread(text []rune) string {
	switch s := strings.Trim(string(text), " "); {
	case strings.HasPrefix(s, "-"):
		return "An amount cannot be negative"
	case strings.Trim(s, "0123456789,.") != "": // some other character stops Trim, wherever it is
		return "Digits only, such as 1,250.00"
	case strings.Count(s, ".") > 1:
		return "Only one decimal point"
	}
	return ""
}

// keyIgnored is what is wrong with an amount that lacks a key which was typed.
const keyIgnored = "A key was ignored: check the amount, and delete what is wrong in it"

var (
	errNoCurrency  = errors.New("choose the currency first")
	errNotPositive = errors.New("enter an amount above zero")
)

// Value returns the amount.
func (f *AmountField) Value() (money.Amount, error) {
	if f.Empty() {
		return money.Amount{}, f.missing()
	}
	currency := f.currency()
	if currency.IsZero() {
		return money.Amount{}, errNoCurrency
	}
	if lacks := f.line().lacks; lacks != "" {
		return money.Amount{}, errors.New(lacks)
	}
	amount, err := money.Parse(string(f.line().text), currency)
	if err != nil {
		return money.Amount{}, err
	}
	if amount.Minor <= 0 {
		return money.Amount{}, errNotPositive
	}
	return amount, nil
}

// Set fills the field.
func (f *AmountField) Set(a money.Amount) { f.SetValue(a.Major()) }

// Help shows an amount as it is typed, and which one that is in the present currency.
func (f *AmountField) Help() string {
	help := "Such as 1250"
	if a, err := money.Parse("1250", f.currency()); err == nil {
		help += ", which is " + a.String()
	}
	return help
}

// State returns the amount that is typed as the screens write it, so that nothing is a hundred times what was meant, and the
// currency before there is one.
func (f *AmountField) State() (sign string, words []string) {
	code := f.currency().Code()
	if a, err := f.Value(); err == nil {
		return validSign, []string{a.String(), code}
	}
	return "", []string{code}
}

// Check returns the error of [AmountField.Value].
func (f *AmountField) Check() string { return objection(f.Value()) }

// Update handles a key or a paste. A paste that is no part of an amount is refused whole.
func (f *AmountField) Update(msg tea.Msg) bool {
	if paste, ok := msg.(tea.PasteMsg); ok {
		return f.record(f.paste(strings.TrimSpace(paste.Content)))
	}
	l := f.line()
	before, lacked := len(l.text), l.lacks
	own, changed, refused := l.update(msg)
	switch {
	case refused != "":
		l.lacks = keyIgnored
	case before == 0: // a key that was ignored before the first one is missing nowhere
		l.lacks = ""
	case len(l.text) >= before: // nothing was deleted
		l.lacks = lacked
	}
	return f.record(own, changed, cmp.Or(refused, unread(l.text)))
}

func (f *AmountField) paste(s string) (own, changed bool, refused string) {
	_, isCard := f.line().findCard([]rune(s))
	if refused = unread([]rune(s)); refused != "" && isCard == 0 {
		return true, false, refused + " (paste ignored)"
	}
	changed, refused = f.line().paste(s)
	return true, changed, refused
}

// amountWidth fits amounts below a thousand million, with commas, and the cursor behind them.
const amountWidth = 15

// Width is the cells an amount may need, and those of a longer one that is typed: an amount is seen whole.
func (f *AmountField) Width() int { return max(amountWidth, width(string(f.line().text))+1) }

// Currencies are the fields that choose a currency: one of three, or another one by its code.
type Currencies struct {
	Choice *ChoiceField
	Code   *TextField
}

const otherCurrency = "other"

// NewCurrencies makes the fields, of which the code is shown for another currency alone.
func NewCurrencies(t *Theme) Currencies {
	return Currencies{
		NewChoiceField(t, "Currency", "What the customer pays in.", "NGN", "GBP", "CAD", otherCurrency),
		NewTextField(t, "Currency code", "Three letters, such as EUR", Required(), Limit(3), Checked(func(code string) string {
			if _, err := money.ParseCurrency(code); err != nil {
				return "Unknown currency code; enter three letters, such as EUR"
			}
			return ""
		})),
	}
}

// Fields returns the fields that the choice so far requires.
func (c Currencies) Fields() []Field {
	if c.Choice.Value() == otherCurrency {
		return []Field{c.Choice, c.Code}
	}
	return []Field{c.Choice}
}

// Set chooses a currency.
func (c Currencies) Set(to money.Currency) {
	last := len(c.Choice.options) - 1
	if i := slices.Index(c.Choice.options[:last], to.Code()); i >= 0 {
		c.Choice.Choose(i)
		return
	}
	c.Choice.Choose(last)
	c.Code.SetValue(to.Code())
}

// Value is the chosen currency, zero while its code is unknown.
func (c Currencies) Value() money.Currency {
	code := c.Choice.Value()
	if code == otherCurrency {
		code = c.Code.Value()
	}
	v, _ := money.ParseCurrency(code)
	return v
}
