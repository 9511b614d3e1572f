package journal

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/statefile"
)

// The outcomes that a shared database could not be given are kept beside where the journal of a single user is: a file
// of one outcome each, which any console of this user writes as soon as it can. A file has what a row of the journal
// has, and as little that is secret.
const spoolName = "outcomes"

func (j *Journal) spoolPath(id ID) string {
	return filepath.Join(j.opts.Dir, spoolName, string(id)+".json")
}

// A spooled is an outcome in its file: the columns of the attempt that it changes, and their checksum.
type spooled struct {
	Columns  map[string]any `json:"columns"`
	Refused  string         `json:"url_refused,omitempty"` // [api.Payment.BankAuthRefused]
	Checksum string         `json:"checksum"`
}

// spool writes an outcome to its file. What cannot be written stays in memory.
func (j *Journal) spool(p pendingOutcome) {
	if j.shared == nil || j.opts.Dir == "" {
		return
	}
	r, refused := p.row()
	s := spooled{Columns: map[string]any{}, Refused: refused}
	for _, c := range r.columns() {
		s.Columns[c.name] = stored(c.at)
	}
	s.Checksum = s.sum(r)
	text, err := json.Marshal(s)
	if err != nil {
		return
	}
	dir := filepath.Join(j.opts.Dir, spoolName)
	if statefile.MakeDir(dir) != nil {
		return
	}
	_ = statefile.WriteFile(j.spoolPath(p.id), append(text, '\n'))
}

// sum is the checksum of the columns, in the order of the table, and of why a URL was refused.
func (s *spooled) sum(r *row) string {
	var all []any
	for _, c := range r.columns() {
		all = append(all, s.Columns[c.name])
	}
	return hex.EncodeToString(checksum(append(all, s.Refused)...))
}

// readSpool returns the outcomes that wait in files. A file that is not what was written is left where it is.
func (j *Journal) readSpool() (all []pendingOutcome) {
	if j.opts.Dir == "" {
		return nil
	}
	names, _ := filepath.Glob(j.spoolPath("*"))
	for _, name := range names {
		if p, err := readSpooled(name); err == nil {
			all = append(all, p)
		}
	}
	return all
}

func readSpooled(name string) (p pendingOutcome, err error) {
	if err := statefile.CheckMode(name, 0o600); err != nil {
		return p, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return p, err
	}
	var s spooled
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if err := in.Decode(&s); err != nil {
		return p, err
	}
	for name, v := range s.Columns {
		if n, is := v.(json.Number); is {
			if s.Columns[name], err = n.Int64(); err != nil {
				return p, err
			}
		}
	}
	r := blankRow()
	if s.sum(r) != s.Checksum {
		return p, errDamaged
	}
	for _, c := range r.columns() {
		load(c.at, s.Columns[c.name])
	}
	if r.CreatedLink != nil {
		r.CreatedLink.Alias = r.Link
	}
	return r.pending(s.Refused), nil
}

// removeSpooled removes the files of outcomes that were written.
func (j *Journal) removeSpooled(done []pendingOutcome) {
	if j.opts.Dir == "" {
		return
	}
	for _, p := range done {
		_ = os.Remove(j.spoolPath(p.id))
	}
}

// row is an attempt with nothing but an outcome, and why a URL in it was refused.
func (p pendingOutcome) row() (r *row, refused string) {
	r = &row{Attempt: Attempt{ID: p.id, Outcome: p.result.Outcome, AnsweredAt: p.at, Why: sanitize(p.result.Why), Named: sanitize(p.result.Named)}}
	if l := p.result.Link; l != nil {
		r.Link, r.CreatedLink = l.Alias, l
	}
	if paid := p.result.Payment; paid != nil {
		r.Kind, r.Amount.Currency = Initiate, paid.Fees.Currency
		r.setPayment(paid, p.at)
		r.setStatus(paid.Status, p.at)
		refused = sanitizeText(paid.BankAuthRefused)
	}
	return r, refused
}

// pending is the outcome that a row was made of.
func (r *row) pending(refused string) pendingOutcome {
	p := pendingOutcome{id: r.ID, at: r.AnsweredAt, result: Result{Outcome: r.Outcome, Why: r.Why, Named: r.Named, Link: r.CreatedLink}}
	if r.Kind == Initiate {
		beside := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: r.Amount.Currency} }
		p.result.Payment = &api.Payment{
			Reference: r.Reference, Status: r.Status, BankAuth: r.BankAuth, BankAuthRefused: api.Clean(refused),
			Transfer: r.Account, Fees: beside(r.Fees), Total: beside(r.Total), Difference: r.Mismatch.Difference,
		}
	}
	return p
}
