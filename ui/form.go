package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Form is a ring of fields on a line each: the label, marked where the field must not be empty, the
// underlined input, and its check or its error. The help of the focused field and its whole error have a place
// of their own below all fields, so that no line moves with the focus. Tab, shift+tab, up and down move the
// focus; enter moves to the next field and submits from the last one; ctrl+s submits from any field.
//
// A field is checked when the focus leaves it, unless it is empty; all fields are checked when
// the form is submitted. An error stays until the value changes.
type Form struct {
	theme       *Theme
	fields      []*fieldState
	current     int    // index of the focused field, -1 for none
	submitLabel string // what submitting does, for the help bar
}

// A fieldState is a field and its errors.
type fieldState struct {
	Field
	invalid    string // the result of Check
	checked    bool
	checkedAt  int    // edits when it was checked
	rejection  string // set by SetError
	rejectedAt int    // edits when it was set
}

// A FormResult is the effect of a key on a form.
type FormResult uint8

// The effects.
const (
	Ignored FormResult = iota // the form does not use this key
	Handled
	Submitted // the form was submitted and every field is valid
)

var (
	submitAll = Bind("ctrl+s", "")
	nextField = Bind("enter/tab", "next", "enter", "tab", "down")
)

// NewForm makes a form with the focus on its first field.
func NewForm(t *Theme, fields ...Field) *Form {
	f := &Form{theme: t, current: -1, submitLabel: "done"}
	f.SetFields(fields...)
	return f
}

// SubmitLabel sets the help text of the keys that submit, such as "create"; the default is
// "done".
func (f *Form) SubmitLabel(word string) { f.submitLabel = word }

// SetFields replaces the fields. The focus stays on its field if that is still in the form, and
// otherwise moves to the field now at the same position.
func (f *Form) SetFields(fields ...Field) {
	was, at := f.Focused(), max(f.current, 0)
	states := make([]*fieldState, len(fields))
	for i, field := range fields {
		states[i] = &fieldState{Field: field}
		if before := f.index(field); before >= 0 {
			states[i] = f.fields[before]
		}
	}
	f.fields, f.current = states, slices.Index(fields, was)
	switch {
	case f.current >= 0:
		return
	case was != nil:
		was.Blur()
	}
	f.setFocus(min(at, f.last()))
}

// Update handles a key or a paste. A paste is always text.
func (f *Form) Update(msg tea.Msg) FormResult {
	defer f.recheck()
	switch msg := msg.(type) {
	case tea.PasteMsg:
		if f.current >= 0 {
			f.fields[f.current].Update(msg)
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
		return f.submit()
	case f.current < 0:
		return Ignored
	case key.Matches(msg, Submit) && f.current == f.last():
		return f.submit()
	case key.Matches(msg, nextField):
		f.move(1)
	case key.Matches(msg, Prev):
		f.move(-1)
	case !f.fields[f.current].Update(msg):
		return f.typeBelow(msg)
	}
	return Handled
}

// typeBelow takes a digit that a choice has no use for to an empty amount below it: a person who types an amount at its
// currency means the amount.
func (f *Form) typeBelow(msg tea.KeyPressMsg) FormResult {
	if below := f.current + 1; !f.Typing() && below <= f.last() && len(msg.Text) == 1 && msg.Text >= "0" && msg.Text <= "9" {
		if amount, is := f.fields[below].Field.(*AmountField); is && amount.Empty() {
			f.move(1)
			amount.Update(msg)
			return Handled
		}
	}
	return Ignored
}

// Submits reports whether a key can submit a form.
func Submits(k tea.KeyPressMsg) bool { return key.Matches(k, Submit, submitAll) }

// submit checks every field and focuses the first invalid one. If all are valid, it clears the
// errors of SetError, because the service will check the values again.
func (f *Form) submit() FormResult {
	for _, s := range f.fields {
		s.check()
	}
	if i := slices.IndexFunc(f.fields, func(s *fieldState) bool { return s.invalid != "" }); i >= 0 {
		f.setFocus(i)
		f.fields[i].Focus() // also where it was there: what is wrong in it is replaced
		return Handled
	}
	for _, s := range f.fields {
		s.rejection = ""
	}
	return Submitted
}

// SetError shows the service's error at a field and focuses it, until the value changes.
func (f *Form) SetError(field Field, text string) {
	if i := f.index(field); i >= 0 {
		f.fields[i].rejection, f.fields[i].rejectedAt = text, field.Edits()
		f.setFocus(i)
		field.Focus()
	}
}

// Rejected reports whether an error of [Form.SetError] still stands at a field.
func (f *Form) Rejected() bool {
	return slices.ContainsFunc(f.fields, func(s *fieldState) bool { return s.rejection != "" && s.rejectedAt == s.Edits() })
}

// Has reports whether a field is in the form.
func (f *Form) Has(field Field) bool { return f != nil && f.index(field) >= 0 }

// FocusOn moves the focus to a field; it does nothing if the field is not in the form.
func (f *Form) FocusOn(field Field) {
	if i := f.index(field); i >= 0 {
		f.setFocus(i)
	}
}

// CheckFilled checks the fields that are not empty, as when the focus leaves them: for values that were not typed. An error at
// the focused one waits until the focus leaves it.
func (f *Form) CheckFilled() {
	for i, s := range f.fields {
		if !s.Empty() && (i != f.current || s.Check() == "") {
			s.check()
		}
	}
}

// FocusFirst moves the focus to the first field.
func (f *Form) FocusFirst() { f.setFocus(min(0, f.last())) }

// Focused returns the focused field, nil for none.
func (f *Form) Focused() Field {
	if f.current < 0 {
		return nil
	}
	return f.fields[f.current].Field
}

// Typing reports whether letters are text to the focused field.
func (f *Form) Typing() bool { return f.current >= 0 && f.fields[f.current].Typing() }

// HasText reports whether something is typed in it.
func (f *Form) HasText() bool {
	return slices.ContainsFunc(f.fields, func(s *fieldState) bool { return s.Typing() && !s.Empty() })
}

// Wipe overwrites the secrets and clears their errors.
func (f *Form) Wipe() {
	for _, s := range f.fields {
		s.Wipe()
		if s.Empty() {
			s.checked = false
		}
	}
}

// Keys lists the bindings of the focused field and of the form. In the last field enter has the
// submit label. A field alone has no other to move to.
func (f *Form) Keys() []key.Binding {
	enter, first, all := Submit, Next, submitAll
	enter.SetHelp("enter", f.submitLabel)
	first.SetHelp("tab", "first field")
	all.SetHelp("ctrl+s", f.submitLabel)
	keys := []key.Binding{nextField, all, Prev}
	switch {
	case f.current < 0:
		return keys
	case f.last() == 0:
		keys = []key.Binding{enter}
	case f.current == f.last():
		keys = []key.Binding{enter, first, Prev} // ctrl+s still works, but would repeat enter in the help bar
	}
	return append(f.fields[f.current].Keys(), keys...)
}

// move moves the focus in the ring, and checks the field it leaves.
func (f *Form) move(by int) {
	to := (f.current + by + len(f.fields)) % len(f.fields)
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

func (f *Form) last() int { return len(f.fields) - 1 }

func (f *Form) index(field Field) int {
	return slices.IndexFunc(f.fields, func(s *fieldState) bool { return s.Field == field })
}

// recheck repeats the checks, because one field's value may make another one valid. View must
// not do it: a check may read the clock.
func (f *Form) recheck() {
	for _, s := range f.fields {
		if s.checked && s.checkedAt == s.Edits() {
			s.check()
		}
	}
}

func (s *fieldState) check() {
	// Errors of other packages may end with a full stop, which a message at a field does not.
	s.invalid, s.checked, s.checkedAt = strings.TrimSuffix(s.Check(), "."), true, s.Edits()
}

// message returns the error to show under the field, "" for none.
func (s *fieldState) message() string {
	switch {
	case s.rejection != "" && s.rejectedAt == s.Edits():
		return s.rejection
	case s.InputError() != "":
		return s.InputError()
	case s.checked && s.checkedAt == s.Edits():
		return s.invalid
	}
	return ""
}
