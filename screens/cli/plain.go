package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

// A mode is a run of plain mode.
type mode struct {
	*program
	given command.Globals // the options that each command gets
}

// left are the options and commands that make no sense here.
var left = []string{"help", "completion", "man", "version", "demo", "sandbox", "json", "csv", "yes", "qr", "card-stdin"}

// errBack goes back to the menu.
var errBack = errors.New("back")

// runPlain is the plain mode of the command line, for screen readers, terminals without a cursor, and pipes: the
// commands, asked, until the input ends, or somebody quits. A numbered menu lists the commands of a tree; each missing argument and option
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
	m.line("Plain mode. Type a number or a name and enter; q goes back, and quits here.")
	root := m.tree()
	m.list(root, choices(root))
	for {
		err := m.menu("Which? menu lists them.", "", root, choices(root), m.enter)
		switch {
		case errors.Is(err, errBack), errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		root = m.tree()
	}
}

// tree is the commands, with the options at their defaults.
func (m mode) tree() *cobra.Command {
	root := m.Tree()
	m.Global = m.given // what is offered is of the same profile and journal
	m.addCompletions(root)
	return root
}

// do runs a command, says how it ended, and returns what was wrong with its arguments; "" where nothing was.
func (m mode) do(args []string) string {
	var all []string
	for _, o := range [][2]string{{"--config", m.given.Config}, {"--profile", m.given.Profile}, {"--state-dir", m.given.State}} {
		if o[1] != "" {
			all = append(all, o[0]+"="+o[1])
		}
	}
	m.run(append(all, args...))
	why := command.Judge(m.Failed)
	m.line("%s", present.Sentence(cmp.Or(why.Words, "done")))
	if why.Exit == command.Usage {
		return m.Failed.Error()
	}
	if r, is := errors.AsType[*command.Refusal](m.Failed); is {
		return r.Option
	}
	return ""
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

// yesOrNo reads the answer to a question with yes or no. Anything else, such as a card number pasted there, is none: m says what is.
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

// more asks a question with [Y/n] until it is answered; enter is yes.
func (m mode) more(question string) (bool, error) {
	for {
		answer, err := m.ask(question)
		if err != nil || answer == "" {
			return true, err
		}
		if yes, is := m.yesOrNo(answer); is {
			return yes, nil
		}
	}
}

// choices are the commands below one that can be chosen, group by group.
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
		for _, g := range of.Groups() {
			if g.ID == c.GroupID && g.Title != group {
				group = g.Title
				m.line("%s", group)
			}
		}
		m.line("%d %s: %s", i+1, c.Name(), c.Short)
	}
}

const which = "Which?"

// menu asks for one of some commands, unless typed names it already, and goes on with it and what is typed behind it.
func (m mode) menu(question, typed string, of *cobra.Command, all []*cobra.Command, next func(*cobra.Command, string) error) (err error) {
	for {
		if typed == "" {
			if typed, err = m.ask(question); err != nil {
				return err
			}
		}
		first, rest, _ := strings.Cut(typed, " ")
		switch n := chosen(first, len(all), func(i int) string { return all[i].Name() }); {
		case n >= 0:
			return next(all[n], strings.TrimSpace(rest))
		case strings.EqualFold(first, "menu"):
			m.list(of, all)
		default:
			m.line("Type a number from 1 to %d, a name, or q.", len(all))
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
// others below it is the first of them. rest is what was typed behind its name.
func (m mode) enter(c *cobra.Command, rest string) error {
	below, next := choices(c), m.enter
	if !command.IsGroup(c) {
		first, _, _ := strings.Cut(rest, " ")
		if !slices.ContainsFunc(below, func(s *cobra.Command) bool { return rest == "" || strings.EqualFold(s.Name(), first) }) {
			return back(m.fill(c, rest))
		}
		if rest == "" {
			below, next = append([]*cobra.Command{c}, below...), m.fill
		}
	}
	if rest == "" {
		m.list(c, below)
	}
	return back(m.menu(which, rest, c, below, next))
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
	need    int    // its place in the usage line; -1 where that does not name it
	way     int
	flag    *pflag.Flag // nil for an argument
	many    bool        // several
	must    bool        // an argument without which the command does nothing
	offered []string    // values that are known, each with a tab and what it is
	answers []string
}

// fill asks for what a command needs, and runs it; rest is its arguments where they were typed behind its name. What was
// answered stays when the command rejects it: the answers that it names, or where it names none all of them, are asked for
// again, each with what was typed, which enter keeps.
func (m mode) fill(c *cobra.Command, rest string) error {
	m.line("%s. Enter alone leaves an answer out.", c.Short)
	asked, others := m.questions(c)
	open := func(q *question) bool { return true }
	if rest != "" && len(asked) > 0 && asked[0].flag == nil {
		asked[0].answers = []string{asked[0].value(rest)}
		open = func(q *question) bool { return q != &asked[0] }
	}
	for {
		for i := range asked {
			q := &asked[i]
			other := func(o question) bool { return o.need == q.need && o.way < q.way && len(o.answers) > 0 } // another way was taken
			if !open(q) || slices.ContainsFunc(asked, other) {
				continue
			}
			if err := m.answer(q); err != nil {
				return err
			}
		}
		var offered []*question // of the options all, and then those that may mend it
		for i := range others {
			if open(&others[i]) {
				offered = append(offered, &others[i])
			}
		}
		if err := m.options(offered); err != nil {
			return err
		}
		wrong := m.do(args(c, slices.Concat(asked, others)))
		if wrong == "" {
			return nil
		}
		open = func(q *question) bool { return strings.Contains(wrong, q.name) }
		if slices.ContainsFunc(slices.Concat(asked, others), func(q question) bool { return open(&q) }) {
			continue
		}
		open = func(q *question) bool { return q.need >= 0 }
		if more, err := m.more("Change an answer and try again? [Y/n]"); err != nil || !more {
			return err
		}
	}
}

// questions are the arguments and options that the usage line names, and the other options.
func (m mode) questions(c *cobra.Command) (asked, others []question) {
	named := map[string]bool{}
	ask := func(q question, offers cobra.CompletionFunc) {
		if q.offered = m.known(c, offers); q.flag != nil && len(q.offered) == mostOffered { // or more, such as all currencies
			q.offered = nil
		}
		asked = append(asked, q)
		named[q.name] = true
	}
	for i, need := range command.Needs(c) {
		if need.Argument != "" {
			ask(question{name: need.Argument, says: spoken(need.Argument), many: need.Many, must: !need.Optional, need: i}, c.ValidArgsFunction)
		}
		for way, names := range need.Ways {
			for _, name := range names {
				q := optionQuestion(c.Flag(name[2:]))
				offers, _ := c.GetFlagCompletionFunc(name[2:])
				q.need, q.way = i, way
				ask(q, offers)
			}
		}
	}
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !slices.Contains(left, f.Name) && !named["--"+f.Name] {
			others = append(others, optionQuestion(f))
		}
	})
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
	c.SetContext(context.Background())
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
	return question{name: "--" + f.Name, says: strings.ReplaceAll(help, "--", ""), flag: f, many: many, need: -1}
}

// spoken is an argument as it is read aloud.
func spoken(name string) string {
	switch name {
	case "REF":
		return "The reference of a payment"
	case "ID":
		return "The ID of an attempt"
	}
	return strings.ToLower(name)
}

// answer asks one question until its option takes the answer. An option that may be repeated is asked for until enter.
func (m mode) answer(q *question) error {
	if len(q.offered) > 0 {
		m.line("By number, or typed:")
	}
	for i, value := range q.offered {
		m.line("%d %s", i+1, strings.ReplaceAll(value, "\t", ", "))
	}
	words := q.words()
	var typed []string
	for {
		answer, err := m.ask(words)
		if err != nil {
			return err
		}
		answer = q.value(answer)
		if answer == "" && q.must && len(q.answers) == 0 {
			m.line("Nothing is done without it; q goes back.")
			continue
		}
		if answer != "" && q.isSwitch() {
			yes, is := m.yesOrNo(answer)
			if !is {
				continue
			}
			answer = fmt.Sprint(yes)
		}
		if answer != "" && q.flag != nil {
			if err := q.flag.Value.Set(answer); err != nil { // of a tree that is only asked about
				m.line("%s", present.Sentence(valueError(q.flag, err)))
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

// value is an answer with each number of a value that was offered replaced by the value.
func (q *question) value(answer string) string {
	words, taken := strings.Fields(answer), false
	for i, word := range words {
		if n := chosen(word, len(q.offered), func(int) string { return "" }); n >= 0 {
			words[i], _, _ = strings.Cut(q.offered[n], "\t")
			taken = true
		}
	}
	if taken {
		return strings.Join(words, " ")
	}
	return answer
}

// words are the question as it is asked.
func (q *question) words() string {
	words := strings.ToUpper(q.says[:1]) + q.says[1:]
	switch {
	case q.isSwitch():
		words += " [y/N]"
	case q.many && q.flag == nil:
		words += ", or several with blanks between them"
	}
	if len(q.answers) > 0 {
		words += "; enter keeps " + present.Plain(strings.Join(q.answers, ", "))
	}
	return words + ":"
}

func (q *question) isSwitch() bool { return q.flag != nil && q.flag.NoOptDefVal != "" }

// options offers the options that are not asked for one by one, by their names as they are said.
func (m mode) options(all []*question) error {
	called := func(i int) string { return strings.ReplaceAll(all[i].name[2:], "-", " ") }
	for i, q := range all {
		m.line("%d %s: %s", i+1, called(i), q.says)
	}
	for prompt := "An option? Enter goes on:"; len(all) > 0; prompt = "Another option? Enter goes on:" {
		answer, err := m.ask(prompt)
		if err != nil || answer == "" {
			return err
		}
		n := chosen(strings.TrimPrefix(answer, "--"), len(all), called)
		if n < 0 {
			m.line("Type a number from 1 to %d, a name, or enter.", len(all))
		} else if err := m.answer(all[n]); err != nil {
			return err
		}
	}
	return nil
}

// args is the command line that the answers make.
func args(c *cobra.Command, all []question) []string {
	line := strings.Fields(c.CommandPath())[1:]
	words := []string{"--"} // an answer is never an option
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
	return append(line, words...)
}
