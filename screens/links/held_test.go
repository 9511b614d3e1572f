package links_test

import (
	"testing"
	"time"
)

// A keyboard repeats a held key after 200 to 660 ms, and then sends it 10 to 40 times a second.
func TestAHeldKeySendsOnce(t *testing.T) {
	for _, key := range []string{"enter", "ctrl+s"} {
		for _, delay := range []time.Duration{0, 660 * time.Millisecond} {
			l := network{status: 422, answer: refusal(`"The merchant is suspended"`)}
			openForm(t, 80, 24, test, &l, func(p *harness) {
				p.fill().Press(key).Wait(delay)
				for range 60 {
					p.Press(key)
				}
				if p.Sees("Release the key"); len(l.sent) != 1 {
					t.Errorf("%s held, repeating after %v: sent %d times", key, delay, len(l.sent))
				}
				if p.Wait(time.Second).Press("ctrl+s").WaitsUntilGone("Release the key"); len(l.sent) != 2 {
					t.Errorf("a released key sent %d times", len(l.sent)-1)
				}
			})
		}
	}
}
