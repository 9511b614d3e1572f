package sandbox

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// The generator has separate streams, so that seeding more rows does not change the
// references of payments.
const (
	streamPayments uint64 = iota + 1
	streamChannels
	streamRows
	streamMoves
)

// codeLetters and codeChars leave out characters that are easily confused.
const (
	codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
	codeChars   = "23456789" + codeLetters
	base36      = "0123456789abcdefghijklmnopqrstuvwxyz"
	upperCase   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// pick draws n characters of a string of ASCII.
func pick(r *rand.Rand, from string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[r.IntN(len(from))]
	}
	return string(b)
}

// shortCode is a reference in the format of card payments (2.6). It starts with a letter,
// so that it is never read as a number.
func shortCode(r *rand.Rand) string { return pick(r, codeLetters, 1) + pick(r, codeChars, 9) }

// uuid is a random UUID of version 4.
func uuid(r *rand.Rand) string { return uuidOf(r.Uint64(), r.Uint64()) }

// uuidOf is the UUID of version 4 made of random bits.
func uuidOf(a, b uint64) string {
	a = a&^0xf000 | 0x4000
	b = b&^(3<<62) | 2<<62
	var bits [16]byte
	binary.BigEndian.PutUint64(bits[:8], a)
	binary.BigEndian.PutUint64(bits[8:], b)
	text := hex.EncodeToString(bits[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

// drawUnused draws until a name is not in taken.
func drawUnused[T any](taken map[string]T, draw func() string) string {
	for {
		name := draw()
		if _, is := taken[name]; !is {
			return name
		}
	}
}

// Amounts are integers in hundredths: every currency a payment can be made in (NGN,
// GBP, CAD) has two decimals.

const (
	minAmount = 1_00             // 1.00, as observed on deployed instances
	maxAmount = 1_000_000_000_00 // far from overflow
)

// parseHundredths parses a JSON number in major units. The second result describes the
// problem without quoting the number; it is "" for none.
func parseHundredths(literal string) (int64, string) {
	if strings.ContainsAny(literal, "eE") {
		return 0, "must be written without an exponent"
	}
	if strings.HasPrefix(literal, "-") {
		return 0, "must not be negative"
	}
	whole, part, _ := strings.Cut(literal, ".")
	part = strings.TrimRight(part, "0")
	if len(part) > 2 {
		return 0, "must have at most 2 decimals"
	}
	n, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil || n > maxAmount {
		return 0, "is too large"
	}
	return n, ""
}

// parseMinor parses a JSON number in hundredths, with a problem as in parseHundredths.
func parseMinor(literal string) (int64, string) {
	if !isDigits(literal) {
		return 0, "must be a whole number of minor units"
	}
	n, err := strconv.ParseInt(literal, 10, 64)
	if err != nil || n > maxAmount {
		return 0, "is too large"
	}
	return n, ""
}

// formatMinor formats hundredths as a JSON number in minor units: 1250 stays 1250.
func formatMinor(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// formatMajor formats hundredths as a JSON number in major units: 1250 is 12.50.
func formatMajor(n int64) json.Number {
	return json.Number(fmt.Sprintf("%d.%02d", n/100, n%100))
}

// fee is 1.5 % of an amount, rounded half up.
func fee(n int64) int64 { return (n*15 + 500) / 1000 }

// A currencyAmount is an amount as links, validation and status carry it (2.8, 2.9, 2.12).
type currencyAmount struct {
	CurrencyCode string      `json:"currencyCode"`
	Amount       json.Number `json:"amount"`
}

// isDecimal reports whether a text is digits, or digits on both sides of a point.
func isDecimal(text string) bool {
	whole, part, pointed := strings.Cut(text, ".")
	return isDigits(whole) && (!pointed || isDigits(part))
}
