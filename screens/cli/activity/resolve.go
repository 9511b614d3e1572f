package activity

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/attempt"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

// resolveOptions are the flags of resolve: one decision.
type resolveOptions struct {
	found string
	given map[ledger.Decision]*bool
	yes   bool
}

// decisionFlags are the decisions besides found. Their flags are named in [attempt.Flags].
var decisionFlags = []struct {
	verdict ledger.Decision
	help    string
}{
	{ledger.NotFound, "it was never made; ten minutes after it was sent at the earliest"},
	{ledger.GaveUp, "it is not followed up"},
	{ledger.AnswerRight, "a mismatch: what the service answers was charged"},
	{ledger.AsAsked, "a mismatch: what was asked was charged"},
	{ledger.NotOurs, "a mismatch: it is not about your payment"},
	{ledger.NotFollowed, "home lists the payment no more"},
	{ledger.Undecided, "the decision no longer stands"},
}

// Resolve records what a person decides about an attempt.
func (p Commands) Resolve() *cobra.Command {
	o := resolveOptions{given: map[ledger.Decision]*bool{}}
	c := p.Command(&cobra.Command{
		Use: "resolve ID (--found REF | --not-found | …)", Short: "Record what became of an attempt",
		Long: "An attempt is unresolved, or has a mismatch. Your user name and the time are recorded too. Nothing is sent but a check of the\n" +
			"reference. If the service contradicts the decision or does not answer, a person at a terminal decides, not --yes.",
		Example: "  paydesk resolve 7F3K --found P5KQ2M7X1A\n  paydesk resolve 7F3K --not-found --yes",
		RunE:    func(c *cobra.Command, args []string) error { return p.resolve(c.Context(), o, args[0]) },
	}, command.Refused, command.Locked)
	f := c.Flags()
	f.StringVar(&o.found, "found", "", "it was made, as this payment's `REF`, or a link's alias or URL")
	for _, d := range decisionFlags {
		o.given[d.verdict] = f.Bool(attempt.Flags[d.verdict], false, d.help)
	}
	f.BoolVar(&o.yes, "yes", false, "record it without a question")
	return c
}

// verdict is the one decision that was given.
func (o resolveOptions) verdict() (ledger.Decision, error) {
	var all []ledger.Decision
	if o.found != "" {
		all = append(all, ledger.Found)
	}
	for _, d := range decisionFlags {
		if *o.given[d.verdict] {
			all = append(all, d.verdict)
		}
	}
	if len(all) != 1 {
		return "", command.Wrong("give one decision: --found REF, --not-found, --give-up, --answer-right, --as-asked, --not-ours, --stop-following or --take-back")
	}
	return all[0], nil
}

func (p Commands) resolve(ctx context.Context, o resolveOptions, id string) error {
	v, err := o.verdict()
	if err != nil {
		return err
	}
	profile, j, err := p.Recorded(ctx)
	if err != nil {
		return err
	}
	a, err := findAttempt(ctx, j, id)
	if err != nil {
		return err
	}
	if here := command.DestinationOf(profile); !here.IsSameService(a.Destination) {
		return command.Exit(command.Failed, command.Sentence(present.Sentence("sent "+present.Elsewhere(here, a.Destination))+" Choose a profile of that service with --profile. Nothing was recorded."))
	}
	d := decision{verdict: v}
	if v == ledger.Undecided && !a.Mismatch.IsZero() && !a.Mismatch.Undecided() {
		d.verdict = ledger.AskAgain // the later decision comes first
	}
	if v == ledger.Found {
		if d, err = p.foundAs(ctx, a, o.found); err != nil {
			return err
		}
	}
	if v == ledger.NotFound || v == ledger.GaveUp {
		if err := p.letGo(ctx, a, &d); err != nil {
			return err
		}
	}
	p.About.Attempt = a.ID
	title, follows := attempt.Question(a, d.verdict, d.as(), d.reported)
	if asked := !o.yes || d.contrary; asked {
		if err := p.confirmDecision(ctx, d, title, follows); err != nil {
			return err
		}
		follows = nil // said with the question
	}
	return p.decide(ctx, j, a, d, follows)
}

// A decision goes into the journal, about an attempt.
type decision struct {
	verdict   ledger.Decision
	reference api.Reference // of the payment that was found
	alias     api.Alias     // of the link that was found
	page      api.Address
	reported  string // what the service says of the reference
	contrary  bool   // the decision contradicts that, or it could not be asked: only a person decides
}

func (d decision) as() string { return d.reference.String() + string(d.alias) }

// foundAs checks what an attempt was found as: the service has to know the reference of a payment.
func (p Commands) foundAs(ctx context.Context, a ledger.Attempt, text string) (d decision, err error) {
	d.verdict = ledger.Found
	if a.Kind == ledger.CreateLink {
		if d.alias, err = api.ParseAlias(text); err != nil {
			return d, command.Wrong("--found: " + err.Error())
		}
		d.page, _ = api.ParseAddress(text) // an alias alone is none
		return d, nil
	}
	if d.reference, err = command.Reference(text); err != nil {
		return d, err
	}
	if a.Kind == ledger.Finalize {
		if d.reference != a.Reference {
			return d, command.Wrong("--found: this attempt finalized another payment")
		}
		return d, nil
	}
	found, answer, err := p.reported(ctx, a, d.reference)
	if err == nil && answer.unknown {
		err = command.Exit(command.Refused, command.Sentence("The service has no payment with this reference, so nothing was recorded. An ID from the transactions may not be one."))
	}
	d.reference, d.reported, d.contrary = found, answer.words, answer.differs
	return d, err
}

// An answer is the service's, about a payment that an attempt may have made.
type answer struct {
	words   string // to a person
	unknown bool   // it has no such payment
	differs bool   // it is about something else than was asked, or there was no answer
}

// reported asks the service about a payment that an attempt may have made: its reference there, and what is said of it.
func (p Commands) reported(ctx context.Context, a ledger.Attempt, r api.Reference) (as api.Reference, got answer, err error) {
	c, err := p.Connect(ctx)
	if err != nil {
		return r, got, err
	}
	t, err := c.Transaction(ctx, r)
	switch {
	case api.Definite(err):
		return r, answer{unknown: true}, nil
	case ctx.Err() != nil:
		return r, got, context.Cause(ctx)
	case err != nil:
		return r, answer{words: "The reference could not be checked. " + present.Error(err, present.Reading).What, differs: true}, nil
	}
	t.Reference = r
	as, got.words, got.differs = attempt.Report(a, t)
	return as, got, nil
}

// letGo asks the service about the payment that an attempt was found as, or that its answer named, before nothing like it is held
// back any more. A payment that may be there is let go by a person alone.
func (p Commands) letGo(ctx context.Context, a ledger.Attempt, d *decision) error {
	r, err := api.ParseReference(cmp.Or(a.Reference.String(), a.Named))
	if err != nil || a.Kind != ledger.Initiate {
		return nil // there is nothing to ask about
	}
	_, answer, err := p.reported(ctx, a, r)
	d.contrary, d.reported = !answer.unknown, answer.words
	return err
}

// confirmDecision asks whether to record a decision, in the words of the attempt's screen.
func (p Commands) confirmDecision(ctx context.Context, d decision, title string, follows []string) error {
	if d.contrary && !p.Ask.Person() {
		p.Warn("%s", d.reported)
		return command.Refuse(command.WhyLocked, "Nothing was recorded: the service does not confirm it, so a person at a terminal decides. --yes does not.",
			"Run it at a terminal, or open paydesk there.")
	}
	for _, l := range follows {
		p.Warn("%s", l)
	}
	return p.Confirm(ctx, title, false, "Nothing was recorded.", "record it")
}

// decide records a decision, and says what follows where no question has.
func (p Commands) decide(ctx context.Context, j *journal.Journal, a ledger.Attempt, d decision, follows []string) (err error) {
	if d.alias != "" {
		err = j.FoundLink(ctx, a, d.alias, d.page)
	} else {
		err = j.Decide(ctx, a, d.verdict, d.reference)
	}
	if taken, is := errors.AsType[*ledger.TakenError](err); is {
		return command.Exit(command.Failed, command.Sentence("Nothing was recorded. "+present.Lease(taken.Lease)+" Ask them, or take it over on its page in the console."))
	}
	switch {
	case ledger.IsRejection(err):
		return command.Refuse(command.WhyRecorded, present.Sentence(err.Error())+" Nothing was recorded.", "Look at what is recorded: paydesk activity")
	case err != nil:
		return err
	}
	for _, l := range follows {
		p.Warn("%s", l)
	}
	if p.Data.Format != output.JSON {
		p.Warn("Recorded for attempt %s.", a.ID.Short())
	}
	o := output.Decision{Schema: output.DecisionSchema, Attempt: string(a.ID), Decision: string(d.verdict), Reference: d.as()}
	return p.Data.Show(o, [][2]string{{"Attempt", o.Attempt}, {"Decision", strings.TrimSpace(o.Decision + " " + o.Reference)}}...)
}
