package api

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// The bounds of an answer that is kept for people.
const (
	AnswerLines = 4_000     // lines of the body
	answerBytes = 128 << 10 // of the body
	splitNumber = 1 << 10   // bytes read beyond a cut, which may split a number that has to be hidden
)

// An Answer is a whole response as people read it. It has every part of the document, indented, so that
// what no screen shows can be read all the same; the secrets of the request and whatever looks like a
// card number are hidden, and the text is cleaned. It is never parsed again.
type Answer struct {
	At       time.Time // when it was received
	Attempt  string    // the attempt that the journal recorded for it; "" for none
	HTTP     int
	Received int64         // bytes of the body that were read
	Body     Text          // a block of at most [AnswerLines] lines
	Cut      bool          // Body is not the whole
	Ahead    time.Duration // of the service's clock, before this machine's
}

type answerContext struct{}

// WithAnswers gives keep every response to the requests sent with ctx, a rejection too, before anything
// is decided about it. keep is called by whoever sends, one response at a time.
func WithAnswers(ctx context.Context, keep func(Answer)) context.Context {
	return context.WithValue(ctx, answerContext{}, keep)
}

// keepAnswer gives a response to whoever wants to keep it.
func keepAnswer(ctx context.Context, a response) {
	keep, wanted := ctx.Value(answerContext{}).(func(Answer))
	if !wanted || a.ok() && IsBulk(ctx) {
		return
	}
	attempt, _ := ctx.Value(attemptContext{}).(string)
	body, cut := a.readable()
	keep(Answer{At: time.Now(), Attempt: attempt, HTTP: a.status, Received: a.received, Body: body, Cut: cut, Ahead: a.ahead})
}

// readable returns the body for people; cut when that is not all of it.
func (a response) readable() (body Text, cut bool) {
	switch {
	case a.encoded:
		return Clean("(not read: it has a content encoding that was not requested)"), true
	case a.tooLarge:
		return Clean("(not kept: it exceeds the size limit)"), true
	}
	top, err := readStrict(a.body, a.redactor)
	if err != nil {
		return a.plainText()
	}
	var d indenter
	d.value("", top, "")
	return d.text()
}

// plainText is a body that is not a document, such as the page of a gateway.
func (a response) plainText() (Text, bool) {
	s, cut := string(a.body), len(a.body) > maxBlock
	if cut {
		s = s[:min(len(s), maxBlock+splitNumber)]
	}
	s = a.redactor.hide(s)
	if cut {
		s = firstBytes(s, max(len(s)-splitNumber, 0))
	}
	t := Clean(s)
	return t, cut || strings.Count(s, "\n") >= maxLines
}

// An indenter writes a document a line at a time. What people read is redacted by value, so that no escape
// sequence of JSON hides a number from the redaction.
type indenter struct {
	lines []string
	bytes int
	cut   bool // lines are left out
	short bool // a text in it is
}

// text is the document so far.
func (d *indenter) text() (Text, bool) {
	if d.cut {
		d.lines = append(d.lines, "… cut here")
	}
	block := strings.Join(d.lines, "\n")
	line, _, _ := strings.Cut(block, "\n")
	return Text{line, block}, d.cut || d.short
}

// line adds a line, unless the document is long enough.
func (d *indenter) line(s string) {
	if d.cut || len(d.lines) == AnswerLines-1 || d.bytes+len(s) > answerBytes {
		d.cut = true
		return
	}
	d.lines = append(d.lines, s)
	d.bytes += len(s) + 1
}

// value writes a value behind its key, if it has one, and a comma unless it is the last one.
func (d *indenter) value(head string, v *value, comma string) {
	indent := head[:len(head)-len(strings.TrimLeft(head, " "))]
	open, end := "{", "}"
	switch v.kind() {
	case '[':
		open, end = "[", "]"
	case '{':
	default:
		d.line(head + d.scalar(v) + comma)
		return
	}
	if len(v.parts) == 0 {
		d.line(head + open + end + comma)
		return
	}
	d.line(head + open)
	for i, part := range v.parts {
		head, next := indent+"  ", ","
		if i == len(v.parts)-1 {
			next = ""
		}
		if v.kind() == '{' {
			head += d.quoted(v.keys[i], v.secrets) + ": "
		}
		if markup, _ := part.text(); markup != "" && v.kind() == '{' && v.keys[i] == markupKey {
			d.line(head + about(NewMarkup(markup)) + next)
			continue
		}
		if d.value(head, part, next); d.cut {
			return
		}
	}
	d.line(indent + end + comma)
}

// markupKey is the part of the authentication check (2.10) that is a page for a browser.
const markupKey = "authenticationhtml"

// about describes a page: markup from outside is never drawn.
func about(m Markup) string {
	return fmt.Sprintf("(hidden: markup of %d bytes, SHA-256 %s…)", m.Size(), m.Sum())
}

// scalar is a value without parts.
func (d *indenter) scalar(v *value) string {
	if s, is := v.text(); is {
		return d.quoted(s, v.secrets)
	}
	return Clean(v.secrets.hide(v.raw)).line
}

// quoted is a text of a document, on one line. One that is too long ends in the number of bytes left out.
func (d *indenter) quoted(s string, secrets *redactor) string {
	s = jsonEscapes.Replace(secrets.hide(s))
	d.short = d.short || len(s) > maxLine
	return `"` + Clean(s).line + `"`
}

// jsonEscapes leaves line breaks to the cleaning, which writes them as JSON does.
var jsonEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
