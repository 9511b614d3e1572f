package screentest_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/screentest"
)

func TestTheURLIsShownInFullWithItsHost(t *testing.T) {
	openCheck(t, 60, 18, payingByCard(t, bank, ""), func(c *screentest.Console) {
		c.Sees("Host         bank.example", "true: then on to the return URL", "12.50 GBP   ▐▲ INITIATED▌  Card •••• 4242").Golden("payment/address-small").Fits().HelpBarFits().Idle(time.Hour)
		whole := ""
		for line := range strings.SplitSeq(c.Screen(), "\n") {
			whole += strings.Split(strings.TrimSpace(line), "  ")[0]
		}
		if !strings.Contains(whole, bank) {
			t.Errorf("the address is not there in full:\n%s", c.Screen())
		}
	})
}

func TestTheRedirectSwitchChangesNothingElse(t *testing.T) {
	other := strings.Replace(bank, "redirect=true", "redirect=false", 1)
	openCheck(t, 120, 40, payingByCard(t, bank, ""), func(c *screentest.Console) {
		for _, want := range [][]string{{other, "false: window closes (iframe, modal)"}, {bank}} {
			if c.Press("tab").Sees(want...).Press("y"); c.Copied() != want[0] {
				t.Errorf("copied %q", c.Copied())
			}
		}
	})
	without := "https://bank.example/3ds?token=1&redirects=true"
	openCheck(t, 80, 24, payingByCard(t, without, ""), func(c *screentest.Console) {
		c.WaitsUntilGone("tab redirect", "Redirect").Press("tab").Sees("no redirect=true or redirect=false", without).Fits()
	})
}

func TestAnUnsafeURLIsNotOffered(t *testing.T) {
	for _, bad := range []string{"javascript:alert(1)", "https://a@bank.example/", "file:///etc/passwd", "http://bank.example/"} {
		w := payingByCard(t, bad, "")
		openCheck(t, 80, 24, w, func(c *screentest.Console) {
			c.Sees("! The service returned a URL that is not safe to use:").WaitsUntilGone("o open", "y copy", "z QR", bad).Fits()
			c.Press("y").Sees("no URL that is safe to copy").Press("o", "z", "tab")
			if c.Copied() != "" || len(w.opened) != 0 {
				t.Errorf("copied %q, opened %q", c.Copied(), w.opened)
			}
		})
	}
}

func TestABrowserIsOpenedOnlyWhereThereIsOne(t *testing.T) {
	for why, want := range map[string][]string{
		"":                          {"The page was sent to your browser.", bank},
		"There is no display here.": {"There is no display here. Copy the URL or scan its code.", ""},
	} {
		w := payingByCard(t, bank, "")
		w.here = why
		openCheck(t, 80, 24, w, func(c *screentest.Console) {
			if why != "" {
				c.WaitsUntilGone("o open")
			}
			if c.Press("o").Sees(want[0]).Went(); strings.Join(w.opened, " ") != want[1] {
				t.Errorf("opened %q", w.opened)
			}
		})
	}
}

// The header gives way to the code, and says beside it where one is.
func TestTheCodeTakesTheWholeWindowAndGivesItBack(t *testing.T) {
	long := "https://bank.example/3ds/authorise?token=" + strings.Repeat("a1B2c3D4", 12) // as those of the demo's bank
	openCheck(t, 80, 24, payingByCard(t, long, ""), func(c *screentest.Console) {
		c.Sees("z QR code").WaitsUntilGone("▀").Press("z")
		c.Sees("▀", "TEST", "payments.example", "bank.example", "12.50 GBP", "ref-1", "esc back").WaitsUntilGone("Authentication check").Press("y")
		if c.Sees("The URL was sent to"); c.Copied() != long {
			t.Errorf("copied %q", c.Copied())
		}
		c.Press("esc").Sees("Host").WaitsUntilGone("▀").Went()
	})
	openCheck(t, 60, 18, payingByCard(t, long, ""), func(c *screentest.Console) { c.Press("z").Sees("needs a window of 71×24").Fits() })
	openCheck(t, 60, 18, payingByCard(t, long+strings.Repeat("e5F6", 45)+"Z", ""), func(c *screentest.Console) {
		c.Sees("e5F6Z", "12.50 GBP", "Host         bank.example").Fits() // the whole URL comes before what is said of the payment
	})
}

func TestOnlyAPersonMarksTheCustomerAsDone(t *testing.T) {
	for link, to := range map[api.Alias]nav.Route{"": nav.Payment{Reference: "ref-1"}, "0-abc": nav.Finalize{Reference: "ref-1"}} {
		w := payingByCard(t, bank, link)
		openCheck(t, 80, 24, w, func(c *screentest.Console) {
			c.Press(strings.Fields(strings.Repeat("enter ", 20))...).Went() // typed before the screen was open
			c.Wait(time.Second).Press("o", "y", "tab", "z", "z", "a")
			if c.Went(); w.done != 0 {
				t.Error("it was said by another key")
			}
			c.Press("enter").Went(nav.Replace{To: to})
			if w.done != 1 {
				t.Errorf("it was said %d times", w.done)
			}
		})
	}
}

func TestACheckOfAFinalPaymentLeadsToItsStatus(t *testing.T) {
	w := payingByCard(t, bank, "")
	w.entry.Status = api.ParseStatus("SUCCESSFUL")
	openCheck(t, 80, 24, w, func(c *screentest.Console) {
		c.Sees("The payment is final", "enter status").WaitsUntilGone("opens this URL", "bank.example")
		c.Press("o").Sees("There is nothing to open.").WaitsUntilGone("Press a to check")
		if c.Press("enter").Went(nav.Replace{To: nav.Payment{Reference: "ref-1"}}); w.done != 0 {
			t.Error("the customer was said to be done")
		}
	})
	w = payingByCard(t, bank, "")
	openCheck(t, 80, 24, w, func(c *screentest.Console) {
		c.OnLoop(func() { w.entry.Mismatch.What = api.AmountDiffers }) // as another screen was answered
		if c.Sees("should authorise nothing now").WaitsUntilGone("bank.example").Press("y"); c.Copied() != "" {
			t.Errorf("copied %q", c.Copied())
		}
	})
}

const (
	bank = "https://bank.example/3ds/authorise?token=a%2Bb%3D%3D&redirect=true&x=1&x=2"
	// canary stands in a page; it must never reach a terminal.
	canary = "CANARY-of-the-page"
)

// A paymentDesk has a payment in progress. The console's goroutine reads what a test changes.
type paymentDesk struct {
	mu    sync.Mutex
	entry session.Entry
	done  int // how often the customer was noted as done
}

func (p *paymentDesk) Find(r api.Reference) (session.Entry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.entry, r == p.entry.Reference
}

func (p *paymentDesk) Kept(session.Subject) []session.KeptAnswer { return nil }
func (p *paymentDesk) IsPinned(api.Reference) bool               { return false }

func (p *paymentDesk) CustomerDone(api.Reference) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.entry.CustomerDone = true
}

// deskWith is a desk with a payment that was accepted.
func deskWith(amount money.Amount, a ledger.Attempt, p api.Payment) *paymentDesk {
	a.Amount = amount
	return &paymentDesk{entry: screentest.Made(a, p)}
}

// A servedPage is served once.
type servedPage struct {
	done   chan struct{}
	served bool
	closed bool
}

func (p *servedPage) Address() string {
	return "http://127.0.0.1:39000/c/0123456789abcdef0123456789abcdef"
}
func (p *servedPage) Port() int             { return 39000 }
func (p *servedPage) Done() <-chan struct{} { return p.done }
func (p *servedPage) Served() bool          { return p.served }
func (p *servedPage) Close() error {
	if !p.closed {
		p.closed = true
		close(p.done)
	}
	return nil
}

// fetch is a browser fetching the page.
func (p *servedPage) fetch() {
	p.served = true
	p.Close()
}

// A checkHarness is a service, a browser and the payments of a console.
type checkHarness struct {
	*paymentDesk
	says    api.Authentication
	refuses error
	asked   int

	here   string // why there is no browser
	opened []string
	deaf   error // of serving
	pages  []*servedPage
	markup []string
	tunnel string
	// unguarded tells who else could fetch a page
	unguarded string
}

func (w *checkHarness) Authenticate(context.Context, api.Reference) (api.Authentication, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	if w.refuses == nil { // as a session does
		w.entry.Challenged = w.entry.Challenged || w.says.AsksCustomer()
	}
	return w.says, w.refuses
}

func (w *checkHarness) browser() payment.Browser {
	return payment.Browser{
		Unavailable: w.here,
		Unguarded:   func() string { return w.unguarded },
		Open: func(_ context.Context, address string) error {
			w.opened = append(w.opened, address)
			return nil
		},
		Serve: func(ctx context.Context, m api.Markup) (payment.Page, error) {
			if w.deaf != nil {
				return nil, w.deaf
			}
			p := &servedPage{done: make(chan struct{})}
			w.pages, w.markup = append(w.pages, p), append(w.markup, m.Expose())
			context.AfterFunc(ctx, func() { p.Close() })
			return p, nil
		},
		Tunnel: func(int) string { return w.tunnel },
	}
}

// payingByCard is a card payment with a bank URL, through a link if one is given.
func payingByCard(t *testing.T, address string, link api.Alias) *checkHarness {
	t.Helper()
	p := api.Payment{Reference: "ref-1", Status: api.ParseStatus("INITIATED")}
	if address != "" {
		var err error
		if p.BankAuth, err = api.ParseAddress(address); err != nil {
			p.BankAuthRefused = api.Clean(err.Error())
		}
	}
	return &checkHarness{paymentDesk: deskWith(screentest.Money(1250, "GBP"), ledger.Attempt{Channel: api.ChannelCard, Card: "4242", Link: link}, p)}
}

func openCheck(t *testing.T, width, height int, w *checkHarness, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := screentest.Open(t, payment.NewBankCheck(screentest.Theme, w, w, w.browser(), "ref-1"), width, height)
		drive(c)
		c.NeverShowed("CANARY")
	})
}

// handsOver is a response that requires authentication and has a page.
var handsOver = api.Authentication{
	Enabled: true, HasEnabled: true, Recommendation: api.Clean("PROCEED"), Message: api.Clean("Present the page to the customer"),
	Page: api.NewMarkup("<form>" + canary + "</form>"),
}

func TestTheCheckHasThreeResults(t *testing.T) {
	for name, c := range map[string]struct {
		says api.Authentication
		sees string
	}{
		"needed":     {handsOver, "Needed       yes"},
		"not-needed": {api.Authentication{HasEnabled: true, Recommendation: api.Clean("DO_NOT_PROCEED")}, "Needed       no"},
		"unsaid":     {api.Authentication{Message: api.Clean("maybe\x1b[2J")}, "Needed       the response does not say"},
	} {
		t.Run(name, func(t *testing.T) {
			w := payingByCard(t, bank, "")
			w.says = c.says
			openCheck(t, 80, 24, w, func(s *screentest.Console) {
				s.WaitsUntilGone("Authentication check").Press("a").Sees("Authentication check", c.sees).Fits()
			})
		})
	}
}

func TestThePageIsServedAndNeverPrinted(t *testing.T) {
	w := payingByCard(t, bank, "")
	w.says = handsOver
	openCheck(t, 80, 24, w, func(c *screentest.Console) {
		c.Press("a").Sees("bytes, SHA-256", "o serves it once").Press("o")
		c.Sees("Served once, for ten minutes:", "http://127.0.0.1:39000/c/0123456789abcdef0123456789abcdef").Golden("payment/served").Fits()
		if len(w.markup) != 1 || w.markup[0] != handsOver.Page.Expose() || len(w.opened) != 1 || w.opened[0] != w.pages[0].Address() {
			t.Errorf("served %d, opened %q", len(w.markup), w.opened)
		}
		w.pages[0].fetch()
		c.Wait(0).Sees("The page was opened once and is closed").WaitsUntilGone("127.0.0.1").Golden("payment/fetched").Fits()
		if c.Press("o"); len(w.pages) != 2 {
			t.Errorf("served %d times", len(w.pages))
		}
	})
}

func TestOverSSHThePageComesWithItsTunnelAndSaysWhoCouldFetchIt(t *testing.T) {
	w := payingByCard(t, bank, "")
	w.says, w.here, w.tunnel = handsOver, "You are here over SSH.", "ssh -L 39000:127.0.0.1:39000 192.0.2.7"
	w.unguarded = "Other users of this system could open the page first."
	openCheck(t, 80, 24, w, func(c *screentest.Console) {
		c.Press("a").WaitsUntilGone("Other users").Press("o").Sees("http://127.0.0.1:39000/c/0123456789abcdef0123456789abcdef", w.tunnel, w.unguarded).Fits()
		if len(w.opened) != 0 {
			t.Errorf("opened %q", w.opened)
		}
		w.pages[0].fetch()
		c.Wait(0).WaitsUntilGone("Other users")
	})
}

func TestLeavingClosesThePage(t *testing.T) {
	for name, leave := range map[string]func(*screentest.Console){
		"esc":    func(c *screentest.Console) { c.Press("esc").Went(nav.Back{}) },
		"enter":  func(c *screentest.Console) { c.Wait(time.Second).Press("enter") },
		"popped": func(c *screentest.Console) { c.Leave() },
	} {
		w := payingByCard(t, bank, "")
		w.says, w.here = handsOver, "There is no display here."
		openCheck(t, 80, 24, w, func(c *screentest.Console) {
			c.Press("a", "o").Sees("127.0.0.1")
			if w.pages[0].closed {
				t.Fatal("the page was closed at once")
			}
			leave(c)
			if c.Wait(0); !w.pages[0].closed {
				t.Errorf("%s leaves the page open", name)
			}
		})
	}
}

// TestTheChecksOwnWordsAreNotThePaymentsStatus has a check that says what a paid payment would, in texts of
// several lines.
func TestTheChecksOwnWordsAreNotThePaymentsStatus(t *testing.T) {
	w := payingByCard(t, bank, "")
	w.says = api.Authentication{
		HasEnabled: true, Status: api.CleanASCII("SUCCESSFUL"), Code: api.Clean("00"), Recommendation: api.CleanASCII("Advice rec\nPaid"),
		Message: api.Clean("The bank needs nothing more of the customer, who authenticated earlier today in another browser, and the last words are these"),
	}
	openCheck(t, 80, 36, w, func(c *screentest.Console) {
		c.Press("a").Sees("Check says   SUCCESSFUL · code 00", "Advice       Advice rec Paid", "these”", "Bank page    none").WaitsUntilGone(`\n`, "✓ SUCCESSFUL", "Status  ").Fits()
	})
}
