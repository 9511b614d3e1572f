// Package key has the commands for the secret key of a profile.
package key

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"paydesk/keystore"
	"paydesk/screens/cli/command"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// Key manages the key of a profile.
func (p Commands) Key() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "key", Short: "Set, show or delete the secret key of a profile",
		Long: "The key is typed, or read from a pipe; it is never an argument. It belongs to the addresses of its profile: a person\n" +
			"confirms any other.",
	}, p.setCommand(), p.showCommand(), p.deleteCommand())
}

func (p Commands) setCommand() *cobra.Command {
	var o command.KeyOptions
	c := p.keyAction(&cobra.Command{
		Use: "set", Short: "Read the key, try it with one read-only request, and store it",
		Example: "  paydesk key set\n  pass show shop | paydesk key set --profile shop",
	}, func(ctx context.Context, keys command.Keys, to keystore.Profile) error { return keys.Set(ctx, to, o) })
	c.Flags().BoolVar(&o.Unchecked, "unchecked", false, "store the key without verifying it")
	c.Flags().BoolVar(&o.Age, "age", false, "store it in a file behind a passphrase")
	return c
}

func (p Commands) showCommand() *cobra.Command {
	return p.keyAction(&cobra.Command{
		Use: "show", Short: "Show where the key comes from, its last four, and when it last worked",
		Example: "  paydesk key show --profile shop",
	}, func(ctx context.Context, keys command.Keys, of keystore.Profile) error { return keys.Show(ctx, of) })
}

func (p Commands) deleteCommand() *cobra.Command {
	yes := false
	c := p.keyAction(&cobra.Command{
		Use: "delete", Short: "Remove the key from every place paydesk knows",
		Example: "  paydesk key delete --profile shop",
	}, func(ctx context.Context, keys command.Keys, of keystore.Profile) error {
		return keys.Delete(ctx, of, yes)
	})
	c.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return c
}

// keyAction is a command for the key of one profile.
func (p Commands) keyAction(c *cobra.Command, do func(context.Context, command.Keys, keystore.Profile) error) *cobra.Command {
	c.Args = noArgument
	c.RunE = func(c *cobra.Command, _ []string) error {
		_, profile, err := p.Selected()
		if err != nil {
			return err
		}
		keys := p.KeyCommands()
		keys.Out = p.Words()
		return keyEnd(do(c.Context(), keys, profile))
	}
	return c
}

// noArgument rejects arguments, of which one may be a key in an unknown form.
func noArgument(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &command.Refusal{Reason: command.WhySecret, Err: command.ErrSecret}
	}
	return nil
}

// keyEnd gives the error of a command of the key its code.
func keyEnd(err error) error {
	var wrong command.UsageError
	switch {
	case errors.Is(err, command.ErrUnconfirmed):
		return &command.Refusal{Reason: command.WhyUnconfirmed, Err: err}
	case errors.As(err, &wrong):
		return command.Exit(command.Usage, err)
	case errors.Is(err, command.ErrReported):
		return command.Exit(command.Failed, nil)
	}
	return err
}
