package keystore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"
)

// Limits of an encrypted file. The work factor is a power of two: 18 takes about a second and
// 256 MiB for one attempt. A file that demands more than 20 is rejected without an attempt,
// because it could exhaust the memory of the host.
const (
	MinPassphrase = 8 // bytes
	workFactor    = 18
	maxWork       = 20
)

// ageFile stores the key in an age file with a passphrase, for hosts without a keyring. Other
// age programs can read the file too.
type ageFile struct {
	path    string
	factor  int
	origins []string // of the profile; a sealed key is bound to them
}

var _ Sealed = (*ageFile)(nil)

func (*ageFile) Name() string { return "age" }

// Get never returns a key. It returns [ErrPassphrase] when the file is in order.
func (s *ageFile) Get(context.Context, string) (Key, error) {
	if _, err := s.read(); err != nil {
		return Key{}, err
	}
	return Key{}, problem(ErrPassphrase, "the key is sealed in "+s.path, "enter its passphrase")
}

// read returns the file as it is, after checking that it is an age file with a passphrase.
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
	return problem(ErrNotAKey, s.path+" is not an age file with a passphrase, or it is damaged", "seal the key again")
}

func (s *ageFile) Unlock(ctx context.Context, _ string, passphrase []byte) (Key, error) {
	defer clear(passphrase)
	b, err := s.read()
	if err != nil {
		return Key{}, err
	}
	phrase := string(passphrase)
	identity, err := age.NewScryptIdentity(phrase) // which rejects an empty one
	if err != nil {
		return Key{}, s.wrongPassphrase()
	}
	identity.SetMaxWorkFactor(maxWork)
	opened, err := age.Decrypt(bytes.NewReader(b), identity)
	switch {
	case ctx.Err() != nil:
		return Key{}, ctx.Err()
	case errors.As(err, new(*age.NoIdentityMatchError)):
		return Key{}, s.wrongPassphrase()
	case err != nil:
		return Key{}, s.damaged()
	}
	held, err := io.ReadAll(io.LimitReader(opened, maxFile))
	if err != nil {
		return Key{}, s.damaged()
	}
	k, given, err := parseEntry(held)
	if err != nil {
		return Key{}, problem(ErrNotAKey, "the text sealed in "+s.path+" is not a secret key: "+err.Error(), "seal the key again")
	}
	return ForAddress(k, given, s.origins, func(ctx context.Context) error { return s.write(ctx, k, phrase) })
}

func (s *ageFile) wrongPassphrase() error {
	return problem(ErrWrongPassphrase, "wrong passphrase for "+s.path, "try again")
}

// Seal replaces an existing file in one step, so at every moment the file is complete and only
// its owner can read it.
func (s *ageFile) Seal(ctx context.Context, _ string, k Key, passphrase []byte) error {
	defer clear(passphrase)
	switch {
	case k.IsZero():
		return errEmptyKey
	case len(passphrase) < MinPassphrase:
		return problem(ErrWrongPassphrase, fmt.Sprintf("a passphrase must have at least %d characters", MinPassphrase), "several words are best")
	}
	return s.write(ctx, k, string(passphrase))
}

func (s *ageFile) write(ctx context.Context, k Key, passphrase string) error {
	recipient, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return fmt.Errorf("the key cannot be sealed: %w", err)
	}
	recipient.SetWorkFactor(s.factor)
	var b bytes.Buffer
	w, err := age.Encrypt(&b, recipient)
	if err != nil {
		return fmt.Errorf("the key cannot be sealed: %w", err)
	}
	_, err = io.WriteString(w, formatEntry(k, s.origins)+"\n")
	if err = errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("the key cannot be sealed: %w", err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return writePrivate(s.path, b.Bytes())
}

// Set always fails: a passphrase is needed, see [Sealed].
func (s *ageFile) Set(context.Context, string, Key) error {
	return problem(ErrPassphrase, "the key is stored behind a passphrase", "enter one of at least "+fmt.Sprint(MinPassphrase)+" characters")
}

func (s *ageFile) Delete(ctx context.Context, _ string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return removePrivate(s.path)
}
