package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

// A question is an argument or an option of a command.
type question struct {
	name    string // as the usage line has it
	says    string // what is asked for, as it is read aloud
	need    int    // its place in the usage line; -1 where that does not name it
	way     int
	flag    *pflag.Flag // nil for an argument
	many    bool        // several
	must    bool        // it is asked for until it has an answer
	spare   bool        // what was answered can be left out again
	offered []string    // known values, each with a tab and its description
	answers []string
}

// fill asks for what a command needs, and runs it; rest is its arguments where they were typed behind its name. Options are asked for: a
// typed one could be quoted for a shell, or send without a question. What was answered stays when nothing was made of it: the answers
// that the reason names are asked for again, each with what was typed, which enter keeps. Where it names none, a person chooses what to
// change.
func (m mode) fill(c *cobra.Command, rest string) error {
	m.line("%s.", c.Short)
	rest, _, options := strings.Cut(" "+rest, " --")
	if options {
		m.line("Options are asked for here. Those that were typed are left out.")
	}
	all := m.questions(c)
	if rest = strings.TrimSpace(rest); rest != "" && len(all) > 0 && all[0].flag == nil && !m.isSecret(rest) {
		all[0].answers = []string{all[0].value(rest)}
	}
	var further []*question // options that the usage line does not name
	for i, q := range all {
		otherWay := func(o *question) bool { return o.need == q.need && o.way < q.way && o.answered() }
		leftOut := func(o *question) bool { return q.sameWay(o) && !o.answered() }
		switch {
		case q.need < 0:
			further = append(further, q)
		case q.answered() || slices.ContainsFunc(all, otherWay) || slices.ContainsFunc(all[:i], leftOut):
		default:
			q.must = q.must || slices.ContainsFunc(all[:i], q.sameWay)
			if err := m.answer(q); err != nil {
				return err
			}
		}
	}
	if slices.ContainsFunc(command.Needs(c), func(n command.Need) bool { return n.Open }) { // one of them is needed
		m.listQuestions(further)
	}
	err := m.options("An option? Enter goes on; menu lists them:", further)
	for err == nil {
		ended := m.do(c, args(c, all))
		if !m.Correctable(ended) || !slices.ContainsFunc(all, (*question).answered) {
			return nil
		}
		wrong := blamed(all, ended)
		if len(wrong) == 0 || len(wrong) > 1 && !slices.ContainsFunc(wrong, (*question).answered) { // one of several is needed
			err = m.options("Change which answer? Enter tries again; menu lists them, q goes back:", all)
			continue
		}
		for i := 0; i < len(wrong) && err == nil; i++ {
			wrong[i].must = wrong[i].must || len(wrong) == 1
			err = m.answer(wrong[i])
		}
	}
	return err
}

// blamed are the questions that the reason of an error names: a check names the option, and the service begins with the member of its request.
func blamed(all []*question, ended error) (of []*question) {
	r, is := errors.AsType[*command.Refusal](ended)
	if !is {
		return nil
	}
	named := strings.FieldsFunc(r.Error()+" "+r.Option, func(c rune) bool { return !unicode.IsLetter(c) && c != '-' })
	for _, q := range all {
		member := strings.ReplaceAll(q.called(), " ", "") + " "
		if slices.Contains(named, q.name) || strings.HasPrefix(strings.ToLower(r.Detail), member) {
			of = append(of, q)
		}
	}
	return of
}

// questions are the arguments and options that the usage line names, and then the other options.
func (m mode) questions(c *cobra.Command) (all []*question) {
	named := map[string]bool{}
	ask := func(q *question, offers cobra.CompletionFunc) {
		if q.offered = m.known(c, offers); q.flag != nil && len(q.offered) == mostOffered { // or more, such as all currencies
			q.offered = nil
		}
		all = append(all, q)
		named[q.name] = true
	}
	for i, need := range command.Needs(c) {
		if need.Argument != "" {
			ask(&question{name: need.Argument, says: spoken(need.Argument), many: need.Many, must: !need.Optional, spare: need.Optional, need: i}, c.ValidArgsFunction)
		}
		for way, names := range need.Ways {
			for _, name := range names {
				q := optionQuestion(c.Flag(name[2:]))
				offers, _ := c.GetFlagCompletionFunc(name[2:])
				if !need.Open {
					q.need, q.way, q.must, q.spare = i, way, way == len(need.Ways)-1 && !q.isSwitch(), len(need.Ways) > 1
				}
				ask(q, offers)
			}
		}
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !command.IsGlobal(f) && !slices.Contains(left, f.Name) && !named["--"+f.Name] {
			all = append(all, optionQuestion(f))
		}
	})
	return all
}

// mostOffered bounds the values that are listed: one digit chooses among them.
const mostOffered = 9

// known returns the values that completion would offer: the first ones of an argument, and all of an option if they are few. They are
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
func optionQuestion(f *pflag.Flag) *question {
	value, help := pflag.UnquoteUsage(f)
	if !slices.Contains([]string{"", "ID", "URL", "QUERY"}, value) {
		help = strings.Replace(help, value, strings.ToLower(value), 1)
	}
	_, many := f.Value.(pflag.SliceValue)
	return &question{name: "--" + f.Name, says: strings.ReplaceAll(help, "--", ""), flag: f, many: many, spare: true, need: -1}
}

// spoken is an argument as it is read aloud.
func spoken(name string) string {
	switch name {
	case "REF":
		return "The reference of a payment"
	case "ID":
		return "The ID" // of an attempt or a webhook, as the words of the command have said
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
		if q.canLeaveOut() && strings.EqualFold(answer, leaveOut) {
			q.answers = nil
			return nil
		}
		answer = q.value(answer)
		if answer == "" && q.must && !q.answered() {
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
		if m.isSecret(answer) {
			continue
		}
		if answer != "" && q.flag != nil {
			if err := q.flag.Value.Set(answer); err != nil { // of a tree that is only asked about
				m.line("%s: %s", present.Plain(answer), present.Sentence(valueError(q.flag, err)))
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

// isSecret reports whether what was typed may be a card number or a key, as a whole or in a word. m says so.
func (m mode) isSecret(typed string) bool {
	is := command.RefuseSecrets(append([]string{typed}, strings.Fields(typed)...)) != nil
	if is {
		m.line("This looks like a card number or a secret key. It is typed only where it is not shown.")
	}
	return is
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
	if len(q.offered) > 0 { // which have just been read
		words, _, _ = strings.Cut(words, ":")
	}
	switch {
	case q.isSwitch():
		words += " [y/N]"
	case q.many && q.flag == nil:
		words += ", or several with blanks between them"
	}
	switch {
	case q.answered():
		words += "; enter keeps " + present.Plain(strings.Join(q.answers, ", "))
		if q.canLeaveOut() {
			words += ", " + leaveOut + " leaves it out"
		}
	case q.need >= 0 && !q.must && !q.isSwitch():
		words += "; enter leaves it out"
	}
	return words + ":"
}

func (q *question) answered() bool { return len(q.answers) > 0 }

func (q *question) sameWay(o *question) bool { return o.need == q.need && o.way == q.way }

// leaveOut takes back the answer to a question that can do without; a switch takes no for it.
const leaveOut = "none"

func (q *question) canLeaveOut() bool { return q.spare && q.answered() && !q.isSwitch() }

// called is the name of a question as it is said.
func (q *question) called() string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(q.name, "--"), "-", " "))
}

func (q *question) isSwitch() bool { return q.flag != nil && q.flag.NoOptDefVal != "" }

// options asks which of some questions to answer, by their names as they are said, until enter.
func (m mode) options(prompt string, all []*question) error {
	for len(all) > 0 {
		answer, err := m.ask(prompt)
		if err != nil || answer == "" {
			return err
		}
		n := chosen(strings.TrimPrefix(answer, "--"), len(all), func(i int) string { return all[i].called() })
		switch {
		case n >= 0:
			if err := m.answer(all[n]); err != nil {
				return err
			}
		case strings.EqualFold(answer, "menu"):
			m.listQuestions(all)
		default:
			m.line(noneOfThem)
		}
	}
	return nil
}

func (m mode) listQuestions(all []*question) {
	for i, q := range all {
		m.line("%d %s: %s", i+1, q.called(), present.Plain(cmp.Or(strings.Join(q.answers, ", "), q.says)))
	}
}

// args is the command line that the answers make.
func args(c *cobra.Command, all []*question) []string {
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
