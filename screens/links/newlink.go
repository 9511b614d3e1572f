package links

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Creator creates links.
type Creator interface {
	CreateLink(context.Context, api.LinkDraft) (api.Link, error)
}

// A Form is the screen that creates a payment link: a form, in live a confirmation over it, and the request, sent
// once. A created link opens in a [Share].
type Form struct {
	detail.Dialog
	creator Creator
	target  present.Target

	name        *ui.TextField
	description *ui.TextField
	uses        *ui.ChoiceField
	kind        *ui.ChoiceField
	currency    ui.Currencies
	amount      *ui.AmountField

	draft   api.LinkDraft // as it was sent
	alike   present.Duplicates
	sent    ui.Call[api.Link]
	created *api.Link       // nil for none
	problem present.Problem // unresolved where it is not known whether the link was created, and it has no attempt
	held    ui.HeldKey

	attempted bool   // it was sent before, and rejected
	sample    string // a test card that pays the link; "" for one that a person fills in
}

// The lengths of what a customer reads of a link.
var (
	NameLimit        = ui.Limit(100)
	DescriptionLimit = ui.Limit(200)
)

// Typed returns what a person types to create a link where real money moves: its amount, or its currency where the customer chooses that.
func Typed(d api.LinkDraft) string {
	if d.AmountType == api.Dynamic {
		return d.Amount.Currency.Code()
	}
	return d.Amount.Grouped()
}

// NewForm creates a link at target. With sample, a test card, a made-up link is filled in, which that card is to pay.
func NewForm(t *ui.Theme, c Creator, target present.Target, sample string) *Form {
	m := &Form{creator: c, target: target, sample: sample}
	m.name = ui.NewTextField(t, "Name", "Shown to the customer. No two links have the same name.", ui.Required(), NameLimit)
	m.description = ui.NewTextField(t, "Description", "What the payment is for.", ui.Required(), DescriptionLimit)
	m.uses = ui.NewChoiceField(t, "Can be paid", "", "once", "many times")
	m.kind = ui.NewChoiceField(t, "Amount is", "Fixed here, or chosen by the customer.", "fixed", "chosen by the customer")
	m.currency = ui.NewCurrencies(t)
	m.uses.Explain(func(uses int) string {
		return [...]string{"The first payment uses the link up.", "Any number of customers can pay through the link."}[uses]
	})
	m.kind.Explain(m.openAmount)
	m.currency.Choice.Explain(m.openAmount)
	m.amount = ui.NewAmountField(t, "Amount", m.currency.Value)
	m.Dialog = detail.NewDialog(t, detail.Asks{
		Title: "New link", Help: formHelp, Head: m.head, Beside: m.request, Busy: m.busy, Submit: m.submit,
	}, "create", m.fields()...)
	return m
}

var formHelp = []string{
	"A payment link is a page where a customer pays. A one-time link is used up by its first payment.",
	"A link of the same name and amount as one of the last ten minutes, or as an unresolved one, is created only after you type the short ID of that one.",
	"The service does not send receipt e-mails yet, so there is no field for one.",
}

// Init implements [ui.Screen].
func (m *Form) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if !m.problem.Unresolved {
		m.problem = present.Problem{}
	}
	if m.sample != "" {
		m.fillSample()
	}
	return nil
}

// fillSample fills in a link. The time makes its name one that no other link has.
func (m *Form) fillSample() {
	gbp, _ := money.ParseCurrency("GBP") // which is one
	m.name.SetValue("Chairs " + present.Clock(m.Scope.Now()))
	m.description.SetValue("Six oak chairs")
	m.currency.Set(gbp)
	m.amount.Set(money.Amount{Minor: 120_00, Currency: gbp})
	m.Form.FocusOn(m.amount)
	m.Notify("A made-up link is filled in. Create it with enter.")
}

// fields returns the fields that the choices so far require.
func (m *Form) fields() []ui.Field {
	f := append([]ui.Field{m.name, m.description, m.uses, m.kind}, m.currency.Fields()...)
	if m.dynamic() {
		return f
	}
	return append(f, m.amount)
}

// dynamic reports whether the customer chooses the amount.
func (m *Form) dynamic() bool { return m.kind.Chosen() == int(api.Dynamic) }

// input is the link as entered. Where the customer chooses the amount only its currency counts:
// see [api.LinkDraft.SentAmount].
func (m *Form) input() api.LinkDraft {
	d := api.LinkDraft{
		Name: m.name.Value(), Description: m.description.Value(),
		Type: api.LinkType(m.uses.Chosen()), AmountType: api.AmountType(m.kind.Chosen()),
		Amount: money.Amount{Currency: m.currency.Value()},
	}
	if a, err := m.amount.Value(); err == nil && !m.dynamic() {
		d.Amount = a
	}
	return d
}

// Update implements [ui.Screen]. The fields follow the choices.
func (m *Form) Update(msg tea.Msg) tea.Cmd {
	if k, pressed := msg.(tea.KeyPressMsg); pressed && m.held.Ignores(m.Scope, k, !m.editing()) {
		return m.Warn("Too soon after the last request. Release the key and press it again.")
	}
	cmd := m.Dialog.Update(msg)
	m.Form.SetFields(m.fields()...)
	if m.problem.AtFields && !m.Form.Rejected() {
		m.problem = present.Problem{}
	}
	return cmd
}

// editing reports whether the form takes input: nothing is being sent, and no link was created, or may have been.
func (m *Form) editing() bool {
	return !m.sent.Pending() && !m.problem.Unresolved && m.created == nil
}

// submit sends the link at once where it moves no real money, and otherwise after a confirmation, because anyone with its URL can pay
// through it.
func (m *Form) submit() tea.Cmd {
	m.draft, m.problem, m.alike = m.input(), present.Problem{}, present.Duplicates{}
	if !m.target.Live() {
		return m.send()
	}
	q := ui.Question{
		Title: "Create the link \"" + m.draft.Name + "\"?",
		Lines: []string{"Anyone with its URL can pay real money through it."},
		Place: m.target.String(), Yes: "Create", No: "Go back", Typed: Typed(m.draft), Closed: m.target.Closes(),
	}
	if m.draft.AmountType == api.Dynamic {
		q.Lines = append([]string{"The customer chooses the amount."}, q.Lines...)
	}
	return m.ask(q)
}

// ask asks whether to create the link. A no leads back to the form, which has kept its input.
func (m *Form) ask(q ui.Question) tea.Cmd {
	return detail.Ask(&m.Body, detail.Question{Question: q, Title: q.Yes, Head: m.asked, Help: formHelp, Command: m.Command(), Do: m.send})
}

// send sends the draft as it was confirmed, once: a Commit never starts twice. From now on the key
// that submitted counts as held down until it is released, so that no rejection makes it send
// another request.
func (m *Form) send() tea.Cmd {
	m.attempted = true
	m.held.Submitted(m.Scope)
	creator, draft, allowed := m.creator, m.draft, m.alike.IDs()
	attempt := new(ledger.ID) // is noted before anything is sent, and so also where paydesk breaks off
	answered := func(a ui.Result[api.Link]) tea.Cmd { return m.onResponse(a, *attempt) }
	return m.sent.Then(answered).Timed(present.SendLimit).Commit(m.Scope, present.SendLimit, func(ctx context.Context) (api.Link, error) {
		return creator.CreateLink(ledger.WithNotedID(ledger.WithAllowedDuplicates(ctx, allowed...), attempt), draft)
	})
}

// isElsewhere reports whether the link was created in another environment than the profile's.
func (m *Form) isElsewhere() bool {
	return m.created != nil && m.created.InOtherEnvironment(m.target.Environment)
}

// sending reports whether the link is being created, or was and is shown next.
func (m *Form) sending() bool { return m.sent.Pending() || m.created != nil && !m.isElsewhere() }

// WhyStay says why the screen cannot be left now.
func (m *Form) WhyStay() string {
	if m.sending() {
		return "The link is being created. Please wait for the response."
	}
	return ""
}

// Draft implements [ui.Drafter].
func (m *Form) Draft() bool { return m.editing() && m.sample == "" && m.Form.HasText() }

// onResponse opens the created link, or shows why there is none. An unresolved attempt goes to its
// screen, where it is resolved. Without an ID it was not recorded, and so not sent; an error that
// says otherwise is believed.
func (m *Form) onResponse(a ui.Result[api.Link], attempt ledger.ID) tea.Cmd {
	if a.Err == nil {
		if m.created = &a.Value; m.isElsewhere() {
			return nil
		}
		return nav.ReplaceWith(nav.Share{Link: a.Value, Sample: m.sample})
	}
	m.problem = present.Error(a.Err, present.Sending)
	var duplicate *ledger.Duplicate
	var refusal *api.Refusal
	switch {
	case m.problem.Unresolved && attempt != "":
		return nav.ReplaceWith(nav.Attempt{ID: attempt})
	case m.problem.Unresolved:
	case errors.As(a.Err, &duplicate) && len(duplicate.Attempts) > 0:
		return m.onDuplicate(duplicate)
	case errors.As(a.Err, &refusal):
		m.showAtFields(present.Reasons(refusal))
	}
	return nil
}

// onDuplicate asks whether to create a link like those that the journal found: nothing was sent.
func (m *Form) onDuplicate(found *ledger.Duplicate) tea.Cmd {
	m.alike = present.NewDuplicates(found, m.Scope.Now())
	return m.ask(m.alike.Question(m.target))
}

// showAtFields puts each reason of a refusal at the field it names; the others stay on top. A field
// that the choices leave out cannot be corrected and takes none.
func (m *Form) showAtFields(reasons []string) {
	named := slices.DeleteFunc([]ui.Named[ui.Field]{
		{Names: "amounttype|amount type", Value: m.kind}, {Names: "linktype|link type", Value: m.uses},
		{Names: "currency", Value: m.currency.Code}, {Names: "currency", Value: m.currency.Choice}, {Names: "amount", Value: m.amount},
		{Names: "description", Value: m.description}, {Names: "name", Value: m.name},
	}, func(n ui.Named[ui.Field]) bool { return !m.Form.Has(n.Value) })
	rest := ui.PlaceReasons(reasons, named, func(f ui.Field, reason string) bool {
		m.Form.SetError(f, reason)
		return true
	})
	if len(rest) < len(reasons) {
		m.problem = m.problem.Rest(rest)
	}
}

// Command implements [ui.Commander]: the link as far as it is filled in.
func (m *Form) Command() []string {
	d, amount := m.input(), ""
	if d.Amount.Minor > 0 {
		amount = d.Amount.Major()
	}
	words := append([]string{"link", "create"}, present.Options(
		"--name", d.Name, "--description", d.Description, "--currency", d.Amount.Currency.Code(), "--amount", amount)...)
	if m.dynamic() {
		words = append(words, "--customer-chooses")
	}
	if d.Type == api.Reusable {
		words = append(words, "--reusable")
	}
	return words
}

// Request is the creation, for curl, as far as it is filled in.
func (m *Form) Request() (api.Call, bool) {
	return api.Call{Operation: api.OpCreateLink, Link: m.input()}, true
}

const (
	labels = 13 // cells of a label and the gap after it
	roomy  = 16 // lines of a body from which a rule and a blank stand above the form
)

// head is the last problem, below a rule where it has room.
func (m *Form) head(w int) (lines []string) {
	if !m.editing() {
		return nil
	}
	if m.H >= roomy {
		note := "not sent yet"
		if m.attempted {
			note = "" // the problem says what was done
		}
		lines = []string{m.Theme.Rule("Payment link", note, w), ""}
	}
	if problem := m.problem.Lines(m.Theme, w); len(problem) > 0 {
		lines = append(append(lines, problem...), "")
	}
	return lines
}

// busy stands in place of the form once the link is being created, was, or may have been.
func (m *Form) busy(w int) []string {
	switch {
	case m.sending():
		return append(append(m.Theme.WaitLines(m.sent.Wait(), "Creating the link", w), ""), ui.Wrap(present.SendingNote, max(1, w))...)
	case m.problem.Unresolved:
		return m.problem.Lines(m.Theme, w)
	case m.isElsewhere():
		return m.mismatch(w)
	}
	return nil
}

// asked stands above a question: the attempts that look the same, and where all of it has room the link that would be created.
func (m *Form) asked(w int) (lines []present.Line) {
	if alike := m.alike.Lines(m.Theme, w); len(alike) > 0 {
		lines = present.Rows(0, append(alike, "")...)
	}
	a := ledger.Attempt{Kind: ledger.CreateLink, Draft: m.draft, Amount: m.draft.Amount}
	draft := m.Theme.StrongLines(present.Amount(a), w)
	for _, fact := range present.LinkFacts(a) {
		draft = append(draft, m.Theme.FactLines(fact[0], fact[1], labels, w)...)
	}
	return append(lines, present.Paragraph(1, append(draft, "")...)...)
}

// request is what the form will send.
func (m *Form) request(w, h int) []string {
	return present.Request(m.Theme, m.input().Preview(), "POST …/payment-link", w, h, m.feeds()...)
}

// feeds are the paths of the request that come from the field in focus.
func (m *Form) feeds() []string {
	return map[ui.Field][]string{
		m.name: {"name"}, m.description: {"description"}, m.uses: {"linkType"}, m.kind: {"amountType"},
		m.currency.Choice: {"currencyCode", "amountInfo.currencyCode"}, m.currency.Code: {"currencyCode", "amountInfo.currencyCode"},
		m.amount: {"amountInfo.amount"},
	}[m.Form.Focused()]
}

// openAmount says what is sent as the amount where the customer chooses it.
func (m *Form) openAmount(int) string {
	if sent := m.input().SentAmount(); m.dynamic() && !sent.Currency.IsZero() {
		return "The customer chooses the amount. The request needs one anyway and carries " + sent.String() +
			", the least known to be accepted; a payment page may suggest it."
	}
	return ""
}

// mismatch warns of a link that was created in another environment.
func (m *Form) mismatch(w int) []string {
	words := "The link was created, but the service reports its environment as \"" + m.created.Environment.Line(20) + "\". This profile declares " +
		m.target.Environment + ". Check the profile's secret key and base URL before you do anything else."
	lines := append([]string{m.Theme.Chip(ui.ToneBad, "ENVIRONMENT MISMATCH")}, m.Theme.StrongLines("Do not share this link.", w)...)
	lines = append(append(lines, ui.Wrap(words, max(1, w))...), "")
	return append(lines, m.Theme.FactLines("Alias", string(m.created.Alias), labels, w)...)
}
