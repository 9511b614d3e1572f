package screens_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"paydesk/screens/consoletest"
	"paydesk/ui"
)

// A multiplexer may keep a copied text from the terminal, which the console cannot see.
func TestACopySaysWhatAMultiplexerOnTheWayNeeds(t *testing.T) {
	for name, m := range map[string]struct {
		by           ui.Clipboard
		says, help   string
		plain, bound bool // sent as it is, and in a device control string
	}{
		"none":   {ui.Clipboard{}, "The reference was sent to your terminal's clipboard.", "", true, false},
		"bare":   {ui.Clipboard{None: true}, "Not copied: this terminal has no clipboard.", "", false, false},
		"tmux":   {ui.Clipboard{Tmux: true}, "Reference: sent to the clipboard, if tmux passes it on.", "set -g set-clipboard on", true, false},
		"screen": {ui.Clipboard{Screen: true}, "Reference: sent to the clipboard, if screen passes it on.", "screen passes a copied text on", false, true},
		"either": {ui.Clipboard{Tmux: true, Screen: true}, "Reference: sent to the clipboard, if tmux passes it on.", "set -g set-clipboard on", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			consoletest.Run(t, func(c *consoletest.Console) {
				c.Press("l").Type("XHCQVX9BB5").Press("enter").Sees("Payment")
				before := len(c.Bytes())
				c.Press("y").Sees(m.says)
				sent := string(c.Bytes()[before:])
				plain := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("XHCQVX9BB5")) + "\a"
				bound := "\x1bP" + plain + "\x1b\\"
				if strings.Contains(sent, bound) != m.bound || strings.Contains(strings.ReplaceAll(sent, bound, ""), plain) != m.plain {
					t.Errorf("sent %q", sent)
				}
				if c.Press("?"); m.help != "" {
					c.Sees(m.help)
				} else {
					c.WaitsUntilGone("set-clipboard", "screen passes")
				}
			}, consoletest.Multiplexed(m.by))
		})
	}
}
