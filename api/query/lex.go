package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a term as it was typed.
type token struct {
	not        bool
	field      string // as typed; "" for none
	fieldAt    int    // where it begins, in bytes
	text       string // its values, as typed
	at         int    // where they begin
	start, end int
}

// compares are the characters of comparisons.
const compares = "<>="

func isQuote(r rune) bool { return r == '"' || r == '“' || r == '”' || r == '„' }

// A lexer divides a text into tokens.
type lexer struct {
	l    *Language
	text string
	at   int
}

// next returns the next token; ok is false at the end of the text.
func (x *lexer) next() (t token, ok bool) {
	x.blanks()
	if x.at == len(x.text) {
		return t, false
	}
	t.start = x.at
	if rest := x.text[x.at:]; rest[0] == '-' && len(rest) > 1 && !unicode.IsSpace(firstRune(rest[1:])) {
		t.not = true
		x.at++
	}
	x.fieldOf(&t)
	t.at = x.at
	x.values()
	x.groups(t)
	t.text, t.end = x.text[t.at:x.at], x.at
	return t, true
}

func (x *lexer) blanks() {
	x.at = len(x.text) - len(strings.TrimLeftFunc(x.text[x.at:], unicode.IsSpace))
}

// fieldOf reads the field of a token, if it has one: a name and a colon, or the name of a field and a
// comparison.
func (x *lexer) fieldOf(t *token) {
	rest := x.text[x.at:]
	n := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
	if n < 1 || !unicode.IsLetter(firstRune(rest)) {
		return
	}
	name, after := rest[:n], rest[n:]
	skip := 0
	switch known := x.l.field(name) != nil; {
	case strings.HasPrefix(after, "://"):
		return
	case after[0] == ':':
		skip = 1
	case !known:
		return
	case strings.HasPrefix(after, "!="):
		skip, t.not = 2, !t.not
	case strings.HasPrefix(strings.TrimLeft(after, " "), "<"), strings.HasPrefix(strings.TrimLeft(after, " "), ">"):
		skip = len(after) - len(strings.TrimLeft(after, " "))
	case after[0] == '=':
	default:
		return
	}
	t.field, t.fieldAt = name, x.at
	x.at += n + skip
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// values reads up to the blank that ends the values: none in quotation marks, after a comma, or between a
// comparison and its amount.
func (x *lexer) values() {
	begins := true // of a value
	for x.at < len(x.text) {
		r, size := utf8.DecodeRuneInString(x.text[x.at:])
		switch {
		case unicode.IsSpace(r):
			if end := x.at; !begins || x.at == 0 || !x.goesOn() {
				x.at = end
				return
			}
		case begins && isQuote(r):
			_, n, _ := unquote(x.text[x.at:])
			x.at += n
			begins = false
		default:
			begins = r == ',' || begins && (r == '*' || strings.ContainsRune(compares, r))
			x.at += size
		}
	}
}

// goesOn skips the blanks after a comma or a comparison, and reports whether a value follows.
func (x *lexer) goesOn() bool {
	last := x.text[x.at-1]
	if last != ',' && !strings.ContainsRune(compares, rune(last)) {
		return false
	}
	x.blanks()
	return x.at < len(x.text)
}

// groups reads on through the groups of digits behind a plus where the value is only whole with them: a telephone number as people
// write it, which has blanks.
func (x *lexer) groups(t token) {
	first := x.text[t.at:x.at]
	if !strings.HasPrefix(first, "+") {
		return
	}
	looks := func(string) bool { return false }
	for i := range x.l.Fields {
		f := &x.l.Fields[i]
		if f.Looks != nil && f.Looks(first) && (t.field == "" || x.l.field(t.field) == f) && (f.Whole == nil || !f.Whole(first)) {
			looks = f.Looks
		}
	}
	for word := range strings.FieldsSeq(x.text[x.at:]) {
		if !looks("+" + word) {
			return
		}
		x.at += strings.Index(x.text[x.at:], word) + len(word)
	}
}

// unquote reads the text in the quotation marks that s begins with: the text, its length with them, and
// whether they are closed.
func unquote(s string) (text string, n int, closed bool) {
	var b strings.Builder
	_, at := utf8.DecodeRuneInString(s)
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		next, more := utf8.DecodeRuneInString(s[at+size:])
		switch {
		case r == '\\' && (next == '\\' || isQuote(next)):
			at, size = at+size, more
		case isQuote(r):
			return b.String(), at + size, true
		}
		b.WriteString(s[at : at+size])
		at += size
	}
	return b.String(), len(s), false
}

// An item is one of the values of a token, as text with stars around it.
type item struct {
	text       string
	quoted     bool
	head, tail bool // a * before it, after it
	start, end int  // where it stands, in bytes
}

// items divides the values of a token at its commas. A problem shows where one is missing, or quotation marks
// are wrong.
func items(t token) (all []item, problems []Problem) {
	for at := 0; at <= len(t.text); {
		one, next, wrong := itemAt(t.text, at)
		if one.empty() && (at > 0 || next <= len(t.text)) {
			one.start = min(one.start, len(t.text)-1) // the comma after it, or the one before
			wrong = "Write a value before and after a comma, as in failed,pending."
		}
		one.start, one.end = one.start+t.at, one.end+t.at
		if wrong != "" {
			problems = append(problems, Problem{one.start, max(one.end, one.start+1), wrong})
		}
		all = append(all, one)
		at = next
	}
	return all, problems
}

// empty reports whether nothing was typed.
func (i item) empty() bool { return i.text == "" && !i.quoted && !i.head && !i.tail }

// itemAt reads the item at a place, and returns where the next one begins.
func itemAt(s string, at int) (one item, next int, wrong string) {
	at = len(s) - len(strings.TrimLeftFunc(s[at:], unicode.IsSpace))
	one.start = at
	if at < len(s) && s[at] == '*' {
		one.head = true
		at++
	}
	if at < len(s) && isQuote(firstRune(s[at:])) {
		text, n, closed := unquote(s[at:])
		one.text, one.quoted = text, true
		if at += n; !closed {
			one.end = at
			return one, len(s) + 1, `Close the quotation marks, as in "two words".`
		}
		if strings.HasPrefix(s[at:], "*") {
			one.tail = true
			at++
		}
		if at < len(s) && s[at] != ',' {
			wrong = `Leave a blank after the quotation marks, as in "two words" more.`
		}
	}
	rest := s[at:]
	n := strings.IndexByte(rest, ',')
	if n < 0 {
		n = len(rest)
	}
	one.end = at + n
	if !one.quoted {
		one.text = strings.TrimRightFunc(rest[:n], unicode.IsSpace)
		one.text, one.tail = strings.CutSuffix(one.text, "*")
	}
	return one, one.end + 1, wrong
}
