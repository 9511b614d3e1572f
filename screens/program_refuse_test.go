//go:build unix

package screens_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// secretLooking is what must not come back from a command line.
const secretLooking = "sk_test_CANARYonTheCommandLine01"

// onePlainSentence fails unless a complaint is one line without escape sequences.
func onePlainSentence(t *testing.T, complaint string) {
	t.Helper()
	if n := strings.Count(complaint, "\n"); n != 1 || !strings.HasSuffix(complaint, "\n") || strings.ContainsRune(complaint, '\x1b') {
		t.Errorf("not one plain sentence: %q", complaint)
	}
}

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

func TestInputOrOutputThatIsNoTerminalIsRefused(t *testing.T) {
	file := func(t *testing.T) *os.File {
		f, err := os.Create(filepath.Join(t.TempDir(), "file"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	for _, c := range []struct{ name, complains string }{{"input", "its input is not one"}, {"output", "its output is not one"}} {
		t.Run(c.name, func(t *testing.T) {
			window, tty := terminal(t)
			t.Cleanup(func() { window.Close(); tty.Close() }) // a window that is collected before hangs up
			in, out := tty, file(t)
			if c.name == "input" {
				in, out = out, tty
			}
			r := runs(t, newSetting(t), in, out, "demo")
			if r.status != 3 || !strings.Contains(r.errors, c.complains) {
				t.Errorf("%d: %q", r.status, r.errors)
			}
			onePlainSentence(t, r.errors)
			if c.name == "output" {
				if written, err := os.ReadFile(out.Name()); err != nil || len(written) > 0 {
					t.Errorf("%q was written, %v", written, err)
				}
			}
		})
	}
}

func TestVersionAndHelpNeedNoTerminal(t *testing.T) {
	e := newSetting(t)
	delete(e, "TERM")
	for arg, says := range map[string][]string{
		"--version": {"paydesk "},
		"--help":    {"paydesk demo", "--config FOLDER", "--profile NAME", "--version", filepath.Join(e["XDG_CONFIG_HOME"], "paydesk"), "A secret key is never an argument"},
		"-h":        {"paydesk demo"},
	} {
		r := runs(t, e, nil, nil, arg)
		if r.status != 0 || r.errors != "" || strings.ContainsRune(r.out, '\x1b') {
			t.Errorf("%s: %d, %q, %q", arg, r.status, r.out, r.errors)
		}
		for _, s := range says {
			if !strings.Contains(r.out, s) {
				t.Errorf("%s does not say %q:\n%s", arg, s, r.out)
			}
		}
	}
}

func TestAWrongArgumentIsRefusedAndNotRepeated(t *testing.T) {
	for _, args := range [][]string{
		{"--" + secretLooking}, {"--key", secretLooking}, {"--key=" + secretLooking}, {"-k" + secretLooking},
		{secretLooking}, {"demo", secretLooking}, {"demo", "--key=" + secretLooking}, {"--ascii=" + secretLooking},
		{"--version=" + secretLooking}, {"--config"}, {"demo", "demo"}, {"demo", "--ascii", secretLooking},
	} {
		r := runs(t, newSetting(t), nil, nil, args...)
		if r.status != 2 || r.out != "" {
			t.Errorf("%d arguments: %d, %q", len(args), r.status, r.out)
		}
		onePlainSentence(t, r.errors)
		if strings.Contains(r.errors, "CANARY") {
			t.Errorf("it says back what it was given: %q", r.errors)
		}
		if !strings.Contains(r.errors, "see paydesk --help") && !strings.Contains(r.errors, "see paydesk demo --help") && !strings.Contains(r.errors, "never an argument") {
			t.Errorf("it does not say where help is: %q", r.errors)
		}
	}
}

func TestEveryOptionThatHelpNamesIsTaken(t *testing.T) {
	e := newSetting(t)
	named := regexp.MustCompile(`(?m)^ +(--[a-z-]+)( [A-Z]+)? `).FindAllStringSubmatch(runs(t, e, nil, nil, "--help").out, -1)
	if len(named) < 8 {
		t.Fatalf("help names %d options", len(named))
	}
	for _, o := range named {
		args := []string{o[1], "light", "--version"} // light is a value that every option takes
		if o[2] == "" {
			args = []string{o[1], "--version"}
		}
		if r := runs(t, e, nil, nil, args...); r.status != 0 || !strings.HasPrefix(r.out, "paydesk ") {
			t.Errorf("%s: status %d, %s%s", o[1], r.status, r.out, r.errors)
		}
	}
}
