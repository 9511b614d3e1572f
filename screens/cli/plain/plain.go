// Package plain is the plain mode of the command line, for screen readers, terminals without a cursor, and pipes: the
// commands, asked. A numbered menu lists the commands of a tree; each missing argument and option is a question with
// its help. It has no commands, checks or words of its own about payments: an answer is checked by the option, and by
// the command when it runs. Everything is printed line by line.
package plain

import (
	"cmp"
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
	// Run runs a command line and says how it ended, and what was wrong with it; "" where nothing was.
	Run func(args []string) (ending, wrong string)
	// Ask prints a question and reads a line; the error is [io.EOF] at the end of the input.
	Ask func(ctx context.Context, question string) (string, error)
	// Show is an answer as it may be printed again.
	Show func(string) string
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
	m.line("Plain mode. Type a number or a name and enter; q goes back, and quits here.")
	m.list(o.Tree())
	for {
		err := m.menu(o.Tree(), "Which? menu lists them.", "")
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

// list prints the commands below c.
func (m mode) list(c *cobra.Command) {
	group := ""
	for i, s := range m.choices(c) {
		if s.GroupID != group {
			group = s.GroupID
			m.line("%s", title(c, group))
		}
		m.line("%d %s: %s", i+1, s.Name(), s.Short)
	}
}

// menu asks for one of the commands below c, unless it is named already, and runs it.
func (m mode) menu(c *cobra.Command, question, named string) error {
	all := m.choices(c)
	n, rest, err := m.choose(question, named, all, func() { m.list(c) })
	if err != nil {
		return err
	}
	return m.enter(all[n], rest)
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
// others below it is the first of them. rest is what was typed behind its name.
func (m mode) enter(c *cobra.Command, rest string) error {
	subs := m.choices(c)
	if c.Annotations[OnlyGroup] == "" {
		subs = append([]*cobra.Command{c}, subs...)
	} else if rest == "" {
		m.list(c)
	}
	switch {
	case c.Annotations[OnlyGroup] != "":
		return back(m.menu(c, which, rest))
	case len(subs) == 1 || rest != "" && named(subs[1:], rest) < 0:
		return back(m.fill(c, rest))
	case rest != "":
		return m.enter(subs[1+named(subs[1:], rest)], after(rest))
	}
	list := func() {
		for i, s := range subs {
			m.line("%d %s: %s", i+1, s.Name(), s.Short)
		}
	}
	list()
	n, rest, err := m.choose(which, "", subs, list)
	if err != nil {
		return back(err)
	}
	return back(m.fill(subs[n], rest))
}

const which = "Which?"

// named is the command whose name begins a text, -1 for none.
func named(all []*cobra.Command, text string) int {
	name, _, _ := strings.Cut(text, " ")
	return slices.IndexFunc(all, func(c *cobra.Command) bool { return strings.EqualFold(c.Name(), name) })
}

// after returns the text behind its first word.
func after(text string) string {
	_, rest, _ := strings.Cut(text, " ")
	return strings.TrimSpace(rest)
}

// choose asks for one of the commands of a menu, by its number or its name, and returns its index and what was typed
// behind it. The answer may be there already.
func (m mode) choose(question, answer string, all []*cobra.Command, list func()) (n int, rest string, err error) {
	for {
		if answer == "" {
			if answer, err = m.ask(question); err != nil {
				return 0, "", err
			}
		}
		first, _, _ := strings.Cut(answer, " ")
		n, err := strconv.Atoi(first)
		switch n--; {
		case err != nil && named(all, answer) >= 0:
			return named(all, answer), after(answer), nil
		case err == nil && n >= 0 && n < len(all):
			return n, after(answer), nil
		case strings.EqualFold(first, "menu"):
			list()
		default:
			m.line("Type a number from 1 to %d, a name, or q.", len(all))
		}
		answer = ""
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
	says    string // what is asked for, as it is read aloud
	choice  choice
	flag    *pflag.Flag // nil for an argument
	many    bool        // several
	offered []string    // values that are known, each with a tab and what it is
	answers []string
}

// A choice is where in a usage line an option stands between brackets: which brackets, and behind how many bars. The zero choice
// is none.
type choice struct{ brackets, bars int }

// isAnswered reports whether what a question is another choice of was answered.
func (q *question) isAnswered(asked []question) bool {
	return q.choice.bars > 0 && slices.ContainsFunc(asked, func(o question) bool {
		return o.choice.brackets == q.choice.brackets && o.choice.bars < q.choice.bars && len(o.answers) > 0
	})
}

// fill asks for what a command needs, and runs it; rest is its arguments where they were typed behind its name. What was
// answered stays when the command rejects it: the answers that it names, or where it names none all of them, are asked for
// again, each with what was typed, which enter keeps.
func (m mode) fill(c *cobra.Command, rest string) error {
	m.line("%s. Enter alone leaves an answer out.", c.Short)
	asked, others := m.questions(c)
	open := func(q *question) bool { return true }
	if rest != "" && len(asked) > 0 && asked[0].flag == nil {
		asked[0].answers = []string{asked[0].chosen(rest)}
		open = func(q *question) bool { return q != &asked[0] }
	}
	for again := false; ; again = true {
		for i := range asked {
			if open(&asked[i]) && !asked[i].isAnswered(asked) {
				if err := m.answer(&asked[i]); err != nil {
					return err
				}
			}
		}
		if !again {
			if err := m.options(others); err != nil {
				return err
			}
		}
		ending, wrong := m.Run(args(c, append(slices.Clone(asked), others...)))
		m.line("%s", ending)
		if wrong == "" {
			return nil
		}
		open = func(q *question) bool { return strings.Contains(wrong, q.name) }
		if slices.ContainsFunc(asked, func(q question) bool { return open(&q) }) {
			continue
		}
		open = func(*question) bool { return true }
		if more, err := m.ask("Change an answer and try again? [Y/n]"); err != nil || strings.HasPrefix(strings.ToLower(more), "n") {
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
		asked = append(asked, question{name: name, says: cmp.Or(spoken[name], strings.ToLower(name)), many: strings.Contains(word, "…"), offered: m.known(c, c.ValidArgsFunction)})
	}
	named, choices := optionsIn(usage)
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || slices.Contains(m.Leave, f.Name) || slices.Contains(named, "--"+f.Name) {
			return
		}
		others = append(others, optionQuestion(f))
	})
	for i, name := range named {
		if f := c.Flags().Lookup(strings.TrimPrefix(name, "--")); f != nil && !slices.Contains(m.Leave, f.Name) {
			q := optionQuestion(f)
			q.choice = choices[i]
			if known, has := c.GetFlagCompletionFunc(f.Name); has {
				if q.offered = m.known(c, known); len(q.offered) == mostOffered { // or more, such as all currencies
					q.offered = nil
				}
			}
			asked = append(asked, q)
		}
	}
	return asked, others
}

// mostOffered bounds the values that are listed: one digit chooses among them.
const mostOffered = 9

// known are the values that a shell would be offered, the first of an argument, and of an option all if they are few: the
// payments that were pinned, looked up or made last, profiles, channels.
func (m mode) known(c *cobra.Command, offers cobra.CompletionFunc) []string {
	if offers == nil {
		return nil
	}
	c.SetContext(m.ctx)
	all, _ := offers(c, nil, "")
	return all[:min(len(all), mostOffered)]
}

// optionQuestion asks for an option in the words of its help, without the dashes and capitals that are for the eye.
func optionQuestion(f *pflag.Flag) question {
	value, help := pflag.UnquoteUsage(f)
	if !slices.Contains([]string{"", "ID", "URL", "QUERY"}, value) {
		help = strings.Replace(help, value, strings.ToLower(value), 1)
	}
	_, many := f.Value.(pflag.SliceValue)
	return question{name: "--" + f.Name, says: strings.ReplaceAll(help, "--", ""), flag: f, many: many}
}

// spoken are the arguments of usage lines whose names are no words.
var spoken = map[string]string{"REF": "The reference of a payment", "ID": "The ID of an attempt"}

// optionsIn are the options that a usage line names, in its order, and which of them replace each other.
func optionsIn(usage string) (all []string, choices []choice) {
	var at choice
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", "|", " | ", "[", " ", "]", " ", "…", " ").Replace(usage)) {
		switch {
		case word == "(":
			at = choice{brackets: at.brackets + 1}
		case word == "|":
			at.bars++
		case word == ")":
			at.bars = 0
		case strings.HasPrefix(word, "--") && !slices.Contains(all, word):
			all, choices = append(all, word), append(choices, at)
		}
	}
	return all, choices
}

// answer asks one question until its option takes the answer. An option that may be repeated is asked for until enter.
func (m mode) answer(q *question) error {
	if len(q.offered) > 0 {
		m.line("By number, or typed:")
	}
	for i, value := range q.offered {
		m.line("%d %s", i+1, strings.ReplaceAll(value, "\t", ", "))
	}
	words := m.words(q)
	var typed []string
	for {
		answer, err := m.ask(words)
		if err != nil {
			return err
		}
		answer = q.chosen(answer)
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

// chosen replaces each number of a value that was offered by the value.
func (q *question) chosen(answer string) string {
	words := strings.Fields(answer)
	for i, word := range words {
		if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(q.offered) {
			words[i], _, _ = strings.Cut(q.offered[n-1], "\t")
			answer = ""
		}
	}
	if answer != "" {
		return answer
	}
	return strings.Join(words, " ")
}

// words are the question as it is asked.
func (m mode) words(q *question) string {
	words := strings.ToUpper(q.says[:1]) + q.says[1:]
	switch {
	case q.isSwitch():
		words += " [y/N]"
	case q.many && q.flag == nil:
		words += ", or several with blanks between them"
	}
	if len(q.answers) > 0 {
		words += "; enter keeps " + m.Show(strings.Join(q.answers, ", "))
	}
	return words + ":"
}

// called is the name of an option as it is said.
func (q *question) called() string {
	return strings.ReplaceAll(strings.TrimPrefix(q.name, "--"), "-", " ")
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
		m.line("%d %s: %s%s", i+1, q.called(), q.says, set)
	}
	prompt := "An option? Enter goes on:"
	for {
		answer, err := m.ask(prompt)
		if err != nil || answer == "" {
			return err
		}
		n := slices.IndexFunc(all, func(q question) bool { return strings.EqualFold(answer, q.called()) || answer == q.name })
		if number, err := strconv.Atoi(answer); err == nil {
			n = number - 1
		}
		if n < 0 || n >= len(all) {
			m.line("Type a number from 1 to %d, a name, or enter.", len(all))
		} else if err := m.answer(&all[n]); err != nil {
			return err
		}
		prompt = "Another option? Enter goes on:"
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
