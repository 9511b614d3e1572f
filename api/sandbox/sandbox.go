package sandbox

import (
	"cmp"
	crand "crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options of a sandbox. The zero value is usable.
type Options struct {
	Key          string        // the secret key it accepts; random when empty
	Seed         uint64        // makes ids, references and rows reproducible; 0 is a seed too
	Transactions int           // rows seeded into the list
	Settle       time.Duration // how long a payment or transfer takes to settle; 5 s when 0
	Now          func() time.Time
	Environment  string // that links report; "Test" when empty
	// ManualTransfers leaves transfers unpaid until Settle or Pay is called for them,
	// regardless of the switch transfer.paid; they still expire.
	ManualTransfers bool
	// Log receives a line about every request, which never contains a key, card data or
	// a query value. It may be called concurrently.
	Log func(line string)
	// AnyAddress allows Listen to use an address that other machines can reach.
	AnyAddress bool
	// Faults can be armed besides the sandbox's own.
	Faults   []Fault
	Scenario *Scenario // what calls meet; nil for none
}

const (
	defaultSettle = 5 * time.Second
	environment   = "Test" // that events report, and links unless an option says another
)

// A Sandbox is the payment service. It is safe for concurrent use. The effect of time on a
// payment is computed on each access: there is no goroutine and no timer, except for
// webhooks.
type Sandbox struct {
	options   Options           // with the defaults filled in
	keyDigest [sha256.Size]byte // of the key: comparing digests takes the same time for every key
	ahead     atomic.Int64      // nanoseconds added by Forward
	rows      seededRows
	channels  []channel

	mu     sync.Mutex // guards the fields below
	origin string
	hooks  hooks
	records
}

// records is the state that Reset clears.
type records struct {
	random       *rand.Rand
	links        map[string]*link // by alias
	orderedLinks []*link          // in order of creation
	payments     map[string]*payment
	ordered      []*payment          // in order of creation; only the newest
	events       events              // to be sent to the webhook URLs
	checkouts    map[string]*payment // by token
	changes      listChanges
	faults       faults
	switches     switchValues
}

func newRecords(seed uint64) records {
	return records{
		random:    rand.New(rand.NewPCG(seed, streamPayments)),
		links:     map[string]*link{},
		payments:  map[string]*payment{},
		checkouts: map[string]*payment{},
		changes:   listChanges{moved: map[int]int{}},
		switches:  switchValues{},
	}
}

// New makes a sandbox. It starts no goroutine.
func New(o Options) *Sandbox {
	if o.Scenario != nil {
		o = o.Scenario.with(o)
	}
	o.Environment = cmp.Or(o.Environment, environment)
	o.Key = cmp.Or(o.Key, "sk_test_"+crand.Text())
	o.Settle = cmp.Or(max(o.Settle, 0), defaultSettle)
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Sandbox{
		options:   o,
		keyDigest: sha256.Sum256([]byte(o.Key)),
		rows:      seededRows{seed: o.Seed, count: max(o.Transactions, 0)},
		channels:  accountChannels(o.Seed),
		origin:    "http://127.0.0.1",
		hooks:     hooks{client: newSender()},
		records:   newRecords(o.Seed),
	}
	if o.Scenario != nil {
		s.play(o.Scenario) // which was played before, when it was parsed
	}
	return s
}

// SetOrigin sets the URL under which browsers reach the sandbox, such as
// "http://127.0.0.1:8099", once the port is known. Call it before serving. The URLs of link
// pages and of the bank start with it.
func (s *Sandbox) SetOrigin(origin string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.origin = strings.TrimRight(origin, "/")
}

// Key is the secret key it accepts.
func (s *Sandbox) Key() string { return s.options.Key }

// checkKey returns why a request is unauthorized: unless it has exactly one key, the right
// one.
func (s *Sandbox) checkKey(h http.Header) string {
	s.mu.Lock()
	name := s.switches.of("key.header")
	s.mu.Unlock()
	if keys := h.Values(name); len(keys) == 1 {
		given := sha256.Sum256([]byte(keys[0]))
		if subtle.ConstantTimeCompare(given[:], s.keyDigest[:]) == 1 {
			return ""
		}
	}
	return "The secret key in the header " + name + " is missing or not the right one."
}

// Approve makes the customer approve a challenge. Like Reject, Settle, Expire and Decline,
// it reports whether the payment was in a state that allows it.
func (s *Sandbox) Approve(reference string) bool { return s.apply(reference, (*payment).approve) }

// Reject makes the customer reject a challenge.
func (s *Sandbox) Reject(reference string) bool { return s.apply(reference, (*payment).reject) }

// Settle makes the money of a card payment, or the rest of a transfer, arrive now. It does nothing to a card
// payment of a link that is not finalized; a transfer of such a link is paid and then waits
// for finalize.
func (s *Sandbox) Settle(reference string) bool { return s.apply(reference, (*payment).settleNow) }

// Expire makes the account of a transfer expire now.
func (s *Sandbox) Expire(reference string) bool { return s.apply(reference, (*payment).expire) }

// Decline makes the card's issuer decline a card payment that is not final yet.
func (s *Sandbox) Decline(reference string) bool { return s.apply(reference, (*payment).decline) }

// apply changes a payment, and tells of it, as it may be final now.
func (s *Sandbox) apply(reference string, what func(*payment, time.Time) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.step()
	p := s.payments[reference]
	return p != nil && what(p, s.now())
}

// SetStatusWord sets the switch status.always without its restrictions: the status endpoint
// returns word for every payment, digits as a number; "" returns the true status.
func (s *Sandbox) SetStatusWord(word string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.switches["status.always"] = word
}

// Reset forgets everything since New: payments, links, faults and switches.
// Ids and references start again from the seed, and a scenario from its first call. The clock and the webhook URLs stay.
func (s *Sandbox) Reset() {
	s.mu.Lock()
	s.records = newRecords(s.rows.seed)
	s.mu.Unlock()
	if s.options.Scenario != nil {
		s.play(s.options.Scenario)
	}
}

// count moves the clock of a scenario to the next call, and has the answer say that time.
func (s *Sandbox) count(w http.ResponseWriter) {
	if c := s.options.Scenario; c != nil && !c.Clock.IsZero() {
		s.Forward(clockStep)
		w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
	}
}

// now is the sandbox's clock: Options.Now plus what Forward added.
func (s *Sandbox) now() time.Time { return s.options.Now().Add(s.Ahead()) }

// Ahead is the total by which Forward has moved the clock.
func (s *Sandbox) Ahead() time.Duration { return time.Duration(s.ahead.Load()) }

// Forward moves the sandbox's clock on: payments settle, accounts expire, webhooks are
// retried. The clock cannot go back: a d that is not positive does nothing. The total stops
// at 292 years.
func (s *Sandbox) Forward(d time.Duration) {
	if d <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead.Add(min(int64(d), math.MaxInt64-s.ahead.Load()))
	s.step()
}

// files hold what the sandbox says as data: the assumptions, the switches, the faults, the
// calls of the control API, and the markup, style and script of the pages.
//
//go:embed *.json *.css *.html *.js
var files embed.FS

// asset is a file of the package without its last line end.
func asset(name string) string {
	text, _ := files.ReadFile(name)
	return strings.TrimSuffix(string(text), "\n")
}

// table reads a JSON file of the package.
func table[T any](name string) T {
	var rows T
	if json.Unmarshal([]byte(asset(name)), &rows) != nil {
		panic("sandbox: the table " + name + " cannot be read")
	}
	return rows
}
