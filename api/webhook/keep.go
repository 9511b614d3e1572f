package webhook

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/statefile"
)

// Bounds of what waits and of what is kept of one event.
const (
	maxQueued   = 1024 // deliveries that wait to be stored
	maxBatch    = 256  // deliveries in one transaction
	maxArrivals = 1000 // stored of one event; their number goes on
	maxForwards = 20
)

// A delivery waits to be stored.
type delivery struct {
	profile, header, body string
	masked                bool
	digest                [sha256.Size]byte // by which the body is known again
	at                    time.Time
	claims                api.WebhookEvent
	number                int64
	done                  chan error // has room for one
}

// A queue has the deliveries that wait. While there are any, one goroutine stores them: all that came while the last
// were written, in one transaction, as each waits for the disk.
type queue struct {
	waiting chan *delivery
	turn    chan struct{} // holds a token while one stores
	many    time.Time     // when several were last written together; of whoever has the turn

	idle   sync.WaitGroup // counts before a delivery waits, so that whoever closes the file sees it
	mu     sync.Mutex     // held to add to idle, which nothing does once it is closed
	closed bool
}

// admit counts a delivery that is about to wait. Once the file is being closed, its error says so.
func (q *queue) admit() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return fs.ErrClosed
	}
	q.idle.Add(1)
	return nil
}

// close admits no more deliveries, and returns when those that wait are stored.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.idle.Wait()
}

// While several senders do not wait for each other, their deliveries are gathered for a moment: each transaction waits for the
// disk, and so does the journal, which must not wait for webhooks.
const (
	closely = 200 * time.Millisecond
	moment  = 20 * time.Millisecond
)

// Keep stores a delivery, and returns its number when it is durable. What looks like a card number or a key is masked
// before.
func (s *Store) Keep(ctx context.Context, profile string, h http.Header, body []byte) (number int64, err error) {
	defer func() {
		if before := s.trouble.Swap(&err); (err != nil) != (before != nil && *before != nil) {
			s.changes.touch()
		}
	}()
	d := &delivery{profile: profile, at: s.opts.Now(), done: make(chan error, 1)}
	if err := s.examine(ctx, d, h, string(body)); err != nil {
		return 0, s.unavailable(err)
	}
	if err := s.queue.admit(); err != nil {
		return 0, s.unavailable(err)
	}
	select {
	case s.queue.waiting <- d:
		go s.storeWaiting()
	default:
		s.queue.idle.Done()
		return 0, s.unavailable(errBusy)
	}
	select {
	case err := <-d.done:
		return d.number, err
	case <-ctx.Done():
		return 0, s.unavailable(ctx.Err())
	}
}

// heavyBody is the size from which bodies are examined one after the other. To look for encoded card numbers in a long one
// takes up to a second, which must not hold up the others.
const heavyBody = 8 << 10

// examine masks what must not be stored, and reads what the event claims.
func (s *Store) examine(ctx context.Context, d *delivery, h http.Header, body string) error {
	if len(body) > heavyBody {
		select {
		case s.heavy <- struct{}{}:
			defer func() { <-s.heavy }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	k, _ := s.keys.Load(d.profile)
	key, _ := k.(api.Secret)
	if d.body = api.MaskSecrets(body, key); d.body == body {
		d.digest = sha256.Sum256([]byte(body))
	} else { // others differ in what is masked alone
		d.digest = sha256.Sum256([]byte(s.salt + body))
	}
	d.claims = api.ParseEvent([]byte(d.body))
	header, masked := storedHeader(h, key)
	d.header, d.masked = header, masked || d.body != body
	return nil
}

// storeWaiting stores what waits, unless another has the turn, who looks again after giving it back: no delivery is forgotten.
func (s *Store) storeWaiting() {
	q := &s.queue
	defer q.idle.Done()
	for len(q.waiting) > 0 {
		select {
		case q.turn <- struct{}{}:
		default:
			return
		}
		s.storeBatch()
		<-q.turn
	}
}

// storeBatch stores what waits in one transaction. Its context is its own, since a batch has several senders.
func (s *Store) storeBatch() {
	q := &s.queue
	if time.Since(q.many) < closely {
		time.Sleep(moment)
	}
	var batch []*delivery
	for len(q.waiting) > 0 && len(batch) < maxBatch {
		batch = append(batch, <-q.waiting)
	}
	if len(batch) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := s.write(ctx, durable, func(tx *sql.Tx) error { return s.store(ctx, tx, batch) })
	if len(batch) > 1 && s.path != "" {
		q.many = time.Now()
	}
	for _, d := range batch {
		d.done <- err
	}
}

func (s *Store) store(ctx context.Context, tx *sql.Tx, batch []*delivery) error {
	if err := s.checkRoom(); err != nil {
		return err
	}
	for _, d := range batch {
		if err := storeOne(ctx, tx, d); err != nil {
			return err
		}
	}
	return s.fit(ctx, tx, batch[0].number)
}

const (
	storeEvent = `
		INSERT INTO events (profile, digest, body, header, masked, first, last, delivery, deliveries, verdict, early, name, reference, status, minor, currency)
		VALUES (?, ?, ?, ?, ?, ?, ?, coalesce((SELECT seq + 1 FROM sqlite_sequence WHERE name = 'deliveries'), 1), 1, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (profile, digest) DO UPDATE SET last = excluded.last, delivery = excluded.delivery, deliveries = deliveries + 1,
			masked = masked OR excluded.masked
		RETURNING id, delivery, deliveries`
	storeDelivery = `
		INSERT INTO deliveries (n, event, profile, at, header)
		VALUES (?1, ?2, ?3, ?4, (SELECT nullif(?5, header) FROM events WHERE id = ?2))`
)

// storeOne stores a delivery of a new event, or another one of an event that is stored, and has its payment asked about. A final
// answer that is there already is the verdict of a new one.
func storeOne(ctx context.Context, tx *sql.Tx, d *delivery) error {
	at := d.at.UnixMilli()
	var event, deliveries int64
	e := d.claims
	a, err := scanAnswer(tx.QueryRowContext(ctx, selectAnswer, d.profile, string(e.Reference)))
	if err != nil {
		return err
	}
	if !a.Status.State.Final() {
		a = Answer{}
	}
	verdict, differs := Judge(e, a)
	minor, code := storedAmount(e.Amount.Readable(), e.Amount.Amount)
	err = tx.QueryRowContext(ctx, storeEvent, d.profile, d.digest[:], []byte(d.body), d.header, d.masked, at, at, string(verdict), isEarly(e, verdict, differs),
		e.Name.Line(0), string(e.Reference), e.Says.String(), minor, code).Scan(&event, &d.number, &deliveries)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, storeDelivery, d.number, event, d.profile, at, d.header); err != nil {
		return err
	}
	if deliveries%maxArrivals == 0 { // so that an event that is sent again and again does not fill the file
		_, err := tx.ExecContext(ctx, "DELETE FROM deliveries WHERE event = ?1 AND n <= (SELECT n FROM deliveries WHERE event = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)",
			event, maxArrivals)
		if err != nil {
			return err
		}
	}
	if !e.Understood() {
		return nil
	}
	_, err = tx.ExecContext(ctx, askAboutPayment, d.profile, string(e.Reference), at, spacing.Milliseconds())
	return err
}

// hidden stands in the place of a credential in a header.
const hidden = "[hidden]"

// credentials holds parts of the names of headers whose values grant access or are a card's code, or may contain one.
var credentials = []string{
	"auth", "cookie", "token", "secret", "key", "pass", "pwd", "credential", "jwt", "session", "x-api", "referer",
	"cvv", "cvc", "cvn", "csc", "security-code",
}

// isCredential reports whether a header has to stay secret.
func isCredential(name string) bool {
	if api.NamesCardCode(name) { // its "pin" cannot be looked for as a part: "shipping" has it
		return true
	}
	name = strings.ToLower(name)
	return name != "idempotency-key" && slices.ContainsFunc(credentials, func(part string) bool { return strings.Contains(name, part) })
}

// storedHeader is a header as it is stored, in JSON, without credentials. masked reports that
// what looks like a card number or a key was masked in another value.
func storedHeader(h http.Header, key api.Secret) (stored string, masked bool) {
	kept := make(http.Header, len(h))
	for name, values := range h {
		of := api.MaskSecrets(name, key)
		masked = masked || of != name
		if isCredential(name) {
			kept[of] = append(kept[of], hidden)
			continue
		}
		if all := strings.Join(values, " "); len(values) > 1 && api.MaskSecrets(all, key) != all { // one over several lines
			kept[of], masked = append(kept[of], hidden), true
			continue
		}
		for _, v := range values {
			clean := api.MaskSecrets(v, key)
			masked = masked || clean != v
			kept[of] = append(kept[of], clean)
		}
	}
	b, _ := json.Marshal(kept) // a header cannot fail
	return string(b), masked
}

// dropAtOnce is the part of the events that is dropped when the file is full: one in so many, so that a full file is
// not searched for each delivery.
const dropAtOnce = 50

// fit keeps the file below its limit. The oldest events are dropped: first those that were not understood or belong to
// payments unknown here, since a stranger can make them up, then the others.
// The events that the transaction itself stored, those of delivery from and later, stay.
func (s *Store) fit(ctx context.Context, tx *sql.Tx, from int64) error {
	for {
		size, err := statefile.Used(ctx, tx)
		if err != nil || size <= s.opts.Limit {
			return err
		}
		if left, err := s.drop(ctx, tx, from); err != nil || !left {
			return err
		}
	}
}

// unclassifiedFor sets how long an event counts as one of a known payment before it was looked up.
const unclassifiedFor = 10 * time.Minute

// reserve sets how much of the disk, in bytes, is left to the journal, which is beside the file: an event is not worth a payment
// that cannot be recorded.
const reserve = 16 * statefile.MB

// checkRoom rejects events when the disk is nearly full.
func (s *Store) checkRoom() error {
	if s.path == "" {
		return nil
	}
	if free, known := statefile.Free(s.opts.Dir); known && free < s.reserve {
		return errNoRoom
	}
	return nil
}

// drop deletes some events with all that refers to them. It reports whether there were any.
func (s *Store) drop(ctx context.Context, tx *sql.Tx, from int64) (left bool, err error) {
	var n int64
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM events WHERE delivery < ?", from).Scan(&n); err != nil || n == 0 {
		return false, err
	}
	fresh := s.opts.Now().Add(-unclassifiedFor).UnixMilli()
	for _, statement := range [...]string{
		"CREATE TEMP TABLE IF NOT EXISTS dropping (id INTEGER PRIMARY KEY)",
		"DELETE FROM dropping",
		`INSERT INTO dropping SELECT id FROM events LEFT JOIN payments USING (profile, reference)
			WHERE delivery < ` + strconv.FormatInt(from, 10) + ` ORDER BY known IS 1 OR known IS NULL AND reference <> '' AND last > ` + strconv.FormatInt(fresh, 10) + `, last, id
			LIMIT max(1, (SELECT count(*) FROM events) / ` + strconv.Itoa(dropAtOnce) + `)`,
		`INSERT INTO profiles (profile, dropped) SELECT profile, sum(deliveries) FROM events WHERE id IN (SELECT id FROM dropping) GROUP BY profile
			ON CONFLICT (profile) DO UPDATE SET dropped = dropped + excluded.dropped`,
		"DELETE FROM deliveries WHERE event IN (SELECT id FROM dropping)",
		"DELETE FROM forwards WHERE event IN (SELECT id FROM dropping)",
		"DELETE FROM events WHERE id IN (SELECT id FROM dropping)",
		"DELETE FROM payments WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.profile = payments.profile AND events.reference = payments.reference)",
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return false, err
		}
	}
	return true, nil
}
