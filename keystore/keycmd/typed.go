package keycmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/charmbracelet/x/term"

	"paydesk/keystore"
)

// maxStdin is the most that is read of the standard input, in bytes.
const maxStdin = 4 << 10

func (d CLI) atTerminal() bool { return term.IsTerminal(d.In.Fd()) }

// readHidden asks for something that is not shown while it is typed. The terminal is as it
// was when this returns, also after a signal.
func (d CLI) readHidden(ctx context.Context, question string) ([]byte, error) {
	before, err := term.GetState(d.In.Fd())
	if err != nil {
		return nil, errors.New("this terminal cannot hide what is typed")
	}
	fmt.Fprint(d.Stderr, question)
	defer fmt.Fprintln(d.Stderr) // the newline that was typed was not shown
	defer term.Restore(d.In.Fd(), before)
	return await(ctx, func() ([]byte, error) { return term.ReadPassword(d.In.Fd()) })
}

// readPiped reads what another program or a file gives.
func (d CLI) readPiped(ctx context.Context) ([]byte, error) {
	b, err := await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(d.In, maxStdin+1)) })
	switch {
	case err != nil:
		return nil, err
	case len(b) > maxStdin:
		clear(b)
		return nil, fmt.Errorf("more than %d KiB came: that is no secret key", maxStdin>>10)
	}
	return b, nil
}

// await leaves a read behind when ctx ends: nothing can stop it, and the program ends.
func await(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	type result struct {
		b   []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		b, err := read()
		done <- result{b, err}
	}()
	select {
	case r := <-done:
		switch {
		case errors.Is(r.err, io.EOF):
			return nil, errors.New("nothing was typed")
		case r.err != nil:
			return nil, errors.New("what was to be typed could not be read")
		}
		return r.b, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// readKey reads a key, typed or piped.
func (d CLI) readKey(ctx context.Context, p keystore.Profile) (keystore.Key, error) {
	var b []byte
	var err error
	if d.atTerminal() {
		b, err = d.readHidden(ctx, d.Clean(fmt.Sprintf("Secret key of profile %s (%s), not shown: ", p.Name, p.Environment)))
	} else {
		b, err = d.readPiped(ctx)
	}
	if err != nil {
		return keystore.Key{}, err
	}
	defer clear(b)
	return keystore.ParseKey(string(b))
}

// errTwice is said when the second time differs from the first.
var errTwice = errors.New("the two passphrases differ; nothing was stored")

// newPassphrase asks twice.
func (d CLI) newPassphrase(ctx context.Context) ([]byte, error) {
	first, err := d.readHidden(ctx, fmt.Sprintf("New passphrase, at least %d characters, not shown: ", keystore.MinPassphrase))
	if err != nil {
		return nil, err
	}
	second, err := d.readHidden(ctx, "The same once more: ")
	defer clear(second)
	switch {
	case err != nil:
	case !bytes.Equal(first, second):
		err = errTwice
	case len(first) < keystore.MinPassphrase:
		err = fmt.Errorf("a passphrase has at least %d characters, several words are best; nothing was stored", keystore.MinPassphrase)
	}
	if err != nil {
		clear(first)
		return nil, err
	}
	return first, nil
}

// prompt gets a key for which a store needs a person at the terminal: a passphrase, or
// whatever the program wants that has the key. Otherwise it returns err.
func (d CLI) prompt(ctx context.Context, s keystore.Store, p keystore.Profile, err error) (keystore.Key, error) {
	switch s := s.(type) {
	case keystore.Sealed:
		if errors.Is(err, keystore.ErrPassphrase) {
			return d.unlock(ctx, s, p)
		}
	case keystore.Prompter:
		if errors.Is(err, keystore.ErrFailed) || errors.Is(err, keystore.ErrTimeout) {
			return d.runInteractive(ctx, s, p)
		}
	}
	return keystore.Key{}, err
}

func (d CLI) unlock(ctx context.Context, s keystore.Sealed, p keystore.Profile) (keystore.Key, error) {
	passphrase, err := d.readHidden(ctx, d.Clean(fmt.Sprintf("Passphrase of the key of profile %s, not shown: ", p.Name)))
	if err != nil {
		return keystore.Key{}, err
	}
	return s.Unlock(ctx, p.Name, passphrase)
}

// runInteractive lends the terminal to the program that has the key, for as long as a person
// lets it.
func (d CLI) runInteractive(ctx context.Context, s keystore.Prompter, p keystore.Profile) (keystore.Key, error) {
	d.printErr("The command of this profile failed by itself; it gets the terminal now, to ask what it needs…")
	c, read := s.Interactive(p.Name)
	c.Stdin, c.Stderr = d.In, d.Stderr
	if c.Start() == nil {
		end := context.AfterFunc(ctx, func() { _ = c.Process.Kill() })
		defer end()
		_ = c.Wait() // read judges how it ended
	}
	if ctx.Err() != nil {
		return keystore.Key{}, context.Cause(ctx)
	}
	return read()
}
