package cli

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/query"
	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

var (
	errSecret = errors.New("a secret key is never an argument: every user of this host can see arguments, and the shell records them. " +
		"If one of these was a key, replace it in the dashboard. paydesk key set asks for the key, or reads it from standard input")
	errCard = errors.New("this looks like a card number. It is never an argument: every user of this host can see arguments, and the shell records them. Nothing was requested")
)

// refuseSecrets rejects arguments of which one may be a key or a card number, before anything is parsed and
// without quoting them. The key of a sandbox is none.
func refuseSecrets(args []string) error {
	served := len(args) > 0 && args[0] == "sandbox"
	for _, a := range args {
		switch {
		case !served && keystore.MayBeKey(a):
			return &refusal{reason: secretArgument, err: errSecret}
		case looksLikeCard(a):
			return &refusal{reason: secretArgument, err: errCard}
		}
	}
	return nil
}

// looksLikeCard reports whether an argument may be a card number. The parts of a path are looked at one by one: together,
// the digits of two folders are one in ten times those of a card.
func looksLikeCard(arg string) bool {
	_, value, is := strings.Cut(arg, "=")
	if !is {
		value = arg
	}
	if !filepath.IsAbs(value) {
		return api.Reference(arg).LooksLikeCard()
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(value), "/"), func(part string) bool { return api.Reference(part).LooksLikeCard() })
}

// reference parses a reference. What may be a card number is rejected without quoting it.
func reference(arg string) (api.Reference, error) {
	if api.Reference(arg).LooksLikeCard() { // also one with blanks, which is no reference
		return "", &refusal{reason: secretArgument, err: errCard}
	}
	r, err := api.ParseReference(arg)
	if err != nil {
		return "", exit(Usage, err)
	}
	return r, nil
}

// positional checks how many arguments a command gets, by its usage line. The last one may be repeated where its name ends in dots,
// and left out where it stands in brackets.
func positional(c *cobra.Command, args []string) error {
	want, _, _ := strings.Cut(strings.ReplaceAll(c.Use, "(", "--"), " --")
	names := strings.Fields(want)[1:]
	least, most := len(names), len(names)
	if most > 0 && strings.HasSuffix(strings.TrimSuffix(names[most-1], "]"), "…") {
		most = max(most, len(args))
	}
	if least > 0 && strings.HasPrefix(names[least-1], "[") {
		least--
	}
	if len(args) >= least && len(args) <= most {
		return nil
	}
	return usage(c.CommandPath() + " takes " + cmp.Or(strings.Join(names, " "), "no arguments but options") + "; see " + c.CommandPath() + " --help")
}

// missing ends a command without the options that its usage line names outside of brackets: all of them, in the order of its help.
func missing(c *cobra.Command) error {
	var names []string
	for _, need := range needs(c.Use) {
		first, last := need[0], need[len(need)-1]
		if slices.ContainsFunc(need, func(all []string) bool { return len(all) > 0 && len(lacking(c, all)) == 0 }) {
			continue
		}
		for _, name := range lacking(c, first) {
			if len(need) > 1 {
				name += " (or --" + strings.Join(last, " and --") + ")"
			}
			names = append(names, "--"+name)
		}
	}
	slices.Sort(names)
	switch len(names) {
	case 0:
		return nil
	case 1:
		return usage(names[0] + " is missing; see " + c.CommandPath() + " --help")
	}
	return usage(enumerate(names) + " are missing; see " + c.CommandPath() + " --help")
}

// needs are the options that a usage line asks for: of the alternatives of each, one has to be whole. "(--found REF | …)" names not all
// of them, so that the command itself asks for one.
func needs(use string) (all [][][]string) {
	for use != "" {
		var before, inside string
		before, use, _ = strings.Cut(use, "(")
		for _, name := range optionsOn(before) {
			all = append(all, [][]string{{name}})
		}
		if inside, use, _ = strings.Cut(use, ")"); inside == "" || strings.Contains(inside, "…") {
			continue
		}
		var alternatives [][]string
		for part := range strings.SplitSeq(inside, " | ") {
			alternatives = append(alternatives, optionsOn(part))
		}
		all = append(all, alternatives)
	}
	return all
}

// lacking are the options of some that were not given.
func lacking(c *cobra.Command, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		f := c.Flags().Lookup(name)
		if f.Value.Type() == "bool" {
			return f.Changed
		}
		return strings.TrimSpace(f.Value.String()) != ""
	})
}

// optionsOn are the names of the options on a part of a usage line that are not in brackets.
func optionsOn(usage string) (names []string) {
	for _, word := range strings.Fields(usage) {
		if name, is := strings.CutPrefix(word, "--"); is {
			names = append(names, name)
		}
	}
	return names
}

// argumentError words what cobra says of arguments without [flagError]: options before a command.
func argumentError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var syntax *pflag.InvalidSyntaxError
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	if errors.As(err, &unknown) || errors.As(err, &syntax) || errors.As(err, &value) || errors.As(err, &missing) {
		return flagError(c, err)
	}
	return err
}

// flagError words a wrong option. What was typed is not quoted: it may be a key.
func flagError(c *cobra.Command, err error) error {
	see := "; see " + c.CommandPath() + " --help"
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &value):
		return usage("--" + value.GetFlag().Name + ": " + valueError(value.GetFlag(), err) + see)
	case errors.As(err, &missing):
		return usage("--" + missing.GetFlag().Name + " needs a value" + see)
	}
	typed := ""
	var no *pflag.NotExistError
	if errors.As(err, &no) {
		typed = no.GetSpecifiedName()
	}
	return unknown(c, "unknown option (never pass a secret key as an argument)", "--", typed, optionsOf(c))
}

// A fieldError is what is wrong with the value of an option, in words that do not quote it.
type fieldError struct{ error }

// valueError is what is wrong with a value: in the words of its own check, or by its kind.
func valueError(f *pflag.Flag, err error) string {
	var own fieldError
	if errors.As(err, &own) {
		return own.Error()
	}
	switch f.Value.Type() {
	case "int", "uint64", "int64":
		return "must be a whole number"
	case "duration":
		return "must be a duration, such as 90s or 5m"
	case "bool":
		return "it takes no value"
	}
	return "use light or dark" // only the background is of another kind
}

// A checked value is a text option with a check of its own, whose errors do not quote it.
type checked struct {
	text  *string
	check func(string) error
	kind  string
}

// checkedFlag adds a text option with a check, such as that of the form's field. kind is what the usage calls
// the value.
func checkedFlag(f *pflag.FlagSet, to *string, name, kind, help string, check func(string) error) {
	f.Var(&checked{to, check, kind}, name, help)
}

// Set implements [pflag.Value].
func (c *checked) Set(s string) error {
	if err := c.check(s); err != nil {
		return fieldError{err}
	}
	*c.text = s
	return nil
}

// String implements [pflag.Value].
func (c *checked) String() string {
	if c.text == nil {
		return ""
	}
	return *c.text
}

// Type implements [pflag.Value].
func (c *checked) Type() string { return c.kind }

// readQuery reads the query of --where.
func (p *program) readQuery(l *query.Language, text string) (query.Query, error) {
	return p.readQueryOf("--where", l, text)
}

// readQueryOf reads a query. What is wrong with it is said below the term that it is about, before anything is opened or
// requested. name is what the query is called.
func (p *program) readQueryOf(name string, l *query.Language, text string) (query.Query, error) {
	q, problems := l.Parse(text)
	if len(problems) == 0 {
		return q, nil
	}
	p.warn("paydesk: %s cannot be understood:", name)
	shown := export.Masked(api.Clean(text)) == text // otherwise the marks would be below something else
	if shown {
		p.warn("  %s", text)
	}
	for _, wrong := range problems {
		if shown {
			before := min(wrong.Start, len(text))
			term := text[before:max(min(wrong.End, len(text)), before)]
			p.warn("  %s%s", strings.Repeat(" ", ansi.StringWidth(text[:before])), strings.Repeat("^", max(ansi.StringWidth(term), 1)))
		}
		p.warn("  %s", wrong.Text)
	}
	var texts []string
	for _, wrong := range problems {
		texts = append(texts, wrong.Text)
	}
	return q, &refusal{reason: badQuery, Problem: present.Problem{What: name + " cannot be understood.", Detail: strings.Join(texts, " ")}, said: true}
}

// checkField checks the value of an option by the field of its form, with the same words.
func checkField(flag, label, value string, o ...ui.TextOption) error {
	f := ui.NewTextField(ui.NewTheme(true), label, "", o...)
	f.SetValue(value)
	wrong := f.Check()
	if wrong == "" && f.Value() != strings.TrimSpace(value) {
		wrong = label + " is too long, or has characters that cannot be sent"
	}
	if wrong != "" {
		return usage("--" + flag + ": " + wrong)
	}
	return nil
}
