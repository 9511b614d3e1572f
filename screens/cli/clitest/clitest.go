// Package clitest runs the command line as a person or a script does: against a sandbox on a real socket, with
// a configuration, in a pipe or at a terminal.
//
//	func TestMain(m *testing.M) { clitest.Main(m) }
//
//	h := clitest.New(t)
//	h.Run("status", "REF").Is(command.Refused).Says("…")
//	at := h.Terminal("link", "create", "--amount", "12")
//	at.Sees("Create").Type("y\r").Ends(command.Done)
//
// Run is in this process, piped. Program and Terminal run the test binary as paydesk, so that signals, the
// terminal and the end of the process are real.
package clitest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
	"paydesk/api/timely"
	"paydesk/keystore"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// Key is the secret key of every test; it must never be printed.
const (
	Key     = "sk_test_CANARYkeyOfTheCommands0042"
	LiveKey = "sk_live_CANARYkeyOfTheCommands0042"
)

// asProgram makes the test binary paydesk.
const asProgram = "PAYDESK_TEST_AS_PROGRAM"

// Main runs the tests, or paydesk where the binary was started by [Host.Program].
func Main(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Unsetenv(asProgram)
		if err := keystore.Harden(); err != nil {
			fmt.Fprintln(os.Stderr, "paydesk:", err)
		}
		os.Exit(cli.Run(os.Args[1:], cli.Env{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Version: "test"}))
	}
	for _, end := range []os.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP} {
		if signal.Ignored(end) { // as in a shell's background, which a program keeps to
			signal.Notify(make(chan os.Signal, 1), end)
		}
	}
	flag.Set("test.parallel", "8") // unless -parallel is given: they mostly wait
	timely.SpareDisk()
	debug.SetGCPercent(400) // memory for time: each command leaves as much as a process would
	os.Exit(m.Run())
}

// A Host is a machine with a configuration and a service.
type Host struct {
	T       testing.TB
	Sandbox *sandbox.Sandbox
	Origin  string
	Home    string                    // of the user: configuration, journal
	Env     map[string]string         // further variables
	Keeps   map[string]keystore.Store // stores of keys by their source, in place of one that has the key; other sources are real
	key     string
}

// Unreachable is the origin of a service that no connection reaches. A port that a test has closed may be another
// test's the next moment; this one is given to none.
const Unreachable = "http://127.0.0.1:1"

// Options of a host.
type Options struct {
	Sandbox sandbox.Options
	Live    bool   // the profile and the key are live
	Profile string // further lines of the profile
	Origin  string // of another service than the sandbox
	Key     string // in place of [Key] and [LiveKey]
}

// New is a host with a profile "shop", and its key in the environment. Its test runs beside others.
func New(t testing.TB, options ...Options) *Host {
	t.Helper()
	o := Options{}
	if len(options) > 0 {
		o = options[0]
	}
	timely.Beside(t)
	h := &Host{T: t, Home: t.TempDir(), key: Key}
	environment := "test"
	if o.Live {
		h.key, environment, o.Sandbox.Environment = LiveKey, "live", "Live"
	}
	if o.Key != "" {
		h.key = o.Key
	}
	o.Sandbox.Key, o.Sandbox.Faults = h.key, faulttest.All()
	o.Sandbox.Settle = cmp.Or(o.Sandbox.Settle, time.Hour) // a test says when a payment settles: a busy machine may take longer
	h.Sandbox = sandbox.New(o.Sandbox)
	ctx, stop := context.WithCancel(context.Background())
	server, err := h.Sandbox.Listen(ctx, "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { stop(); server.Close() })
	if h.Origin = o.Origin; h.Origin == "" {
		h.Origin = server.Origin()
	}
	h.Configure(fmt.Sprintf("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = %q\nbase_url = %q\nlist_url = %q\nkey = \"env\"\nallow_env_key = true\n%s",
		environment, h.Origin, h.Origin, o.Profile))
	return h
}

// Configure replaces the configuration by a text as [keystoretest.Write] takes it.
func (h *Host) Configure(text string) {
	h.T.Helper()
	keystoretest.Write(h.T, h.ConfigFolder(), text)
}

// ConfigFolder is the folder of the configuration.
func (h *Host) ConfigFolder() string { return filepath.Join(h.Home, ".config", "paydesk") }

// StateDir is the folder of the journal.
func (h *Host) StateDir() string { return filepath.Join(h.Home, ".local", "state", "paydesk") }

// environ is the environment of a command: nothing of the test's own but the way to its tools.
func (h *Host) environ() []string {
	all := []string{"HOME=" + h.Home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", keystore.Variable + "=" + h.key}
	if runtime.GOOS == "windows" { // whose own folders come before those below HOME
		all = append(all, "XDG_CONFIG_HOME="+filepath.Dir(h.ConfigFolder()), "XDG_STATE_HOME="+filepath.Dir(h.StateDir()))
	}
	for name, value := range h.Env {
		all = append(all, name+"="+value)
	}
	return all
}

// getenv is environ as a function.
func (h *Host) getenv(name string) string {
	if name == "GOGC" { // commands that set how often memory is collected would set it for all that run beside them, and for good
		return "400"
	}
	value := ""
	for _, v := range h.environ() { // the last one counts, as for a process
		if k, of, _ := strings.Cut(v, "="); k == name && k != keystore.Variable {
			value = of
		}
	}
	return value
}

// A Result has the exit code and the output of a command.
type Result struct {
	T        testing.TB
	Args     []string
	Code     command.Code
	Out, Err string
}

// Run runs a command in this process, with pipes.
func (h *Host) Run(args ...string) Result { return h.RunWith("", args...) }

// RunWith is Run with an input.
func (h *Host) RunWith(input string, args ...string) Result {
	h.T.Helper()
	in, w, err := os.Pipe()
	must(h.T, err)
	defer in.Close()
	go func() { io.WriteString(w, input); w.Close() }()
	var out, talk bytes.Buffer
	args = append([]string{}, args...)
	code := cli.Run(args, cli.Env{
		In: in, Out: &out, Err: &talk, Version: "test", Getenv: h.getenv, Stores: h.stores, Config: h.ConfigFolder(), State: h.StateDir(),
		Backoff: func(int) time.Duration { return 20 * time.Millisecond },
	})
	return h.checked(Result{h.T, args, command.Code(code), out.String(), talk.String()})
}

// stores has the key in memory.
func (h *Host) stores(folder string) func(keystore.Profile) keystore.Store {
	return func(p keystore.Profile) keystore.Store {
		switch kept := h.Keeps[p.Source]; {
		case kept != nil:
			return kept
		case h.Keeps != nil:
			return keystore.Sources(keystore.SourceOptions{Folder: folder})(p)
		}
		s := keystore.NewMemory("env")
		k, err := keystore.ParseKey(h.key)
		if err == nil {
			err = s.Set(context.Background(), p.Name, k)
		}
		must(h.T, err)
		return s
	}
}

// Program is paydesk as a process of its own, with pipes.
func (h *Host) Program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(h.environ(), asProgram+"=1")
	return cmd
}

// Exec runs paydesk as a process of its own.
func (h *Host) Exec(args ...string) Result {
	h.T.Helper()
	cmd := h.Program(args...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	err := cmd.Run()
	if cmd.ProcessState == nil {
		h.T.Fatal(err)
	}
	return h.Printed(cmd, out.String(), talk.String())
}

// Printed takes the output of a process that a test ran itself; see [Host.Program].
func (h *Host) Printed(cmd *exec.Cmd, out, talk string) Result {
	h.T.Helper()
	return h.checked(Result{h.T, cmd.Args[1:], command.Code(cmd.ProcessState.ExitCode()), out, talk})
}

// checked fails where a secret or a control character was printed, or with --json anything but the documented objects.
func (h *Host) checked(r Result) Result {
	h.T.Helper()
	if slices.Contains(r.Args, "--json") {
		for line := range strings.Lines(r.Out) {
			if err := CheckObject(line); err != nil {
				h.T.Errorf("paydesk %q: %v:\n%s", r.Args, err, line)
			}
		}
		if r.Code > 0 && r.Refusal().Exit != int(r.Code) {
			h.T.Errorf("paydesk %q ended with %d, and its last object is not why:\n%s", r.Args, r.Code, r.Out)
		}
	}
	for _, s := range []string{strings.ReplaceAll(r.Out, "\r\n", "\n"), r.Err} { // lines of CSV end so
		if strings.Contains(s, "CANARY") {
			h.T.Errorf("paydesk %q prints the key", r.Args)
		}
		if at := strings.IndexFunc(s, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x7f }); at >= 0 {
			h.T.Errorf("paydesk %q prints a control character in a pipe: %q", r.Args, s[max(at-20, 0):min(at+20, len(s))])
		}
	}
	return r
}

// Refusal is the last object on stdout: why a command with --json did not end with 0.
func (r Result) Refusal() (last output.Refusal) {
	lines := strings.Split(strings.TrimSuffix(r.Out, "\n"), "\n")
	if line := lines[len(lines)-1]; strings.HasPrefix(line, `{"schema":"`+string(last.Schema())+`"`) {
		_ = json.Unmarshal([]byte(line), &last)
	}
	return last
}

// Is checks the exit code.
func (r Result) Is(want command.Code) Result {
	r.T.Helper()
	if r.Code != want {
		r.T.Fatalf("paydesk %q ended with %d, not %d\nstdout: %s\nstderr: %s", r.Args, r.Code, want, r.Out, r.Err)
	}
	return r
}

// Prints checks that stdout has texts.
func (r Result) Prints(texts ...string) Result {
	r.T.Helper()
	return r.has("stdout", r.Out, texts)
}

// Says checks that stderr has texts.
func (r Result) Says(texts ...string) Result {
	r.T.Helper()
	return r.has("stderr", r.Err, texts)
}

func (r Result) has(where, all string, texts []string) Result {
	r.T.Helper()
	for _, text := range texts {
		if !strings.Contains(all, text) {
			r.T.Errorf("paydesk %q: %s has no %q:\n%s", r.Args, where, text, all)
		}
	}
	return r
}

// Lacks checks that nothing printed has a text.
func (r Result) Lacks(texts ...string) Result {
	r.T.Helper()
	for _, text := range texts {
		if strings.Contains(r.Out+r.Err, text) {
			r.T.Errorf("paydesk %q prints %q:\n%s\n%s", r.Args, text, r.Out, r.Err)
		}
	}
	return r
}

var must = timely.Must
