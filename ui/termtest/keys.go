package termtest

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "space": tea.KeySpace,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5,
	"f6": tea.KeyF6, "f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10,
	"f11": tea.KeyF11, "f12": tea.KeyF12,
}

var modifiers = []struct {
	prefix string
	mod    tea.KeyMod
}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}}

// keyPress returns the message for a key name, with text only if the key types something.
func keyPress(name string) (tea.KeyPressMsg, error) {
	rest, mod := name, tea.KeyMod(0)
	for _, m := range modifiers {
		if cut, ok := strings.CutPrefix(rest, m.prefix); ok && cut != "" {
			rest, mod = cut, mod|m.mod
		}
	}
	if code, ok := namedKeys[rest]; ok {
		k := tea.KeyPressMsg{Code: code, Mod: mod}
		if code == tea.KeySpace && mod == 0 {
			k.Text = " "
		}
		return k, nil
	}
	r, size := utf8.DecodeRuneInString(rest)
	if size == 0 || size != len(rest) {
		return tea.KeyPressMsg{}, fmt.Errorf("unknown key %q", name)
	}
	if mod == 0 {
		return runePress(r), nil
	}
	return tea.KeyPressMsg{Code: r, Mod: mod}, nil
}

// runePress returns the key press that types r.
func runePress(r rune) tea.KeyPressMsg {
	k := tea.KeyPressMsg{Code: r, Text: string(r)}
	if unicode.IsUpper(r) {
		k.Code, k.ShiftedCode, k.Mod = unicode.ToLower(r), r, tea.ModShift
	}
	return k
}
