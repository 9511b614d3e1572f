package api

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A post is what a [tlsServer] does with a POST that it has read, if read is set, or with a connection
// over which something comes.
type post struct {
	read   bool
	answer string // "" closes without one
	delay  func() // before each handshake; nil for none
}

const done = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 52\r\n\r\n" +
	`{"isSuccess":true,"value":{"status":"completed"   }}`

// A tlsServer counts what reaches a service below HTTP.
type tlsServer struct {
	net.Listener
	config *tls.Config
	does   post

	accepted, resumed, posts, early atomic.Int32
	sending                         atomic.Bool // a POST may come now
	shaken, ended                   chan net.Conn
}

// serveTLS serves one behaviour, and makes a client that trusts it.
func serveTLS(t testing.TB, does post) (*tlsServer, *Client) {
	by := newIssuer(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &tlsServer{Listener: l, does: does, shaken: make(chan net.Conn, 1000), ended: make(chan net.Conn, 1000)}
	s.config = &tls.Config{Certificates: []tls.Certificate{leaf(t, by, nil)}}
	c, err := New(Config{BaseURL: "https://" + l.Addr().String(), ListURL: "https://" + l.Addr().String(), Key: plainKey("sk_test_EXAMPLE"), Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	c.trust(by)
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			raw, err := l.Accept()
			if err != nil {
				return
			}
			s.accepted.Add(1)
			conns.Go(func() { s.serve(tls.Server(raw, s.config)) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		c.Close()
		conns.Wait()
	})
	return s, c
}

func (s *tlsServer) serve(conn *tls.Conn) {
	defer func() { s.ended <- conn }()
	defer conn.Close()
	if s.does.delay != nil {
		s.does.delay()
	}
	if conn.Handshake() != nil {
		return
	}
	if conn.ConnectionState().DidResume {
		s.resumed.Add(1)
	}
	s.shaken <- conn
	r := bufio.NewReader(conn)
	if _, err := r.Peek(1); err != nil {
		return
	}
	if !s.sending.Load() {
		s.early.Add(int32(r.Buffered()))
	}
	if s.does.read {
		q, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, q.Body); err != nil {
			return
		}
	}
	s.posts.Add(1)
	if s.does.answer != "" {
		io.WriteString(conn, s.does.answer)
		io.Copy(io.Discard, r) // the client closes
	}
}

func (s *tlsServer) counts(t *testing.T, accepted, posts int32) {
	t.Helper()
	if a, p, e := s.accepted.Load(), s.posts.Load(), s.early.Load(); a != accepted || p != posts || e != 0 {
		t.Errorf("%d connections, %d POSTs, %d bytes before them; want %d, %d, 0", a, p, e, accepted, posts)
	}
}

// finalize sends one POST.
func (s *tlsServer) finalize(t testing.TB, c *Client) error {
	s.sending.Store(true)
	_, err := c.Finalize(t.Context(), "REF0001")
	s.sending.Store(false)
	return err
}

func connect(t testing.TB, c *Client) {
	t.Helper()
	if err := c.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAPOSTGoesOverTheConnectionThatWasMadeAhead(t *testing.T) {
	s, c := serveTLS(t, post{read: true, answer: done})
	c.observer = func(e Exchange) {
		if e.Operation != OpFinalize {
			t.Errorf("the request log has %+v", e)
		}
	}
	connect(t, c)
	<-s.shaken
	s.counts(t, 1, 0)
	if err := s.finalize(t, c); err != nil {
		t.Fatal(err)
	}
	s.counts(t, 1, 1)
	<-s.ended // it carries one POST
	if err := s.finalize(t, c); err != nil {
		t.Fatal(err)
	}
	s.counts(t, 2, 2)
	if s.resumed.Load() != 1 {
		t.Error("the second handshake does not resume the session of the first")
	}
}

func TestAPOSTWaitsForTheConnectionThatIsBeingMade(t *testing.T) {
	begun, release := make(chan struct{}, 9), make(chan struct{})
	s, c := serveTLS(t, post{read: true, answer: done, delay: func() { begun <- struct{}{}; <-release }})
	connected, sent := make(chan error), make(chan error)
	go func() { connected <- c.Connect(t.Context()) }()
	<-begun
	go func() { sent <- s.finalize(t, c) }()
	close(release)
	if err := errors.Join(<-connected, <-sent); err != nil {
		t.Fatal(err)
	}
	s.counts(t, 1, 1)
}

// ahead is the connection that c has made ahead; nil for none.
func (c *Client) ahead() *aheadConn {
	p := c.posts.Transport.(*postTransport)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ahead
}

// closed returns once the transport has noticed that conn was closed.
func (c *aheadConn) closed() {
	noticed := make(chan struct{}, 1)
	c.SetStateHook(func(c *http.ClientConn) {
		if c.Err() != nil {
			select {
			case noticed <- struct{}{}:
			default:
			}
		}
	})
	if c.Err() == nil {
		<-noticed
	}
}

func TestAPOSTIsSentOnceWhateverBecameOfTheConnectionMadeAhead(t *testing.T) {
	for name, test := range map[string]struct {
		does            post
		after           func(*tlsServer, *Client, net.Conn) // the handshake
		accepted, posts int32
		is              error // of the POST
	}{
		"closed by the service": {post{read: true, answer: done}, func(_ *tlsServer, c *Client, at net.Conn) {
			at.Close()
			c.ahead().closed()
		}, 2, 1, nil},
		"reset by the service": {post{read: true, answer: done}, func(_ *tlsServer, c *Client, at net.Conn) {
			tcp := at.(*tls.Conn).NetConn().(*net.TCPConn)
			tcp.SetLinger(0)
			tcp.Close()
			c.ahead().closed()
		}, 2, 1, nil},
		"spoken over by the service": {post{read: true, answer: done}, func(_ *tlsServer, c *Client, at net.Conn) {
			io.WriteString(at, "HTTP/1.1 408 Request Timeout\r\n\r\n")
			c.ahead().closed()
		}, 2, 1, nil},
		"too old": {post{read: true, answer: done}, func(s *tlsServer, c *Client, _ net.Conn) {
			c.ahead().expiry.Reset(0)
			<-s.ended
		}, 2, 1, nil},
		"for another service": {post{read: true, answer: done}, func(_ *tlsServer, c *Client, _ net.Conn) {
			c.ahead().origin = "https://elsewhere.example"
		}, 2, 1, nil},
		"replaced": {post{read: true, answer: done}, func(s *tlsServer, c *Client, _ net.Conn) {
			connect(t, c)
			<-s.ended
		}, 2, 1, nil},
		"closed once the POST was read":   {post{read: true}, nil, 1, 1, ErrUnresolved},
		"closed at the POST's first byte": {post{}, nil, 1, 1, ErrUnresolved},
		"found broken by the first write": {post{read: true, answer: done}, func(_ *tlsServer, c *Client, _ net.Conn) {
			c.ahead().wire.seal()
		}, 2, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := serveTLS(t, test.does)
			connect(t, c)
			if at := <-s.shaken; test.after != nil {
				test.after(s, c, at)
			}
			if err := s.finalize(t, c); !errors.Is(err, test.is) {
				t.Errorf("ended with %v, want %v", err, test.is)
			}
			s.counts(t, test.accepted, test.posts)
			if c.ahead() != nil {
				t.Error("a connection is left")
			}
		})
	}
}

// A service may close the connection in the moment in which the POST is sent.
func TestAPOSTInTheMomentOfTheCloseIsSentAtMostOnce(t *testing.T) {
	s, c := serveTLS(t, post{read: true, answer: done})
	for range 200 {
		before, connections := s.posts.Load(), s.accepted.Load()
		connect(t, c)
		at := <-s.shaken
		go at.Close()
		err := s.finalize(t, c)
		for range s.accepted.Load() - connections {
			<-s.ended
		}
		switch n := s.posts.Load() - before; {
		case n > 1, err == nil && n != 1, errors.Is(err, ErrNotSent) && n != 0:
			t.Fatalf("%d POSTs arrived, and it ended with %v", n, err)
		}
		for len(s.shaken) > 0 {
			<-s.shaken
		}
	}
}

func TestAConnectionThatCannotBeMadeChangesNothing(t *testing.T) {
	s, c := serveTLS(t, post{read: true, answer: done})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if f, ok := errors.AsType[*Failure](c.Connect(ctx)); !ok || f.Kind != KindCancelled || c.ahead() != nil {
		t.Errorf("%+v", f)
	}
	if err := s.finalize(t, c); err != nil {
		t.Fatal(err)
	}
	connect(t, c)
	c.Close()
	if c.ahead() != nil {
		t.Error("a connection outlives its client")
	}
}

// Before there is a request, the whole address of the service selects the proxy.
func TestTheConnectionMadeAheadGoesThroughTheProxyOfItsService(t *testing.T) {
	origin, err := url.Parse("http://127.0.0.1:8080")
	if err != nil {
		t.Fatal(err)
	}
	q, err := http.NewRequestWithContext(context.WithValue(t.Context(), originContext{}, origin), "GET", "https://127.0.0.1/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if u, err := proxy(q); u != nil || err != nil {
		t.Errorf("goes by %v: %v", u, err)
	}
	for address, want := range map[string]string{"https://a.example": "a.example:443", "http://[::1]": "[::1]:80", "https://a.example:8443/base": "a.example:8443"} {
		u, err := url.Parse(address)
		if err != nil || hostAndPort(u) != want {
			t.Errorf("%s is dialled by %s: %v", address, hostAndPort(u), err)
		}
	}
}

// BenchmarkPOST is from the yes to the answer, at a service whose handshake takes 50 ms.
func BenchmarkPOST(b *testing.B) {
	for name, ahead := range map[string]bool{"connected ahead": true, "not": false} {
		b.Run(name, func(b *testing.B) {
			s, c := serveTLS(b, post{read: true, answer: done, delay: func() { <-time.After(50 * time.Millisecond) }})
			for b.Loop() {
				if ahead {
					b.StopTimer()
					connect(b, c)
					b.StartTimer()
				}
				if err := s.finalize(b, c); err != nil {
					b.Fatal(err)
				}
				for len(s.shaken) > 0 {
					<-s.shaken
				}
				for len(s.ended) > 0 {
					<-s.ended
				}
			}
		})
	}
}
