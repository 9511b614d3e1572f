package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Fault is something that can be made to go wrong on purpose. F1 to F60 are the numbered
// faults; the names without a number are wrong pages of the list.
type Fault struct {
	Name string `json:"name"`
	Does string `json:"does"` // one line for people
	// When is "before" when the fault takes the place of carrying the request out, and
	// "after" when it follows. The switch faults.when overrides both. It is "always
	// after" for faults that corrupt the true response.
	When string `json:"when,omitempty"`
	List bool   `json:"list,omitempty"` // applies to the list endpoint only
	Not  string `json:"not,omitempty"`  // why this server cannot cause it; "" when it can
}

// Targets of a fault besides operations and methods.
const (
	everyCall = "all"
	anyPost   = "POST"
)

// An ArmedFault is a fault waiting for its calls.
type ArmedFault struct {
	Operation string `json:"operation"` // as passed to Arm
	Fault     string `json:"fault"`
	Left      int    `json:"left"`   // calls it still applies to; 0 for until cleared
	Struck    int    `json:"struck"` // calls it has applied to
}

// faults are the armed faults, in the order they were armed.
type faults struct{ armed []*armed }

type armed struct {
	ArmedFault
	kind *faultKind
}

// An activeFault is a fault that applies to the current call.
type activeFault struct {
	*faultKind
	count int // calls it applied to before
}

// preventsRequest reports whether the request is not carried out; override is the switch
// faults.when.
func (k *activeFault) preventsRequest(override string) bool {
	switch {
	case k == nil || k.When == whenAlwaysAfter:
		return false
	case override == whenBefore || override == whenAfter:
		return override == whenBefore
	}
	return k.When == whenBefore
}

// matches reports whether a fault armed for name applies to the operation.
func (o operation) matches(name string) bool {
	return name == everyCall || name == o.name || name == o.method
}

// next returns the fault for a call and counts the call. Faults apply in the order they
// were armed.
func (f *faults) next(op operation) *activeFault {
	for i, a := range f.armed {
		if !op.matches(a.Operation) || a.kind.page != nil && !op.list {
			continue
		}
		active := &activeFault{a.kind, a.Struck}
		a.Struck++
		if a.Left--; a.Left == 0 {
			f.armed = slices.Delete(f.armed, i, i+1)
		}
		if a.kind.skip != nil && a.kind.skip(active.count) {
			return nil
		}
		return active
	}
	return nil
}

// Faults lists all faults, in the order of the table.
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
	ErrNoOperation = errors.New("there is no operation of this name that the fault applies to")
)

// Arm makes the next calls of an operation fail, or all until ClearFaults when calls is 0.
// The name is initiate, link, validate, authenticate, finalize, transaction or
// transactions, or GET, POST or all. Only requests with the right key that could be parsed
// count.
func (s *Sandbox) Arm(name, fault string, calls int) error {
	i := slices.IndexFunc(faultKinds(), func(k faultKind) bool { return strings.EqualFold(k.Name, fault) })
	if i < 0 {
		return ErrNoFault
	}
	k := faultKinds()[i]
	if k.Not != "" {
		return fmt.Errorf("this server cannot cause %s: %s", k.Name, k.Not)
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

// Armed lists the armed faults, in the order they will apply.
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

// ClearFaults disarms all faults.
func (s *Sandbox) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults{}
}

// LoseNextAnswer makes the next POST be carried out and its connection closed without a
// response: the handler panics with http.ErrAbortHandler. POSTs rejected before they reach
// an operation (no key, not JSON) do not count.
func (s *Sandbox) LoseNextAnswer() {
	if err := s.Arm(anyPost, "F11", 1); err != nil {
		panic("sandbox: the fault F11 is missing")
	}
}
