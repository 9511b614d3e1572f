package sandbox

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
)

// An answer is what an operation says, before it is written: later stages may
// lose it or spoil it on purpose.
type answer struct {
	status int
	body   any
	header http.Header  // more than the usual, such as Allow of a 405
	text   []byte       // what is written; body as JSON when nil
	fault  *activeFault // how it shall go wrong; nil when it shall not
}

func ok(body any) answer { return answer{status: http.StatusOK, body: body} }

// A plainEnvelope is a success with nothing but its value: card initiation (2.5)
// and status (2.12).
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

// A nullEnvelope has the problem fields, null on success: transfer initiation
// (2.5) and channel validation (2.9).
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

// A codedEnvelope has the problem fields filled: the authentication check
// (2.10, where error is a string) and finalize (2.11, where it is null on success).
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

// A errorEnvelope is a no (section 7). There is no value.
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

// A listRefusal is the no of the list endpoint, whose status is a boolean (2.13).
type listRefusal struct {
	Status  bool   `json:"status"`
	Message string `json:"message"`
}

// The response codes: 00 is the specification's, the other is made up.
const (
	codeDone    = "00"
	codeRefused = "99"
)

// refuse says no in the words of the operation's own envelope. The text is ours
// alone: nothing that was sent is ever quoted in it.
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
		e.ResponseCode = codeRefused
	}
	return answer{status: status, body: e}
}

// encode gives the text of an answer.
func (a answer) encode() []byte {
	if a.text != nil {
		return a.text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(a.body); err != nil {
		panic("sandbox: an answer cannot be written as JSON")
	}
	return b.Bytes()
}

const jsonType = "application/json; charset=utf-8"

// write sends an answer whole: it is encoded before the first byte leaves.
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
