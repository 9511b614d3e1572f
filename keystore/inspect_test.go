//go:build linux

package keystore

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"
)

func TestLookingFindsNoBusWhereThereIsNone(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv(busVariable, "disabled:")
	s := InspectKeyring(t.Context())
	if !s.NeedsBus || s.Bus != "" || s.Service || s.Silent != nil || s.Named != "disabled:" {
		t.Errorf("%+v", s)
	}
}

// listen is a bus that does to each connection what is given.
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

func TestABusThatHangsIsLeft(t *testing.T) {
	held := make(chan net.Conn, 9)
	listen(t, func(c net.Conn) { held <- c })
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	begun := time.Now()
	s := InspectKeyring(ctx)
	if s.Silent == nil || s.Service {
		t.Errorf("%+v", s)
	}
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestWhatDoesNotSpeakAsABusIsToldFromOne(t *testing.T) {
	listen(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "220 mail.example\r\n")
		c.Close()
	})
	s := InspectKeyring(t.Context())
	if s.Bus == "" || s.Silent == nil || s.Service {
		t.Errorf("%+v", s)
	}
}
