package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/ui"
)

// Unresolved is the word for an attempt whose outcome is not known, in every column.
const Unresolved = "UNRESOLVED"

// NotKnown is the sentence beside [Unresolved].
func NotKnown(k ledger.Kind) string { return "It is not known whether " + k.Effect() + "." }

// An attemptText has the console's words for what is known of an attempt. Only a status can be good
// news: no tone here is.
type attemptText struct {
	word     string // in a column
	tone     ui.Tone
	sentence string
}

var outcomeTexts = map[ledger.Outcome]attemptText{
	ledger.Sent:     {"SENT", ui.ToneWait, "Sent; the response may still arrive."},
	ledger.Accepted: {"ACCEPTED", ui.ToneWait, "The service accepted it."},
	ledger.Refused:  {"REFUSED", ui.ToneBad, "The service rejected it. Nothing was done."},
	ledger.NotSent:  {"NOT SENT", ui.ToneBad, "Nothing was sent."},
}

var decisionTexts = map[ledger.Decision]attemptText{
	ledger.Found:    {"FOUND", ui.ToneWait, "It was found."},
	ledger.NotFound: {"NOT FOUND", ui.ToneDone, "Recorded as never done."},

	ledger.NotFollowed: {"NOT FOLLOWED", ui.ToneDone, "No longer followed, as decided."},
}

// known returns what is known of an attempt: how its link differs, what the operator decided, else its
// outcome.
func known(a ledger.Attempt) attemptText {
	switch {
	case a.MustBeRead():
		return attemptText{Mismatch, ui.ToneMismatch, LinkMismatch}
	case a.CreatedLink.Differences() != "":
		return attemptText{Mismatch, ui.ToneDone, LinkMismatch + " Its differences were read."}
	}
	if a.Decision == ledger.GaveUp {
		return attemptText{"GIVEN UP", ui.ToneUnknown, NotKnown(a.Kind) + " Given up."}
	}
	if text, ok := decisionTexts[a.Decision]; ok {
		return text
	}
	if text, ok := outcomeTexts[a.Outcome]; ok {
		return text
	}
	return attemptText{Unresolved, ui.ToneUnknown, NotKnown(a.Kind)}
}

// OutcomeWord is the word in a list for an outcome, or for a decision about one.
func OutcomeWord(outcome string) string {
	a := ledger.Attempt{Outcome: ledger.Unresolved, Decision: ledger.Decision(outcome)}
	if _, is := outcomeTexts[ledger.Outcome(outcome)]; is || outcome == string(ledger.Unresolved) {
		a = ledger.Attempt{Outcome: ledger.Outcome(outcome)}
	} else if a.Decision == ledger.DifferenceRead {
		return "DIFFERENCE READ"
	}
	return known(a).word
}

// Decision words the latest decision about an attempt; "" when there was none.
func Decision(a ledger.Attempt) string {
	switch {
	case a.DecidedAt.IsZero():
		return ""
	case a.Decision == ledger.Undecided:
		return "taken back"
	case a.Decision == ledger.Found && a.Reference != "":
		return string(a.Decision) + " as " + a.Reference.String()
	}
	return string(a.Decision)
}

// Outcome is a sentence about what is known of an attempt.
func Outcome(a ledger.Attempt) string { return known(a).sentence }

// AttemptCell is the status of a payment where one is known, as it is to be understood now, else what
// is known of the attempt.
func AttemptCell(a ledger.Attempt, now time.Time) ui.Cell {
	if a.Outcome != ledger.Unresolved && a.Decision != ledger.DifferenceRead { // it became known after a decision
		a.Decision = ledger.Undecided
	}
	text := known(a)
	switch {
	case a.IsUnresolved(), a.CreatedLink.Differences() != "":
	case !a.Mismatch.IsZero(), a.Kind == ledger.Initiate && !(a.Status.Text.Empty() && a.FinalizeLostAt().IsZero()):
		return PaymentCell(a, a.Circumstances(now))
	case a.Outcome == ledger.Accepted && kindTexts[a.Kind].done != "":
		return ui.Cell{Text: kindTexts[a.Kind].done, Tone: ui.ToneDone}
	}
	return ui.Cell{Text: text.word, Tone: text.tone}
}

// kindTexts words the kinds of attempts. A payment has its card or channel as its subject, and its status when it is done.
var kindTexts = map[ledger.Kind]struct{ name, subject, done string }{
	ledger.Initiate:   {"Payment", "", ""},
	ledger.CreateLink: {"Payment link", "new link", "CREATED"},
	ledger.Finalize:   {"Finalization", "finalize", "FINALIZED"},
}

// AgainHelp is the help about collecting again.
const AgainHelp = "c collects a payment again that failed or was never made, with another card or channel. Its amount and link are filled in, " +
	"and its customer as long as paydesk runs: the journal keeps no customer. Nothing of its card is kept."

// Event returns what an event of a history was. Only a status has a tone of its own, and that of success
// only without a mismatch.
func Event(e ledger.Event, differs bool) (string, ui.Tone) {
	s, reported := e.Status()
	switch {
	case e.What == ledger.Differed:
		return Mismatch, ui.ToneMismatch
	case e.What == ledger.Decided && e.Detail == ledger.TakenBack: // it is undecided again
		return "decision taken back", ui.ToneNone
	case e.What == ledger.Decided && e.Detail == string(ledger.AskAgain):
		return "mismatch decision taken back", ui.ToneNone
	case reported && Tone(s) == ui.ToneGood && differs:
		return OwnWord(s), ui.ToneMismatch
	case reported:
		return OwnWord(s), Tone(s)
	}
	if call, ok := strings.CutSuffix(e.What, string(ledger.Unresolved)); ok {
		return Plain(call + Unresolved), ui.ToneUnknown
	}
	return Plain(e.What), ui.ToneNone
}

// KindName names a kind of attempt; a payment that was looked up is none.
func KindName(k ledger.Kind) string { return cmp.Or(kindTexts[k].name, "Payment") }

// Card is the last four digits of an attempt's card, masked; "" without a card.
func Card(a ledger.Attempt) string {
	if a.Card == "" {
		return ""
	}
	return "•••• " + Plain(a.Card)
}

// CustomerChooses stands in a column for the amount of a link whose customer chooses it. It has 14 cells, as many as the narrowest column of amounts.
const CustomerChooses = "customer picks"

// Amount is the amount of an attempt, "" where none is known.
func Amount(a ledger.Attempt) string {
	switch {
	case a.CustomerChooses():
		return api.Dynamic.In(a.Amount.Currency)
	case a.Amount.Currency.IsZero():
		return ""
	}
	return a.Amount.String()
}

// Subject returns what an attempt was about, in a column: the card or the channel of a payment,
// else the kind.
func Subject(a ledger.Attempt) string {
	switch {
	case kindTexts[a.Kind].subject != "":
		return kindTexts[a.Kind].subject
	case a.Card != "":
		return Card(a)
	case a.Channel == "":
		return "payment"
	}
	return ChannelWord(a.Channel)
}

// ChannelWord is the name of a channel in a sentence, which people type too. One that is not known here keeps its alias.
func ChannelWord(alias string) string {
	switch alias {
	case api.ChannelCard, api.ChannelTransfer, api.ChannelAccount:
		return strings.ToLower(ChannelName(alias))
	}
	return Plain(alias)
}

// ChannelName is the name of a channel that stands alone.
func ChannelName(alias string) string {
	if slices.Contains(api.KnownChannels[:], alias) {
		return strings.TrimPrefix(alias, "PayBy")
	}
	return Plain(alias)
}

// Operator returns "ada on desk1 from 192.0.2.7", without the parts that are not known.
func Operator(o ledger.Operator) string { return Plain(o.String()) }

// Lease says who has taken an attempt, and until when; "" if none has.
func Lease(l ledger.Lease) string {
	until := " looking at this until " + l.Until().Local().Format(time.TimeOnly) + "."
	switch {
	case l.IsZero():
		return ""
	case l.Mine:
		return "You are" + until
	}
	return Operator(l.By) + " is" + until
}

// TakenAdvice tells what to do about an attempt that a colleague has taken.
const TakenAdvice = "Ask them, or press @ to take it over."

// Desk returns who works where, in one word.
func Desk(o ledger.Operator) string {
	if o.Host == "" {
		return Plain(o.User)
	}
	return Plain(o.User + "@" + o.Host)
}

// DateTime is a day and a time of day, in the local time zone.
func DateTime(t time.Time) string { return t.Local().Format(time.DateTime) }

// maxLeft limits how many attempts are named; more would push the first off the window.
const maxLeft = 5

// Left is a line without style about each unresolved or mismatched attempt that the console leaves behind.
func Left(all []ledger.Attempt) (lines []string) {
	for i, a := range all {
		if i == maxLeft {
			return append(lines, fmt.Sprintf("%d more. Home lists them all.", len(all)-i))
		}
		lines = append(lines, leftAttempt(a))
	}
	return lines
}

func leftAttempt(a ledger.Attempt) string {
	state := Unresolved
	if a.Mismatch.Undecided() {
		state = Mismatch
	}
	about := []string{strings.TrimSpace(state + " " + string(a.ID))}
	if amount := Amount(a); amount != "" {
		about = append(about, amount)
	}
	if a.Reference != "" {
		about = append(about, a.Reference.String())
	}
	about = append(about, Plain(a.Environment+" "+a.Profile))
	next := "Do not send it again: home lists it and says how to find out."
	known := NotKnown(a.Kind)
	if state == Mismatch {
		known, next = "The service's answer differs from what was asked for.", "Do not charge until you have decided what it means: home lists it."
	}
	switch {
	case a.Environment == "SANDBOX":
		next = "It was practice, and ended with the sandbox."
	case a.ID == "":
		next = "Do not send it again: the journal is off, so look for it in the transactions."
	}
	return strings.Join(about, ", ") + ": " + known + " " + next
}
