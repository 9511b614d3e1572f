package ui

// Fit cuts s, which may hold styles, to w cells with an ellipsis, or pads it with blanks to
// exactly w cells.
func Fit(s string, w int) string { return s }

// FitRight is Fit with the text at the right end.
func FitRight(s string, w int) string { return s }

// Wrap breaks plain text at blanks into lines of at most w cells; a word longer than w
// is broken.
func Wrap(s string, w int) []string { return []string{s} }

// Lines joins lines and cuts the result to at most w×h cells.
func Lines(w, h int, lines ...string) string { return "" }
