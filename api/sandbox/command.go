package sandbox

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"strconv"
	"strings"
	"time"
)

const commandUsage = `paydesk sandbox serves the payment service from memory, for any program to use.

  --listen ADDRESS         listen address (default 127.0.0.1:8099; port 0 picks a free one)
  --key KEY                the secret key it accepts (default: a random one)
  --seed N                 makes ids, references and rows reproducible (default 0)
  --transactions N         seeded transactions (default 1204)
  --settle DURATION        how long a payment takes to settle (default 5s)
  --webhook URL            where webhooks are sent (default: none are sent)
  --insecure-any-address   allow an address that other machines can reach
  --assumptions            print what it does where the specification is silent, and exit

It prints one line when it is ready, then one line per request. SIGTERM stops it.
`

type commandLine struct {
	options     Options
	address     string
	assumptions bool
}

// Command serves a sandbox until ctx ends. It returns the exit code: 0 for success, 1 for a
// failure, 2 for invalid arguments.
func Command(ctx context.Context, args []string, out, complaints io.Writer) int {
	line, err := readCommandLine(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(out, commandUsage)
		return 0
	case err != nil:
		printError(complaints, err)
		return 2
	case line.assumptions:
		if WriteAssumptions(out) != nil {
			return 1
		}
		return 0
	}
	lines := log.New(out, "", 0) // safe for concurrent use
	line.options.Log = func(line string) { lines.Print(line) }
	s := New(line.options)
	server, err := s.Listen(ctx, line.address)
	if err != nil {
		printError(complaints, err)
		return 1
	}
	defer server.Close()
	line.options.Log(readyLine(server.Origin(), s.Key()))
	<-ctx.Done()
	return 0
}

// printError prints an error. Its text can quote an argument, so everything but printable
// ASCII is escaped: raw input must not reach the terminal.
func printError(w io.Writer, err error) {
	words := strconv.QuoteToASCII(err.Error())
	fmt.Fprintln(w, "paydesk sandbox:", strings.ReplaceAll(words[1:len(words)-1], `\"`, `"`))
}

// readyLine is the first line of output. Programs that start a sandbox read the port and
// the key from it.
func readyLine(origin, key string) string {
	return "listening on " + origin + "  key " + key +
		"  links " + origin + linkPath + "ALIAS  controls " + origin + controlPath
}

// errUnknownOption does not name the option, so that a key typed in the wrong place is not
// printed.
var errUnknownOption = errors.New("invalid option or value; see paydesk sandbox --help")

// readCommandLine parses the arguments. Its errors never quote an argument, which may be
// a key.
func readCommandLine(args []string) (commandLine, error) {
	c := commandLine{options: Options{Transactions: 1_204, Settle: defaultSettle}}
	f := flag.NewFlagSet("sandbox", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&c.address, "listen", "127.0.0.1:8099", "")
	f.StringVar(&c.options.Key, "key", "", "")
	f.Uint64Var(&c.options.Seed, "seed", 0, "")
	f.IntVar(&c.options.Transactions, "transactions", c.options.Transactions, "")
	f.DurationVar(&c.options.Settle, "settle", c.options.Settle, "")
	f.StringVar(&c.options.Webhook, "webhook", "", "")
	f.BoolVar(&c.options.AnyAddress, "insecure-any-address", false, "")
	f.BoolVar(&c.assumptions, "assumptions", false, "")
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return c, err
	case err != nil || f.NArg() > 0:
		return c, errUnknownOption
	case c.options.Transactions < 0 || c.options.Transactions > 10_000_000:
		return c, errors.New("--transactions must be a number from 0 to 10000000")
	case c.options.Settle < time.Millisecond:
		return c, errors.New("--settle must be a positive duration, such as 5s")
	case !plainASCII(c.options.Key):
		return c, errors.New("--key must be printable ASCII without spaces")
	}
	return c, nil
}
