package mirror

import (
	"context"
	"database/sql"
	"slices"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A memory is what is kept of one service.
type memory struct {
	n     int64
	place ledger.Destination
}

// memories are those of the same address, the likeliest first: with the same key, then with one that is not known, then
// the one that was kept last. Another address has another list, also where the key is the same.
func memories(ctx context.Context, q statefile.Querier, place ledger.Destination) (all []memory, err error) {
	place = place.Stored()
	at := place.Hosts()
	all, err = statefile.All(ctx, q, func(m *memory) []any {
		return []any{&m.n, &m.place.Environment, &m.place.Host, &m.place.Fingerprint}
	}, `SELECT n, environment, service, fingerprint FROM memories WHERE environment = ? AND service IN (?, ?, ?)
		ORDER BY (SELECT max(s.n) FROM scans AS s WHERE s.memory = memories.n) DESC`, place.Environment, at[0], at[1], at[2])
	likely := func(m memory) int {
		switch {
		case place.HasSameKey(m.place):
			return 0
		case !place.HasOtherKey(m.place):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b memory) int { return likely(a) - likely(b) })
	return all, err
}

// memoryOf is the memory that the scan continues; 0 for none. With another key at the same address it may be
// another account: it is this one when a row of it is among those that were read, since ids are given once.
func (k *keeping) memoryOf() (int64, error) {
	all, err := memories(k.ctx, k.tx, k.place)
	if err != nil {
		return 0, err
	}
	for _, m := range all {
		if !k.place.HasOtherKey(m.place) {
			return m.n, nil
		}
		if shared, err := k.shares(m.n); shared || err != nil {
			return m.n, err
		}
	}
	return 0, nil
}

// shares reports whether a memory has one of the rows that were read.
func (k *keeping) shares(memory int64) (shared bool, err error) {
	read, err := k.from.ordered(k.ctx)
	if err != nil {
		return false, err
	}
	after := ""
	kept := cursor{more: func() (string, error) {
		p, err := partAfter(k.ctx, k.tx, memory, after)
		after = p.first
		return p.text, err
	}}
	for err = kept.next(); err == nil && kept.line != "" && read.line() != ""; {
		switch kept, now := kept.line.id(), read.line().id(); {
		case kept == now:
			return true, nil
		case kept > now:
			err = read.next()
			continue
		}
		err = kept.next()
	}
	return false, err
}

// newMemory adds a memory.
func newMemory(ctx context.Context, tx *sql.Tx, place ledger.Destination) (int64, error) {
	place = place.Stored()
	done, err := tx.ExecContext(ctx, "INSERT INTO memories (environment, service, fingerprint) VALUES (?, ?, ?)",
		place.Environment, place.Host, place.Fingerprint)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

// moveMemory notes the address and the key that a service was read with last.
func moveMemory(ctx context.Context, tx *sql.Tx, n int64, place ledger.Destination) error {
	place = place.Stored()
	_, err := tx.ExecContext(ctx, `UPDATE memories SET service = ?1, fingerprint = CASE ?2 WHEN '' THEN fingerprint ELSE ?2 END
		WHERE n = ?3 AND (service <> ?1 OR fingerprint <> ?2)`, place.Host, place.Fingerprint, n)
	return err
}

// Forget removes all that is kept of a service: rows, scans and changes. What is kept of another account at the
// same address stays.
func (m *Mirror) Forget(ctx context.Context, place ledger.Destination) error {
	if err := m.lock(ctx); err != nil {
		return m.unavailable(err)
	}
	defer m.unlock()
	_, err := m.write(ctx, noWait, func(tx *sql.Tx) error {
		all, err := memories(ctx, tx, place)
		for i, one := range all {
			if i > 0 && place.HasOtherKey(one.place) { // the first is the one that [Mirror.Since] shows
				continue
			}
			for _, from := range []string{"changes WHERE memory", "scans WHERE memory", "list WHERE memory", "memories WHERE n"} {
				if err == nil {
					_, err = tx.ExecContext(ctx, "DELETE FROM "+from+" = ?", one.n)
				}
			}
		}
		return err
	})
	return m.unavailable(err)
}
