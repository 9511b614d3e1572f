package screens

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/text"
	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

var (
	toCommand = ui.Bind("f4", "copy command")
	toCurl    = ui.Bind("f5", "copy as curl")
)

// A requester is a screen with one request to the service, which curl can send too; false where it has none now.
// It is no interface of package ui, which knows no requests.
type requester interface{ Request() (api.Call, bool) }

// copying copies the command for what the screen on top shows, and the request of that screen for curl. Either is shown too: whole on
// the line of the news, or else in place of the screen. The keys are on where they copy anything. Only the help page lists them.
func (a *App) copying() ui.Commands {
	words := a.commandWords()
	_, asks := a.request()
	return ui.Commands{
		{Key: toCommand, On: len(words) > 0 && a.elsewhere(words), Do: a.copyCommand},
		{Key: toCurl, On: asks && !a.ofDemo(), Do: a.copyCurl},
	}
}

// ofDemo reports whether the service ends with this console.
func (a *App) ofDemo() bool { return a.conn.profile.Environment == keystore.Sandbox }

// elsewhere reports whether a command means the same outside of this console.
func (a *App) elsewhere(words []string) bool {
	_, alone := withoutProfile[words[0]]
	return alone || !a.ofDemo()
}

// commandWords returns the command of the screen on top, nil for none.
func (a *App) commandWords() []string {
	for _, s := range []ui.Screen{a.top(), a.whole()} { // a part may have a command of its own
		if s, is := s.(ui.Commander); is {
			return s.Command()
		}
	}
	return nil
}

func (a *App) request() (api.Call, bool) {
	if s, is := a.whole().(requester); is && a.conn.open() {
		return s.Request()
	}
	return api.Call{}, false
}

const (
	notOfTheDemo = "The demo has no command elsewhere: its service ends with this console."
	secretInIt   = "Not copied: a part of it looks like a card number or a secret key."
)

// withoutProfile lists the commands that use no profile, each with the option of every command that it takes; "" for none.
var withoutProfile = map[string]string{"sandbox": "", "demo": "", "profile": "--config", "config": "--config"}

// copyCommand copies the command of the screen on top.
func (a *App) copyCommand() tea.Cmd {
	words := a.commandWords()
	switch some := len(words) > 0; {
	case a.ofDemo() && (!some || !a.elsewhere(words)):
		return a.warn(notOfTheDemo)
	case !some:
		return a.warn("No command does what this screen does.")
	}
	words = a.commandLine(words)
	if holdsSecret(words...) {
		return a.warn(secretInIt)
	}
	return a.showCopied("command", ShellCommand(words))
}

// commandLine puts paydesk and the options of this console before the words of a command, which may name a profile of their own.
func (a *App) commandLine(words []string) []string {
	line := []string{"paydesk"}
	taken, alone := withoutProfile[words[0]]
	for _, o := range a.env.Options {
		if !alone || taken == o[0] {
			line = append(line, o[:]...)
		}
	}
	named := alone || len(words) > 1 && words[1] == "--profile"
	if name := a.conn.profile.Name; !named && name != "" {
		line = append(line, "--profile", name)
	}
	return append(line, words...)
}

// copyCurl copies the request of the screen on top.
func (a *App) copyCurl() tea.Cmd {
	call, asks := a.request()
	switch {
	case a.ofDemo():
		return a.warn(notOfTheDemo)
	case !asks:
		return a.warn("Nothing to copy as curl here.")
	}
	client, err := a.env.Dial(a.conn.profile, a.conn.key) // it sends nothing
	if err != nil {
		return a.warn(present.Sentence(err.Error()))
	}
	curler, is := client.(interface {
		Curl(api.Call) (api.Curl, error)
	})
	if !is {
		return a.warn("This service cannot be reached with curl.")
	}
	command, err := curler.Curl(call)
	if err != nil {
		return a.warn("Not copied: " + present.Sentence(err.Error()))
	}
	text := CurlCommand(command)
	if holdsSecret(text) {
		return a.warn(secretInIt)
	}
	if call.Operation.Rule().Sends() {
		return a.showCopied("request", text, "Each run creates another link. It is not recorded here, and nothing looks for a duplicate.")
	}
	return a.showCopied("request", text)
}

// showCopied sends a text to the clipboard and shows it: on the line of the news where it and nothing else is to be said
// and fits there.
func (a *App) showCopied(name, text string, more ...string) tea.Cmd {
	clipboard := a.env.Theme.Clipboard
	w, _ := ui.BodySize(a.w, a.h)
	if line := clipboard.Lead() + text; len(more) == 0 && !strings.Contains(text, "\n") && ui.Width(line) <= w {
		a.hint = ui.Notice{Text: line}
		return clipboard.Send(text)
	}
	a.help = &helpPage{instead: func(w int) []string {
		lines := append(ui.Wrap(strings.Join(append([]string{clipboard.Sent(name)}, more...), " "), w), "")
		for line := range strings.SplitSeq(text, "\n") {
			lines = append(lines, broken(line, w)...)
		}
		return lines
	}}
	return clipboard.Send(text)
}

// broken breaks a line of a command into lines of at most w cells: at blanks, none of which is lost, as far as there are
// any.
func broken(line string, w int) (lines []string) {
	for ui.Width(line) > max(w, 1) {
		head := ansi.Truncate(line, max(w, 1), "")
		if at := strings.LastIndexAny(head, " ,"); strings.TrimSpace(head[:at+1]) != "" {
			head = head[:at+1]
		}
		if head == "" {
			break
		}
		lines, line = append(lines, head), line[len(head):]
	}
	return append(lines, line)
}

// holdsSecret reports whether a text may have a card number or a key, which goes to no clipboard.
func holdsSecret(texts ...string) bool {
	for _, s := range texts {
		if api.Reference(s).LooksLikeCard() || keystore.MayBeKey(s) {
			return true
		}
	}
	return false
}

// ShellCommand quotes a command for a POSIX shell.
func ShellCommand(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = text.ShellQuote(w)
	}
	return strings.Join(quoted, " ")
}

// CurlCommand words a request as a command for a POSIX shell, with the key from the environment. printf is part of the
// shell: the key is an argument of no program, which other users could see.
func CurlCommand(c api.Curl) string {
	lines := []string{`printf '` + c.KeyHeader + `: %s\n' "$` + keystore.Variable + `" | curl`}
	for _, words := range c.Args {
		part := ShellCommand(words)
		if len(part) <= len("-X POST") { // a part without a text of its own stays on the first line
			lines[0] += " " + part
			continue
		}
		lines = append(lines, "  "+part)
	}
	return strings.Join(lines, " \\\n")
}
