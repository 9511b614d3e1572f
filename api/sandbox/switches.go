package sandbox

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
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

// configure applies the switches that change how a request is parsed.
func (s switchValues) configure(c call) {
	if c.body != nil {
		c.body.reading.minor = s["units."+c.operation.name] == "minor" // finalize has no such switch
		c.body.reading.anyMetaData = s.is("initiate.metadata", "anything")
	}
}

// rewrite changes a response from the specification's shape to that of the switches, and
// returns the HTTP status.
func (s switchValues) rewrite(op operation, status int, doc *node) int {
	if v := cmp.Or(doc.member("isSuccess"), doc.member("status")); v != nil && v.leaf == "false" {
		return s.rewriteRefusal(op, status, doc)
	}
	s.rewriteWords(op, doc)
	s.rewriteInitiation(op, doc)
	if s["units."+op.name] == "minor" {
		eachAmount(doc, func(v *node) {
			n, _ := parseHundredths(v.leaf)
			v.leaf = formatMinor(n).String()
		})
	}
	return status
}

// wordNode is the value of a switch as JSON: digits alone make a number, unless a zero precedes others.
func (s switchValues) wordNode(name string) node {
	value := s.of(name)
	if isDigits(value) && (value == "0" || value[0] != '0') {
		return leaf(value)
	}
	return stringNode(value)
}

// rewriteRefusal changes a refusal's body and returns its HTTP status.
func (s switchValues) rewriteRefusal(op operation, status int, doc *node) int {
	looksUp := op.name == "authenticate" || op.name == "finalize" || op.name == "transaction"
	if status == http.StatusNotFound && looksUp && s.is("error.not-found", "null") {
		*doc = objectNode("value", nil, "isSuccess", true)
		return http.StatusOK
	}
	detail := doc.member("detail")
	if op.list {
		detail = doc.member("message")
	}
	switch s.of("error.body") {
	case "A":
		*doc = problemDocument(status)
	case "B":
		*doc = failuresDocument(detail.stringValue())
	}
	return status
}

// problemDocument is error body A that has been seen: a bare problem document.
func problemDocument(status int) node {
	return objectNode(
		"type", "about:blank",
		"title", http.StatusText(status),
		"status", status,
		"traceId", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
	)
}

// failuresDocument is error body B that has been seen.
func failuresDocument(detail string) node {
	failures := node{open: '['}
	for one := range strings.SplitSeq(detail, "; ") {
		failures.add("", one)
	}
	return objectNode(
		"isSuccess", false,
		"type", "ValidationException",
		"title", "One or more validation failures have occurred.",
		"failures", failures,
	)
}

// wordPaths lead to the words of answers that switches spell.
var wordPaths = []string{"value.paymentStatus", "data.status", "value.status", "value.linkType"}

// rewriteWords spells words. One that the specification has is the default of its switch.
func (s switchValues) rewriteWords(op operation, doc *node) {
	spell := func(v *node) {
		i := slices.IndexFunc(switchTable(), func(w Switch) bool { return w.Default != "" && w.Default == v.stringValue() })
		if i >= 0 {
			*v = s.wordNode(switchTable()[i].Name)
		}
	}
	status := doc.find("value.paymentStatus")
	switch {
	case op.name == "transaction" && status != nil && s.of("status.always") != "":
		*status = s.wordNode("status.always")
	case op.name == "initiate" && doc.find("value.bankAuthURL").stringValue() != "":
		*status = s.wordNode("status.challenge")
	default:
		for _, path := range wordPaths {
			doc.each(path, spell)
		}
	}
}

// rewriteInitiation adds fields observed in initiation responses.
func (s switchValues) rewriteInitiation(op operation, doc *node) {
	item := doc.find("value.paymentItem")
	if op.name != "initiate" || item == nil || s.is("initiate.extras", "off") {
		return
	}
	amount, _ := parseHundredths(item.member("amount").leaf)
	fees, _ := parseHundredths(item.member("fees").leaf)
	item.add("totalAmount", formatMajor(amount+fees))
	bank := doc.find("value.bankAuthURL").stringValue()
	if u, err := url.Parse(bank); err == nil && item.member("channel").stringValue() == channelAccount {
		*item.member("metaData") = objectNode("AuthUrl", bank, "token", u.Query().Get("token"))
	}
	doc.member("value").add("requiresAction", bank != "") // invalidates item
}

// eachAmount visits the amounts of any answer but a list.
func eachAmount(doc *node, visit func(*node)) {
	for _, path := range []string{
		"value.paymentItem.amount", "value.paymentItem.fees", "value.paymentItem.totalAmount",
		"value.amountInfo.amount", "value.amount.amount",
	} {
		doc.each(path, visit)
	}
}
