package api

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestAPOSTWaitsASecondForAConnectionThatStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, dials := make(chan struct{}), 0
		refused := errors.New("refused")
		p := &postTransport{transport: &transport{Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				if dials++; dials > 1 { // the POST's own
					return nil, refused
				}
				close(begun)
				<-ctx.Done()
				return nil, ctx.Err()
			},
		}}}
		q, err := http.NewRequestWithContext(t.Context(), "POST", "https://pay.example.com/", nil)
		if err != nil {
			t.Fatal(err)
		}
		failed := make(chan error, 1)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		go func() { failed <- p.connect(ctx, q.URL) }()
		<-begun
		began := time.Now()
		if _, err := p.RoundTrip(q); !errors.Is(err, refused) {
			t.Fatal(err)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("the POST took %v", took)
		}
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("the connection made ahead ended with %v", err)
		}
	})
}

func TestNothingIsSentOverAConnectionThatStalled(t *testing.T) {
	var handshakes atomic.Int32
	begun, release := make(chan struct{}), make(chan struct{})
	s, c := serveTLS(t, post{read: true, answer: done, delay: func() {
		if handshakes.Add(1) == 1 {
			close(begun)
			<-release
		}
	}})
	connected := make(chan error, 1)
	go func() { connected <- c.Connect(t.Context()) }()
	<-begun
	if err := s.finalize(t, c); err != nil {
		t.Fatal(err)
	}
	if f, ok := errors.AsType[*Failure](<-connected); !ok || f.Kind != KindCancelled {
		t.Errorf("the connection made ahead ended with %+v", f)
	}
	close(release)
	<-s.ended
	<-s.ended
	s.counts(t, 2, 1)
	if len(s.shaken) != 1 || c.ahead() != nil {
		t.Error("the connection that stalled was finished")
	}
	connect(t, c) // the next one is made as ever
	if err := s.finalize(t, c); err != nil {
		t.Fatal(err)
	}
	s.counts(t, 3, 2)
}
