package payment

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/collect"
	"paydesk/ui"
)

// Validate asks which channels can be used for an amount.
func (p Commands) Validate() *cobra.Command {
	var of command.AmountFlags
	c := p.Command(&cobra.Command{
		Use: "validate [CHANNEL…] --currency C --amount A", Short: "Ask which channels accept an amount",
		Long: "Those that are named are asked about, or all. Nothing is changed. In a pipe the columns are alias, name and description. It\n" +
			"ends with 5 if none can be used, or not all of those named.",
		Example: "  paydesk validate --currency NGN --amount 4000\n  paydesk validate card --currency GBP --amount 12.50",
		RunE:    func(c *cobra.Command, args []string) error { return p.validate(c.Context(), of, args) },
	}, command.Refused)
	of.Add(c)
	return c
}

func (p Commands) validate(ctx context.Context, of command.AmountFlags, names []string) error {
	amount, err := of.Parse()
	if err != nil {
		return err
	}
	c, err := p.Connect(ctx)
	if err != nil {
		return err
	}
	if err := p.Unlock(ctx, c, false); err != nil {
		return err
	}
	for i, name := range names {
		names[i] = collect.TypedChannel(name)
	}
	got, err := c.ValidateChannels(ctx, amount, names...)
	if err != nil {
		return err
	}
	if p.Data.Format == output.JSON {
		o := shape.Validation{Schema: shape.ValidationSchema, Amount: shape.NewMoney(amount), Valid: got.Valid, Channels: []shape.Channel{}, Message: got.Message.Line(0)}
		for _, ch := range got.Channels {
			o.Channels = append(o.Channels, shape.Channel{Alias: string(ch.Alias), Name: ch.Name.Line(0), Description: ch.Description.Line(0)})
		}
		err = p.Data.Object(o)
	} else {
		t := p.Data.Table(ui.Column{Title: "Alias", Width: 14}, ui.Column{Title: "Name", Width: 18}, ui.Column{Title: "Description"})
		for _, ch := range got.Channels {
			if err = t.Row(output.Cells(string(ch.Alias), ch.Name.Line(0), ch.Description.Line(0))...); err != nil {
				break
			}
		}
	}
	switch {
	case err != nil:
		return err
	case len(got.Channels) == 0:
		return command.Refuse(command.WhyRefused, "No channel can be used for "+amount.String()+".", got.Message.Line(0))
	case len(notListed(names, got)) > 0:
		return command.Refuse(command.WhyRefused, strings.Join(notListed(names, got), ", ")+" cannot be used for "+amount.String()+": the service does not list it.", got.Message.Line(0))
	case !got.Valid:
		return command.Refuse(command.WhyRefused, "The service does not accept all of that for "+amount.String()+": only what it lists.", got.Message.Line(0))
	}
	return nil
}

// notListed are the channels that were named and are not in the answer. What was named may be anything, so one that is
// not known is not repeated.
func notListed(names []string, got api.Channels) (missing []string) {
	for _, name := range names {
		listed := slices.ContainsFunc(got.Channels, func(ch api.Channel) bool { return strings.EqualFold(string(ch.Alias), name) })
		switch {
		case listed:
		case slices.Contains(api.KnownChannels[:], name):
			missing = append(missing, name)
		default:
			missing = append(missing, "A channel that was named")
		}
	}
	return slices.Compact(missing)
}
