package doctor

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

// The smallest supported window.
const (
	leastWidth  = 60
	leastHeight = 18
)

// terminal checks the terminal, the locale and the browser.
func (e Examination) terminal() []Check {
	return []Check{e.kind(), e.size(), e.colours(), e.letters(), e.remote(), e.browser()}
}

func (e Examination) isTerminal() bool { return e.Out != nil && term.IsTerminal(e.Out.Fd()) }

const noTerminal = "not checked: the output is not a terminal"

func (e Examination) kind() Check {
	s := Check{Name: "terminal", State: OK, Words: "TERM is " + e.env("TERM")}
	switch t := e.env("TERM"); {
	case !e.isTerminal():
		s.State, s.Words = Skipped, noTerminal
	case t == "":
		s.State, s.Words, s.Do = Failed, "TERM is not set", "use a terminal that can move its cursor"
	case t == "dumb", t == "unknown":
		s.State, s.Do = Failed, "use a terminal that can move its cursor"
	}
	return s
}

func (e Examination) size() Check {
	s := Check{Name: "size", State: Skipped, Words: noTerminal}
	if !e.isTerminal() {
		return s
	}
	w, h, err := term.GetSize(e.Out.Fd())
	if err != nil {
		s.State, s.Words, s.Do = Warning, "the terminal does not report its size", "use another terminal if the console looks broken"
		return s
	}
	s.State, s.Words = OK, fmt.Sprintf("%d×%d", w, h)
	if w < leastWidth || h < leastHeight {
		s.State, s.Do = Warning, fmt.Sprintf("make the window at least %d×%d", leastWidth, leastHeight)
	}
	return s
}

func (e Examination) colours() Check {
	s := Check{Name: "colours", State: Skipped, Words: noTerminal}
	if !e.isTerminal() {
		return s
	}
	s.State = OK
	switch colorprofile.Detect(e.Out, e.Environ) {
	case colorprofile.TrueColor:
		s.Words = "all"
	case colorprofile.ANSI256:
		s.Words = "256"
	case colorprofile.ANSI:
		s.Words = "16"
	default:
		s.Words = "none; every state also has a word and a sign"
	}
	return s
}

func (e Examination) letters() Check {
	s := Check{Name: "letters", State: OK, Words: "the locale is UTF-8"}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		value := e.env(name)
		if value == "" {
			continue
		}
		if v := strings.ToUpper(value); strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8") {
			return s
		}
		s.Words = name + " is " + value + ", which is not UTF-8"
		break
	}
	if s.Words == "the locale is UTF-8" {
		s.Words = "no locale is set (LC_ALL, LC_CTYPE, LANG)"
	}
	s.State, s.Do = Warning, "set LANG, for example to C.UTF-8; until then the console draws with ASCII only"
	return s
}

func (e Examination) remote() Check {
	s := Check{Name: "SSH", State: OK, Words: "no (a local terminal, as far as paydesk can tell)"}
	if from := strings.Fields(e.env("SSH_CONNECTION")); len(from) > 0 {
		s.Words = "yes, from " + from[0]
	} else if e.env("SSH_TTY") != "" {
		s.Words = "yes"
	}
	return s
}

func (e Examination) browser() Check {
	if e.Browser == "" {
		return Check{Name: "browser", State: OK, Words: "the bank's page can be opened from here"}
	}
	return Check{Name: "browser", State: Warning, Words: e.Browser, Do: "copy the URL of the bank's page or scan its code; the console shows both"}
}
