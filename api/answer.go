package api

import (
	"bytes"
	"context"
	"encoding/json"
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
	if _, err := readStrict(a.body, a.redactor); err != nil {
		return a.plainText()
	}
	lines, cut := a.lines()
	return Text{lines[0], strings.Join(lines, "\n")}, cut
}

// lines are those of a document, indented; cut when that is not all of it. What people read is redacted by value, so that no
// escape sequence of JSON hides a number from the redaction.
func (a response) lines() (all []string, cut bool) {
	var indented bytes.Buffer
	_ = json.Indent(&indented, bytes.Trim(a.body, jsonSpace+"\ufeff"), "", "  ") // which has been read before
	size := 0
	shown := rewrite(indented.String(), "", func(_, name string) string { return name }, func(name string, token json.Token, raw string) (s string) {
		if size > answerBytes { // its line is left out
			return ""
		}
		defer func() { size += len(s) }()
		s, is := token.(string)
		switch {
		case !is:
			return Clean(a.redactor.hide(raw)).line
		case name == markupKey && s != "":
			return about(NewMarkup(s))
		}
		s = jsonEscapes.Replace(a.redactor.hide(s))
		cut = cut || len(s) > maxLine // it ends in the number of bytes left out
		return `"` + Clean(s).line + `"`
	})
	all = strings.Split(shown, "\n")
	size = 0
	for i, line := range all {
		if size += len(line); i == AnswerLines-1 || size > answerBytes {
			return append(all[:i], "… cut here"), true
		}
		size++
	}
	return all, cut
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

// markupKey is the part of the authentication check (2.10) that is a page for a browser.
const markupKey = "authenticationhtml"

// about describes a page: markup from outside is never drawn.
func about(m Markup) string {
	return fmt.Sprintf("(hidden: markup of %d bytes, SHA-256 %s…)", m.Size(), m.Sum())
}

// jsonEscapes leaves line breaks to the cleaning, which writes them as JSON does.
var jsonEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
