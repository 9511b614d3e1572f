package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paydesk/api/journal"
	"paydesk/api/journal/journalcmd"
	"paydesk/api/journal/postgres"
	"paydesk/keystore"
	"paydesk/screens/present"
)

// A team is the database of a team's journal. It implements [journalcmd.Team].
type team struct {
	*postgres.DB
	config postgres.Config
	dir    string // where outcomes wait that could not be written
}

// RolesSQL implements [journalcmd.Team].
func (t team) RolesSQL() string { return postgres.RolesSQL(t.config) }

// Init implements [journalcmd.Team].
func (t team) Init(ctx context.Context) error { return t.said(postgres.Init(ctx, t.config)) }

// Migrate implements [journalcmd.Team].
func (t team) Migrate(ctx context.Context) (from, to int, err error) {
	from, to, err = postgres.Migrate(ctx, t.config)
	return from, to, t.said(err)
}

// Report implements [journalcmd.Team].
func (t team) Report(ctx context.Context) (postgres.Report, error) {
	r, err := postgres.Status(ctx, t.config)
	return r, t.said(err)
}

// Open implements [journalcmd.Team].
func (t team) Open(key journal.KeyFile) *journal.Journal {
	return journal.NewShared(t.DB, journal.Options{Dir: t.dir, KeyFile: string(key), Retention: forever})
}

// Copy implements [journalcmd.Team].
func (t team) Copy(ctx context.Context, file string) (postgres.Copied, error) {
	return postgres.Copy(ctx, t.config, file)
}

// said is an error in words for the operator.
func (t team) said(err error) error {
	if err == nil {
		return nil
	}
	return sentence(t.Problem(err))
}

// journalConfig is the configuration, for a command about the journal: it needs no profile. Without a configuration
// the journal is a file. Times are shown in its zone from then on.
func (p *program) journalConfig() (*keystore.Config, error) {
	if p.global.config == "" {
		return &keystore.Config{}, nil
	}
	c, err := keystore.Folder(p.global.config).LoadOrEmpty()
	if err != nil {
		return nil, exit(Usage, err)
	}
	if zone, err := c.TimeZone.Location(); err == nil && zone != time.Local {
		time.Local = zone
	}
	return c, nil
}

// teamConfig is how the database of a team's journal is reached.
func teamConfig(j keystore.Journal) postgres.Config {
	c := postgres.Config{URL: j.URL, Schema: j.Schema}
	if j.PasswordCommand != "" {
		c.Password = func(ctx context.Context) (string, error) {
			password, err := j.Password(ctx)
			if why, is := errors.AsType[*keystore.Problem](err); is {
				err = postgres.NoPassword(noPassword(why))
			}
			return password, err
		}
	}
	return c
}

// noPassword is why the password command printed none, with the last line of what it said beside it.
func noPassword(why *keystore.Problem) string {
	words := why.Message
	if said := present.Plain(why.Stderr()); said != "" {
		words += " (" + said + ")"
	}
	if why.Hint != "" {
		words += "; " + why.Hint
	}
	return words
}

// team is the database of a team's journal.
func (p *program) team(j keystore.Journal) (journalcmd.Team, error) {
	c := teamConfig(j)
	db, err := postgres.Open(c)
	if err != nil {
		return nil, exit(Usage, fmt.Errorf("%s: [journal] %w", p.global.config, err))
	}
	folder, _ := journal.Dir(p.global.state, p.Getenv)
	return team{DB: db, config: c, dir: folder}, nil
}

// teamCommands are the commands for a team's journal, with its database and the file of its key.
func (p *program) teamCommands() (c journalcmd.CLI, t journalcmd.Team, key journal.KeyFile, err error) {
	config, err := p.journalConfig()
	if err != nil {
		return c, nil, "", err
	}
	if !config.Journal.Shared() {
		return c, nil, "", usage("The journal is a file: [journal] in the configuration names no database of a team (store = \"postgres\"); " +
			"see paydesk help configuration.")
	}
	folder, err := p.journalFolder()
	if err != nil {
		return c, nil, "", err
	}
	t, err = p.team(config.Journal)
	return journalcmd.CLI{Out: p.words(), State: folder}, t, journal.KeyFile(config.Journal.KeyFile), err
}
