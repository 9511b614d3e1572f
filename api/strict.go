package api

import (
	"encoding/json"
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
	src := strings.TrimPrefix(string(body), "\ufeff")
	switch {
	case !utf8.ValidString(src):
		return nil, &malformed{KindNotJSON, "the response is not valid UTF-8"}
	case strings.Trim(src, jsonSpace) == "":
		return nil, &malformed{KindNotJSON, "the response is empty"}
	}
	r := strictReader{src: src, secrets: &secrets}
	top, err := r.value(1)
	if err == nil && strings.Trim(src[r.at:], jsonSpace) != "" {
		err = &malformed{KindNotJSON, "there is data after the end of the JSON document"}
	}
	return top, err
}

// A strictReader reads a document in one pass.
type strictReader struct {
	src     string
	at      int // what is before it was read
	secrets *redactor
	tokens  int
}

// begin skips to the next token and counts it. It returns the first byte of it, 0 at the end of the document.
func (r *strictReader) begin() (byte, error) {
	if r.tokens++; r.tokens > maxTokens {
		return 0, &malformed{KindSchema, fmt.Sprintf("the response has more than %d JSON tokens", maxTokens)}
	}
	return r.peek(), nil
}

// peek skips blanks, and returns the byte behind them, 0 at the end of the document.
func (r *strictReader) peek() byte {
	for ; r.at < len(r.src); r.at++ {
		switch b := r.src[r.at]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}

// bad returns the error of a token that cannot be read, with the byte at which it begins.
func (r *strictReader) bad() error {
	words := "the response is not JSON"
	if r.at > 0 {
		words += fmt.Sprintf(" at byte %d", r.at)
	}
	return &malformed{KindNotJSON, words}
}

// value parses one value and everything in it. depth is that of a container opened here.
func (r *strictReader) value(depth int) (*value, error) {
	first, err := r.begin()
	if err != nil {
		return nil, err
	}
	v := &value{secrets: r.secrets}
	start := r.at
	switch {
	case first == '{', first == '[':
		r.at++
		err = r.container(v, first, depth)
	case first == '"':
		v.decoded, err = r.text()
	case first == '-' || digit(first):
		err = r.number()
	case !r.skip("true") && !r.skip("false") && !r.skip("null"):
		err = r.bad()
	}
	v.raw = r.src[start:r.at]
	return v, err
}

// skip skips a word, if it is there.
func (r *strictReader) skip(word string) bool {
	is := strings.HasPrefix(r.src[r.at:], word)
	if is {
		r.at += len(word)
	}
	return is
}

// text reads a string. Few have escapes, which are left to encoding/json.
func (r *strictReader) text() (string, error) {
	escaped := false
	for i := r.at + 1; i < len(r.src); i++ {
		switch b := r.src[i]; {
		case b == '"':
			raw, decoded, ok := r.src[r.at:i+1], r.src[r.at+1:i], true
			if escaped {
				decoded, ok = unescape(raw)
			}
			if !ok {
				return "", r.bad()
			}
			r.at = i + 1
			return decoded, nil
		case b == '\\':
			escaped = true
			i++
		case b < ' ':
			return "", r.bad()
		}
	}
	return "", r.bad()
}

// unescape decodes a string with escapes.
func unescape(raw string) (decoded string, ok bool) {
	err := json.Unmarshal([]byte(raw), &decoded)
	return decoded, err == nil
}

// number reads a number.
func (r *strictReader) number() error {
	i := r.at
	digits := func() bool {
		from := i
		for i < len(r.src) && digit(r.src[i]) {
			i++
		}
		return i > from
	}
	is := func(set string) bool {
		there := i < len(r.src) && strings.IndexByte(set, r.src[i]) >= 0
		if there {
			i++
		}
		return there
	}
	is("-")
	if !is("0") && !digits() || is(".") && !digits() {
		return r.bad()
	}
	if is("eE") {
		if is("+-"); !digits() {
			return r.bad()
		}
	}
	if i-r.at > maxNumber {
		return &malformed{KindSchema, fmt.Sprintf("the response contains a number longer than %d characters", maxNumber)}
	}
	r.at = i
	return nil
}

// container parses the rest of an object or an array.
func (r *strictReader) container(v *value, open byte, depth int) error {
	if depth > maxDepth {
		return &malformed{KindSchema, fmt.Sprintf("the response is nested more than %d levels deep", maxDepth)}
	}
	for first := true; ; first = false {
		b := r.peek()
		switch {
		case b == open+2: // the end: { and }, as [ and ], are two apart
			if _, err := r.begin(); err != nil {
				return err
			}
			r.at++
			return nil
		case !first && b != ',':
			return r.bad()
		case !first:
			if r.at++; r.peek() == open+2 {
				return r.bad()
			}
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
}

// key reads a key of an object and the colon.
func (r *strictReader) key(v *value) error {
	b, err := r.begin()
	if err != nil {
		return err
	}
	if b != '"' {
		return r.bad()
	}
	key, err := r.text()
	if err != nil {
		return err
	}
	switch {
	case len(v.keys) == maxKeys:
		return &malformed{KindSchema, fmt.Sprintf("the response has an object with more than %d keys", maxKeys)}
	case hasFold(v.keys, key):
		return &malformed{KindSchema, "the response contains a duplicate key"}
	}
	v.keys = append(v.keys, key)
	if r.peek() != ':' {
		return r.bad()
	}
	r.at++
	return nil
}

// hasFold reports whether a word is among others, in any letter case.
func hasFold(others []string, word string) bool {
	return slices.ContainsFunc(others, func(other string) bool { return strings.EqualFold(other, word) })
}
