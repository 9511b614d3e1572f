package cli

import (
	"context"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/keystore"
	"paydesk/screens/present"
)

func (p *program) journalAcknowledgeCommand() *cobra.Command {
	yes := false
	c := &cobra.Command{
		Use: "acknowledge", Short: "Say what the journal lost, and send again once a person has read it", Args: positional(),
		Long: "Say what the journal of one user lost, and from when to when: it was damaged, deleted, moved, restored or replaced by an\n" +
			"older copy. Nothing is sent before a person has acknowledged that, because a payment that is not recorded could be\n" +
			"charged again: look for it in paydesk transactions first.\n\n" +
			"A person at a terminal types acknowledge. --yes stands for that only where no profile is a live one.",
		Example: "  paydesk journal acknowledge",
		RunE:    func(c *cobra.Command, _ []string) error { return p.acknowledgeLosses(c.Context(), yes) },
	}
	c.Flags().BoolVar(&yes, "yes", false, "acknowledge without a question; for test alone")
	return c
}

func (p *program) acknowledgeLosses(ctx context.Context, yes bool) error {
	folder, err := p.journalFolder()
	if err != nil {
		return err
	}
	j := journal.New(journal.Options{Dir: folder, Retention: forever})
	defer j.Close()
	_, _ = j.Statistics(ctx) // opens it, which finds out what is lost
	all := j.Losses()
	if len(all) == 0 {
		p.say("Nothing is to be acknowledged: the journal has lost nothing that is known.")
		return nil
	}
	for _, l := range all {
		p.say("%s", present.Plain(l.Words()))
	}
	p.say("Payments of that time may not be known here, and nothing would warn before one is charged again. Look for them first: paydesk transactions.")
	switch live := p.hasLive(); {
	case yes && live:
		return exit(Locked, sentence("--yes is for test: there is a live profile, so a person at a terminal has to acknowledge it."))
	case yes:
	case !p.ask.Person():
		return exit(Locked, sentence("A person at a terminal has to acknowledge it. Until then nothing is sent."))
	default:
		if err := p.typed(ctx, "Type acknowledge to send again:", "acknowledge"); err != nil {
			return err
		}
	}
	if err := j.AcknowledgeLosses(all); err != nil {
		return exit(Failed, err)
	}
	p.say("Acknowledged. Payments are sent again.")
	return nil
}

// hasLive reports whether real money may move with the configuration: a profile is live, or it cannot be read.
func (p *program) hasLive() bool {
	c, err := keystore.Folder(p.global.config).Load()
	if err != nil {
		return true
	}
	for _, of := range c.Profiles {
		if of.Environment == keystore.Live {
			return true
		}
	}
	return false
}
