package card

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"html"
	"strconv"
	"strings"

	"paydesk/api/text"
)

// An encoding is a way to write a text so that its characters are not to be seen in it. runs returns where something may be
// written so, and decode returns all that a run can stand for.
type encoding struct {
	runs   func(s string) [][]int
	decode func(run string) []string
}

// encodings lists those in which a secret and a card number are looked for: escapes of URLs, JSON and HTML;
// hexadecimal digits, in one piece or in pairs; base64 with either alphabet. In each of them a PAN is longer
// than the shortest run.
var encodings = [...]encoding{{escapedRuns, unescape}, {hexRuns, unhex}, {pairRuns, unhex}, {base64Runs, unbase64}}

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
		var out strings.Builder
		kept := 0
		for _, at := range e.runs(s) {
			if mask := e.find(s[at[0]:at[1]], nested-1, find); mask != "" {
				out.WriteString(strings.TrimRight(s[kept:at[0]], `\`) + mask) // the run may begin within an escape
				kept = at[1]
			}
		}
		s = out.String() + s[kept:]
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
		for _, at := range e.runs(s) {
			if mask = e.find(s[at[0]:at[1]], depth-1, find); mask != "" {
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

// find looks into what a run stands for, and into the encodings in that.
func (e encoding) find(run string, depth int, find func(string) string) (mask string) {
	for _, decoded := range e.decode(run) {
		if mask = cmp.Or(find(decoded), findEncoded(decoded, depth, find)); mask != "" {
			return mask
		}
	}
	return ""
}

// An alphabet is a set of ASCII characters.
type alphabet [256]bool

func alphabetOf(characters string) *alphabet {
	var a alphabet
	for i := range len(characters) {
		a[characters[i]] = true
	}
	return &a
}

const (
	hexDigits  = "0123456789ABCDEFabcdef"
	separators = " :,.-" // between pairs of hexadecimal digits
)

var (
	hexAlphabet    = alphabetOf(hexDigits)
	pairAlphabet   = alphabetOf(hexDigits + separators)
	base64Alphabet = alphabetOf("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/_-\r\n")
)

// rows returns where s has at least so many characters of an alphabet in a row. A regular expression finds the same in a
// hundred times as long, which each answer of the service would take.
func (a *alphabet) rows(s string, least int) (all [][]int) {
	for from := 0; from < len(s); from++ {
		to := from
		for to < len(s) && a[s[to]] {
			to++
		}
		if to-from >= least {
			all = append(all, []int{from, to})
		}
		from = to
	}
	return all
}

const (
	numberEscape = `%[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}`
	escape       = numberEscape + `|&#[xX]?[0-9A-Fa-f]{2,6};`
)

var (
	numberEscapes = text.Pattern(numberEscape)
	withEscapes   = text.Pattern(`(?:(?:` + escape + `|\w)[+.,:~-]?)+`)
)

func escapedRuns(s string) [][]int {
	if !strings.ContainsAny(s, `%\&`) { // most texts
		return nil
	}
	return withEscapes().FindAllStringIndex(s, -1)
}

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

func hexRuns(s string) [][]int { return hexAlphabet.rows(s, 24) }

var inPairs = text.Pattern(`\b[0-9A-Fa-f]{2}(?:[ :,.-][0-9A-Fa-f]{2}){11,}\b`)

// pairRuns searches a text only where it has a row with as many pieces as a run has pairs: a UUID has five.
func pairRuns(s string) [][]int {
	const pairs = 12
	for _, at := range pairAlphabet.rows(s, 3*pairs-1) {
		if len(strings.FieldsFunc(s[at[0]:at[1]], isPairSeparator)) >= pairs {
			return inPairs().FindAllStringIndex(s, -1)
		}
	}
	return nil
}

func isPairSeparator(r rune) bool { return strings.ContainsRune(separators, r) }

// unhex decodes a run from its first and from its second digit: what precedes the secret may be a
// digit too.
func unhex(run string) []string {
	digits := strings.Join(strings.FieldsFunc(run, isPairSeparator), "")
	var all []string
	for _, d := range []string{digits, digits[1:]} {
		b, _ := hex.DecodeString(d) // what precedes half a pair counts
		all = append(all, string(b))
	}
	return all
}

func base64Runs(s string) [][]int {
	all := base64Alphabet.rows(s, 16)
	for _, at := range all {
		padding := s[at[1]:min(at[1]+2, len(s))]
		at[1] += len(padding) - len(strings.TrimLeft(padding, "="))
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
		b, _ := base64.RawStdEncoding.DecodeString(text[from:]) // what precedes an error counts
		all = append(all, string(b))
	}
	return all
}
