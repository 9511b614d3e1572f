package journal

import (
	"context"
	"errors"
	"testing"
	"time"

	"paydesk/api"
)

// A laptop that is closed between the record and the request must not send when it is opened: a colleague may have sent
// the payment again.
func TestNothingIsSentAfterASuspension(t *testing.T) {
	for slept, sent := range map[time.Duration]bool{time.Second: true, time.Hour: false} {
		store := &fakeStore{}
		sends := &countedService{}
		rec := NewRecorder(sends, store, Destination{}, nil, false)
		times := []time.Time{time.Unix(0, 0), time.Unix(0, 0).Add(slept)}
		rec.now = func() time.Time { now := times[0]; times = times[1:]; return now }
		_, err := rec.CreateLink(t.Context(), api.LinkDraft{})
		if sends.links == 1 != sent || errors.Is(err, api.ErrNotSent) == sent {
			t.Errorf("after %v: sent %d times, %v", slept, sends.links, err)
		}
	}
}

type countedService struct {
	api.Service
	links int
}

func (s *countedService) CreateLink(context.Context, api.LinkDraft) (api.Link, error) {
	s.links++
	return api.Link{}, nil
}
