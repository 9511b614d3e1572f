package sandbox

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// An answer is a response before it is written: a fault may still drop or corrupt it.
type answer struct {
	status int
	body   any
	header http.Header // additional headers, such as Allow of a 405
	text   []byte      // the encoded body; encoded from body when nil
	fault  *Fault      // the fault to apply; nil for none
}

func ok(body any) *answer { return &answer{status: http.StatusOK, body: body} }

// with adds a header.
func (a *answer) with(name, value string) *answer {
	a.header = http.Header{name: {value}}
	return a
}

// An envelope is a success with only a value, as of card initiation (2.5) and status (2.12),
// or with a message too, as of link creation (2.8).
type envelope struct {
	Value     any    `json:"value"`
	IsSuccess bool   `json:"isSuccess"`
	Message   string `json:"message,omitempty"`
}

// A problem holds the problem fields of the other envelopes: all null, or strings and a
// number.
type problem struct {
	Type     any `json:"type"`
	Title    any `json:"title"`
	Status   any `json:"status"`
	Detail   any `json:"detail"`
	Instance any `json:"instance"`
}

// A nullEnvelope has problem fields that are null on success: transfer initiation (2.5) and
// channel validation (2.9).
type nullEnvelope struct {
	Value     any    `json:"value"`
	IsSuccess bool   `json:"isSuccess"`
	Error     any    `json:"error"` // always null
	Message   string `json:"message"`
	problem
}

// A codedEnvelope has problem fields with values: the authentication check (2.10, where
// error is a string) and finalize (2.11, where it is null on success).
type codedEnvelope struct {
	Value any `json:"value"`
	problem
	IsSuccess    bool   `json:"isSuccess"`
	Error        any    `json:"error"`
	Message      string `json:"message"`
	ResponseCode string `json:"responseCode"`
}

// coded is the codedEnvelope of a success. Its responseCode is from the specification.
func coded(value, err any, message string) *answer {
	return ok(codedEnvelope{value, problem{"", "", http.StatusOK, "", ""}, true, err, message, "00"})
}

// An errorEnvelope rejects a request (section 7). It has no value.
type errorEnvelope struct {
	IsSuccess bool   `json:"isSuccess"`
	Error     string `json:"error"`
	Message   string `json:"message"`
	problem
	ResponseCode string `json:"responseCode,omitempty"`
}

// A listRefusal rejects a request to the list endpoint, whose status is a boolean (2.13).
type listRefusal struct {
	Status  bool   `json:"status"`
	Message string `json:"message"`
}

// refuse rejects a request in the operation's own envelope. The text must not quote
// anything from the request.
func (o operation) refuse(status int, text string) *answer {
	if o.list {
		return &answer{status: status, body: listRefusal{Message: text}}
	}
	e := errorEnvelope{
		Error:   text,
		Message: text,
		problem: problem{"about:blank", http.StatusText(status), status, text, ""}, // see locate
	}
	if o.coded {
		e.ResponseCode = "99" // invented
	}
	return &answer{status: status, body: e}
}

// locate fills in the instance of a refusal: the path of the request as it was sent, of which only
// the fixed part is repeated when the rest may hold a card number or the key.
func (s *Sandbox) locate(a *answer, op operation, r *http.Request) *answer {
	e, is := a.body.(errorEnvelope)
	if !is {
		return a
	}
	path := r.URL.EscapedPath()
	if len(path) > maxURL || s.secret(r.URL.Path) {
		path = cmp.Or(strings.TrimSuffix(op.path, "{reference}"), "/")
	}
	e.Instance = path
	a.body = e
	return a
}

// encode returns the body as it is sent: as customized, or else as the specification has
// it.
func (a answer) encode() []byte {
	if a.text != nil {
		return a.text
	}
	return encodeJSON(a.body)
}

// encodeJSON encodes a value of the package, which cannot fail, with a line end.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("sandbox: a value cannot be encoded as JSON")
	}
	return b.Bytes()
}

// jsonType is the Content-Type of every true response.
const jsonType = "application/json; charset=utf-8"

// write encodes the whole answer before it sends the first byte.
func (a answer) write(w http.ResponseWriter) {
	text := a.encode()
	h := w.Header()
	h.Set("Content-Type", jsonType)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	maps.Copy(h, a.header)
	w.WriteHeader(a.status)
	w.Write(text)
}
