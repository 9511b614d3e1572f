package sandbox

import (
	crand "crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options of a sandbox. The zero value works.
type Options struct {
	Key          string        // the secret key it accepts; made up when empty
	Seed         uint64        // makes ids, references and rows repeatable; 0 is a seed too
	Transactions int           // rows seeded into the list
	Settle       time.Duration // how long a payment or transfer takes to settle; 5 s when 0
	Now          func() time.Time
	// Environment is what links say they belong to; "Test" when empty.
	Environment string
	// Origin is the address under which browsers reach it: "http://127.0.0.1:8099". It
	// goes into link pages and bank addresses.
	Origin string
	// ManualTransfers leaves transfers unpaid until Settle or Pay is called for them,
	// whatever the switch transfer.paid says; they still expire.
	ManualTransfers bool
	// Log is given a line about every request: what was asked and answered, never a
	// key, a card or a value of a query. It may be called by several goroutines at once.
	Log func(line string)
	// AnyAddress lets Listen take an address that others can reach.
	AnyAddress bool
	// Webhook is where events go; nowhere when empty. Listen reports what SetWebhook has
	// against it. Close ends what it starts.
	Webhook string
}

const (
	defaultSettle = 5 * time.Second
	testPrefix    = "sk_test_" // of a secret key for tests (facts page)
)

// A Sandbox is the service. It is safe for concurrent use. What time does
// to a payment is worked out when somebody looks: it starts no goroutine and no timer,
// except for a webhook.
type Sandbox struct {
	key         string
	keyDigest   [sha256.Size]byte // of the key, so that comparing takes the same time for every guess
	settle      time.Duration
	manual      bool
	clock       func() time.Time
	ahead       atomic.Int64 // nanoseconds that Forward moved it on
	log         func(string) // nil for none
	anyAddress  bool         // listens where others can reach it
	environment string       // of links
	rows        seededRows
	channels    []channel

	mu         sync.Mutex // guards all below
	origin     string
	hook       hook
	signKey    [32]byte // of forms
	webhookErr error    // what SetWebhook had against Options.Webhook
	records
}

// A records is what a sandbox comes to know while it runs, and what Reset forgets.
type records struct {
	random       *rand.Rand
	links        map[string]*link // by alias
	names        map[string]bool  // of links
	orderedLinks []*link          // in the order they were made
	payments     map[string]*payment
	ordered      []*payment          // in the order they were made; the newest only
	accepted     int                 // all that were ever made
	events       events              // for the webhook
	checkouts    map[string]*payment // by token
	faults       faults
	switches     switchValues
	hostile      hostile
}

func newRecords(seed uint64) records {
	return records{
		random:    rand.New(rand.NewPCG(seed, streamPayments)),
		links:     map[string]*link{},
		names:     map[string]bool{},
		payments:  map[string]*payment{},
		checkouts: map[string]*payment{},
		switches:  defaultSwitches(),
	}
}

// New makes a sandbox and seeds it.
func New(o Options) *Sandbox {
	if o.Environment == "" {
		o.Environment = "Test"
	}
	if o.Key == "" {
		o.Key = testPrefix + crand.Text()
	}
	if o.Settle <= 0 {
		o.Settle = defaultSettle
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Sandbox{
		key:         o.Key,
		keyDigest:   sha256.Sum256([]byte(o.Key)),
		settle:      o.Settle,
		manual:      o.ManualTransfers,
		clock:       o.Now,
		log:         o.Log,
		anyAddress:  o.AnyAddress,
		environment: o.Environment,
		rows:        seededRows{seed: o.Seed, count: max(o.Transactions, 0)},
		records:     newRecords(o.Seed),
	}
	crand.Read(s.signKey[:]) // never fails (crypto/rand)
	s.channels = accountChannels(o.Seed)
	s.SetOrigin(o.Origin)
	if o.Webhook != "" {
		s.webhookErr = s.SetWebhook(o.Webhook)
	}
	return s
}

// SetOrigin tells the sandbox where browsers reach it, once the port is known. Call
// it before serving. Without one, addresses are below http://127.0.0.1.
func (s *Sandbox) SetOrigin(origin string) {
	if origin == "" {
		origin = "http://127.0.0.1"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.origin = strings.TrimRight(origin, "/")
}

// Key is the secret key it accepts.
func (s *Sandbox) Key() string { return s.key }

// checkKey says why a request may not in: unless exactly one key came and it is the
// right one.
func (s *Sandbox) checkKey(h http.Header) string {
	s.mu.Lock()
	name, prefixed := s.switches.of(switchKeyHeader), s.switches.is(switchKeyPrefix, isRequired)
	s.mu.Unlock()
	keys := h.Values(name)
	if len(keys) == 1 {
		given := sha256.Sum256([]byte(keys[0]))
		switch {
		case subtle.ConstantTimeCompare(given[:], s.keyDigest[:]) != 1:
		case prefixed && !strings.HasPrefix(s.key, testPrefix):
			return "The secret key in the header " + name + " does not begin with " + testPrefix + "."
		default:
			return ""
		}
	}
	return "The secret key in the header " + name + " is missing or not the right one."
}

// Approve, Reject and Settle are what the bank, the customer and time would do
// to a payment. They report whether the payment was in a state for it.
func (s *Sandbox) Approve(reference string) bool {
	return s.apply(reference, (*payment).approve)
}

// Reject is the bank's no to a challenge.
func (s *Sandbox) Reject(reference string) bool {
	return s.apply(reference, (*payment).reject)
}

// Settle brings a payment that is pending, or a transfer, to its end at once. A
// card payment of a link that was not finalized is not in a state for it; a
// transfer of such a link is paid by it and then waits for finalize.
func (s *Sandbox) Settle(reference string) bool {
	return s.apply(reference, (*payment).settleNow)
}

// Expire makes a transfer's account expire at once.
func (s *Sandbox) Expire(reference string) bool {
	return s.apply(reference, (*payment).expire)
}

func (s *Sandbox) apply(reference string, what func(*payment, time.Time) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.wakeSender()
	p := s.payments[reference]
	return p != nil && what(p, s.now())
}

// Accepted counts the payments taken since New, seeded ones left out: every
// initiation that was carried out, also one that was declined at once.
func (s *Sandbox) Accepted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted
}

// SetStatusWord makes the status endpoint answer word instead of the true status
// of every payment, a word of digits alone as a number; "" ends it. It is the switch
// status.always, without its limits.
func (s *Sandbox) SetStatusWord(word string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.switches.set(switchStatus, word)
}
