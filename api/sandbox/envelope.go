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

// succeeded answers with a value, a message, and fields of a problem that are null, as transfer initiation (2.5) and channel
// validation (2.9) do. Card initiation (2.5), link creation (2.8) and status (2.12) have no such fields.
func succeeded(value any, message string) *answer {
	return ok(objectNode(
		"value", value, "isSuccess", true, "error", nil, "message", message,
		"type", nil, "title", nil, "status", nil, "detail", nil, "instance", nil,
	))
}

// coded answers as succeeded does, with fields of a problem that have values: the authentication check (2.10, where error is a
// string) and finalize (2.11, where it is null). Its responseCode is from the specification.
func coded(value, err any, message string) *answer {
	return ok(objectNode(
		"value", value, "type", "", "title", "", "status", http.StatusOK, "detail", "", "instance", "",
		"isSuccess", true, "error", err, "message", message, "responseCode", "00",
	))
}

// refuse rejects a request in the operation's own envelope (section 7), which has no value; that of the list has a status that
// is a boolean (2.13). The text must not quote anything from the request.
func (o operation) refuse(status int, text string) *answer {
	if o.list {
		return &answer{status: status, body: objectNode("status", false, "message", text)}
	}
	body := objectNode(
		"isSuccess", false, "error", text, "message", text,
		"type", "about:blank", "title", http.StatusText(status), "status", status, "detail", text, "instance", "", // see locate
	)
	if o.coded {
		body.add("responseCode", "99") // invented
	}
	return &answer{status: status, body: body}
}

// locate fills in the instance of a refusal: the path of the request as it was sent, of which only
// the fixed part is repeated when the rest may hold a card number or the key.
func (s *Sandbox) locate(a *answer, op operation, r *http.Request) *answer {
	body, _ := a.body.(node)
	instance := body.member("instance")
	if a.status == http.StatusOK || instance == nil {
		return a
	}
	path := r.URL.EscapedPath()
	if len(path) > maxURL || s.secret(r.URL.Path) {
		path = cmp.Or(strings.TrimSuffix(op.path, "{reference}"), "/")
	}
	*instance = stringNode(path)
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
