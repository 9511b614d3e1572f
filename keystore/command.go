package keystore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Limits of a key command.
const (
	CommandLimit = 10 * time.Second
	maxOutput    = 4 << 10 // bytes kept of its output
	// outputGrace sets how long a child of the command may keep its output open after the
	// command has ended.
	outputGrace = 500 * time.Millisecond
)

// command runs a program that prints the key, such as pass, op or vault. It runs without a
// shell, and the program sees neither the terminal nor our secrets.
type command struct {
	readOnly
	words []string
	limit time.Duration
	of    printedSecret
}

// A printedSecret has the words for what a command prints.
type printedSecret struct {
	name    string
	what    string
	setting string
	byHand  string // how a person finds out what is wrong
	least   int    // bytes from which a word of its output may be the secret
}

// printedKey is the key of a profile.
var printedKey = printedSecret{"key", "secret key", "key_command in the profile", "run it with the terminal", minKey}

var _ Prompter = (*command)(nil)

func (c *command) Get(ctx context.Context, _ string) (k Key, err error) {
	err = c.run(ctx, func(line []byte) error {
		k, err = readKey(line)
		return err
	})
	return k, err
}

// run runs the command and hands the first line that it prints to use, which must not keep it.
func (c *command) run(ctx context.Context, use func(line []byte) error) error {
	ctx, stop := context.WithTimeout(ctx, c.limit)
	defer stop()
	cmd := exec.CommandContext(ctx, c.words[0], c.words[1:]...)
	// Without GPG_TTY, gpg prompts for a passphrase on a display or not at all, but never on
	// the terminal that shows the console.
	cmd.Env = slices.DeleteFunc(childEnv(), func(v string) bool { return strings.HasPrefix(v, "GPG_TTY=") })
	newProcessGroup(cmd)
	out, stderr := &capture{}, &capture{tail: true}
	defer out.wipe()
	defer stderr.wipe()
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, stderr, outputGrace
	err := cmd.Run()
	killGroup(cmd)
	return c.parseOutput(cmd, cmp.Or(ctx.Err(), err), out, stderr, use)
}

// Interactive sets no time limit: the person at the terminal can stop the command. The command
// stays in the terminal's process group, since the terminal would stop it otherwise.
func (c *command) Interactive(string) (*exec.Cmd, func() (Key, error)) {
	cmd := exec.Command(c.words[0], c.words[1:]...)
	cmd.Env = childEnv()
	out := &capture{}
	cmd.Stdout, cmd.WaitDelay = out, outputGrace
	return cmd, func() (k Key, err error) {
		defer out.wipe()
		err = c.parseOutput(cmd, cmd.Err, out, &capture{}, func(line []byte) error {
			k, err = readKey(line)
			return err
		})
		return k, err
	}
}

// parseOutput hands the first line that a finished command printed to use, or returns the reason why
// there is none. An error of use says why the line is no secret.
func (c *command) parseOutput(cmd *exec.Cmd, err error, out, stderr *capture, use func(line []byte) error) error {
	of := c.of
	trouble := func(kind error, what, fix string) error {
		return &Problem{Kind: kind, Message: what, Hint: fix, stderr: out.safeStderr(stderr, of.least)}
	}
	const see = "run it by hand to see what it prints"
	the := "the " + of.name + " command"
	switch state := cmd.ProcessState; {
	case errors.Is(err, context.DeadlineExceeded):
		return trouble(ErrTimeout, fmt.Sprintf("%s did not finish within %v", the, c.limit),
			"it may be waiting for a passphrase: "+of.byHand)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("waiting for %s was cancelled: %w", the, err)
	case state == nil && (errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)):
		return trouble(ErrNoProgram, "there is no program "+c.words[0]+" on this host", "install it, or correct "+of.setting)
	case state == nil:
		return trouble(ErrNoProgram, "the program "+c.words[0]+" cannot be run", "check that it is executable, or correct "+of.setting)
	case !state.Exited():
		return trouble(ErrFailed, the+" was killed by a signal", of.byHand)
	case !state.Success():
		return trouble(ErrFailed, fmt.Sprintf("%s failed with exit code %d", the, state.ExitCode()), "it may need to prompt you: "+of.byHand)
	}
	line, _, _ := bytes.Cut(out.b, []byte("\n"))
	if len(bytes.TrimSpace(line)) == 0 {
		return trouble(ErrEmpty, "the first line that "+the+" printed is empty", see)
	}
	if err := use(line); err != nil {
		return trouble(ErrNotAKey, "the first line that "+the+" printed is not a "+of.what+": "+err.Error(), see)
	}
	return nil
}

// capture keeps the first or last bytes that a program prints and discards the rest, so that
// the program never blocks.
type capture struct {
	tail bool
	b    []byte
}

func (p *capture) Write(b []byte) (int, error) {
	n := len(b)
	if p.tail {
		b = b[max(0, len(b)-maxOutput):]
		drop := max(0, len(p.b)+len(b)-maxOutput)
		p.b = append(p.b[:0], p.b[drop:]...)
	}
	p.b = append(p.b, b[:min(len(b), maxOutput-len(p.b))]...)
	return n, nil
}

func (p *capture) wipe() {
	clear(p.b[:cap(p.b)])
	p.b = nil
}

// safeStderr returns the last line of stderr, or "" if that line repeats a word of the
// standard output of at least so many bytes, which may be the secret.
func (p *capture) safeStderr(stderr *capture, least int) string {
	line := lastLine(stderr.b)
	for word := range bytes.FieldsSeq(p.b) {
		if len(word) >= least && strings.Contains(line, string(word)) {
			return ""
		}
	}
	return line
}

// childEnv returns the part of the environment that paydesk passes to the programs it starts.
func childEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !slices.Contains(childVariables, name) && !strings.HasPrefix(name, "LC_") && !strings.HasPrefix(name, "XDG_")
	})
}

var childVariables = []string{
	"PATH", "HOME", "USER", "LANG", "TERM", "GNUPGHOME", "PASSWORD_STORE_DIR", "SSH_AUTH_SOCK", "GPG_TTY",
	"DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS",
	"SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", // without which little runs on Windows
}
