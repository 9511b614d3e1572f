package sandbox

import "math/rand/v2"

// seededRows are transactions that were there before. A row is worked out from
// its number when it is asked for, so a hundred thousand take no memory.
type seededRows struct {
	seed  uint64
	count int
}

// How seeded rows are spread: each word as often as it stands here.
var (
	seededCurrencies = []string{"NGN", "NGN", "NGN", "NGN", "GBP", "GBP", "GBP", "CAD", "USD", "USD", "JPY", "KWD"}
	seededStatuses   = []string{
		wordSuccessful, wordSuccessful, wordSuccessful, wordSuccessful, wordSuccessful, wordSuccessful,
		wordPending, wordFailed, wordFailed, wordInitiated,
	}
)

const maxSeededMinor = 2_000_000

// row is the i-th row, the newest being the 0th. It keeps its content when the
// count is changed: it is numbered from the oldest.
func (s seededRows) row(i int) row {
	r := rand.New(rand.NewPCG(s.seed, streamRows<<40|uint64(s.count-i)))
	return row{
		ID:       uuid(r),
		Amount:   100 + r.Int64N(maxSeededMinor),
		Currency: seededCurrencies[r.IntN(len(seededCurrencies))],
		Status:   seededStatuses[r.IntN(len(seededStatuses))],
	}
}
