package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Fault is something that can be made to go wrong on purpose. F1 to F60 are the
// fault list of reliability, section 7; the names without a number are the list
// anomalies of R54.
type Fault struct {
	Name string `json:"name"`
	Does string `json:"does"` // one line for people
	// When is "before" where the fault comes before the request is carried out, so
	// that it never is, and "after" where it comes after. The switch faults.when
	// overrules both. "always after" are the faults that need a true answer to spoil.
	When string `json:"when,omitempty"`
	List bool   `json:"list,omitempty"` // strikes the list alone
	Not  string `json:"not,omitempty"`  // why this server cannot make it; "" when it can
}

// What a fault can be armed for, besides the name of an operation or of a method.
const (
	everyCall = "all"
	anyPost   = "POST"
)

// An ArmedFault is a fault that waits for its calls.
type ArmedFault struct {
	Operation string `json:"operation"` // as Arm was told
	Fault     string `json:"fault"`
	Left      int    `json:"left"`   // calls it will still strike; 0 when until cleared
	Struck    int    `json:"struck"` // calls it has struck
}

// faults are those armed, in the order they were.
type faults struct{ armed []*armed }

type armed struct {
	ArmedFault
	kind *faultKind
}

// A activeFault is a fault that has met its call.
type activeFault struct {
	*faultKind
	count int // how many calls it struck before
}

// preventsRequest reports whether the request is not carried out.
func (k *activeFault) preventsRequest(overruled string) bool {
	switch {
	case k == nil || k.When == whenAlwaysAfter:
		return false
	case overruled == whenBefore || overruled == whenAfter:
		return overruled == whenBefore
	}
	return k.When == whenBefore
}

// matches reports whether a fault that was armed for a name strikes an operation.
func (o operation) matches(name string) bool {
	return name == everyCall || name == o.name || name == o.method
}

// next gives the fault for a call and counts it. The one that was armed first comes
// first.
func (f *faults) next(op operation) *activeFault {
	for i, a := range f.armed {
		if !op.matches(a.Operation) || a.kind.page != nil && !op.list {
			continue
		}
		struck := &activeFault{a.kind, a.Struck}
		a.Struck++
		if a.Left--; a.Left == 0 {
			f.armed = slices.Delete(f.armed, i, i+1)
		}
		if a.kind.skip != nil && a.kind.skip(struck.count) {
			return nil
		}
		return struck
	}
	return nil
}

// Faults lists all faults of the table, in order.
func (s *Sandbox) Faults() []Fault {
	out := make([]Fault, 0, len(faultKinds()))
	for _, k := range faultKinds() {
		k.List = k.page != nil
		out = append(out, k.Fault)
	}
	return out
}

// The errors of Arm.
var (
	ErrNoFault     = errors.New("there is no fault of this name")
	ErrNoOperation = errors.New("there is no operation of this name that the fault could strike")
)

// Arm makes the next calls of an operation go wrong, or all until ClearFaults when calls is
// 0. The name is one of initiate, link, validate, authenticate, finalize,
// transaction and transactions, or GET, POST or all. Only requests with the right
// key that could be read count.
func (s *Sandbox) Arm(name, fault string, calls int) error {
	i := slices.IndexFunc(faultKinds(), func(k faultKind) bool { return strings.EqualFold(k.Name, fault) })
	if i < 0 {
		return ErrNoFault
	}
	k := faultKinds()[i]
	if k.Not != "" {
		return fmt.Errorf("%s cannot be made by this server: %s", k.Name, k.Not)
	}
	hit := func(o operation) bool { return o.matches(name) && (k.page == nil || o.list) }
	if !slices.ContainsFunc(operations(), hit) {
		return ErrNoOperation
	}
	if calls < 0 {
		return errors.New("the number of calls must not be negative")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.armed = append(s.faults.armed, &armed{ArmedFault: ArmedFault{Operation: name, Fault: k.Name, Left: calls}, kind: &k})
	return nil
}

// Armed lists the faults that wait, in the order they will strike.
func (s *Sandbox) Armed() []ArmedFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]ArmedFault, 0, len(s.faults.armed))
	for _, a := range s.faults.armed {
		shown := a.ArmedFault
		shown.Left = max(shown.Left, 0)
		out = append(out, shown)
	}
	return out
}

// ClearFaults disarms them all.
func (s *Sandbox) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults{}
}

// LoseNextAnswer carries out the next POST and closes the connection instead of
// answering: the handler panics with http.ErrAbortHandler, as net/http has it. POSTs
// that never get as far as an operation (no key, not JSON) do not count.
func (s *Sandbox) LoseNextAnswer() {
	if err := s.Arm(anyPost, "F11", 1); err != nil {
		panic("sandbox: the fault that loses an answer is gone")
	}
}
