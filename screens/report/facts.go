package report

import (
	"slices"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Of is the report of an attempt or of a payment.
func Of(k Subject) Report {
	r := Report{
		Title: present.Plain(k.title()), Status: k.Stands(), Brief: k.brief(), Says: k.says(), Unknown: k.unknown(),
		History: k.Events, Differs: !k.Mismatch.IsZero(),
	}
	r.Amount, r.Remark = k.amount()
	r.Card = PaidBy(k.Attempt)
	if opens := k.At.Add(ledger.NotFoundAfter); k.IsUnresolved() && k.Reference == "" && opens.After(k.Now) {
		r.Ahead = ui.Stop{At: present.Clock(opens.Local()), What: `"` + NotFoundKey(k.Kind) + `" opens`}
	}
	r.Sections = []Section{{Title: "What happened", Facts: k.outcome()}, {Title: present.KindName(k.Kind), Facts: k.request()}}
	if k.Live != nil { // a payment has one section beside that of its watch
		r.Sections = []Section{{Title: "Payment", Facts: append(k.outcome(), k.request()...)}}
	}
	if compared := k.compared(); len(compared.Rows) > 0 {
		r.Sections = slices.Insert(r.Sections, 0, Section{Title: "Requested and answered", Table: compared})
	}
	return r
}

// amount returns what is to be paid, and what is to be said of that.
func (k Subject) amount() (amount, remark string) {
	requested := k.Kind == ledger.Initiate && !k.LookedUp && !k.Amount.Currency.IsZero()
	switch {
	case requested && !k.Mismatch.Answered.Currency.IsZero():
		return k.Amount.String() + " requested, " + k.Mismatch.Answered.String() + " answered", ""
	case k.Live != nil:
		return k.reported(requested)
	case requested:
		return present.AmountDue(k.Asked()), ""
	}
	return present.Amount(k.Attempt), ""
}

// reported is the amount as the service reports it, or else as it was requested.
func (k Subject) reported(requested bool) (amount, remark string) {
	got, asked := k.Live.Said, k.Asked()
	fees := asked.Extra(got.Amount)
	switch {
	case requested && got.HasAmount && fees.Minor > 0:
		asked.Total = got.Amount
		return present.AmountDue(asked), ""
	case requested && got.HasAmount && got.Amount == k.Amount:
		return present.AmountDue(asked), ""
	case got.HasAmount:
		return got.Amount.String(), ""
	case !got.AmountText.Empty():
		return got.AmountText.Line(40), "(raw)"
	case requested && k.Live.AmountUnstated():
		return k.Amount.String(), "(requested; not stated by the service)"
	case requested:
		return k.Amount.String(), "(requested; not reported yet)"
	case k.Live.AmountUnstated():
		return "", "Amount not stated by the service"
	}
	return "", "Amount not reported yet"
}

// PaidBy is the channel of a payment with the end of its card.
func PaidBy(a ledger.Attempt) string {
	return strings.TrimSpace(present.ChannelName(a.Channel) + " " + present.Card(a))
}

// brief returns how it was paid, or what it is.
func (k Subject) brief() string {
	what := PaidBy(k.Attempt)
	switch {
	case k.LookedUp:
		what = "looked up"
	case what == "":
		what = strings.TrimSpace(present.KindName(k.Kind) + " " + present.Plain(k.Draft.Name))
	}
	return what
}

// To is the environment and the host of a destination, with the profile in parentheses.
func To(d ledger.Destination) string {
	s := present.Target{Environment: present.Plain(d.Environment), Host: present.Plain(d.Host)}.String()
	if d.Profile != "" {
		s += " (" + present.Plain(d.Profile) + ")"
	}
	return s
}

// hint is the key for a value of an attempt that may still be found.
func (k Subject) hint(words string) string {
	if !k.MayBeFound() || k.WhyElsewhere() != "" {
		return ""
	}
	return words
}

// outcome returns what is known of what became of it.
func (k Subject) outcome() []Fact {
	link, m := created(k.Attempt), k.Mismatch
	onMismatch, earlier := decided(string(m.Decision), m.DecidedAt, m.DecidedBy), Fact{Label: "Before that", Value: k.earlierDecisions(), Rank: 2, In: OnScreens}
	if m.Undecided() && !m.DecidedAt.IsZero() {
		onMismatch = decided(ledger.TakenBack, m.DecidedAt, m.DecidedBy)
		earlier.Rank = Extra // the history says it too, and has more need of the line
	}
	all := []Fact{
		{Label: "Reference", Value: k.Reference.String()},
		{Label: "Outcome", Value: outcomeWord(k.Outcome), At: k.AnsweredAt, In: InFile},
	}
	if k.Live != nil {
		named := k.Live.Other.OtherReference
		if named.Empty() {
			named = k.Live.Said.OtherReference // our own, which names it as well
		}
		all = append(all, Fact{Label: "Reported as", Value: named.Line(0)})
	} else if k.answered() {
		cell := present.StatusIn(k.Status, m)
		offPane := OnPage | InText | InFile // where the chip does not say it, and nothing counts every answer
		all = append(all, Fact{Label: "Status", Value: cell.Text, Tone: cell.Tone, In: offPane}, Fact{Label: "Checked", At: k.StatusAt, In: offPane})
	}
	return append(all, k.ReceiptFact(),
		k.account(), k.expires(),
		Fact{Label: "Differs", Value: link.Differences()},
		Fact{Label: "Lacks", Value: present.NotAnswered(link), Rank: 1},
		Fact{Label: "Differs in", Value: m.What.String(), At: m.At, In: InFile},
		Fact{Label: "Answered", Value: amountOf(m.Answered) + m.Text.Line(0), In: InFile},
		Fact{Label: "Answered as", Value: m.Reference.Line(0), In: InFile},
		Fact{Label: "Agreed", At: m.AgreesAt, In: InFile},
		Fact{Label: "Answer says", Value: api.Reference(present.Plain(k.Named)).String(), Hint: k.hint("no proof; d records what you find")},
		Fact{Label: "Why", Value: when(k.Outcome != ledger.Unresolved, present.Plain(k.Why)), Rank: 1},
		Fact{Label: "Why", Value: when(k.Outcome == ledger.Unresolved, present.Plain(k.Why)), In: InText | InFile}, // a page's history says it
		decided(present.Decision(k.Attempt), k.Attempt.DecidedAt, k.Attempt.DecidedBy),
		onMismatch,
		earlier,
		Fact{Label: "Finalize", Value: when(!k.FinalizeLostAt().IsZero(), "no answer"), At: k.FinalizeLostAt(), Rank: 1},
		Fact{Label: "Customer", Value: when(k.CustomerDone && k.Live == nil && k.ID != "", "has done their part, as the operator confirmed"), In: InFile},
		Fact{Label: "Finalized", Value: when(k.Finalized && k.Live == nil, "yes"), In: InFile},
	)
}

// request returns what was asked for, by whom and where.
func (k Subject) request() []Fact {
	var facts []Fact
	add := func(f ...Fact) { facts = append(facts, f...) }
	id := Fact{Label: "Attempt", Value: when(!k.LookedUp, present.Plain(string(k.ID))), Rank: Extra} // no attempt looked it up
	if k.Live == nil {
		id.In = OffPage // whose title has it
	}
	add(Fact{Label: "Paid by", Value: PaidBy(k.Attempt), Rank: 1, In: OffPage}, id)
	add(Fact{Label: "What", Value: when(k.Live == nil, present.KindName(k.Kind)), In: InText})
	add(k.asksFor()...)
	own := Fact{Label: "Our ref.", Value: present.Plain(k.OwnReference), Hint: k.hint("r checks its status"), Rank: 1, In: OnPage | InText | InFile}
	if k.OwnReference == string(k.Reference) || k.Live != nil {
		own.Value = ""
	}
	sent := Fact{Label: "Sent", At: k.At, By: present.Operator(k.By)}
	if k.LookedUp {
		sent.Label = "First seen"
	}
	if k.Live != nil {
		sent.Rank = Extra
	}
	add(own, Fact{Label: "Fees", Value: present.Fees(k.Asked()), Rank: 1}, sent)
	add(Fact{Label: "To", Value: when(k.Live == nil, To(k.Destination)), Rank: Extra, In: OnPage | InText | InFile})
	if c := k.Changed; !c.At.IsZero() {
		add(Fact{Label: "Changed", Value: "from " + present.OwnWord(c.Was) + " to " + present.OwnWord(c.Is), At: c.At})
	}
	return facts
}

// asksFor is the amount in all its forms, and what was asked of a link.
func (k Subject) asksFor() []Fact {
	a, link := k.Attempt, created(k.Attempt)
	has := !a.Amount.Currency.IsZero() && !a.CustomerChooses()
	facts := []Fact{
		{Label: "Minor units", Value: when(has, a.Amount.MinorText()), In: InFile},
		{Label: "Currency", Value: when(a.CustomerChooses(), a.Amount.Currency.Code()), In: InFile},
		{Label: "Fees stated", Value: when(a.Fees > 0, a.Asked().Fees.String()), In: InFile},
		{Label: "Total", Value: when(a.Total > 0, a.Asked().Total.String()), In: InFile},
	}
	asked := present.LinkFacts(a)
	for i, f := range asked {
		facts = append(facts, Fact{Label: f[0], Value: f[1], Rank: min(i, 2)})
	}
	if len(asked) == 0 {
		facts = append(facts, Fact{Label: "Name", Value: link.Name.Prose(0)})
	}
	return append(facts,
		Fact{Label: "Link", Value: present.Plain(string(a.Link)), Rank: 2},
		Fact{Label: "Page", Value: k.page(), In: InText | InFile},
		Fact{Label: "Link ID", Value: link.ID.Line(0), In: InFile})
}

// page is where customers pay through a link that it created; "" where that has to be read first.
func (k Subject) page() string {
	if k.MustBeRead() {
		return ""
	}
	return created(k.Attempt).Page.String()
}

// decided is a decision with its time, and who made it.
func decided(words string, at time.Time, by ledger.Operator) Fact {
	if words == "" {
		return Fact{}
	}
	return Fact{Label: "Decided", Value: present.Plain(words), At: at, By: present.Operator(by)}
}

// ReceiptFact returns what has been paid so far, of how much; empty where the service does not say.
func (k Subject) ReceiptFact() Fact {
	words, odd := present.ReceivedWords(k.Received, api.Asked{Amount: k.Amount}, 60)
	f := Fact{Label: "Received", Value: words}
	if odd {
		f.Tone = ui.ToneAct
	}
	return f
}

// ValidityFact says until when the customer can pay into its account, which must be known. Where one is not to be used any more
// nothing counts down, so that no customer hurries to pay.
func (k Subject) ValidityFact() Fact {
	f := Fact{Label: "Expiry", Value: present.ExpiryWords(*k.Account, k.Now)}
	switch c := k.Circumstances(k.Now); {
	case k.Status.State.Final():
		f.Value, f.Muted = "no longer valid", true
	case c.InDoubt:
		f.Value, f.Muted = present.NotToBePaid, true
	case c.AccountExpired():
		f.Tone = ui.ToneBad
	}
	return f
}

// account returns where the customer of a transfer pays, and until when.
func (k Subject) account() Fact {
	if k.Account == nil || k.Account.AccountNumber.Empty() {
		return Fact{}
	}
	f := k.ValidityFact()
	switch valid := !f.Muted && f.Tone == ui.ToneNone; {
	case valid && k.Live == nil && k.Account.Expires(): // nothing counts down there
		f.Value = "expires " + present.When(k.Account.Expiration.Time, k.Now)
	case valid:
		f.Value = "expires " + f.Value
	}
	f.Label, f.Value, f.In = "Pay into", k.Account.AccountNumber.Line(40)+", "+f.Value, OnScreens
	return f
}

// expires says until when the account of a transfer can be paid into. Its number stays here, so that no reader of a ticket
// pays into it.
func (k Subject) expires() Fact {
	f := Fact{Label: "Expires", In: InFile}
	if k.Account.Expires() {
		f.At = k.Account.Expiration.Time
	}
	if k.Account.Expired(k.Now) {
		f.Label = "Expired"
	}
	return f
}

// outcomeWord is an outcome, loud where it is not known.
func outcomeWord(o ledger.Outcome) string {
	if o == ledger.Unresolved {
		return present.Unresolved
	}
	return present.Plain(string(o))
}

func amountOf(a money.Amount) string {
	if a.Currency.IsZero() {
		return ""
	}
	return a.String()
}

// earlierDecisions lists the decisions before the latest, the newest first.
func (k Subject) earlierDecisions() string {
	var all []string
	for _, e := range k.Events {
		if e.What == ledger.Decided {
			detail := present.Plain(e.Detail)
			if e.TakesBack() {
				detail = ledger.TakenBack
			}
			all = append(all, detail+", "+present.DateTime(e.At)+", by "+present.Operator(e.By))
		}
	}
	if len(all) > 0 {
		all = all[:len(all)-1]
	}
	slices.Reverse(all)
	return strings.Join(all, "; ")
}
