package ui

// A Step of a stepper.
type Step struct {
	Name string
	Done bool
}

// Stepper draws steps on one line of at most w cells: done ones marked, the
// current one in the accent, with words only where they fit.
func (t *Theme) Stepper(w, current int, steps ...Step) string { return "" }
