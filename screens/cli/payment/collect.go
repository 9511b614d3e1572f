package payment

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/text"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/collect"
	"paydesk/screens/present"
	"paydesk/ui"
)

// collectOptions are the flags of collect.
type collectOptions struct {
	entry                collect.Entry
	amount               command.AmountFlags
	link                 string
	meta                 []string
	cardStdin, unchecked bool
	yes, open, noWait    bool
	allow                string
	timeout              time.Duration
}

const collectLong = `The channel is checked, the payment is sent once after a confirmation or with --yes, and what the customer has to do is
printed. A payment of a link is finalized once the customer has done their part. For live, a person at a terminal types
the profile's name and the amount.

A card is typed at the terminal, unseen. It is never an option: every user of this host can see options.

A possible duplicate is held back with 9; --allow-duplicate ID sends another. A lost answer ends with 6 and is never sent
again: paydesk resolve ID records what became of it. Other codes are those of paydesk status; 8 is no final status in
time, or a finalize that was not accepted. Once the payment was made, no code is one after which to send again: a status
that the service refuses to tell ends with 6. --no-wait asks for the status once: 0 means that the customer has something
to do or the payment is SUCCESSFUL, 7 also that its account has expired, 1 that its status is UNRECOGNISED, and 6 that the
service does not answer.

--json prints the objects initiated, challenge, each change of the status, and last the result, or why there is none.`

// Collect takes a payment.
func (p Commands) Collect() *cobra.Command {
	o := &collectOptions{}
	c := command.Ends(&cobra.Command{
		Use: "collect --channel CH (--currency C --amount A | --link ALIAS) --first-name N --last-name N --email E --phone P", Short: "Take a payment, from its initiation until it is final",
		Long: collectLong,
		Example: "  paydesk collect --channel transfer --currency NGN --amount 4000 --first-name Ada --last-name Obi --email ada@shop.example --phone +4400\n" +
			"  paydesk collect --channel card --link 0-a1b2c3d --first-name Ada --last-name Obi --email ada@shop.example --phone +4400 --yes --card-stdin < test-card",
		RunE: func(c *cobra.Command, _ []string) error { return p.collect(c.Context(), o) },
	}, command.Refused, command.Unresolved, command.PaymentFailed, command.NotFinal, command.Duplicate, command.Locked)
	o.amount.Add(c)
	f := c.Flags()
	command.Text(c, &o.entry.Channel, "channel", "the `CHANNEL`: card, transfer, account, interac, or an alias of paydesk validate", ui.Limit(40), ui.Checked(wrongChannel))
	fields, customer := collect.Fields(), &o.entry.Customer
	for _, t := range []struct {
		to         *string
		name, help string
	}{
		{&customer.FirstName, "first-name", "the customer's first `NAME`"}, {&customer.LastName, "last-name", "the customer's last `NAME`"},
		{&customer.Email, "email", "the customer's e-mail `ADDRESS`"}, {&customer.Phone, "phone", "the customer's phone `NUMBER`"},
		{&o.link, "link", "pay the link with this `ALIAS` or URL"},
		{&o.entry.Narration, "narration", "a `TEXT` for the statement, up to 100 characters"},
		{&o.entry.ReturnURL, "return-url", "the `URL` where the bank sends the customer afterwards; a GBP card needs one"},
		{&o.entry.Email, "interac-email", "the `ADDRESS` where Interac sends its request, if not the customer's"},
	} {
		command.Text(c, t.to, t.name, t.help, fields[t.name].Checks...)
	}
	f.StringArrayVar(&o.meta, "meta", nil, "a `KEY=VALUE` that stays with the payment; may be repeated")
	f.BoolVar(&o.cardStdin, "card-stdin", false, "read the card from stdin: number, MM/YY, CVV, a line each; test profiles only")
	f.BoolVar(&o.unchecked, "unchecked", false, "send it even if the channel could not be checked")
	f.BoolVar(&o.open, "open", false, "open what the customer needs in a browser")
	f.BoolVar(&o.noWait, "no-wait", false, "check the status once, and end when the customer's next step is known")
	f.DurationVar(&o.timeout, "timeout", 5*time.Minute, "the longest `TIME` to wait for a final status")
	f.BoolVar(&o.yes, "yes", false, "send without asking; test profiles only")
	command.AllowDuplicateFlag(c, &o.allow)
	return c
}

var channelWord = text.Pattern(`^[A-Za-z0-9_-]+$`)

// wrongChannel says what to enter in place of a word that cannot name a channel; "" for one that can.
func wrongChannel(typed string) string {
	if channelWord().MatchString(collect.TypedChannel(typed)) {
		return ""
	}
	return "Enter " + strings.Join(collect.TypedChannels(), ", ") + ", or an alias of paydesk validate."
}

// whole is the payment as it was entered. Its amount is read once its link is known.
func (o *collectOptions) whole() (e collect.Entry, err error) {
	e = o.entry
	e.Channel, e.Meta = collect.TypedChannel(e.Channel), strings.Join(o.meta, ", ")
	if err := command.CheckText(e.Meta, collect.Fields()["meta"].Checks...); err != nil {
		return e, command.Wrong("--meta: " + err.Error())
	}
	if o.link != "" {
		e.Link, err = api.ParseAlias(o.link)
	} else {
		e.Amount, err = o.amount.Parse()
	}
	switch {
	case err != nil:
		return e, err
	case o.timeout <= 0:
		return e, command.Wrong("--timeout: must be a duration above 0, such as 90s or 5m")
	case o.cardStdin && e.Channel != api.ChannelCard:
		return e, command.Wrong("--card-stdin belongs to --channel card")
	}
	return e, nil
}

// A collection is one payment that is being taken.
type collection struct {
	p         Commands
	c         *command.Connection
	o         *collectOptions
	entry     collect.Entry
	doubt     string // about the channel, as a review has it
	in        api.Initiation
	reference api.Reference
	attempt   ledger.ID

	payable    bool // the customer was told the account to pay into
	finalized  bool // was asked for, whatever came of it
	stopAsking func()
	closePage  func() // that the customer's browser was to open
}

func (p Commands) collect(ctx context.Context, o *collectOptions) error {
	e, err := o.whole()
	if err != nil {
		return err
	}
	c, err := p.Connect(ctx)
	if err != nil {
		return err
	}
	k := &collection{p: p, c: c, o: o, entry: e, stopAsking: func() {}, closePage: func() {}}
	defer func() { k.in.Card.Wipe() }()
	err, answer := k.run(ctx), "the answer was lost"
	if k.reference != "" {
		answer = "reference " + k.reference.String()
	}
	if err := p.Kept(ctx, c, answer, err); err != nil || p.Data.Format != output.JSON { // text has said how it ended
		return err
	}
	ended := output.Collected{Reference: k.reference.String(), Attempt: string(k.attempt)}
	if e, known := c.Find(k.reference); known && !e.StatusAt.IsZero() {
		ended.Status = output.NewStatus(e.Status, !e.Mismatch.IsZero())
	}
	p.Data.Object(ended)
	return nil
}

// run takes the payment, from what is recorded about it to its end.
func (k *collection) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{k.readLink, k.mayChargeCard, k.unlock, k.readCard, k.checkChannel, k.review} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	paid, err := k.initiate(ctx)
	if err != nil {
		return err
	}
	k.printInitiated(paid)
	if !paid.Difference.IsZero() { // it must not be paid before a person has decided about it
		e, _ := k.c.Find(k.reference)
		next := "Check it in the provider's dashboard before you release anything, and do not charge this customer again until it is resolved."
		if k.attempt != "" {
			next += " Then record what is right: paydesk resolve " + string(k.attempt)
		}
		return command.Refuse(command.WhyMismatch, present.Mismatch+". The payment was made, but the answer differs: "+paid.Difference.Words(e.Asked()), next)
	}
	defer func() { k.closePage() }()
	if k.o.noWait {
		return k.standsNow(ctx)
	}
	if err := k.customersStep(ctx); err != nil {
		return err
	}
	return k.follow(ctx)
}

// readLink reads what the journal has of the link. A link that was not created from here may be paid too: the
// service checks it.
func (k *collection) readLink(ctx context.Context) error {
	if k.entry.Link == "" {
		return k.checkReturnURL()
	}
	var pays api.Link
	found, err := findLink(ctx, k.c.Journal, k.c.Here(), k.entry.Link)
	switch {
	case err != nil && command.CodeOf(err) != command.Refused:
		return err
	case err == nil && found.MustBeRead():
		return command.Toward(command.WhyMismatch, "MISMATCH: this link differs from what was asked for. Nothing was sent.", "paydesk link show "+string(k.entry.Link), "shows how")
	case err == nil:
		pays = *found.CreatedLink
	}
	if found.Paid > 0 {
		k.p.Warn("This link was paid already.")
	}
	given := k.o.amount
	if err != nil && (given.Currency == "" || given.Amount == "") {
		return command.Wrong("The link was not created here, so paydesk does not know its amount: add --currency and --amount as its page shows them. Nothing was sent.")
	}
	if given.Currency == "" {
		given.Currency = pays.Amount.Currency.Code()
	}
	if collect.Fixes(pays) && given.Amount == "" {
		given.Amount = pays.Amount.Major()
	}
	if k.entry.Amount, err = given.Parse(); err != nil {
		return err
	}
	if collect.Fixes(pays) && k.entry.Amount != pays.Amount {
		return command.Wrong("The link fixes the amount: leave out --amount and --currency. Nothing was sent.")
	}
	return k.checkReturnURL()
}

// checkReturnURL rejects a payment that lacks a required return URL.
func (k *collection) checkReturnURL() error {
	if k.entry.ReturnURL == "" && collect.NeedsReturnURL(k.entry.Channel, k.entry.Amount.Currency) {
		return command.Wrong("--return-url: " + collect.LacksReturnURL)
	}
	return nil
}

func (k *collection) unlock(ctx context.Context) error { return k.p.Unlock(ctx, k.c, k.o.yes) }

// checkChannel asks which channels can be used for the amount. Once the service has answered, its list decides.
func (k *collection) checkChannel(ctx context.Context) error {
	got, err := k.c.ValidateChannels(ctx, k.entry.Amount)
	switch {
	case err != nil && k.o.unchecked && !command.IsSignal(err):
		words := present.Error(err, present.Reading)
		k.p.Warn("The channel is not checked: %s", strings.TrimSpace(words.What+" "+words.Detail))
		k.doubt = collect.Unchecked
		return nil
	case err != nil:
		next := "Try again; --unchecked sends it without this check."
		if api.KeyRejected(err) { // so would the payment be
			next = present.Error(err, present.Reading).Next
		}
		return command.Problem(err, present.Reading, "Nothing was sent. "+next)
	}
	var listed []string
	for _, ch := range got.Channels {
		if alias := string(ch.Alias); alias != "" {
			listed = append(listed, collect.Canonical(alias))
		}
	}
	channel := "This channel" // what was typed may be anything
	if slices.Contains(api.KnownChannels[:], k.entry.Channel) {
		channel = k.entry.Channel
	}
	words := present.Problem{What: channel + " cannot be used for " + k.entry.Amount.String() + ".", Done: "Nothing was sent.", Next: "Choose another amount or channel."}
	switch isListed := slices.Contains(listed, k.entry.Channel); {
	case isListed && got.Valid:
		return nil
	case isListed:
		words.What = "The service lists " + channel + " for " + k.entry.Amount.String() + ", but reports the request as invalid."
	case got.Valid && len(listed) > 0:
		words.Next = "These channels can: " + strings.Join(listed, ", ") + "."
	}
	if !got.Valid {
		words.Detail = got.Message.Line(0)
	}
	return &command.Refusal{Reason: command.WhyRefused, Problem: words, Option: "--channel"}
}

// review freezes the payment, and asks whether to send it.
func (k *collection) review(ctx context.Context) error {
	card := k.in.Card
	k.in = k.entry.Initiation()
	if k.in.Card = card; k.c.Profile.SendReference {
		k.in.OwnReference = rand.Text()[:20]
	}
	channel := collect.ChannelWords(k.in.Channel, k.doubt)
	if card != nil {
		channel += " · " + collect.CardWords(card)
	}
	who := k.in.Customer
	customer := strings.Join([]string{who.FirstName + " " + who.LastName, who.Email, who.Phone}, " · ")
	s := command.Sending{Question: collect.Question(k.in), Typed: k.in.Amount.Grouped(), Yes: k.o.yes}
	for fact := range slices.Chunk(collect.Facts(k.in, channel, customer), 2) {
		if strings.TrimSpace(fact[1]) != "" {
			s.Facts = append(s.Facts, [2]string{fact[0], fact[1]})
		}
	}
	if err := k.p.Allow(ctx, k.c, s); err != nil {
		return err
	}
	return k.confirmCard(ctx)
}

// initiate sends the payment, once.
func (k *collection) initiate(ctx context.Context) (api.Payment, error) {
	paid, err := command.SendUnlessDuplicate(ctx, k.p.Program, k.o.allow, func(ctx context.Context) (api.Payment, error) { return k.c.Initiate(ctx, k.in) })
	k.in.Card.Wipe()
	if err != nil {
		if k.p.About.IsUnresolved() && k.p.IsUnrecorded(k.c) {
			who := k.in.Customer // it is to be found elsewhere
			k.p.Warn("%s: %s by %s, for %s %s, %s, at about %s.", present.Unresolved, k.in.Amount, k.in.Channel, who.FirstName, who.LastName, who.Email, present.DateTime(time.Now()))
			if k.in.OwnReference != "" {
				k.p.Warn("Our reference: %s", k.in.OwnReference)
			}
		}
		return paid, command.Problem(err, present.Sending, k.p.UnresolvedNext(k.c))
	}
	k.reference, k.p.About.Reference = paid.Reference, paid.Reference
	e, _ := k.c.Find(paid.Reference)
	k.attempt, k.p.About.Attempt = e.ID, e.ID
	return paid, nil
}
