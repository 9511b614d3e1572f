package sandbox

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
)

// An answer is a response before it is written: a fault may still drop or corrupt it.
type answer struct {
	status int
	body   any
	header http.Header  // additional headers, such as Allow of a 405
	text   []byte       // the encoded body; encoded from body when nil
	fault  *activeFault // the fault to apply; nil for none
}

func ok(body any) answer { return answer{status: http.StatusOK, body: body} }

// A plainEnvelope is a success with only a value: card initiation (2.5) and status (2.12).
type plainEnvelope struct {
	Value     any  `json:"value"`
	IsSuccess bool `json:"isSuccess"`
}

// A messageEnvelope adds a message: link creation (2.8).
type messageEnvelope struct {
	Value     any    `json:"value"`
	IsSuccess bool   `json:"isSuccess"`
	Message   string `json:"message"`
}

// A nullEnvelope has problem fields that are null on success: transfer initiation (2.5) and
// channel validation (2.9).
type nullEnvelope struct {
	Value     any     `json:"value"`
	IsSuccess bool    `json:"isSuccess"`
	Error     *string `json:"error"`
	Message   string  `json:"message"`
	Type      *string `json:"type"`
	Title     *string `json:"title"`
	Status    *int    `json:"status"`
	Detail    *string `json:"detail"`
	Instance  *string `json:"instance"`
}

// A codedEnvelope has problem fields with values: the authentication check (2.10, where
// error is a string) and finalize (2.11, where it is null on success).
type codedEnvelope struct {
	Value        any     `json:"value"`
	Type         string  `json:"type"`
	Title        string  `json:"title"`
	Status       int     `json:"status"`
	Detail       string  `json:"detail"`
	Instance     string  `json:"instance"`
	IsSuccess    bool    `json:"isSuccess"`
	Error        *string `json:"error"`
	Message      string  `json:"message"`
	ResponseCode string  `json:"responseCode"`
}

// coded is the codedEnvelope of a success.
func coded(value any, message string) codedEnvelope {
	return codedEnvelope{
		Value: value, Status: http.StatusOK, IsSuccess: true, Message: message,
		ResponseCode: "00", // from the specification
	}
}

// An errorEnvelope rejects a request (section 7). It has no value.
type errorEnvelope struct {
	IsSuccess    bool   `json:"isSuccess"`
	Error        string `json:"error"`
	Message      string `json:"message"`
	Type         string `json:"type"`
	Title        string `json:"title"`
	Status       int    `json:"status"`
	Detail       string `json:"detail"`
	Instance     string `json:"instance"`
	ResponseCode string `json:"responseCode,omitempty"`
}

// A listRefusal rejects a request to the list endpoint, whose status is a boolean (2.13).
type listRefusal struct {
	Status  bool   `json:"status"`
	Message string `json:"message"`
}

// refuse rejects a request in the operation's own envelope. The text must not quote
// anything from the request.
func (o operation) refuse(status int, text string) answer {
	if o.list {
		return answer{status: status, body: listRefusal{Message: text}}
	}
	e := errorEnvelope{
		Error:    text,
		Message:  text,
		Type:     "about:blank",
		Title:    http.StatusText(status),
		Status:   status,
		Detail:   text,
		Instance: o.path,
	}
	if o.coded {
		e.ResponseCode = "99" // invented
	}
	return answer{status: status, body: e}
}

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
