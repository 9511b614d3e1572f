package card

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"html"
	"regexp"
	"strconv"
	"strings"

	"paydesk/api/text"
)

// An encoding is a way to write a text so that its characters are not to be seen in it. run matches
// what may be written so, and decode returns all that a run can stand for.
type encoding struct {
	run    func() *regexp.Regexp
	decode func(run string) []string
	marks  string // characters one of which is in every run; "" for any
}

// encodings lists those in which a secret and a card number are looked for: escapes of URLs, JSON and HTML;
// hexadecimal digits, in one piece or in pairs; base64 with either alphabet. In each of them a PAN is longer
// than the shortest run.
var encodings = [...]encoding{
	{text.Pattern(`(?:(?:` + escape + `|\w)[+.,:~-]?)+`), unescape, `%\&`},
	{text.Pattern(`[0-9A-Fa-f]{24,}`), unhex, ""},
	{text.Pattern(`\b[0-9A-Fa-f]{2}(?:[ :,.-][0-9A-Fa-f]{2}){11,}\b`), unhex, ""},
	{text.Pattern(`[A-Za-z0-9+/_\r\n-]{16,}={0,2}`), unbase64, ""},
}

const (
	nested      = 3  // encodings around each other that are looked into
	shortestIn  = 16 // fewest bytes of a text that has an encoded number
	shortestRun = 15 // and of what encodes it: three for the first of thirteen digits
)

// HideEncoded replaces what find finds in the encodings in s: it is called with decoded texts, and returns
// what stands in the place of what it found, "" when it found nothing.
func HideEncoded(s string, find func(decoded string) (mask string)) string {
	if !mayEncode(s) || IsUUID(s) {
		return s
	}
	for _, e := range encodings {
		if !e.mayBeIn(s) {
			continue
		}
		s = e.run().ReplaceAllStringFunc(s, func(run string) string {
			return cmp.Or(e.find(run, nested-1, find), run)
		})
	}
	return s
}

// FindEncoded is the first that [HideEncoded] would put into s, "" when it would change nothing.
func FindEncoded(s string, find func(decoded string) (mask string)) (mask string) {
	return findEncoded(s, nested, find)
}

func findEncoded(s string, depth int, find func(string) string) (mask string) {
	if depth == 0 || !mayEncode(s) {
		return ""
	}
	for _, e := range encodings {
		if !e.mayBeIn(s) {
			continue
		}
		for _, run := range e.run().FindAllString(s, -1) {
			if mask = e.find(run, depth-1, find); mask != "" {
				return mask
			}
		}
	}
	return ""
}

// mayEncode saves most words, and most of what is decoded from anything but text, the search for
// runs: each is a row of the printable characters of ASCII and line breaks.
func mayEncode(s string) bool {
	if len(s) < shortestIn {
		return false
	}
	row := 0
	for i := 0; i < len(s) && row < shortestRun; i++ {
		row++
		if b := s[i]; (b < ' ' || b > '~') && b != '\r' && b != '\n' {
			row = 0
		}
	}
	return row >= shortestRun
}

// mayBeIn saves most texts the search for runs.
func (e encoding) mayBeIn(s string) bool { return e.marks == "" || strings.ContainsAny(s, e.marks) }

// find looks into what a run stands for, and into the encodings in that.
func (e encoding) find(run string, depth int, find func(string) string) (mask string) {
	for _, decoded := range e.decode(run) {
		if mask = cmp.Or(find(decoded), findEncoded(decoded, depth, find)); mask != "" {
			return mask
		}
	}
	return ""
}

const (
	numberEscape = `%[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}`
	escape       = numberEscape + `|&#[xX]?[0-9A-Fa-f]{2,6};`
)

var numberEscapes = text.Pattern(numberEscape)

func unescape(run string) []string {
	if !strings.ContainsAny(run, `%\&`) { // most words
		return nil
	}
	return []string{numberEscapes().ReplaceAllStringFunc(html.UnescapeString(run), func(e string) string {
		n, _ := strconv.ParseUint(strings.TrimLeft(e, `%\ux`), 16, 32) // the pattern has nothing else
		if e[0] == '\\' {
			return string(rune(n))
		}
		return string([]byte{byte(n)})
	})}
}

// unhex decodes a run from its first and from its second digit: what precedes the secret may be a
// digit too.
func unhex(run string) []string {
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" :,.-", r) {
			return -1
		}
		return r
	}, run)
	var all []string
	for _, d := range []string{digits, digits[1:]} {
		b, _ := hex.DecodeString(d[:len(d)&^1]) // the pattern has hexadecimal digits only
		all = append(all, string(b))
	}
	return all
}

var urlAlphabet = strings.NewReplacer("-", "+", "_", "/", "\r", "", "\n", "", "=", "")

// unbase64 decodes a run from each of its first four characters: the secret may begin in any of
// them.
func unbase64(run string) []string {
	text := urlAlphabet.Replace(run)
	var all []string
	for from := range min(4, len(text)) {
		part := text[from:]
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		b, _ := base64.RawStdEncoding.DecodeString(part) // what precedes an error counts
		all = append(all, string(b))
	}
	return all
}
