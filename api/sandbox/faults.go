package sandbox

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
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

// A faultKind is a row of faults.json: a fault, and what it does. That is one of the three
// functions or, with a status, the answer of the service or of a gateway in front of it.
type faultKind struct {
	Fault
	Status     int               // HTTP status
	Header     map[string]string // further headers of a gateway
	Refusal    string            // the text in the service's own envelope; "" for a gateway
	Alternates bool              // lets every other call through

	corrupt func(*node)                  // changes the true answer
	page    func(*listEnvelope, listing) // changes a page of the list
	emit    func(*faultyResponse)        // writes the answer wrongly, or not at all
}

// faultKinds lists all faults, in the order of faults.json.
var faultKinds = sync.OnceValue(func() []faultKind {
	kinds := table[[]faultKind]("faults.json")
	for i := range kinds {
		k := &kinds[i]
		cause := faultCauses()[k.Name]
		k.corrupt, k.page, k.emit = cause.corrupt, cause.page, cause.emit
		k.List = k.page != nil
		if k.Status != 0 && k.Refusal == "" {
			k.emit = k.gateway
		}
	}
	return kinds
})

// faultCauses has what the faults do that are more than a status. From outside, F8 to F10
// look like F11 to F13; they differ in what becomes of the payment.
func faultCauses() map[string]faultKind {
	return map[string]faultKind{
		"F8":            {emit: (*faultyResponse).close},
		"F9":            {emit: (*faultyResponse).reset},
		"F10":           {emit: (*faultyResponse).silence},
		"F11":           {emit: (*faultyResponse).close},
		"F12":           {emit: (*faultyResponse).reset},
		"F13":           {emit: (*faultyResponse).silence},
		"F14":           {emit: (*faultyResponse).headersOnly},
		"F15":           {emit: (*faultyResponse).cutShort},
		"F16":           {emit: (*faultyResponse).unterminatedChunks},
		"F17":           {emit: (*faultyResponse).drip},
		"F18":           {emit: (*faultyResponse).largeHeader},
		"F19":           {emit: (*faultyResponse).informational},
		"F20":           {emit: (*faultyResponse).html502},
		"F21":           {emit: (*faultyResponse).html200},
		"F22":           {emit: (*faultyResponse).plainText},
		"F23":           {emit: (*faultyResponse).empty},
		"F24":           {emit: (*faultyResponse).noContent},
		"F25":           {emit: (*faultyResponse).byteOrderMark},
		"F26":           {emit: (*faultyResponse).utf16},
		"F27":           {emit: (*faultyResponse).gzipped},
		"F28":           {emit: (*faultyResponse).bomb},
		"F29":           {emit: (*faultyResponse).hugeBody},
		"F30":           {emit: (*faultyResponse).deep},
		"F31":           {emit: (*faultyResponse).manyNames},
		"F32":           {corrupt: duplicateSuccess},
		"F33":           {corrupt: duplicateSuccessFolded},
		"F34":           {corrupt: invalidUTF8},
		"F35":           {corrupt: loneSurrogate},
		"F36":           {corrupt: hugeNumbers},
		"F37":           {corrupt: exponents},
		"F38":           {corrupt: numbersAsStrings},
		"F39":           {corrupt: stringsAsNumbers},
		"F40":           {corrupt: nullValue},
		"F41":           {corrupt: absentValue},
		"F42":           {corrupt: arrayForObject},
		"F43":           {emit: (*faultyResponse).trailing},
		"shrink":        {page: shrinkList},
		"grow":          {page: growList},
		"repeat":        {page: repeatFirstPage},
		"page-0":        {page: pageZero},
		"per-page-500":  {page: fiveHundred},
		"total-0":       {page: zeroTotal},
		"total-less":    {page: shortTotal},
		"negative":      {page: negativeMeta},
		"no-meta":       {page: noMeta},
		"loop":          {page: endless},
		"duplicate-ids": {page: sameIDs},
		"reorder":       {page: reverseEveryOther},
	}
}

// An ArmedFault is a fault waiting for its calls.
type ArmedFault struct {
	Operation string `json:"operation"` // as passed to Arm
	Fault     string `json:"fault"`
	Left      int    `json:"left"`   // calls it still applies to; 0 for until cleared
	Struck    int    `json:"struck"` // calls it has applied to
}

// faults are the armed faults, in the order they were armed.
type faults []*armed

type armed struct {
	ArmedFault
	kind *faultKind
}

// preventsRequest reports whether the request is not carried out; override is the switch
// faults.when.
func (k *faultKind) preventsRequest(override string) bool {
	switch {
	case k == nil || k.When == "always after":
		return false
	case override == "as-listed":
		return k.When == "before"
	}
	return override == "before"
}

// hits reports whether the fault, armed for a name, applies to an operation.
func (k *faultKind) hits(name string, o operation) bool {
	return (name == "all" || name == o.name || name == o.method) && (o.list || !k.List)
}

// next returns the fault for a call, with the number of calls it met before, and counts the
// call. Faults apply in the order they were armed.
func (f *faults) next(op operation) (kind *faultKind, count int) {
	for i, a := range *f {
		if !a.kind.hits(a.Operation, op) {
			continue
		}
		a.Struck++
		if a.Left--; a.Left == 0 {
			*f = slices.Delete(*f, i, i+1)
		}
		if a.kind.Alternates && a.Struck%2 == 0 {
			return nil, 0
		}
		return a.kind, a.Struck - 1
	}
	return nil, 0
}

// Faults lists all faults, in the order of the table.
func (s *Sandbox) Faults() []Fault {
	out := make([]Fault, 0, len(faultKinds()))
	for _, k := range faultKinds() {
		out = append(out, k.Fault)
	}
	return out
}

// ErrNoOperation is Arm's error for a name that is no operation of the fault.
var ErrNoOperation = errors.New("there is no operation of this name that the fault applies to")

// Arm makes the next calls of an operation fail, or all until ClearFaults when calls is 0.
// The name is initiate, link, validate, authenticate, finalize, transaction or
// transactions, or GET, POST or all. Only requests with the right key that could be parsed
// count.
func (s *Sandbox) Arm(name, fault string, calls int) error {
	i := slices.IndexFunc(faultKinds(), func(k faultKind) bool { return strings.EqualFold(k.Name, fault) })
	if i < 0 {
		return errors.New("there is no fault of this name")
	}
	k := faultKinds()[i]
	if k.Not != "" {
		return fmt.Errorf("this server cannot cause %s: %s", k.Name, k.Not)
	}
	if !slices.ContainsFunc(operations(), func(o operation) bool { return k.hits(name, o) }) {
		return ErrNoOperation
	}
	if calls < 0 {
		return errors.New("the number of calls must not be negative")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &armed{ArmedFault{Operation: name, Fault: k.Name, Left: calls}, &k})
	return nil
}

// Armed lists the armed faults, in the order they will apply.
func (s *Sandbox) Armed() []ArmedFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]ArmedFault, 0, len(s.faults))
	for _, a := range s.faults {
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
	s.faults = nil
}

// gateway answers like a server in between. A client that follows a redirect of F44 to F49
// arrives at a path that shows in the log.
func (k *faultKind) gateway(e *faultyResponse) {
	for name, value := range k.Header {
		e.w.Header().Set(name, value)
	}
	e.send(k.Status, textType, []byte(http.StatusText(k.Status)+"\n"))
}

// The targets of the redirects in faults.json.
const (
	astrayPath = controlPath + "astray"
	loopPath   = controlPath + "loop"
)
