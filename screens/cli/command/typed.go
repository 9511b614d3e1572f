package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/charmbracelet/x/term"

	"paydesk/keystore"
)

// maxStdin is the largest standard input that is read, in bytes.
const maxStdin = 4 << 10

func (c Keys) atTerminal() bool { return c.In != nil && term.IsTerminal(c.In.Fd()) }

// hidden asks for a line that is not shown. The caller wipes it.
func (c Keys) hidden(ctx context.Context, question string) ([]byte, error) {
	b, err := c.Ask(ctx, c.Clean(question), true)
	if errors.Is(err, io.EOF) {
		err = errEmpty
	}
	return b, err
}

// readPiped reads standard input from a pipe or file.
func (c Keys) readPiped(ctx context.Context) ([]byte, error) {
	b, err := Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(c.In, maxStdin+1)) })
	switch {
	case ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, errors.New("the input could not be read")
	case len(b) > maxStdin:
		clear(b)
		return nil, fmt.Errorf("the input is larger than %d KiB, too large for a secret key", maxStdin>>10)
	}
	return b, nil
}

// Await runs read until ctx ends. It then leaves read behind, which nothing can stop, because the
// program is about to end.
func Await[T any](ctx context.Context, read func() (T, error)) (v T, err error) {
	done := make(chan struct{})
	var got T
	var failed error
	go func() {
		got, failed = read()
		close(done)
	}()
	select {
	case <-ctx.Done():
		return v, context.Cause(ctx)
	case <-done:
		return got, failed
	}
}

var errEmpty = errors.New("nothing was entered")

// readKey reads a key, typed or piped.
func (c Keys) readKey(ctx context.Context, p keystore.Profile) (keystore.Key, error) {
	var b []byte
	var err error
	if c.Ask != nil {
		b, err = c.hidden(ctx, fmt.Sprintf("Secret key of profile %s (%s) for %s, not shown: ", p.Name, p.Environment, addresses(p)))
	} else {
		b, err = c.readPiped(ctx)
	}
	if err != nil {
		return keystore.Key{}, err
	}
	defer clear(b)
	return keystore.ParseKey(string(b))
}

var errMismatch = errors.New("the passphrases do not match; nothing was stored")

// newPassphrase reads a new passphrase twice, because the key behind a mistyped one is lost.
// The caller must wipe it.
func (c Keys) newPassphrase(ctx context.Context) ([]byte, error) {
	first, err := c.hidden(ctx, fmt.Sprintf("New passphrase, at least %d characters, not shown: ", keystore.MinPassphrase))
	if err != nil {
		return nil, err
	}
	second, err := c.hidden(ctx, "Repeat the passphrase: ")
	defer clear(second)
	switch {
	case err != nil:
	case !bytes.Equal(first, second):
		err = errMismatch
	case len(first) < keystore.MinPassphrase:
		err = fmt.Errorf("a passphrase must have at least %d characters, several words are best; nothing was stored", keystore.MinPassphrase)
	}
	if err != nil {
		clear(first)
		return nil, err
	}
	return first, nil
}

// Prompt gets a key from a store that needs a person at the terminal: for a passphrase, or for
// whatever the key command prompts for. Otherwise it returns err.
func (c Keys) Prompt(ctx context.Context, s keystore.Store, p keystore.Profile, err error) (keystore.Key, error) {
	sealed, _ := s.(keystore.Sealed)
	command, _ := s.(keystore.Prompter)
	switch {
	case sealed != nil && errors.Is(err, keystore.ErrPassphrase):
		passphrase, err := c.hidden(ctx, fmt.Sprintf("Passphrase of the key of profile %s, not shown: ", p.Name))
		if err != nil {
			return keystore.Key{}, err
		}
		return sealed.Unlock(ctx, p.Name, passphrase)
	case command != nil && (errors.Is(err, keystore.ErrFailed) || errors.Is(err, keystore.ErrTimeout)):
		return c.runInteractive(ctx, command, p)
	}
	return keystore.Key{}, err
}

// runInteractive runs the key command with the terminal, with no time limit of its own.
func (c Keys) runInteractive(ctx context.Context, s keystore.Prompter, p keystore.Profile) (keystore.Key, error) {
	c.printErr("The key command failed without a terminal; running it again so that it can prompt you…")
	cmd, read := s.Interactive(p.Name)
	cmd.Stdin, cmd.Stderr = c.In, c.Stderr
	if cmd.Start() == nil {
		end := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
		defer end()
		_ = cmd.Wait() // read reports how it ended
	}
	if ctx.Err() != nil {
		return keystore.Key{}, context.Cause(ctx)
	}
	return read()
}
