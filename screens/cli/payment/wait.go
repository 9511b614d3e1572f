package payment

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

// printInitiated prints the payment that was made, and the account that the customer of a transfer pays into.
func (k *collection) printInitiated(paid api.Payment) {
	e, _ := k.c.Find(k.reference)
	now := time.Now()
	asked, when := e.Asked(), e.Circumstances(now)
	due, known := asked.Due()
	o := output.Initiated{
		Reference: k.reference.String(), Attempt: string(k.attempt), Amount: output.NewMoney(k.in.Amount),
		Channel: k.in.Channel, Card: present.Card(e.Attempt), Link: string(k.in.Link), Status: output.NewStatus(paid.Status, true),
		Mismatch: output.NewMismatch(e.Mismatch), Message: paid.Message.Line(0),
	}
	if paid.Fees.Minor != 0 {
		o.Fees = output.NewMoney(paid.Fees)
	}
	if known {
		o.Due = output.NewMoney(due)
	}
	if when.MayPay(paid.Status.State) {
		o.Account, k.payable = newAccount(*paid.Transfer), true
	}
	pairs := [][2]string{
		{"Reference", o.Reference}, {"Attempt", o.Attempt}, {"Amount", present.AmountDue(asked)}, {"Fees", present.Fees(asked)},
		{"Card", o.Card}, {"Link", o.Link}, {"Message", o.Message},
	}
	if a := o.Account; a != nil {
		pairs = append(pairs, [2]string{"Account", a.Number}, [2]string{"Bank", a.Bank}, [2]string{"Name", a.Name},
			[2]string{"Note", a.Note}, [2]string{"Mode", a.Mode}, [2]string{"Expires", k.expiry(*paid.Transfer, now)})
	}
	k.p.Data.Show(o, pairs...)
}

func newAccount(t api.Transfer) *output.Account {
	a := &output.Account{
		Number: t.AccountNumber.Line(0), Bank: t.Bank.Line(0), Name: t.AccountName.Line(0), Note: t.Note.Line(0), Mode: t.Mode.Line(0),
	}
	if t.Expires() {
		a.Expires = output.Time(t.Expiration.Time)
	}
	return a
}

// expiry tells when an account expires: in words on a terminal, otherwise as RFC 3339 where the service gave a time.
func (k *collection) expiry(t api.Transfer, now time.Time) string {
	if t.Expires() && !k.p.Data.Terminal {
		return t.Expiration.Time.Local().Format(time.RFC3339)
	}
	return present.ExpiryWords(t, now)
}

// customersStep prints what the customer has to do. What cannot be found out about that is said: the payment was
// made, and is watched.
func (k *collection) customersStep(ctx context.Context) error {
	e, _ := k.c.Find(k.reference)
	if e.IsTransfer() {
		k.sayAccount(e)
		return nil
	}
	part := customersPartOf(e, nil)
	if part.isZero() && k.asksBank(e) {
		got, err := k.c.Authenticate(ctx, k.reference)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			words := present.Error(err, present.Reading)
			k.p.Warn("The service could not be asked whether the customer's bank must approve: %s %s", words.What, words.Detail)
		} else {
			part = customersPartOf(e, &got)
		}
	}
	if refused := e.Payment().BankAuthRefused; !refused.Empty() {
		k.p.Warn("The customer's bank must approve, but its URL cannot be used: %s", refused.Line(0))
	}
	if part.isZero() {
		return nil
	}
	k.printChallenge(part)
	if k.o.open {
		k.open(ctx, part)
	}
	return nil
}

// standsNow asks once how the payment stands, and ends: with 0 only where it is paid, or the customer can do their part.
// The payment was sent, so no answer is an unknown outcome, never a failure that a script may repeat.
func (k *collection) standsNow(ctx context.Context) error {
	if ctx.Err() != nil { // a check that ends at once says nothing of the payment
		return context.Cause(ctx)
	}
	found, err := k.p.now(ctx, k.c, nil, k.reference)
	if err != nil {
		return err
	}
	known := found[0]
	k.p.statusRows(k.reference).print(known)
	when := known.Circumstances(known.Now)
	switch state := known.Status.State; {
	case known.Live.Err != nil:
		return command.EndedBy(command.WhyUnresolved)
	case known.code() == command.NotFinal && state == api.Unrecognised: // to ask again is for those who follow it
		return command.Toward(command.WhyFailed, "The payment was made, but its status is one that paydesk does not know.", "paydesk status "+k.reference.String(), "asks again")
	case known.code() != command.NotFinal:
		return command.EndedBy(known.reason())
	case when.AccountExpired():
		return command.Refuse(command.WhyPaymentFailed, "The account has expired: the customer must not pay into it.", "")
	}
	if err := k.customersStep(ctx); err != nil {
		return err
	}
	if f, _ := k.c.Find(k.reference); f.CustomerMustAct() && (!f.IsTransfer() || k.payable && when.MayPay(known.Status.State)) {
		return nil
	}
	return command.EndedBy(command.WhyNotFinal)
}

// open opens what the customer needs. A page is served while the payment is watched, and with --no-wait until it was fetched. That
// it cannot be opened is no reason to stop watching.
func (k *collection) open(ctx context.Context, part customersPart) {
	serve := func(ctx context.Context) {
		if err := k.p.openPart(ctx, part); err != nil && ctx.Err() == nil {
			k.p.Say("It could not be opened: %s", err)
		}
	}
	if part.page.IsZero() || k.o.noWait {
		serve(ctx)
		return
	}
	k.closePage = background(ctx, serve)
}

// background runs do until it ends or is stopped. stop waits for its end; it may be called again.
func background(ctx context.Context, do func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { do(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// asksBank reports whether the service has to be asked if the customer's bank is needed: for a card, unless the
// answer to the initiation already says how it goes on.
func (k *collection) asksBank(e session.Entry) bool {
	switch e.Status.State {
	case api.Claimed, api.Pending:
		return false
	}
	return e.Channel == api.ChannelCard && e.WhyNot(ledger.ToAuthenticate, time.Time{}) == ""
}

func (k *collection) sayAccount(e session.Entry) {
	switch when := e.Circumstances(time.Now()); {
	case e.Payment().Transfer == nil || e.Payment().Transfer.AccountNumber.Empty():
		k.p.Warn("The service returned no account to pay into. Contact the provider.")
	case k.payable && when.MayPay(e.Status.State):
		k.p.Say("%s", present.PayInto(e.Asked()))
	}
}

func (k *collection) printChallenge(part customersPart) {
	switch {
	case k.p.Data.Format == output.JSON:
		k.p.Data.Object(output.Challenge{
			Reference: k.reference.String(), URL: part.address.String(), PageBytes: part.page.Size(),
		})
	case !part.address.IsZero():
		k.p.Say("The customer authenticates with their bank, or approves the payment there, at the address.")
		k.p.Data.Pairs([2]string{"Address", part.address.String()})
	case !k.o.open:
		k.p.Say("The service returned a page of %s bytes for the customer's browser: paydesk authenticate %s --open serves it once.", present.Thousands(part.page.Size()), k.reference)
	}
}

// follow prints how the payment changes until it is settled, and finalizes a payment of a link when its turn comes.
func (k *collection) follow(ctx context.Context) error {
	f := k.p.follower(k.c, true, nil, k.reference)
	defer f.close()
	w := f.all[0].Watch
	k.stopAsking = k.askCustomerDone(ctx, w)
	defer func() { k.stopAsking() }()
	err := f.follow(ctx, k.o.timeout, func() error { return k.finalize(ctx, w) })
	if f.gaveUp {
		k.sayGoesOn()
		if command.Judge(err) == command.NoAnswer { // the payment was made, but its status is not known
			return command.EndedBy(command.WhyUnresolved)
		}
	}
	return afterSending(err, command.WhyUnresolved)
}

// afterSending returns an error of a payment that was made. A reason after which scripts send again gives way to another.
func afterSending(err error, instead command.Reason) error {
	sendAgain := []command.Code{command.Usage, command.Refused, command.Duplicate, command.Locked}
	r, is := errors.AsType[*command.Refusal](err)
	if !is || !slices.Contains(sendAgain, r.Exit) {
		return err
	}
	said := *r
	said.Reason = instead
	return &said
}

// sayGoesOn says what comes next for a payment once the command stops waiting. It never suggests a finalize while the amount that
// was charged is in doubt.
func (k *collection) sayGoesOn() {
	e, _ := k.c.Find(k.reference)
	switch needs := e.NeedsFinalize() && !e.Mismatch.InDoubt(); {
	case needs && e.CustomerMustAct():
		k.p.Say("The payment goes on. Once the customer has done their part: paydesk finalize %s --customer-done", k.reference)
	case needs:
		k.p.Say("The payment goes on: paydesk finalize %s is its next step.", k.reference)
	default:
		k.p.Say("The payment goes on: paydesk status %s --until final waits for it.", k.reference)
	}
}

// askCustomerDone lets a person at the terminal say that the customer has done their part, after which a payment of
// a link is finalized. The function stops asking; it may be called again.
func (k *collection) askCustomerDone(ctx context.Context, w *session.Watch) (stop func()) {
	if e, _ := k.c.Find(k.reference); !k.p.Ask.Person() || e.Link == "" || !e.CustomerMustAct() {
		return func() {}
	}
	k.p.Say("Press enter once the customer says that they have done their part. The payment is finalized after that.")
	return background(ctx, func(ctx context.Context) {
		if _, err := k.p.Ask.Line(ctx, ""); err == nil {
			k.c.CustomerDone(k.reference)
			w.Check() // which also stores it
		}
	})
}

// finalize finalizes a payment that needs it, once the customer's part is complete.
func (k *collection) finalize(ctx context.Context, w *session.Watch) error {
	e, _ := k.c.Find(k.reference)
	if why, _ := whyNotFinalize(e); k.finalized || !e.NeedsFinalize() || why != "" {
		return nil
	}
	k.finalized = true
	k.stopAsking()
	if _, err := k.p.finalizeAsked(ctx, k.c, k.reference, k.o.yes); err != nil {
		k.keepCustomerDone(context.WithoutCancel(ctx))
		return k.unfinalized(err)
	}
	k.p.Say("The service accepted the finalize.")
	w.Check()
	return nil
}

// keepCustomerDone records that the customer has done their part, for a finalize that is sent later. A status check records it too, but may
// still be running when paydesk ends.
func (k *collection) keepCustomerDone(ctx context.Context) {
	e, _ := k.c.Find(k.reference)
	if kept, err := k.c.Recorder.Payment(ctx, k.reference); err == nil && e.CustomerDone && !kept.CustomerDone {
		_ = k.c.Recorder.CustomerDone(ctx, k.reference) // the journal reports its own failures
	}
}

// notFinalized replaces what a finalize alone says of itself: here the payment was sent before it.
var notFinalized = strings.NewReplacer(
	"Nothing was sent.", "The payment is made; its finalization was not sent.", "Nothing was done.", "The payment is made; it is not finalized.",
)

// unfinalized is the error of a finalize that was not sent or not accepted, which says that the payment was.
func (k *collection) unfinalized(err error) error {
	r, is := errors.AsType[*command.Refusal](err)
	if !is || err == k.p.Unprinted { // which is said once
		return err
	}
	said := *r
	if said.Problem.IsZero() {
		said.What = r.Error()
	}
	said.What, said.Done, said.Next = notFinalized.Replace(said.What), notFinalized.Replace(said.Done), cmp.Or(said.Next, "Send it later: paydesk finalize "+k.reference.String())
	return afterSending(&said, command.WhyNotFinal)
}
