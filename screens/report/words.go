package report

import (
	"cmp"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Stands returns how it stands, or what is in doubt about it: a word and a tone.
func (k Subject) Stands() ui.Cell {
	switch {
	case k.IsUnresolved():
	case k.MustBeRead():
		return ui.Cell{Text: present.Mismatch, Tone: ui.ToneMismatch}
	case k.Kind == ledger.Initiate && !k.answered() && k.Mismatch.IsZero() && (k.Live != nil || k.LookedUp):
		return ui.Cell{Text: "NO STATUS YET"}
	}
	cell := present.AttemptCell(k.Attempt, k.Now)
	if k.Live != nil && k.FinalizeLostAt().IsZero() {
		cell = present.ListCell(k.Status, k.Mismatch, k.Circumstances(k.Now))
		if unsaid := k.Status.State == api.Unrecognised || k.Status.State == api.Claimed; unsaid && k.Mismatch.IsZero() {
			cell.Text = present.Word(k.Status) // its page has room for the word of the service
		}
	}
	if k.letGo() && cell.Tone == ui.ToneAct { // there is nothing to do
		cell.Tone = ui.ToneDone
	}
	return cell
}

// says returns what its status means, and what is to be done about it.
func (k Subject) says() (all []Words) {
	say := func(words string) {
		if words != "" {
			all = append(all, Words{Text: words})
		}
	}
	switch {
	case k.IsUnresolved():
		say(present.NotKnown(k.Kind))
		find := OffPage
		if k.Kind == ledger.Initiate { // there the order says it
			find = InText | InFile
			all = append(all, Words{Text: unresolvedOrder, Order: true, In: OnPage | InPane | InFile})
		}
		all = append(all, Words{Text: "Find out before repeating it.", In: find})
	case !k.Mismatch.IsZero():
		all = append(all, k.mismatch()...)
	case k.MustBeRead():
		say("It differs from what was asked for: read how before anyone pays.")
	case k.letGo() && k.answered(): // what its status asks of staff comes after that
		all = append(all, Words{Text: present.Outcome(k.Attempt), Order: true})
		say(k.Means())
	case k.Kind == ledger.Initiate && k.answered():
		all = append(all, k.meaning()...)
	case k.Live != nil || k.LookedUp: // nothing is known yet
	default:
		if k.page() != "" {
			all = append(all, Words{Text: k.page(), Order: true, In: OnPage | InPane})
		}
		say(present.Outcome(k.Attempt))
	}
	if !k.FinalizeLostAt().IsZero() {
		all = append(all, Words{Text: "A finalize got no answer. " + present.NotKnown(ledger.Finalize), Tone: ui.ToneUnknown})
	}
	if lease := present.Lease(k.Lease); lease != "" {
		all = append(all, Words{Text: lease, Tone: ui.ToneAct, In: OnScreens})
	}
	if elsewhere := k.elsewhere(); elsewhere != "" {
		all = append(all, Words{Text: elsewhere, Tone: ui.ToneAct, In: OnScreens})
	}
	return all
}

// letGo reports whether a person has decided not to follow the payment, and nothing is in doubt about it since.
func (k Subject) letGo() bool {
	return k.Decision == ledger.NotFollowed && k.Mismatch.IsZero() && k.FinalizeLostAt().IsZero() && !k.Status.State.Final()
}

// elsewhere says how it was sent, or looked up, unless it was as the console sends now.
func (k Subject) elsewhere() string {
	if k.Here == (ledger.Destination{}) || k.Destination == (ledger.Destination{}) {
		return ""
	}
	did, words := "sent ", present.Elsewhere(k.Here, k.Destination)
	switch {
	case words == "":
		return ""
	case k.LookedUp:
		did = "looked up "
	}
	return present.Sentence(did + words)
}

// Means returns what the status of a payment means and what to do, in a line.
func (k Subject) Means() string {
	var words []string
	for _, w := range k.meaning() {
		words = append(words, w.Text)
	}
	return strings.Join(words, " ")
}

// meaning returns what the status of a payment means and what to do.
func (k Subject) meaning() (all []Words) {
	means, action := present.Meaning(k.Status, k.Circumstances(k.Now), k.Received, api.Asked{Amount: k.Amount})
	unstated := k.AmountUnstated || k.Live != nil && k.Live.AmountUnstated()
	if k.Status.State == api.Successful && unstated {
		means += " " + present.AmountUnstated
	}
	if means != "" {
		all = append(all, Words{Text: means})
	}
	if action != "" {
		all = append(all, Words{Text: action, Order: true})
	}
	return all
}

// mismatch returns what to do until a person has decided, and how the answers differ from what was asked, which its own screen
// has as a table where that can compare them.
func (k Subject) mismatch() []Words {
	m, asked := k.Mismatch, k.Asked()
	in, all := Place(0), []Words(nil)
	if len(k.compared().Rows) > 0 {
		in = OffPage
	}
	// What differs comes first: a ticket has the first words in bold, and a preview cuts the last.
	all = append(all, Words{Text: present.Sentence(m.Words(asked)), Quoted: true, In: in})
	if !asked.Status.Text.Empty() && m.What&(api.ReferenceDiffers|api.StatusDiffers) == 0 {
		all = append(all, Words{Text: "The service says " + present.OwnWord(asked.Status) + ".", In: in})
	}
	at := OnScreens
	if in != 0 && m.What&api.ReferenceDiffers == 0 && k.Live != nil && k.Live.Said.Amount == cmp.Or(asked.Amount, m.Earlier) {
		at = InPane | InText // the table has it
	}
	if agreed := present.Agreed(m, asked); agreed != "" {
		all = append(all, Words{Text: agreed, In: at})
	}
	if m.What&(api.AmountDiffers|api.CurrencyDiffers) != 0 && k.Live != nil && k.Live.AmountUnstated() && k.Live.Said.AmountText.Empty() {
		all = append(all, Words{Text: "The latest answer states no amount."})
	}
	if !m.Undecided() {
		return append(all, Words{Text: "This is a MISMATCH: it never counts as paid here, whatever was decided.", Order: true})
	}
	return append(all, Words{Text: "It is not a success until the provider has clarified it."}, Words{Text: "Provide nothing and charge nothing.", Order: true})
}

// compared returns what was asked of a payment beside what was answered, and beside what the service says now where a watch knows it; it
// has no rows where only words can say how that differs.
func (k Subject) compared() (tb Table) {
	m, asked := k.Mismatch, k.Asked()
	if m.What&^(api.AmountDiffers|api.CurrencyDiffers|api.ReferenceDiffers) != 0 || m.Of != (money.Amount{}) {
		return tb
	}
	watched := k.Live != nil && k.answered()
	add := func(label, asked string, answered, now ui.Cell) {
		cells := []ui.Cell{{Text: asked}, answered}
		if watched {
			cells = append(cells, now)
		}
		tb.Rows = append(tb.Rows, Row{label, cells})
	}
	if due := cmp.Or(asked.Amount, m.Earlier); m.What&^api.ReferenceDiffers != 0 && due != (money.Amount{}) {
		now := ui.Cell{}
		if watched {
			now.Text = amountOf(k.Live.Said.Amount)
			if now.Text != "" && k.Live.Said.Amount != due {
				now.Tone = ui.ToneMismatch
			}
		}
		add("Amount", due.String(), ui.Cell{Text: amountOf(m.Answered) + m.Text.Line(40), Tone: ui.ToneMismatch}, now)
		if _, times, is := strings.Cut(api.Mismatch(due, m.Answered).Line(0), ": "); is && m.Text.Empty() {
			add("", "", ui.Cell{Text: times}, ui.Cell{})
		}
	}
	if m.What&api.ReferenceDiffers != 0 {
		add("Reference", asked.Reference.String(), ui.Cell{Text: m.Reference.Line(80), Tone: ui.ToneMismatch}, ui.Cell{})
	}
	answer, at, status := k.differed()
	tb.Titles = []string{"requested", answer}
	if !at.IsZero() {
		tb.Titles[1] += " " + present.When(at, k.Now)
	}
	if watched && len(tb.Rows) > 0 {
		add("Status", "–", ui.Cell{Text: status}, present.StatusIn(k.Status, m))
		tb.Titles = append(tb.Titles, "now")
	}
	return tb
}

// differed returns which answer differed, when, and the status at that time, as far as its history tells.
func (k Subject) differed() (answer string, at time.Time, status string) {
	answer, at = "answered", k.Mismatch.At
	said, differ := "", 0
	for _, l := range ledger.Lines(k.Events) {
		_, reported := l.Status()
		if reported {
			said, _ = present.Event(l.Event, true)
		}
		if l.What == ledger.Differed {
			answer, at, differ = present.Plain(l.From), l.At, differ+1
		}
		if l.At.Equal(at) { // what one answer says is told in several lines
			status = said
		}
	}
	if differ > 1 { // the column has what differs in all of them
		return "answered", time.Time{}, ""
	}
	return answer, at, status
}

// unresolvedOrder tells staff what to keep to until it is resolved.
const unresolvedOrder = "Do not charge this customer again until it is resolved."

// Ways returns how a person finds out what became of an unresolved attempt, with the keys of its page.
func (k Subject) Ways() Section {
	s, here := Section{Title: "How to find out", Words: []Words{{Text: "paydesk will not send it again.", Rank: 3}}}, k.WhyElsewhere() == ""
	way := func(is bool, label, words string) {
		s.Facts = append(s.Facts, Fact{Label: label, Value: when(is, words)})
	}
	switch k.Kind {
	case ledger.CreateLink:
		way(true, "Provider", "look in its dashboard for a link of this name, amount and time")
	case ledger.Finalize:
		s.Words = nil
		way(here, "Status", "press enter: a final one settles this")
		way(here, "Finalize", "press f to retry it, a minute after its answer was lost")
	default:
		way(here && k.OwnReference != "", "Status", "press r to check our reference")
		way(here, "Matches", "press m to look for "+k.Amount.String()+" in the transactions")
		way(true, "Provider", "search for "+journal.AttemptKey+" "+present.Plain(string(k.ID)))
	}
	decide := "press d to record what you find"
	if opens := k.At.Add(ledger.NotFoundAfter); k.Now.Before(opens) {
		decide = `press d; it may still appear, so "` + NotFoundKey(k.Kind) + `" opens ` + present.Clock(opens.Local())
	}
	way(here, "Decide", decide)
	return s
}

// NotFoundKey names the decision that nothing was done.
func NotFoundKey(k ledger.Kind) string {
	if k == ledger.Finalize {
		return "not finalized"
	}
	return "not found"
}

// unknown lists what a reader must not assume.
func (k Subject) unknown() (all []string) {
	add := func(is bool, words string) {
		if is {
			all = append(all, words)
		}
	}
	whether, mayBe := "Whether "+k.Kind.Effect(), k.Outcome != ledger.Refused && k.Outcome != ledger.NotSent
	add(k.LookedUp, "What was asked for: it was not made from here.")
	add(k.IsUnresolved(), whether+".")
	add(k.Outcome == ledger.Sent, "The response of the service.")
	add(k.Decision == ledger.NotFound || k.Decision == ledger.GaveUp, whether+": only the operator's decision is known.")
	add(k.Kind == ledger.Initiate && mayBe && k.Reference == "", "The reference: the service assigns it and returns it in its response.")
	add(k.Mismatch.Undecided(), "What was charged: the service does not agree with the request, or with itself.")
	add(k.UnderWay(), "The final status: the service has not returned one.")
	add(k.Status.State == api.Failed && k.IsTransfer() && k.Received.IsZero(), "Whether any money arrived: the service does not say.")
	add(k.Status.State == api.Failed && k.Received.Brought(), "What becomes of the money that "+present.Brought(k.Received)+".")
	return all
}

// Summary is an attempt in a few words.
func Summary(a ledger.Attempt) string {
	return present.JoinWords(" · ", present.KindName(a.Kind), present.Plain(a.Draft.Name), present.Amount(a), PaidBy(a), Origin(a))
}

// Origin returns when an attempt was sent, and where to: its [Report.Line] says the rest.
func Origin(a ledger.Attempt) string {
	return present.JoinWords(" · ", present.DateTime(a.At), To(a.Destination))
}
