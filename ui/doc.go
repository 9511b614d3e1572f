// Package ui is how the console looks and what a screen is. Widgets know values,
// not servers: the package imports the values of money and cards and nothing else of
// the program.
//
// # Writing a screen
//
// A screen is a package under screens with a Model that implements [Screen] on a
// pointer, a New, its keys and its view. These rules hold for each:
//
//   - Only Update changes the model, and it returns within 60 lines: one case per key or
//     [Call.Receive].
//   - Update and View do no I/O and read no clock. Work is a command of a
//     [Call]: Ask for what may be abandoned, Commit for what moves money. The
//     function handed over captures values, never the model.
//   - Time comes by [Scope.After], which ends with the screen.
//   - Resize gets the body's size, down to 0×0, and View stays within it. Cut with [Fit]
//     and [Lines]; lipgloss widths wrap, and a wrapped line pushes the help bar off.
//   - A list is a [Table], a form is a [Form] of [Field] values, a question before
//     something is done is a [Confirm] built of frozen values.
//   - Keys are bindings. The help bar and the help page are made of them; a disabled binding
//     is out of both and out of matching. While Typing is true a letter is text,
//     and a paste is only ever text.
//   - Colours are roles of the [Theme]. A state is a [Tone] drawn by [Theme.Mark]: glyph,
//     word and colour together. No row has a background; the selected one has a mark.
//   - Nothing is told by colour alone: a state has a glyph and a word, the field in focus a
//     mark and brackets, the selected row a mark, the chosen answer brackets. Each glyph of ours
//     has an ASCII twin as wide as itself. Nothing blinks, flashes or moves by itself, the cursor
//     neither. [Theme.HighContrast] draws without colours and without faint text, so a style
//     never holds what words do not.
//   - Text from outside was cleaned where it came in. Nothing here draws what was
//     not.
//   - An error is a field of an [Result]. The screen decides what it means there.
//   - A screen that should not be left now says why in Hold.
//
// The window is drawn by [Frame], the only place that knows how many lines the chrome
// takes. Screens are tested as a person meets them, with package termtest.
package ui
