package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/screens/nav"
)

// patience is how long a person waits for anything before the test fails, however much else
// the machine has to do. Nothing is asserted on time itself.
const patience = time.Minute

// glance is how often a person looks at the screen.
const glance = 3 * time.Millisecond

// A person reads a screen and presses keys, in real time.
type person struct {
	t      *testing.T
	screen func() string // what is on the screen now
	key    func(string)  // presses a key by its name, or types a text
}

// until waits for a condition.
func until(t *testing.T, what func() bool, otherwise func() string) {
	t.Helper()
	if what() {
		return
	}
	look := time.NewTicker(glance)
	defer look.Stop()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case <-look.C:
			if what() {
				return
			}
		case <-late.C:
			t.Fatal(otherwise())
		}
	}
}

func (p *person) has(text string) bool { return strings.Contains(p.screen(), text) }

// sees waits until each text is on the screen, within one line.
func (p *person) sees(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		until(p.t, func() bool { return p.has(text) }, func() string { return "does not see " + text + "\n" + p.screen() })
	}
}

// seesNo waits until a text is not on the screen any more.
func (p *person) seesNo(text string) {
	p.t.Helper()
	until(p.t, func() bool { return !p.has(text) }, func() string { return "still sees " + text + "\n" + p.screen() })
}

func (p *person) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.key(k)
	}
}

// line is the first line with a text, "" when there is none.
func (p *person) line(text string) string {
	for line := range strings.SplitSeq(p.screen(), "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

// fill goes to a field by its label and types.
func (p *person) fill(label, text string) {
	p.t.Helper()
	p.to(label)
	p.key(text)
}

// to presses tab until a field has the focus, each time waiting for it to move. Only the
// form that has the field may show its label.
func (p *person) to(label string) {
	p.t.Helper()
	p.sees(label)
	for range 24 {
		at := p.focus()
		if strings.HasPrefix(at, label) {
			return
		}
		p.press("tab")
		until(p.t, func() bool { now := p.focus(); return now != "" && now != at }, func() string { return "nothing moves\n" + p.screen() })
	}
	p.t.Fatalf("no field is called %q\n%s", label, p.screen())
}

// focus is the label of the field that has the focus. What is typed into it may still be
// on its way to the screen.
func (p *person) focus() string {
	for line := range strings.SplitSeq(p.screen(), "\n") {
		if field, has := strings.CutPrefix(strings.TrimLeft(line, " "), "› "); has {
			label, _, _ := strings.Cut(field, "  ")
			return label
		}
	}
	return ""
}

// choose goes to a field and to one of its words.
func (p *person) choose(label, word string) {
	p.t.Helper()
	p.to(label)
	for range 12 {
		at := p.line("› " + label)
		if strings.Contains(at, "(•) "+word) || strings.Contains(at, "‹ "+word+" ›") {
			return
		}
		p.press("right")
		p.changed("› "+label, at)
	}
	p.t.Fatalf("%q cannot be chosen for %q\n%s", word, label, p.screen())
}

// changed waits until the line with a text is another one than before.
func (p *person) changed(text, before string) {
	p.t.Helper()
	until(p.t, func() bool { return p.line(text) != before }, func() string { return "nothing moves\n" + p.screen() })
}

// A person takes a moment to read before they answer. A key that comes sooner was
// meant for the screen before, and the console takes it so.
const (
	read  = 60 * time.Millisecond // once a question takes answers
	moved = nav.SettleDelay + 200*time.Millisecond
)

// yes answers a question, once it takes answers.
func (p *person) yes(question string) {
	p.t.Helper()
	p.answer(question, "y")
}

func (p *person) answer(question, key string) {
	p.t.Helper()
	p.stands(read, func() bool { return p.has(question) && !p.has("\n …\n") })
	p.press(key)
}

// reads sees a text and stays with it for a moment.
func (p *person) reads(text string) {
	p.t.Helper()
	p.stands(moved, func() bool { return p.has(text) })
}

// stands waits until something has been so for a time.
func (p *person) stands(d time.Duration, what func() bool) {
	p.t.Helper()
	var since time.Time
	until(p.t, func() bool {
		if !what() {
			since = time.Time{}
		} else if since.IsZero() {
			since = time.Now()
		}
		return !since.IsZero() && time.Since(since) > d
	}, func() string { return "it does not come to that\n" + p.screen() })
}
