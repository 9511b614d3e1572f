package browser

import (
	"context"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// The tables as Linux writes them: a client at port 40000 of a server at port 8080.
const (
	header  = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	server4 = "   0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 7001 1 0 20 4 0 10 -1\n"
	client4 = "   1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 7002 1 0 20 4 0 10 -1\n"
	gone4   = "   1: 0100007F:9C40 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 0 10 -1\n"
	client6 = "   1: 0000000000000000FFFF00000100007F:9C40 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 7003 1 0\n"
	listen4 = "   2: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1002        0 7004 1 0\n"
)

func TestTheOwnerOfASocketIsThatOfTheClientsEnd(t *testing.T) {
	if runtime.GOARCH == "s390x" || runtime.GOARCH == "mips" || runtime.GOARCH == "ppc64" {
		t.Skip("the sample is of a little-endian machine")
	}
	client, server := netip.MustParseAddrPort("127.0.0.1:40000"), netip.MustParseAddrPort("127.0.0.1:8080")
	for name, c := range map[string]struct {
		table string
		uid   int
		found bool
	}{
		"a client":                 {header + listen4 + server4 + client4, 1000, true},
		"a client by IPv6":         {header + client6, 1001, true},
		"only our own end":         {header + server4, 0, false},
		"a client that has closed": {header + gone4, 0, false},
		"another port":             {header + strings.ReplaceAll(client4, "9C40", "9C41"), 0, false},
		"half a row":               {header + client4[:60], 0, false},
		"no numbers":               {header + strings.NewReplacer("1000", "root").Replace(client4), 0, false},
	} {
		if uid, found := ownerIn(strings.NewReader(c.table), client, server); uid != c.uid || found != c.found {
			t.Errorf("%s: %d, %v", name, uid, found)
		}
	}
	for _, s := range []string{"", ":", "0100007F", "0100007F:", "0100007F:1F901", "010000:1F90", "0100007F01:1F90", "0100007F0100007F:1F90"} {
		if a := tableAddress(s); a.IsValid() {
			t.Errorf("%q is %v", s, a)
		}
	}
}

func TestOurOwnConnectionsAreOurs(t *testing.T) {
	p := servedPage(t)
	for name, address := range map[string]string{"IPv4": p.host, "IPv6": strings.Replace(p.host, "127.0.0.1", "[::ffff:127.0.0.1]", 1)} {
		c, err := net.Dial("tcp", address)
		must(t, err)
		if !ownPeer(c.LocalAddr().String(), p.host) {
			t.Errorf("a connection by %s is a stranger's", name)
		}
		c.Close()
		if ownPeer(c.LocalAddr().String(), p.host) && !underWindows() {
			t.Errorf("a connection by %s that is gone is ours", name)
		}
	}
	for _, s := range []string{"", "127.0.0.1", "somewhere:80"} {
		if ownPeer(s, p.host) || ownPeer(p.host, s) {
			t.Errorf("%q is ours", s)
		}
	}
}

// TestAnotherUserGetsNothing connects as another user, whose thread only root can make.
func TestAnotherUserGetsNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as another user")
	}
	p := servedPage(t)
	answer := make(chan string)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		defer close(answer)
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETFSUID, 54321, 0, 0); errno != 0 {
			return
		}
		c, err := new(net.Dialer).DialContext(context.WithoutCancel(t.Context()), "tcp4", p.host)
		if err != nil {
			return
		}
		defer c.Close()
		io.WriteString(c, "GET "+p.path+" HTTP/1.1\r\nHost: "+p.host+"\r\n\r\n")
		b, _ := io.ReadAll(c)
		answer <- string(b)
	}()
	got := <-answer
	if !strings.HasPrefix(got, "HTTP/1.1 403 ") || strings.Contains(got, "<form") || p.Served() {
		t.Errorf("another user got %q", got)
	}
	if _, body := fetch(t, "GET", p.Address(), nil); body != form {
		t.Errorf("then we got %q", body)
	}
}
