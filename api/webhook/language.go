package webhook

import (
	"paydesk/api"
	"paydesk/api/query"
)

// The fields of [Language].
const (
	fieldEvent     = "event"
	fieldReference = "reference"
	fieldClaim     = "status"
	fieldAnswer    = "answer"
	fieldVerdict   = "verdict"
	fieldAmount    = "amount"
	fieldCurrency  = "currency"
	fieldDay       = "day"
	fieldIs        = "is"
)

// The words of the field is.
const (
	isRedelivered = "redelivered"
	isMasked      = "masked"
	isForwarded   = "forwarded" // every target that it was sent to has accepted it
	isUndelivered = "undelivered"
	isEarlyWord   = "early"
)

// Language is what can be searched in the inbox. today returns the day that days are counted from.
func Language(today func() query.DayNumber) *query.Language {
	verdicts := make([]query.Word, len(Verdicts))
	for i, v := range Verdicts {
		verdicts[i].Name = string(v)
	}
	return &query.Language{Today: today, Fields: []query.Field{
		{Name: fieldReference, Aliases: []string{"ref"}, Example: "reference:P5KQ*"},
		{Name: fieldVerdict, Kind: query.Words, Words: verdicts, Bare: true, Example: "verdict:disagrees,unknown"},
		{Name: fieldEvent, Aliases: []string{"name"}, Example: "event:payment.failed"},
		{Name: fieldClaim, Label: "status in the event", Aliases: []string{"claim"}, Kind: query.Words, Words: statusWords(), Bare: true, Example: "status:failed"},
		{Name: fieldAnswer, Label: "the service's status", Kind: query.Words, Words: statusWords(), Example: "answer:pending"},
		{Name: fieldAmount, Aliases: []string{"amt"}, Kind: query.Amount, Bare: true, Example: "amount:100..250"},
		{Name: fieldCurrency, Aliases: []string{"cur", "ccy"}, Kind: query.Words, Words: query.Currencies(), Bare: true, Example: "currency:gbp,eur"},
		{Name: fieldDay, Aliases: []string{"date", "time", "since"}, Kind: query.Day, Bare: true, Example: "day:today"},
		{Name: fieldIs, Kind: query.Words, Example: "is:redelivered", Words: []query.Word{
			{Name: isRedelivered, Spellings: []string{"duplicate", "repeated"}}, {Name: isMasked}, {Name: isForwarded, Spellings: []string{"delivered", "replayed"}},
			{Name: isUndelivered}, {Name: isEarlyWord},
		}},
		{Name: "link", Aliases: []string{"alias", "email", "phone", "customer", "operator", "channel", "card"},
			Missing: "Events have no such field. Type the text alone to look for it anywhere in the body."},
	}}
}

// statusWords are the words that the console has for a status, with those of the service.
func statusWords() []query.Word {
	return []query.Word{
		{Name: api.Successful.String(), Spellings: []string{"successfull", "success", "succeeded"}},
		{Name: api.Failed.String(), Spellings: []string{"failure"}},
		{Name: api.Pending.String()},
		{Name: api.Initiated.String()},
		{Name: api.BankAuthRequired.String(), Shown: "BANK CHECK", Spellings: []string{"required_bank_auth"}},
		{Name: api.ActionRequired.String(), Shown: "MUST PAY"},
		{Name: api.Unrecognised.String(), Spellings: []string{"unrecognized"}},
	}
}
