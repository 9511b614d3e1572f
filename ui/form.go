package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Form is a ring of fields: label and value on one line each, help of the
// field in focus and errors on the line below it. Tab, shift+tab, up and down move;
// enter moves on and submits from the last field, ctrl+s submits from any.
// Nothing typed is ever lost.
//
// A field is checked when the focus leaves it, unless it is empty, and all are
// when the form is submitted. What is wrong is said under the field until its value
// changes.
type Form struct {
	theme       *Theme
	fields      []*fieldState
	current     int    // the slot in focus, -1 when no field can have it
	submitLabel string // what submitting does
}

// A fieldState is a field and what is held against it.
type fieldState struct {
	Field
	invalid    string // what Check said
	checked    bool
	checkedAt  int // the field's edits then
	rejection  string
	rejectedAt int
	updates    int // messages taken, for a field that does not count its edits
}

// A FormResult is what a key meant to a form.
type FormResult uint8

// The verdicts.
const (
	Ignored   FormResult = iota // not the form's key
	Handled                     // the form took it
	Submitted                   // enter in the last field, and every field is in order
)

var submitAll = key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", ""))

// NewForm makes a form of fields, the first in focus.
func NewForm(t *Theme, fields ...Field) *Form {
	f := &Form{theme: t, current: -1, submitLabel: "done"}
	f.SetFields(fields...)
	return f
}

// SubmitLabel gives the word for what submitting does, such as "create", to the keys
// that do it; it is "done" otherwise.
func (f *Form) SubmitLabel(word string) { f.submitLabel = word }

// SetFields replaces the fields, keeping the focus on the same field where it
// is still there, else on the one that now has its place.
func (f *Form) SetFields(fields ...Field) {
	was := f.Focused()
	slots := make([]*fieldState, len(fields))
	for i, field := range fields {
		if s := f.stateOf(field); s != nil {
			slots[i] = s
		} else {
			slots[i] = &fieldState{Field: field}
		}
	}
	at := max(f.current, 0)
	f.fields, f.current = slots, -1
	for i, field := range fields {
		if was != nil && field == was {
			f.current = i
			return
		}
	}
	if was != nil {
		was.Blur()
	}
	f.setFocus(f.nextFocusable(min(at, len(slots)-1), 1))
}

// Update takes a key or a paste. A paste is only ever text.
func (f *Form) Update(msg tea.Msg) FormResult {
	defer f.recheck()
	switch msg := msg.(type) {
	case tea.PasteMsg:
		if f.current >= 0 {
			f.fields[f.current].update(msg)
		}
		return Handled
	case tea.KeyPressMsg:
		return f.press(msg)
	}
	return Ignored
}

func (f *Form) press(msg tea.KeyPressMsg) FormResult {
	switch {
	case key.Matches(msg, submitAll):
		return f.trySubmit()
	case f.current < 0:
		return Ignored
	case key.Matches(msg, Next):
		f.moveTo(f.nextFocusable(f.current+1, 1))
	case key.Matches(msg, Prev):
		f.moveTo(f.nextFocusable(f.current-1, -1))
	case key.Matches(msg, Submit):
		if f.current == f.nextFocusable(-1, -1) {
			return f.trySubmit()
		}
		f.moveTo(f.nextFocusable(f.current+1, 1))
	case !f.fields[f.current].update(msg):
		return Ignored
	}
	return Handled
}

// Submits reports whether a key is one that can submit a form.
func Submits(k tea.KeyPressMsg) bool { return key.Matches(k, Submit, submitAll) }

func (f *Form) trySubmit() FormResult {
	if f.Submit() {
		return Submitted
	}
	return Handled
}

// Submit checks every field, focuses the first that has an error and shows it.
// It reports whether all are in order; then what the service had said of them
// is forgotten, since it will be asked again.
func (f *Form) Submit() bool {
	first := -1
	for i, s := range f.fields {
		if s.check(); s.invalid != "" && first < 0 {
			first = i
		}
	}
	if first >= 0 {
		f.setFocus(first)
		return false
	}
	for _, s := range f.fields {
		s.rejection = ""
	}
	return true
}

// SetError puts an error on a field, as the service said it, and focuses it. The error goes
// when the field is changed.
func (f *Form) SetError(field Field, text string) {
	if s := f.stateOf(field); s != nil {
		s.rejection, s.rejectedAt = text, s.edits()
		f.FocusOn(field)
	}
}

// FocusOn puts the focus on a field; one that is not in the form changes nothing.
func (f *Form) FocusOn(field Field) {
	for i, s := range f.fields {
		if s.Field == field && s.focusable() {
			f.setFocus(i)
			return
		}
	}
}

// Focused is the field in focus, nil when there is none.
func (f *Form) Focused() Field {
	if f.current < 0 {
		return nil
	}
	return f.fields[f.current].Field
}

// Typing reports whether the field in focus takes letters.
func (f *Form) Typing() bool { return f.current >= 0 && f.fields[f.current].Typing() }

// Wipe clears the secrets, and what was held against them.
func (f *Form) Wipe() {
	for _, s := range f.fields {
		s.Wipe()
		if s.Empty() {
			s.checked = false
		}
	}
}

// Keys lists the form's bindings for the help bar, and those of the field in focus.
// Enter says what it does in the last field.
func (f *Form) Keys() []key.Binding {
	enter, all := Submit, submitAll
	all.SetHelp("ctrl+s", f.submitLabel)
	if f.current == f.nextFocusable(-1, -1) {
		enter.SetHelp("enter", f.submitLabel)
		all.SetEnabled(false) // it works, but says nothing new
	}
	keys := []key.Binding{enter, Next, all, Prev}
	if field, ok := f.Focused().(interface{ Keys() []key.Binding }); ok {
		keys = append(field.Keys(), keys...)
	}
	return keys
}

// moveTo moves the focus as a person does: what was left is checked.
func (f *Form) moveTo(to int) {
	if s := f.fields[f.current]; to != f.current && !s.Empty() {
		s.check()
	}
	f.setFocus(to)
}

func (f *Form) setFocus(i int) {
	if i == f.current {
		return
	}
	if f.current >= 0 {
		f.fields[f.current].Blur()
	}
	if f.current = i; i >= 0 {
		f.fields[i].Focus()
	}
}

// nextFocusable is the first field that can have the focus, from i in steps of 1 or -1
// around the ring; -1 when there is none.
func (f *Form) nextFocusable(i, step int) int {
	n := len(f.fields)
	for range n {
		i = (i + n) % n
		if f.fields[i].focusable() {
			return i
		}
		i += step
	}
	return -1
}

func (f *Form) stateOf(field Field) *fieldState {
	for _, s := range f.fields {
		if s.Field == field {
			return s
		}
	}
	return nil
}

// recheck looks again at what was found wrong, because one field's value may put another
// in order. It is done here and not in View, since a check may need the clock.
func (f *Form) recheck() {
	for _, s := range f.fields {
		if s.checked && s.checkedAt == s.edits() {
			s.check()
		}
	}
}

func (s *fieldState) update(msg tea.Msg) bool {
	own := s.Update(msg)
	if own {
		s.updates++
	}
	return own
}

func (s *fieldState) check() {
	// A field's words stand alone under it, without the full stop they may have elsewhere.
	s.invalid, s.checked, s.checkedAt = strings.TrimSuffix(s.Check(), "."), true, s.edits()
}

// message is what to say under the field, "" for nothing.
func (s *fieldState) message() string {
	if s.rejection != "" && s.rejectedAt == s.edits() {
		return s.rejection
	}
	if field, ok := s.Field.(interface{ InputError() string }); ok && field.InputError() != "" {
		return field.InputError()
	}
	if s.checked && s.checkedAt == s.edits() {
		return s.invalid
	}
	return ""
}

func (s *fieldState) edits() int {
	if field, ok := s.Field.(interface{ Edits() int }); ok {
		return field.Edits()
	}
	return s.updates
}

func (s *fieldState) focusable() bool {
	_, is := s.Field.(*heading)
	return !is
}
