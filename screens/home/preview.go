package home

import (
	"context"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/ui"
)

// Preview is the screen before there is a connection: the menu, and what is waited for. It is only
// drawn.
func Preview(t *ui.Theme, o Options, waiting string) *Model {
	m := New(t, nothing{}, o)
	m.waiting = waiting
	return m
}

// nothing has no payments.
type nothing struct{}

func (nothing) All() []session.Entry                            { return nil }
func (nothing) Reload(context.Context) error                    { return nil }
func (nothing) Recent(context.Context) ([]session.Entry, error) { return nil, nil }
func (nothing) Made(context.Context, time.Time, time.Time) ([]journal.Made, error) {
	return nil, nil
}
func (nothing) Timeline(api.Reference) []ledger.Event       { return nil }
func (nothing) Recall(context.Context, api.Reference) error { return nil }
func (nothing) IsPinned(api.Reference) bool                 { return false }
func (nothing) Transactions(context.Context, int, int) (api.Page, error) {
	return api.Page{}, nil
}
func (nothing) KeyRejected() bool { return false }
func (nothing) Answered() bool    { return false }
