package card

import (
	"crypto/rand"
	"crypto/sha256"
	"slices"
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

	shortestNumber = 12 // digits of a PAN that [ParsePAN] accepts, at least
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
	k.mu.RLock()
	defer k.mu.RUnlock()
	if !k.mayBeIn(s) {
		return ""
	}
	if _, to, lastFour := k.search().first(s); to > 0 {
		return replaced(lastFour)
	}
	return ""
}

// Hide replaces every number of the set in s, as [Redact] does.
func (k *Numbers) Hide(s string) string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if !k.mayBeIn(s) {
		return s
	}
	return k.search().hide(s, s, onlyMask)
}

// mayBeIn saves most texts the search: they have few digits between two letters. k.mu is held.
func (k *Numbers) mayBeIn(s string) bool {
	digits := 0
	for i := 0; i < len(s) && len(k.numbers) > 0; i++ {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return true
		case '0' <= c && c <= '9':
			if digits++; digits == shortestNumber {
				return true
			}
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			digits = 0
		}
	}
	return false
}

// search finds the numbers of the set, also within longer ones. k.mu is held.
func (k *Numbers) search() search {
	between := func(r rune) bool { return r != utf8.RuneError && !unicode.IsLetter(r) }
	return search{isNumber: k.isOne, between: between, gap: maxBreak, inside: true}
}

// isOne reports whether digits are a number of the set. Few have the last four digits of one, so that few are hashed.
func (k *Numbers) isOne(digits []byte, _ bool) bool {
	return slices.ContainsFunc(k.numbers, func(n number) bool {
		return len(digits) == n.length && n.lastFour == string(digits[n.length-4:]) && k.hash(digits) == n.hash
	})
}
