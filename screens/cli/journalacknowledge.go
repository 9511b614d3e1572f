package cli

import (
	"context"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/screens/present"
)

func (p *program) journalAcknowledgeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "acknowledge", Short: "Say what the journal lost, and send again once a person has read it", Args: positional(),
		Long: "Say what the journal of one user lost, and from when to when: it was damaged, deleted, moved, restored or replaced by an\n" +
			"older copy. Nothing is sent before a person has acknowledged that, because a payment that is not recorded could be\n" +
			"charged again: look for it in paydesk transactions first.\n\n" +
			"A person at a terminal types acknowledge; nothing stands for that.",
		Example: "  paydesk journal acknowledge",
		RunE:    func(c *cobra.Command, _ []string) error { return p.acknowledgeLosses(c.Context()) },
	}
}

func (p *program) acknowledgeLosses(ctx context.Context) error {
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
	if !p.ask.Person() {
		return exit(Locked, sentence("A person at a terminal has to acknowledge it. Until then nothing is sent."))
	}
	if err := p.typed(ctx, "Type acknowledge to send again:", "acknowledge"); err != nil {
		return err
	}
	if err := j.AcknowledgeLosses(all); err != nil {
		return exit(Failed, err)
	}
	p.say("Acknowledged. Payments are sent again.")
	return nil
}
