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

// A jsonDoc is a JSON document parsed once and strictly: encoding/json silently takes the last of
// two equal keys, folds their case and repairs invalid UTF-8. The entries are in the order of the
// text, each followed by its children, so that a page is a single slice.
type jsonDoc struct {
	src      string
	entries  []entry
	redactor redactor
}

// An entry is one value of a document.
type entry struct {
	kind  byte   // one of { [ " 0 t f n
	key   string // the decoded key of an object's member
	raw   string
	after int // the index after this entry and its children
}

// readStrict parses a whole document. It rejects, with a *malformed: invalid UTF-8, two keys of one
// object that are equal or differ only in case, more than 32 levels, number literals over 40
// characters, more than 20,000 tokens, and data after the document. A leading byte order mark is
// accepted. So is half a surrogate pair (an escape such as \ud800), which displays as U+FFFD:
// rejecting it would make the response to a payment unreadable for one bad letter in a message, and
// no identifier can contain it.
func readStrict(body []byte, v redactor) (value, error) {
	src := strings.TrimPrefix(string(body), "\ufeff")
	if !utf8.ValidString(src) {
		return value{}, &malformed{KindNotJSON, "the response is not valid UTF-8"}
	}
	s := scanner{jsonDoc: &jsonDoc{src: src, redactor: v, entries: make([]entry, 0, len(src)/24+8)}}
	s.skipSpace()
	if s.at == len(src) {
		return value{}, &malformed{KindNotJSON, "the response is empty"}
	}
	if err := s.value("", 1); err != nil {
		return value{}, err
	}
	if s.skipSpace(); s.at != len(src) {
		return value{}, &malformed{KindNotJSON, "there is data after the end of the JSON document"}
	}
	return value{s.jsonDoc, 0}, nil
}

// A scanner fills a jsonDoc.
type scanner struct {
	*jsonDoc
	at     int
	tokens int
}

func (s *scanner) malformed() error {
	return &malformed{KindNotJSON, fmt.Sprintf("the response is not JSON at byte %d", s.at)}
}

// token counts one token.
func (s *scanner) token() error {
	if s.tokens++; s.tokens > maxTokens {
		return &malformed{KindSchema, fmt.Sprintf("the response has more than %d JSON tokens", maxTokens)}
	}
	return nil
}

func (s *scanner) skipSpace() {
	for s.at < len(s.src) {
		switch s.src[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// peek is the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.src) {
		return s.src[s.at]
	}
	return 0
}

// value parses one value and everything in it. depth is that of a container opened here.
func (s *scanner) value(key string, depth int) error {
	if err := s.token(); err != nil {
		return err
	}
	start, mine := s.at, len(s.entries)
	kind := s.peek()
	s.entries = append(s.entries, entry{kind: kind, key: key})
	var err error
	switch {
	case kind == '{' || kind == '[':
		err = s.container(kind, depth)
	case kind == '"':
		err = s.skipString()
	case kind == 't':
		err = s.literal("true")
	case kind == 'f':
		err = s.literal("false")
	case kind == 'n':
		err = s.literal("null")
	default:
		s.entries[mine].kind = '0'
		err = s.skipNumber()
	}
	if err != nil {
		return err
	}
	s.entries[mine].raw = s.src[start:s.at]
	s.entries[mine].after = len(s.entries)
	return nil
}

// container parses an object or an array.
func (s *scanner) container(open byte, depth int) error {
	if depth > maxDepth {
		return &malformed{KindSchema, fmt.Sprintf("the response is nested more than %d levels deep", maxDepth)}
	}
	end := byte('}')
	if open == '[' {
		end = ']'
	}
	var seen keySet
	s.at++
	for first := true; ; first = false {
		s.skipSpace()
		switch {
		case s.peek() == end && first:
			s.at++
			return s.token()
		case !first && s.peek() == end:
			s.at++
			return s.token()
		case !first && s.peek() != ',':
			return s.malformed()
		case !first:
			s.at++
			s.skipSpace()
		}
		key := ""
		if open == '{' {
			var err error
			if key, err = s.key(&seen); err != nil {
				return err
			}
		}
		if err := s.value(key, depth+1); err != nil {
			return err
		}
	}
}

// key parses the key of a member, its colon and the space after it.
func (s *scanner) key(seen *keySet) (string, error) {
	start := s.at
	if s.peek() != '"' {
		return "", s.malformed()
	}
	if err := s.token(); err != nil {
		return "", err
	}
	if err := s.skipString(); err != nil {
		return "", err
	}
	key := unquote(s.src[start:s.at])
	if !seen.add(key) {
		return "", &malformed{KindSchema, "the response contains a duplicate key"}
	}
	s.skipSpace()
	if s.peek() != ':' {
		return "", s.malformed()
	}
	s.at++
	s.skipSpace()
	return key, nil
}

func (s *scanner) literal(w string) error {
	if !strings.HasPrefix(s.src[s.at:], w) {
		return s.malformed()
	}
	s.at += len(w)
	return nil
}

func (s *scanner) skipString() error {
	for s.at++; s.at < len(s.src); s.at++ {
		switch c := s.src[s.at]; {
		case c == '"':
			s.at++
			return nil
		case c < ' ':
			return s.malformed()
		case c == '\\':
			s.at++
			if !s.escape() {
				return s.malformed()
			}
		}
	}
	return s.malformed()
}

// escape checks what follows a backslash, and stops on its last byte.
func (s *scanner) escape() bool {
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for range 4 {
			s.at++
			if !strings.ContainsRune("0123456789abcdefABCDEF", rune(s.peek())) {
				return false
			}
		}
		return true
	}
	return false
}

func (s *scanner) skipNumber() error {
	n := numberLength(s.src[s.at:])
	if n == 0 {
		return s.malformed()
	}
	if n > maxNumber {
		return &malformed{KindSchema, fmt.Sprintf("the response contains a number longer than %d characters", maxNumber)}
	}
	s.at += n
	return nil
}

// numberLength is the length of the JSON number at the start of s; 0 when there is none.
func numberLength(s string) int {
	i := 0
	digits := func() bool {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return 0
	}
	if i < len(s) && s[i] == '.' {
		if i++; !digits() {
			return 0
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return 0
		}
	}
	return i
}

// unquote decodes a scanned string.
func unquote(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw[1 : len(raw)-1]
	}
	var s string
	if json.Unmarshal([]byte(raw), &s) != nil {
		return ""
	}
	return s
}

// A keySet is the keys of one object so far. Most objects have few keys, and comparing those is
// cheaper than a map.
type keySet struct {
	few  [12]string
	n    int
	many map[string]bool
}

// add reports whether s was not in the set, ignoring case, and adds it.
func (k *keySet) add(s string) bool {
	if k.many == nil {
		for _, old := range k.few[:k.n] {
			if strings.EqualFold(old, s) {
				return false
			}
		}
		if k.n < len(k.few) {
			k.few[k.n] = s
			k.n++
			return true
		}
		k.many = make(map[string]bool)
		for _, old := range k.few {
			k.many[foldCase(old)] = true
		}
	}
	f := foldCase(s)
	was := k.many[f]
	k.many[f] = true
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
