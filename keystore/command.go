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
	// outputGrace is how long a child of the command may keep its output open after the
	// command has ended.
	outputGrace = 500 * time.Millisecond
)

// command runs a program that prints the key, such as pass, op or vault. It runs without a
// shell, and the program sees neither the terminal nor our secrets.
type command struct {
	words []string
	limit time.Duration
}

var _ Prompter = (*command)(nil)

func (*command) Name() string { return "command" }

func (c *command) Get(ctx context.Context, _ string) (Key, error) {
	ctx, stop := context.WithTimeout(ctx, c.limit)
	defer stop()
	cmd := exec.CommandContext(ctx, c.words[0], c.words[1:]...)
	// Without GPG_TTY, gpg prompts for a passphrase on a display or not at all, but never on
	// the terminal that shows the console.
	cmd.Env = slices.DeleteFunc(childEnv(), func(v string) bool { return strings.HasPrefix(v, "GPG_TTY=") })
	newProcessGroup(cmd)
	out, stderr := &capture{limit: maxOutput}, &capture{limit: maxOutput, tail: true}
	defer out.wipe()
	defer stderr.wipe()
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, stderr, outputGrace
	err := cmd.Run()
	killGroup(cmd)
	return c.parseOutput(cmd, cmp.Or(ctx.Err(), err), out, stderr)
}

// Interactive sets no time limit: the person at the terminal can stop the command. The command
// stays in the terminal's process group, since the terminal would stop it otherwise.
func (c *command) Interactive(string) (*exec.Cmd, func() (Key, error)) {
	cmd := exec.Command(c.words[0], c.words[1:]...)
	cmd.Env = childEnv()
	out := &capture{limit: maxOutput}
	cmd.Stdout, cmd.WaitDelay = out, outputGrace
	return cmd, func() (Key, error) {
		defer out.wipe()
		return c.parseOutput(cmd, cmd.Err, out, &capture{})
	}
}

// parseOutput returns the key that a finished command printed, or the reason why there is
// none.
func (c *command) parseOutput(cmd *exec.Cmd, err error, out, stderr *capture) (Key, error) {
	trouble := func(kind error, what, fix string) (Key, error) {
		return Key{}, &Problem{Kind: kind, Message: what, Hint: fix, stderr: out.safeStderr(stderr)}
	}
	switch state := cmd.ProcessState; {
	case errors.Is(err, context.DeadlineExceeded):
		return trouble(ErrTimeout, fmt.Sprintf("the key command did not finish within %v", c.limit),
			"it may be waiting for a passphrase: run it with the terminal")
	case errors.Is(err, context.Canceled):
		return Key{}, fmt.Errorf("waiting for the key command was cancelled: %w", err)
	case state == nil && (errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)):
		return trouble(ErrNoProgram, "there is no program "+c.words[0]+" on this host", "install it, or correct key_command in the profile")
	case state == nil:
		return trouble(ErrNoProgram, "the program "+c.words[0]+" cannot be run", "check that it is executable, or correct key_command in the profile")
	case !state.Exited():
		return trouble(ErrFailed, "the key command was killed by a signal", "run it with the terminal")
	case !state.Success():
		return trouble(ErrFailed, fmt.Sprintf("the key command failed with exit code %d", state.ExitCode()), "it may need to prompt you: run it with the terminal")
	}
	line, _, _ := bytes.Cut(out.b, []byte("\n"))
	if len(bytes.TrimSpace(line)) == 0 {
		return trouble(ErrEmpty, "the first line that the key command printed is empty", "run it by hand to see what it prints")
	}
	k, err := readKey(line)
	if err != nil {
		return trouble(ErrNotAKey, "the first line that the key command printed is not a secret key: "+err.Error(), "")
	}
	return k, nil
}

func (*command) Set(context.Context, string, Key) error {
	return problem(ErrReadOnly, "the key of this profile is kept by its key command", "store it with the program that the command calls")
}

func (*command) Delete(context.Context, string) error {
	return problem(ErrReadOnly, "the key of this profile is kept by its key command", "remove it with the program that the command calls")
}

// capture keeps the first or last bytes that a program prints and discards the rest, so that
// the program never blocks.
type capture struct {
	limit int
	tail  bool
	b     []byte
}

func (p *capture) Write(b []byte) (int, error) {
	n := len(b)
	if p.tail {
		b = b[max(0, len(b)-p.limit):]
		drop := max(0, len(p.b)+len(b)-p.limit)
		p.b = append(p.b[:0], p.b[drop:]...)
	}
	p.b = append(p.b, b[:min(len(b), p.limit-len(p.b))]...)
	return n, nil
}

func (p *capture) wipe() {
	clear(p.b[:cap(p.b)])
	p.b = nil
}

// safeStderr returns the last line of stderr, or "" if that line repeats a word of the
// standard output, which may be the key.
func (p *capture) safeStderr(stderr *capture) string {
	line := lastLine(stderr.b)
	for word := range bytes.FieldsSeq(p.b) {
		if len(word) >= minKey && strings.Contains(line, string(word)) {
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
