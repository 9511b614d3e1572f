//go:build unix

package screens_test

import (
	"strings"
	"testing"
)

// secretLooking is what must not come back from a command line.
const secretLooking = "sk_test_CANARYonTheCommandLine01"

func TestATerminalThatCannotMoveItsCursorIsRefused(t *testing.T) {
	for name, change := range map[string]func(setting){
		"dumb":    func(e setting) { e["TERM"] = "dumb" },
		"unknown": func(e setting) { e["TERM"] = "unknown" },
		"empty":   func(e setting) { e["TERM"] = "" },
		"unset":   func(e setting) { delete(e, "TERM") },
	} {
		for _, args := range [][]string{{"demo"}, nil} {
			t.Run(name+" "+strings.Join(args, " "), func(t *testing.T) {
				e := newSetting(t)
				change(e)
				v := open(t, e, 80, 24, args...)
				until(t, func() bool { return strings.Contains(string(v.Bytes()), "[y/N]") }, v.Screen) // it offers to ask line by line instead
				v.Text("\r")
				if s := v.gone(); s != 3 {
					t.Errorf("it ended with %d", s)
				}
				said := strings.ReplaceAll(string(v.Bytes()), "\r\n", "\n")
				if !strings.Contains(said, "terminal") || !strings.Contains(said, "TERM") {
					t.Errorf("it says %q", said)
				}
			})
		}
	}
}
