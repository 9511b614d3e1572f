package card

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"paydesk/api/text"
)

// lengths are the numbers of digits that a scheme's cards have.
var lengths = map[string][]int{
	Visa: {13, 16, 19}, Mastercard: {16}, AmericanExpress: {15}, Verve: {16, 18, 19}, Discover: {16, 17, 18, 19},
}

// others recognise the rest: Diners Club, JCB, UnionPay, Maestro, Mir, Troy, RuPay,
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
	from, to, _ = known.first(withoutReferences(s))
	return from, to
}

// In reports whether one of some texts contains a card number.
func In(texts ...string) bool {
	return slices.ContainsFunc(texts, func(s string) bool {
		_, to := Find(s)
		return to > 0
	})
}

// Is reports whether a text is a card number and nothing else.
func Is(s string) bool {
	from, to := Find(s)
	return to > 0 && from == 0 && to == len(s)
}

// Hide replaces the numbers that [Find] finds, as [Redact] does.
func Hide(s string) string { return HideFunc(s, onlyMask) }

// HideFunc is Hide with what instead returns in the place of each number: it is called in their order, with where a number
// begins and ends in s, in bytes, and with its mask.
func HideFunc(s string, instead func(from, to int, mask string) string) string {
	return known.hide(s, withoutReferences(s), instead)
}

func onlyMask(_, _ int, mask string) string { return mask }

// FindMasked returns what [Redact] puts in the place of the first number that [Find] finds in a decoded
// text; "" where there is none.
func FindMasked(s string) string {
	s = strings.ReplaceAll(s, "\x00", "") // half of UTF-16
	if _, to, lastFour := known.first(withoutReferences(s)); to > 0 {
		return replaced(lastFour)
	}
	return ""
}

// withoutReferences has other characters in the place of UUIDs, which are references, and of separators and digits that are written
// as escapes. It is as long as s; an escape becomes one character to [search.at].
func withoutReferences(s string) string {
	if IsUUID(s) {
		return ""
	}
	if strings.Count(s, "-") >= 4 { // few texts, and the pattern is slow
		s = uuid().ReplaceAllStringFunc(s, func(id string) string { return strings.Repeat("x", len(id)) })
	}
	if strings.ContainsAny(s, `%\&`) {
		s = escaped().ReplaceAllStringFunc(s, plainEscape)
	}
	return s
}

// plainEscape is an escape of a digit or a separator as one character of ASCII, and others up to its length.
func plainEscape(e string) string {
	one := strings.TrimLeft(e, `\`)
	if len(one) < len(e) {
		one = `\` + one // the backslash may be escaped itself
	}
	plain := byte(' ')
	if len(one) > 2 {
		switch r, _ := utf8.DecodeRuneInString(unescape(one)[0]); {
		case decimal(r) >= 0:
			plain = byte('0' + decimal(r))
		case r == utf8.RuneError || unicode.IsLetter(r):
			return e
		}
	}
	return string(plain) + strings.Repeat("\x00", len(e)-1)
}

var (
	uuid    = text.Pattern(`(?i)\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)
	escaped = text.Pattern(`%[cC]2%[aA]0|\\*(?:` + escape + `)|\\+[tnrbf/]`)
)

// A search says what a number is and how it may be grouped.
type search struct {
	isNumber func(digits []byte, plus bool) bool // plus: a + stands before them
	between  func(rune) bool                     // what may be between two groups of digits
	gap      int                                 // of how many characters
	inside   bool                                // it may begin and end within a group
}

var (
	// known finds the numbers of the schemes, in any grouping.
	known = search{func(digits []byte, plus bool) bool { return isNumber(digits) && !(plus && len(digits) <= maxTelephone) }, between, maxGap, false}
	// lookAlike finds whatever may be a number, in the grouping of numbers.
	lookAlike = search{func(digits []byte, _ bool) bool { return isPAN(digits) }, isSeparator, math.MaxInt, false}
)

// first returns where the first number begins and ends, and its last four digits; 0, 0 where there is none.
func (q search) first(s string) (from, to int, lastFour string) {
	before := ' '
	for i, r := range s {
		if decimal(r) >= 0 && (q.inside || decimal(before) < 0) {
			if n, lastFour := q.at(s[i:], before == '+'); n > 0 {
				return i, i + n, lastFour
			}
		}
		if r != 0 {
			before = r
		}
	}
	return 0, 0, ""
}

// at is the length in bytes of the longest number that begins with the first digit of s and ends with a group of digits, 0
// without one, and its last four digits. An expiry that follows without a gap belongs to it.
func (q search) at(s string, plus bool) (end int, lastFour string) {
	var all [longest + longestExpiry]byte
	defer clear(all[:])
	n, gap, group := 0, 0, 0
	for i, r := range s {
		switch d := decimal(r); {
		case r == 0: // the rest of an escape
			continue
		case d < 0 && (gap == q.gap || !q.between(r)) || d >= 0 && n == len(all):
			return end, lastFour
		case d < 0:
			gap, group = gap+1, n
			continue
		default:
			all[n] = byte('0' + d)
		}
		n, gap = n+1, 0
		after := len(s) - len(strings.TrimLeft(s[i+utf8.RuneLen(r):], "\x00"))
		if next, _ := utf8.DecodeRuneInString(s[after:]); decimal(next) >= 0 && !q.inside {
			continue
		}
		digits := n
		switch fits := q.isNumber(all[:n], plus); {
		case !fits && q.inside:
			digits = 0
		case !fits:
			digits = beforeExpiry(all[:n], group)
		}
		if digits > 0 {
			end, lastFour = after, string(all[digits-4:digits])
		}
	}
	return end, lastFour
}

// longestExpiry is the number of digits of MMYYYY and a security code.
const longestExpiry = 10

// beforeExpiry returns how many of the digits are a card number, where the rest is its expiry, with the security
// code or without, and nothing separates the two; 0 otherwise. The last group begins with that digit.
func beforeExpiry(digits []byte, group int) int {
	for n := min(len(digits)-4, longest); n >= shortest && n > group; n-- {
		if isExpiry(string(digits[n:])) && isNumber(digits[:n]) {
			return n
		}
	}
	return 0
}

// isExpiry reports whether digits are MMYY or MMYYYY of a card that may be in use, and nothing but a
// security code follows.
func isExpiry(digits string) bool {
	month := digits[:2]
	if month < "01" || month > "12" {
		return false
	}
	inUse := func(year string) bool { return "20" <= year && year <= "49" }
	switch len(digits) {
	case 4, 7, 8:
		return inUse(digits[2:4])
	case 6, 9, 10:
		return digits[2:4] == "20" && inUse(digits[4:6])
	}
	return false
}

// isPAN reports whether digits may be those of a card of any scheme.
func isPAN(digits []byte) bool {
	return shortest <= len(digits) && len(digits) <= longest && Luhn(digits)
}

// isNumber reports whether digits are those of a card of a known scheme.
func isNumber(digits []byte) bool {
	if !isPAN(digits) { // the cheap half first
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

// raised are rows of digits that Unicode does not count among those of a script: superscripts,
// subscripts and digits in circles, the first of a row being the digit given.
var raised = []struct {
	from, to rune
	first    int
}{
	{'²', '³', 2}, {'¹', '¹', 1}, {'⁰', '⁰', 0}, {'⁴', '⁹', 4}, {'₀', '₉', 0},
	{'①', '⑨', 1}, {'⓪', '⓪', 0}, {'⑴', '⑼', 1}, {'⒈', '⒐', 1}, {'⓵', '⓽', 1}, {'⓿', '⓿', 0},
	{'❶', '❾', 1}, {'➀', '➈', 1}, {'➊', '➒', 1},
}

// decimal is the value of a decimal digit of any script, or of a raised one; -1 for another rune.
// Unicode has the ten digits of a script in one row, or several such rows side by side.
func decimal(r rune) int {
	if r < unicode.MaxASCII {
		if '0' <= r && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	if !unicode.IsNumber(r) { // most runes; it searches the rows by halves
		return -1
	}
	for _, row := range raised {
		if row.from <= r && r <= row.to {
			return row.first + int(r-row.from)
		}
	}
	if !unicode.IsDigit(r) {
		return -1
	}
	first := r
	for unicode.IsDigit(first - 1) {
		first--
	}
	return int(r-first) % 10
}

const (
	shortest = 13 // fewest digits that can be a PAN
	longest  = 19
)

// Redact replaces what looks like a PAN with "<pan …1111>", whichever field it is in: payers write
// card numbers into narrations. It is the second line of defence, behind an allow-list of what is
// stored or displayed at all.
//
// A look-alike is 13 to 19 digits of any script that pass the Luhn check, with any spaces,
// dashes, dots and invisible characters between them. In a longer sequence it must begin and end
// with a group, as in "123 4111 1111 1111 1111"; a sequence without gaps is matched as a whole, or as a
// number that [Find] knows with its expiry.
// UUIDs are references and are left alone.
//
// A number that [Find] finds in hexadecimal digits, base64 or escapes is replaced together with all that
// is encoded with it.
func Redact(s string) string {
	if len(s) < shortest || IsUUID(s) { // as most words and IDs are
		return s
	}
	s = HideEncoded(s, FindMasked)
	return lookAlike.hide(s, withoutReferences(s), onlyMask)
}

// hide replaces the numbers in s that are found in blank, which is as long as s, as [HideFunc] does.
func (q search) hide(s, blank string, instead func(from, to int, mask string) string) string {
	var out strings.Builder
	kept := 0
	for from, to, lastFour := q.first(blank); to > 0; from, to, lastFour = q.first(blank) {
		out.WriteString(s[kept:kept+from] + instead(kept+from, kept+to, replaced(lastFour)))
		kept, blank = kept+to, blank[to:]
	}
	return out.String() + s[kept:]
}

// replaced returns what stands in the place of a PAN.
func replaced(lastFour string) string { return "<pan …" + lastFour + ">" }

// isSeparator reports whether a rune may stand between the digits of one number.
func isSeparator(r rune) bool {
	return strings.ContainsRune(".- \t\n\r\u2028\u2029", r) ||
		r >= 0x80 && unicode.In(r, unicode.Zs, unicode.Pd, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}

// IsUUID reports whether s is a UUID in lower case. It is a reference (2.6), and never a card number: two in a thousand would pass
// for one, and an encoding of digits has letters that no UUID has.
func IsUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' &&
		strings.Count(s, "-") == 4 && strings.Trim(s, "0123456789abcdef-") == ""
}
