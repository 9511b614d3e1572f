package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The bounds of a document. A page of 100 rows has about 1,500 tokens.
const (
	maxDepth  = 32
	maxNumber = 40
	maxKeys   = 500 // of one object: each is compared with all others
	maxTokens = 20_000
)

// A malformed says why a response cannot be used.
type malformed struct {
	kind Kind
	text string
}

func (f *malformed) Error() string { return f.text }

// jsonSpace may stand between the tokens of a document.
const jsonSpace = " \t\r\n"

// readStrict parses a whole document. encoding/json alone silently takes the last of two equal keys,
// folds their case and repairs invalid UTF-8; readStrict rejects, with a *malformed: invalid UTF-8,
// two keys of one object that are equal or differ only in case, more than 32 levels, number literals
// over 40 characters, more than 500 keys in an object or 20,000 tokens, and data after the document. A leading byte order mark
// is accepted. So is half a surrogate pair (an escape such as \ud800), which displays as U+FFFD:
// rejecting it would make the response to a payment unreadable for one bad letter in a message, and
// no identifier can contain it.
func readStrict(body []byte, secrets redactor) (*value, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	switch {
	case !utf8.Valid(body):
		return nil, &malformed{KindNotJSON, "the response is not valid UTF-8"}
	case len(bytes.Trim(body, jsonSpace)) == 0:
		return nil, &malformed{KindNotJSON, "the response is empty"}
	case !json.Valid(body):
		return nil, notJSON(body)
	}
	r := strictReader{src: string(body), secrets: &secrets}
	return r.value(1)
}

var errTooDeep = &malformed{KindSchema, fmt.Sprintf("the response is nested more than %d levels deep", maxDepth)}

// notJSON says at which byte a document stops being one, unless it never was.
func notJSON(body []byte) error {
	d, at := json.NewDecoder(bytes.NewReader(body)), len(body)
	switch err := d.Decode(new(json.RawMessage)); {
	case err == nil:
		return &malformed{KindNotJSON, "there is data after the end of the JSON document"}
	case strings.Contains(err.Error(), "exceeded max depth"): // which is 10,000
		return errTooDeep
	default:
		if bad, is := errors.AsType[*json.SyntaxError](err); is {
			at = int(bad.Offset) - 1
		}
	}
	words := "the response is not JSON"
	if at > 0 {
		words += fmt.Sprintf(" at byte %d", at)
	}
	return &malformed{KindNotJSON, words}
}

// usualKeys is the usual number of keys in an object of the list.
const usualKeys = 4

// A strictReader reads a document that is JSON, in one pass.
type strictReader struct {
	src     string
	at      int // what is before it was read
	secrets *redactor
	tokens  int
	room    []value // for values that come: a document has thousands
}

// atOnce is the number of values for which room is made at once.
const atOnce = 64

// count counts tokens that were met.
func (r *strictReader) count(n int) error {
	if r.tokens += n; r.tokens > maxTokens {
		return &malformed{KindSchema, fmt.Sprintf("the response has more than %d JSON tokens", maxTokens)}
	}
	return nil
}

// peek skips blanks, and returns the byte behind them.
func (r *strictReader) peek() byte {
	for strings.IndexByte(jsonSpace, r.src[r.at]) >= 0 {
		r.at++
	}
	return r.src[r.at]
}

// value parses one value and everything in it. depth is that of a container opened here.
func (r *strictReader) value(depth int) (*value, error) {
	err := r.count(1)
	if len(r.room) == 0 {
		r.room = make([]value, atOnce)
	}
	v := &r.room[0]
	r.room, v.secrets = r.room[1:], r.secrets
	first := r.peek()
	start := r.at
	switch {
	case err != nil:
	case first == '{', first == '[':
		err = r.container(v, first, depth)
	case first == '"':
		v.decoded = r.text()
	default:
		for r.at < len(r.src) && strings.IndexByte(",]}"+jsonSpace, r.src[r.at]) < 0 {
			r.at++
		}
		if r.at-start > maxNumber {
			err = &malformed{KindSchema, fmt.Sprintf("the response contains a number longer than %d characters", maxNumber)}
		}
	}
	v.raw = r.src[start:r.at]
	return v, err
}

// text reads a string. Few have escapes, which are left to encoding/json.
func (r *strictReader) text() string {
	start, escaped := r.at, false
	for r.at++; r.src[r.at] != '"'; r.at++ {
		if r.src[r.at] == '\\' {
			escaped = true
			r.at++
		}
	}
	r.at++
	if !escaped {
		return r.src[start+1 : r.at-1]
	}
	var decoded string
	_ = json.Unmarshal([]byte(r.src[start:r.at]), &decoded) // which has read it before
	return decoded
}

// container parses an object or an array. Its end is two behind its beginning in ASCII: { and }, [ and ].
func (r *strictReader) container(v *value, open byte, depth int) error {
	if depth > maxDepth {
		return errTooDeep
	}
	if open == '{' {
		v.keys, v.parts = make([]string, 0, usualKeys), make([]*value, 0, usualKeys)
	}
	for r.at++; r.peek() != open+2; {
		if r.src[r.at] == ',' {
			r.at++
		}
		if open == '{' {
			if err := r.key(v); err != nil {
				return err
			}
		}
		part, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		v.parts = append(v.parts, part)
	}
	r.at++
	return r.count(1)
}

// key reads a key of an object and the colon.
func (r *strictReader) key(v *value) error {
	r.peek()
	key := r.text()
	switch {
	case len(v.keys) == maxKeys:
		return &malformed{KindSchema, fmt.Sprintf("the response has an object with more than %d keys", maxKeys)}
	case hasFold(v.keys, key):
		return &malformed{KindSchema, "the response contains a duplicate key"}
	}
	v.keys = append(v.keys, key)
	r.peek()
	r.at++ // the colon
	return r.count(1)
}

// hasFold reports whether a word is among others, in any letter case.
func hasFold(others []string, word string) bool {
	return slices.ContainsFunc(others, func(other string) bool { return strings.EqualFold(other, word) })
}

// A rewriter copies a document token by token.
type rewriter struct {
	*json.Decoder
	src    string
	copied int // of src into out
	out    strings.Builder
	named  func(outer, name string) (label string)
	write  func(label string, token json.Token, raw string) string
}

// rewrite returns a document, which has to be valid, with what write returns in the place of each name and of each value
// without parts; all else stays as it is. A value has the label of the document, or what named returns for the name of its
// member and the label of the object that has it. A name has the label "".
func rewrite(
	document, label string, named func(outer, name string) string, write func(label string, token json.Token, raw string) string,
) string {
	w := &rewriter{Decoder: json.NewDecoder(strings.NewReader(document)), src: document, named: named, write: write}
	w.UseNumber()
	w.value(label)
	return w.out.String() + document[w.copied:]
}

func (w *rewriter) value(label string) {
	open := w.next(label)
	if open != json.Delim('{') && open != json.Delim('[') {
		return
	}
	for w.More() {
		inner := label
		if open == json.Delim('{') {
			inner = w.named(label, fmt.Sprint(w.next("")))
		}
		w.value(inner)
	}
	w.next("") // its end
}

// next reads a token, and writes what stands in its place.
func (w *rewriter) next(label string) json.Token {
	from := w.InputOffset()
	token, _ := w.Token()
	if _, is := token.(json.Delim); is {
		return token
	}
	to := int(w.InputOffset())
	raw := strings.TrimLeft(w.src[from:to], jsonSpace+",:")
	w.out.WriteString(w.src[w.copied:to-len(raw)] + w.write(label, token, raw))
	w.copied = to
	return token
}
