package newlink_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"paydesk/api"
	"paydesk/screens/newlink"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
)

// A creator counts what reaches the service.
type creator struct{ ahead, sent int }

func (c *creator) Connect(context.Context) error {
	c.ahead++
	return errors.New("unreachable")
}

func (c *creator) CreateLink(context.Context, api.LinkDraft) (api.Link, error) {
	c.sent++
	return api.Link{Alias: "dues"}, nil
}

func TestTheConnectionIsMadeWhileTheConfirmationIsRead(t *testing.T) {
	live := present.Target{Environment: "LIVE", Host: "payments.example"}
	synctest.Test(t, func(t *testing.T) {
		s := &creator{}
		p := &harness{screentest.Open(t, newlink.New(screentest.Theme, s, live), 80, 24), nil}
		if p.fill(); s.ahead != 0 {
			t.Errorf("connected %d times while the form is filled in", s.ahead)
		}
		p.Press("ctrl+s").Sees(`Create the link "Dues"?`).SeesNot("unreachable")
		if s.ahead != 1 || s.sent != 0 {
			t.Errorf("connected %d times, sent %d", s.ahead, s.sent)
		}
	})
}
