package browser

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
)

// peersKnown reports whether this system tells whose a connection is.
const peersKnown = true

// The tables of sockets: of IPv4, and of IPv6, where a client of 127.0.0.1 may be too.
var socketTables = []string{"/proc/net/tcp", "/proc/net/tcp6"}

// tableReads sets how often the tables are read: one that changes meanwhile may skip a row.
const tableReads = 3

// ownPeer reports whether the socket at the other end of a connection belongs to our user. One whose
// owner cannot be told does not, except under WSL, where Windows reaches this system through a relay that
// runs as root or is in no table; other users of it are still refused.
func ownPeer(client, server string) bool {
	from, err := netip.ParseAddrPort(client)
	to, err2 := netip.ParseAddrPort(server)
	if err != nil || err2 != nil {
		return false
	}
	for range tableReads {
		for _, name := range socketTables {
			table, _ := os.ReadFile(name) // one that is missing has no rows
			if uid, found := ownerIn(bytes.NewReader(table), from, to); found {
				return uid == os.Geteuid() || uid == 0 && underWindows()
			}
		}
	}
	return underWindows()
}

// underWindows reports whether this is WSL, whose kernel says so.
var underWindows = sync.OnceValue(func() bool {
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return strings.Contains(strings.ToLower(string(release)), "microsoft")
})

// ownerIn finds the user of the client's socket. One that was closed already has no inode, and its user
// is not known any more.
func ownerIn(table io.Reader, client, server netip.AddrPort) (uid int, found bool) {
	const local, remote, user, inode = 1, 2, 7, 9
	for rows := bufio.NewScanner(table); rows.Scan(); {
		column := strings.Fields(rows.Text())
		if len(column) <= inode || column[inode] == "0" || tableAddress(column[local]) != client || tableAddress(column[remote]) != server {
			continue
		}
		uid, err := strconv.Atoi(column[user])
		return uid, err == nil
	}
	return 0, false
}

// tableAddress parses an address as the tables have it: words of 32 bits in the order of this machine, a
// colon and the port, such as "0100007F:1F90". It is invalid for anything else.
func tableAddress(s string) netip.AddrPort {
	words, port, _ := strings.Cut(s, ":")
	n, err := strconv.ParseUint(port, 16, 16)
	ip, err2 := hex.DecodeString(words)
	for at := 0; at+4 <= len(ip); at += 4 {
		binary.NativeEndian.PutUint32(ip[at:], binary.BigEndian.Uint32(ip[at:]))
	}
	a, ok := netip.AddrFromSlice(ip)
	if err != nil || err2 != nil || !ok {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(a.Unmap(), uint16(n))
}
