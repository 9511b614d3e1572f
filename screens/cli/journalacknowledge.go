package cli

import (
	"context"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/screens/present"
)

func (p *program) journalAcknowledgeCommand() *cobra.Command {
	return ends(&cobra.Command{
		Use: "acknowledge", Short: "Say what the journal lost, and allow sending again",
		Long: "Say what the journal lost, and from when to when. Nothing is sent until a person has acknowledged it, because a\n" +
			"payment that is not recorded could be charged again: look for it in paydesk transactions first.\n\n" +
			"A person at a terminal types acknowledge; no option does.",
		Example: "  paydesk journal acknowledge",
		RunE:    func(c *cobra.Command, _ []string) error { return p.acknowledgeLosses(c.Context()) },
	}, Locked)
}

func (p *program) acknowledgeLosses(ctx context.Context) error {
	folder, err := p.journalFolder()
	if err != nil {
		return err
	}
	journals := []*journal.Journal{journal.New(journal.Options{Dir: folder, Retention: forever})}
	_, _ = journals[0].Statistics(ctx) // opens it, which finds out what is lost
	if c, _, err := p.config(); err == nil {
		if open := sharedJournal(c.Journal); open != nil { // a team's says so when something is sent
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
			p.warn("%s", present.Plain(l.Words()))
		}
	}
	if len(lost) == 0 {
		p.say("Nothing is to be acknowledged: the journal has lost nothing that is known.")
		return nil
	}
	p.warn("Payments of that time may not be known here, and nothing would warn before one is charged again. Look for them first: paydesk transactions.")
	if !p.ask.Person() {
		return exit(Locked, sentence("A person at a terminal has to acknowledge it. Until then nothing is sent."))
	}
	if err := p.typed(ctx, "Type acknowledge to send again:", "acknowledge"); err != nil {
		return err
	}
	for j, all := range lost {
		if err := j.AcknowledgeLosses(all); err != nil {
			return exit(Failed, err)
		}
	}
	p.say("Acknowledged. Payments are sent again.")
	return nil
}
