//go:build unix

package screens_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestNothingRawIsPrintedOutsideTheScreen gives the program hostile texts wherever it takes a text
// before it draws, and looks at what it prints.
func TestNothingRawIsPrintedOutsideTheScreen(t *testing.T) {
	t.Parallel()
	all := hostiles(t)
	step := 90
	if long {
		step = 1
	}
	printed := 0
	for i := 0; i < len(all); i += step {
		text := all[i].text
		if strings.ContainsRune(text, 0) || len(text) > 4096 || strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyz.: ") == "" {
			continue // no argument can be, or one that may be in order
		}
		e := newSetting(t)
		config := e.configure(t, profile("http://127.0.0.1:1", "env"))
		_, tty := terminal(t)
		for _, args := range [][]string{
			{text}, {"--" + text}, {"--config", config, "--profile", text}, {"--state-dir", text, "--version"}, {"--background", text},
			{"sandbox", text}, {"sandbox", "--listen", text}, {"sandbox", "--listen", "127.0.0.1:x" + text},
			{"sandbox", "--key", text + "\x01"}, {"sandbox", "--settle", text},
		} {
			c := exec.CommandContext(t.Context(), program(t), args...)
			c.Env, c.Stdin = e.list(), tty
			said, _ := c.CombinedOutput()
			printed += len(said)
			if bad := bytes.IndexFunc(said, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); bad >= 0 || !utf8.Valid(said) {
				t.Errorf("%s/%s: paydesk %q prints %q", all[i].class, all[i].name, args[:len(args)-1], said)
			}
		}
		tty.Close()
	}
	if printed < 1000 {
		t.Errorf("only %d bytes were printed", printed)
	}
	t.Logf("%d bytes were printed", printed)
}
