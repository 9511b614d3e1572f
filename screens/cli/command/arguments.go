package command

import (
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

var (
	ErrSecret = errors.New("a secret key is never an argument: every user of this host can see arguments, and the shell records them. " +
		"If one of these was a key, replace it in the dashboard. paydesk key set asks for the key, or reads it from standard input")
	errCard = errors.New("this looks like a card number. It is never an argument: every user of this host can see arguments, and the shell records them. Nothing was requested")
)

// RefuseSecrets rejects arguments of which one may be a key or a card number, before anything is parsed and
// without quoting them. The key of a sandbox is none.
func RefuseSecrets(args []string) error {
	served := len(args) > 0 && args[0] == "sandbox"
	for _, a := range args {
		switch {
		case !served && keystore.MayBeKey(a):
			return &Refusal{Reason: WhySecret, Err: ErrSecret}
		case looksLikeCard(a):
			return &Refusal{Reason: WhySecret, Err: errCard}
		}
	}
	return nil
}

// looksLikeCard reports whether an argument may be a card number. The parts of a path are looked at one by one: joined,
// the digits of two folders pass for a card number one time in ten.
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

// Reference parses a reference. What may be a card number is rejected without quoting it.
func Reference(arg string) (api.Reference, error) {
	if api.Reference(arg).LooksLikeCard() { // also one with blanks, which is no reference
		return "", &Refusal{Reason: WhySecret, Err: errCard}
	}
	r, err := api.ParseReference(arg)
	if err != nil {
		return "", WrongBy(err)
	}
	return r, nil
}

// ReadQuery reads a query, which messages call name. Each problem is printed below the term that has it, before anything
// is requested.
func (p *Program) ReadQuery(name string, l *query.Language, text string) (query.Query, error) {
	_, _ = p.Settings() // whose zone has the days of the query; what is wrong with it the command says
	q, problems := l.Parse(text)
	if len(problems) == 0 {
		return q, nil
	}
	p.Warn("paydesk: %s cannot be understood:", name)
	shown := export.Masked(api.Clean(text)) == text // otherwise the marks would be below something else
	if shown {
		p.Warn("  %s", text)
	}
	var texts []string
	for _, wrong := range problems {
		texts = append(texts, wrong.Text)
		if shown {
			before := min(wrong.Start, len(text))
			term := text[before:max(min(wrong.End, len(text)), before)]
			p.Warn("  %s%s", strings.Repeat(" ", ansi.StringWidth(text[:before])), strings.Repeat("^", max(ansi.StringWidth(term), 1)))
		}
		p.Warn("  %s", wrong.Text)
	}
	return q, &Refusal{Reason: badQuery, Problem: present.Problem{What: name + " cannot be understood.", Detail: strings.Join(texts, " ")}, Said: true}
}

// CheckText checks a value as the field of a form with these checks does, in the same words.
func CheckText(value string, checks ...ui.TextOption) error {
	f := ui.NewTextField(ui.NewTheme(true), "", "", checks...)
	f.SetValue(value)
	switch wrong := f.Check(); {
	case wrong != "":
		return Sentence(wrong)
	case f.Value() != strings.TrimSpace(value):
		return Sentence("it is too long, or has characters that cannot be sent")
	}
	return nil
}

// Text adds an option for a text with the checks of its field in a form, and trimmed as there.
func Text(c *cobra.Command, to *string, name, help string, checks ...ui.TextOption) {
	c.Flags().Func(name, help, func(s string) error {
		*to = strings.TrimSpace(s)
		return CheckText(s, checks...)
	})
}

// LimitFlag adds --limit, which [UpTo] keeps.
func LimitFlag(c *cobra.Command, to *uint) {
	c.Flags().UintVar(to, "limit", 0, "print at most `N`; 0 for all")
}

// UpTo yields at most n of some rows; 0 means all.
func UpTo[R any](n uint, rows iter.Seq2[R, error]) iter.Seq2[R, error] {
	if n == 0 {
		return rows
	}
	return func(yield func(R, error) bool) {
		left := n
		for row, err := range rows {
			if left--; !yield(row, err) || left == 0 {
				return
			}
		}
	}
}

// Today is the day of a query.
func Today() query.DayNumber { return query.DayOf(time.Now().Local()) }

// AmountFlags are --amount and --currency, with the checks of the forms.
type AmountFlags struct{ Amount, Currency string }

func (a *AmountFlags) Add(c *cobra.Command) {
	Text(c, &a.Currency, "currency", "the currency's `CODE`, such as NGN", ui.Checked(func(code string) string {
		_, err := money.ParseCurrency(code)
		return wordsOf(err)
	}))
	Text(c, &a.Amount, "amount", "the `AMOUNT` in major units, such as 4,000.00", ui.Checked(func(string) string {
		if a.Currency == "" {
			return "" // it is checked once its currency is known
		}
		_, err := a.amount()
		return wordsOf(err)
	}))
}

func wordsOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Parse returns the amount that was given.
func (a *AmountFlags) Parse() (money.Amount, error) {
	amount, err := a.amount()
	switch {
	case errors.Is(err, money.ErrCurrency):
		return amount, Wrong("--currency: " + err.Error())
	case err != nil:
		return amount, Wrong("--amount: " + err.Error())
	}
	return amount, nil
}

func (a *AmountFlags) amount() (money.Amount, error) {
	c, err := money.ParseCurrency(a.Currency)
	if err != nil {
		return money.Amount{}, err
	}
	amount, err := money.Parse(a.Amount, c)
	if err == nil && amount.Minor == 0 {
		err = errors.New("the amount must be above 0")
	}
	return amount, err
}
