package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/api/statefile"
	"paydesk/api/timely"
)

// VerifyInBackground makes every journal be verified in the background, as a large one is.
func VerifyInBackground() (restore func()) {
	was := smallFile
	smallFile = 0
	return func() { smallFile = was }
}

// RecordStatus records a status, in an answer that states nothing else.
func (j *Journal) RecordStatus(ctx context.Context, d ledger.Destination, ref api.Reference, s api.Status) error {
	return j.Happened(ctx, d, ref, ledger.Checked{PaymentStatus: api.PaymentStatus{Reference: ref, Status: s}})
}

// StoreStatusText stores a status text as it is, as a console does that knows fewer forms of card numbers.
func (j *Journal) StoreStatusText(ctx context.Context, id ledger.ID, text string) error {
	return j.write(ctx, "", func(t *writeTx) error {
		kind, body, err := t.console().Fact(id, ledger.Checked{PaymentStatus: api.PaymentStatus{Status: api.Status{Text: api.Clean("WORD")}}}).Record()
		if err != nil {
			return err
		}
		h, err := t.head()
		if err == nil {
			_, err = t.insertRow(factRow{
				entry: string(id), at: unixNano(t.now), kind: kind, body: strings.Replace(string(body), `"WORD"`, `"`+text+`"`, 1), times: 1,
			}, h)
		}
		return err
	})
}

// Break makes every use of the journal fail, until it is mended with nil.
func (j *Journal) Break(err error) {
	if j.blocked.Store(nil); err != nil {
		j.blocked.Store(unavailable(j.path, err))
	}
}

// ForgetKey makes a journal be as in a folder that can only be read, where its key is not loaded.
func (j *Journal) ForgetKey() { j.key.Store(nil) }

func (j *Journal) WaitForIntegrityCheck() {
	if j.file.integrity != nil {
		<-j.file.integrity.done
	}
}

// Look does what a console does once a second that follows its journal.
func (j *Journal) Look(ctx context.Context) error {
	if j.file == nil {
		return nil
	}
	return j.file.lookForLoss(ctx)
}

// Impatient waits for the lock of another program for a moment only.
func (j *Journal) Impatient() error {
	_, err := j.file.db.Exec("PRAGMA busy_timeout = 10")
	return err
}

// NewOnNetwork returns a journal that takes its disk for a network disk.
func NewOnNetwork(o Options) *Journal {
	j := New(o)
	j.file.isLocal = func(string) bool { return false }
	return j
}

// Fill creates a journal of n attempts, in few transactions.
func Fill(dir string, n int, now time.Time) error {
	ctx := context.Background()
	c := now
	j := New(Options{Dir: dir, Now: func() time.Time { return c }, Retention: 1000 * 24 * time.Hour})
	defer j.Close()
	step := 400 * 24 * time.Hour / time.Duration(n)
	for i := 0; i < n; i += 10000 {
		err := j.write(ctx, "", func(t *writeTx) error {
			attempts, err := t.tx.(*sql.Tx).PrepareContext(ctx, saveEntry())
			if err != nil {
				return err
			}
			defer attempts.Close()
			h, err := t.head()
			if err != nil {
				return err
			}
			for k := i; k < min(i+10000, n); k++ {
				if h, err = t.fill(attempts, h, k, now.Add(-time.Duration(n-k)*step)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fill writes the k-th attempt in its final state: every hundredth a link, every twentieth
// refused, ten unresolved, twenty under way.
func (t *writeTx) fill(attempts *sql.Stmt, h head, k int, at time.Time) (head, error) {
	codes := []string{"GBP", "NGN", "USD"}
	currency, _ := money.ParseCurrency(codes[k%3])
	a := ledger.Attempt{
		ID: newID(), Kind: ledger.Initiate, At: at, By: ledger.Operator{User: []string{"ada", "ben", "chi", "dan"}[k%4], Host: "till", SSH: "192.0.2.7"},
		Destination: ledger.Destination{Profile: "shop", Environment: "TEST", Host: "pay.example.com"}, Amount: money.Amount{Minor: int64(k%500 + 100), Currency: currency},
		Channel: api.ChannelCard, Card: fmt.Sprintf("%04d", k%10000), Link: api.Alias(fmt.Sprint("alias-", k%100000/100*100)), Outcome: ledger.Sent,
	}
	if k%100 == 0 {
		a.Kind, a.Channel, a.Card, a.Link = ledger.CreateLink, "", "", ""
	}
	status := "SUCCESSFUL"
	if k%5000 == 2 {
		status = "PENDING"
	}
	result := ledger.Result{Outcome: ledger.Accepted}
	ref := api.Reference(fmt.Sprint("REF", k))
	var checked []ledger.Happening
	switch {
	case k%100 == 0:
		result.Link = &api.Link{Alias: api.Alias(fmt.Sprint("alias-", k)), Name: api.Clean(fmt.Sprint("Links ", k))}
	case k%10000 == 1:
		result = ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was cut short"}
	case k%20 == 1:
		result = ledger.Result{Outcome: ledger.Refused, Why: "insufficient funds"}
	default:
		result.Payment = &api.Payment{Reference: ref, Status: api.ParseClaim("PENDING")}
		checked = append(checked, ledger.Checked{PaymentStatus: api.PaymentStatus{Reference: ref, Status: api.ParseStatus(status), Amount: a.Amount, HasAmount: true}})
	}
	sent := ledger.Entry{Attempt: a, Sender: ledger.Process{Machine: "elsewhere", PID: 1, Started: 1}}
	c := ledger.Console{Now: at, Operator: a.By}
	var facts []ledger.Fact
	var r ledger.Entry
	for _, what := range append([]ledger.Happening{ledger.Sending(sent), ledger.Answered{Result: result, Source: ledger.FromConsole}}, checked...) {
		f, err := c.Fact(a.ID, what).AsKept()
		if err != nil {
			return h, err
		}
		facts, c.Now = append(facts, f), at.Add(time.Second)
		r, _ = ledger.Fold(facts)
		if h, err = t.insertFact(f, r, h); err != nil {
			return h, err
		}
	}
	own, body := values(r)
	done, err := attempts.Exec(own...)
	if err != nil {
		return h, err
	}
	n, err := done.LastInsertId()
	if err == nil {
		err = t.exec("INSERT INTO bodies (n, body) VALUES (?, ?)", n, body)
	}
	return h, err
}

// Links returns all links created at a destination.
func (j *Journal) Links(ctx context.Context, d ledger.Destination) (all []LinkRecord, err error) {
	for p := (Page[LinkRecord]{}); err == nil && !p.Complete; all = p.Rows {
		p, err = j.FindLinks(ctx, d, query.Query{}, p.Search, 0, 1<<20)
	}
	return slices.DeleteFunc(all, func(l LinkRecord) bool { return l.CreatedLink == nil }), err
}

// SearchInNarrowStrips makes each strip of a search have few rows.
func SearchInNarrowStrips() (restore func()) {
	first, most := narrow, widest
	narrow, widest = 2, 5
	return func() { narrow, widest = first, most }
}

// VerifyDerived checks that the indexes have what the rows have.
func (j *Journal) VerifyDerived(ctx context.Context) error {
	if j.file == nil || j.file.db == nil {
		return nil
	}
	return statefile.CheckStructure(ctx, j.file.db, "integrity_check")
}

// An explainer records the plan of each query.
type explainer struct {
	*sql.DB
	plans map[string][]string
}

func (e explainer) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	err := statefile.ForEach(ctx, e.DB, func(rows *sql.Rows) error {
		var a, b, c int
		var line string
		err := rows.Scan(&a, &b, &c, &line)
		e.plans[query] = append(e.plans[query], line)
		return err
	}, "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		return nil, err
	}
	return e.DB.QueryContext(ctx, query, args...)
}

// Plans returns the plans of what is asked at a destination.
func (j *Journal) Plans(ctx context.Context, d ledger.Destination) (map[string][]string, error) {
	e := explainer{j.file.db, map[string][]string{}}
	t := &readTx{ctx: ctx, j: j, q: e, now: j.opts.Now()}
	_, err1 := t.unfinished(d)
	_, err2 := (&writeTx{readTx: t}).about(d.Environment, "x")
	_, err7 := t.linkRecords(d, []ledger.Entry{{Attempt: ledger.Attempt{Link: "x"}}})
	links, err8 := t.linkQuest(d, query.Query{})
	err8 = errors.Join(err8, t.searchStrip(links, &Search{}, narrow), t.searchStrip(links, &Search{part: 1}, narrow), t.searchStrip(links, &Search{part: 2}, narrow))
	_, err3 := t.ofPayments(d, "REF99003", "REF99004")
	gbp, _ := money.ParseCurrency("GBP")
	alike := ledger.Entry{Attempt: ledger.Attempt{Kind: ledger.Initiate, Destination: d, Amount: money.Amount{Minor: 150, Currency: gbp}}}
	_, err4 := (&writeTx{readTx: t}).alike(alike)
	_, _, err5 := t.orphans()
	_, err6 := t.cardLike(d)
	err9 := t.searchStrip(paymentQuest(d), &Search{}, narrow)
	return e.plans, errors.Join(err1, err2, err3, err4, err5, err6, err7, err8, err9)
}

// FullCheck checks all of the file of a folder.
func FullCheck(ctx context.Context, dir string) error {
	db := statefile.Open(dsn(New(Options{Dir: dir}).path, "ro"))
	defer db.Close()
	return verifyAll(ctx, db)
}

// As makes another person the operator.
func (j *Journal) As(user string) { j.opts.Operator = ledger.Operator{User: user} }

// noon is when the attempts of these tests were made.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// It takes seconds: the journal has more attempts than are read at a time, and others are written while they are read.
func TestEveryRowIsThereOnceWhateverIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "paydesk")
	const rows = 2*attemptsAtOnce + 7
	noError(t, Fill(dir, rows, noon))
	j := New(Options{Dir: dir, Now: func() time.Time { return noon }, Retention: 1000 * 24 * time.Hour})
	defer j.Close()
	var got []ledger.Attempt
	for a, err := range j.Each(t.Context(), Filter{}) {
		noError(t, err)
		if got = append(got, a); len(got)%100 == 0 { // other consoles continue
			sent := ledger.Attempt{Kind: ledger.CreateLink, Destination: a.Destination, Amount: a.Amount}
			sent.Amount.Minor, sent.Draft.Name = int64(len(got)), a.ID.Short()
			if _, err := j.Begin(t.Context(), sent, ledger.Payer{}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	ids := map[ledger.ID]bool{}
	for _, a := range got {
		ids[a.ID] = true
	}
	if len(got) != rows || len(ids) != rows || !slices.IsSortedFunc(got, func(a, b ledger.Attempt) int { return b.At.Compare(a.At) }) {
		t.Errorf("%d rows, %d of them once, want %d in order", len(got), len(ids), rows)
	}
}

// The number of a process means nothing on another machine.
func TestAProcessOfAnotherMachineIsNotTakenForEnded(t *testing.T) {
	if (senders{ledger.Process{Machine: "here"}}).HasEnded(ledger.Process{Machine: "elsewhere", PID: 1 << 30}) {
		t.Error("there is none of this number here")
	}
}

var noError = timely.Must
