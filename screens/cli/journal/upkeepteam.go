package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
)

// A Team is the database of a team's journal, for whoever sets it up. Errors are words for the operator.
type Team interface {
	// Name is the database and its host, without a password.
	Name() string
	// RolesSQL returns the SQL that the administrator of the database runs first.
	RolesSQL() string
	// Init creates the schema and its tables where they are not.
	Init(context.Context) error
	// Migrate brings them up to this version.
	Migrate(context.Context) (from, to int, err error)
	Report(context.Context) (postgres.Report, error)
	// Open returns the journal, with the key of its hashes.
	Open(journal.KeyFile) *journal.Journal
	// Copy writes what the file of a journal holds into an empty journal, and compares every row.
	Copy(ctx context.Context, file string) (postgres.Copied, error)
}

// Init creates a team's journal, and the key of its hashes where there is none. The key of this user's own
// journal would be another: with fresh a new one is made all the same.
func (c Upkeep) Init(ctx context.Context, t Team, key journal.KeyFile, fresh bool) error {
	r, err := t.Report(ctx)
	if err != nil {
		return err
	}
	if own := journal.KeyIn(c.State); !fresh && !r.Keyed && !exists(key) && exists(own) {
		return fmt.Errorf("nothing was changed: this user has a journal already, whose key is another than a new one. If that journal is to be "+
			"copied, begin with its key: paydesk journal key import %s. If it is not, add --fresh", own)
	}
	if err := t.Init(ctx); err != nil {
		return err
	}
	made := false
	if !r.Keyed { // a new key would not fit a journal that was begun with one
		if made, err = key.Create(); err != nil {
			return err
		}
	}
	j := t.Open(key)
	defer j.Close()
	if err := j.Check(ctx); err != nil {
		return err
	}
	c.say("The journal is in place: " + t.Name() + ".")
	if made {
		c.say("The key of its hashes was made: " + string(key) + ". Keep a copy of it in another place.")
	}
	c.say("Each colleague needs the same key: paydesk journal key export FILE writes it, and paydesk journal key import FILE takes it.")
	return nil
}

func exists(f journal.KeyFile) bool {
	_, err := os.Lstat(string(f))
	return !errors.Is(err, fs.ErrNotExist)
}

// Migrate brings a team's journal up to this version of paydesk.
func (c Upkeep) Migrate(ctx context.Context, t Team) error {
	from, to, err := t.Migrate(ctx)
	switch {
	case err != nil:
		return err
	case from == to:
		c.say(fmt.Sprintf("Nothing was changed: the journal is of version %d already.", to))
	default:
		c.say(fmt.Sprintf("The journal was brought from version %d to %d. Older consoles send nothing any more; start their new version.", from, to))
	}
	return nil
}
