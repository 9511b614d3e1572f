package doctor

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

// The smallest supported window.
const (
	leastWidth  = 60
	leastHeight = 18
)

// terminal checks the terminal, the locale and the browser. A pipe or a file is no terminal, and
// its type, size and colours are then skipped.
func (e Examination) terminal() []Check {
	checks := []Check{{Name: "terminal"}, {Name: "size"}, {Name: "colours"}}
	for i, inspect := range []func(*Check){e.kind, e.size, e.colours} {
		if e.Out != nil && term.IsTerminal(e.Out.Fd()) {
			checks[i].State = OK
			inspect(&checks[i])
		} else {
			checks[i].State, checks[i].Message = Skipped, "not checked: the output is not a terminal"
		}
	}
	return append(checks, e.letters(), e.remote(), e.browser())
}

// kind checks TERM, which says how the cursor is moved: a terminal that cannot move it shows no
// screens.
func (e Examination) kind(s *Check) {
	t := os.Getenv("TERM")
	s.Message = "TERM is " + t
	if t == "" {
		s.Message = "TERM is not set"
	}
	if t == "" || t == "dumb" || t == "unknown" {
		s.State, s.Fix = Failed, "use a terminal that can move its cursor"
	}
}

// size checks that the window has room for the screens.
func (e Examination) size(s *Check) {
	w, h, err := term.GetSize(e.Out.Fd())
	s.Message = fmt.Sprintf("%d×%d", w, h)
	switch {
	case err != nil:
		s.State, s.Message, s.Fix = Warning, "the terminal does not report its size", "use another terminal if the console looks broken"
	case w < leastWidth || h < leastHeight:
		s.State, s.Fix = Warning, fmt.Sprintf("make the window at least %d×%d", leastWidth, leastHeight)
	}
}

// colours reports how many colours there are. Fewer are no problem, because no state is shown by
// colour alone.
func (e Examination) colours(s *Check) {
	many := map[colorprofile.Profile]string{
		colorprofile.TrueColor: "all", colorprofile.ANSI256: "256", colorprofile.ANSI: "16",
	}
	s.Message = cmp.Or(many[colorprofile.Detect(e.Out, os.Environ())], "none; every state also has a word and a sign")
}

// letters checks the locale. The first variable that is set decides, as in the C library.
func (e Examination) letters() Check {
	words := "no locale is set (LC_ALL, LC_CTYPE, LANG)"
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		value := os.Getenv(name)
		if value == "" {
			continue
		}
		if v := strings.ToUpper(value); strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8") {
			return Check{Name: "letters", State: OK, Message: "the locale is UTF-8"}
		}
		words = name + " is " + value + ", which is not UTF-8"
		break
	}
	return Check{"letters", Warning, words, "set LANG, for example to C.UTF-8; until then the console draws with ASCII only"}
}

// remote reports a connection over SSH, since the browser and the keyring are then those of the
// other host.
func (e Examination) remote() Check {
	s := Check{Name: "SSH", State: OK, Message: "no (a local terminal, as far as paydesk can tell)"}
	if from := strings.Fields(os.Getenv("SSH_CONNECTION")); len(from) > 0 {
		s.Message = "yes, from " + from[0]
	} else if os.Getenv("SSH_TTY") != "" {
		s.Message = "yes"
	}
	return s
}

// browser reports whether the page of the bank can be opened from this host. Without a browser it
// is a warning only, because the customer can also open the page on a telephone.
func (e Examination) browser() Check {
	if e.Browser == "" {
		return Check{Name: "browser", State: OK, Message: "the bank's page can be opened from here"}
	}
	return Check{Name: "browser", State: Warning, Message: e.Browser, Fix: "copy the URL of the bank's page or scan its code; the console shows both"}
}
