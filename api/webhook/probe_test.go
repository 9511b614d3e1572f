package webhook

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

func TestAProbeTellsWhatListens(t *testing.T) {
	t.Parallel()
	r, b := receive(t, nil)
	server := func(handle http.HandlerFunc) string {
		s := httptest.NewServer(handle)
		t.Cleanup(s.Close)
		return s.URL + secretPath
	}
	var elsewhere atomic.Int32
	other := server(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	closed, _ := net.Listen("tcp", "127.0.0.1:0")
	silent, _ := net.Listen("tcp", "127.0.0.1:0")
	t.Cleanup(func() { silent.Close() })
	go func() {
		for {
			c, err := silent.Accept()
			if err != nil {
				return
			}
			c.Close() // without a word
		}
	}()
	closed.Close()
	for _, c := range []struct {
		name, url string
		want      Listener
	}{
		{"this one", r.URL(), Ours},
		{"with another path", strings.TrimSuffix(r.URL(), "z") + "2", Other},
		{"another server", other, Other},
		{"a redirect", server(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, http.StatusFound) }), Other},
		{"no HTTP", "http://" + silent.Addr().String() + "/", Other},
		{"nothing", "http://" + closed.Addr().String() + "/", Nothing},
	} {
		if got := Probe(t.Context(), c.url); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if elsewhere.Load() != 1 || len(b.bodies()) > 0 {
		t.Errorf("%d requests elsewhere, %q stored", elsewhere.Load(), b.bodies())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Probe(ended, "http://"+closed.Addr().String()+"/"); got != Nothing {
		t.Errorf("%v", got)
	}
}

func TestATunnelLineCanBePasted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ address, host, want string }{
		{"127.0.0.1:8425", "", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 HOST"},
		{"127.0.0.1:8425", "ada@bastion.example", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 ada@bastion.example"},
		{"0.0.0.0:8425", "h", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 h"},
		{"[::1]:8425", "h", "ssh -N -R '127.0.0.1:8425:[::1]:8425' h"},
		{"[fe80::1%$(reboot)]:80", "h", "ssh -N -R '127.0.0.1:80:[fe80::1]:80' h"},
		{"127.0.0.1:8425", "-oProxyCommand=reboot", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 HOST"},
		{"127.0.0.1:8425", "h;reboot", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 HOST"},
		{"127.0.0.1:80;reboot", "h", ""},
	} {
		if got := TunnelLine(c.address, c.host); got != c.want {
			t.Errorf("%q, %q: %q", c.address, c.host, got)
		}
	}
}
