package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of a document. A page of 100 rows has about 1,500 tokens.
const (
	maxDepth  = 32
	maxNumber = 40
	maxTokens = 20_000
)

// A malformed is why a response cannot be used.
type malformed struct {
	kind Kind
	text string
}

func (f *malformed) Error() string { return f.text }

// jsonSpace is what may stand between the tokens of a document.
const jsonSpace = " \t\r\n"

// readStrict parses a whole document. encoding/json alone silently takes the last of two equal keys,
// folds their case and repairs invalid UTF-8; readStrict rejects, with a *malformed: invalid UTF-8,
// two keys of one object that are equal or differ only in case, more than 32 levels, number literals
// over 40 characters, more than 20,000 tokens, and data after the document. A leading byte order mark
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
	r := strictReader{Decoder: json.NewDecoder(strings.NewReader(src)), src: src, secrets: &secrets}
	r.UseNumber()
	top, err := r.value(1)
	if err == nil && strings.Trim(src[r.InputOffset():], jsonSpace) != "" {
		err = &malformed{KindNotJSON, "there is data after the end of the JSON document"}
	}
	return top, err
}

// A strictReader reads the tokens of a document.
type strictReader struct {
	*json.Decoder
	src     string
	secrets *redactor
	tokens  int
}

// token reads and counts one token. The byte in its error is where the bad token begins.
func (r *strictReader) token() (json.Token, error) {
	if r.tokens++; r.tokens > maxTokens {
		return nil, &malformed{KindSchema, fmt.Sprintf("the response has more than %d JSON tokens", maxTokens)}
	}
	t, err := r.Token()
	if err != nil {
		words := "the response is not JSON"
		if at := r.InputOffset(); at > 0 {
			words += fmt.Sprintf(" at byte %d", at)
		}
		return nil, &malformed{KindNotJSON, words}
	}
	return t, nil
}

// value parses one value and everything in it. depth is that of a container opened here.
func (r *strictReader) value(depth int) (*value, error) {
	start := r.InputOffset()
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	v := &value{secrets: r.secrets}
	switch t := t.(type) {
	case json.Delim:
		err = r.container(v, t, depth)
	case string:
		v.decoded = t
	case json.Number:
		if len(t) > maxNumber {
			err = &malformed{KindSchema, fmt.Sprintf("the response contains a number longer than %d characters", maxNumber)}
		}
	}
	v.raw = strings.TrimLeft(r.src[start:r.InputOffset()], jsonSpace+",:")
	return v, err
}

// container parses the rest of an object or an array.
func (r *strictReader) container(v *value, open json.Delim, depth int) error {
	if depth > maxDepth {
		return &malformed{KindSchema, fmt.Sprintf("the response is nested more than %d levels deep", maxDepth)}
	}
	seen := keySet{}
	for r.More() {
		if open == '{' {
			t, err := r.token()
			if err != nil {
				return err
			}
			key := t.(string) // the decoder accepts no other key
			if !seen.add(key) {
				return &malformed{KindSchema, "the response contains a duplicate key"}
			}
			v.keys = append(v.keys, key)
		}
		part, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		v.parts = append(v.parts, part)
	}
	_, err := r.token() // the end
	return err
}

// A keySet is the keys of one object so far, with their case folded.
type keySet map[string]bool

// add reports whether s was not in the set, ignoring case, and adds it.
func (k keySet) add(s string) bool {
	s = foldCase(s)
	was := k[s]
	k[s] = true
	return !was
}

// foldCase maps all strings that strings.EqualFold considers equal to one string.
func foldCase(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}
