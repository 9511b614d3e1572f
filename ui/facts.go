package ui

import "strings"

// Fact is a label and its value on one line: the label muted, in a column of its own, and "-"
// for a value that is empty. It is not cut: fit it where the value may be long.
func (t *Theme) Fact(label, value string, column int) string {
	if strings.TrimSpace(value) == "" {
		value = "-"
	}
	return t.Muted.Render(Fit(label, column)) + value
}

// FactLines is a label and its value on as many lines of at most w cells as the value needs, each
// under the beginning of the first.
func (t *Theme) FactLines(label, value string, column, w int) []string {
	lines := Wrap(value, max(w-column, 1))
	for i, l := range lines {
		lines[i] = t.Muted.Render(Fit(label, column)) + l
		label = ""
	}
	return lines
}
