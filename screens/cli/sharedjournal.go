package cli

import (
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/keystore"
)

// sharedJournal opens the journal of a team; nil where the journal is a file.
func sharedJournal(j keystore.Journal) func(journal.Options) *journal.Journal {
	if !j.Shared() {
		return nil
	}
	return func(o journal.Options) *journal.Journal {
		c := postgres.Config{URL: j.URL, Schema: j.Schema}
		if j.PasswordCommand != "" {
			c.Password = j.Password
		}
		db, err := postgres.Open(c)
		if err != nil {
			return journal.NewUnavailable(err)
		}
		o.KeyFile = j.KeyFile
		return journal.NewShared(db, o)
	}
}
