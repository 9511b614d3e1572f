package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// linkID is the parameter of a link. A terminal takes the lines of one URL for one link by it, and it tells the links that are drawn
// here from any others in a stream of bytes.
const linkID = "id=paydesk"

// longestLink sets how long a target may be: some terminals ignore longer ones.
const longestLink = 2000

// URLLines is a URL on lines of at most w cells, each of which leads to the whole of it where the terminal has
// hyperlinks (OSC 8): its text is always its target.
func (t *Theme) URLLines(url string, w int) []string {
	lines := strings.Split(ansi.Hardwrap(url, max(w, 1), true), "\n") // full lines, which some terminals select as one
	for i, l := range lines {
		lines[i] = t.Hyperlink(url, l)
	}
	return lines
}

// Hyperlink makes text, which must be the URL or a part of it, lead to the URL where the terminal has hyperlinks. Anything but
// http and https, and characters that a URL does not have, are drawn without.
func (t *Theme) Hyperlink(url, text string) string {
	if !t.Hyperlinks || text == "" || !strings.Contains(url, text) || !linkable(url) {
		return text
	}
	return ansi.SetHyperlink(url, linkID) + text + ansi.ResetHyperlink()
}

func linkable(url string) bool {
	if len(url) > longestLink || !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return false
	}
	return !strings.ContainsFunc(url, func(r rune) bool { return r <= ' ' || r > '~' })
}
