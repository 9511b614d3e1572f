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
	array func() []byte
	n     int
}

// bytes returns the array's digits; the caller must not keep them.
func (d *digits) bytes() []byte { return d.array()[:d.n] }

func (d *digits) wipe() {
	clear(d.array())
	d.n = 0
}

// update handles a key or a paste. Digits are added at the end and backspace removes the last
// one: nobody can edit in the middle of dots. The characters in between may separate digits.
func (d *digits) update(msg tea.Msg, between string) (own, changed bool, refused string) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		refused = d.add(strings.TrimSpace(msg.Content), between)
		return true, refused == "", refused
	case tea.KeyPressMsg:
		if msg.Text != "" {
			refused = d.add(msg.Text, between)
			return true, refused == "", refused
		}
		own, changed = d.edit(msg.Keystroke())
	}
	return own, changed, ""
}

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

// add adds all digits of s, or none and returns why.
func (d *digits) add(s, between string) string {
	n := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			n++
		case !strings.ContainsRune(between, r):
			return "Digits only (input ignored)"
		}
	}
	if most := len(d.array()); d.n+n > most {
		return fmt.Sprintf("At most %d digits (input ignored; ctrl+u clears the field)", most)
	}
	for _, r := range s {
		if r >= '0' && r <= '9' {
			d.array()[d.n] = byte(r)
			d.n++
		}
	}
	return ""
}

// A digitsField is the part that the fields of card data share.
type digitsField struct {
	baseField
	digits  digits
	between string // the characters that may separate digits
}

func newDigitsField(t *Theme, label, help string, n int, between string) digitsField {
	array := make([]byte, n)
	return digitsField{baseField{theme: t, label: label, help: help}, digits{array: func() []byte { return array }}, between}
}

// Empty reports whether the field has no digits.
func (f *digitsField) Empty() bool { return f.digits.n == 0 }

// Wipe overwrites the digits.
func (f *digitsField) Wipe() {
	f.digits.wipe()
	f.inputError = ""
}

// set replaces the digits, those of a test card.
func (f *digitsField) set(s string) {
	f.digits.wipe()
	f.record(true, f.digits.add(s, ""))
}

// Update handles a key or a paste.
func (f *digitsField) Update(msg tea.Msg) bool {
	own, changed, refused := f.digits.update(msg, f.between)
	if own {
		f.record(changed, refused)
	}
	return own
}
