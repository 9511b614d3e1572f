package screens

import (
	"context"
	"slices"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/sandbox"
	"paydesk/api/session"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens/home"
)

// hasTour reports whether home leads through the demo: of the console's own sandbox only, since a profile that another
// serves has work of its own.
func (a *App) hasTour() bool {
	return a.env.Tour && a.conn.profile.Environment == keystore.Sandbox && a.conn.profile.Journal != "off"
}

// newTour returns the tour of home in a session; nil for none.
func (a *App) newTour(s *session.Session) *home.Tour {
	if !a.hasTour() {
		return nil
	}
	l, t := answerLoser{a.env.Sandbox}, toured{s, a.conn.profile.Name, a.env.Sandbox}
	return &home.Tour{Read: t.read, LoseAnswer: l.lose, KeepAnswers: l.keep, SendEvent: t.sendEvent}
}

// A toured reads what has happened in a session.
type toured struct {
	*session.Session
	profile string
	box     *sandbox.Controller
}

// read looks at the attempts of the journal, which in the demo begins with this run, and at the inbox. Only a status that the
// service has reported makes a payment successful.
func (t toured) read(ctx context.Context) (done home.Toured, err error) {
	const most = 200 // more than a person makes before the lines are ticked
	all, _, err := t.Journal.Attempts(ctx, journal.Filter{Service: t.Here()}, 0, most)
	if err != nil {
		return done, err
	}
	links := map[api.Alias]bool{}
	for _, a := range all {
		paid := a.Kind == ledger.Initiate && a.Status.State == api.Successful && !a.Mismatch.InDoubt()
		done.Challenge = done.Challenge || paid && a.Challenged && a.MayBeCard()
		done.Link = done.Link || paid && a.Link != ""
		done.Resolved = done.Resolved || a.Outcome == ledger.Unresolved && a.Decision != ledger.Undecided
		if a.CreatedLink != nil {
			links[a.CreatedLink.Alias] = true
		}
	}
	if !done.Link && len(links) > 0 {
		done.Link = t.paidElsewhere(ctx, links)
	}
	return done, nil
}

// paidElsewhere reports whether one of these links was paid on its own page. A webhook names the payment and its link;
// only the service's answer makes the payment successful.
func (t toured) paidElsewhere(ctx context.Context, links map[api.Alias]bool) bool {
	if t.Events == nil {
		return false
	}
	found, _ := comparedStore{t.Events, t.Tracker}.Find(ctx, webhook.Search{Profile: t.profile}) // tried again with the next event
	return slices.ContainsFunc(found.Records, func(r webhook.Record) bool {
		return links[r.Link] && r.Answer.Status.State == api.Successful && !r.Answer.Mismatch && !r.Answer.Unchecked
	})
}

// sendEvent has the sandbox send a sample, unless there is an event to see already.
func (t toured) sendEvent(ctx context.Context) error {
	if t.Events == nil {
		return nil
	}
	if n, err := t.Events.Newest(ctx, t.profile); n > 0 || err != nil {
		return err
	}
	return t.box.SendSample(ctx, "payment.success", "")
}

// An answerLoser has a sandbox lose one answer.
type answerLoser struct{ box *sandbox.Controller }

const (
	losesAnswer = "lost-answer" // the request is carried out, and the connection closed
	losesAt     = "initiate"
)

// armed reports whether it will, and whether nothing else is armed.
func (l answerLoser) armed(ctx context.Context) (is, alone bool, err error) {
	state, err := l.box.State(ctx)
	for _, f := range state.Armed {
		is = is || f.Fault == losesAnswer && f.Operation == losesAt
	}
	return is, len(state.Armed) == 1, err
}

func (l answerLoser) lose(ctx context.Context) error {
	if is, _, err := l.armed(ctx); is || err != nil {
		return err
	}
	return l.box.Arm(ctx, losesAt, losesAnswer, 1)
}

// keep takes it back, unless the answer is lost already or a person has armed something too.
func (l answerLoser) keep(ctx context.Context) error {
	if is, alone, err := l.armed(ctx); !is || !alone || err != nil {
		return err
	}
	return l.box.ClearFaults(ctx)
}
