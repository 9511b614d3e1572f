package ui

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/money"
)

// An AmountField is a decimal amount in major units of a currency that another
// field names.
type AmountField struct{ entry }

// NewAmountField asks for an amount; currency says which currency now (zero when
// unknown).
func NewAmountField(t *Theme, label, help string, currency func() money.Currency) *AmountField {
	return &AmountField{entry: entry{theme: t, label: label, help: help}}
}

// Value is the amount, or why there is none.
func (f *AmountField) Value() (money.Amount, error) { return money.Amount{}, nil }

// Set fills the field.
func (f *AmountField) Set(a money.Amount) {}

func (f *AmountField) Empty() bool              { return true }
func (f *AmountField) Check() string            { return "" }
func (f *AmountField) Update(tea.Msg) bool      { return false }
func (f *AmountField) View(w int) (string, int) { return "", -1 }
