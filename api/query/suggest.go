package query

import (
	"strings"

	"paydesk/api/text"
)

// noField says that there is no such field, and which there are.
func (l *Language) noField(typed string) string {
	var names, known []string
	for i := range l.Fields {
		f := &l.Fields[i]
		known = append(append(known, f.Name), f.Aliases...)
		if f.Missing == "" {
			names = append(names, f.Name)
		}
	}
	if near := Nearest(typed, known); near != "" {
		return "No such field. Did you mean " + near + "?"
	}
	const few = 5
	last := ""
	if len(names) > few {
		names, last = names[:few], " and more"
	}
	return "No such field: there are " + strings.Join(names, ", ") + last + ". Quote it to search as text."
}

// noWord says that a word is not one of the field's, and which are, or which one was probably meant.
func (f *Field) noWord(typed string) string {
	var known, names []string
	for _, w := range f.Words {
		known = append(append(known, w.Name), w.Spellings...)
		names = append(names, strings.ReplaceAll(strings.ToLower(f.shown(w.Name)), " ", "-"))
	}
	const few = 8
	switch near := Nearest(typed, known); {
	case near != "":
		if name, ok := f.word(near); ok {
			near = f.shown(name)
		}
		return "This " + f.label() + " is not known. Did you mean " + strings.ReplaceAll(near, " ", "-") + "?" // as it can be typed
	case len(names) <= few:
		return text.Capital(f.label()) + " is one of " + strings.Join(names, ", ") + "."
	}
	return "This " + f.label() + " is not known. Write it as in " + f.Example + ", or in quotation marks what was sent."
}

// Nearest returns the word that a person probably meant: one that begins so, or differs by one or two
// letters; "" for none.
func Nearest(typed string, words []string) string {
	typed = fold(typed)
	letters := []rune(typed)
	if len(letters) < 2 || len(letters) > 40 {
		return ""
	}
	best, at := "", 1+len(letters)/4
	for _, w := range words {
		folded := fold(w)
		if strings.HasPrefix(folded, typed) {
			return w
		}
		if d := distance(letters, []rune(folded)); d < len([]rune(folded)) && d <= min(at, 2) && (best == "" || d < at) {
			best, at = w, d
		}
	}
	return best
}

// distance returns how many letters are to be added, left out, replaced or swapped with their neighbour.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
