package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

var walk = []Stop{
	{At: "21:04:40", What: "sent", More: []string{"ada on desk"}},
	{At: "21:04:43", After: "3 s", What: "▲ INITIATED", More: []string{"initiation"}},
	{At: "21:06:45", After: "2 min 2 s", What: "◌ PENDING", More: []string{"check"}},
	{What: "✓ or ✗", Ahead: true},
}

func TestARailShowsHowLongItTookAndLosesTheOldestFirst(t *testing.T) {
	for _, c := range []struct {
		w, h, shown int
		want        string
	}{
		{40, 20, 4, `
● 21:04:40  sent
│           ada on desk
│  +3 s
● 21:04:43  ▲ INITIATED
│           initiation
│  +2 min 2 s
● 21:06:45  ◌ PENDING
│           check
○           ✓ or ✗`},
		{40, 5, 4, `
● 21:04:40  sent
● 21:04:43  ▲ INITIATED             +3 s
● 21:06:45  ◌ PENDING         +2 min 2 s
│           check
○           ✓ or ✗`},
		{24, 2, 2, `
● 21:06:45  ◌ PENDING
○           ✓ or ✗`},
		{40, 0, 0, ""}, {0, 9, 4, "\n\n\n\n"},
	} {
		lines, shown := NewTheme(false).Rail(walk, c.w, c.h)
		var got strings.Builder
		for _, l := range lines {
			got.WriteString("\n" + strings.TrimRight(ansi.Strip(l), " …"))
			if n := ansi.StringWidth(l); n > max(c.w, 0) {
				t.Errorf("%d cells in %d×%d: %q", n, c.w, c.h, l)
			}
		}
		if c.w > 0 && got.String() != c.want || shown != c.shown {
			t.Errorf("%d×%d shows %d:\n%s", c.w, c.h, shown, cmp.Diff(c.want, got.String()))
		}
	}
}
