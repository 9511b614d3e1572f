package journal

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"paydesk/api/statefile"
)

// The key of the hashes is in a file of its own: with the key, whoever has a copy of the journal
// could confirm a guessed e-mail address. The journal holds only a check value, which shows
// whether a key is the one that its hashes were made with.
const (
	keyName   = "journal.key"
	keyLength = 32
	checkName = "key check"
)

func (j *Journal) keyPath() string { return filepath.Join(j.opts.Dir, keyName) }

func newKey() []byte {
	key := make([]byte, keyLength)
	rand.Read(key)
	return key
}

// loadKey reads the key, and creates one for a journal that has no hashes yet. A key cannot be
// replaced while there are hashes: nobody who paid already would be recognised. The caller holds
// the folder's lock.
func (j *Journal) loadKey(ctx context.Context) error {
	key, err := readKey(j.keyPath())
	none := errors.Is(err, fs.ErrNotExist)
	if err != nil && !none {
		return err
	}
	check, err := readFact(ctx, sqliteQuerier{j.db}, checkName)
	if err != nil {
		return err
	}
	if !none && hmac.Equal(check, keyCheck(key)) {
		j.key = key
		return nil
	}
	switch hashed, err := hasHashes(ctx, sqliteQuerier{j.db}); {
	case err != nil:
		return err
	case hashed && check == nil:
		return errDamaged
	case key == nil && !none:
		return keyProblem("holds no key", "journal.db and "+keyName+" to other names", j.path)
	case hashed && none:
		return keyProblem("is missing", moveJournal, j.path)
	case hashed:
		return keyProblem("is not the one that this journal was written with", moveJournal, j.path)
	}
	if none {
		key = newKey()
		if err := writeKey(j.keyPath(), key); err != nil {
			return err
		}
	}
	if err := j.saveCheck(ctx, key); err != nil {
		return err
	}
	j.key = key
	return nil
}

func (j *Journal) saveCheck(ctx context.Context, key []byte) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := setFact(ctx, sqliteTx{tx}, checkName, keyCheck(key)); err != nil {
		return err
	}
	return tx.Commit()
}

// moveKey moves the key of version 1 out of the database into its file.
func (j *Journal) moveKey(ctx context.Context, tx *sql.Tx) error {
	key, err := readFact(ctx, sqliteTx{tx}, "key")
	if err != nil {
		return err
	}
	if key == nil {
		return errDamaged
	}
	switch kept, err := readKey(j.keyPath()); {
	case errors.Is(err, fs.ErrNotExist):
		if err := writeKey(j.keyPath(), key); err != nil {
			return err
		}
	case err != nil:
		return err
	case !hmac.Equal(kept, key): // an upgrade that was interrupted left the same one
		return keyProblem("belongs to another journal", keyName+" to another name", j.path)
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM facts WHERE name = 'key'"); err != nil {
		return err
	}
	return setFact(ctx, sqliteTx{tx}, checkName, keyCheck(key))
}

// moveJournal is what a person moves away to begin a new journal.
const moveJournal = "journal.db to another name"

// keyProblem says why nothing is sent without the right key, and the two ways out.
func keyProblem(what, move, path string) error {
	return &Unavailable{Why: "The journal's key, " + keyName + ", " + what +
		": a customer who has paid already would not be recognised. Put the right file back beside the journal. " +
		"If it is lost, move " + move + ": a new journal begins, which knows none of these payments. (" + path + ")"}
}

// keyCheck is the check value of a key.
func keyCheck(key []byte) []byte { return []byte(keyedHash(key, "check", keyName)) }

// hasHashes reports whether a row holds a keyed hash.
func hasHashes(ctx context.Context, q Querier) (hashed bool, err error) {
	err = one(ctx, q, "SELECT EXISTS (SELECT 1 FROM attempts WHERE email || phone || payer_card || fingerprint <> '')", nil, &hashed)
	return hashed, err
}

// readKey reads a key from its file. A file that holds no key is no key of this journal.
func readKey(path string) ([]byte, error) {
	if err := statefile.CheckMode(path, 0o600); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keyLength {
		key = nil
	}
	return key, nil
}

// writeKey writes a key durably. It appears complete or not at all, and replaces no other: the
// caller holds the folder's lock, and found none.
func writeKey(path string, key []byte) error {
	return statefile.WriteFile(path, []byte(hex.EncodeToString(key)+"\n"))
}

// keyedHash returns the hash of a text of a kind; "" of none.
func keyedHash(key []byte, kind, text string) string {
	if text == "" {
		return ""
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(h.Sum(nil)[:16])
}
