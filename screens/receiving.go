package screens

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/session"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens/inbox"
	"paydesk/screens/present"
	"paydesk/screens/sandbox"
)

// A receiving is the feature that receives the webhooks of the profile that is open, where the profile says so, and has
// the service asked about each. What arrived is for the inbox; nothing is drawn here.
type receiving struct {
	plain
	app   *App
	stop  context.CancelFunc // of what was begun for the profile that was opened last; nil before the first
	now   received
	begin tea.Cmd // begins to receive for the session that is open
	last  string  // the URL that the demo's sandbox was given last
}

// A received tells where the webhooks of a session are received, or why they are not.
type received struct {
	session *session.Session
	url     string
	err     error
	began   bool
	demo    bool // its sandbox has the URL
}

// whileInUse spaces the tries of an address that another program has: it may end before this console does.
const whileInUse = 5 * time.Second

// A receiveAgain tells that the next try is due.
type receiveAgain struct{ session *session.Session }

// opened begins to receive for a session, and ends what was received for the one before.
func (r *receiving) opened(s *session.Session) tea.Cmd {
	r.closed()
	a := r.app
	if s.Events == nil {
		return nil
	}
	ctx, stop := context.WithCancel(a.ctx)
	r.stop, r.now = stop, received{session: s}
	r.begin = r.beginning(ctx, s)
	begin := r.begin
	return func() tea.Msg {
		go s.VerifyEvents(ctx) // its error is that ctx has ended
		return begin()
	}
}

// beginning returns the command that begins to receive. It is repeated while another program has the address.
func (r *receiving) beginning(ctx context.Context, s *session.Session) tea.Cmd {
	a, last := r.app, r.last
	profile, receive, box := a.conn.profile, a.env.Receive, sandbox.Sandbox(nil)
	if profile.Environment == keystore.Sandbox {
		box = a.env.Sandbox
	}
	return func() tea.Msg {
		if receive == nil {
			return nil
		}
		began, err := receive(ctx, profile)
		got := received{session: s, err: err, began: true}
		if began != nil {
			got.url = began.URL()
		}
		if got.url != "" && box != nil {
			got.err, got.demo = box.ChangeWebhooks(ctx, got.url, last), true // beside wherever else it sends them
		}
		return got
	}
}

// look looks for a listener where the profile names no address: one may have begun since.
func (r *receiving) look() tea.Cmd {
	if !r.now.began || r.now.url != "" || r.now.err != nil {
		return nil
	}
	return r.begin
}

// closed ends the receiving: another profile is opened.
func (r *receiving) closed() {
	if r.stop != nil {
		r.stop()
	}
	r.stop, r.now, r.begin = nil, received{}, nil
}

// Receive implements [feature].
func (r *receiving) Receive(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case received:
		if msg.session != r.now.session {
			return nil, true
		}
		if r.now = msg; msg.demo {
			r.last = msg.url
		}
		if _, taken := errors.AsType[*webhook.InUse](msg.err); taken {
			return r.app.after(whileInUse, receiveAgain{msg.session}), true
		}
		return nil, true
	case receiveAgain:
		if msg.session != r.now.session || r.begin == nil {
			return nil, true
		}
		return r.begin, true
	}
	return nil, false
}

// where returns where webhooks are received, or why they are not; the zero value until that is known.
func (r *receiving) where() inbox.Receiver {
	err := r.now.err
	if err == nil && r.now.url != "" {
		err = r.now.session.Events.Trouble()
	}
	inUse, is := errors.AsType[*webhook.InUse](err)
	switch {
	case is && inUse.Ours:
		return inbox.Receiver{Elsewhere: "Another paydesk listens at " + inUse.Address + ": they arrive here too."}
	case err != nil:
		return inbox.Receiver{Why: present.Sentence(err.Error())}
	case r.now.began && r.now.url == "":
		return inbox.Receiver{Why: "Set webhook_listen in the profile, or run paydesk listen."}
	}
	return inbox.Receiver{URL: r.now.url}
}
