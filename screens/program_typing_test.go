//go:build unix

package screens_test

import (
	"strings"
	"testing"
	"time"
)

const question = "Charge 12.50 GBP to •••• 4242?"

// unpaid fails when anything is sent to be paid within the time a question needs to take an
// answer, and more.
func (p *paying) unpaid() {
	p.t.Helper()
	p.Wait(400 * time.Millisecond)
	if n := p.asked.Load(); n > 0 {
		p.t.Fatalf("%d payments were sent\n%s", n, p.Screen())
	}
}

// asks stands before the question again, if an answer that does no harm was taken.
func (p *paying) asks() {
	p.t.Helper()
	var pressed time.Time
	until(p.t, func() bool {
		if !p.Has(question) && time.Since(pressed) > time.Second { // again where a paste was still open
			pressed = time.Now()
			p.Press("ctrl+s")
		}
		return p.Has(question)
	}, func() string { return "the question does not come\n" + p.Screen() })
}

// sends answers the question.
func (p *paying) sends() {
	p.t.Helper()
	p.Yes(question)
	p.sent()
}

// sent waits until the payment is sent, and answers each second that the question stands: an answer that comes too
// soon after another key does not count, and a busy machine may take that key late.
func (p *paying) sent() {
	p.t.Helper()
	answered := time.Now()
	until(p.t, func() bool {
		if time.Since(answered) > time.Second && p.Has(question) {
			answered = time.Now()
			p.Press("y")
		}
		return p.asked.Load() == 1
	}, func() string { return "nothing is sent\n" + p.Screen() })
}

// Keys of one write come before the question is drawn: nobody has read it.
func TestNothingTypedAheadAndNoPasteAnswersTheQuestion(t *testing.T) {
	t.Parallel()
	const start, end = "\x1b[200~", "\x1b[201~"
	for name, shapes := range map[string][][]string{
		"letters": {
			{start + "y" + end},
			{start + strings.Repeat("y", 1000) + end},
			{start + strings.Repeat("y\r", 50_000) + end},
			{start + "\xff\x9by\x1b]0;y\r" + end}, // no text
		},
		"line ends": {
			{start + "yes\r" + end},
			{start + "\r\ny" + end},
			{start + "\x1b[C\r" + end}, // the focus and enter
			{start + "12.50\r" + end},
		},
		"marks": {
			{start + "y" + start + "y\r" + end},
			{start + "y\r\x1b[2", "01~"},
			{"y\ry\ry\r"},
		},
		"no end":      {{start + "y\r"}},
		"typed ahead": {{"y"}, {"\t\r"}, {"y\ry\ry\r"}, {"\x1b[C\x1b[C\x1b[C\r\r\ry"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := poised(t)
			p.Press("ctrl+s")
			for _, parts := range shapes {
				p.asks()
				if name == "typed ahead" {
					p.Press("esc")
					p.WaitsUntilGone(question)
					p.Type("\x13" + parts[0]) // ctrl+s and all of it at once
					p.unpaid()
					continue
				}
				p.unpaid() // by now the question takes answers
				for _, part := range parts {
					p.Type(part)
					p.Wait(100 * time.Millisecond)
				}
				p.unpaid()
			}
			if name == "no end" {
				p.Wait(2 * time.Second) // until it is ended for it
				p.unpaid()
			}
			p.asks()
			p.sends()
		})
	}
}
