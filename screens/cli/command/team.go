package command

import (
	"context"
	"errors"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/keystore"
	"paydesk/screens/present"
)

// TeamConfig returns the way to the database of a team's journal.
func TeamConfig(j keystore.Journal) postgres.Config {
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

// noPassword says why the password command printed none, with the last line of its stderr.
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

// SharedJournal opens the journal of a team; nil where the journal is a file.
func SharedJournal(j keystore.Journal) func(journal.Options) *journal.Journal {
	if !j.Shared() {
		return nil
	}
	return func(o journal.Options) *journal.Journal {
		db, err := postgres.Open(TeamConfig(j))
		if err != nil {
			return journal.NewUnavailable(err)
		}
		o.KeyFile = j.KeyFile
		return journal.NewShared(db, o)
	}
}
