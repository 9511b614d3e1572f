package cli

import (
	"context"
	"strings"

	"paydesk/api/journal"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
	"paydesk/screens/cli/shape"
)

// journalCheck says how the journal is. The folder of a file has a check of its own.
func (p *program) journalCheck(ctx context.Context, of keystore.Profile) []doctor.Check {
	c, err := keystore.Folder(p.global.config).LoadOrEmpty()
	if err != nil || of.Journal == "off" {
		return nil
	}
	if !c.Journal.Shared() {
		return p.fileCheck(ctx)
	}
	check := doctor.Check{Name: "team's journal", State: doctor.Failed, Do: "paydesk journal status; until then nothing is sent"}
	o, err := p.teamStatus(ctx, shape.Journal{}, c.Journal)
	switch {
	case err != nil:
		check.Words = err.Error()
	case len(o.Problems) > 0:
		check.Words = strings.Join(o.Problems, " ")
	default:
		check.State, check.Words, check.Do = doctor.OK, o.Name+" keeps what is written", ""
	}
	return []doctor.Check{check}
}

// fileCheck finds what a journal in a file lost or cannot read; its folder has a check of its own.
func (p *program) fileCheck(ctx context.Context) []doctor.Check {
	folder, err := p.journalFolder()
	if err != nil {
		return nil
	}
	o, err := fileStatus(ctx, shape.Journal{}, folder)
	if err != nil || len(o.Problems) == 0 {
		return nil
	}
	return []doctor.Check{{Name: "journal", State: doctor.Failed, Words: strings.Join(o.Problems, " "), Do: "paydesk journal status; until then nothing is sent"}}
}

// lossesOf are the losses of a journal that nobody has acknowledged, in words.
func lossesOf(j *journal.Journal) (all []string) {
	for _, l := range j.Losses() {
		all = append(all, l.Words()+" "+acknowledgeFirst)
	}
	if len(all) == 0 && j.IsGone() {
		all = append(all, "The journal was deleted or moved away: its key is there. Put it back; without it nothing is sent before paydesk journal acknowledge.")
	}
	return all
}
