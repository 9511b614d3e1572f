package query

import (
	"slices"
	"strings"
	"unicode"

	"paydesk/api/money"
)

// A Kind says what the values of a field are.
type Kind uint8

// The kinds.
const (
	Text   Kind = iota // text: whole, or part of it with a *
	Words              // one of a set of words
	Amount             // amounts in major units
	Day                // days
	Exact              // a whole value that is kept from screens and logs, such as an e-mail address
	Scan               // an earlier reading of the list: the last one, or the last before a day
)

// A Word is one of the words of a field.
type Word struct {
	Name      string   // as it is in a [Value]
	Shown     string   // in meanings, where it differs
	Spellings []string // what else people write
}

// A Field is something that can be searched.
type Field struct {
	Name    string // as it is typed
	Label   string // in meanings; Name where it is empty
	Aliases []string
	Kind    Kind
	Words   []Word
	// Bare is set where a word, comparison or day that stands without a field means this field.
	Bare bool
	// Looks reports whether a value that stands without a field means this field; nil where none does.
	Looks func(value string) bool
	// Whole reports whether a value that is not in quotation marks is one that an [Exact] field can have; nil where any is.
	Whole func(value string) bool
	// Same holds what an [Exact] value has in common with what it finds, such as "the same mailbox"; "" where they are equal.
	Same string
	// Missing says why there is nothing to search, in a sentence; "" for a field that can be searched.
	Missing string
	// Example is a term to show in problems and on the help page, such as "status:failed,pending". Every field that can be searched has one.
	Example string
}

// A Language describes what can be searched in one list. Its fields do not change once it is used.
type Language struct {
	Fields []Field
	// Today returns the day that "today" means. It is asked only where a query has days.
	Today func() DayNumber
}

// Currencies are the words of a field of currencies.
func Currencies() []Word {
	codes := money.Codes()
	words := make([]Word, len(codes))
	for i, code := range codes {
		words[i].Name = code
	}
	return words
}

// Statuses are the words of a field of statuses, as the console and the service have them, and others besides.
func Statuses(others ...Word) []Word {
	return append([]Word{
		{Name: "SUCCESSFUL", Spellings: []string{"successfull", "success", "succeeded"}},
		{Name: "FAILED", Spellings: []string{"failure"}},
		{Name: "PENDING"},
		{Name: "INITIATED"},
		{Name: "REQUIRE_BANK_AUTH", Shown: "BANK CHECK", Spellings: []string{"bank check needed", "required_bank_auth", "bank_auth"}},
		{Name: "REQUIRE_USER_OFFLINE_ACTION", Shown: "MUST PAY", Spellings: []string{"customer must pay", "action"}},
		{Name: "UNRECOGNISED", Spellings: []string{"unrecognized"}},
	}, others...)
}

// fold makes spellings that people take for the same one equal.
func fold(s string) string { return folder.Replace(strings.ToLower(s)) }

var folder = strings.NewReplacer(" ", "_", "-", "_")

// spelling returns a function that reports whether a text is taken for s.
func spelling(s string) func(string) bool {
	folded := fold(s)
	return func(text string) bool { return text != "" && fold(text) == folded }
}

// field returns the field with a name or an alias, nil for none.
func (l *Language) field(name string) *Field {
	is := spelling(name)
	for i := range l.Fields {
		if f := &l.Fields[i]; is(f.Name) || slices.ContainsFunc(f.Aliases, is) {
			return f
		}
	}
	return nil
}

// word returns the name of a word of the field by one of its spellings; ok is false for any other text.
func (f *Field) word(s string) (name string, ok bool) {
	is := spelling(s)
	for _, w := range f.Words {
		if is(w.Name) || is(w.Shown) || slices.ContainsFunc(w.Spellings, is) {
			return w.Name, true
		}
	}
	return "", false
}

// bare returns the first field of a kind whose values may stand without it, nil for none.
func (l *Language) bare(k Kind) *Field {
	for i := range l.Fields {
		if f := &l.Fields[i]; f.Kind == k && f.Bare {
			return f
		}
	}
	return nil
}

// label is the field in meanings.
func (f *Field) label() string {
	if f.Label != "" {
		return f.Label
	}
	return f.Name
}

// shown is a word of the field in meanings.
func (f *Field) shown(name string) string {
	for i := range f.Words {
		if w := &f.Words[i]; w.Name == name && w.Shown != "" {
			return w.Shown
		}
	}
	return name
}

// Typed is a term for a value of the field, as a person types it: for a word by its name, and for days as they are written. Any other
// text is in quotation marks where it could be taken for something else.
func (f *Field) Typed(value string) string {
	switch {
	case f.Kind == Day:
	case f.Kind == Words:
		value = strings.ReplaceAll(value, " ", "-") // quotation marks would make it a text as it was sent
	case value == "", strings.ContainsAny(value, ",\"“”„*\\"), strings.ContainsFunc(value, unicode.IsSpace),
		strings.ContainsAny(value[:1], compares), strings.HasPrefix(value, "//"): // an address has these
		value = `"` + escaper.Replace(value) + `"`
	}
	return f.Name + ":" + value
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "“", `\“`, "”", `\”`, "„", `\„`)

// Explain is the help on a language: a paragraph for each thing to know.
func (l *Language) Explain() []string {
	var examples, missing, bare []string
	for i := range l.Fields {
		f := &l.Fields[i]
		if f.Missing != "" {
			missing = append(missing, f.Name)
			continue
		}
		examples = append(examples, f.Example)
		if f.Bare || f.Looks != nil {
			bare = append(bare, f.Name)
		}
	}
	lines := []string{
		"A row is found if it meets every term. The fields, with an example each: " + strings.Join(examples, "  ") + ".",
		"A comma means or, a - before a term means not. Capital letters do not matter.",
		"A * stands for the rest of a value: 5e62* begins so, *5e62 ends so. Words in quotation marks belong together; \\\" is a quotation mark in them.",
	}
	if len(bare) > 0 {
		lines = append(lines, "A value needs no field where it can only be one of "+strings.Join(bare, ", ")+". Other text and values in quotation marks are looked for in the text of a row.")
	}
	if l.has(Amount) {
		lines = append(lines, "Amounts are in major units and compared exactly in the currency of their row: >100, >=12.50, 100..250, ..250. Without a field 31 finds 31.50 too. A row whose amount is not known meets no such term, with a - or without.")
	}
	if l.has(Day) {
		lines = append(lines, "A day is 2026-11-23, today or yesterday; 2026-11 is a month, 7d the last seven days. Days have ranges and comparisons, too.")
	}
	if l.has(Scan) {
		lines = append(lines, "since:last finds what is new or moved since the scan before, gone:last what is gone; a day, as in since:2026-11-20, compares with the last scan that had ended by then.")
	}
	if len(missing) > 0 {
		lines = append(lines, "Not searched here: "+strings.Join(missing, ", ")+".")
	}
	return lines
}

// has reports whether a field of a kind can be searched.
func (l *Language) has(k Kind) bool {
	for i := range l.Fields {
		if f := &l.Fields[i]; f.Kind == k && f.Missing == "" {
			return true
		}
	}
	return false
}
