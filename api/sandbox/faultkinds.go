package sandbox

import (
	"net/http"
	"slices"
)

// When a fault comes, seen from carrying the request out.
const (
	whenBefore      = "before"
	whenAfter       = "after"
	whenAlwaysAfter = "always after"
)

// A faultKind is a fault and how it is made, by one of four ways.
type faultKind struct {
	Fault
	corrupt func(*node)                  // bends the true answer
	page    func(*listEnvelope, listing) // bends a page of the list
	replace func(operation) answer       // gives another answer
	emit    func(*faultyResponse)        // writes an answer in another way, or none

	skip func(turn int) bool // the calls it lets through
}

// faultKinds are all faults, in the order of the fault list. It is a function so that
// nothing runs before main.
func faultKinds() []faultKind {
	return slices.Concat(outOfReach(1, 7), connFaults(), httpFaults(), jsonFaults(), statusFaults(), outOfReach(59, 60), anomalies())
}

func newFault(name, does, when string) Fault { return Fault{Name: name, Does: does, When: when} }

// outOfReach are the faults that need more than a server of HTTP/1.1 on a loopback
// address.
func outOfReach(from, to int) []faultKind {
	const plain = "it serves plain HTTP on a loopback address"
	const second = "it speaks HTTP/1.1"
	all := []struct {
		number         int
		name, does, by string
	}{
		{1, "F1", "the name of the host is not found", "a name is looked up before a server is reached"},
		{2, "F2", "the connection is refused", "a server that answers at all has accepted; stop it, or use a port where nobody listens"},
		{3, "F3", "the connection is never made", "a server that answers at all has accepted; use an address that no one routes"},
		{4, "F4", "TLS by an authority nobody trusts", plain},
		{5, "F5", "TLS for another name", plain},
		{6, "F6", "TLS that has expired", plain},
		{7, "F7", "TLS to a plain port", "the client brings it about: give it the address with https"},
		{59, "F59", "HTTP/2 GOAWAY", second},
		{60, "F60", "HTTP/2 RST_STREAM after the request was read", second},
	}
	var out []faultKind
	for _, f := range all {
		if f.number >= from && f.number <= to {
			out = append(out, faultKind{Fault: Fault{Name: f.name, Does: f.does, Not: f.by}})
		}
	}
	return out
}

// connFaults are the connections that end or hang without an answer. What is read of a
// request before it is dropped cannot be told from outside; before and after differ
// in what becomes of the payment.
func connFaults() []faultKind {
	return []faultKind{
		{Fault: newFault("F8", "accept, then close", whenBefore), emit: (*faultyResponse).close},
		{Fault: newFault("F9", "accept, then reset", whenBefore), emit: (*faultyResponse).reset},
		{Fault: newFault("F10", "accept, then silence", whenBefore), emit: (*faultyResponse).silence},
		{Fault: newFault("F11", "read the request, then close", whenAfter), emit: (*faultyResponse).close},
		{Fault: newFault("F12", "read the request, then reset", whenAfter), emit: (*faultyResponse).reset},
		{Fault: newFault("F13", "read the request, then silence", whenAfter), emit: (*faultyResponse).silence},
		{Fault: newFault("F14", "write the headers, then close", whenAfter), emit: (*faultyResponse).headersOnly},
	}
}

// httpFaults are the answers that are wrong as HTTP.
func httpFaults() []faultKind {
	return []faultKind{
		{Fault: newFault("F15", "cut the body short of its Content-Length", whenAlwaysAfter), emit: (*faultyResponse).cutShort},
		{Fault: newFault("F16", "write the body in chunks and never end them", whenAlwaysAfter), emit: (*faultyResponse).unterminatedChunks},
		{Fault: newFault("F17", "write one byte a second", whenAlwaysAfter), emit: (*faultyResponse).drip},
		{Fault: newFault("F18", "write 9 MiB of headers in front of the answer", whenAlwaysAfter), emit: (*faultyResponse).largeHeader},
		{Fault: newFault("F19", "send 1,000 informational responses in front of the answer", whenAlwaysAfter), emit: (*faultyResponse).informational},
		{Fault: newFault("F20", "an HTML page with HTTP 502", whenAfter), emit: (*faultyResponse).html502},
		{Fault: newFault("F21", "an HTML page with HTTP 200", whenAfter), emit: (*faultyResponse).html200},
		{Fault: newFault("F22", "the answer as text/plain", whenAlwaysAfter), emit: (*faultyResponse).plainText},
		{Fault: newFault("F23", "HTTP 200 with an empty body", whenAfter), emit: (*faultyResponse).empty},
		{Fault: newFault("F24", "HTTP 204", whenAfter), emit: (*faultyResponse).noContent},
		{Fault: newFault("F25", "the answer behind a byte order mark", whenAlwaysAfter), emit: (*faultyResponse).byteOrderMark},
		{Fault: newFault("F26", "the answer in UTF-16", whenAlwaysAfter), emit: (*faultyResponse).utf16},
		{Fault: newFault("F27", "the answer in gzip that nobody asked for", whenAlwaysAfter), emit: (*faultyResponse).gzipped},
		{Fault: newFault("F28", "a gzip bomb: 1 GiB out of 1 MB", whenAfter), emit: (*faultyResponse).bomb},
		{Fault: newFault("F29", "a body of 2 GiB", whenAfter), emit: (*faultyResponse).hugeBody},
		{Fault: newFault("F30", "the answer with something 10,001 deep in it", whenAlwaysAfter), emit: (*faultyResponse).deep},
		{Fault: newFault("F31", "the answer with an object of 1,000,000 names in it", whenAlwaysAfter), emit: (*faultyResponse).manyNames},
	}
}

// jsonFaults are the answers that are wrong as JSON, or as an answer.
func jsonFaults() []faultKind {
	return []faultKind{
		{Fault: newFault("F32", "isSuccess (status in the list) twice, yes and no", whenAlwaysAfter), corrupt: duplicateSuccess},
		{Fault: newFault("F33", "isSuccess (status in the list) twice, in other capitals", whenAlwaysAfter), corrupt: duplicateSuccessFolded},
		{Fault: newFault("F34", "a message of bytes that are not UTF-8", whenAlwaysAfter), corrupt: invalidUTF8},
		{Fault: newFault("F35", "a message with half a surrogate pair", whenAlwaysAfter), corrupt: loneSurrogate},
		{Fault: newFault("F36", "every number has 400 digits", whenAlwaysAfter), corrupt: hugeNumbers},
		{Fault: newFault("F37", "every number has an exponent", whenAlwaysAfter), corrupt: exponents},
		{Fault: newFault("F38", "every number is a string", whenAlwaysAfter), corrupt: numbersAsStrings},
		{Fault: newFault("F39", "every string of value (data in the list) is a number", whenAlwaysAfter), corrupt: stringsAsNumbers},
		{Fault: newFault("F40", "value (data in the list) is null", whenAlwaysAfter), corrupt: nullValue},
		{Fault: newFault("F41", "value (data in the list) is absent", whenAlwaysAfter), corrupt: absentValue},
		{Fault: newFault("F42", "value (meta in the list) is in an array", whenAlwaysAfter), corrupt: arrayForObject},
		{Fault: newFault("F43", "a second document follows the answer", whenAlwaysAfter), emit: (*faultyResponse).trailing},
	}
}

// statusFaults are other answers than the true one: with the envelope where they say so,
// else as a gateway gives them. Following a redirect leads nowhere, and shows in the
// log.
func statusFaults() []faultKind {
	return []faultKind{
		{Fault: newFault("F44", "redirect with HTTP 301", whenBefore), emit: redirect(http.StatusMovedPermanently, astrayPath)},
		{Fault: newFault("F45", "redirect with HTTP 302", whenBefore), emit: redirect(http.StatusFound, astrayPath)},
		{Fault: newFault("F46", "redirect with HTTP 303", whenBefore), emit: redirect(http.StatusSeeOther, astrayPath)},
		{Fault: newFault("F47", "redirect with HTTP 307", whenBefore), emit: redirect(http.StatusTemporaryRedirect, astrayPath)},
		{Fault: newFault("F48", "redirect with HTTP 308", whenBefore), emit: redirect(http.StatusPermanentRedirect, astrayPath)},
		{Fault: newFault("F49", "redirect to a place that redirects to itself", whenBefore), emit: redirect(http.StatusTemporaryRedirect, loopPath)},
		{Fault: newFault("F50", "HTTP 401", whenBefore), emit: gateway(http.StatusUnauthorized)},
		{Fault: newFault("F51", "HTTP 403", whenBefore), emit: gateway(http.StatusForbidden)},
		{Fault: newFault("F52", "HTTP 404", whenBefore), emit: gateway(http.StatusNotFound)},
		{Fault: newFault("F53", "HTTP 409", whenBefore), emit: gateway(http.StatusConflict)},
		{Fault: newFault("F54", "HTTP 422 with the envelope", whenBefore), replace: refuseWith(http.StatusUnprocessableEntity, "The payload is not valid.")},
		{Fault: newFault("F55", "HTTP 429 with Retry-After: 7", whenBefore), emit: gateway(http.StatusTooManyRequests, "Retry-After", "7")},
		{Fault: newFault("F56", "HTTP 429 without Retry-After", whenBefore), emit: gateway(http.StatusTooManyRequests)},
		{Fault: newFault("F57", "HTTP 500 with the envelope", whenAfter), replace: refuseWith(http.StatusInternalServerError, "Something went wrong.")},
		{
			Fault: newFault("F58", "HTTP 503, then the true answer, by turns", whenBefore),
			emit:  gateway(http.StatusServiceUnavailable),
			skip:  func(turn int) bool { return turn%2 == 1 },
		},
	}
}

// refuseWith is a refusal in the operation's own envelope.
func refuseWith(status int, text string) func(operation) answer {
	return func(o operation) answer { return o.refuse(status, text) }
}

// gateway is the answer of a server in between, with headers in pairs.
func gateway(status int, headers ...string) func(*faultyResponse) {
	return func(e *faultyResponse) {
		for i := 0; i+1 < len(headers); i += 2 {
			e.w.Header().Set(headers[i], headers[i+1])
		}
		e.writeBody(status, "text/plain; charset=utf-8", []byte(http.StatusText(status)+"\n"))
	}
}

// Where redirects lead.
const (
	astrayPath = controlPath + "astray"
	loopPath   = controlPath + "loop"
)

func redirect(status int, path string) func(*faultyResponse) {
	return gateway(status, "Location", path)
}
