package journal_test

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	gocmp "github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// sample returns the bytes of a journal with every kind of row, and its attempts.
func sample(t testing.TB) (bytes []byte, all []ledger.Attempt) {
	t.Helper()
	c := newClock()
	dir := newDir(t)
	j := mustOpen(t, dir, c)
	for n := range int64(40) {
		a := mustBegin(t, j, initiation(t, 1000+n))
		c.advance(time.Second)
		switch n % 4 {
		case 0:
			mustEnd(t, j, a.ID, accepted(fmt.Sprint("REF-", n), "PENDING"))
			noError(t, j.RecordStatus(t.Context(), shop, api.Reference(fmt.Sprint("REF-", n)), api.ParseStatus("SUCCESSFUL")))
		case 1:
			mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Refused, Why: "insufficient funds"})
		case 2:
			mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was cut short"})
		}
	}
	all, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 1000)
	noError(t, err)
	noError(t, j.Close())
	bytes, err = os.ReadFile(filepath.Join(dir, "journal.db"))
	noError(t, err)
	return bytes, all
}

// openDamaged opens a journal of bytes and reports whether it noticed the damage; if it did
// not, all attempts must be unchanged.
func openDamaged(t testing.TB, bytes []byte, all []ledger.Attempt) (reported bool) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	noError(t, err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "journal.db")
	noError(t, os.WriteFile(path, bytes, 0o600))
	c := newClock()
	c.advance(40 * time.Second)
	j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now})
	defer func() { j.Close() }()
	if aside := damagedBackup(j); aside != "" {
		kept, err := os.ReadFile(aside)
		if err != nil || string(kept) != string(bytes) || aside != path+".damaged-20260301T090040Z" {
			t.Errorf("the damaged file was not kept as it was, with the time in its name: %s, %v", aside, err)
		}
	}
	if err != nil {
		if _, is := errors.AsType[*ledger.Unavailable](err); !is {
			t.Errorf("not an Unavailable: %v", err)
		}
		return true
	}
	got, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 1000)
	if err != nil {
		return true
	}
	if diff := gocmp.Diff(all, got, same); diff != "" {
		t.Errorf("the rows are not what was written, and this was not reported:\n%s", diff)
	}
	return false
}

func TestADamagedJournalIsSetAsideAndReportedOrTheDamageIsHarmless(t *testing.T) {
	needsFile(t)
	if testing.Short() {
		t.Skip("long and sequential: it finds no races")
	}
	t.Parallel()
	bytes, all := sample(t)
	offsets := repeats(6, 200)
	for n := range offsets {
		at := len(bytes) * n / offsets
		if !openDamaged(t, bytes[:at], all) {
			t.Errorf("truncated at %d of %d, and not reported", at, len(bytes))
		}
	}
	row := strings.Index(string(bytes), string(all[0].ID))
	reported, flips := 0, repeats(8, 1000)
	for n := range flips {
		bit := rand.IntN(len(bytes) * 8)
		if n == 0 { // most others are of pages that nothing was written to
			bit = row * 8
		}
		broken := append([]byte(nil), bytes...)
		broken[bit/8] ^= 1 << (bit % 8)
		if openDamaged(t, broken, all) {
			reported++
		}
		if t.Failed() {
			t.Fatalf("bit %d", bit)
		}
	}
	if reported == 0 {
		t.Error("no flip of any bit was noticed")
	}
	t.Logf("%d flips: %d reported, %d harmless, of %d bytes", flips, reported, flips-reported, len(bytes))
}

// A console was killed: what it left beside a damaged file is kept as it was found.
func TestADamagedJournalIsKeptWithItsLog(t *testing.T) {
	needsFile(t)
	j, left, dir := mustOpen(t, newDir(t), newClock()), map[string]string{}, newDir(t)
	mustBegin(t, j, initiation(t, 1000))
	for _, end := range []string{"", "-wal"} {
		bytes, err := os.ReadFile(j.Path() + end)
		noError(t, err)
		if end == "" {
			bytes = bytes[:len(bytes)/2]
		}
		left[end] = string(bytes)
		noError(t, errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "journal.db"+end), bytes, 0o600)))
	}
	damaged, _ := openJournal(t.Context(), journal.Options{Dir: dir})
	defer damaged.Close()
	for end, was := range left {
		if kept, err := os.ReadFile(damagedBackup(damaged) + end); string(kept) != was {
			t.Errorf("what was journal.db%s is kept with %d bytes of %d: %v", end, len(kept), len(was), err)
		}
	}
}

// A disk changes a bit of a file that was checked a short while ago, and neither its size nor its time: what is still
// open is not sent again, whichever table or index the bit is in.
func TestWhatRotsUnseenIsNotSentAgain(t *testing.T) {
	needsFile(t)
	if testing.Short() {
		t.Skip("long and sequential: it finds no races")
	}
	t.Parallel()
	c, dir := newClock(), newDir(t)
	j := mustOpen(t, dir, c)
	var first ledger.ID
	const rows = 6
	for n := range int64(rows) {
		a := mustBegin(t, j, initiation(t, 1000+n))
		mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was cut short"})
		first = cmp.Or(first, a.ID)
	}
	noError(t, j.Close())
	for range 2 { // which notes that it is sound
		noError(t, mustOpen(t, dir, c).Close())
	}
	whole := must(os.ReadFile(filepath.Join(dir, "journal.db")))
	about := must(os.Stat(filepath.Join(dir, "journal.db")))
	var bits []int // at the first attempt, wherever it is, and others
	for at, i := 0, 0; i >= 0; at += i + 1 {
		if i = strings.Index(string(whole[at:]), string(first)); i >= 0 {
			for before := range 4 { // what says where it begins, and how long it is
				bits = append(bits, (at+i-before)*8)
			}
		}
	}
	for range repeats(5, 1000) {
		bits = append(bits, rand.IntN(len(whole)*8))
	}
	used := 0
	for _, bit := range bits {
		path := filepath.Join(copyJournal(t, dir), "journal.db")
		broken := slices.Clone(whole)
		broken[bit/8] ^= 1 << (bit % 8)
		noError(t, errors.Join(os.WriteFile(path, broken, 0o600), os.Chtimes(path, time.Time{}, about.ModTime())))
		k, err := openJournal(t.Context(), journal.Options{Dir: filepath.Dir(path), Now: c.now})
		for n := range int64(rows) {
			if err != nil {
				break
			}
			if _, sent := k.Begin(t.Context(), initiation(t, 1000+n), ledger.Payer{}, nil); sent == nil {
				t.Errorf("byte %d of page %d: attempt %d is sent again", bit/8%4096, bit/8/4096, n)
			}
			used++
		}
		noError(t, k.Close())
	}
	t.Logf("%d bits, %d payments tried, none sent again", len(bits), used)
}

// A large journal is verified while it is in use.
func TestDamageFoundInTheBackgroundBlocksUntilTheNextStart(t *testing.T) {
	needsFile(t)
	defer journal.VerifyInBackground()()
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "SUCCESSFUL"))
	j.Close()
	head := filepath.Join(dir, "journal.head")
	reads := journal.New(journal.Options{Dir: dir, Now: c.now})
	mustAttempt(t, reads, a.ID)
	reads.WaitForIntegrityCheck()
	if text := must(os.ReadFile(head)); strings.Contains(string(text), "checked") {
		t.Errorf("a command that only reads checks all of the file: %s", text)
	}
	reads.Close()
	j = mustOpen(t, dir, c)
	j.WaitForIntegrityCheck()
	mustBegin(t, j, initiation(t, 1300)) // the file is sound
	j.Close()
	if text := must(os.ReadFile(head)); !strings.Contains(string(text), "checked") {
		t.Errorf("it is checked at each start: %s", text)
	}
	execSQL(t, j.Path(), "DROP INDEX facts_alike; UPDATE entries SET minor = 1 WHERE id = '"+string(a.ID)+"'")
	j = journal.New(journal.Options{Dir: dir, Now: c.now})
	defer j.Close()
	_ = j.Check(t.Context()) // the check may be over at once
	j.WaitForIntegrityCheck()
	_, err := j.Begin(t.Context(), initiation(t, 1400), ledger.Payer{}, nil)
	if why := unavailableText(t, err); !strings.Contains(why, "damaged") {
		t.Error(why)
	}
	if damagedBackup(j) != "" {
		t.Error("it was set aside while in use")
	}
	next := openAfterLoss(t, dir, c)
	if damagedBackup(next) == "" {
		t.Error("the next start did not set it aside")
	}
	mustBegin(t, next, initiation(t, 1400))
}

func TestDamageFoundWhileReadingBlocksUntilTheNextStart(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	a := mustBegin(t, j, initiation(t, 1250))
	execSQL(t, j.Path(), "UPDATE facts SET at = at + 1 WHERE entry = '"+string(a.ID)+"'")
	_, err := j.Attempt(t.Context(), a.ID)
	if _, is := errors.AsType[*ledger.Unavailable](err); !is || !strings.Contains(err.Error(), "damaged") {
		t.Fatalf("reading a changed fact: %v", err)
	}
	_, err = j.Begin(t.Context(), initiation(t, 1300), ledger.Payer{}, nil)
	if _, is := errors.AsType[*ledger.Unavailable](err); !is || !strings.Contains(err.Error(), "start again") {
		t.Fatalf("sending on: %v", err)
	}
	if next := openAfterLoss(t, dir, c); damagedBackup(next) == "" {
		t.Error("the next start did not set it aside")
	}
}

const (
	typedPAN   = "5555555555554444"
	typedEmail = "ada.lovelace@example.com"
	typedPhone = "+44 20 7946 0958"
)

// beginWithCardNumbers puts a card number into every text of an attempt, and ends it.
func beginWithCardNumbers(t *testing.T, j *journal.Journal) {
	t.Helper()
	dirty := "pay " + typedPAN + " now"
	text := api.Clean(dirty)
	page, err := api.ParseAddress("https://bank.example.com/?card=" + typedPAN)
	noError(t, err)
	who := ledger.Payer{Email: typedEmail, Phone: typedPhone}
	a, err := j.Begin(t.Context(), ledger.Attempt{
		Kind: ledger.Initiate, Destination: ledger.Destination{Profile: dirty, Environment: dirty, Host: dirty}, Amount: pounds(t, 1250),
		Channel: dirty, Link: typedPAN, Card: typedPAN, OwnReference: typedPAN, Reference: typedPAN, Why: dirty,
	}, who, nil)
	noError(t, err)
	place := ledger.Destination{Profile: dirty, Environment: dirty, Host: dirty}
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Accepted, Why: dirty, Payment: &api.Payment{
		Reference: "REF-1", Status: api.Status{Text: text}, BankAuth: page,
		Transfer: &api.Transfer{Note: text, Bank: text, AccountNumber: text, AccountName: text, Mode: text, Expiration: api.ParseTimestamp(dirty)},
	}})
	noError(t, j.RecordStatus(t.Context(), place, "REF-1", api.ParseStatus(dirty)))
	noError(t, j.RecordStatus(t.Context(), place, typedPAN, api.ParseStatus("PENDING")))
	link := mustBegin(t, j, ledger.Attempt{
		Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 1250), Draft: api.LinkDraft{Name: dirty, Description: dirty},
	})
	mustEnd(t, j, link.ID, ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{
		ID: text, Name: text, Description: text, Alias: "spring", Page: page, PageText: text, Type: text, Status: text,
		Created: api.ParseTimestamp(dirty), Environment: text,
		Differs: []api.LinkDifference{{Part: text, Asked: text, Answered: text}}, Lacks: []api.Text{text},
	}})
	finalize := mustBegin(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: typedPAN})
	mustEnd(t, j, finalize.ID, ledger.Result{Outcome: ledger.Unresolved, Why: dirty})
	lost := mustBegin(t, j, initiation(t, 1400))
	mustEnd(t, j, lost.ID, ledger.Result{Outcome: ledger.Unresolved, Why: dirty})
	for i, how := range []string{"base64", "hex"} {
		encoded := encodings(typedPAN)[how]
		again := mustBegin(t, j, initiation(t, int64(1500+i)))
		mustEnd(t, j, again.ID, ledger.Result{Outcome: ledger.Accepted, Why: encoded, Payment: &api.Payment{Reference: api.Reference("REF-" + how)}})
		noError(t, j.RecordStatus(t.Context(), shop, api.Reference("REF-"+how), api.Status{Text: api.Clean("X " + encoded)}))
	}
	err = j.Decide(t.Context(), mustAttempt(t, j, lost.ID), ledger.Deciding{Decision: ledger.Found, As: typedPAN})
	if why := unavailableText(t, err); !strings.Contains(why, "card number") || strings.Contains(why, "4444") {
		t.Error(why)
	}
}

// encodings returns the forms in which a text may occur in a file.
func encodings(s string) map[string]string {
	reversed := []byte(s)
	slices.Reverse(reversed)
	var wide []byte
	for _, u := range utf16.Encode([]rune(s)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	return map[string]string{
		"plain": s, "grouped": strings.Join([]string{s[:4], s[4:8], s[8:12], s[12:]}, " "), "reversed": string(reversed),
		"base64": strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(s)), "="), "hex": hex.EncodeToString([]byte(s)), "UTF-16": string(wide),
	}
}

func TestNoFileHoldsACardNumberOrWhoPays(t *testing.T) {
	t.Parallel()
	needsFile(t)
	dir := newDir(t)
	j := mustOpen(t, dir, newClock())
	beginWithCardNumbers(t, j)
	keyed := initiation(t, 77)
	keyed.Fingerprint = must(j.Fingerprint(t.Context(), key(typedKey)))
	must(j.Begin(t.Context(), keyed, ledger.Payer{Card: "4242 Visa 12/2034"}, nil))
	key := bytes.TrimSpace(must(os.ReadFile(keyFile(dir)))) // of the hashes
	search := func(when string) {
		seen := 0
		inside := must(filepath.Glob(filepath.Join(dir, "*", "*")))
		for _, path := range append(inside, must(filepath.Glob(filepath.Join(dir, "*.*")))...) {
			b := must(os.ReadFile(path))
			seen += len(b)
			if path != keyFile(dir) && (bytes.Contains(b, key) || bytes.Contains(b, must(hex.DecodeString(string(key))))) {
				t.Errorf("%s: %s holds the key of the hashes", when, filepath.Base(path))
			}
			for how, text := range encodings(typedPAN) {
				if bytes.Contains(b, []byte(text)) {
					t.Errorf("%s: %s holds the card number, %s", when, filepath.Base(path), how)
				}
			}
			// No text is shorter than seven: digests and identifiers hold any four digits by chance.
			for _, text := range []string{typedEmail, "lovelace", "79460958", "7946 0958", "4242 visa", "12/2034", typedKey, typedKey[8:]} {
				if bytes.Contains(bytes.ToLower(b), []byte(text)) {
					t.Errorf("%s: %s holds %s", when, filepath.Base(path), text)
				}
			}
		}
		if seen < 8192 {
			t.Errorf("only %d bytes were searched", seen)
		}
	}
	search("open")
	j.Close()
	search("closed")
}

// An earlier console stored what it did not know for a card number. It is in the file, and never shown.
func TestACardNumberThatAnEarlierConsoleStoredIsNotShown(t *testing.T) {
	t.Parallel()
	needsFile(t) // a server lets no fact be changed
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	for _, how := range []string{"base64", "hex", "plain"} {
		stored := "X " + encodings(typedPAN)[how]
		noError(t, j.StoreStatusText(t.Context(), a.ID, stored))
		if got := mustAttempt(t, j, a.ID).Status.Text.Line(0); got != "X <pan …4444>" {
			t.Errorf("%s: %q", how, got)
		}
	}
}

func TestALongTextIsCutBetweenLettersAndSafeToShow(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Refused, Why: "\x1b[31m" + strings.Repeat("é", 500)})
	got := mustAttempt(t, j, a.ID).Why
	if len(got) > 200 || len(got) < 190 || !strings.HasPrefix(got, "^[[31m") || !strings.HasSuffix(got, "é…") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
