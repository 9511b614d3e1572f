package journal

import (
	"strings"
	"sync"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/query"
	"paydesk/api/text"
)

// AttemptLanguage returns the language in which attempts are searched: see [Filter.Query]. today returns the
// day that days are counted from.
func AttemptLanguage(today func() query.DayNumber) *query.Language {
	return &query.Language{Fields: attemptFields(), Today: today}
}

// LinkLanguage returns the language in which links are searched: see [Journal.FindLinks]. Text anywhere is looked for in
// alias, name (asked or answered), amount, URL and attempt ID.
func LinkLanguage(today func() query.DayNumber) *query.Language {
	const elsewhere = " Search Activity for it."
	missing := []query.Field{
		{Name: "reference", Aliases: []string{"ref"}, Missing: "Links have no reference." + elsewhere},
		{Name: "status", Missing: "Links have no status." + elsewhere},
		{Name: "channel", Missing: "Links have no channel." + elsewhere},
		{Name: "card", Missing: "Links have no card." + elsewhere},
		{Name: "email", Aliases: emailAliases, Looks: isWholeEmail, Missing: "Links have no customer." + elsewhere},
		{Name: "phone", Aliases: phoneAliases, Looks: looksLikePhone, Missing: "Links have no customer." + elsewhere},
	}
	return &query.Language{Fields: append(linkFields(), missing...), Today: today}
}

var emailAliases, phoneAliases = []string{"e-mail", "mail"}, []string{"tel", "telephone", "mobile"}

// attemptFields returns the fields of the attempts. Words come before amounts and days where a term without a field
// may mean either.
var attemptFields = sync.OnceValue(func() []query.Field {
	return []query.Field{
		{Name: "status", Kind: query.Words, Words: query.Statuses(query.Word{Name: api.Claimed.String()}, query.Word{Name: Mismatched}), Bare: true, Example: "status:failed,pending"},
		outcomeField, currencyField(), amountField, dayField,
		{Name: "reference", Aliases: []string{"ref"}, Example: "reference:abc*"},
		aliasField, nameField, idField, operatorField,
		{Name: "channel", Kind: query.Words, Words: channelWords, Example: "channel:transfer"},
		{Name: "card", Aliases: []string{"last4", "last_four"}, Label: "card’s last four", Example: "card:4242"},
		{Name: "email", Aliases: emailAliases, Label: "e-mail", Kind: query.Exact, Example: "email:ada@example.org", Looks: looksLikeEmail, Whole: isWholeEmail, Same: "the same mailbox"},
		{Name: "phone", Aliases: phoneAliases, Kind: query.Exact, Example: `phone:"+44 20 7946 0958"`, Looks: looksLikePhone, Whole: isWholePhone, Same: "the same number"},
		{Name: "customer", Aliases: []string{"payer"}, Missing: "A customer's name is not kept. The whole e-mail or phone finds them, as in email:ada@example.org."},
	}
})

// What is taken for a whole e-mail address, and without its field for a telephone number or part of one.
var (
	emailAddress = text.Pattern(`^[^@\s]+@[^@\s]+\.[^@\s.]+$`)
	phoneNumber  = text.Pattern(`^\+[-0-9.() ]+$`)
)

// leastPhone is the least number of digits in a telephone number.
const leastPhone = 7

func isWholeEmail(s string) bool { return emailAddress().MatchString(s) }

func looksLikeEmail(s string) bool { return strings.Contains(s, "@") }

func isWholePhone(s string) bool { return len(ledger.Digits(s)) >= leastPhone }

func looksLikePhone(s string) bool { return phoneNumber().MatchString(s) }

// linkFields returns the fields of the links. A link charges what the service answered, once it has.
var linkFields = sync.OnceValue(func() []query.Field {
	return []query.Field{outcomeField, currencyField(), amountField, dayField, aliasField, nameField, idField, operatorField}
})

var (
	outcomeField  = query.Field{Name: "outcome", Kind: query.Words, Words: outcomeWords, Bare: true, Example: "outcome:unresolved"}
	amountField   = query.Field{Name: "amount", Kind: query.Amount, Bare: true, Example: "amount:100..250"}
	dayField      = query.Field{Name: "day", Aliases: []string{"date", "sent", "created"}, Kind: query.Day, Bare: true, Example: "day:7d"}
	aliasField    = query.Field{Name: "alias", Aliases: []string{"link"}, Example: "alias:0-abc*"}
	nameField     = query.Field{Name: "name", Label: "link name", Example: "name:dues*"}
	idField       = query.Field{Name: "id", Aliases: []string{"attempt"}, Label: "attempt ID", Example: "id:abc*"}
	operatorField = query.Field{Name: "operator", Aliases: []string{"user", "by"}, Example: "operator:ada*"}
)

// outcomeWords lists the outcomes of requests, then the decisions.
var outcomeWords = []query.Word{
	{Name: string(ledger.Sent), Shown: "SENT"},
	{Name: string(ledger.Accepted), Shown: "ACCEPTED"},
	{Name: string(ledger.Refused), Shown: "REFUSED", Spellings: []string{"rejected"}},
	{Name: string(ledger.NotSent), Shown: "NOT SENT"},
	{Name: string(ledger.Unresolved), Shown: "UNRESOLVED", Spellings: []string{"unknown"}},
	{Name: string(ledger.Found), Shown: "FOUND"},
	{Name: string(ledger.NotFound), Shown: "NOT FOUND"},
	{Name: string(ledger.GaveUp), Shown: "GIVEN UP"},
	{Name: string(ledger.NotFollowed), Shown: "NOT FOLLOWED"},
	{Name: string(ledger.DifferenceRead), Shown: "DIFFERENCE READ"},
}

var channelWords = []query.Word{
	{Name: api.ChannelCard, Shown: "card"},
	{Name: api.ChannelTransfer, Shown: "transfer", Spellings: []string{"bank transfer"}},
	{Name: api.ChannelAccount, Shown: "account", Spellings: []string{"bank account"}},
	{Name: api.ChannelInterac, Shown: "Interac"},
}

func currencyField() query.Field {
	return query.Field{Name: "currency", Kind: query.Words, Words: query.Currencies(), Bare: true, Example: "currency:gbp"}
}
