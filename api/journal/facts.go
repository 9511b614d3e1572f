package journal

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

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

// head returns the head of the last fact; the zero head of a journal without facts.
func (t *readTx) head() (h head, err error) {
	return t.headWhere("TRUE ORDER BY number DESC LIMIT 1")
}

func (t *readTx) headWhere(where string, args ...any) (h head, err error) {
	err = t.one("SELECT number, head, at FROM facts WHERE "+where, args, &h.number, &h.hash, &h.at)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return h, err
}

// headOf returns the hash at a number; nil where there is no such fact.
func (t *readTx) headOf(number int64) (hash []byte, err error) {
	h, err := t.headWhere("number = ?", number)
	return h.hash, err
}

// A factRow is a fact as it is stored.
type factRow struct {
	ledger.Fact
	entry, kind, body, login, alike, about, open string
	at, until, times                             int64
	digest, hash, sum                            []byte
	before                                       []byte // the hash of the fact before
}

const (
	factColumns = "number, entry, at, kind, body, login, alike, about, open, digest, head, until, times, checksum"
	selectFacts = "SELECT f.number, f.entry, f.at, f.kind, f.body, f.login, f.alike, f.about, f.open, f.digest, f.head, f.until, f.times, f.checksum, p.head" +
		" FROM facts AS f LEFT JOIN facts AS p ON p.number = f.number - 1 "
)

// scanFact reads a row of selectFacts. The error is [errDamaged] where it is not what was written.
func scanFact(rows scanner) (*factRow, error) {
	var f factRow
	var number int64
	err := rows.Scan(&number, &f.entry, &f.at, &f.kind, &f.body, &f.login, &f.alike, &f.about, &f.open, &f.digest, &f.hash, &f.until, &f.times, &f.sum, &f.before)
	if err != nil {
		return nil, err
	}
	f.Number = number
	sound := (f.before != nil || number == 1) && slices.Equal(f.hash, head{number: number - 1, hash: f.before}.next(f.digest)) &&
		slices.Equal(f.sum, f.checksum())
	if f.isPurged() && sound {
		return &f, nil
	}
	fact, err := ledger.RecordedFact(f.kind, []byte(f.body))
	if !sound || err != nil || !slices.Equal(f.digest, f.digestOf()) {
		return nil, unreadableFact(number, f.entry)
	}
	fact.Number, fact.Of, fact.At, fact.By.Login = number, ledger.ID(f.entry), fromNano(f.at), f.login
	fact.Until, fact.Times, fact.Open = fromNano(f.until), int(f.times), f.opens()
	f.Fact = fact
	return &f, nil
}

// isPurged reports whether only the place of the fact in the chain is left, and what the next attempt like it is told.
func (f *factRow) isPurged() bool { return f.entry == "" }

func (f *factRow) opens() (all []ledger.ID) {
	for id := range strings.FieldsSeq(f.open) {
		all = append(all, ledger.ID(id))
	}
	return all
}

// digestOf is a hash of what a fact says, which stays after a purge. The salt in its body keeps it from being guessed.
func (f *factRow) digestOf() []byte {
	sum := sha256.New()
	for _, part := range []string{f.entry, string(binary.BigEndian.AppendUint64(nil, uint64(f.at))), f.kind, f.body, f.login, f.alike, f.about, f.open} {
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		sum.Write([]byte(part))
	}
	return sum.Sum(nil)
}

func (f *factRow) checksum() []byte { return checksum(f.Number, f.alike, f.open, f.until, f.times) }

// addFact adds a fact about an entry to the chain, or extends the one that it only states again.
func (t *writeTx) addFact(f ledger.Fact, of ledger.Entry) error {
	if f.IsAnswer() {
		so, err := t.factsOf(f.Of)
		if err != nil {
			return err
		}
		if was, again := f.Repeats(so[f.Of]); again {
			return t.extendFact(was.Number, f.At)
		}
	}
	if err := t.holdChain(); err != nil {
		return err
	}
	h, err := t.head()
	if err == nil {
		t.last, err = t.insertFact(f, of, h)
	}
	return err
}

// extendFact notes that an answer was given again.
func (t *writeTx) extendFact(number int64, at time.Time) error {
	f, err := first(collect(t.readTx, scanFact, selectFacts+"WHERE f.number = ?", number))
	if err != nil {
		return err
	}
	f.until, f.times = unixNano(at), f.times+1
	return t.exec("UPDATE facts SET until = ?, times = ?, checksum = ? WHERE number = ?", f.until, f.times, f.checksum(), number)
}

// insertFact writes a fact about an entry behind a head, and returns the next one.
func (t *writeTx) insertFact(fact ledger.Fact, of ledger.Entry, h head) (head, error) {
	kind, body, err := fact.Record()
	if err != nil {
		return h, err
	}
	f := factRow{
		entry: string(fact.Of), at: unixNano(fact.At), kind: kind, body: string(body), login: fact.By.Login,
		alike: t.alikeKey(of), about: t.aboutKey(of.Environment, of.Name()), times: 1, until: unixNano(fact.At),
	}
	for _, id := range fact.Open {
		f.open += string(id) + " "
	}
	return t.insertRow(f, h)
}

func (t *writeTx) insertRow(f factRow, h head) (head, error) {
	f.digest = f.digestOf()
	f.Number, f.hash = h.number+1, h.next(f.digest)
	return head{number: f.Number, hash: f.hash, at: f.at}, t.exec("INSERT INTO facts ("+factColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		f.Number, f.entry, f.at, f.kind, f.body, f.login, f.alike, f.about, f.open, f.digest, f.hash, f.until, f.times, f.checksum())
}

// ChainLock is the number of the advisory lock that is held while facts are added, in SQL.
const ChainLock = "hashtextextended('paydesk facts ' || current_schema(), 0)"

// holdChain keeps other consoles from adding facts until the transaction ends. A file is locked as a whole.
func (t *writeTx) holdChain() error {
	if !t.shared {
		return nil
	}
	return t.exec("SELECT pg_advisory_xact_lock(" + ChainLock + ")")
}
