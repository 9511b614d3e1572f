package webhook

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// FileName is the name of the file, in the folder of the journal.
const FileName = "webhooks.db"

// MB is a megabyte, as the configuration counts them.
const MB = 1_000_000

// DefaultLimit is how large the file may become, in bytes.
const DefaultLimit = 50 * MB

// Options of [New].
type Options struct {
	// Dir is the folder of the file, created with mode 0700 when it is missing; "" keeps the events in
	// memory, for the demo and for tests.
	Dir   string
	Limit int64            // bytes; 0 means [DefaultLimit]
	Now   func() time.Time // nil means time.Now
}

// A Store has the events that arrived, of all profiles. Its methods may be called from any goroutine, and other
// processes may use the same file.
type Store struct{ opts Options }

var errUnbuilt = errors.New("the store is not built yet")

// New returns a store whose file is created when it is first used.
func New(o Options) *Store { return &Store{opts: o} }

// Path is the path of the file; "" in memory.
func (s *Store) Path() string { return "" }

// Keep stores a delivery, and returns its number when it is durable. Several that come at once are written together.
func (s *Store) Keep(ctx context.Context, profile string, h http.Header, body []byte) (number int64, err error) {
	return 0, errUnbuilt
}

// Find returns the events that a search finds. A query that cannot be read is a [*query.Problem].
func (s *Store) Find(ctx context.Context, q Search) (Found, error) { return Found{}, errUnbuilt }

// Get returns an event of a profile, or [ErrNotFound].
func (s *Store) Get(ctx context.Context, profile string, id int64) (Detail, error) {
	return Detail{}, errUnbuilt
}

// After returns at most n deliveries with higher numbers than one, in their order.
func (s *Store) After(ctx context.Context, profile string, number int64, n int) ([]Delivered, error) {
	return nil, errUnbuilt
}

// Newest is the number of the last delivery; 0 for none.
func (s *Store) Newest(ctx context.Context, profile string) (int64, error) { return 0, errUnbuilt }

// Wait waits until anything is stored or answered after a version, in this process or another, and returns the new
// version. Version 0 precedes every change.
func (s *Store) Wait(ctx context.Context, version uint64) (uint64, error) { return 0, errUnbuilt }

// AddForward stores what became of a sending.
func (s *Store) AddForward(ctx context.Context, id int64, f Forward) error { return errUnbuilt }

// Close closes the file.
func (s *Store) Close() error { return nil }
