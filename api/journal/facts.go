package journal

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"

	"paydesk/api/ledger"
)

// A head is a fact's place in the chain: how many there are up to it, and a hash of all of them.
type head struct {
	number int64
	hash   []byte
	at     int64 // when the fact was stated; 0 where it was purged
}

// next is the head after a fact with a digest.
func (h head) next(digest []byte) []byte {
	sum := sha256.New()
	sum.Write(h.hash)
	sum.Write(binary.BigEndian.AppendUint64(nil, uint64(h.number+1)))
	sum.Write(digest)
	return sum.Sum(nil)
}

// head returns that of the last fact; the zero head where there is none.
func (t *readTx) head() (h head, err error) {
	err = t.one("SELECT number, head, at FROM facts ORDER BY number DESC LIMIT 1", nil, &h.number, &h.hash, &h.at)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return h, err
}

// headOf returns the hash at a number; nil where there is no such fact.
func (t *readTx) headOf(number int64) (hash []byte, err error) {
	err = t.one("SELECT head FROM facts WHERE number = ?", []any{number}, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return hash, err
}

// A factRow is a fact as it is stored.
type factRow struct {
	ledger.Fact
	entry, kind, body, login string
	digest, hash             []byte
	before                   []byte // the hash of the fact before
}

// isPurged reports whether only the place of the fact in the chain is left.
func (f *factRow) isPurged() bool { return f.entry == "" }

const selectFacts = "SELECT f.number, f.entry, f.at, f.kind, f.body, f.login, f.digest, f.head, f.until, f.times, f.checksum, p.head" +
	" FROM facts AS f LEFT JOIN facts AS p ON p.number = f.number - 1 "

// scanFact reads a row of selectFacts. The error is [errDamaged] where it is not what was written.
func scanFact(rows scanner) (*factRow, error) {
	var f factRow
	var at, until, times int64
	var sum []byte
	if err := rows.Scan(&f.Number, &f.entry, &at, &f.kind, &f.body, &f.login, &f.digest, &f.hash, &until, &times, &sum, &f.before); err != nil {
		return nil, err
	}
	sound := slices.Equal(f.hash, head{number: f.Number - 1, hash: f.before}.next(f.digest)) && (f.before != nil || f.Number == 1)
	if f.isPurged() && sound {
		return &f, nil
	}
	fact, err := ledger.RecordedFact(f.kind, []byte(f.body))
	if !sound || err != nil || !slices.Equal(f.digest, digestOf(f.entry, at, f.kind, f.body, f.login)) || !slices.Equal(sum, checksum(f.Number, until, times)) {
		return nil, unreadableFact(f.Number, f.entry)
	}
	fact.Number, fact.Of, fact.At, fact.Until, fact.Times, fact.Login = f.Number, ID(f.entry), fromNano(at), fromNano(until), int(times), f.login
	f.Fact = fact
	return &f, nil
}

// digestOf is a hash of what a fact says, which stays after a purge. The salt in its body keeps it from being guessed.
func digestOf(entry string, at int64, kind, body, login string) []byte {
	sum := sha256.New()
	for _, part := range []string{entry, string(binary.BigEndian.AppendUint64(nil, uint64(at))), kind, body, login} {
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		sum.Write([]byte(part))
	}
	return sum.Sum(nil)
}

// factsOf returns the facts about an entry, in their order.
func (t *readTx) factsOf(id ID) ([]ledger.Fact, error) {
	rows, err := collect(t, scanFact, selectFacts+"WHERE f.entry = ? AND f.entry <> '' ORDER BY f.number", string(id))
	all := make([]ledger.Fact, len(rows))
	for i, r := range rows {
		all[i] = r.Fact
	}
	return all, err
}

// addFact adds a fact to the chain, or extends the one that it only states again.
func (t *writeTx) addFact(f ledger.Fact) error {
	if f.IsAnswer() {
		so, err := t.factsOf(f.Of)
		if err != nil {
			return err
		}
		if was, again := f.Repeats(so); again {
			until, times := unixNano(f.At), int64(was.Times+1)
			return t.exec("UPDATE facts SET until = ?, times = ?, checksum = ? WHERE number = ?", until, times, checksum(was.Number, until, times), was.Number)
		}
	}
	if err := t.holdChain(); err != nil {
		return err
	}
	h, err := t.head()
	if err == nil {
		_, err = t.insertFact(f, h)
	}
	return err
}

// insertFact writes a fact behind a head, and returns the next one.
func (t *writeTx) insertFact(f ledger.Fact, h head) (head, error) {
	kind, body, err := f.Record()
	if err != nil {
		return h, err
	}
	at := unixNano(f.At)
	digest := digestOf(string(f.Of), at, kind, string(body), f.Login)
	h = head{number: h.number + 1, hash: h.next(digest), at: at}
	return h, t.exec("INSERT INTO facts (number, entry, at, kind, body, login, digest, head, until, times, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		h.number, string(f.Of), at, kind, string(body), f.Login, digest, h.hash, at, int64(1), checksum(h.number, at, int64(1)))
}

// holdChain keeps other consoles from adding facts until the transaction ends. A file is locked as a whole.
func (t *writeTx) holdChain() error {
	if t.dialect == ofSQLite {
		return nil
	}
	return t.exec("SELECT pg_advisory_xact_lock(hashtextextended('paydesk facts ' || current_schema(), 0))")
}
