package webhook

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestOnlyLoopbackIsListenedOn(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0", "example.com:0", "localhost.example:0", "[::ffff:192.0.2.1]:0"} {
		_, err := Listen(t.Context(), ReceiverOptions{Address: address, Path: secretPath})
		if !errors.Is(err, ErrNotLoopback) || !strings.Contains(err.Error(), "--insecure-any-address") {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"", "127.0.0.1", "127.0.0.1:http", "127.0.0.1:65536", "::1:80"} {
		_, err := Listen(t.Context(), ReceiverOptions{Address: address, Path: secretPath, AnyAddress: true})
		if !errors.Is(err, ErrAddress) {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, path := range []string{"", "/", "/hooks/", "/hooks/short", secretPath + "x"} {
		if _, err := Listen(t.Context(), ReceiverOptions{Address: "127.0.0.1:0", Path: path}); err == nil {
			t.Errorf("the path %q is taken", path)
		}
	}
	for address, any := range map[string]bool{"localhost:0": false, "LOCALHOST:0": false, "[::ffff:127.0.0.1]:0": false, "0.0.0.0:0": true} {
		r, err := Listen(t.Context(), ReceiverOptions{Address: address, Path: secretPath, AnyAddress: any, Keep: (&box{}).keep})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if status := say(t, r, post("1")); status != 200 || !strings.HasPrefix(r.URL(), "http://127.") {
			t.Errorf("%s: %s, HTTP %d", address, r.URL(), status)
		}
		r.Close()
	}
}

func TestAnAddressInUseTellsByWhom(t *testing.T) {
	t.Parallel()
	r, _ := receive(t, nil)
	for path, ours := range map[string]bool{secretPath: true, "/hooks/zbcdefghijklmnopqrstuvwxyz": false} {
		_, err := Listen(t.Context(), ReceiverOptions{Address: r.host(), Path: path})
		used, is := errors.AsType[*InUse](err)
		if !is || used.Ours != ours || used.Address != r.host() || !strings.Contains(err.Error(), r.host()) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := r.Counts(); got.Rejected != 1 {
		t.Errorf("of a probe with the right path and one with another: %+v", got)
	}
}

func TestRequestsUnderWayAreAnsweredBeforeTheEnd(t *testing.T) {
	t.Parallel()
	begun, end := make(chan struct{}), make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	r, err := Listen(ctx, ReceiverOptions{Address: "127.0.0.1:0", Path: secretPath, Keep: func(ctx context.Context, _ http.Header, _ []byte) error {
		begun <- struct{}{}
		<-end
		return ctx.Err()
	}})
	must(t, err)
	silent, idle := connect(t, r), connect(t, r)
	status := make(chan int)
	for range 2 {
		go func() { status <- say(t, r, post("1")) }()
		<-begun
	}
	leave() // the context of Listen, in place of Close
	<-r.done
	for range 2 {
		end <- struct{}{}
		if got := <-status; got != 200 {
			t.Errorf("HTTP %d", got)
		}
	}
	if err := r.Close(); err != nil {
		t.Errorf("the end: %v", err)
	}
	for _, c := range []net.Conn{silent, idle} {
		if n, err := c.Read(make([]byte, 1)); n > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a connection stays: %v", err)
		}
	}
	if c, err := net.Dial("tcp", r.host()); err == nil {
		c.Close()
		t.Error("it still listens")
	}
}
