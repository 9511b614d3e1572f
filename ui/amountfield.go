package ui

import "paydesk/api/money"

// An AmountField is a decimal amount in major units of a currency that another
// field names.
type AmountField struct{}

// NewAmountField asks for an amount; currency says which currency now (zero when
// unknown).
func NewAmountField(t *Theme, label, help string, currency func() money.Currency) *AmountField {
	return nil
}

// Value is the amount, or why there is none.
func (f *AmountField) Value() (money.Amount, error) { return money.Amount{}, nil }
