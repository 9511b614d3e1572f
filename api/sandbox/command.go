package sandbox

import (
	"context"
	"errors"
	"io"
	"log"
	"time"
)

// A Command serves a sandbox to other programs.
type Command struct {
	Options
	Address string // to listen on
}

// NewCommand returns a command with the default options.
func NewCommand() *Command {
	return &Command{Options{Transactions: 1_204, Settle: defaultSettle}, "127.0.0.1:8099"}
}

// Check checks the options. Its errors never quote one, which may be a key.
func (c *Command) Check() error {
	switch {
	case c.Transactions < 0 || c.Transactions > 10_000_000:
		return errors.New("--transactions must be a number from 0 to 10000000")
	case c.Settle < time.Millisecond:
		return errors.New("--settle must be a positive duration, such as 5s")
	case !plainASCII(c.Key):
		return errors.New("--key must be printable ASCII without spaces")
	}
	return nil
}

// Serve serves the sandbox until ctx ends. It prints one line when it is ready, then one line per request.
func (c *Command) Serve(ctx context.Context, out io.Writer) error {
	lines := log.New(out, "", 0) // safe for concurrent use
	o := c.Options
	o.Log = func(line string) { lines.Print(line) }
	s := New(o)
	server, err := s.Listen(ctx, c.Address)
	if err != nil {
		return err
	}
	defer server.Close()
	o.Log(readyLine(server.Origin(), s.Key()))
	<-ctx.Done()
	return nil
}

// readyLine is the first line of output. Programs that start a sandbox read the port and
// the key from it.
func readyLine(origin, key string) string {
	return "listening on " + origin + "  key " + key +
		"  links " + origin + linkPath + "ALIAS  controls " + origin + controlPath
}
