package ui

import (
	"cmp"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
)

// A TextOption configures a [TextField].
type TextOption func(*TextField)

// A TextField is a line of text. It accepts a key or a paste whole or not at all, and only
// visible characters, and removes a card number unless it is masked.
type TextField struct {
	baseField
	line   func() *lineEditor // a function, because fmt follows pointers and the text may be secret
	empty  func() string      // the error of an empty value now, "" for none
	checks []func(string) string
}

// NewTextField returns a field of at most 1000 characters.
func NewTextField(t *Theme, label, help string, o ...TextOption) *TextField {
	l := &lineEditor{limit: lineLimit}
	f := &TextField{
		baseField: baseField{theme: t, label: label, help: help},
		line:      func() *lineEditor { return l }, empty: func() string { return "" },
	}
	for _, option := range o {
		option(f)
	}
	return f
}

// Required makes an empty value an error.
func Required() TextOption {
	return func(f *TextField) { f.empty = func() string { return f.missing().Error() } }
}

// RequiredWhile makes an empty value an error while wrong returns one.
func RequiredWhile(wrong func() string) TextOption { return func(f *TextField) { f.empty = wrong } }

// Limit allows at most n characters.
func Limit(n int) TextOption { return func(f *TextField) { f.line().limit = n } }

// Masked shows a dot for each character: for secrets.
func Masked() TextOption { return func(f *TextField) { f.line().masked = true } }

// Checked adds a check of a value that is not empty. It returns the error, "" for none.
func Checked(check func(string) string) TextOption {
	return func(f *TextField) { f.checks = append(f.checks, check) }
}

// Instead says what to do in place of typing a card number, such as "Type the reference".
func Instead(do string) TextOption { return func(f *TextField) { f.line().cards.instead = do } }

// Except names texts that are accepted though they look like a card number.
func Except(known func(text string) bool) TextOption {
	return func(f *TextField) { f.line().cards.except = known }
}

// Path is for the path of a folder: digits of two folders in it are no groups of one card number.
func Path() TextOption {
	return Except(func(s string) bool {
		return strings.HasPrefix(strings.TrimPrefix(s, "~"), "/") && !card.In(strings.Split(s, "/")...)
	})
}

// Initial sets the value.
func Initial(s string) TextOption { return func(f *TextField) { f.SetValue(s) } }

// Value returns the text without surrounding blanks.
func (f *TextField) Value() string { return strings.TrimSpace(string(f.line().text)) }

// Secret returns the exact text, surrounding blanks included, in bytes that the caller wipes.
func (f *TextField) Secret() []byte {
	var b []byte
	for _, r := range f.line().text {
		b = utf8.AppendRune(b, r)
	}
	return b
}

// SetValue replaces the text. A text that could not have been typed is ignored, and the field
// shows why.
func (f *TextField) SetValue(s string) {
	changed, refused := f.line().set(s)
	f.record(true, changed, refused)
}

// Empty reports whether the text is empty or only blanks.
func (f *TextField) Empty() bool { return f.line().blank() }

// Check returns the first error of the value, "" for none.
func (f *TextField) Check() string {
	switch l := f.line(); {
	case l.cards.caught:
		return l.cards.words()
	case l.lacks != "":
		return l.lacks
	case !l.masked && strayJoiner(f.Value()) != "":
		return strayJoiner(f.Value())
	}
	if f.Empty() {
		return f.empty()
	}
	for _, check := range f.checks {
		if wrong := check(f.Value()); wrong != "" {
			return wrong
		}
	}
	return ""
}

// Focus implements [Field].
func (f *TextField) Focus() {
	f.baseField.Focus()
	f.line().whole = true
}

// Update handles a key or a paste.
func (f *TextField) Update(msg tea.Msg) bool {
	own, changed, refused := f.line().update(msg)
	return f.record(own, changed, cmp.Or(refused, f.line().lacks))
}

// Required reports whether an empty value is an error now.
func (f *TextField) Required() bool { return f.empty() != "" }

// Width fits the longest text, unless it is far longer than texts are.
func (f *TextField) Width() int {
	if n := f.line().limit; n < shortBox {
		return max(n+1, leastBox)
	}
	return boxWidth
}

// View draws the text, or dots for a masked one.
func (f *TextField) View(w int) (string, int) { return f.line().view(w, f.focused) }

// Wipe overwrites a masked field's text.
func (f *TextField) Wipe() {
	if f.line().masked {
		f.line().wipe()
		f.inputError = ""
	}
}
