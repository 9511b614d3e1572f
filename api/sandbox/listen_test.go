package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"paydesk/api/timely"
)

// A server closes although a browser holds connections that it has opened ahead, or a client waits for an answer.
func TestAServerIsClosedAtOnce(t *testing.T) {
	timely.Within(t, closeTimeout/2, func() time.Duration {
		s := New(Options{Key: testKey})
		v, err := s.Listen(t.Context(), "127.0.0.1:0")
		must(t, err)
		var c net.Conn
		for range 4 {
			if c, err = net.Dial("tcp", strings.TrimPrefix(v.Origin(), "http://")); err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
		s.Arm("all", "no-answer", 1)
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\n\r\n", listPath, KeyHeader, testKey)
		for len(s.Armed()) > 0 { // the others are there by then
			runtime.Gosched()
		}
		began := time.Now()
		if err := v.Close(); err != nil {
			t.Error(err)
		}
		took := time.Since(began)
		if _, err := bufio.NewReader(c).ReadByte(); err == nil {
			t.Error("a response arrived")
		}
		return took
	})
}

func TestAnyAddressIsUsedWhenAllowed(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	v, err := New(Options{AnyAddress: true}).Listen(ctx, "localhost:0")
	must(t, err)
	leave()
	<-v.done
	for at, want := range map[string]string{"0.0.0.0:8099": "127.0.0.1:8099", "[::]:8099": "127.0.0.1:8099", "192.0.2.1:80": "192.0.2.1:80", "[::1]:80": "[::1]:80"} {
		a, err := net.ResolveTCPAddr("tcp", at)
		must(t, err)
		if got := browserHost(a); got != want {
			t.Errorf("a browser is sent to %s for %s, and not to %s", got, at, want)
		}
	}
}
