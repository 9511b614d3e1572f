package journal

import (
	"context"
	"os"
	"time"

	"paydesk/api/ledger"

	sqlite3 "modernc.org/sqlite/lib"
)

// SQLiteVersion is the version of the database library.
const SQLiteVersion = sqlite3.SQLITE_VERSION

// Statistics describe a journal without saying anything of a payment.
type Statistics struct {
	Size           int64 // bytes; 0 in memory
	Version        int   // of the file's format
	Retention      time.Duration
	Attempts       int
	Oldest, Newest time.Time // attempts; zero without any
	Groups         []Group
}

// A Group are the attempts that are alike.
type Group struct {
	Kind     ledger.Kind
	Outcome  ledger.Outcome
	Decision ledger.Decision
	Status   string // the documented word; "" for none
	Attempts int
}

// Statistics counts the attempts of all profiles.
func (j *Journal) Statistics(ctx context.Context) (Statistics, error) {
	return ask(ctx, j, func(t *readTx) (s Statistics, err error) {
		s.Version, s.Retention = currentVersion, j.opts.Retention
		if newer := j.newer.Load(); newer > 0 {
			s.Version = int(newer)
		}
		if about, err := os.Stat(j.path); err == nil {
			s.Size = about.Size()
		}
		s.Groups, err = collect(t, func(rows scanner) (g Group, err error) {
			var oldest, newest int64
			err = rows.Scan((*string)(&g.Kind), (*string)(&g.Outcome), (*string)(&g.Decision), &g.Status, &g.Attempts, &oldest, &newest)
			s.Attempts += g.Attempts
			if from := fromNano(oldest); s.Oldest.IsZero() || from.Before(s.Oldest) {
				s.Oldest = from
			}
			if to := fromNano(newest); to.After(s.Newest) {
				s.Newest = to
			}
			return g, err
		}, `SELECT kind, outcome, verdict, status, count(*), min(at), max(at) FROM attempts
			GROUP BY kind, outcome, verdict, status ORDER BY kind, outcome, verdict, status`)
		return s, err
	})
}
