package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// Names is a kind of name by which people call something that the journal knows.
type Names uint8

// The names of [Glance].
const (
	PaymentNames   Names = iota // references of payments that were made, looked up or pinned
	LinkNames                   // aliases of links that were created
	AttemptNames                // IDs of attempts
	UndecidedNames              // IDs of those about which a person has to decide, or will where the console that sent one is gone
)

// A Named is a name with what it stands for.
type Named struct {
	Name  string
	About string // amount and how it stands, or the name of a link
	At    time.Time
}

// glances say where names are: the column, the text and the status that describe it, since when it is known, and the rows
// that have one. A payment of several sources is described by the first, and by the text of each.
var glances = map[Names][]struct{ name, text, stands, since, from string }{
	PaymentNames: {
		{"reference", "''", stands, "at", "attempts WHERE kind = 'initiate' AND reference <> ''"},
		{"reference", "CASE pinned WHEN 0 THEN '' ELSE 'pinned' END", stands, "CASE WHEN answered > pinned THEN answered ELSE pinned END", "payments WHERE answered + pinned <> 0"},
	},
	LinkNames:      {{"link", "made_name", "''", "at", "attempts WHERE made = 1 AND link <> ''"}},
	AttemptNames:   {{"id", orLink, stands, "at", "attempts WHERE TRUE"}},
	UndecidedNames: {{"id", orLink, stands, "at", "attempts WHERE " + openSQL}},
}

const orLink = "CASE kind WHEN 'link' THEN 'link' ELSE '' END"

// stands says how a payment stands, in a word: what a person must decide comes before its status.
const stands = `CASE WHEN mismatch <> 0 AND mismatch_verdict = '' THEN 'MISMATCH'
	WHEN outcome = 'unresolved' AND verdict = '' THEN 'UNRESOLVED' WHEN outcome = 'sent' THEN 'SENT' WHEN mismatch = 0 THEN status ELSE '' END`

// Glance returns names at a destination that begin with some letters, newest first and at most n, from the journal
// in a folder. It is for completion in a shell, which must be quick and leave no trace: the file is neither created
// nor checked nor written, and no lock is waited for. What is damaged may therefore come back wrong.
func Glance(ctx context.Context, dir string, d ledger.Destination, of Names, beginning string, n int) ([]Named, error) {
	source, err := glanceSource(filepath.Join(dir, fileName))
	if err != nil {
		return nil, err
	}
	db := statefile.Open(source)
	defer db.Close()
	return (&readTx{ctx: ctx, q: db}).glance(d, of, beginning, n)
}

// Glance is [Glance] in a team's journal. It needs no key.
func (j *Journal) Glance(ctx context.Context, d ledger.Destination, of Names, beginning string, n int) (all []Named, err error) {
	err = j.view(ctx, func(t *readTx) error {
		all, err = t.glance(d, of, beginning, n)
		return err
	})
	return all, err
}

func (t *readTx) glance(d ledger.Destination, of Names, beginning string, n int) (all []Named, err error) {
	have := map[string]int{}
	for _, g := range glances[of] {
		begins := slices.Concat(atArgs(d), []any{utf8.RuneCountInString(beginning), beginning, n})
		err := t.each(func(r scanner) error {
			var v Named
			var minor, at int64
			var currency, text, stands string
			if err := r.Scan(&v.Name, &minor, &currency, &text, &stands, &at); err != nil {
				return err
			}
			if i, known := have[v.Name]; known {
				if of == PaymentNames && text != "" {
					all[i].About += ", " + text
				}
				return nil
			}
			have[v.Name], v.At, v.About = len(all), fromNano(at), strings.Trim(stands+", "+text, ", ")
			if a := amount(minor, currency); of != LinkNames && !a.Currency.IsZero() {
				v.About = strings.TrimSuffix(a.String()+", "+v.About, ", ")
			}
			all = append(all, v)
			return nil
		}, "SELECT "+g.name+", due_minor, CASE due WHEN 1 THEN due_currency ELSE '' END, "+g.text+", "+g.stands+", "+g.since+" AS since FROM "+g.from+" AND "+atService+
			" AND substr("+g.name+", 1, ?) = ? ORDER BY since DESC, n DESC LIMIT ?", begins...)
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b Named) int { return b.At.Compare(a.At) })
	return all[:min(n, len(all))], nil
}

// glanceSource returns the source that opens the file for reading alone. Without a log no console writes it: SQLite must know that,
// or it creates files beside it. A log without its index, which a crash can leave, is left alone.
func glanceSource(path string) (string, error) {
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	_, err := os.Stat(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return immutable(path), nil
	}
	if err == nil {
		_, err = os.Stat(path + "-shm")
	}
	return dsn(path, "ro"), err
}
