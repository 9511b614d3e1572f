package listing

import "iter"

// A sieve knows which hashes may have come before, in six bytes for each. One that it does not know has not come: so a list whose
// rows all differ, as they should, takes no index, and no row of it is looked up.
type sieve struct {
	layers [][]uint64 // of bits; the last one is filled
	room   int        // hashes that the last layer still takes
}

const (
	firstLayer = 4096 // hashes; each further layer takes twice as many
	bitsOfHash = 48   // of the room that a layer has for it
	bitsSet    = 12   // one hash in fifty million is taken for another in a full layer
)

// add adds a hash, and reports whether it may have come before.
func (s *sieve) add(hash uint64) (known bool) {
	for _, layer := range s.layers {
		if has(layer, hash) {
			return true
		}
	}
	if s.room == 0 {
		s.room = firstLayer << len(s.layers)
		s.layers = append(s.layers, make([]uint64, s.room*bitsOfHash/64))
	}
	s.room--
	last := s.layers[len(s.layers)-1]
	for at := range bits(last, hash) {
		last[at/64] |= 1 << (at % 64)
	}
	return false
}

func has(layer []uint64, hash uint64) bool {
	for at := range bits(layer, hash) {
		if layer[at/64]>>(at%64)&1 == 0 {
			return false
		}
	}
	return true
}

// bits returns the places of a hash's bits in a layer.
func bits(layer []uint64, hash uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for range bitsSet {
			hash = hash*6364136223846793005 + 1442695040888963407 // all of it is in each: few bits would be taken for others too often
			if !yield(hash >> 16 % uint64(64*len(layer))) {
				return
			}
		}
	}
}
