package screens_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/consoletest"
)

// inOneRead types a text as a terminal passes it on at once: a key for each character that a person sees.
func inOneRead(c *consoletest.Console, text string) *consoletest.Console {
	for text != "" {
		seen, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		c.Send(tea.KeyPressMsg{Code: tea.KeyExtended, Text: seen})
		text = text[len(seen):]
	}
	return c.Wait(0)
}

var waysToEnter = map[string]func(c *consoletest.Console, text string) *consoletest.Console{
	"typed":             func(c *consoletest.Console, text string) *consoletest.Console { return c.Type(text) },
	"typed in one read": inOneRead,
	"pasted":            func(c *consoletest.Console, text string) *consoletest.Console { return c.Paste(text) },
}

// underlineEnds is the column behind the last one that is underlined in a line.
func underlineEnds(c *consoletest.Console, y int) int {
	x := c.Width()
	for x > 0 && c.Cell(x-1, y).Style.Underline == 0 {
		x--
	}
	return x
}

func TestANameKeepsTheJoinersOfItsScript(t *testing.T) {
	names := map[string]string{"علی\u200cرضا": "علی\u200cرضا", "👩\u200d👩\u200d👧 Ltd": "👩👩👧 Ltd", "I ❤\ufe0f chairs": "I ❤ chairs"}
	for way, enter := range waysToEnter {
		consoletest.Run(t, func(c *consoletest.Console) {
			for name, shown := range names {
				c.Press("n").Sees("Name")
				enter(c, name+" "+way).Sees(shown).WaitsUntilGone("Invisible")
				y := slices.IndexFunc(strings.Split(c.Screen(), "\n"), func(l string) bool { return strings.Contains(l, shown) })
				if ends := underlineEnds(c, y); ends != 74 {
					t.Errorf("the field ends in column %d: %q", ends, c.Line(shown))
				}
				c.Fill("Description", "six oak chairs").Choose("Currency", "GBP").Fill("Amount", "12.50").Press("ctrl+s")
				c.Sees("collect payment", shown).WaitsUntilGone("MISMATCH") // the service's answer has what was typed
				c.Press("esc")
			}
		})
	}
}
