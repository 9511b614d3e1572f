package keycmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/term"

	"paydesk/keystore"
)

// maxStdin is the largest standard input that is read, in bytes.
const maxStdin = 4 << 10

func (c CLI) atTerminal() bool { return c.In != nil && term.IsTerminal(c.In.Fd()) }

// asks reports whether a person, or what stands for one, can be asked.
func (c CLI) asks() bool { return c.Ask != nil || c.atTerminal() }

// ReadHidden reads a line without showing it. It restores the terminal before it returns, also
// after a signal.
func (c CLI) ReadHidden(ctx context.Context, question string) ([]byte, error) {
	if c.Ask != nil {
		return entered(c.Ask(ctx, question, true))
	}
	show, err := Hide(c.In) // before the question is there to be answered: what somebody types at once would be shown
	if err != nil {
		return nil, err
	}
	defer show()
	fmt.Fprint(c.Stderr, question)
	defer fmt.Fprintln(c.Stderr) // the typed newline was not shown
	return await(ctx, func() ([]byte, error) { return readLine(c.In) })
}

// readLine reads a line byte by byte, so that no buffer keeps a copy. Unlike [term.ReadPassword] it leaves the settings of
// the terminal alone: after a signal it would change them once more, while the caller has restored them.
func readLine(in io.Reader) (line []byte, err error) {
	b := make([]byte, 1)
	defer clear(b)
	line = make([]byte, 0, maxStdin) // grown, it would leave copies
	for {
		n, err := in.Read(b)
		switch {
		case n > 0 && b[0] == '\n', err != nil && len(line) > 0 && errors.Is(err, io.EOF):
			return bytes.TrimRight(line, "\r"), nil
		case n > 0:
			line = append(line, b[0])
		case err != nil:
			clear(line)
			return nil, err
		}
	}
}

// Hide stops the terminal from showing what is typed, until show is called.
func Hide(in *os.File) (show func(), err error) {
	before, err := term.GetState(in.Fd())
	if err != nil {
		return nil, errors.New("this terminal cannot hide typed input")
	}
	if err := hideInput(in.Fd(), before); err != nil {
		return nil, err
	}
	return func() { _ = term.Restore(in.Fd(), before) }, nil
}

// readPiped reads standard input from a pipe or file.
func (c CLI) readPiped(ctx context.Context) ([]byte, error) {
	b, err := await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(c.In, maxStdin+1)) })
	switch {
	case err != nil:
		return nil, err
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

// await is Await for what a person enters.
func await(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	b, err := Await(ctx, read)
	switch {
	case err == nil || ctx.Err() != nil:
		return b, err
	case errors.Is(err, io.EOF):
		return nil, errEmpty
	}
	return nil, errors.New("the input could not be read")
}

var errEmpty = errors.New("nothing was entered")

// entered words the end of the input.
func entered(b []byte, err error) ([]byte, error) {
	if errors.Is(err, io.EOF) {
		err = errEmpty
	}
	return b, err
}

// readKey reads a key, typed or piped.
func (c CLI) readKey(ctx context.Context, p keystore.Profile) (keystore.Key, error) {
	var b []byte
	var err error
	if c.asks() {
		b, err = c.ReadHidden(ctx, c.Clean(fmt.Sprintf("Secret key of profile %s (%s) for %s, not shown: ", p.Name, p.Environment, addresses(p))))
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
func (c CLI) newPassphrase(ctx context.Context) ([]byte, error) {
	first, err := c.ReadHidden(ctx, fmt.Sprintf("New passphrase, at least %d characters, not shown: ", keystore.MinPassphrase))
	if err != nil {
		return nil, err
	}
	second, err := c.ReadHidden(ctx, "Repeat the passphrase: ")
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
func (c CLI) Prompt(ctx context.Context, s keystore.Store, p keystore.Profile, err error) (keystore.Key, error) {
	sealed, _ := s.(keystore.Sealed)
	command, _ := s.(keystore.Prompter)
	switch {
	case sealed != nil && errors.Is(err, keystore.ErrPassphrase):
		passphrase, err := c.ReadHidden(ctx, c.Clean(fmt.Sprintf("Passphrase of the key of profile %s, not shown: ", p.Name)))
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
func (c CLI) runInteractive(ctx context.Context, s keystore.Prompter, p keystore.Profile) (keystore.Key, error) {
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
