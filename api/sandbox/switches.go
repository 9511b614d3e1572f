package sandbox

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// An Assumption is one behaviour that the specification does not show.
type Assumption struct {
	Topic string `json:"topic"`
	Says  string `json:"says"`
}

// Assumptions lists everything the sandbox had to invent. "facts" marks what was observed
// on deployed instances.
func Assumptions() []Assumption { return table[[]Assumption]("assumptions.json") }

// A Switch is one thing the specification does not show, or shows in two ways, and what the
// sandbox does there.
type Switch struct {
	Name    string   `json:"name"`
	Value   string   `json:"value"`
	Default string   `json:"default"`          // what the specification says, or what is nearest to it
	Values  []string `json:"values,omitempty"` // what it accepts; nil for any word of at most 64 characters
	Does    string   `json:"does"`             // one line for people
	Topic   string   `json:"topic"`            // the assumption it changes
}

// switchTable lists all switches, as switches.json does. The first value is the default.
var switchTable = sync.OnceValue(func() []Switch {
	switches := table[[]Switch]("switches.json")
	for i, w := range switches {
		if w.Values != nil {
			switches[i].Default = w.Values[0]
		}
	}
	return switches
})

// switchValues holds the values that were set, by switch name. The others have their defaults, which follow the specification.
type switchValues map[string]string

// rewrites reports whether any value changes how a response is written, rather than what the list has.
func (s switchValues) rewrites() bool {
	return slices.ContainsFunc(switchTable(), func(w Switch) bool { return w.Topic != "list" && s.of(w.Name) != w.Default })
}

// of returns the value of a switch. A name that is not in the table is a mistake here.
func (s switchValues) of(name string) string {
	if value, is := s[name]; is {
		return value
	}
	i := slices.IndexFunc(switchTable(), func(w Switch) bool { return w.Name == name })
	if i < 0 {
		panic("sandbox: there is no switch " + name)
	}
	return switchTable()[i].Default
}

func (s switchValues) is(name, value string) bool { return s.of(name) == value }

// Switches lists all switches with their values.
func (s *Sandbox) Switches() []Switch {
	s.mu.Lock()
	defer s.mu.Unlock()
	table := slices.Clone(switchTable())
	for i := range table {
		table[i].Value = s.switches.of(table[i].Name)
	}
	return table
}

// ErrNoSwitch is SetSwitch's error for an unknown name.
var ErrNoSwitch = reason("no switch has this name")

// SetSwitch sets one switch. Its errors say what the switch accepts and do not quote the
// value.
func (s *Sandbox) SetSwitch(name, value string) error {
	if err := checkSwitch(name, value); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.switches[name] = value
	return nil
}

// checkSwitch validates the value of a switch.
func checkSwitch(name, value string) error {
	table := switchTable()
	i := slices.IndexFunc(table, func(w Switch) bool { return w.Name == name })
	if i < 0 {
		return ErrNoSwitch
	}
	return table[i].check(value)
}

// check validates a value.
func (w Switch) check(value string) error {
	switch {
	case w.Values != nil && !slices.Contains(w.Values, value):
		return fmt.Errorf("%s must be one of: %s", w.Name, strings.Join(w.Values, ", "))
	case w.Values == nil && value == w.Default:
		return nil
	case w.Name == "key.header" && (value == "" || strings.Trim(value, headerChars) != ""):
		return fmt.Errorf("%s must be a header name: letters, digits and -", w.Name)
	case value == "" || len(value) > maxWord || strings.Trim(value, " ") != value,
		!plainASCII(strings.ReplaceAll(value, " ", "")):
		return fmt.Errorf("%s must be 1 to %d printable ASCII characters", w.Name, maxWord)
	}
	return nil
}

const (
	maxWord     = 64
	headerChars = "-" + base36 + upperCase
)

// WriteAssumptions writes the table as text, each assumption with its switches.
func WriteAssumptions(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("What the sandbox does where the specification is silent.\n")
	for _, a := range Assumptions() {
		b.WriteString("\n" + a.Topic + "\n")
		writeIndented(b, a.Says)
		for _, s := range switchTable() {
			if s.Topic == a.Topic {
				writeIndented(b, "Switch "+s.Name+": "+s.Does+" ("+s.accepts()+").")
			}
		}
	}
	return b.Flush()
}

// writeIndented wraps a text for a terminal.
func writeIndented(b *bufio.Writer, text string) {
	line := " "
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > 78 {
			b.WriteString(line + "\n")
			line = " "
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// accepts lists the values that a switch accepts.
func (w Switch) accepts() string {
	if w.Values == nil {
		return "any word; default " + cmp.Or(w.Default, "none")
	}
	return strings.Join(w.Values, ", ")
}
