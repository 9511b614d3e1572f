package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// digits is what was typed of a number that must not stay: a fixed array, never
// grown and so never copied, overwritten by wipe (R20). It is behind a function
// because whatever prints values follows fields and pointers, but not functions.
type digits struct {
	array func() []byte
	n     int
}

// bytes are the digits; they must not be kept.
func (d *digits) bytes() []byte { return d.array()[:d.n] }

func (d *digits) wipe() {
	clear(d.array())
	d.n = 0
}

// update takes a key or a paste. Digits go to the end and backspace takes the
// last: one cannot edit in the midst of dots. What is in between besides digits is
// in blanks.
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

// add takes all the digits of s or, with words, none.
func (d *digits) add(s, between string) string {
	n := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			n++
		case !strings.ContainsRune(between, r):
			return "Digits only: nothing was put in"
		}
	}
	if most := len(d.array()); d.n+n > most {
		return fmt.Sprintf("More than %d digits: nothing was put in (ctrl+u empties the field)", most)
	}
	for _, r := range s {
		if r >= '0' && r <= '9' {
			d.array()[d.n] = byte(r)
			d.n++
		}
	}
	return ""
}
