package journal

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"paydesk/api/money"
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
// pattern; those of [atService] follow, once or thrice.
var glances = map[Names]string{
	PaymentNames: `SELECT reference, max(minor), max(currency), '', max(at) FROM (
			SELECT * FROM (SELECT reference, minor, currency, at FROM attempts
				WHERE reference GLOB ?1 AND reference <> '' AND kind = 'initiate' AND ` + numberedService + ` ORDER BY at DESC, n DESC LIMIT ?7)
			UNION ALL SELECT * FROM (SELECT reference, minor, currency, answered FROM lookups
				WHERE reference GLOB ?1 AND ` + numberedService + ` ORDER BY answered DESC LIMIT ?7)
			UNION ALL SELECT reference, 0, '', at FROM pins WHERE reference GLOB ?1 AND ` + numberedService + `
		) GROUP BY reference ORDER BY max(at) DESC LIMIT ?7`,
	LinkNames: `SELECT link, minor, currency, made_name, at FROM attempts WHERE link GLOB ?1 AND made = 1 AND link <> '' AND ` + numberedService +
		` ORDER BY at DESC, n DESC LIMIT ?7`,
	AttemptNames: `SELECT id, minor, currency, '', at FROM attempts WHERE id GLOB ?1 AND ` + numberedService + ` ORDER BY at DESC, n DESC LIMIT ?7`,
}

// numberedService is [atService] with the numbers of its arguments.
const numberedService = "environment = ?2 AND (service IN (?3, ?4, ?5) OR fingerprint <> '' AND fingerprint = ?6)"

// Glance returns names at a destination that begin with some letters, newest first and at most n, from the journal
// in a folder. It is for completion in a shell, which must be quick and leave no trace: the file is neither created
// nor checked nor written, and no lock is waited for. What is damaged may therefore be wrong.
func Glance(ctx context.Context, dir string, d Destination, of Names, beginning string, n int) ([]Named, error) {
	if strings.ContainsAny(beginning, "*?[") {
		return nil, nil
	}
	source, err := glanceSource(filepath.Join(dir, fileName))
	if err != nil {
		return nil, err
	}
	db := statefile.Open(source)
	defer db.Close()
	args := append(append([]any{beginning + "*"}, d.args()...), n)
	var all []Named
	err = statefile.ForEach(ctx, db, func(rows *sql.Rows) error {
		var v Named
		var minor, at int64
		var currency, text string
		if err := rows.Scan(&v.Name, &minor, &currency, &text, &at); err != nil {
			return err
		}
		v.At, v.About = fromNano(at), text
		if c, err := money.ParseCurrency(currency); err == nil && text == "" {
			v.About = money.Amount{Minor: minor, Currency: c}.String()
		}
		all = append(all, v)
		return nil
	}, glances[of], args...)
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
