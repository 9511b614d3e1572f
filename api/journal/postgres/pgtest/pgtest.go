// Package pgtest runs a PostgreSQL server for tests.
package pgtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"paydesk/api/timely"
)

// asked says how much of the tests on PostgreSQL is wanted: unset, about ten rules, where there is a server to run; "must",
// more, which fail where there is none; "whole", all of them.
const asked = "PAYDESK_POSTGRES"

// A Cluster is a server with its data, which listens on a socket alone.
type Cluster struct {
	Database string // of the test
	dir      string // of the data and the socket
	front    string // the folder with the socket of the test
	bin      string
	user     *user.User // who runs it; nil for whoever runs the test
	end      func()     // stops the server and removes its folder
}

// Asked skips a test that only runs where PAYDESK_POSTGRES is set.
func Asked(t testing.TB) {
	t.Helper()
	if os.Getenv(asked) == "" {
		t.Skip("only where " + asked + " is set")
	}
}

// Whole skips a test that only runs where PAYDESK_POSTGRES is "whole".
func Whole(t testing.TB) {
	t.Helper()
	if os.Getenv(asked) != "whole" {
		t.Skip("only with " + asked + "=whole")
	}
}

// Start runs a server with settings of postgresql.conf until the test ends. Without PostgreSQL on this machine the test
// is skipped, unless PAYDESK_POSTGRES is set.
func Start(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	c := create(t)
	t.Cleanup(c.end)
	c.initialize(t, settings)
	return c
}

var (
	sharing   sync.Mutex
	shared    *Cluster
	databases int
)

// Shared returns a database of the test's own, which can be disconnected, on a server that all tests of the process share.
func Shared(t testing.TB) *Cluster {
	t.Helper()
	sharing.Lock()
	defer sharing.Unlock()
	if shared == nil {
		c := create(t)
		c.initialize(t, nil)
		shared = c
	}
	databases++
	c := *shared
	c.Database = "test" + strconv.Itoa(databases)
	c.must(t, "createdb", "-h", c.dir, "-U", "postgres", c.Database)
	socket := c.socket()
	c.front = filepath.Join(c.dir, c.Database)
	must(t, errors.Join(os.Mkdir(c.front, 0o755), os.Symlink(socket, c.socket())))
	return &c
}

// create returns a server without data.
func create(t testing.TB) *Cluster {
	t.Helper()
	bin, err := installed()
	if err != nil {
		if os.Getenv(asked) != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	c := &Cluster{Database: "postgres", bin: bin, user: owner(t)}
	if c.dir, err = os.MkdirTemp("", "paydesk-pg-"); err != nil { // the name of a socket is short
		t.Fatal(err)
	}
	c.front = c.dir
	must(t, errors.Join(c.own(), c.watch()))
	return c
}

func (c *Cluster) initialize(t testing.TB, settings []string) {
	t.Helper()
	c.must(t, "initdb", "-D", c.data(), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale", "C.UTF-8", "--no-sync", "--wal-segsize", "1")
	for _, s := range settings {
		c.Set(t, s)
	}
	c.Restart(t)
}

// installed returns the folder of the newest server's programs.
func installed() (string, error) {
	if runtime.GOOS == "windows" {
		return "", errors.New("a server is only started on systems of Unix: the tests reach it by a socket in a folder")
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", errors.New("PostgreSQL is not installed: no initdb")
	}
	return filepath.Dir(path), nil
}

func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

// owner returns the user who runs the server where root runs the test: it refuses root.
func owner(t testing.TB) *user.User {
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			return u
		}
	}
	t.Skip("no user to run a server as")
	return nil
}

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

// Dir is the folder of everything that the server writes.
func (c *Cluster) Dir() string { return c.dir }

// Dump returns a database as the SQL that pg_dump writes.
func (c *Cluster) Dump(t testing.TB, database string) []byte {
	t.Helper()
	path := filepath.Join(c.dir, "dump.sql")
	c.must(t, "pg_dump", "-h", c.dir, "-U", "postgres", "-f", path, database)
	dump, err := os.ReadFile(path)
	must(t, errors.Join(err, os.Remove(path)))
	return dump
}

// Log is the file of what the server says.
func (c *Cluster) Log() string { return filepath.Join(c.dir, "log") }

// Set adds a setting to postgresql.conf, for the next start.
func (c *Cluster) Set(t testing.TB, setting string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintln(f, setting)
		err = errors.Join(err, f.Close())
	}
	must(t, err)
}

// Restart starts the server, which may have been stopped or killed.
func (c *Cluster) Restart(t testing.TB) {
	t.Helper()
	start := []string{"-D", c.data(), "-l", c.Log(), "-w", "-o", "-c listen_addresses= -c max_connections=200 -k " + c.dir + "," + c.back(), "start"}
	for range 20 { // the processes of one that was killed take a moment to notice
		if c.run("pg_ctl", start...) == nil {
			return
		}
	}
	c.must(t, "pg_ctl", start...)
}

// Disconnect ends all connections to the database, and hides the server until Reconnect.
func (c *Cluster) Disconnect(t testing.TB) {
	t.Helper()
	must(t, os.Rename(c.socket(), c.socket()+".away"))
	c.must(t, "psql", "-h", c.back(), "-U", "postgres", "-c", "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '"+c.Database+"'")
}

// Reconnect lets the server be reached again.
func (c *Cluster) Reconnect(t testing.TB) {
	t.Helper()
	must(t, os.Rename(c.socket()+".away", c.socket()))
}

func (c *Cluster) socket() string { return filepath.Join(c.front, ".s.PGSQL.5432") }

// back is a folder with another socket, which stays.
func (c *Cluster) back() string { return filepath.Join(c.dir, "data") }

// Stop stops the server: fast, or immediate, which is as good as killing it.
func (c *Cluster) Stop(t testing.TB, how string) {
	t.Helper()
	c.must(t, "pg_ctl", "-D", c.data(), "-m", how, "-w", "stop")
}

// Kill kills the server as a failure of the machine would, and everything that it runs.
func (c *Cluster) Kill(t testing.TB) {
	t.Helper()
	pid := c.pid(t)
	for _, child := range children(pid) {
		kill(child)
	}
	kill(pid)
}

// KillBackend kills one of the processes that serve a connection, if there is one: the server restarts them all then.
func (c *Cluster) KillBackend(t testing.TB) {
	t.Helper()
	if all := children(c.pid(t)); len(all) > 0 {
		kill(all[rand.IntN(len(all))])
	}
}

// pid is the process of the server.
func (c *Cluster) pid(t testing.TB) int {
	t.Helper()
	said, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	first, _, _ := strings.Cut(string(said), "\n")
	pid, wrong := strconv.Atoi(first)
	must(t, errors.Join(err, wrong))
	return pid
}

// Standby starts a copy of the server that follows it, synchronously where the server is set to.
func (c *Cluster) Standby(t testing.TB) *Cluster {
	t.Helper()
	s := create(t)
	t.Cleanup(s.end)
	s.must(t, "pg_basebackup", "-h", c.dir, "-U", "postgres", "-D", s.data(), "-R", "-X", "stream")
	if locks, err := filepath.Glob(filepath.Join(s.data(), ".s.PGSQL.*")); err == nil { // of a socket in the folder that was copied
		for _, lock := range locks {
			os.Remove(lock)
		}
	}
	s.Set(t, "synchronous_standby_names = ''")
	s.Restart(t)
	return s
}

// Promote makes a standby the server.
func (c *Cluster) Promote(t testing.TB) {
	t.Helper()
	c.must(t, "pg_ctl", "-D", c.data(), "-w", "promote")
}

// Socket is the folder of the server's socket.
func (c *Cluster) Socket() string { return c.front }

// URL returns the URL of a database of the cluster for a user.
func (c *Cluster) URL(name, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(name), Path: "/" + database, RawQuery: url.Values{"host": {c.front}}.Encode()}
	return u.String()
}

func (c *Cluster) must(t testing.TB, name string, args ...string) {
	t.Helper()
	if err := c.run(name, args...); err != nil {
		said, _ := os.ReadFile(c.Log())
		t.Fatalf("%s: %v\n%s", name, err, said)
	}
}

var must = timely.Must
