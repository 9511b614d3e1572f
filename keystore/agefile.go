package keystore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"
)

// Limits of a passphrase file. 2 to the factor is the work of one try: 18 takes a
// second and 256 MiB, and a file that asks for more than 20 is not tried.
const (
	MinPassphrase = 8 // bytes
	workFactor    = 18
	maxWork       = 20
)

// ageFile keeps the key in a file of the age format behind a passphrase, for hosts
// that have nothing better. Other programs of that format read it too.
type ageFile struct {
	path   string
	factor int
}

var _ Sealed = (*ageFile)(nil)

func (*ageFile) Name() string { return "age" }

// Get is [ErrPassphrase] when all is well.
func (s *ageFile) Get(ctx context.Context, _ string) (Key, error) {
	if ctx.Err() != nil {
		return Key{}, ctx.Err()
	}
	if _, err := s.read(); err != nil {
		return Key{}, err
	}
	return Key{}, &Problem{Kind: ErrPassphrase, Message: "the key is sealed in " + s.path, Hint: "enter its passphrase"}
}

// read gives the file as it is, when it can be one of a passphrase.
func (s *ageFile) read() ([]byte, error) {
	b, err := readPrivate(s.path, false)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(b, []byte("age-encryption.org/v1\n-> scrypt ")) {
		return nil, s.damaged()
	}
	return b, nil
}

func (s *ageFile) damaged() error {
	return &Problem{Kind: ErrNotAKey, Message: s.path + " is not an age file with a passphrase, or it is damaged", Hint: "seal the key again"}
}

func (s *ageFile) Unlock(ctx context.Context, _ string, passphrase []byte) (Key, error) {
	defer clear(passphrase)
	b, err := s.read()
	if err != nil {
		return Key{}, err
	}
	if len(passphrase) == 0 {
		return Key{}, s.wrongPassphrase()
	}
	identity, err := age.NewScryptIdentity(string(passphrase))
	if err != nil {
		return Key{}, s.wrongPassphrase()
	}
	identity.SetMaxWorkFactor(maxWork)
	opened, err := age.Decrypt(bytes.NewReader(b), identity)
	var other *age.NoIdentityMatchError
	switch {
	case ctx.Err() != nil:
		return Key{}, ctx.Err()
	case errors.As(err, &other):
		return Key{}, s.wrongPassphrase()
	case err != nil:
		return Key{}, s.damaged()
	}
	held, err := io.ReadAll(io.LimitReader(opened, maxFile))
	if err != nil {
		return Key{}, s.damaged()
	}
	k, err := readKey(held)
	if err != nil {
		return Key{}, &Problem{Kind: ErrNotAKey, Message: "the text sealed in " + s.path + " is not a secret key: " + err.Error(), Hint: "seal the key again"}
	}
	return k, nil
}

func (s *ageFile) wrongPassphrase() error {
	return &Problem{Kind: ErrWrongPassphrase, Message: "wrong passphrase for " + s.path, Hint: "try again"}
}

// Seal replaces a file that is there. The file is complete, and only its owner's, at
// every moment (R75).
func (s *ageFile) Seal(ctx context.Context, _ string, k Key, passphrase []byte) error {
	defer clear(passphrase)
	switch {
	case k.IsZero():
		return errEmptyKey
	case len(passphrase) < MinPassphrase:
		return &Problem{Kind: ErrWrongPassphrase, Message: fmt.Sprintf("a passphrase must have at least %d characters", MinPassphrase), Hint: "several words are best"}
	}
	recipient, err := age.NewScryptRecipient(string(passphrase))
	if err != nil {
		return fmt.Errorf("the key cannot be sealed: %w", err)
	}
	recipient.SetWorkFactor(s.factor)
	var b bytes.Buffer
	w, err := age.Encrypt(&b, recipient)
	if err != nil {
		return fmt.Errorf("the key cannot be sealed: %w", err)
	}
	_, err = io.WriteString(w, k.Expose()+"\n")
	if err = errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("the key cannot be sealed: %w", err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return writePrivate(s.path, b.Bytes())
}

// Set cannot ask for a passphrase; [Sealed] has Seal for that.
func (s *ageFile) Set(context.Context, string, Key) error {
	return &Problem{Kind: ErrPassphrase, Message: "the key is stored behind a passphrase", Hint: "enter one of at least " + fmt.Sprint(MinPassphrase) + " characters"}
}

func (s *ageFile) Delete(ctx context.Context, _ string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return removePrivate(s.path)
}
