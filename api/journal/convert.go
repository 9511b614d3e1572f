package journal

import (
	"strings"

	"paydesk/api"
)

func (r *row) attempt() Attempt {
	a := Attempt{
		ID: ID(r.id), Kind: Kind(r.kind), At: fromNano(r.at), By: Operator{r.user, r.host, r.ssh},
		Destination: Destination{r.profile, r.environment, r.service},
		Amount:      r.amount(), Channel: r.channel, Link: api.Alias(r.link), Card: r.card,
		OwnReference: r.ownReference, Reference: api.Reference(r.reference),
		Outcome: Outcome(r.outcome), AnsweredAt: fromNano(r.answered), Why: r.why,
		Decision: Decision(r.verdict), DecidedAt: fromNano(r.decidedAt),
		DecidedBy:  Operator{r.decidedUser, r.decidedHost, r.decidedSSH},
		StatusAt:   fromNano(r.seenAt),
		Challenged: r.bankAsked != 0, CustomerDone: r.customerDone != 0,
		Finalized: r.finalized != 0, FinalizeUnresolvedAt: fromNano(r.finalizeLost),
	}
	a.Status = r.lastStatus()
	a.BankAuth, _ = api.ParseAddress(r.bank) // the zero URL when there is none
	if r.account != 0 {
		a.Account = &api.Transfer{
			Note: api.Clean(r.accountNote), Bank: api.Clean(r.accountBank),
			AccountNumber: api.Clean(r.accountNumber), AccountName: api.Clean(r.accountName),
			Mode: api.Clean(r.accountMode), Expiration: api.ParseTimestamp(r.accountExpires),
		}
	}
	a.CreatedLink = r.madeLink()
	return a
}

func (r *row) madeLink() *api.Link {
	if r.made == 0 {
		return nil
	}
	l := &api.Link{
		ID: api.Clean(r.madeID), Name: api.Clean(r.madeName), Description: api.Clean(r.madeDescription),
		Alias: api.Alias(r.link), PageText: api.Clean(r.madePageText),
		Amount: amount(r.madeMinor, r.madeCurrency), HasAmount: r.madeHasAmount != 0,
		Type: api.Clean(r.madeType), AmountType: api.AmountType(r.madeAmountType),
		Status: api.Clean(r.madeStatus), Created: api.ParseTimestamp(r.madeCreated),
		Environment: api.Clean(r.madeEnvironment),
	}
	l.Page, _ = api.ParseAddress(r.madePage)
	return l
}

// rowOf returns the row of an attempt that is about to be sent.
func rowOf(a Attempt) *row {
	return &row{
		id: string(a.ID), kind: string(a.Kind), at: unixNano(a.At),
		user: sanitize(a.By.User), host: sanitize(a.By.Host), ssh: sanitize(a.By.SSH),
		profile: sanitize(a.Profile), environment: sanitize(a.Environment), service: sanitize(a.Host),
		minor: a.Amount.Minor, currency: a.Amount.Currency.Code(),
		channel: sanitize(a.Channel), link: sanitize(string(a.Link)), card: lastFour(a.Card),
		ownReference: sanitize(a.OwnReference),
		outcome:      string(Sent),
	}
}

// setPayment stores what the service returned for an initiation that it accepted.
func (r *row) setPayment(p *api.Payment) {
	if r.reference != "" && r.reference != string(p.Reference) {
		// The operator had found another payment, whose status is not that of this one.
		r.status, r.statusText, r.seenAt, r.final = "", "", 0, 0
		r.customerDone, r.finalized, r.finalizeLost = 0, 0, 0
	}
	r.reference = string(p.Reference)
	r.bank = sanitizeAddress(p.BankAuth)
	if !p.BankAuth.IsZero() || !p.BankAuthRefused.Empty() {
		r.bankAsked = 1
	}
	if t := p.Transfer; t != nil {
		r.account = 1
		r.accountNote, r.accountBank = sanitizeText(t.Note), sanitizeText(t.Bank)
		r.accountNumber, r.accountName = sanitizeText(t.AccountNumber), sanitizeText(t.AccountName)
		r.accountMode, r.accountExpires = sanitizeText(t.Mode), sanitizeText(t.Expiration.Text)
	}
}

// setLink stores the link that was created.
func (r *row) setLink(l *api.Link) {
	r.made = 1
	r.link = string(l.Alias)
	r.madeID, r.madeName, r.madeDescription = sanitizeText(l.ID), sanitizeText(l.Name), sanitizeText(l.Description)
	r.madePage, r.madePageText = sanitizeAddress(l.Page), sanitizeText(l.PageText)
	r.madeMinor, r.madeCurrency, r.madeHasAmount = l.Amount.Minor, l.Amount.Currency.Code(), boolInt(l.HasAmount)
	r.madeType, r.madeAmountType, r.madeStatus = sanitizeText(l.Type), int64(l.AmountType), sanitizeText(l.Status)
	r.madeCreated, r.madeEnvironment = sanitizeText(l.Created.Text), sanitizeText(l.Environment)
}

// lastStatus returns the last status of the service; zero when it returned none.
func (r *row) lastStatus() api.Status {
	if r.status == "" {
		return api.Status{}
	}
	return api.Status{State: api.ParseStatus(r.status).State, Text: api.Clean(r.statusText)}
}

// setStatus stores a status and its time, unless the stored one is final and stays.
func (r *row) setStatus(s api.Status, at int64) {
	kept := r.lastStatus().Next(s)
	if kept.State != s.State || sanitizeText(kept.Text) != sanitizeText(s.Text) {
		return
	}
	r.status, r.statusText, r.seenAt, r.final = kept.State.String(), sanitizeText(kept.Text), at, boolInt(kept.State.Final())
}

// setSearchText fills the column that [Filter.Text] is searched in.
func (r *row) setSearchText() {
	r.words = strings.ToLower(strings.Join([]string{r.id, r.reference, r.link, r.madeName, r.channel, r.card}, "\n"))
}

func (e *eventRow) event() Event {
	return Event{
		At: fromNano(e.at), Until: fromNano(e.until), Times: int(e.times), What: e.what, Detail: e.detail,
		By: Operator{e.user, e.host, e.ssh}, Source: e.source,
	}
}
