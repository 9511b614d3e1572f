package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// listen starts a sandbox on a socket of its own.
func listen(t testing.TB, o Options) (*Sandbox, *Server) {
	t.Helper()
	o.Key = testKey
	s := New(o)
	v, err := s.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return s, v
}

// fetch requests a page of the list over a connection.
func fetch(c net.Conn) (string, error) {
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\n\r\n", listPath, KeyHeader, testKey)
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	b := make([]byte, 4096)
	n, err := c.Read(b)
	return string(b[:n]), err
}

func dial(t testing.TB, v *Server) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(v.Origin(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestSlowClientsKeepNobodyOut(t *testing.T) {
	const body = "POST " + initiatePath + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"
	for name, part := range map[string]string{"silent": "", "in their headers": "GET / HTTP/1.1\r\nX-", "in their body": body} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, v := listen(t, Options{})
			for range 64 {
				io.WriteString(dial(t, v), part)
			}
			for i := range 64 {
				if said, err := fetch(dial(t, v)); err != nil || !strings.HasPrefix(said, "HTTP/1.1 200 OK") {
					t.Fatalf("request %d: %v %q", i, err, said)
				}
			}
		})
	}
}

// A browser opens connections before it needs them.
func TestTheEndDoesNotWaitForConnectionsOpenedInAdvance(t *testing.T) {
	_, v := listen(t, Options{})
	for range 3 {
		dial(t, v)
	}
	if _, err := fetch(dial(t, v)); err != nil { // the others are there by then
		t.Fatal(err)
	}
	begun := time.Now()
	if err := v.Close(); err != nil || time.Since(begun) >= closeTimeout {
		t.Errorf("it took %v: %v", time.Since(begun), err)
	}
}

func TestManyClientsAtOnceAreAllAnswered(t *testing.T) {
	var log logRecorder
	s, v := listen(t, Options{Transactions: 1000, Log: log.add})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 500}}
	defer client.CloseIdleConnections()
	send := func(method, path, body string) error {
		r, err := http.NewRequest(method, v.Origin()+path, strings.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set(KeyHeader, testKey)
		r.Header.Set("Content-Type", "application/json")
		a, err := client.Do(r)
		if err != nil {
			return err
		}
		defer a.Body.Close()
		if _, err := io.Copy(io.Discard, a.Body); err != nil || a.StatusCode != 200 {
			return fmt.Errorf("%d %v", a.StatusCode, err)
		}
		return nil
	}
	const clients = 128
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range clients {
		all.Go(func() {
			<-start
			ref := fmt.Sprintf("R%d", i)
			errs := []error{
				send("POST", initiatePath, mustJSON(with(charge("approve"), "reference", ref))),
				send("GET", statusPath+ref, ""),
				send("GET", fmt.Sprintf("%s?page=%d", listPath, i%50+1), ""),
				send("POST", finalizePath, mustJSON(obj{"paymentReference": ref})),
				send("POST", makeLinkPath, mustJSON(draft(ref))),
			}
			s.Settle(ref)
			s.Payments()
			if err := errors.Join(errs...); err != nil {
				t.Errorf("%s: %v", ref, err)
			}
		})
	}
	close(start)
	all.Wait()
	if s.Accepted() != clients || len(log.all()) != 5*clients {
		t.Errorf("%d payments were taken, %d lines logged", s.Accepted(), len(log.all()))
	}
}

func TestAnyAddressIsUsedWhenAllowed(t *testing.T) {
	if _, err := New(Options{AnyAddress: true}).Listen(t.Context(), "127.0.0.1"); err == nil || errors.Is(err, ErrNotLoopback) {
		t.Errorf("an address without a port: %v", err)
	}
	ctx, leave := context.WithCancel(t.Context())
	v, err := New(Options{AnyAddress: true}).Listen(ctx, "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	leave()
	<-v.done
}

func TestABrowserIsGivenAnAddressItCanReach(t *testing.T) {
	for at, want := range map[string]string{"0.0.0.0:8099": "127.0.0.1:8099", "[::]:8099": "127.0.0.1:8099", "192.0.2.1:80": "192.0.2.1:80", "[::1]:80": "[::1]:80"} {
		a, err := net.ResolveTCPAddr("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		if got := browserHost(a); got != want {
			t.Errorf("%s is reached at %s, want %s", at, got, want)
		}
	}
}

func TestRequestsBeyondTheLimitsAreRejected(t *testing.T) {
	_, v := listen(t, Options{})
	c := dial(t, v)
	go func() {
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: x\r\n")
		for range 4096 {
			if _, err := fmt.Fprintf(c, "X-Filler: %s\r\n", strings.Repeat("a", 1000)); err != nil {
				return
			}
		}
	}()
	b := make([]byte, 64)
	n, _ := c.Read(b)
	if !strings.HasPrefix(string(b[:n]), "HTTP/1.1 431 ") {
		t.Errorf("4 MB of headers: %q", b[:n])
	}
	if v.server.ReadHeaderTimeout != headerTimeout || v.server.IdleTimeout != idleTimeout || v.server.ReadTimeout != readTimeout || v.server.WriteTimeout != writeTimeout {
		t.Error("a slow client is not disconnected in time")
	}
}

func BenchmarkAPageOfOneHundred(b *testing.B) {
	s := New(Options{Key: testKey, Transactions: 100_000})
	b.ReportAllocs()
	for b.Loop() {
		if w := ask(s, "GET", listPath+"?perPage=100&page=500", ""); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
}

func BenchmarkAHundredThousandRows(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		New(Options{Key: testKey, Transactions: 100_000})
	}
}

func BenchmarkAStatus(b *testing.B) {
	s := New(Options{Key: testKey})
	ask(s, "POST", initiatePath, mustJSON(with(charge("approve"), "reference", "A1")))
	b.ReportAllocs()
	for b.Loop() {
		if w := ask(s, "GET", statusPath+"A1", ""); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
}
