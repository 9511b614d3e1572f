package card

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lengths are the numbers of digits that a scheme's cards have.
var lengths = map[string][]int{
	Visa: {13, 16, 19}, Mastercard: {16}, AmericanExpress: {15}, Verve: {16, 18, 19}, Discover: {16, 17, 18, 19},
}

// others are what is recognised for nothing else: Diners Club, JCB, UnionPay, Maestro, Mir, Troy, RuPay,
// Elo, Hipercard and mada, and the test numbers of Verve, which lie outside its ranges.
var others = []struct {
	first   string // digits, separated by blanks
	lengths []int
}{
	{"300 301 302 303 304 305 3095 36 38 39", []int{14, 16, 19}},
	{"3528 3529 353 354 355 356 357 358", []int{16, 17, 18, 19}},
	{"62", []int{16, 17, 18, 19}},
	{"506", []int{16, 18, 19}},
	{"5018 5020 5038 5893 6304 6759 6761 6762 6763", []int{12, 13, 14, 15, 16, 17, 18, 19}},
	{"2200 2201 2202 2203 2204", []int{16, 17, 18, 19}},
	{"9792 508 60 65 81 82 627780 636297 636368 5888 5889 5890 5892 636120 9682", []int{16}},
}

const (
	maxTelephone = 15 // digits of an international telephone number
	maxGap       = 3  // characters between two groups of digits
)

// Find returns where the first card number in a text begins and ends, in bytes; 0, 0 where there is
// none. It is the one judge of what a person types where no card belongs: a number with the first
// digits of a scheme, a length of that scheme and a valid check digit, in any decimal digits of
// Unicode and any grouping. So telephone numbers (with their +), UUIDs and most references pass;
// [Redact], for text from outside, also takes numbers of no known scheme.
func Find(s string) (from, to int) {
	// UUIDs are references; what replaces them is as long.
	if strings.Count(s, "-") >= 4 { // few texts, and the pattern is slow
		s = uuid.ReplaceAllStringFunc(s, func(id string) string { return strings.Repeat("x", len(id)) })
	}
	before := ' '
	for i, r := range s {
		if decimal(r) >= 0 && decimal(before) < 0 {
			if n := numberAt(s[i:], before == '+'); n > 0 {
				return i, i + n
			}
		}
		before = r
	}
	return 0, 0
}

// FindMasked returns what [Redact] puts in the place of the first number that [Find] finds in a decoded
// text; "" where there is none.
func FindMasked(s string) string {
	s = strings.ReplaceAll(s, "\x00", "") // half of UTF-16
	from, to := Find(s)
	var ascii []byte
	for _, r := range s[from:to] {
		if d := decimal(r); d >= 0 {
			ascii = append(ascii, byte('0'+d))
		}
	}
	defer clear(ascii)
	if len(ascii) < 4 {
		return ""
	}
	return replaced(string(ascii[len(ascii)-4:]))
}

// numberAt is the length in bytes of the longest card number that begins with the first digit of s
// and ends with a group of digits, 0 without one.
func numberAt(s string, plus bool) (end int) {
	var all [longest]byte
	defer clear(all[:])
	n, gap := 0, 0
	for i, r := range s {
		switch d := decimal(r); {
		case d < 0 && (gap == maxGap || !between(r)) || d >= 0 && n == longest:
			return end
		case d < 0:
			gap++
			continue
		default:
			all[n] = byte('0' + d)
		}
		n, gap = n+1, 0
		after := i + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(s[after:])
		if decimal(next) < 0 && isNumber(all[:n]) && !(plus && n <= maxTelephone) {
			end = after
		}
	}
	return end
}

// isNumber reports whether digits are those of a card.
func isNumber(digits []byte) bool {
	if len(digits) < shortest || !Luhn(digits) { // the cheap half first
		return false
	}
	fits := slices.Contains(lengths[BrandOf(digits)], len(digits))
	for _, o := range others {
		begins := func(first string) bool { return bytes.HasPrefix(digits, []byte(first)) }
		fits = fits || slices.Contains(o.lengths, len(digits)) && slices.ContainsFunc(strings.Fields(o.first), begins)
	}
	return fits
}

// between reports whether a rune may separate groups of digits.
func between(r rune) bool {
	return unicode.In(r, unicode.Z, unicode.P, unicode.S, unicode.M, unicode.Cf)
}

// decimal is the value of a decimal digit of any script, -1 for another rune. Unicode has the ten
// digits of a script in one row.
func decimal(r rune) int {
	if r < unicode.MaxASCII {
		if '0' <= r && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	if !unicode.IsDigit(r) { // most runes; it searches the rows by halves
		return -1
	}
	for _, row := range unicode.Nd.R16 {
		if rune(row.Lo) <= r && r <= rune(row.Hi) {
			return int(r-rune(row.Lo)) % 10
		}
	}
	for _, row := range unicode.Nd.R32 {
		if rune(row.Lo) <= r && r <= rune(row.Hi) {
			return int(r-rune(row.Lo)) % 10
		}
	}
	return -1
}
