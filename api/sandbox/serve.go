package sandbox

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// KeyHeader is the header for the secret key, unless a switch changes it (section 5).
const KeyHeader = "X-Api"

const maxBody = 256 << 10

// An operation is one of the seven operations (section 4).
type operation struct {
	name   string // as used for faults
	method string
	path   string // ends in {reference} when that is part of it
	list   bool   // has the list envelope (2.13)
	coded  bool   // has a responseCode (2.1)
	do     func(*Sandbox, call) *answer
}

// A call is a parsed request with the right key.
type call struct {
	operation
	reference string // from the path; an id in the control API
	query     url.Values
	body      *object // nil for GET
	now       time.Time
}

// noOperation stands for an unknown path.
var noOperation operation

// operations is a function so that nothing runs before main.
func operations() []operation {
	return []operation{
		{"initiate", "POST", "/api/payment/pay/initiate", false, false, (*Sandbox).initiate},
		{"link", "POST", "/api/payment/payment-link", false, false, (*Sandbox).createLink},
		{"validate", "POST", "/api/payment/pay/validate", false, false, (*Sandbox).validate},
		{"authenticate", "GET", "/api/payment/pay/get-auth-3ds", false, true, (*Sandbox).authenticate},
		{"finalize", "POST", "/api/payment/pay/finalize", false, true, (*Sandbox).finalize},
		{"transaction", "GET", "/api/payment/transactions/{reference}", false, false, (*Sandbox).transaction},
		{"transactions", "GET", "/v1/api/transactions", true, false, (*Sandbox).transactions},
	}
}

// findOperation returns the operation of a path and the reference in it. Case is ignored,
// since both spellings of pay/initiate have been seen, but not in the
// reference.
func findOperation(path string) (operation, string) {
	for _, o := range operations() {
		if head, is := strings.CutSuffix(o.path, "{reference}"); is {
			if len(path) > len(head) && strings.EqualFold(path[:len(head)], head) {
				return o, path[len(head):]
			}
		} else if strings.EqualFold(path, o.path) {
			return o, ""
		}
	}
	return noOperation, ""
}

// ServeHTTP serves the seven operations and the sandbox's own pages. It only panics with
// http.ErrAbortHandler, when a fault drops the response.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	e := &loggedWriter{ResponseWriter: w, request: r, started: time.Now()}
	defer e.writeLine(s.options.Log)
	defer func() {
		if v := recover(); v == http.ErrAbortHandler {
			panic(v)
		} else if v != nil { // the value may contain anything, so it is not sent
			broken := noOperation.refuse(http.StatusInternalServerError, "Internal sandbox error.")
			s.locate(broken, noOperation, r).write(e)
		}
	}()
	switch path := r.URL.Path; {
	case strings.HasPrefix(path, bankPath):
		s.bank(r).write(e)
	case strings.HasPrefix(path, linkPath):
		s.hosted(r).write(e)
	case strings.HasPrefix(path, controlPath):
		s.locate(s.control(r), noOperation, r).write(e)
	default:
		s.count(w)
		s.answer(r).emit(e, r)
	}
}

// answer handles a request to one of the seven operations.
func (s *Sandbox) answer(r *http.Request) *answer {
	op, reference := findOperation(r.URL.Path)
	return s.customize(op, s.locate(s.respond(op, reference, r), op, r))
}

// respond rejects what no operation sees: an unknown path, a wrong method, a wrong key, an
// unreadable request.
func (s *Sandbox) respond(op operation, reference string, r *http.Request) *answer {
	if op.do == nil {
		return op.refuse(http.StatusNotFound, "There is nothing at this path.")
	}
	if r.Method != op.method {
		return op.refuse(http.StatusMethodNotAllowed, "This path takes "+op.method+" only.").
			with("Allow", op.method)
	}
	if problem := s.checkKey(r.Header); problem != "" {
		return op.refuse(http.StatusUnauthorized, problem)
	}
	c := call{operation: op, reference: reference, now: s.now()}
	if op.method == http.MethodPost {
		var problem *answer
		if c.body, problem = readBody(op, r); problem != nil {
			return problem
		}
	} else {
		var err error
		if c.query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
			return op.refuse(http.StatusBadRequest, "The query cannot be read.")
		}
	}
	return s.carryOut(c)
}

// carryOut holds the lock for the whole operation, so that no request sees another one half
// done.
func (s *Sandbox) carryOut(c call) *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	fault, count := s.faults.next(c.operation)
	a := new(answer)
	if !fault.preventsRequest(s.switches.of("faults.when")) {
		s.switches.configure(c)
		a = c.operation.do(s, c)
	}
	if fault == nil {
		return a
	}
	if fault.Refusal != "" {
		a = c.refuse(fault.Status, fault.Refusal)
	}
	if e, is := a.body.(ListPage); is && fault.Page != nil {
		fault.Page(&e, Listing{e.Meta, count, func(i int) Row { return s.row(i, c) }})
		a.body = e
	}
	a.fault = fault
	return a
}

// customize applies switches and faults to an answer.
func (s *Sandbox) customize(op operation, a *answer) *answer {
	if a.body == nil {
		return a
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	changes := a.fault != nil && a.fault.change != nil
	if !s.switches.rewrites() && !changes {
		return a
	}
	doc := parseTree(a.encode())
	if changes {
		a.fault.change(s, &doc)
	}
	a.status = s.switches.rewrite(op, a.status, &doc)
	a.text = doc.bytes()
	return a
}

// readBody reads a JSON body. Its size is limited by ServeHTTP.
func readBody(op operation, r *http.Request) (*object, *answer) {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return nil, op.refuse(http.StatusUnsupportedMediaType, "The header Content-Type must be application/json.")
	}
	body, err := io.ReadAll(r.Body)
	if errors.As(err, new(*http.MaxBytesError)) {
		return nil, op.refuse(http.StatusRequestEntityTooLarge, "The body is larger than 256 KiB.")
	}
	if err != nil {
		return nil, op.refuse(http.StatusBadRequest, "The body could not be read.")
	}
	values, is := parse(body)
	if !is {
		return nil, op.refuse(http.StatusBadRequest,
			"The request cannot be read: the body must be one JSON object in UTF-8, without repeated names.")
	}
	return newReading(values), nil
}
