package screens

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/session"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/screens/sandbox"
)

// A receiving is the feature that receives the webhooks of the profile that is open, where the profile says so, and has
// the service asked about each. What arrived is for the inbox; nothing is drawn here.
type receiving struct {
	plain
	app  *App
	stop context.CancelFunc // of what was begun for the profile that was opened last; nil before the first
	now  received
	last string // the URL that the demo's sandbox was given last
}

// A received is where the webhooks of a session are received, or why they are not.
type received struct {
	session *session.Session
	url     string
	trouble func() error // why the last event could not be stored
	err     error
	began   bool
}

// opened begins to receive for a session, and ends what was received for the one before.
func (r *receiving) opened(s *session.Session) tea.Cmd {
	r.closed()
	a := r.app
	if s.Events == nil {
		return nil
	}
	ctx, stop := context.WithCancel(a.ctx)
	r.stop, r.now = stop, received{session: s}
	last := r.last
	profile, receive, box := a.conn.profile, a.env.Receive, sandbox.Sandbox(nil)
	if profile.Environment == keystore.Sandbox {
		box = a.env.Sandbox
	}
	return func() tea.Msg {
		go s.VerifyEvents(ctx) // its error is that ctx has ended
		if receive == nil {
			return nil
		}
		began, err := receive(ctx, profile)
		got := received{session: s, err: err, began: true}
		if began != nil {
			got.url, got.trouble = began.URL(), began.Trouble
		}
		if got.url != "" && box != nil {
			got.err = changeTarget(ctx, box, last, got.url)
		}
		return got
	}
}

// closed ends the receiving: another profile is opened.
func (r *receiving) closed() {
	if r.stop != nil {
		r.stop()
	}
	r.stop, r.now = nil, received{}
}

// changeTarget has a sandbox send its webhooks to a receiver in place of an earlier one, beside wherever else it sends them.
func changeTarget(ctx context.Context, box sandbox.Sandbox, from, to string) error {
	state, err := box.State(ctx)
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(state.Targets), func(url string) bool { return url == from })
	return box.SetWebhooks(ctx, append(others, to))
}

// Receive implements [feature].
func (r *receiving) Receive(msg tea.Msg) (tea.Cmd, bool) {
	got, is := msg.(received)
	if is && got.session == r.now.session {
		r.now, r.last = got, got.url
	}
	return nil, is
}

// where is the URL at which webhooks are received, or why they are not, in a sentence. Both are empty until that is known.
func (r *receiving) where() (url, why string) {
	inUse, is := errors.AsType[*webhook.InUse](r.now.err)
	switch {
	case is && inUse.Ours: // whatever it receives is in the inbox
		return "", present.Sentence(inUse.Error())
	case r.now.err != nil:
		return "", present.Sentence(r.now.err.Error())
	case r.now.trouble != nil && r.now.trouble() != nil:
		return r.now.url, present.Sentence(r.now.trouble().Error())
	case r.now.began && r.now.url == "":
		return "", "Set webhook_listen in the profile, or run paydesk listen."
	}
	return r.now.url, ""
}
