package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// digits holds card data while it is typed: a fixed array, which never grows and so is never
// copied, overwritten by wipe. It is behind a function because fmt and reflection follow fields
// and pointers, but not functions.
type digits struct {
	array   func() []byte
	n       int
	between string // the characters that may separate digits
}

// bytes returns the array's digits; the caller must not keep them.
func (d *digits) bytes() []byte { return d.array()[:d.n] }

func (d *digits) wipe() {
	clear(d.array())
	d.n = 0
}

// edit handles the keys that are not text. Backspace removes the last digit: nobody can edit in the
// middle of dots.
func (d *digits) edit(stroke string) (own, changed bool) {
	was := d.n
	switch stroke {
	case "backspace", "ctrl+h", "shift+backspace":
		if d.n > 0 {
			d.n--
			d.array()[d.n] = 0
		}
	case "ctrl+u", "ctrl+w", "alt+backspace":
		d.wipe()
	case "left", "right", "home", "end", "delete", "ctrl+a", "ctrl+e", "ctrl+k":
	default:
		return false, false
	}
	return true, d.n != was
}

// add adds all digits of s at the end, or none and returns why.
func (d *digits) add(s string) (changed bool, refused string) {
	n := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			n++
		case !strings.ContainsRune(d.between, r):
			return false, "Digits only (input ignored)"
		}
	}
	if most := len(d.array()); d.n+n > most {
		return false, fmt.Sprintf("At most %d digits (input ignored; ctrl+u clears the field)", most)
	}
	for _, r := range s {
		if r >= '0' && r <= '9' {
			d.array()[d.n] = byte(r)
			d.n++
		}
	}
	return true, ""
}

// A digitsField is the part that the fields of card data share.
type digitsField struct {
	baseField
	digits
}

func newDigitsField(t *Theme, label, help string, n int, between string) digitsField {
	array := make([]byte, n)
	return digitsField{
		baseField{theme: t, label: label, help: help},
		digits{array: func() []byte { return array }, between: between},
	}
}

// Required is true: a card has all of its data.
func (f *digitsField) Required() bool { return true }

// Width is the cells of all digits, of what is drawn between them, and of the cursor.
func (f *digitsField) Width() int {
	n := len(f.array())
	return max(n+(n-1)/4+1, leastBox)
}

// Empty reports whether the field has no digits.
func (f *digitsField) Empty() bool { return f.n == 0 }

// Wipe overwrites the digits.
func (f *digitsField) Wipe() {
	f.wipe()
	f.inputError = ""
}

// set replaces the digits, those of a test card.
func (f *digitsField) set(s string) {
	f.wipe()
	_, refused := f.add(s)
	f.record(true, true, refused)
}

// Update handles a key or a paste.
func (f *digitsField) Update(msg tea.Msg) bool {
	return f.record(edited(msg, f.paste, f.add, f.edit))
}

func (f *digitsField) paste(s string) (changed bool, refused string) {
	return f.add(strings.TrimSpace(s))
}
