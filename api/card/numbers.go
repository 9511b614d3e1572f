package card

import (
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Numbers is a set of PANs, which it recognises in the text of others too. Of each it keeps a hash and the
// last four digits; the hash is keyed, and the key is in memory only, so that neither is of use
// elsewhere. The zero Numbers is empty. It is safe for concurrent use.
type Numbers struct {
	mu      sync.RWMutex
	key     []byte
	numbers []number
}

type number struct {
	hash     [sha256.Size]byte
	length   int
	lastFour string
}

const (
	maxNumbers = 200 // numbers remembered; the oldest is forgotten first
	maxBreak   = 4   // runes between two digits of one number
)

// Add remembers a number.
func (k *Numbers) Add(p PAN) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.key == nil {
		k.key = make([]byte, sha256.Size)
		rand.Read(k.key) // never fails (crypto/rand)
	}
	if n := k.number(p); n.length > 0 && !slices.Contains(k.numbers, n) {
		k.numbers = append(k.numbers[max(0, len(k.numbers)-maxNumbers+1):], n)
	}
}

// Has reports whether a number was added.
func (k *Numbers) Has(p PAN) bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return slices.Contains(k.numbers, k.number(p))
}

// number returns what is kept of a PAN; the zero number of none.
func (k *Numbers) number(p PAN) number {
	n := read(p.hidden, func(ascii []byte) number { return number{hash: k.hash(ascii), length: len(ascii)} })
	n.lastFour = p.LastFour()
	return n
}

// hash fills one whole block, which SHA-256 reads where it is: nothing else holds the digits.
func (k *Numbers) hash(ascii []byte) [sha256.Size]byte {
	var block [sha256.BlockSize]byte
	defer clear(block[:])
	copy(block[:], k.key)
	copy(block[len(k.key):], ascii)
	return sha256.Sum256(block[:])
}

// Find returns what [Numbers.Hide] puts in the place of the first number of the set in s; "" when there is
// none. Its digits may be of any script, with a few characters between them that are neither letters
// nor digits.
func (k *Numbers) Find(s string) (masked string) {
	k.each(s, func(_, _ int, m string) bool {
		masked = m
		return false
	})
	return masked
}

// Hide replaces every number of the set in s, as [Redact] does.
func (k *Numbers) Hide(s string) string {
	var out strings.Builder
	kept := 0
	k.each(s, func(from, to int, masked string) bool {
		out.WriteString(s[kept:from])
		out.WriteString(masked)
		kept = to
		return true
	})
	return out.String() + s[kept:]
}

// each calls found with the place of every number of the set in s, from left to right, until found returns
// false.
func (k *Numbers) each(s string, found func(from, to int, masked string) bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if len(k.numbers) == 0 {
		return
	}
	for row := range digitRows(s) {
		for first := 0; first < len(row.ascii); first++ {
			n, ok := k.at(row.ascii[first:])
			if !ok {
				continue
			}
			last := first + n.length - 1
			if !found(row.from[first], row.to[last], replaced(n.lastFour)) {
				return
			}
			first = last
		}
	}
}

// at returns the number that ascii begins with. Few texts have the last four digits at the right
// place, so that few are hashed.
func (k *Numbers) at(ascii []byte) (number, bool) {
	for _, n := range k.numbers {
		if len(ascii) >= n.length && n.lastFour == string(ascii[n.length-4:n.length]) &&
			k.hash(ascii[:n.length]) == n.hash {
			return n, true
		}
	}
	return number{}, false
}

// A digitRow is digits with at most [maxBreak] other runes between two of them, in ASCII, and where in
// the text each begins and ends.
type digitRow struct {
	ascii    []byte
	from, to []int
}

// digitRows yields the rows of s that are long enough for a PAN.
func digitRows(s string) func(yield func(digitRow) bool) {
	return func(yield func(digitRow) bool) {
		var row digitRow
		gap := 0
		for i, r := range s {
			d := decimal(r)
			switch {
			case d >= 0:
				row.ascii = append(row.ascii, byte('0'+d))
				row.from, row.to = append(row.from, i), append(row.to, i+utf8.RuneLen(r))
				gap = 0
				continue
			case gap < maxBreak && r != utf8.RuneError && !unicode.IsLetter(r):
				gap++
				continue
			}
			if len(row.ascii) >= shortestNumber && !yield(row) {
				return
			}
			row, gap = digitRow{}, 0
		}
		if len(row.ascii) >= shortestNumber {
			yield(row)
		}
	}
}

const shortestNumber = 12 // fewest digits of a PAN that [ParsePAN] accepts
