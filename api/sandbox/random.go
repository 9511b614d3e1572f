package sandbox

import (
	"fmt"
	"math/rand/v2"
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
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", a>>32, a>>16&0xffff, a&0xffff, b>>48, b&0xffffffffffff)
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
