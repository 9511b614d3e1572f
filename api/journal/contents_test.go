package journal_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

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
	err = j.Decide(t.Context(), mustAttempt(t, j, lost.ID), ledger.Found, typedPAN)
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
	dirty, err := j.Fingerprint(t.Context(), key(typedKey))
	if _, err2 := j.Begin(t.Context(), keyed(t, 77, dirty), ledger.Payer{Card: "4242 Visa 12/2034"}, nil); err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
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
