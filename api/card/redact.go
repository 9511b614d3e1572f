package card

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	shortest = 13 // fewest digits that can be a PAN
	longest  = 19
)

// Redact replaces what looks like a PAN with "<pan …1111>", whichever field it is in: payers write
// card numbers into narrations. It is the second line of defence, behind an allow-list of what is
// stored or displayed at all.
//
// A look-alike is 13 to 19 digits that pass the Luhn check, ASCII or full-width, with any spaces,
// dashes, dots and invisible characters between them. In a longer sequence it must begin and end
// with a group, as in "123 4111 1111 1111 1111"; a sequence without gaps is matched as a whole.
// UUIDs are references and are left alone.
func Redact(s string) string {
	if !hasEnoughDigits(s) {
		return s
	}
	var out strings.Builder
	kept := 0
	for _, at := range uuid.FindAllStringIndex(s, -1) {
		out.WriteString(redact(s[kept:at[0]]))
		out.WriteString(s[at[0]:at[1]])
		kept = at[1]
	}
	if kept == 0 {
		return redact(s)
	}
	return out.String() + redact(s[kept:])
}

// uuid is the other form of a reference (2.6). Two in a thousand would otherwise pass for a card
// number.
var uuid = regexp.MustCompile(`(?i)\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)

func redact(s string) string {
	var out strings.Builder
	kept := 0 // s[:kept] is written
	for at := 0; at < len(s); {
		row, end := digitGroups(s, at)
		for i := 0; i < len(row); {
			n, pan := longestPAN(row[i:])
			if n == 0 {
				i++
				continue
			}
			out.WriteString(s[kept:row[i].from])
			out.WriteString("<pan …" + pan + ">")
			kept = row[i+n-1].to
			i += n
		}
		at = end
	}
	if kept == 0 {
		return s
	}
	return out.String() + s[kept:]
}

// hasEnoughDigits is a fast check that rules most texts out.
func hasEnoughDigits(s string) bool {
	n := 0
	for i := range len(s) {
		// 0xEF begins every full-width digit.
		if '0' <= s[i] && s[i] <= '9' || s[i] == 0xEF {
			if n++; n == shortest {
				return true
			}
		}
	}
	return false
}

// A group is the digits s[from:to], without a gap.
type group struct {
	from, to int
	digits   string
}

// digitGroups returns the sequence of groups that begins at or after s[at:], and where the text
// after it continues.
func digitGroups(s string, at int) (row []group, end int) {
	var g group
	flush := func(to int) {
		if g.digits != "" {
			g.to = to
			row = append(row, g)
			g = group{}
		}
	}
	for i, r := range s[at:] {
		i += at
		d, isDigit := digit(r)
		switch {
		case isDigit:
			if g.digits == "" {
				g.from = i
			}
			if len(g.digits) <= longest { // one more than a PAN has is enough
				g.digits += string(d)
			}
		case isSeparator(r):
			flush(i)
		default:
			flush(i)
			return row, i + max(1, runeLen(s[i:]))
		}
	}
	flush(len(s))
	return row, len(s)
}

func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// longestPAN finds the longest PAN made of the first n groups, and its last four digits.
func longestPAN(row []group) (n int, lastFour string) {
	all := ""
	for i, g := range row {
		if all += g.digits; len(all) > longest {
			break
		}
		if len(all) >= shortest && Luhn([]byte(all)) {
			n, lastFour = i+1, all[len(all)-4:]
		}
	}
	return n, lastFour
}

func digit(r rune) (byte, bool) {
	switch {
	case '0' <= r && r <= '9':
		return byte(r), true
	case '０' <= r && r <= '９':
		return byte(r-'０') + '0', true
	}
	return 0, false
}

// isSeparator reports whether a rune may stand between the digits of one number.
func isSeparator(r rune) bool {
	switch r {
	case '.', '-', ' ', '\t', '\n', '\r', '\u2028', '\u2029':
		return true
	}
	return r >= 0x80 && unicode.In(r, unicode.Zs, unicode.Pd, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}
