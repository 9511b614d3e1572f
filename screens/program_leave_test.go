//go:build unix

package screens_test

import (
	"bytes"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/sandbox"
	"paydesk/api/timely"
)

// A paying is a program in whose window a payment is being sent, to a service that takes
// it and does not answer before it is let.
type paying struct {
	*window
	setting setting
	sandbox *sandbox.Sandbox
	answer  chan struct{} // closed to let it answer
	lost    atomic.Bool   // it hangs up instead of answering
	asked   *atomic.Int32 // initiations that came in
}

func pays(t *testing.T) *paying {
	t.Helper()
	p := poised(t)
	p.send()
	return p
}

// send sends the payment.
func (p *paying) send() {
	p.t.Helper()
	p.Press("ctrl+s")
	p.Yes("Charge 12.50 GBP to •••• 4242?")
	p.Sees("Sending the payment")
	until(p.t, func() bool { return p.asked.Load() == 1 }, func() string { return "nothing is sent" })
}

// poised is a window in which ctrl+s leads to the question whether to pay.
func poised(t *testing.T) *paying {
	t.Helper()
	return poisedAt(t, func(origin string) setting {
		e := newSetting(t)
		e.configure(t, profile(origin, "env"))
		return e
	})
}

// poisedAt is a window of a user whose setting is made for the address of a service.
func poisedAt(t *testing.T, desk func(origin string) setting) *paying {
	t.Helper()
	p := &paying{answer: make(chan struct{}), asked: new(atomic.Int32)}
	s, origin := serve(t, func(behind http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/pay/initiate") {
				p.asked.Add(1)
				<-p.answer
				if p.lost.Load() {
					panic(http.ErrAbortHandler)
				}
			}
			behind.ServeHTTP(w, r)
		})
	})
	p.sandbox = s
	p.setting = desk(origin)
	p.setting["PAYDESK_SECRET_KEY"] = programKey
	p.window = open(t, p.setting, 80, 24)
	t.Cleanup(func() {
		select {
		case <-p.answer:
		default:
			close(p.answer) // or the server waits for its handler
		}
	})
	describe(p.Person, "12.50", visa, nothing)
	return p
}

const nobodyKnows = "It is not known whether this payment was made. Do not send it again: home lists it and says how to find out."

func TestLeavingWithoutTheAnswerSaysThatNobodyKnows(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*paying){
		"by the key": func(p *paying) {
			p.Press("ctrl+c")
			p.Sees("ctrl+c again")
			p.Press("ctrl+c")
		},
		"by a signal": func(p *paying) { p.signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			most := map[string]time.Duration{"by the key": time.Minute, "by a signal": byItself}[name]
			timely.Within(t, most, func() (took time.Duration) {
				p := pays(t)
				at := time.Now()
				leave(p)
				want := map[string]int{"by the key": 6, "by a signal": 143}[name]
				if s := p.gone(); s != want {
					t.Errorf("it ended with %d", s)
				}
				took = time.Since(at)
				if took <= most && !p.said("12.50 GBP, TEST shop: "+nobodyKnows) {
					t.Errorf("it does not say so:\n%s", p.Screen())
				}
				if n := p.asked.Load(); n != 1 {
					t.Errorf("it was sent %d times", n)
				}
				p.noSecret(p.setting)
				return took
			})
		})
	}
}

func TestAnAnswerThatComesWhileLeavingIsWaitedFor(t *testing.T) {
	t.Parallel()
	const waits = 1500 * time.Millisecond
	timely.Within(t, waits, func() (took time.Duration) {
		p := pays(t)
		at := time.Now()
		p.signal(syscall.SIGTERM)
		// The console is gone from the screen; the program still waits, for a moment.
		holds(t, 400*time.Millisecond, func() bool { return len(leftOn(p.Bytes())) == 0 }, func() string { return "the console stays" })
		close(p.answer)
		s := p.gone()
		if took = time.Since(at); took > waits {
			return took // the answer may have come too late
		}
		if s != 143 {
			t.Errorf("it ended with %d", s)
		}
		if p.said(nobodyKnows) || len(p.sandbox.Payments()) != 1 {
			t.Errorf("%d taken:\n%s", len(p.sandbox.Payments()), p.Screen())
		}
		return took
	})
}

// said reports whether a text is on the normal screen, which breaks lines in the middle of words.
func (v *window) said(text string) bool {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	return strings.Contains(squeeze(v.Screen()), squeeze(text))
}

// lose is a payment whose answer is lost, on its attempt's screen.
func (p *paying) lose() {
	p.lost.Store(true)
	close(p.answer)
	p.Sees("UNRESOLVED", "d decide")
}

func TestAPaymentNobodyKnowsOfIsNotLeftInSilence(t *testing.T) {
	t.Parallel()
	p := pays(t)
	p.lose()
	id := regexp.MustCompile(`\b[0-9a-z]{10}\b`).FindString(p.Screen())
	p.Press("ctrl+c")
	if s := p.gone(); s != 6 {
		t.Errorf("it ended with %d", s)
	}
	if id == "" || !p.said("UNRESOLVED "+id+", 12.50 GBP, TEST shop: "+nobodyKnows) || strings.Count(p.Screen(), "UNRESOLVED") != 1 {
		t.Errorf("it does not say so of %q:\n%s", id, p.Screen())
	}
	p.noSecret(p.setting)

	again := open(t, p.setting, 80, 24) // it is not of this run
	again.Sees("Menu", "UNRESOLVED")
	again.Press("ctrl+c")
	if s := again.gone(); s != 0 || !again.said("UNRESOLVED "+id+", 12.50 GBP, TEST shop: "+nobodyKnows) {
		t.Errorf("the next run ended with %d:\n%s", s, again.Screen())
	}
}

func TestAPaymentThatAPersonDecidedAboutIsLeftInSilence(t *testing.T) {
	t.Parallel()
	p := pays(t)
	p.lose()
	p.Press("x")
	p.Yes("Give up")
	p.Sees("Given up")
	p.Press("ctrl+c")
	if s := p.gone(); s != 0 || p.Has("UNRESOLVED") {
		t.Errorf("it ended with %d:\n%s", s, p.Screen())
	}
}

func TestASignalBeforeTheFirstFrameEndsTheProgramToo(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo")
	until(t, func() bool { return len(v.Bytes()) > 0 }, func() string { return "nothing was written" })
	v.signal(syscall.SIGTERM)
	if got := v.gone(); got != 143 {
		t.Errorf("it ended with %d", got)
	}
}

// A terminal that answers nothing is not waited for. Over a slow connection its answers come late, and after the end they
// would be typed in the shell.
func TestAnswersOfTheTerminalAreNotWaitedForAndNotLeftToTheShell(t *testing.T) {
	t.Parallel()
	v := newWindow(t, newSetting(t), 80, 24, "demo")
	v.answers.held = true
	v.start()
	v.Sees("Menu") // without them
	if !v.AltScreen() {
		t.Error("it does not use the alternate screen")
	}
	for _, asked := range []string{"\x1b]10;?", "\x1b[6n"} {
		if bytes.Contains(v.Bytes(), []byte(asked)) {
			t.Errorf("it asks %q", asked)
		}
	}
	v.Press("ctrl+c")
	until(t, func() bool { return len(leftOn(v.Bytes())) == 0 }, func() string { return "it does not end" })
	if v.answers.arrive() == 0 {
		t.Fatal("the terminal was not asked anything")
	}
	until(t, v.over, func() string { return "the program goes on" })
	if _, err := term.MakeRaw(v.tty.Fd()); err != nil { // a line's end is not waited for then
		t.Fatal(err)
	}
	ready, err := unix.Poll([]unix.PollFd{{Fd: int32(v.tty.Fd()), Events: unix.POLLIN}}, 0)
	must(t, err)
	if ready > 0 {
		b := make([]byte, 256)
		n, _ := v.tty.Read(b)
		t.Errorf("the shell reads %q", b[:n])
	}
}

// What a restore takes away under a console that only shows it is said at once, on every screen, and nothing is sent
// before a person has read it there. It takes seconds: it is the program itself, on each screen.
func TestARestoreUnderAConsoleIsSaidAndReadThere(t *testing.T) {
	t.Parallel()
	e := newSetting(t)
	_, origin := serve(t, nil)
	e.configure(t, profile(origin, "env"))
	e["PAYDESK_SECRET_KEY"] = programKey
	dir := filepath.Join(e["XDG_STATE_HOME"], "paydesk")
	j := journal.New(journal.Options{Dir: dir})
	must(t, j.Check(t.Context()))
	backup := filepath.Join(t.TempDir(), "backup.db")
	if _, err := j.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	a, err := j.Begin(t.Context(), ledger.Attempt{
		Kind: ledger.Initiate, Amount: pounds(4242), Channel: api.ChannelCard,
		Destination: ledger.Destination{Profile: "shop", Environment: "TEST", Host: origin[len("http://"):]},
	}, ledger.Payer{}, nil)
	if err == nil {
		err = j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "silence"})
	}
	must(t, err)
	j.Close()

	v := open(t, e, 120, 40)
	v.Sees("UNRESOLVED", "42.42")
	restorer := journal.New(journal.Options{Dir: dir})
	if _, err := restorer.Restore(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	v.Sees("Sending is disabled until you have read this with ctrl+l", "backup was put in place of the journal")
	v.Press("n").Sees("New link", "Sending is disabled until you have read this with ctrl+l", "ctrl+l acknowledge")
	v.Press("ctrl+l").Sees("Records are missing: send again?", "may be missing", "Type acknowledge")
	if len(restorer.Losses()) == 0 {
		t.Error("opening the screen acknowledged it")
	}
	v.Wait(400 * time.Millisecond) // until the question takes answers
	for _, key := range append(strings.Split("acknowledge", ""), "right", "enter") {
		v.Press(key).heard()
		v.Wait(50 * time.Millisecond) // keys that follow each other faster are not deliberate
	}
	v.Until(func() bool { return !v.Has("Records are missing") && !v.Has("Sending is disabled") })
	if all := restorer.Losses(); len(all) > 0 {
		t.Errorf("it still stands: %v", all)
	}
	v.leave()
}

// On a host without a keyring the key is sealed, which makes five questions: an address twice, where the key is kept, the
// key and its passphrase. It takes seconds: the program works for one on each passphrase.
func TestTheFirstRunOfTheProgramLeadsToAProfileThatIsFoundAgain(t *testing.T) {
	t.Parallel()
	_, origin := serve(t, nil)
	e := newSetting(t)
	v := open(t, e, 80, 24)
	v.Sees("There is no configuration yet", "Try the demo", "Create a test profile", "write the file yourself")
	v.Press("n")
	v.Fill("Base URL", origin)
	v.Press("ctrl+s")
	v.Sees("A paydesk sandbox answers at this address", "sealed there with a passphrase")
	v.Type(programKey)
	v.Press("enter")
	v.Sees("Repeat")
	for range 2 {
		v.Type(passphrase)
		v.Press("enter")
	}
	v.Sees("First run", "itself rejected", "it is in the sealed file")
	v.Press("enter")
	v.Sees("Menu", "key age")
	v.leave()
	v = open(t, e, 80, 24) // and it is found again
	v.Sees("The key is sealed in", "Passphrase", strings.TrimPrefix(origin, "http://"))
	v.Type(passphrase)
	v.Press("enter")
	v.Sees("Menu", "key age")
	v.leave()
	v.noSecret(e)
}

const passphrase = "four words are best"
