package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/pattern"
	"paydesk/api/statefile"
)

// Names are what people call something by that the journal knows.
type Names uint8

// The names of [Glance].
const (
	PaymentNames Names = iota // references of payments that were made, looked up or pinned
	LinkNames                 // aliases of links that were created
	AttemptNames              // IDs of attempts
)

// A Named is a name with what it stands for.
type Named struct {
	Name  string
	About string // amount, or the name of a link
	At    time.Time
}

// glances select name, minor, currency, text and time, newest first. The first argument is the beginning of the name, as a
// pattern of SQLite; those of [atService] and how many follow.
var glances = map[Names]string{
	PaymentNames: `SELECT reference, max(minor), max(currency), '', max(at) FROM (
			SELECT * FROM (SELECT reference, minor, currency, at FROM attempts
				WHERE reference GLOB ?1 AND reference <> '' AND kind = 'initiate' AND ` + numberedService + ` ORDER BY at DESC, n DESC LIMIT ?7) AS sent
			UNION ALL SELECT * FROM (SELECT reference, minor, currency, CASE WHEN answered > pinned THEN answered ELSE pinned END AS known FROM payments
				WHERE reference GLOB ?1 AND answered + pinned <> 0 AND ` + numberedService + ` ORDER BY known DESC LIMIT ?7) AS asked
		) AS known GROUP BY reference ORDER BY max(at) DESC LIMIT ?7`,
	LinkNames: `SELECT link, minor, currency, made_name, at FROM attempts WHERE link GLOB ?1 AND made = 1 AND link <> '' AND ` + numberedService +
		` ORDER BY at DESC, n DESC LIMIT ?7`,
	AttemptNames: `SELECT id, minor, currency, '', at FROM attempts WHERE id GLOB ?1 AND ` + numberedService + ` ORDER BY at DESC, n DESC LIMIT ?7`,
}

// numberedService is [atService] with the numbers of its arguments.
const numberedService = "environment = ?2 AND (service IN (?3, ?4, ?5) OR fingerprint <> '' AND fingerprint = ?6)"

// sharedGlance is the query of [GlanceShared], where the first argument is the beginning itself.
func sharedGlance(of Names) string {
	return strings.ReplaceAll(glob().ReplaceAllString(glances[of], "starts_with($1, ?1)"), "?", "$")
}

var glob = pattern.Lazy(`\b(\w+) GLOB \?1`)

// Glance returns names at a destination that begin with some letters, newest first and at most n, from the journal
// in a folder. It is for completion in a shell, which must be quick and leave no trace: the file is neither created
// nor checked nor written, and no lock is waited for. What is damaged may therefore be wrong.
func Glance(ctx context.Context, dir string, d ledger.Destination, of Names, beginning string, n int) ([]Named, error) {
	if strings.ContainsAny(beginning, "*?[") {
		return nil, nil
	}
	source, err := glanceSource(filepath.Join(dir, fileName))
	if err != nil {
		return nil, err
	}
	db := statefile.Open(source)
	defer db.Close()
	return glance(ctx, db, glances[of], beginning+"*", d, n)
}

// GlanceShared is [Glance] in a team's journal. It needs no key.
func GlanceShared(ctx context.Context, q Querier, d ledger.Destination, of Names, beginning string, n int) ([]Named, error) {
	return glance(ctx, q, sharedGlance(of), beginning, d, n)
}

func glance(ctx context.Context, q Querier, query, beginning string, d ledger.Destination, n int) (all []Named, err error) {
	args := append(append([]any{beginning}, atArgs(d)...), n)
	err = each(ctx, q, func(r scanner) error {
		var v Named
		var minor, at int64
		var currency, text string
		if err := r.Scan(&v.Name, &minor, &currency, &text, &at); err != nil {
			return err
		}
		v.At, v.About = fromNano(at), text
		if c, err := money.ParseCurrency(currency); err == nil && text == "" {
			v.About = money.Amount{Minor: minor, Currency: c}.String()
		}
		all = append(all, v)
		return nil
	}, query, args...)
	return all, err
}

// glanceSource is how the file is opened for reading alone. Without a log nobody writes it, and SQLite is told so, since it
// would create files beside it otherwise. A log without its index, which a crash can leave, is left alone.
func glanceSource(path string) (string, error) {
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	_, err := os.Stat(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return dsn(path, false, false) + "&immutable=1", nil
	}
	if err == nil {
		_, err = os.Stat(path + "-shm")
	}
	return dsn(path, false, false), err
}
