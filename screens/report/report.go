// Package report says what is known of one thing, such as an attempt or a payment, as a value. Whoever shows
// it draws the same value: a screen on its body, a list in the pane beside it, a command as text, a ticket as Markdown.
//
//   - [Of] makes the report of a [Subject], which subject.go takes from an attempt of the journal, an entry of the session, a
//     look-up or a watch. It also says why a key does nothing about one.
//   - draw.go draws a report, and history.go what happened, which package detail lays out on the body of a screen. write.go writes it to a
//     file or to stdout.
//
// A report does no I/O and reads no clock. Its texts are clean, and only a status that nothing contradicts has the
// tone of success: [present.AttemptCell] and [present.PaymentCell] judge that.
package report

import (
	"time"

	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Report holds what is known of one thing.
type Report struct {
	Title    string  // its name, such as "Attempt k3f9m2x7qa"
	Amount   string  // "" for none
	Remark   string  // on the amount
	Card     string  // or the channel that it is paid with: stands beside the status on its own page
	Status   ui.Cell // how it stands
	Brief    string  // how it was paid, or what it is, where there is no room for facts
	Says     []Words // what the status means, and what is to be done
	Sections []Section
	Unknown  []string // what a reader of a file must not assume
	History  []ledger.Event
	Differs  bool    // the history has a mismatch
	Ahead    ui.Stop // what the history waits for; without words for nothing
}

// A Section is words, a table, facts and a text under a title.
type Section struct {
	Title string
	Note  string // beside the title
	Words []Words
	Table Table // on its own screen; elsewhere words say the same
	Facts []Fact
	Quote Quote // on screens
}

// A Quote is a text from outside, in clean lines. A gutter stands before each, so that none is read as one of the console.
type Quote struct {
	Lines []string
	JSON  bool
	In    Place
}

// A Table compares values: each has a title above it and the label of its row before it.
type Table struct {
	Titles []string
	Rows   []Row
}

// A Row holds what a [Table] compares; it has a cell for each title.
type Row struct {
	Label string
	Cells []ui.Cell
}

// A Fact is a value with its label. One without a value and without a time is left out.
type Fact struct {
	Label  string // at most 11 cells
	Value  string
	Tone   ui.Tone
	Muted  bool
	Strong bool
	At     time.Time // stands after the value
	By     string    // a person, after the time
	Hint   string    // the key for it, on its own page
	Rank   int       // facts of the highest rank are left out first where there is no room, those of 0 never
	In     Place
}

// Words are a paragraph, or what went wrong.
type Words struct {
	Text    string // after "→ " it says what a person does next
	Tone    ui.Tone
	Order   bool            // what staff do now: bold, on lines of its own
	Quoted  bool            // it has text from outside: a file has it as code
	Problem present.Problem // instead of Text
	Rank    int
	In      Place
}

// A Place is a set of the places where a part of a report is shown; the zero Place is all of them.
type Place uint8

// The places.
const (
	OnPage Place = 1 << iota // on its own screen
	InPane                   // beside or below a list
	InText                   // where a command prints it
	InFile                   // where it goes to a ticket

	OnScreens = OnPage | InPane | InText
	OffPage   = InPane | InText | InFile // its own screen says it elsewhere
)

// has reports whether a part that belongs to some places is shown on one.
func (p Place) has(one Place) bool { return p == 0 || p&one != 0 }

// Extra is the rank of facts that can be done without. They make way first, then the blanks and the titles that set the parts
// apart, and then quotes.
const (
	rankTable = 2 // the blank before one
	rankQuote = 7
	rankTitle = 8
	rankBlank = 9
	Extra     = 10
)

// empty reports whether there is nothing to show of a fact.
func (f Fact) empty() bool { return f.Value == "" && f.At.IsZero() }
