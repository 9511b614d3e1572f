package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// progressEvery is how often a line of progress is printed where it cannot be rewritten.
var progressEvery = 5 * time.Second

// A progress says on stderr how far something is: in a line that is rewritten on a terminal, and otherwise in a line now
// and then.
type progress struct {
	p     *program
	width int // of the terminal; 0 where lines cannot be rewritten
	shown bool
	next  time.Time // when the next line is due
}

func (p *program) newProgress() *progress {
	g := &progress{p: p, next: time.Now().Add(progressEvery)}
	if f, is := p.Err.(*os.File); is && isTerminal(f) && p.Getenv("TERM") != "dumb" {
		g.width, _, _ = term.GetSize(f.Fd())
	}
	return g
}

// show says how far it is. Something that matters is said at once.
func (g *progress) show(words string, matters bool) {
	switch {
	case g.width > 0:
		fmt.Fprint(g.p.Err, "\r\x1b[K"+ansi.Truncate(oneLine(words), g.width-1, "…"))
		g.shown = true
	case matters || !time.Now().Before(g.next):
		g.next = time.Now().Add(progressEvery)
		g.p.say("%s", words)
	}
}

// clear removes the line, for whatever is printed next.
func (g *progress) clear() {
	if g.shown {
		fmt.Fprint(g.p.Err, "\r\x1b[K")
		g.shown = false
	}
}
