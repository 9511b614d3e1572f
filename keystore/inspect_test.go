//go:build linux

package keystore

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"paydesk/api/timely"
)

func TestInspectionFindsNoBusWhereThereIsNone(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv(busVariable, "disabled:")
	s := InspectKeyring(t.Context())
	if !s.NeedsBus || s.Address != "" || s.HasService || s.BusErr != nil || s.EnvAddress != "disabled:" {
		t.Errorf("%+v", s)
	}
}

// listen returns a socket that handles each connection with do.
func listen(t *testing.T, do func(net.Conn)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go do(c)
		}
	}()
	t.Setenv(busVariable, "unix:path=/nowhere/bus;autolaunch:;unix:path="+path)
}

func TestABusThatHangsIsAbandoned(t *testing.T) {
	held := make(chan net.Conn, 999)
	listen(t, func(c net.Conn) { held <- c })
	timely.Within(t, 2*time.Second, timely.Took(func() {
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer stop()
		if s := InspectKeyring(ctx); s.BusErr == nil || s.HasService {
			t.Errorf("%+v", s)
		}
	}))
}

func TestASocketThatDoesNotBehaveLikeABusIsReported(t *testing.T) {
	listen(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "220 mail.example\r\n")
		c.Close()
	})
	s := InspectKeyring(t.Context())
	if s.Address == "" || s.BusErr == nil || s.HasService {
		t.Errorf("%+v", s)
	}
}
