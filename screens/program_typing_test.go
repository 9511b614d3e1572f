//go:build unix

package screens_test

import (
	"paydesk/api/timely"
	"strings"
	"testing"
	"time"
)

func TestAKeyWhosePartsComeApartIsThatKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, rest string
		gap, most   time.Duration // most is when the first part is taken for all of it
	}{
		{"\x1b", "[D", 25 * time.Millisecond, 50 * time.Millisecond},
		{"\x1b[", "D", 300 * time.Millisecond, 500 * time.Millisecond},
		{"\x1b[1", ";1D", 300 * time.Millisecond, 500 * time.Millisecond},
	} {
		timely.Within(t, c.most, func() (took time.Duration) {
			v := open(t, newSetting(t), 80, 24, "demo")
			v.Sees("Menu")
			v.Press("l")
			v.Sees("look it up")
			v.Type("AB")
			v.Sees("AB")
			begun := time.Now()
			v.Type(c.first)
			v.Wait(c.gap)
			v.Type(c.rest)
			if took = time.Since(begun); took > c.most {
				return took
			}
			v.Press("X")
			v.Until(func() bool { return v.Has("AXB") || v.Has("DX") || v.Has("Menu") })
			if !v.Has("AXB") { // the program may have been too slow, too: it read the rest too late
				v.Press("ctrl+c")
				v.gone()
				return c.most + 1
			}
			v.Press("esc") // and esc alone is esc
			v.Sees("Menu")
			v.Press("ctrl+c")
			v.gone()
			return took
		})
	}
}

// Keys of one write come before anything that they lead to: whoever knows the way types what is looked for without a pause.
func TestWhatIsTypedRightAfterTheKeyOfAFormReachesIt(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo")
	v.Sees("Menu")
	v.Type("lRef9")
	v.Sees("Look up a payment", "Ref9")
	v.Press("esc")
	v.Sees("Menu")
	for _, links := range []string{"", "4"} {
		v.Type(links + "nGift")
		v.Sees("New link", "Gift")
		v.Press("esc")
		v.WaitsUntilGone("New link")
	}
}

func TestAPasteWithoutAnEndDoesNotTakeTheKeysForEver(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{"none": "", "a part of one": "\x1b[20"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := open(t, newSetting(t), 80, 24, "demo")
			v.Sees("Menu")
			v.Press("l")
			v.Sees("look it up")
			v.Type("\x1b[200~AB" + end)
			v.Sees("AB")
			v.Press("Z")
			v.Sees("ABZ")
			v.Press("ctrl+c")
			if s := v.gone(); s != 0 {
				t.Errorf("it ended with %d", s)
			}
		})
	}
}

func TestAPasteWhoseEndComesApartIsOnePaste(t *testing.T) {
	t.Parallel()
	const most = 2 * time.Second // then it is ended for it
	timely.Within(t, most, func() (took time.Duration) {
		v := open(t, newSetting(t), 80, 24, "demo")
		v.Sees("Menu")
		v.Press("l")
		v.Sees("look it up")
		begun := time.Now()
		v.Type("\x1b[200~AB\x1b[20")
		v.Wait(300 * time.Millisecond)
		v.Type("1~")
		if took = time.Since(begun); took <= most {
			v.Press("Z")
			v.Sees("ABZ")
		}
		return took
	})
}

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
func TestKeysTypedAheadDoNotAnswerTheQuestion(t *testing.T) {
	t.Parallel()
	p := poised(t)
	for _, ahead := range []string{"y", "\t\r", "y\ry\ry\r", "\x1b[C\x1b[C\x1b[C\r\r\ry"} {
		p.Type("\x13" + ahead) // ctrl+s and all of it at once
		p.unpaid()
		p.asks()
		p.Press("esc")
		p.WaitsUntilGone(question)
	}
	p.Press("ctrl+s")
	p.sends()
}

func TestEnterHeldDownSendsOnceAtMost(t *testing.T) {
	t.Parallel()
	p := poised(t)
	p.Press("ctrl+s")
	p.Sees(question)
	p.unpaid()
	p.Type("\x1b[C") // yes has the focus
	for range 100 {  // in a second
		p.Press("enter")
		p.Wait(10 * time.Millisecond)
	}
	p.heard()
	p.sent() // by one of those, where a busy machine read two of them far apart
	for range 20 {
		p.Press("enter", "y")
	}
	p.heard()
	close(p.answer)
	p.Sees("Paid by") // where it is watched; on a busy machine it may be settled already
	if n := p.asked.Load(); n != 1 || p.sandbox.Accepted() != 1 {
		t.Errorf("%d sent, %d taken", n, p.sandbox.Accepted())
	}
}

func TestNoPasteAnswersTheQuestion(t *testing.T) {
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
		"no end": {{start + "y\r"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := poised(t)
			p.Press("ctrl+s")
			for _, parts := range shapes {
				p.asks()
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
