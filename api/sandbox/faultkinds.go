package sandbox

import (
	"net/http"
	"slices"
)

// When a fault comes, seen from carrying the request out.
const (
	comesBefore = "before"
	comesAfter  = "after"
	alwaysAfter = "always after"
)

// A faultKind is a fault and how it is made, by one of four ways.
type faultKind struct {
	Fault
	corrupt func(*node)                  // bends the true answer
	page    func(*listEnvelope, listing) // bends a page of the list
	instead func(operation) answer       // gives another answer
	emit    func(*faultyResponse)        // writes an answer in another way, or none

	skip func(turn int) bool // the calls it lets through
}

// faultKinds are all faults, in the order of the fault list. It is a function so that
// nothing runs before main.
func faultKinds() []faultKind {
	return slices.Concat(outOfReach(1, 7), connFaults(), httpFaults(), jsonFaults(), statusFaults(), outOfReach(59, 60), anomalies())
}

func fault(name, does, when string) Fault { return Fault{Name: name, Does: does, When: when} }

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
		{Fault: fault("F8", "accept, then close", comesBefore), emit: (*faultyResponse).close},
		{Fault: fault("F9", "accept, then reset", comesBefore), emit: (*faultyResponse).reset},
		{Fault: fault("F10", "accept, then silence", comesBefore), emit: (*faultyResponse).silence},
		{Fault: fault("F11", "read the request, then close", comesAfter), emit: (*faultyResponse).close},
		{Fault: fault("F12", "read the request, then reset", comesAfter), emit: (*faultyResponse).reset},
		{Fault: fault("F13", "read the request, then silence", comesAfter), emit: (*faultyResponse).silence},
		{Fault: fault("F14", "write the headers, then close", comesAfter), emit: (*faultyResponse).headersOnly},
	}
}

// httpFaults are the answers that are wrong as HTTP.
func httpFaults() []faultKind {
	return []faultKind{
		{Fault: fault("F15", "cut the body short of its Content-Length", alwaysAfter), emit: (*faultyResponse).cutShort},
		{Fault: fault("F16", "write the body in chunks and never end them", alwaysAfter), emit: (*faultyResponse).withoutEnd},
		{Fault: fault("F17", "write one byte a second", alwaysAfter), emit: (*faultyResponse).drip},
		{Fault: fault("F18", "write 9 MiB of headers in front of the answer", alwaysAfter), emit: (*faultyResponse).largeHeader},
		{Fault: fault("F19", "send 1,000 informational responses in front of the answer", alwaysAfter), emit: (*faultyResponse).informational},
		{Fault: fault("F20", "an HTML page with HTTP 502", comesAfter), emit: (*faultyResponse).html502},
		{Fault: fault("F21", "an HTML page with HTTP 200", comesAfter), emit: (*faultyResponse).html200},
		{Fault: fault("F22", "the answer as text/plain", alwaysAfter), emit: (*faultyResponse).plainText},
		{Fault: fault("F23", "HTTP 200 with an empty body", comesAfter), emit: (*faultyResponse).empty},
		{Fault: fault("F24", "HTTP 204", comesAfter), emit: (*faultyResponse).noContent},
		{Fault: fault("F25", "the answer behind a byte order mark", alwaysAfter), emit: (*faultyResponse).byteOrderMark},
		{Fault: fault("F26", "the answer in UTF-16", alwaysAfter), emit: (*faultyResponse).utf16},
		{Fault: fault("F27", "the answer in gzip that nobody asked for", alwaysAfter), emit: (*faultyResponse).gzipped},
		{Fault: fault("F28", "a gzip bomb: 1 GiB out of 1 MB", comesAfter), emit: (*faultyResponse).bomb},
		{Fault: fault("F29", "a body of 2 GiB", comesAfter), emit: (*faultyResponse).hugeBody},
		{Fault: fault("F30", "the answer with something 10,001 deep in it", alwaysAfter), emit: (*faultyResponse).deep},
		{Fault: fault("F31", "the answer with an object of 1,000,000 names in it", alwaysAfter), emit: (*faultyResponse).manyNames},
	}
}

// jsonFaults are the answers that are wrong as JSON, or as an answer.
func jsonFaults() []faultKind {
	return []faultKind{
		{Fault: fault("F32", "isSuccess (status in the list) twice, yes and no", alwaysAfter), corrupt: twice},
		{Fault: fault("F33", "isSuccess (status in the list) twice, in other capitals", alwaysAfter), corrupt: twiceFolded},
		{Fault: fault("F34", "a message of bytes that are not UTF-8", alwaysAfter), corrupt: notUTF8},
		{Fault: fault("F35", "a message with half a surrogate pair", alwaysAfter), corrupt: loneSurrogate},
		{Fault: fault("F36", "every number has 400 digits", alwaysAfter), corrupt: hugeNumbers},
		{Fault: fault("F37", "every number has an exponent", alwaysAfter), corrupt: exponents},
		{Fault: fault("F38", "every number is a string", alwaysAfter), corrupt: numbersAsTexts},
		{Fault: fault("F39", "every string of value (data in the list) is a number", alwaysAfter), corrupt: textsAsNumbers},
		{Fault: fault("F40", "value (data in the list) is null", alwaysAfter), corrupt: nullValue},
		{Fault: fault("F41", "value (data in the list) is absent", alwaysAfter), corrupt: absentValue},
		{Fault: fault("F42", "value (meta in the list) is in an array", alwaysAfter), corrupt: arrayForObject},
		{Fault: fault("F43", "a second document follows the answer", alwaysAfter), emit: (*faultyResponse).trailing},
	}
}

// statusFaults are other answers than the true one: with the envelope where they say so,
// else as a gateway gives them. Following a redirect leads nowhere, and shows in the
// log.
func statusFaults() []faultKind {
	return []faultKind{
		{Fault: fault("F44", "redirect with HTTP 301", comesBefore), emit: redirect(http.StatusMovedPermanently, astrayPath)},
		{Fault: fault("F45", "redirect with HTTP 302", comesBefore), emit: redirect(http.StatusFound, astrayPath)},
		{Fault: fault("F46", "redirect with HTTP 303", comesBefore), emit: redirect(http.StatusSeeOther, astrayPath)},
		{Fault: fault("F47", "redirect with HTTP 307", comesBefore), emit: redirect(http.StatusTemporaryRedirect, astrayPath)},
		{Fault: fault("F48", "redirect with HTTP 308", comesBefore), emit: redirect(http.StatusPermanentRedirect, astrayPath)},
		{Fault: fault("F49", "redirect to a place that redirects to itself", comesBefore), emit: redirect(http.StatusTemporaryRedirect, loopPath)},
		{Fault: fault("F50", "HTTP 401", comesBefore), emit: gateway(http.StatusUnauthorized)},
		{Fault: fault("F51", "HTTP 403", comesBefore), emit: gateway(http.StatusForbidden)},
		{Fault: fault("F52", "HTTP 404", comesBefore), emit: gateway(http.StatusNotFound)},
		{Fault: fault("F53", "HTTP 409", comesBefore), emit: gateway(http.StatusConflict)},
		{Fault: fault("F54", "HTTP 422 with the envelope", comesBefore), instead: no(http.StatusUnprocessableEntity, "The payload is not valid.")},
		{Fault: fault("F55", "HTTP 429 with Retry-After: 7", comesBefore), emit: gateway(http.StatusTooManyRequests, "Retry-After", "7")},
		{Fault: fault("F56", "HTTP 429 without Retry-After", comesBefore), emit: gateway(http.StatusTooManyRequests)},
		{Fault: fault("F57", "HTTP 500 with the envelope", comesAfter), instead: no(http.StatusInternalServerError, "Something went wrong.")},
		{
			Fault: fault("F58", "HTTP 503, then the true answer, by turns", comesBefore),
			emit:  gateway(http.StatusServiceUnavailable),
			skip:  func(turn int) bool { return turn%2 == 1 },
		},
	}
}

// no is a refusal in the operation's own envelope.
func no(status int, text string) func(operation) answer {
	return func(o operation) answer { return o.refuse(status, text) }
}

// gateway is the answer of a server in between, with headers in pairs.
func gateway(status int, headers ...string) func(*faultyResponse) {
	return func(e *faultyResponse) {
		for i := 0; i+1 < len(headers); i += 2 {
			e.w.Header().Set(headers[i], headers[i+1])
		}
		e.whole(status, "text/plain; charset=utf-8", []byte(http.StatusText(status)+"\n"))
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
