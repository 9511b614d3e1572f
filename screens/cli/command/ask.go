package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/term"

	"paydesk/screens/present"
)

// An asker asks a person: at the terminal, or in plain mode line by line, wherever the answers come from.
type asker struct {
	p    *Program
	rest []byte // read beyond the last line; wiped once it is taken
	// begun is a read that a signal, or a question that was given up, left behind. It gets the next line, which answers the next question.
	begun func() ([]byte, error)
}

// Available reports whether a question can be put: not where data or talk goes elsewhere than to the terminal.
func (a *asker) Available() bool { return a.p.Plain || a.Person() }

// Person reports whether a person answers at a terminal, as live sending needs.
func (a *asker) Person() bool {
	return !a.p.Global.NoInput && IsTerminal(a.p.In) && IsTerminal(a.p.Out) && IsTerminal(a.p.Err)
}

// Typed reports whether a person types what stdin has, wherever the output goes.
func (a *asker) Typed() bool { return IsTerminal(a.p.In) && (a.p.Plain || !a.p.Global.NoInput) }

// Line asks for one line, without a question where that was said already.
func (a *asker) Line(ctx context.Context, question string) (string, error) {
	if !a.Available() {
		return "", errUnasked
	}
	a.put(question)
	b, err := a.read(ctx)
	return string(b), err
}

// Hidden asks for a line that is not shown at a terminal. The caller has made sure that a person answers, and wipes the line. After it,
// also after a signal, the terminal is as it was.
func (a *asker) Hidden(ctx context.Context, question string) ([]byte, error) {
	if IsTerminal(a.p.In) {
		// Before the question is printed: an answer that is typed at once would be shown.
		show, err := hide(a.p.In, func() { a.put(question) })
		if err != nil {
			return nil, err
		}
		defer show()
		if !a.p.Plain {
			defer fmt.Fprintln(a.p.Err) // the typed newline was not shown
		}
	}
	a.put(question)
	return a.read(ctx)
}

// put prints a question: in plain mode on a line of its own.
func (a *asker) put(question string) {
	end := " "
	if a.p.Plain {
		end = "\n"
	}
	if question != "" {
		a.p.endProgress()
		fmt.Fprint(a.p.Err, strings.TrimRight(present.Plain(question), " ")+end)
	}
}

// hide stops the terminal from showing what is typed, until show is called. After a stop, during which a shell had the
// terminal and its own settings, again puts the question once more.
func hide(in *os.File, again func()) (show func(), err error) {
	before, err := term.GetState(in.Fd())
	if err != nil {
		return nil, errors.New("this terminal cannot hide typed input")
	}
	if err := hideInput(in.Fd(), before); err != nil {
		return nil, err
	}
	leave := onContinue(func() {
		if hideInput(in.Fd(), before) == nil {
			again()
		}
	})
	return func() {
		leave()
		_ = term.Restore(in.Fd(), before)
	}, nil
}

// errUnasked is the error of a question without a terminal.
var errUnasked = Refuse(WhyUnconfirmed, "There is no terminal to ask at: stdin, stdout and stderr must all be a terminal.", AtATerminal)

// AtATerminal comes after the words about what only a person decides.
const AtATerminal = "Run it at a terminal."

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

// ReadIn reads stdin from a pipe or a file, at most so many bytes and one more. The caller wipes a secret. typed ends the command where
// a terminal would show what is typed, and in plain mode, where stdin has the answers to its questions.
func (p *Program) ReadIn(ctx context.Context, most int64, typed error) ([]byte, error) {
	if p.Plain || IsTerminal(p.In) {
		return nil, typed
	}
	return Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(p.In, most+1)) })
}

// read reads a line. The end of the input is an error only where nothing stands before it.
func (a *asker) read(ctx context.Context) ([]byte, error) {
	if a.begun == nil {
		a.begun = sync.OnceValues(a.line)
	}
	line, err := Await(ctx, a.begun)
	if ctx.Err() == nil || err != context.Cause(ctx) { // otherwise it still waits for its line
		a.begun = nil
	}
	return line, err
}

// line takes the next line of the input. It leaves no copy, because it may be a key.
func (a *asker) line() ([]byte, error) {
	chunk := make([]byte, 4<<10)
	defer clear(chunk)
	for {
		if at := bytes.IndexByte(a.rest, '\n'); at >= 0 {
			return a.take(at + 1), nil
		}
		n, err := a.p.In.Read(chunk)
		grown := slices.Concat(a.rest, chunk[:n])
		clear(a.rest)
		a.rest = grown
		switch {
		case err == nil:
		case len(a.rest) > 0 && errors.Is(err, io.EOF) && n == 0:
			return a.take(len(a.rest)), nil
		case n == 0:
			return nil, err
		}
	}
}

// take takes a line of n bytes out of what was read.
func (a *asker) take(n int) []byte {
	line := bytes.Clone(bytes.TrimRight(a.rest[:n], "\r\n"))
	clear(a.rest[:n])
	a.rest = a.rest[n:]
	return line
}
