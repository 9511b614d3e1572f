package listing

import (
	"encoding/binary"
	"hash/maphash"
)

// An id is an id of up to 16 characters, a UUID, or where a longer one is in the arena.
type id [16]byte

const uuidLength = 36

// An arena has the ids that are longer than 16 characters and no UUIDs.
type arena struct {
	blocks [][]byte
}

const arenaBlock = 1 << 16

// A key is an id to be stored or found.
type key struct {
	at   id
	form form
	text string
}

// keyOf is the key of an id. An id that is not plain is kept with its row.
func keyOf(s string) key {
	k := key{text: s}
	switch {
	case s == "":
	case len(s) == uuidLength:
		if k.at, k.form = parseUUID(s); k.form == nameless {
			k.form = longForm(s)
		}
	case len(s) <= len(k.at) && plain(s):
		copy(k.at[:], s)
		k.form = form(len(s))
	default:
		k.form = longForm(s)
	}
	return k
}

func longForm(s string) form {
	if len(s) <= arenaBlock && plain(s) {
		return long
	}
	return foreign
}

// store is where a key is kept.
func (a *arena) store(k *key) id {
	if k.form != long {
		return k.at
	}
	last := len(a.blocks) - 1
	if last < 0 || cap(a.blocks[last])-len(a.blocks[last]) < len(k.text) {
		a.blocks = append(a.blocks, make([]byte, 0, arenaBlock))
		last++
	}
	var at id
	binary.LittleEndian.PutUint32(at[0:], uint32(last))
	binary.LittleEndian.PutUint32(at[4:], uint32(len(a.blocks[last])))
	binary.LittleEndian.PutUint32(at[8:], uint32(len(k.text)))
	a.blocks[last] = append(a.blocks[last], k.text...)
	return at
}

// appendTo appends an id that is kept.
func (a *arena) appendTo(b []byte, at *id, f form) []byte {
	switch f &= formOfID; f {
	case nameless, foreign:
		return b
	case lowerUUID:
		return appendUUID(b, at)
	case upperUUID:
		from := len(b)
		b = appendUUID(b, at)
		for i := from; i < len(b); i++ {
			if 'a' <= b[i] && b[i] <= 'f' {
				b[i] -= 'a' - 'A'
			}
		}
		return b
	case long:
		block, from, n := binary.LittleEndian.Uint32(at[0:]), binary.LittleEndian.Uint32(at[4:]), binary.LittleEndian.Uint32(at[8:])
		return append(b, a.blocks[block][from:from+n]...)
	}
	return append(b, at[:f]...)
}

// idAt is the id of the i-th row.
func (r *Rows) idAt(i int) string {
	c, k := r.chunks[i/chunkRows], i%chunkRows
	if c.form[k]&formOfID == foreign {
		return r.odd[int32(i)].ID.Line(0)
	}
	return string(r.ids.appendTo(nil, &c.id[k], c.form[k]))
}

// hasID reports whether the i-th row has an id.
func (r *Rows) hasID(i int, k *key) bool {
	c, j := r.chunks[i/chunkRows], i%chunkRows
	switch {
	case c.form[j]&formOfID != k.form:
		return false
	case k.form == foreign, k.form == long:
		return r.idAt(i) == k.text
	}
	return c.id[j] == k.at
}

// plain reports whether s is visible ASCII that is in the line and in the block of a text alike, which blanks and
// backslashes may not be.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || s[i] == '\\' {
			return false
		}
	}
	return true
}

// parseUUID is the bytes of 36 characters that are a UUID in its usual form, with letters of one case; nameless
// for others.
func parseUUID(s string) (at id, f form) {
	if s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return at, nameless
	}
	cases := byte(0)
	n := 0
	for i := 0; i < len(s); i += 2 {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			i++
		}
		high, low := nibbles[s[i]], nibbles[s[i+1]]
		if high&low&isDigit == 0 {
			return id{}, nameless
		}
		cases |= (high | low) & (isLower | isUpper)
		at[n] = high<<4 | low&15
		n++
	}
	switch cases {
	case isLower | isUpper:
		return id{}, nameless
	case isUpper:
		return at, upperUUID
	}
	return at, lowerUUID
}

// nibbles are the values of hexadecimal digits, with their case.
var nibbles = [256]byte{
	'0': isDigit, '1': isDigit | 1, '2': isDigit | 2, '3': isDigit | 3, '4': isDigit | 4, '5': isDigit | 5, '6': isDigit | 6, '7': isDigit | 7, '8': isDigit | 8, '9': isDigit | 9,
	'a': isDigit | isLower | 10, 'b': isDigit | isLower | 11, 'c': isDigit | isLower | 12, 'd': isDigit | isLower | 13, 'e': isDigit | isLower | 14, 'f': isDigit | isLower | 15,
	'A': isDigit | isUpper | 10, 'B': isDigit | isUpper | 11, 'C': isDigit | isUpper | 12, 'D': isDigit | isUpper | 13, 'E': isDigit | isUpper | 14, 'F': isDigit | isUpper | 15,
}

const (
	isLower = 0x10
	isUpper = 0x20
	isDigit = 0x40
)

// appendUUID appends a UUID in lower case.
func appendUUID(b []byte, at *id) []byte {
	const hex = "0123456789abcdef"
	var s [uuidLength]byte
	j := 0
	for i, c := range at {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			s[j] = '-'
			j++
		}
		s[j], s[j+1] = hex[c>>4], hex[c&15]
		j += 2
	}
	return append(b, s[:]...)
}

// An index finds rows by their ids: a hash table of row numbers, which takes a fifth of a map of the ids.
type index struct {
	seed   maphash.Seed
	slots  []int32 // row number + 1; 0 for an empty slot
	used   int
	others map[int32][]int32 // further rows with the id of a row
}

func (x *index) hash(k *key) uint64 {
	if k.form == long || k.form == foreign {
		return maphash.String(x.seed, k.text)
	}
	return maphash.Bytes(x.seed, k.at[:]) ^ uint64(k.form)
}

// find is the first row with an id.
func (r *Rows) find(s string) (int, bool) {
	k := keyOf(s)
	return r.lookUp(&k)
}

func (r *Rows) lookUp(k *key) (int, bool) {
	if k.form == nameless || len(r.index.slots) == 0 {
		return 0, false
	}
	slot, is := r.slot(k)
	if !is {
		return 0, false
	}
	return int(r.index.slots[slot]) - 1, true
}

// slot is where an id is in the index, or would be.
func (r *Rows) slot(k *key) (uint64, bool) {
	mask := uint64(len(r.index.slots) - 1)
	for i := r.index.hash(k) & mask; ; i = (i + 1) & mask {
		switch n := r.index.slots[i]; {
		case n == 0:
			return i, false
		case r.hasID(int(n)-1, k):
			return i, true
		}
	}
}

// reserve makes the index large enough for so many rows, within bounds.
func (r *Rows) reserve(rows int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for min(rows, mostReserved) >= len(r.index.slots)/4*3 {
		r.grow()
	}
}

// mostReserved is for how many rows room is made because the service says that there are so many.
const mostReserved = 100_000

// indexID notes the id of the i-th row.
func (r *Rows) indexID(i int, k *key) {
	x := &r.index
	if x.used >= len(x.slots)/4*3 {
		r.grow()
	}
	slot, is := r.slot(k)
	if !is {
		x.slots[slot] = int32(i) + 1
		x.used++
		return
	}
	if x.others == nil {
		x.others = map[int32][]int32{}
	}
	first := x.slots[slot] - 1
	x.others[first] = append(x.others[first], int32(i))
}

// grow doubles the index.
func (r *Rows) grow() {
	x := &r.index
	if len(x.slots) == 0 {
		x.seed = maphash.MakeSeed()
	}
	old := x.slots
	x.slots = make([]int32, max(2*len(old), 256))
	mask := uint64(len(x.slots) - 1)
	for _, n := range old {
		if n == 0 {
			continue
		}
		i := int(n) - 1
		c, j := r.chunks[i/chunkRows], i%chunkRows
		k := key{at: c.id[j], form: c.form[j] & formOfID}
		if k.form == long || k.form == foreign {
			k.text = r.idAt(i)
		}
		slot := x.hash(&k) & mask
		for x.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		x.slots[slot] = n
	}
}
