package journal

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
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

func (m *memory) keyPath() string { return filepath.Join(m.dir, keyName) }

func newKey() []byte {
	key := make([]byte, keyLength)
	rand.Read(key)
	return key
}

// loadKey reads the key, and creates one for a journal that has no hashes yet. A key cannot be
// replaced while there are hashes: no customer who has paid would be recognised. The caller holds
// the folder's lock.
func (m *memory) loadKey(ctx context.Context, db *sql.DB) error {
	key, err := readKey(m.keyPath())
	none := errors.Is(err, fs.ErrNotExist)
	if err != nil && !none {
		return err
	}
	check, err := readAbout(ctx, db, checkName)
	if err != nil {
		return err
	}
	if !none && hmac.Equal(check, keyCheck(key)) {
		m.key.Store(&key)
		return nil
	}
	switch hashed, err := hasHashes(ctx, db); {
	case err != nil:
		return err
	case hashed && check == nil:
		return errDamaged
	case key == nil && !none:
		return keyProblem("holds no key", "journal.db and "+keyName+" to other names", m.path)
	case hashed && none:
		return keyProblem("is missing", moveJournal, m.path)
	case hashed:
		return keyProblem("is not the one that this journal was written with", moveJournal, m.path)
	}
	if none {
		key = newKey()
		if err := statefile.WriteFile(m.keyPath(), keyText(key)); err != nil { // there is none to replace, and the folder is locked
			return err
		}
	}
	if err := setAbout(ctx, db, checkName, keyCheck(key)); err != nil {
		return err
	}
	m.key.Store(&key)
	return nil
}

// Fingerprint returns what identifies a secret key in this journal: its hash under the
// journal's key, which is of no use elsewhere. It is "" without a secret key.
func (j *Journal) Fingerprint(ctx context.Context, secret api.Secret) (string, error) {
	err := j.settle(ctx)
	if err == nil && j.key.Load() == nil { // a file that cannot be opened says why when it is to be written
		err = j.transact(ctx, "", func(*writeTx) error { return nil })
	}
	if err != nil {
		return "", err
	}
	return ledger.KeyedHash(*j.key.Load(), "secret key", secret.Expose()), nil
}

// loadSharedKey reads the team's key, and compares it with the check value in the database, which has none before the
// first console wrote one.
func (j *Journal) loadSharedKey(ctx context.Context) error {
	key, err := KeyFile(j.opts.KeyFile).read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return sharedKeyProblem("is missing here", j.opts.KeyFile, nil)
	case errors.Is(err, errHoldsNoKey):
		return sharedKeyProblem("holds no key", j.opts.KeyFile, nil)
	case err != nil:
		return err
	}
	var check []byte
	read := func(t *readTx) (err error) {
		check, err = readAbout(t.ctx, t.q, checkName)
		return err
	}
	if err = j.view(ctx, read); err == nil && check == nil {
		err = j.transact(ctx, "", func(t *writeTx) error {
			if err := t.addCheck(key); err != nil {
				return err
			}
			return read(t.readTx)
		})
	}
	switch {
	case err != nil:
		return err
	case !hmac.Equal(check, keyCheck(key)):
		return sharedKeyProblem("is not the one that the team's journal was written with", j.opts.KeyFile, ErrOtherKey)
	}
	j.key.Store(&key)
	return nil
}

// addCheck stores the check value of a key, unless there is one.
func (t *writeTx) addCheck(key []byte) error {
	value := keyCheck(key)
	return t.exec("INSERT INTO about (name, value, checksum) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
		checkName, value, aboutSum(checkName, value))
}

func sharedKeyProblem(what, path string, err error) error {
	return &ledger.Unavailable{Why: "The key of the team's journal " + what + ": a customer who has paid already would not be recognised. " +
		"Have a colleague write it to a file with paydesk journal key export, and read it here with paydesk journal key import. (" + path + ")", Err: err}
}

// moveJournal tells a person what to move away to begin a new journal.
const moveJournal = "journal.db to another name"

// keyProblem says why nothing is sent without the right key, and the two ways out.
func keyProblem(what, move, path string) error {
	return &ledger.Unavailable{Why: "The journal's key, " + keyName + ", " + what +
		": a customer who has paid already would not be recognised. Put the right file back beside the journal. " +
		"If it is lost, move " + move + ": a new journal begins without these payments, and nothing is sent until you run paydesk journal acknowledge. (" + path + ")"}
}

// keyCheck is the check value of a key.
func keyCheck(key []byte) []byte { return []byte(ledger.KeyedHash(key, "check", keyName)) }

// hasHashes reports whether a row holds a keyed hash.
func hasHashes(ctx context.Context, q Querier) (hashed bool, err error) {
	err = q.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM entries WHERE email || phone || payer_card || fingerprint <> '')").Scan(&hashed)
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
	return parseKey(text), nil
}

// A KeyFile is the path of a file with the key of a journal's hashes: 64 hexadecimal digits, which only its owner reads.
// The key of a team's journal is handed over as such a file, and is in no database.
type KeyFile string

// KeyIn is the file with the key of the journal in a folder; see [Dir].
func KeyIn(folder string) KeyFile { return KeyFile(filepath.Join(folder, keyName)) }

// A KeyChange tells what a new key did to a file.
type KeyChange struct {
	Same     bool   // it had this key
	SetAside string // where the file is that had another; "" when there was none
}

// ErrOtherKey is the error of a key that would replace another, or that a team's journal was not written with.
var ErrOtherKey = errors.New("there is another key")

// Create writes a new key where there is no file. made is false when there was one, which holds a key.
func (f KeyFile) Create() (made bool, err error) {
	if _, err := f.read(); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return true, f.write(newKey())
}

// Export returns the key as the file has it.
func (f KeyFile) Export() ([]byte, error) {
	key, err := f.read()
	if err != nil {
		return nil, err
	}
	return keyText(key), nil
}

// Import writes a key that was exported into the file. A different key that is already there
// stays, with [ErrOtherKey], unless replace is set: then its file gets another name, or stays if the new one cannot be written.
func (f KeyFile) Import(text []byte, replace bool, now time.Time) (c KeyChange, err error) {
	key := parseKey(text)
	if key == nil {
		return c, errNoKey
	}
	_, err = os.Lstat(string(f))
	was, readErr := f.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return c, unavailable(string(f), err)
	case readErr == nil && hmac.Equal(was, key):
		c.Same = true
		return c, nil
	case !replace:
		return c, ErrOtherKey
	default:
		c.SetAside = string(f) + ".replaced-" + now.UTC().Format("20060102T150405Z")
		if err := os.Rename(string(f), c.SetAside); err != nil {
			return KeyChange{}, unavailable(string(f), err)
		}
	}
	err = f.write(key)
	if err == nil || c.SetAside == "" {
		return c, err
	}
	if back := os.Rename(c.SetAside, string(f)); back != nil {
		return c, &ledger.Unavailable{Why: "The key cannot be written, and the one that was there is now " + c.SetAside + ". Give it its name back: " + string(f), Err: back}
	}
	return KeyChange{}, err
}

var errNoKey = ledger.Rejected("That is not a journal key. A key is 64 hexadecimal digits and nothing else. Nothing was changed.")

var errHoldsNoKey = errors.New("the file holds no key")

// read returns the key. Its error is a [*ledger.Unavailable], also [fs.ErrNotExist] where there is no file.
func (f KeyFile) read() ([]byte, error) {
	key, err := readKey(string(f))
	exposed, is := errors.AsType[*statefile.Exposed](err)
	switch {
	case is:
		return nil, &ledger.Unavailable{Why: "Other users can read the key of the journal. Fix it with: " + exposed.Fix(), Err: err}
	case errors.Is(err, fs.ErrNotExist):
		return nil, &ledger.Unavailable{Why: "The journal key file does not exist. (" + string(f) + ")", Err: err}
	case err != nil:
		return nil, &ledger.Unavailable{Why: "The journal key file cannot be read. Check its permissions. (" + string(f) + ")", Err: err}
	case key == nil:
		return nil, &ledger.Unavailable{Why: "The file does not hold a journal key. Put the right file in its place. (" + string(f) + ")", Err: errHoldsNoKey}
	}
	return key, nil
}

func (f KeyFile) write(key []byte) error {
	err := os.MkdirAll(filepath.Dir(string(f)), 0o700)
	if err == nil {
		err = statefile.WriteFile(string(f), keyText(key))
	}
	if err != nil {
		return &ledger.Unavailable{Why: "The key cannot be written. Check the folder, its permissions and the free space. (" + string(f) + ")", Err: err}
	}
	return nil
}

// keyText is a key as its file has it.
func keyText(key []byte) []byte { return []byte(hex.EncodeToString(key) + "\n") }

// parseKey reads a key as a file has it; nil where there is none.
func parseKey(text []byte) []byte {
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keyLength {
		return nil
	}
	return key
}
