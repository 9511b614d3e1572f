package journal

import (
	"context"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

func (p Commands) journalAcknowledgeCommand() *cobra.Command {
	return command.Ends(&cobra.Command{
		Use: "acknowledge", Short: "Say what the journal lost, and allow sending again",
		Long: "Say what the journal lost, and from when to when. Nothing is sent until a person has acknowledged it, because a\n" +
			"payment that is not recorded could be charged again: look for it in paydesk transactions first.\n\n" +
			"A person at a terminal types acknowledge; no option does.",
		Example: "  paydesk journal acknowledge",
		RunE:    func(c *cobra.Command, _ []string) error { return p.acknowledgeLosses(c.Context()) },
	}, command.Locked)
}

func (p Commands) acknowledgeLosses(ctx context.Context) error {
	folder, err := p.journalFolder()
	if err != nil {
		return err
	}
	journals := []*journal.Journal{journal.New(journal.Options{Dir: folder, Retention: forever})}
	_, _ = journals[0].Statistics(ctx) // opens it, which finds out what is lost
	if c, _, err := p.Selected(); err == nil {
		if open := command.SharedJournal(c.Journal); open != nil { // a team's says so when something is sent
			journals = append(journals, open(journal.Options{Dir: folder, Retention: forever}))
		}
	}
	lost := map[*journal.Journal][]journal.Loss{}
	for _, j := range journals {
		defer j.Close()
		if all := j.Losses(); len(all) > 0 {
			lost[j] = all
		}
		for _, l := range lost[j] {
			p.Warn("%s", present.Plain(l.Words()))
		}
	}
	if len(lost) == 0 {
		p.Say("Nothing is to be acknowledged: the journal has lost nothing that is known.")
		return nil
	}
	p.Warn("Payments of that time may not be known here, and nothing would warn before one is charged again. Look for them first: paydesk transactions.")
	if !p.Ask.Person() {
		return command.Exit(command.Locked, command.Sentence("A person at a terminal has to acknowledge it. Until then nothing is sent."))
	}
	if err := p.Typed(ctx, "Type acknowledge to send again:", "acknowledge"); err != nil {
		return err
	}
	for j, all := range lost {
		if err := j.AcknowledgeLosses(all); err != nil {
			return command.Exit(command.Failed, err)
		}
	}
	p.Say("Acknowledged. Payments are sent again.")
	return nil
}
