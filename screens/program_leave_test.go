//go:build unix

package screens_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

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
		if p.said(nobodyKnows) || p.sandbox.Accepted() != 1 {
			t.Errorf("%d taken:\n%s", p.sandbox.Accepted(), p.Screen())
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
	p.Yes("Stop trying")
	p.Sees("Given up")
	p.Press("ctrl+c")
	if s := p.gone(); s != 0 || p.Has("UNRESOLVED") {
		t.Errorf("it ended with %d:\n%s", s, p.Screen())
	}
}
