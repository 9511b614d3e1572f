//go:build unix

package terminal_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"paydesk/ui/terminal"
)

// A process is this test's program, run on a terminal of its own.
type process struct {
	t           *testing.T
	command     *exec.Cmd
	master, tty *os.File
	before      *term.State
	sent        []byte // read by says
	written     chan []byte
}

func start(t *testing.T, environment ...string) *process {
	t.Helper()
	master, tty, err := pty.Open()
	must(t, err)
	t.Cleanup(func() { master.Close() })
	p := &process{t: t, master: master, tty: tty, written: make(chan []byte, 1)}
	if p.before, err = term.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	_ = pty.Setsize(master, &pty.Winsize{Cols: 80, Rows: 24})
	p.command = exec.CommandContext(t.Context(), os.Args[0])
	p.command.Env = append(environment, "TERM=xterm-256color")
	p.command.Stdin, p.command.Stdout, p.command.Stderr = tty, tty, tty
	p.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(t, p.command.Start())
	return p
}

// read reads all that the program writes.
func (p *process) read() {
	all, _ := io.ReadAll(p.master) // until the last process closes it
	p.written <- all
}

// end waits for the end and returns the status. The settings of the terminal must be as they were.
func (p *process) end() int {
	p.t.Helper()
	_ = p.command.Wait()
	if after, err := term.GetState(p.tty.Fd()); err != nil || *after != *p.before {
		p.t.Errorf("the terminal settings were not restored: %v, %v", after, err)
	}
	p.tty.Close()
	return p.command.ProcessState.ExitCode()
}

// What a leaving model does.
const (
	quits   = "quits"
	lingers = "lingers" // after it has left the terminal
	hangs   = "hangs"
)

// leaving is a model that is left at once, when it has copied more than a terminal takes unread.
type leaving struct {
	place string
	sized bool // it has been drawn
}

func (l leaving) Init() tea.Cmd {
	if l.place == hangs {
		return func() tea.Msg { return l }
	}
	return tea.Sequence(tea.Raw("\x1b]52;c;"+strings.Repeat("Y29w", 20<<10)+"\a"), tea.Quit)
}

func (l leaving) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.WindowSizeMsg:
		l.sized = true
	case leaving:
		if !l.sized {
			return l, l.Init()
		}
		fmt.Println("hanging")
		select {}
	}
	return l, nil
}

func (leaving) View() tea.View {
	v := tea.NewView("drawn")
	v.WindowTitle = "paydesk"
	return v
}

// left is the end of what is written to a terminal that had the title of a leaving model.
const left = "\x1b]2;\a\x1b[23;2t\x1b[m\x1b[H\x1b[J\x1b[?1049l\x1b[?25h"

// A key that leaves the console must not wait for a connection that hangs.
func TestATerminalThatIsNotReadIsLeft(t *testing.T) {
	t.Parallel()
	p := start(t, "TERMINAL_TEST_PLACE="+quits)
	if s := p.end(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
	p.read()
	sent := <-p.written
	if runtime.GOOS != "linux" {
		return // there what was not read cannot be dropped
	}
	const room = 8 << 10
	end := strings.TrimPrefix(left, "\x1b]2;\a\x1b[23;2t") // the title is taken back only where the first frame had been drawn
	if !bytes.HasSuffix(sent, []byte(end)) || len(sent) > room {
		t.Errorf("the terminal is left with %d bytes, the last of them %q", len(sent), sent[max(len(sent)-200, 0):])
	}
}

// says reads until the program has written a text.
func (p *process) says(text string) {
	p.t.Helper()
	for b := make([]byte, 4096); !bytes.Contains(p.sent, []byte(text)); {
		n, err := p.master.Read(b)
		if err != nil {
			p.t.Fatalf("it has ended after %q", p.sent)
		}
		p.sent = append(p.sent, b[:n]...)
	}
}

// terminates sends SIGTERM and waits for the end.
func (p *process) terminates() {
	p.t.Helper()
	must(p.t, p.command.Process.Signal(syscall.SIGTERM))
	if s := p.end(); s != 128+int(syscall.SIGTERM) {
		p.t.Errorf("it ended with %d", s)
	}
}

func TestAProgramThatHangsIsEndedAndTheTerminalIsLeft(t *testing.T) {
	t.Parallel()
	p := start(t, "TERMINAL_TEST_PLACE="+hangs)
	p.says("hanging")
	p.says("\x1b]2;paydesk\a")
	go p.read()
	p.terminates()
	if sent := <-p.written; !bytes.HasSuffix(sent, []byte(left)) {
		t.Errorf("the terminal is left with %q", sent)
	}
}

// What is still to be done after the console has left the screen can be ended as well.
func TestASignalAfterTheRunEndsTheProcess(t *testing.T) {
	t.Parallel()
	p := start(t, "TERMINAL_TEST_PLACE="+lingers)
	p.says("lingering")
	p.terminates()
}

// A card number, a CVV and a key that must not appear in any output.
const (
	canaryPAN = "4929123456781234"
	canaryCVV = "739"
	canaryKey = "sk_live_CANARYofThePanics8642"
)

// A secret is a panic value that holds all three.
type secret struct {
	PAN, CVV, Key string
	Number        uint64
}

func (s secret) Error() string  { return s.PAN + s.CVV + s.Key }
func (s secret) String() string { return s.Error() }

type spiteful struct{ secret }

func (s spiteful) Error() string { panic(s.secret.Error()) }

var (
	held        = secret{canaryPAN, canaryCVV, canaryKey, 4929123456781234}
	panicValues = []any{
		canaryPAN + canaryCVV + canaryKey,
		errors.New(canaryPAN + " " + canaryCVV + " " + canaryKey),
		held,
		&held,
		spiteful{held},
		held.Number,
		[]byte(canaryPAN + canaryKey),
		map[string]secret{canaryPAN: held},
		struct{ PAN, Key string }{canaryPAN, canaryKey},
		fmt.Errorf("a payment: %w", held),
	}
)

// A fragile model panics in one of places.
type fragile struct {
	place string
	thing any
	drawn bool
}

var places = []string{"Init", "Update", "View", "a command", "a command of a batch", "a command of a sequence", "a command in a command", "a late View", "below Update", "an index"}

// fail has the secrets in its arguments, which the runtime's stack trace would print.
//
//go:noinline
func (f *fragile) fail(pan uint64, key string) tea.Msg {
	if pan == 0 || key == "" {
		return nil
	}
	panic(f.thing)
}

func (f *fragile) now() tea.Msg { return f.fail(held.Number, canaryKey) }

func (f *fragile) Init() tea.Cmd {
	quiet := func() tea.Msg { return nil }
	switch f.place {
	case "Init":
		f.now()
	case "a command":
		return f.now
	case "a command of a batch":
		return tea.Batch(quiet, f.now)
	case "a command of a sequence":
		return tea.Sequence(quiet, f.now)
	case "a command in a command":
		return func() tea.Msg { return tea.BatchMsg{quiet, tea.Sequence(quiet, tea.Batch(quiet, f.now))} }
	}
	return tea.Tick(time.Millisecond, func(time.Time) tea.Msg { return f })
}

func (f *fragile) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if msg == tea.Msg(f) {
		f.drawn = true
		switch f.place {
		case "Update":
			f.now()
		case "below Update":
			defer func() { f.now() }()
		case "an index":
			_ = panicValues[len(canaryPAN)]
		}
	}
	return f, nil
}

func (f *fragile) View() tea.View {
	if f.place == "View" || f.place == "a late View" && f.drawn {
		f.now()
	}
	v := tea.NewView("drawn")
	v.AltScreen = true
	return v
}

// TestMain is also the program that is run in the tests: the environment names what it does.
func TestMain(m *testing.M) {
	place, thing := os.Getenv("TERMINAL_TEST_PLACE"), 0
	if place == "" {
		flag.Set("test.parallel", "8") // unless -parallel is given: they mostly wait
		os.Exit(m.Run())
	}
	fmt.Sscan(os.Getenv("TERMINAL_TEST_THING"), &thing)
	var model tea.Model = &fragile{place: place, thing: panicValues[thing]}
	if place == quits || place == lingers || place == hangs {
		model = leaving{place: place}
	}
	status, err := terminal.Run(model, os.Stdin, os.Stdout, terminal.Options{Reports: os.Getenv("TERMINAL_TEST_REPORTS"), Version: "1.2.3"})
	if err != nil {
		fmt.Println("paydesk:", err)
	}
	if place == lingers {
		fmt.Println("lingering")
		select {}
	}
	os.Exit(status)
}

func TestAPanicEndsTheConsoleWithoutShowingItsValue(t *testing.T) {
	t.Parallel()
	rounds := 1 // each place with one value, and each value in one place
	if os.Getenv("PAYDESK_LONG") != "" {
		rounds = len(panicValues)
	}
	for i := range rounds * len(places) {
		place, thing := places[i%len(places)], (i/len(places)*2+i)%len(panicValues)
		t.Run(fmt.Sprintf("%s, %T", place, panicValues[thing]), func(t *testing.T) {
			t.Parallel()
			output, report := runPanicking(t, place, thing)
			written := expectedNumbers.ReplaceAll(append(output, report...), nil)
			for _, canary := range []string{canaryPAN, canaryCVV, canaryKey, fmt.Sprintf("%x", held.Number), "CANARY", "goroutine", "0x"} {
				if bytes.Contains(written, []byte(canary)) {
					t.Errorf("%q was written:\n%q\n%s", canary, output, report)
				}
			}
			if !bytes.Contains(report, []byte("paydesk 1.2.3")) || !bytes.Contains(report, []byte("fragile")) {
				t.Errorf("the report names neither the version nor the function:\n%s", report)
			}
		})
	}
}

// expectedNumbers match the numbers of every report: lines, the code, the path, sequences.
var expectedNumbers = regexp.MustCompile(`\.(go|s):\d+|code [0-9a-f]{8}|/\S*crash-\S*|\x1b\[[0-9;]*`)

// runPanicking runs the program that panics and returns all it wrote and its report.
func runPanicking(t *testing.T, place string, thing int) (output, report []byte) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "state")
	p := start(t, "TERMINAL_TEST_PLACE="+place, "TERMINAL_TEST_REPORTS="+folder, fmt.Sprintf("TERMINAL_TEST_THING=%d", thing))
	go p.read()
	if s := p.end(); s != terminal.ExitCrash {
		t.Errorf("it ended with %d", s)
	}
	output = <-p.written
	return output, reportOf(t, folder, output)
}

func reportOf(t *testing.T, folder string, output []byte) []byte {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d reports, %v; it wrote %q", len(files), err, output)
	}
	path := filepath.Join(folder, files[0].Name())
	if !regexp.MustCompile(`/crash-\d{8}T\d{6}Z-\d+\.txt$`).MatchString(path) {
		t.Errorf("the report is %s", path)
	}
	if about, err := files[0].Info(); err != nil || about.Mode() != 0o600 {
		t.Errorf("its mode is %v, %v", about.Mode(), err)
	}
	out, last := bytes.LastIndex(output, []byte("\x1b[?1049l")), bytes.LastIndex(output, []byte("paydesk: "))
	in := bytes.LastIndex(output, []byte("\x1b[?1049h"))
	if last < 0 || out < in || last < out || !strings.Contains(string(output[last:]), path) {
		t.Errorf("the path of the report is missing after the alternate screen was left: %q", output)
	}
	report, err := os.ReadFile(path)
	must(t, err)
	return report
}
