package cli

import (
	"context"
	"strings"

	"paydesk/keystore"
	"paydesk/keystore/doctor"
	"paydesk/screens/cli/shape"
)

// journalCheck is whether a team's journal works. Where the journal is a file its folder has a check of its own.
func (p *program) journalCheck(ctx context.Context, of keystore.Profile) []doctor.Check {
	c, err := keystore.File(p.global.config).Load()
	if err != nil || !c.Journal.Shared() || of.Journal == "off" {
		return nil
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
