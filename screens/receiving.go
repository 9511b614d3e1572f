package screens

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/api/session"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens/inbox"
	"paydesk/screens/present"
)

// A receiving is the feature that receives the webhooks of the profile that is open, where the profile says so, and has
// the service asked about each. What arrived is for the inbox; nothing is drawn here.
type receiving struct {
	app   *App
	now   received
	begin tea.Cmd // begins to receive for the session that is open
	again timer   // until that is tried another time
	last  string  // the URL that the demo's sandbox was given last
}

// A received tells where the webhooks of a session are received, or why they are not.
type received struct {
	url   string
	err   error
	began bool
	demo  bool // its sandbox has the URL
}

// whileInUse spaces the tries of an address that another program has: it may end before this console does.
const whileInUse = 5 * time.Second

// opened begins to receive for a session.
func (r *receiving) opened(s *session.Session) tea.Cmd {
	if s.Events == nil {
		return nil
	}
	ctx := r.app.conn.ctx
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
	profile, receive, box := a.conn.profile, a.env.Receive, (*sandbox.Controller)(nil)
	if profile.Environment == keystore.Sandbox {
		box = a.env.Sandbox
	}
	return func() tea.Msg {
		if receive == nil {
			return nil
		}
		began, err := receive(ctx, profile)
		got := received{err: err, began: true}
		if began != nil {
			got.url = began.URL()
		}
		if got.url != "" && box != nil {
			got.err, got.demo = box.ChangeWebhooks(ctx, got.url, last), true // beside wherever else it sends them
		}
		return a.during(s, func() tea.Cmd { return r.took(got) })
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
	r.again.stop()
	r.now, r.begin = received{}, nil
}

// took notes how beginning ended. An address that is in use is tried again.
func (r *receiving) took(got received) tea.Cmd {
	if r.now = got; got.demo {
		r.last = got.url
	}
	if _, inUse := errors.AsType[*webhook.InUse](got.err); inUse {
		return r.again.after(r.app, whileInUse, func() tea.Cmd { return r.begin })
	}
	return nil
}

// where returns where webhooks are received, or why they are not; the zero value until that is known.
func (r *receiving) where() inbox.Receiver {
	err := r.now.err
	if err == nil && r.now.url != "" {
		err = r.app.conn.Events.Trouble()
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
