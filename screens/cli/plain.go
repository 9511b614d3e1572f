package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

// A mode is a run of plain mode.
type mode struct {
	*program
	given command.Globals // the options that each command gets
}

// left are the options and commands that make no sense here.
var left = []string{"help", "completion", "man", "version", "demo", "sandbox", "json", "csv", "yes", "qr", "card-stdin", "allow-duplicate"}

// errBack goes back to the menu.
var errBack = errors.New("back")

// runPlain runs plain mode, for screen readers, terminals without a cursor, and pipes: it asks for
// commands until the input ends, or a person quits. A numbered menu lists the commands of a tree; each missing argument and option
// is a question with its help. It has no commands, checks or words of its own about payments: an answer is checked by the option, and by
// the command when it runs, as from a shell and with the same global options. Everything is printed line by line.
func (p *program) runPlain() error {
	p.Stop.Release() // ctrl+c ends the command that runs, and here plain mode
	m, getenv := mode{p, p.Global}, p.Getenv
	p.Getenv = func(name string) string {
		if name == "TERM" {
			return "dumb" // no line is rewritten, and nothing is coloured
		}
		return getenv(name)
	}
	p.Plain = true
	m.line("Plain mode. Type a number or a name and enter. menu lists them again, help says more, and q goes back, or quits here.")
	if _, of, err := p.Selected(); err == nil {
		m.line("Profile %s, %s.", of.Name, present.Target{Environment: strings.ToUpper(string(of.Environment)), Host: of.Host()})
	}
	for _, open := range p.recorded(journal.UndecidedNames)(context.Background(), "") {
		m.line("To resolve: %s", strings.ReplaceAll(open, "\t", ", "))
	}
	for _, known := range p.recorded(journal.PaymentNames)(context.Background(), "") {
		if name, about, _ := strings.Cut(known, "\t"); strings.Contains(about, "pinned") {
			m.line("Pinned: %s, %s", name, about)
		}
	}
	root := m.tree()
	m.list(root, choices(root))
	for {
		err := m.menu("", root, choices(root), m.enter)
		switch {
		case errors.Is(err, errBack), errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		root = m.tree()
	}
}

// tree returns the commands, with the options at their defaults.
func (m mode) tree() *cobra.Command {
	root := m.Tree()
	m.Global = m.given // what is offered is of the same profile and journal
	m.addCompletions(root)
	return root
}

// do runs a command with the global options that it takes, and says how it ended unless its error has.
func (m mode) do(c *cobra.Command, args []string) error {
	var all []string
	for _, o := range [][2]string{{"config", m.given.Config}, {"profile", m.given.Profile}, {"state-dir", m.given.State}} {
		if o[1] != "" && command.TakesGlobal(c, o[0]) {
			all = append(all, "--"+o[0]+"="+o[1])
		}
	}
	ended, dropped := m.run(append(all, args...)), false
	for m.Ask.Person() { // what was typed meanwhile would answer the next question, which may move money
		ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
		typed, err := m.Ask.Line(ctx, "")
		if stop(); err != nil {
			break
		}
		dropped = dropped || typed != ""
	}
	if dropped {
		m.line("What was typed meanwhile was not taken.")
	}
	if ended == nil || command.IsSignal(ended) || ended.Error() == "" {
		m.line("%s", present.Sentence(cmp.Or(command.Judge(ended).Words, "done")))
	}
	return ended
}

func (m mode) line(format string, of ...any) { fmt.Fprintf(m.Out, format+"\n", of...) }

// ask asks a question; q goes back. ctrl+c ends plain mode, without a word.
func (m mode) ask(question string) (string, error) {
	ctx, end := m.WatchSignals()
	defer end()
	answer, err := m.Ask.Line(ctx, question)
	if answer = strings.TrimSpace(answer); answer == "q" {
		err = errBack
	}
	return answer, err
}

// yesOrNo reads the answer to a question with yes or no. Anything else, such as a card number pasted there, is none: m says what to type.
func (m mode) yesOrNo(answer string) (yes, is bool) {
	switch strings.ToLower(answer) {
	case "y", "yes":
		return true, true
	case "n", "no":
		return false, true
	}
	m.line("Type y or n.")
	return false, false
}

// choices returns the commands below one that can be chosen, group by group.
func choices(c *cobra.Command) (all []*cobra.Command) {
	for _, g := range append(c.Groups(), &cobra.Group{}) {
		for _, s := range c.Commands() {
			if s.GroupID == g.ID && s.IsAvailableCommand() && !slices.Contains(left, s.Name()) {
				all = append(all, s)
			}
		}
	}
	return all
}

// list prints commands, by the groups of the one above them.
func (m mode) list(of *cobra.Command, all []*cobra.Command) {
	group := ""
	for i, c := range all {
		if c.GroupID != group && of.ContainsGroup(c.GroupID) {
			group = c.GroupID
			m.line("%s", group)
		}
		m.line("%d %s: %s", i+1, c.Name(), c.Short)
	}
}

const noneOfThem = "That is none of them: menu lists them, and q goes back."

// menu asks for one of some commands, unless typed names it already, and goes on with it and what is typed behind it.
func (m mode) menu(typed string, of *cobra.Command, all []*cobra.Command, next func(*cobra.Command, string) error) (err error) {
	for {
		for typed == "" {
			if typed, err = m.ask("Which?"); err != nil {
				return err
			}
		}
		first, rest, _ := strings.Cut(strings.TrimPrefix(typed, "paydesk "), " ") // as commands are said to be typed
		switch n := chosen(first, len(all), func(i int) string { return all[i].Name() }); {
		case n >= 0:
			return next(all[n], strings.TrimSpace(rest))
		case strings.EqualFold(first, "menu"):
			m.list(of, all)
		case strings.EqualFold(first, "help"):
			if m.run(append([]string{"help"}, strings.Fields(rest)...)) != nil {
				m.line(noneOfThem)
			}
		default:
			m.line(noneOfThem)
		}
		typed = ""
	}
}

// chosen is which of n names an answer means, by its number or itself; -1 for none.
func chosen(answer string, n int, name func(int) string) int {
	for i := range n {
		if answer == fmt.Sprint(i+1) || strings.EqualFold(answer, name(i)) {
			return i
		}
	}
	return -1
}

// enter opens the commands below one, or asks for its arguments and runs it. A command that runs by itself and has
// others below it comes first among them. rest was typed behind its name.
func (m mode) enter(c *cobra.Command, rest string) error {
	below, next := choices(c), m.enter
	if !command.IsGroup(c) {
		first, _, _ := strings.Cut(rest, " ")
		if !slices.ContainsFunc(below, func(s *cobra.Command) bool { return rest == "" || strings.EqualFold(s.Name(), first) }) {
			return m.back(m.fill(c, rest))
		}
		if rest == "" {
			below, next = append([]*cobra.Command{c}, below...), m.fill
		}
	}
	if rest == "" {
		m.list(c, below)
	}
	return m.back(m.menu(rest, c, below, next))
}

// back makes going back no error: the menu comes again.
func (m mode) back(err error) error {
	if errors.Is(err, errBack) {
		m.line("Back. Nothing more was done.")
		return nil
	}
	return err
}
