package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"paydesk/api/card"
	"paydesk/api/text"
)

// An Exchange is one request and how it ended, for a log that may be shown to anybody. It has no place
// for a body, a header, a key or a card, and its texts are the program's own.
type Exchange struct {
	At        time.Time
	Took      time.Duration
	Operation Operation
	Method    string
	Host      string
	Path      string // of its query only page numbers
	Reference string // of the payment, where it is known; not to be sent, since it may be redacted
	Attempt   string // the attempt that the journal recorded for it; "" for none
	Try       int    // from 1; a GET may be retried
	Status    int    // of the response; 0 without one
	Sent      int64  // bytes of the body
	Received  int64  // bytes of the body that were read
	Outcome   Outcome
	Why       string // what went wrong; "" for nothing
	Bulk      bool   // one of the many requests of a scan
}

// The outcomes of an exchange that changes nothing, besides [OutcomeRefused].
const (
	OutcomeAnswered  Outcome = "answered"
	OutcomeFailed    Outcome = "failed"    // there was no usable response
	OutcomeCancelled Outcome = "cancelled" // the caller stopped waiting for it
)

type attemptContext struct{}

// WithAttempt names the attempt, as the journal does, for the exchanges of the requests sent with ctx.
func WithAttempt(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, attemptContext{}, id)
}

// A trail collects the exchanges of one operation. The last one is reported when the operation has
// judged the response.
type trail struct {
	give func(Exchange) // nil for none
	Exchange
	begun bool // Exchange is one that was not reported yet
}

type trailContext struct{}

// observe runs an operation and reports its exchanges to the client's observer.
func observe[T any](
	ctx context.Context, c *Client, op Operation, r Reference, do func(context.Context) (T, error),
) (v T, err error) {
	attempt, _ := ctx.Value(attemptContext{}).(string)
	t := &trail{give: c.config.Observe, Exchange: Exchange{Operation: op, Attempt: attempt, Bulk: IsBulk(ctx)}}
	t.Reference = c.loggable(string(r))
	judged := errBroken // what a panic leaves
	defer func() { t.report(judged) }()
	v, err = do(context.WithValue(ctx, trailContext{}, t))
	if p, ok := any(v).(Payment); ok {
		t.Reference = c.loggable(string(p.Reference))
	}
	judged = err
	return v, err
}

var errBroken = errors.New("paydesk failed while it was read")

// begin notes that r is about to be sent. Where an exchange came before it, r retries that one.
func (t *trail) begin(c *Client, r request) {
	t.report(&Failure{HTTP: t.Status})
	t.begun = true
	t.Try++
	t.Status, t.Received, t.Why = 0, 0, ""
	t.At, t.Host, t.Path = time.Now(), r.origin.Host, c.loggedPath(r)
	t.Method, t.Sent = http.MethodGet, int64(len(r.body))
	if r.body != nil {
		t.Method = http.MethodPost
	}
}

// end notes what came back.
func (t *trail) end(a response, f *transportError) {
	t.Took, t.Status, t.Received = time.Since(t.At), a.status, a.received
	if f != nil {
		t.Why = (&Failure{Kind: f.kind, Detail: Clean(f.text)}).Cause()
	}
}

// report reports the exchange, judged by the error of its operation.
func (t *trail) report(err error) {
	if !t.begun || t.give == nil {
		return
	}
	t.begun = false
	e := t.Exchange
	e.Outcome = t.Operation.outcome(err)
	if e.Why == "" && err != nil {
		e.Why = ownWords(err)
	}
	t.give(e)
}

// outcome returns the outcome of an operation in the words of what it does.
func (o Operation) outcome(err error) Outcome {
	failed, is := errors.AsType[*Failure](err)
	switch out := OutcomeOf(err); {
	case o.Rule().Sends() || out == OutcomeRefused:
		return out
	case err == nil:
		return OutcomeAnswered
	case is && failed.Kind == KindCancelled:
		return OutcomeCancelled
	}
	return OutcomeFailed
}

// ownWords returns what an error says without the words of the service, which may repeat what a person
// typed. Of a rejection its code is kept.
func ownWords(err error) string {
	refusal, refused := errors.AsType[*Refusal](err)
	unresolved, unknown := errors.AsType[*Unresolved](err)
	failed, is := errors.AsType[*Failure](err)
	switch {
	case refused && isToken(refusal.Code.Line(0), 8, ""):
		return "The service rejected the request (code " + refusal.Code.Line(0) + ")."
	case refused:
		return "The service rejected the request."
	case unknown:
		return unresolved.Kind.String()
	case is && failed.Kind == 0 && failed.HTTP != 0:
		return KindHTTP.String()
	case is:
		return failed.Kind.String()
	}
	return "The response could not be read."
}

// pageNumbers is the only query that is logged.
var pageNumbers = text.Pattern(`^page=\d{1,9}&perPage=\d{1,3}$`)

func (c *Client) loggedPath(r request) string {
	path, query, _ := strings.Cut(r.origin.EscapedPath()+r.path, "?")
	if pageNumbers().MatchString(query) {
		return c.loggable(path) + "?" + query
	}
	return c.loggable(path)
}

// loggable hides a key or a card number that a person typed for a reference.
func (c *Client) loggable(s string) string {
	s = redactor{key: c.config.Key.Expose()}.redact(s)
	// A reference may have more characters between digits than people write into card numbers.
	if spaced := strings.NewReplacer("_", " ", ":", " ").Replace(s); card.Redact(spaced) != spaced {
		return card.Redact(spaced)
	}
	return s
}

// encode writes v as JSON, indented when indent is not empty. Unprintable characters become \u
// escapes, which mean the same to a JSON reader and nothing to a terminal; < > & are not escaped. Its
// error is a [*Failure].
func encode(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, notSent("the request cannot be encoded as JSON")
	}
	readable := func(r rune) bool { return r == '\n' || strconv.IsPrint(r) }
	return EscapeJSON(bytes.TrimSuffix(out.Bytes(), []byte{'\n'}), readable), nil
}

// preview is encode for people, indented.
func preview(v any) string {
	b, _ := encode(v, "  ")
	return string(b)
}

// EscapeJSON writes the characters of a JSON text that keep does not hold of as \u escapes. Those
// outside ASCII, and a deletion character, occur in its strings only.
func EscapeJSON(b []byte, keep func(rune) bool) []byte {
	var out []byte
	for _, r := range string(b) {
		if keep(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, half := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, `\u%04x`, half)
		}
	}
	return out
}
