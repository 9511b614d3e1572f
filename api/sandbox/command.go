package sandbox

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

const commandUsage = `paydesk sandbox serves the whole service to any program, in memory.

  --listen ADDRESS         where (default 127.0.0.1:8099; port 0 takes a free one)
  --key KEY                the secret key it accepts (default: one is made up)
  --seed N                 makes ids, references and rows repeatable (default 0)
  --transactions N         rows in the list (default 1204)
  --settle DURATION        how long a payment takes to settle (default 5s)
  --webhook URL            where events are sent (default nowhere)
  --insecure-any-address   let it listen where others can reach it
  --assumptions            print what it does that the specification does not show, and end

It prints one line when it is ready, and then a line about each request. SIGTERM ends it.
`

// commandLine is the command line of the sandbox.
type commandLine struct {
	options     Options
	address     string
	assumptions bool
}

// Command serves a sandbox as the command line says, until ctx ends. It returns the
// exit code: 0 ended, 1 failed, 2 wrong arguments.
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
	line.options.Log = lineWriter(out)
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

// printError says what is wrong. An error can quote an address as it was given, so all of it
// that is not printable ASCII is escaped (R9).
func printError(w io.Writer, err error) {
	words := strconv.QuoteToASCII(err.Error())
	fmt.Fprintln(w, "paydesk sandbox:", strings.ReplaceAll(words[1:len(words)-1], `\"`, `"`))
}

// readyLine is the one line that says where everything is.
func readyLine(origin, key string) string {
	return "listening on " + origin + "  key " + key + "  links " + origin + linkPath + "ALIAS  controls " + origin + controlPath
}

// lineWriter writes a line at a time, whoever calls.
func lineWriter(out io.Writer) func(string) {
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(out, line)
	}
}

// errUnknownOption does not say which, so that a key that was typed in the wrong place
// is not printed.
var errUnknownOption = errors.New("one of these options or values is wrong; paydesk sandbox --help lists them")

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
		return c, errors.New("--transactions takes a number from 0 to 10000000")
	case c.options.Settle < time.Millisecond:
		return c, errors.New("--settle takes a duration above zero, such as 5s")
	case strings.ContainsFunc(c.options.Key, func(r rune) bool { return r < '!' || r > '~' }):
		return c, errors.New("--key takes printable characters without blanks")
	}
	return c, nil
}
