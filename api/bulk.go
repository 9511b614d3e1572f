package api

import (
	"context"
	"sync"
)

// A scan reads thousands of pages, of which people look at none as such. What belongs to one request that a
// person made, and would cost most of the time or push out what they did, is left out of it.

type bulkContext struct{}

// InBulk returns a context in which [Client.Transactions] reads for a scan: rows have no Object and pages no
// Notices, a request is not retried, since a scan has a schedule of its own, and only responses that are no
// success are kept as an [Answer]. The page has its rows in room, as far as they fit: whoever passes it must no
// longer use a page that was read into it before.
func InBulk(ctx context.Context, room []Row) context.Context {
	return context.WithValue(ctx, bulkContext{}, room)
}

// IsBulk reports whether a context is one of [InBulk].
func IsBulk(ctx context.Context) bool {
	_, is := bulk(ctx)
	return is
}

// bulk is the room for rows of a context of [InBulk], and whether it is one.
func bulk(ctx context.Context) (room []Row, is bool) {
	room, is = ctx.Value(bulkContext{}).([]Row)
	return room, is
}

// A scratch is memory in which the pages of a scan are read, one after the other: a page takes five times as much
// as is kept of it. All texts of a page are parts of a string that is made for that page alone, so that nothing
// that was read refers to a scratch, except the values of the document, which end with the reading of its rows.
// No other operation uses one.
type scratch struct {
	body   []byte
	values []value
	parts  []*value
	keys   []string
	open   []*value // of the containers that are open
	names  []string // of the keys of those
}

// The size of a scratch: a page of 100 rows with four members has some 510 values. Larger pages take more memory,
// which is not kept.
const (
	scratchValues = 768
	scratchBody   = 32 << 10
	scratchOpen   = 128
)

var scratches = sync.Pool{New: func() any {
	return &scratch{
		body: make([]byte, 0, scratchBody), values: make([]value, scratchValues),
		parts: make([]*value, scratchValues), keys: make([]string, scratchValues),
		open: make([]*value, 0, scratchOpen), names: make([]string, 0, scratchOpen),
	}
}}

// lend gives a reader the memory of s. Without any the reader makes its own.
func (s *scratch) lend(r *strictReader) {
	if s != nil {
		r.values, r.spare.parts, r.spare.keys = s.values, s.parts, s.keys
		r.parts, r.keys = s.open, s.names
	}
}

// release lets others use s. Nothing read with it may be used any more but texts.
func (s *scratch) release() {
	clear(s.values)
	clear(s.parts)
	clear(s.keys)
	clear(s.open[:cap(s.open)])
	clear(s.names[:cap(s.names)])
	scratches.Put(s)
}
