package sandbox

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Fault is something that can be made to go wrong on purpose: with a status, an answer of the service or of a gateway
// in front of it, and otherwise what its function does.
type Fault struct {
	Name string `json:"name"`
	Does string `json:"does"` // one line for people
	// When is "before" when the fault takes the place of carrying the request out, and
	// "after" when it follows. The switch faults.when overrides both. It is "always
	// after" for faults that corrupt the true response, and "at sending" for those of events.
	When       string            `json:"when"`
	Event      bool              `json:"event,omitempty"`      // applies to the sending of events only
	Status     int               `json:"status,omitempty"`     // HTTP status
	Header     map[string]string `json:"header,omitempty"`     // further headers of a gateway
	Refusal    string            `json:"refusal,omitempty"`    // the text in the service's own envelope; "" for a gateway
	Alternates bool              `json:"alternates,omitempty"` // lets every other call through

	Answer func(Response)           `json:"-"` // writes the answer wrongly, or not at all
	Page   func(*ListPage, Listing) `json:"-"` // changes a page of the list

	change func(*Sandbox, *node) // the true answer, with the lock held
}

// A Response is a true answer that a fault writes in another way.
type Response struct {
	Writer  http.ResponseWriter
	Request *http.Request
	Status  int    // 0 when the request was not carried out
	Text    []byte // the body
}

// ownFaults lists the faults of every sandbox, in the order of faults.json.
var ownFaults = sync.OnceValue(func() []Fault {
	faults := table[[]Fault]("faults.json")
	for i := range faults {
		f := &faults[i]
		cause := faultCauses()[f.Name]
		f.Answer, f.change = cause.Answer, cause.change
	}
	return faults
})

// faultCauses has what the faults do that are more than a status.
func faultCauses() map[string]Fault {
	return map[string]Fault{
		"not-reached":         {Answer: Response.close},
		"no-answer":           {Answer: Response.silence},
		"lost-answer":         {Answer: Response.close},
		"slow":                {Answer: Response.slow},
		"html-502":            {Answer: Response.html},
		"malformed":           {Answer: Response.half},
		"declined":            {change: declinePayment},
		"wrong-amount":        {change: addToAmounts},
		"wrong-reference":     {change: changeReference},
		"duplicate-reference": {change: repeatReference},
		"drifted":             {change: driftSpelling},
	}
}

// An ArmedFault is a fault waiting for its calls.
type ArmedFault struct {
	Operation string `json:"operation"` // as passed to Arm
	Fault     string `json:"fault"`
	Left      int    `json:"left"`            // calls it still applies to; 0 for until cleared
	Struck    int    `json:"struck"`          // calls it has applied to
	After     int    `json:"after,omitempty"` // calls that pass first
}

// faults are the armed faults, in the order they were armed.
type faults []*armed

type armed struct {
	ArmedFault
	kind *Fault
}

// preventsRequest reports whether the request is not carried out; override is the switch
// faults.when.
func (f *Fault) preventsRequest(override string) bool {
	switch {
	case f == nil || f.When == "always after":
		return false
	case override == "as-listed":
		return f.When == "before"
	}
	return override == "before"
}

// event stands for the sending of an event to the webhook URLs.
var event = operation{name: "webhook"}

// hits reports whether the fault, armed for a name, applies to an operation.
func (f *Fault) hits(name string, o operation) bool {
	if o.name == event.name {
		return f.Event && name == event.name
	}
	return !f.Event && (name == "all" || name == o.name || name == o.method) && (o.list || f.Page == nil)
}

// next returns the fault for a call, with the number of calls it met before, and counts the
// call. Faults apply in the order they were armed.
func (f *faults) next(op operation) (kind *Fault, count int) {
	var first *armed
	for _, a := range *f {
		switch {
		case !a.kind.hits(a.Operation, op):
		case a.After > 0:
			a.After--
		case first == nil:
			first = a
		}
	}
	if first == nil {
		return nil, 0
	}
	first.Struck++
	if first.Left--; first.Left == 0 {
		*f = slices.DeleteFunc(*f, func(a *armed) bool { return a == first })
	}
	if first.kind.Alternates && first.Struck%2 == 0 {
		return nil, 0
	}
	return first.kind, first.Struck - 1
}

// Faults lists all faults, in the order of the table: those of every sandbox, and then those of the options.
func (s *Sandbox) Faults() []Fault { return slices.Concat(ownFaults(), s.options.Faults) }

// ErrNoOperation is Arm's error for a name that is no operation of the fault.
var ErrNoOperation = reason("the fault applies to no operation of this name")

// Arm makes the next calls of an operation fail, or all until ClearFaults when calls is 0.
// The name is initiate, link, validate, authenticate, finalize, transaction or
// transactions, or GET, POST or all, or webhook. Only requests with the right key that could be parsed
// count.
func (s *Sandbox) Arm(name, fault string, calls int) error {
	all := s.Faults()
	i := slices.IndexFunc(all, func(f Fault) bool { return strings.EqualFold(f.Name, fault) })
	if i < 0 {
		return errors.New("no fault has this name")
	}
	return s.arm(&all[i], name, 0, calls)
}

// arm arms a fault for a number of calls, after others that are let through.
func (s *Sandbox) arm(f *Fault, name string, wait, calls int) error {
	if !slices.ContainsFunc(append(operations(), event), func(o operation) bool { return f.hits(name, o) }) {
		return ErrNoOperation
	}
	if calls < 0 {
		return errors.New("the number of calls must not be negative")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &armed{ArmedFault{Operation: name, Fault: f.Name, Left: calls, After: wait}, f})
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

// emit writes the answer, or what a fault makes of it.
func (a *answer) emit(w *loggedWriter, r *http.Request) {
	f := a.fault
	if f == nil {
		a.write(w)
		return
	}
	w.fault = f.Name
	switch {
	case f.Answer != nil:
		f.Answer(Response{w, r, a.status, a.encode()})
	case f.Status != 0 && f.Refusal == "": // a gateway
		for name, value := range f.Header {
			w.Header().Set(name, value)
		}
		Response{Writer: w}.send(f.Status, "text/plain; charset=utf-8", []byte(http.StatusText(f.Status)+"\n"))
	default:
		a.write(w)
	}
}

const (
	silenceLimit = 2 * time.Minute // before a silent connection is closed
	slowness     = 10 * time.Second
)

// send sends a complete response.
func (e Response) send(status int, contentType string, text []byte) {
	answer{status: status, text: text, header: http.Header{"Content-Type": {contentType}}}.write(e.Writer)
}

// close ends the connection without a response.
func (e Response) close() { panic(http.ErrAbortHandler) }

// silence sends nothing until the client disconnects.
func (e Response) silence() {
	e.wait(silenceLimit)
	panic(http.ErrAbortHandler)
}

func (e Response) slow() {
	if e.wait(slowness) {
		e.send(e.Status, jsonType, e.Text)
	}
}

// wait waits as long as the client is there, and reports whether it is.
func (e Response) wait(d time.Duration) bool {
	select {
	case <-e.Request.Context().Done():
		return false
	case <-time.After(d):
		return true
	}
}

// html is a page as proxies send it instead of the response.
func (e Response) html() {
	e.send(http.StatusBadGateway, "text/html", []byte("<!doctype html><html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n"))
}

func (e Response) half() { e.send(e.Status, jsonType, e.Text[:len(e.Text)/2]) }

// The faults of a true answer that is well-formed, and wrong.

// references finds where an answer names its payment or link.
func references(doc *node) (all []*node) {
	for _, path := range []string{"value.paymentItem.paymentReference", "value.paymentItem.reference", "value.paymentReference", "value.reference", "value.alias"} {
		if v := doc.find(path); v != nil && v.isString() {
			all = append(all, v)
		}
	}
	return all
}

// declinePayment makes the payment of the answer fail, as its issuer would. One that is final already, or has no issuer, stays as it is.
func declinePayment(s *Sandbox, doc *node) {
	for _, v := range references(doc) {
		p := s.payments[v.stringValue()]
		if p == nil || !p.decline(s.now()) {
			continue
		}
		s.step()
		doc.each("value.paymentStatus", func(v *node) { *v = stringNode(string(failed)) })
		doc.each("value.message", func(v *node) { *v = stringNode(declinedMessage) })
		doc.each("value.bankAuthURL", func(v *node) { *v = leaf("null") })
	}
}

func changeReference(s *Sandbox, doc *node) { nameAll(doc, shortCode(s.random)) }

func nameAll(doc *node, reference string) {
	for _, v := range references(doc) {
		*v = stringNode(reference)
	}
}

// repeatReference answers with the reference of the payment that was made before, if there is one.
func repeatReference(s *Sandbox, doc *node) {
	all := references(doc)
	for _, p := range slices.Backward(s.ordered) {
		if len(all) > 0 && p.reference != all[0].stringValue() {
			nameAll(doc, p.reference)
			return
		}
	}
}

// addToAmounts adds 1.00 to what the answer says that is paid.
func addToAmounts(_ *Sandbox, doc *node) {
	eachAmount(doc, func(v *node) {
		n, _ := parseHundredths(v.leaf)
		v.leaf = formatMajor(n + 100).String()
	})
	doc.each("data.amount", func(v *node) {
		n, _ := parseMinor(v.leaf)
		v.leaf = formatMinor(n + 100).String()
	})
}

// driftSpelling writes status words as they have been seen elsewhere.
func driftSpelling(_ *Sandbox, doc *node) {
	for _, path := range []string{"value.paymentStatus", "value.status", "data.status"} {
		doc.each(path, func(v *node) {
			if word := v.stringValue(); word != "" {
				word = strings.ToUpper(word[:1]) + strings.ToLower(word[1:])
				*v = stringNode(strings.TrimSuffix(strings.Replace(word, "ssfull", "ssful", 1), "_"))
			}
		})
	}
}
