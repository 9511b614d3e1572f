package payment

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/links"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
	"paydesk/ui/terminal"
)

// Link creates and lists payment links.
func (p Commands) Link() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "link", Short: "Create and list payment links",
		Long: "Anyone with its URL can pay a link.",
	}, p.createCommand(), p.listCommand(), p.showCommand())
}

// listCommand lists the links of the journal.
func (p Commands) listCommand() *cobra.Command {
	var where string
	c := command.Ends(&cobra.Command{
		Use: "list", Short: "List the links that were created here",
		Long: "Those that are unresolved or differ are first, then the newest. The service is not asked. In a pipe the columns are\n" +
			"alias, amount, currency, payments that succeeded, payments in all, time of creation, name and URL. While a loss of\n" +
			"the journal stands it ends with 10.",
		Example: "  paydesk link list\n  paydesk link list --where 'chairs' --json",
		RunE:    func(c *cobra.Command, _ []string) error { return p.linkList(c.Context(), where) },
	}, command.Locked)
	c.Flags().StringVar(&where, "where", "", "only links that match the `QUERY` (paydesk help query)")
	return c
}

func (p Commands) linkList(ctx context.Context, where string) error {
	q, err := p.ReadQuery("--where", journal.LinkLanguage(command.Today), where)
	if err != nil {
		return err
	}
	profile, j, err := p.Recorded(ctx)
	if err != nil {
		return err
	}
	err = output.Rows(p.Data, report.Links(), j.EachLink(ctx, command.DestinationOf(profile), q), output.NewLink)
	return cmp.Or(err, command.Problem(j.LossStands(), present.Reading, "")) // a link may be missing
}

// showCommand shows a link of the journal.
func (p Commands) showCommand() *cobra.Command {
	var qr bool
	c := command.Ends(&cobra.Command{
		Use: "show ALIAS", Short: "Show a link that was created here",
		Long: "It is shown by alias or URL, with its payments. The service is not asked. If the link differs from what was asked, a\n" +
			"person at a terminal reads the difference before the URL is printed. Without a safe URL it ends with 6.",
		Example: "  paydesk link show 0-a1b2c3d\n  paydesk link show 0-a1b2c3d --qr",
		RunE: func(c *cobra.Command, args []string) error {
			a, err := api.ParseAlias(args[0])
			if err != nil {
				return command.WrongBy(err)
			}
			return p.linkShow(c.Context(), a, qr)
		},
	}, command.Refused, command.Unresolved, command.Locked)
	c.Flags().BoolVar(&qr, "qr", false, "print the QR code of its URL too")
	return c
}

func (p Commands) linkShow(ctx context.Context, a api.Alias, qr bool) error {
	profile, j, err := p.Recorded(ctx)
	if err != nil {
		return err
	}
	found, err := findLink(ctx, j, command.DestinationOf(profile), a)
	if err != nil {
		return err
	}
	p.About.Attempt = found.ID
	if found.MustBeRead() {
		return p.showDifferences(ctx, j, command.DestinationOf(profile), found, qr)
	}
	return p.showLink(found, qr)
}

// findLink returns the link with an alias.
func findLink(ctx context.Context, j *journal.Journal, at ledger.Destination, a api.Alias) (journal.LinkRecord, error) {
	found, err := j.Link(ctx, at, a)
	if errors.Is(err, ledger.ErrNotFound) {
		err = command.NotRecorded(j, "The journal of this profile has no link with this alias.", "paydesk link list", "lists them")
	}
	return found, err
}

// showDifferences shows how a link differs from what was asked, and the link once a person has read that.
func (p Commands) showDifferences(ctx context.Context, j *journal.Journal, at ledger.Destination, l journal.LinkRecord, qr bool) error {
	if !p.Ask.Available() {
		_ = p.showLink(l, false) // that it differs comes first
		return command.Refuse(command.WhyMismatch, "MISMATCH: this link differs from what was asked for. A person at a terminal has to read how before it is passed on.", command.AtATerminal)
	}
	for _, d := range output.NewLink(l).Differs {
		p.Warn("%s: asked %s, answered %s", d.Part, d.Asked, d.Answered)
	}
	if err := p.Yes(ctx, "The customer pays what was answered. Have you read how it differs?"); command.IsSignal(err) {
		return err
	} else if err != nil {
		return command.EndedBy(command.WhyMismatch)
	}
	if err := j.DifferenceRead(ctx, at, l.CreatedLink.Alias); err != nil {
		return err
	}
	l.Decision = ledger.DifferenceRead
	return p.showLink(l, qr)
}

// showLink prints what is known of a link. It returns an error where the link has no URL that a customer can be sent to.
func (p Commands) showLink(l journal.LinkRecord, qr bool) error {
	o := output.NewLink(l)
	if p.Data.Show(o, report.OfLink(l, time.Now()).Pairs()...); qr && o.URL != "" {
		p.printQR(o.URL)
	}
	if !l.LacksURL() {
		return nil
	}
	return &command.Refusal{Reason: command.WhyMismatch, Problem: present.Problem{
		What: "The link was created, but the service returned no URL that is safe to use.", Detail: l.CreatedLink.PageText.Line(200), Next: "Ask the provider for its URL.",
	}}
}

// linkOptions are the flags of link create.
type linkOptions struct {
	amount            command.AmountFlags
	name, description string
	chooses, reusable bool
	yes, qr           bool
	allow             string
}

// createCommand creates a link.
func (p Commands) createCommand() *cobra.Command {
	var o linkOptions
	c := command.Ends(&cobra.Command{
		Use: "create --name N --description D --currency C (--amount A | --customer-chooses)", Short: "Create a payment link",
		Long: "It is created once, after a confirmation or with --yes. For live, a person at a terminal types the profile's name\n" +
			"and the amount. A link that differs from what was asked is a MISMATCH: its URL is printed once a person has read the\n" +
			"difference, with paydesk link show ALIAS. One without a URL that is safe to use ends with 6 too.",
		Example: "  paydesk link create --name Chairs --description 'six oak chairs' --currency GBP --amount 120\n" +
			"  paydesk link create --name Donation --description 'what you like' --currency NGN --customer-chooses --reusable --yes --json | jq -r .url",
		RunE: func(c *cobra.Command, _ []string) error { return p.linkCreate(c.Context(), o) },
	}, command.Refused, command.Unresolved, command.Duplicate, command.Locked)
	o.amount.Add(c)
	f := c.Flags()
	command.Text(c, &o.name, "name", "its `NAME`, shown to the customer; another link cannot have the same", links.NameLimit)
	command.Text(c, &o.description, "description", "`WHAT` the payment is for", links.DescriptionLimit)
	f.BoolVar(&o.chooses, "customer-chooses", false, "the customer enters the amount")
	f.BoolVar(&o.reusable, "reusable", false, "let it be paid many times, not once")
	f.BoolVar(&o.yes, "yes", false, "create it without asking; test profiles only")
	f.BoolVar(&o.qr, "qr", false, "print the QR code of its URL too")
	command.AllowDuplicateFlag(c, &o.allow)
	return c
}

// draft is the link as it was asked for.
func (o linkOptions) draft() (d api.LinkDraft, err error) {
	d = api.LinkDraft{Name: o.name, Description: o.description}
	if o.reusable {
		d.Type = api.Reusable
	}
	if !o.chooses {
		d.Amount, err = o.amount.Parse()
		return d, err
	}
	if o.amount.Amount != "" {
		return d, command.Wrong("choose one of --amount and --customer-chooses")
	}
	c, err := money.ParseCurrency(o.amount.Currency)
	if err != nil {
		return d, command.Wrong("add --currency, such as --currency NGN")
	}
	d.AmountType, d.Amount = api.Dynamic, money.Amount{Currency: c}
	return d, nil
}

func (p Commands) linkCreate(ctx context.Context, o linkOptions) error {
	d, err := o.draft()
	if err != nil {
		return err
	}
	c, err := p.Connect(ctx)
	if err != nil {
		return err
	}
	s := command.Sending{Question: "Create this link?", Typed: links.Typed(d), Yes: o.yes, Facts: [][2]string{
		{"Name", d.Name}, {"Description", d.Description}, {"Can be paid", d.Type.String()}, {"Amount", d.Amount.String()},
	}}
	if d.AmountType == api.Dynamic {
		s.Facts[3][1] = "the customer chooses, in " + d.Amount.Currency.Code()
	}
	if err := p.Allow(ctx, c, s); err != nil {
		return err
	}
	l, err := command.SendUnlessDuplicate(ctx, p.Program, o.allow, func(ctx context.Context) (api.Link, error) { return c.CreateLink(ctx, d) })
	if err != nil {
		return p.Kept(ctx, c, "the answer was lost", command.Problem(err, present.Sending, p.UnresolvedNext(c)))
	}
	return p.Kept(ctx, c, "link "+string(l.Alias), p.printCreated(c, created(ctx, c, d, l), o.qr))
}

// created is a link that was just created, as the journal has it, or else as it was answered.
func created(ctx context.Context, c *command.Connection, d api.LinkDraft, l api.Link) journal.LinkRecord {
	if r, err := findLink(ctx, c.Journal, c.Here(), l.Alias); err == nil {
		return r
	}
	return journal.LinkRecord{Attempt: ledger.Attempt{Kind: ledger.CreateLink, Outcome: ledger.Accepted, At: time.Now(), Draft: d, Amount: d.Amount, CreatedLink: &l}}
}

// printCreated prints a link that was just created. It must not be passed on where it is in another environment, differs from
// what was asked for, or has no URL that is safe to use.
func (p Commands) printCreated(c *command.Connection, l journal.LinkRecord, qr bool) error {
	made, differs := *l.CreatedLink, ""
	if l.ID != "" { // else no journal has it
		differs = "See how it differs: paydesk link show " + string(made.Alias)
	}
	if made.InOtherEnvironment(c.Target.Environment) {
		return command.Refuse(command.WhyMismatch, "ENVIRONMENT MISMATCH: the service created the link in "+made.Environment.Line(0)+", and this profile is "+c.Target.Environment+
			". Do not pass it on.", differs)
	}
	unusable := p.showLink(l, qr)
	switch lacks := present.NotAnswered(&made); {
	case l.MustBeRead():
		return command.Refuse(command.WhyMismatch, "MISMATCH: the link differs from what was asked for. Do not pass it on.", differs)
	case unusable != nil:
		return unusable
	case lacks != "":
		p.Warn("%s", present.Sentence(lacks))
	}
	return nil
}

// printQR prints a QR code for a phone that reads it from the screen.
func (p Commands) printQR(url string) {
	code := ui.NewTheme(false).QR(url)
	w, h := code.Least()
	lines, _ := code.Beside(w+2, h+1) // a module more on each side
	if terminal.ASCIIOnly(p.Getenv) {
		lines = code.ASCII()
	}
	if len(lines) == 0 {
		p.Say("There is no QR code: the URL is too long for one.")
	}
	for _, l := range lines {
		if !p.Data.Terminal {
			l = ansi.Strip(l)
		}
		p.Data.Write([]byte(l + "\n"))
	}
}
