package ui

import (
	"cmp"
	"errors"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
	"paydesk/api/text"
)

// A Field is one input of a form.
type Field interface {
	Label() string
	Help() string // one line on what to type
	Empty() bool
	Check() string // what is wrong with the value, "" when nothing is; never quotes secrets
	Focus()
	Blur()
	// Update handles a key or a paste and reports whether the field used it.
	Update(tea.Msg) bool
	// View draws the value, at most w cells on one line; x is the cursor's cell, -1 for none.
	View(w int) (line string, x int)
	Typing() bool // letters are text to this field
	// Edits counts the changes of the value: an error disappears when the value that it concerns changes.
	Edits() int
	InputError() string // why the last key or paste was ignored, "" when it was not
	// Wipe overwrites a field that holds a secret; other fields keep their value.
	Wipe()
	Width() int          // the most cells of its input
	Required() bool      // the value must not be empty now
	Keys() []key.Binding // beside those of the form
	// State says more of the value than that it is valid: with a sign, "" for none, in words from the longest
	// to the shortest.
	State() (sign string, words []string)
}

// A baseField holds what the fields of this package have in common.
type baseField struct {
	theme      *Theme
	label      string
	help       string
	inputError string
	edits      int
	focused    bool
}

func (f *baseField) Label() string      { return f.label }
func (f *baseField) Help() string       { return f.help }
func (f *baseField) Edits() int         { return f.edits }
func (f *baseField) InputError() string { return f.inputError }
func (f *baseField) Focus()             { f.focused = true }
func (f *baseField) Blur()              { f.focused = false }
func (f *baseField) Typing() bool       { return true }
func (f *baseField) Wipe()              {}
func (f *baseField) Width() int         { return boxWidth }
func (f *baseField) Required() bool     { return false }

func (f *baseField) Keys() []key.Binding       { return nil }
func (f *baseField) State() (string, []string) { return "", nil }

// record stores the effect of a key or a paste that is the field's own, and returns whether it is.
func (f *baseField) record(own, changed bool, refused string) bool {
	if own {
		f.inputError = refused
	}
	if changed {
		f.edits++
	}
	return own
}

// missing is the error of a required field that is empty.
func (f *baseField) missing() error { return errors.New(f.label + " is required") }

// end cuts what a field shows to w cells; with focus the cursor is behind it.
func (f *baseField) end(s string, w int) (string, int) {
	if !f.focused {
		return cut(s, w), -1
	}
	return cut(s, w), min(width(s), w-1)
}

// edited gives a key or a paste to an editor, which inserts text or returns why not, and has keys
// that edit. It reports whether the input was the editor's own and what became of it.
func edited(msg tea.Msg, paste, insert func(string) (changed bool, refused string),
	edit func(stroke string) (own, changed bool)) (own, changed bool, refused string) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		changed, refused = paste(msg.Content)
		return true, changed, refused
	case tea.KeyPressMsg:
		if msg.Text != "" {
			changed, refused = insert(msg.Text)
			return true, changed, refused
		}
		own, changed = edit(msg.Keystroke())
	}
	return own, changed, ""
}

// objection words what is wrong with the value of a field, "" when nothing is. Only the error is
// wanted: a value that is a secret is overwritten.
func objection[T any](value T, err error) string {
	if secret, ok := any(value).(interface{ Wipe() }); ok {
		secret.Wipe()
	}
	return capitalized(err)
}

// capitalized returns the error's text with a capital first letter, "" for nil.
func capitalized(err error) string {
	if err == nil {
		return ""
	}
	return text.Capital(err.Error())
}

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

// Text returns the exact text, surrounding blanks included.
func (f *TextField) Text() string { return string(f.line().text) }

// Value returns the text without surrounding blanks.
func (f *TextField) Value() string { return strings.TrimSpace(f.Text()) }

// Secret returns what Text does, in bytes that the caller wipes.
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

const shortBox = 24 // cells: a shorter text has an input of its own length

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
