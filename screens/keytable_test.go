package screens_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// helpGap stands between a key and what it does, and between two columns of the help page.
var helpGap = regexp.MustCompile(`\s{2,}`)

// The help of every screen begins with what the screen is for. A key means there what the table says, so that it means one thing
// in the whole console; in its other states a screen is compared with the table by its own tests: see package screentest.
func TestTheHelpOfEveryScreenSaysWhatItIsForAndItsKeysMeanOneThing(t *testing.T) {
	table, checked := screentest.ReadKeyTable(t), map[string]bool{}
	var profile keystore.Profile
	note := consoletest.As(func(p *keystore.Profile) { profile = *p })
	consoletest.Run(t, func(c *consoletest.Console) {
		for _, r := range routes(profile) {
			c.Send(nav.Push{To: r})
			c.Wait(2 * time.Second)
			c.Press("f1")
			_, page, _ := strings.Cut(c.Screen(), "Keys: ")
			_, page, _ = strings.Cut(page, "\n")
			purpose, keys, ruled := strings.Cut(page, "──")
			if purpose = strings.TrimSpace(purpose); !ruled || purpose == "" || strings.Count(purpose, "\n") > 2 {
				t.Errorf("the help of %T begins with %q", r, purpose)
			}
			for line := range strings.Lines(keys) {
				columns := helpGap.Split(strings.TrimSpace(line), -1)
				for i := 0; i+1 < len(columns); i += 2 {
					does := strings.ToLower(columns[i+1])
					if does == "yes" || does == "no" {
						continue // the table leaves out what answers a question
					}
					for name := range strings.FieldsSeq(columns[i]) {
						if differs := table.Against(name, does); name < "~" && differs != "" {
							t.Errorf("%T: %s", r, differs)
						}
						checked[name+does] = true
					}
				}
			}
			c.Press("f1")
			c.Send(nav.Back{})
		}
	}, note, consoletest.Size(80, 60))
	if len(checked) < 60 {
		t.Errorf("only %d keys were looked at", len(checked))
	}
}

// What a key does has no other key, so that a person who knows one word knows where it is on every screen.
func TestAWordIsOnOneKeyInTheWholeConsole(t *testing.T) {
	keys := map[string]string{}
	for name, words := range screentest.ReadKeyTable(t) {
		for _, word := range words {
			if other := keys[word]; other != "" && word != "copy" && !strings.Contains("567", name) { // y copies, and Y something else of it
				t.Errorf("%q is on %s and on %s", word, name, other)
			}
			keys[word] = name
		}
	}
}
