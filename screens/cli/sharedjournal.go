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
		db, err := postgres.Open(teamConfig(j))
		if err != nil {
			return journal.NewUnavailable(err)
		}
		o.KeyFile = j.KeyFile
		return journal.NewShared(db, o)
	}
}
