package ui

import (
	"slices"
	"strings"
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

// A Named is something that the reasons of a rejection call by one of several names, such as a field. The
// names are in lower case and separated by bars: "lastname|last name".
type Named[T any] struct {
	Names string
	Value T
}

// PlaceReasons calls place for each reason that names something, with what it names first in its
// text: services reject without error codes. The last reason comes first, so that the first one
// gets the focus. It returns, in order, the reasons that name nothing or that place does not take.
func PlaceReasons[T any](reasons []string, named []Named[T], place func(T, string) bool) (rest []string) {
	for _, reason := range slices.Backward(reasons) {
		if v, ok := firstNamed(reason, named); !ok || !place(v, reason) {
			rest = append(rest, reason)
		}
	}
	slices.Reverse(rest)
	return rest
}

// firstNamed returns what text names first; of two names at the same position the earlier in named.
func firstNamed[T any](text string, named []Named[T]) (found T, ok bool) {
	text = strings.ToLower(text)
	first := len(text)
	for _, n := range named {
		for name := range strings.SplitSeq(n.Names, "|") {
			if i := strings.Index(text, name); i >= 0 && i < first {
				found, first = n.Value, i
			}
		}
	}
	return found, first < len(text)
}
