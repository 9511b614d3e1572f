// Package plain is the plain mode of the command line, for screen readers, terminals without a cursor, and pipes: the
// commands, asked. A numbered menu lists the commands of a tree; each missing argument and option is a question with
// its help. It has no commands, checks or words of its own about payments: an answer is checked by the option, and by
// the command when it runs. Everything is printed line by line.
package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Options of a run.
type Options struct {
	// Tree returns the commands, with the options at their defaults.
	Tree func() *cobra.Command
	// Run runs a command line and says how it ended.
	Run func(args []string) (ending string, wrong bool)
	// Ask prints a question and reads a line; the error is [io.EOF] at the end of the input.
	Ask func(ctx context.Context, question string) (string, error)
	// Wrong words the error of an option, without quoting what was typed.
	Wrong func(*pflag.Flag, error) string
	Out   io.Writer
	// Leave are the options and commands that make no sense here.
	Leave []string
}

// OnlyGroup is the annotation of a command that only has others below it.
const OnlyGroup = "group"

// errBack goes back to the menu.
var errBack = errors.New("back")

// Run asks for commands until the input ends, or somebody quits.
func Run(ctx context.Context, o Options) error {
	m := mode{o, ctx}
	m.line("Plain mode. Type a number and enter; q goes back, and quits here.")
	for {
		err := m.menu(o.Tree())
		switch {
		case errors.Is(err, errBack), errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

type mode struct {
	Options
	ctx context.Context
}

func (m mode) line(format string, of ...any) { fmt.Fprintf(m.Out, format+"\n", of...) }

// ask asks a question; q goes back.
func (m mode) ask(question string) (string, error) {
	answer, err := m.Ask(m.ctx, question)
	if strings.TrimSpace(answer) == "q" {
		return "", errBack
	}
	return strings.TrimSpace(answer), err
}

// choices are the commands below one that can be chosen, group by group.
func (m mode) choices(c *cobra.Command) (all []*cobra.Command) {
	for _, g := range append(c.Groups(), &cobra.Group{}) {
		for _, s := range c.Commands() {
			if s.GroupID == g.ID && s.IsAvailableCommand() && !slices.Contains(m.Leave, s.Name()) {
				all = append(all, s)
			}
		}
	}
	return all
}

// menu asks for one of the commands below c, and runs it.
func (m mode) menu(c *cobra.Command) error {
	all, group := m.choices(c), ""
	for i, s := range all {
		if s.GroupID != group {
			group = s.GroupID
			m.line("%s", title(c, group))
		}
		m.line("%d %s: %s", i+1, s.Name(), s.Short)
	}
	n, err := m.number(len(all))
	if err != nil {
		return err
	}
	return m.enter(all[n-1])
}

func title(c *cobra.Command, group string) string {
	for _, g := range c.Groups() {
		if g.ID == group {
			return g.Title
		}
	}
	return ""
}

// enter opens the commands below one, or asks for its arguments and runs it. A command that runs by itself and has
// others below it is the first of them.
func (m mode) enter(c *cobra.Command) error {
	if c.Annotations[OnlyGroup] != "" {
		if err := m.menu(c); !errors.Is(err, errBack) {
			return err
		}
		return nil
	}
	if subs := m.choices(c); len(subs) > 0 {
		m.line("1 %s: %s", c.Name(), c.Short)
		for i, s := range subs {
			m.line("%d %s: %s", i+2, s.Name(), s.Short)
		}
		n, err := m.number(len(subs) + 1)
		if err != nil {
			return back(err)
		}
		if n > 1 {
			c = subs[n-2]
		}
	}
	return back(m.fill(c))
}

// number asks for one of the numbers of a menu.
func (m mode) number(most int) (int, error) {
	for {
		answer, err := m.ask("Which?")
		if err != nil {
			return 0, err
		}
		if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= most {
			return n, nil
		}
		m.line("Type a number from 1 to %d, or q.", most)
	}
}

// back makes going back no error: the menu comes again.
func back(err error) error {
	if errors.Is(err, errBack) {
		return nil
	}
	return err
}

// A question is an argument or an option of a command.
type question struct {
	name    string // as the usage line has it
	help    string
	flag    *pflag.Flag // nil for an argument
	many    bool        // several
	answers []string
}

// fill asks for what a command needs, and runs it. What was answered stays when the command rejects it: each question
// then comes with its answer, which enter keeps.
func (m mode) fill(c *cobra.Command) error {
	m.line("%s. Enter alone leaves an answer out.", c.Short)
	asked, others := m.questions(c)
	for {
		for i := range asked {
			if err := m.answer(&asked[i]); err != nil {
				return err
			}
		}
		if err := m.options(others); err != nil {
			return err
		}
		ending, wrong := m.Run(args(c, append(slices.Clone(asked), others...)))
		m.line("%s", ending)
		if !wrong {
			return nil
		}
		if again, err := m.ask("Change an answer and try again? [Y/n]"); err != nil || strings.HasPrefix(strings.ToLower(again), "n") {
			return err
		}
	}
}

// questions are the arguments and options that the usage line names, and the other options.
func (m mode) questions(c *cobra.Command) (asked, others []question) {
	_, usage, _ := strings.Cut(c.Use, " ")
	before := ""
	for _, word := range strings.Fields(usage) {
		name := strings.Trim(word, "[]().…|")
		isValue := strings.HasPrefix(strings.Trim(before, "[(|"), "--")
		if before = word; isValue || name == "" || name != strings.ToUpper(name) || strings.HasPrefix(name, "-") {
			continue
		}
		asked = append(asked, question{name: name, many: strings.Contains(word, "…")})
	}
	named := optionsIn(usage)
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || slices.Contains(m.Leave, f.Name) || slices.Contains(named, "--"+f.Name) {
			return
		}
		others = append(others, optionQuestion(f))
	})
	for _, name := range named {
		if f := c.Flags().Lookup(strings.TrimPrefix(name, "--")); f != nil && !slices.Contains(m.Leave, f.Name) {
			asked = append(asked, optionQuestion(f))
		}
	}
	return asked, others
}

func optionQuestion(f *pflag.Flag) question {
	_, help := pflag.UnquoteUsage(f)
	_, many := f.Value.(pflag.SliceValue)
	return question{name: "--" + f.Name, help: help, flag: f, many: many}
}

// optionsIn are the options that a usage line names, in its order.
func optionsIn(usage string) (all []string) {
	for _, word := range strings.FieldsFunc(usage, func(r rune) bool { return strings.ContainsRune(" ()[]|…", r) }) {
		if strings.HasPrefix(word, "--") && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// answer asks one question until its option takes the answer. An option that may be repeated is asked for until enter.
func (m mode) answer(q *question) error {
	words := q.words()
	var typed []string
	for {
		answer, err := m.ask(words)
		if err != nil {
			return err
		}
		if answer != "" && q.isSwitch() {
			answer = strconv.FormatBool(strings.HasPrefix(strings.ToLower(answer), "y"))
		}
		if answer != "" && q.flag != nil {
			if err := q.flag.Value.Set(answer); err != nil { // of a tree that is only asked about
				m.line("%s", m.Wrong(q.flag, err))
				continue
			}
		}
		if answer != "" {
			typed = append(typed, answer)
			q.answers = typed
		}
		if answer == "" || q.flag == nil || !q.many {
			return nil
		}
		words = "Another? Enter goes on:"
	}
}

// words are the question as it is asked.
func (q *question) words() string {
	words := q.name
	if q.help != "" {
		words += ", " + q.help
	}
	switch {
	case q.isSwitch():
		words += " [y/N]"
	case q.many && q.flag == nil:
		words += " (several with blanks between them)"
	}
	if len(q.answers) > 0 {
		words += "; enter keeps what you typed"
	}
	return words + ":"
}

func (q *question) isSwitch() bool { return q.flag != nil && q.flag.Value.Type() == "bool" }

// options offers the options that are not asked for one by one.
func (m mode) options(all []question) error {
	if len(all) == 0 {
		return nil
	}
	for i, q := range all {
		set := ""
		if len(q.answers) > 0 {
			set = " (set)"
		}
		m.line("%d %s, %s%s", i+1, q.name, q.help, set)
	}
	question := "An option? Enter goes on:"
	for {
		answer, err := m.ask(question)
		if err != nil || answer == "" {
			return err
		}
		if n, err := strconv.Atoi(answer); err != nil || n < 1 || n > len(all) {
			m.line("Type a number from 1 to %d, or enter.", len(all))
		} else if err := m.answer(&all[n-1]); err != nil {
			return err
		}
		question = "Another option? Enter goes on:"
	}
}

// args is the command line that the answers make.
func args(c *cobra.Command, all []question) []string {
	line := strings.Fields(c.CommandPath())[1:]
	var words []string
	for _, q := range all {
		for _, answer := range q.answers {
			switch {
			case q.flag != nil:
				line = append(line, q.name+"="+answer)
			case q.many:
				words = append(words, strings.Fields(answer)...)
			default:
				words = append(words, answer)
			}
		}
	}
	if len(words) == 0 {
		return line
	}
	return append(append(line, "--"), words...) // an answer is never an option
}
