package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// releaseDelay sets how long a submitting key must be absent before it may submit again. It is
// longer than keyboards wait before they repeat a key that is held down.
const releaseDelay = time.Second

// A HeldKey keeps a key that is held down from submitting again and again: after a rejection
// each of its repetitions would send another request, and services lock out clients that do
// that.
type HeldKey struct{ last time.Time } // when it may last have been held down; zero once released

// Submitted notes that a key has just submitted.
func (h *HeldKey) Submitted(s Scope) { h.last = s.Now() }

// Release notes that another key was pressed.
func (h *HeldKey) Release() { h.last = time.Time{} }

// Ignores reports whether k may still be the key that submitted, held down. Any other key, or a
// second without one, means that it was released. Where busy, nothing can be submitted now.
func (h *HeldKey) Ignores(s Scope, k tea.KeyPressMsg, busy bool) bool {
	switch {
	case h.last.IsZero():
		return false
	case busy:
		h.last = s.Now()
		return false
	case !Submits(k) || s.Now().Sub(h.last) >= releaseDelay:
		h.Release()
		return false
	}
	h.last = s.Now()
	return true
}
