package card

import "strings"

// A list has hundreds of thousands of UUIDs. What looks for encodings takes each of them for base64, decodes it
// four times and looks into that. Almost all are spared that here, by what their characters can stand for.
//
// The base64 of two bytes in three is narrow in a UUID in lower case, whose characters are a to f (26 to 31), 0 to
// 9 (52 to 61) and - (62). Of each three bytes
//
//   - the first is 68 to 7F or from D0 on: no digit, and not the rest of one of several bytes;
//   - the second is not a digit, and the rest of one only where its character is a, b or 4 to 7;
//   - the third is a digit only where the two characters of it are one of c, 0, 4, 8 and one of 0 to 5, and
//     the rest of one only where the first of them is a, e, 2, 6 or -.

// What may be encoded again has 15 readable bytes in a row, in which are four whole groups at least.
const _ = uint(shortestRun - 15)

// IsClear reports whether a text is a UUID in lower case in which [HideEncoded] would find no card number. It
// has few of the characters that can stand for digits.
func IsClear(s string) bool {
	if !isLowerUUID(s) {
		return false
	}
	var digits uint64   // how many at most: 16 bits for each of the characters, modulo 4, from which decoding begins
	var readable uint64 // a bit for each character that may begin a group of bytes that can be read
	t := traits[s[0]]
	for i := range len(s) - 1 {
		next := traits[s[i+1]]
		digits += uint64(t>>second&1) << (16 * ((i - 1) & 3))
		digits += uint64((t>>third|t>>digit&(next>>low))&1) << (16 * ((i - 2) & 3))
		readable |= uint64(t>>letter&(next>>lowest)&1) << i
		t = next
	}
	inRow := readable & (readable >> 4) & (readable >> 8) & (readable >> 12)
	for ; digits > 0; digits >>= 16 {
		if digits&0xffff >= shortestNumber {
			return false
		}
	}
	return inRow == 0
}

// The traits of the characters of a UUID, as numbers of bits.
const (
	letter = iota // a to f
	second        // may stand for the second byte of a digit of several
	third         // may stand for the third
	digit         // may stand for a digit, with the next character
	low           // 0 to 5
	lowest        // 0 to 3
	hexDigit
)

var traits = [256]uint8{
	'-': 1 << third,
	'0': 1<<digit | 1<<low | 1<<lowest | 1<<hexDigit,
	'1': 1<<low | 1<<lowest | 1<<hexDigit,
	'2': 1<<third | 1<<low | 1<<lowest | 1<<hexDigit,
	'3': 1<<low | 1<<lowest | 1<<hexDigit,
	'4': 1<<second | 1<<digit | 1<<low | 1<<hexDigit,
	'5': 1<<second | 1<<low | 1<<hexDigit,
	'6': 1<<second | 1<<third | 1<<hexDigit,
	'7': 1<<second | 1<<hexDigit,
	'8': 1<<digit | 1<<hexDigit,
	'9': 1 << hexDigit,
	'a': 1<<letter | 1<<second | 1<<third | 1<<hexDigit,
	'b': 1<<letter | 1<<second | 1<<hexDigit,
	'c': 1<<letter | 1<<digit | 1<<hexDigit,
	'd': 1<<letter | 1<<hexDigit,
	'e': 1<<letter | 1<<third | 1<<hexDigit,
	'f': 1<<letter | 1<<hexDigit,
}

// isLowerUUID reports whether s is a UUID in lower case.
func isLowerUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	all := uint8(1 << hexDigit)
	for _, part := range [...]string{s[:8], s[9:13], s[14:18], s[19:23], s[24:]} {
		for i := range len(part) {
			all &= traits[part[i]]
		}
	}
	return all != 0 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-'
}

// MayBeInUUID reports whether a word could be in a UUID, in any letter case, or in what one decodes to. No key of
// a service could.
func MayBeInUUID(word string) bool {
	if strings.Trim(word, "0123456789abcdefABCDEF-") == "" {
		return true
	}
	for phase := range 3 {
		fits := true
		for i := 0; i < len(word) && fits; i++ {
			upper := word[i]
			if 'a' <= upper && upper <= 'z' {
				upper -= 'a' - 'A'
			}
			fits = inGroup(upper, (i+phase)%3) || inGroup(upper|0x20, (i+phase)%3)
		}
		if fits {
			return true
		}
	}
	return false
}

// inGroup reports whether a byte may be the first, second or third of a group that a UUID decodes to.
func inGroup(b byte, place int) bool {
	switch place {
	case 0:
		return 0x68 <= b && b <= 0x7f || b >= 0xd0
	case 1:
		low := b & 15
		return b >= 0x40 && (low == 6 || low == 7 || low >= 13)
	}
	low := b & 63
	return 26 <= low && low <= 31 || 52 <= low && low <= 62
}
