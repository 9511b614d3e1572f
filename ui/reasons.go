package ui

import (
	"slices"
	"strings"
)

// A Named is what the reasons of a rejection call by one of several names, such as a field. The
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
