package ui

import (
	"strings"
	"testing"
)

func linking() *Theme {
	t := NewTheme(false)
	t.Hyperlinks = true
	return t
}

func TestWhatIsNoURLAndWhatTheTerminalHasNoLinksForIsPlain(t *testing.T) {
	for _, url := range []string{
		"", "javascript:alert(1)", "file:///etc/passwd", "ftp://a.example/", "HTTPS://a.example/", "https://a.example/\x1b]52;c;aGk=\a", "https://a.example/\a",
		"https://a.example/ b", "https://a.example/é", "https://a.example/\u202e", "https://a.example/" + strings.Repeat("a", 2_000),
	} {
		if got := linking().Hyperlink(url, url); got != url {
			t.Errorf("%q is drawn as %q", url, got)
		}
	}
	if got := linking().Hyperlink("https://evil.example/", "https://good.example/"); got != "https://good.example/" {
		t.Errorf("a text that is not the target leads to it: %q", got)
	}
	if got := NewTheme(false).URLLines(address, 40); strings.Join(got, "") != address {
		t.Errorf("without hyperlinks the lines are %q", got)
	}
}
