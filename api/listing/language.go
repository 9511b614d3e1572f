package listing

import (
	"sync"

	"paydesk/api"
	"paydesk/api/query"
)

// The fields of [Language].
const (
	FieldStatus   = "status"
	FieldCurrency = "currency"
	FieldAmount   = "amount"
	FieldID       = "id"
)

// Language is what can be searched in the service's list. The names of its status words are the words of
// [api.State].
var Language = sync.OnceValue(func() *query.Language { return &query.Language{Fields: language()} })

func language() []query.Field {
	return []query.Field{
		{Name: FieldStatus, Aliases: []string{"state"}, Kind: query.Words, Words: statuses(), Bare: true, Example: "status:failed,pending"},
		{Name: FieldCurrency, Aliases: []string{"cur", "ccy"}, Kind: query.Words, Words: query.Currencies(), Bare: true, Example: "currency:gbp,eur"},
		{Name: FieldAmount, Aliases: []string{"amt"}, Kind: query.Amount, Bare: true, Example: "amount:100..250"},
		{Name: FieldID, Label: "ID", Aliases: []string{"transaction"}, Kind: query.Text, Example: "id:5e62*"},
		{Name: "day", Aliases: []string{"date", "time", "created", "since", "from", "to"}, Kind: query.Day, Bare: true, Missing: noDates},
		{Name: "reference", Aliases: []string{"ref"}, Missing: noReference},
		{Name: "alias", Aliases: []string{"link", "operator", "outcome", "email", "phone", "customer", "name", "channel"}, Missing: onlyFour},
	}
}

// Why something cannot be searched.
const (
	onlyFour    = "The service's list has only ID, amount, currency and status. Activity has more of what was sent."
	noDates     = "The service's list has no dates. Activity has the days of what was sent from here."
	noReference = "The service's list has IDs, which are not always references. Look for one with id:5e62*."
)

// statuses are the words that the console has for a status, with those of the service.
func statuses() []query.Word {
	return []query.Word{
		{Name: api.Successful.String(), Spellings: []string{"successfull", "success", "succeeded"}},
		{Name: api.Failed.String(), Spellings: []string{"failure"}},
		{Name: api.Pending.String()},
		{Name: api.Initiated.String()},
		{Name: api.BankAuthRequired.String(), Shown: "BANK CHECK", Spellings: []string{"bank check needed", "required_bank_auth"}},
		{Name: api.ActionRequired.String(), Shown: "MUST PAY", Spellings: []string{"customer must pay"}},
		{Name: api.Unrecognised.String(), Spellings: []string{"unrecognized", "unknown"}},
	}
}
