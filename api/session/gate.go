package session

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/card"
)

// A GateReason is why the gate is closed, in a sentence.
type GateReason string

// The reasons.
const (
	Unlisted      GateReason = "This operation is not allowed." // it has no rule
	Suspended     GateReason = "The session is suspended."
	Contradictory GateReason = "It is unclear whether this is test or live."        // until a person acknowledges that
	KeyUnknown    GateReason = "It is unclear whether the key is for test or live." // until a person confirms it
	Locked        GateReason = "Sending is locked."                                 // and real money may move
	CardsDisabled GateReason = "Live card charges are not allowed here."            // by the profile
	CardDoubted   GateReason = "This may be a real card."                           // in test, until a person confirms it
)

// A GateClosed is the error of a request that the gate blocked: nothing was sent.
type GateClosed struct{ Reason GateReason }

// Error is a sentence.
func (c *GateClosed) Error() string { return string(c.Reason) }

// Is reports that nothing was sent ([api.ErrNotSent]).
func (c *GateClosed) Is(target error) bool { return target == api.ErrNotSent }

// GateOptions configure a gate.
type GateOptions struct {
	Evidence []Evidence
	Unlock   time.Duration // how long an unlock lasts
	Cards    bool          // cards may be charged for real
}

// A Gate decides whether a request may be sent. It stands in front of the journal and the client, so that no screen
// and no command can send while
//
//   - the evidence about the environment is contradictory, until a person has acknowledged it: see
//     [Evidence];
//   - it is not known what the key is for, until a person has confirmed that;
//   - real money may move, and sending is not unlocked or the unlock has expired;
//   - a card would be charged for real, and the profile does not allow that on this host;
//   - in test, a card may be a real one, until a person has confirmed it: see [Gate.ConfirmCard];
//   - the session is suspended; without a key, reads wait as well.
//
// One table, [api.Operation.Rule], says which operation is subject to what. An operation missing
// from the table is never let through. A [Tracker] asks before each request, so that what the gate blocks
// was not sent, and is not recorded as an attempt.
//
// It cannot send anything itself. It is safe for concurrent use.
type Gate struct {
	o     GateOptions
	mu    sync.Mutex
	state gateState
	cards card.Numbers // that a person has confirmed
}

// A gateState is the state of a gate at one moment. Its evidence is never changed in place.
type gateState struct {
	evidence  []Evidence
	seen      int           // how much of the evidence a person has acknowledged
	until     time.Time     // sending is unlocked; zero when it is locked
	suspended chan struct{} // closed when the session resumes; nil while it is not suspended
	keyless   bool          // reads wait for the resume, too
}

// NewGate returns a gate with what is known when the session is opened.
func NewGate(o GateOptions) *Gate {
	return &Gate{o: o, state: gateState{evidence: slices.Clone(o.Evidence)}}
}

func (g *Gate) current() gateState {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state
}

func (g *Gate) change(f func(*gateState)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.state)
}

// Evidence is everything known about the environment, in the order in which it became known.
func (g *Gate) Evidence() []Evidence { return slices.Clone(g.current().evidence) }

// Contradictory reports whether the evidence contradicts itself, acknowledged or not.
func (g *Gate) Contradictory() bool { return IsContradictory(g.current().evidence) }

// Unacknowledged reports whether the evidence is contradictory or unconfirmed, until a person
// acknowledges that.
func (g *Gate) Unacknowledged() bool {
	s := g.current()
	return s.unacknowledged() || unconfirmed(s.evidence)
}

// Unconfirmed reports whether some of the evidence is unconfirmed.
func (g *Gate) Unconfirmed() bool { return unconfirmed(g.current().evidence) }

func (s gateState) unacknowledged() bool {
	return IsContradictory(s.evidence) && s.seen < len(s.evidence)
}

// Acknowledge records that a person has seen the first n pieces of evidence, and confirmed them. Later
// evidence has to be acknowledged again.
func (g *Gate) Acknowledge(n int) {
	g.change(func(s *gateState) {
		s.seen, s.evidence = n, slices.Clone(s.evidence)
		for i := range s.evidence[:min(n, len(s.evidence))] {
			s.evidence[i].Unconfirmed = false
		}
	})
}

// Live reports whether real money may move: any evidence indicates it.
func (g *Gate) Live() bool { return g.current().live() }

func (s gateState) live() bool { return says(s.evidence, api.LiveMode) }

// Unlock allows sending from now on, for the time in the options.
func (g *Gate) Unlock() { g.change(func(s *gateState) { s.until = time.Now().Add(g.o.Unlock) }) }

// Lock ends an unlock.
func (g *Gate) Lock() { g.change(func(s *gateState) { s.until = time.Time{} }) }

// Left returns how long sending stays unlocked; 0 when it is locked. It takes the shorter of two times:
// by the monotonic clock, so that setting the clock back gains nothing, and by the wall clock,
// because the monotonic clock does not advance while the machine sleeps.
func (g *Gate) Left(now time.Time) time.Duration { return g.current().left(now) }

func (s gateState) left(now time.Time) time.Duration {
	if s.until.IsZero() {
		return 0
	}
	return max(min(s.until.Sub(now), s.until.Round(0).Sub(now.Round(0))), 0)
}

// Suspend closes the gate while the console is hidden, and locks sending. Without a key, reads wait
// for [Gate.Resume].
func (g *Gate) Suspend(keyless bool) {
	g.change(func(s *gateState) {
		s.until = time.Time{}
		if s.suspended == nil {
			s.suspended, s.keyless = make(chan struct{}), keyless
		}
	})
}

// Resume ends a suspension: waiting reads continue. Sending stays locked.
func (g *Gate) Resume() {
	g.change(func(s *gateState) {
		if s.suspended != nil {
			close(s.suspended)
			s.suspended = nil
		}
	})
}

// waitForKey returns once there is a key, or with the error of ctx.
func (g *Gate) waitForKey(ctx context.Context) error {
	s := g.current()
	if s.suspended == nil || !s.keyless {
		return nil
	}
	select {
	case <-s.suspended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", api.ErrNotSent, ctx.Err())
	}
}

// Check reports whether a request that changes something could be sent now: nil, or a [*GateClosed]
// with the first reason against it.
func (g *Gate) Check() error {
	switch s := g.current(); {
	case s.suspended != nil:
		return &GateClosed{Suspended}
	case s.unacknowledged():
		return &GateClosed{Contradictory}
	case unconfirmed(s.evidence):
		return &GateClosed{KeyUnknown}
	case s.live() && s.left(time.Now()) == 0:
		return &GateClosed{Locked}
	}
	return nil
}

// Rekey replaces the evidence of the key. If it differs, all evidence has to be acknowledged again.
func (g *Gate) Rekey(e Evidence) {
	g.change(func(s *gateState) {
		if !slices.Contains(s.evidence, e) {
			byKey := func(e Evidence) bool { return e.By == ByKey }
			s.evidence = append(slices.DeleteFunc(slices.Clone(s.evidence), byKey), e)
			s.seen = 0
		}
	})
}

// observe adds the environment that a link reports. The same word is added once.
func (g *Gate) observe(l api.Link) {
	e := WordEvidence(ByLink, l.Environment.Line(20))
	g.change(func(s *gateState) {
		if e.Says != api.UnknownMode && !slices.Contains(s.evidence, e) {
			s.evidence = append(slices.Clip(s.evidence), e)
		}
	})
}

// admit returns nil once the rule of an operation lets it through.
func (g *Gate) admit(ctx context.Context, op api.Operation) error {
	switch op.Rule().Allowed {
	case api.WithKey:
		return g.waitForKey(ctx)
	case api.WhenUnlocked:
		return g.Check()
	}
	return &GateClosed{Unlisted}
}

// forbidsCards reports whether a card would be charged for real, and the options do not allow it.
func (g *Gate) forbidsCards() bool { return g.Live() && !g.o.Cards }

// DoubtsCard reports whether a card may be a real one where only play money moves: its number is on no
// list of published test cards. It is not sent until [Gate.ConfirmCard].
func (g *Gate) DoubtsCard(p card.PAN) bool {
	return !g.Live() && !p.IsTest() && !g.cards.Has(p)
}

// ConfirmCard records that a person wants this number to be sent, although it may be a real card. It
// holds for this number, until the session ends.
func (g *Gate) ConfirmCard(p card.PAN) { g.cards.Add(p) }

// An EvidenceSource says where evidence comes from.
type EvidenceSource uint8

// The sources.
const (
	ByProfile EvidenceSource = iota // what the profile declares
	ByKey                           // the prefix of the key
	ByHost                          // the host of the payment endpoints
	ByList                          // the host of the list endpoint
	ByLink                          // what the service reports for a link it created
)

// Evidence describes what one source indicates about the environment.
type Evidence struct {
	By   EvidenceSource
	Word string // the word or the host, as written
	Says api.Mode
	// Unconfirmed is set if the source should tell and does not, as a key without a known prefix, and
	// no person has said what it is for.
	Unconfirmed bool
}

// WordEvidence is the evidence of a word.
func WordEvidence(by EvidenceSource, word string) Evidence {
	return Evidence{By: by, Word: word, Says: api.ModeOf(word)}
}

// HostEvidence is the evidence of a host name. The name is split at its dots and dashes; without a known
// word it is no evidence.
func HostEvidence(by EvidenceSource, address string) Evidence {
	e := Evidence{By: by}
	if u, err := url.Parse(address); err == nil {
		e.Word = u.Host
		for part := range strings.FieldsFuncSeq(u.Hostname(), func(r rune) bool { return r == '.' || r == '-' }) {
			e.Says = max(e.Says, api.ModeOf(part)) // live, where it says both
		}
	}
	return e
}

// IsContradictory reports whether one source indicates live and another test.
func IsContradictory(all []Evidence) bool { return says(all, api.LiveMode) && says(all, api.TestMode) }

func unconfirmed(all []Evidence) bool {
	return slices.ContainsFunc(all, func(e Evidence) bool { return e.Unconfirmed })
}

func says(all []Evidence, m api.Mode) bool {
	return slices.ContainsFunc(all, func(e Evidence) bool { return e.Says == m })
}
