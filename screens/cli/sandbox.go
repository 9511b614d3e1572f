package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui/terminal"
)

// sandboxCommand serves the sandbox to other programs.
func (p *program) sandboxCommand() *cobra.Command {
	s, assumptions, scenario := sandbox.NewCommand(), false, ""
	c := &cobra.Command{
		Use: "sandbox", Short: "Serve the sandbox to other programs", Annotations: command.Takes("json"),
		Long: "It answers from memory. It prints a line when it is ready, then one per request. With --json the first is an object,\n" +
			"and the requests are on stderr. SIGTERM stops it.",
		Example: "  paydesk sandbox --listen 127.0.0.1:0 --seed 7 --settle 1s\n  paydesk sandbox --scenario lost-answer.toml",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.Check(); err != nil {
				return command.WrongBy(err)
			}
			if scenario != "" {
				var err error
				if s.Scenario, err = readScenario(scenario); err != nil {
					return err
				}
			}
			if assumptions {
				return sandbox.WriteAssumptions(p.Stdout())
			}
			return p.serve(c.Context(), s)
		},
	}
	f := c.Flags()
	f.StringVar(&s.Address, "listen", s.Address, "the `ADDRESS` to listen on; port 0 picks a free one")
	f.StringVar(&s.Key, "key", "", "the secret `KEY` it accepts; a random one by default")
	f.Uint64Var(&s.Seed, "seed", 0, "make ids, references and rows reproducible, by a `NUMBER`")
	f.IntVar(&s.Transactions, "transactions", s.Transactions, "the `NUMBER` of seeded transactions")
	f.DurationVar(&s.Settle, "settle", s.Settle, "the `TIME` that a payment takes to settle")
	f.StringArrayVar(&s.Webhooks, "webhook", nil, "send webhooks to this `URL`; may be repeated, up to 8 times")
	f.BoolVar(&s.AnyAddress, "insecure-any-address", false, "allow an address that other machines can reach")
	f.StringVar(&scenario, "scenario", "", "the `FILE` that says which call meets which fault or status (paydesk help sandbox)")
	f.BoolVar(&assumptions, "assumptions", false, "print what it does where the specification is silent, and exit")
	return c
}

// readScenario reads a scenario, which says what is wrong with it by its line.
func readScenario(path string) (*sandbox.Scenario, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, command.Unreadable(path, err)
	}
	c := &sandbox.Scenario{}
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(c); {
	case errors.As(err, &unknown):
		line, _ := unknown.Errors[0].Position()
		return nil, command.Wrong(fmt.Sprintf("%s:%d: expected clock, seed, settle, transactions, [switches], or [[on]] with call, time, fault and status", path, line))
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		return nil, command.Wrong(fmt.Sprintf("%s:%d: %s", path, line, strings.TrimPrefix(wrong.Error(), "toml: ")))
	case err != nil:
		return nil, command.Wrong(path + ": " + err.Error())
	}
	if err := c.Check(); err != nil {
		return nil, command.Wrong(path + ": " + err.Error())
	}
	return c, nil
}

// serve serves a sandbox until it is stopped.
func (p *program) serve(ctx context.Context, s *sandbox.Command) error {
	p.Stop.Release()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	terminal.ExitOnDump()
	lines := p.Out
	if p.Global.JSON { // stdout has objects alone
		lines, s.Ready = p.Err, func(origin, key, links, controls string) {
			p.Data.Object(output.Sandbox{Origin: origin, Key: key, Links: links, Controls: controls})
		}
	}
	err := s.Serve(ctx, lines)
	switch {
	case errors.As(err, new(*fs.PathError)): // its address could not be printed
		p.Printed(0, err)
		return p.Unprinted
	case errors.As(err, new(*net.AddrError)), errors.As(err, new(*net.DNSError)):
		return command.Wrong("--listen: must be HOST:PORT with a port up to 65535, such as 127.0.0.1:8099")
	case err != nil && !errors.As(err, new(*net.OpError)):
		return command.WrongBy(err)
	}
	return command.Unlistenable(s.Address, err)
}

// openDemo returns the first screen of the demo.
func openDemo(env *screens.Deps) (nav.Route, error) {
	s := newSandbox()
	env.Sandbox, env.Tour = s.Controller(), true
	p, store, err := keepDemo(s)
	env.Store = func(keystore.Profile) keystore.Store { return store }
	env.ConfigPath, env.Confirmed = "", nil // the demo opens no profiles, so its key reaches no other service, and writes nothing
	return nav.Key{Profile: p}, err
}

// keepDemo serves the embedded sandbox, and returns its profile and where its key is: in memory, for this run only.
func keepDemo(s *sandbox.Sandbox) (keystore.Profile, keystore.Store, error) {
	store := keystore.NewMemory("demo")
	p, k, err := serveDemo(s)
	if err == nil {
		err = store.Set(context.Background(), p.Name, k)
	}
	return p, store, err
}

// plainDemo asks for commands against a sandbox inside the program. What they record is in a temporary folder, and ends with it.
func (p *program) plainDemo() error {
	s := newSandbox()
	of, store, err := keepDemo(s)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "paydesk-demo-")
	if err != nil {
		return command.Refuse(command.WhyFile, "The demo needs a temporary folder: "+present.FileProblem(err), "")
	}
	defer os.RemoveAll(folder)
	of.Environment, of.Source = keystore.Test, "ask" // "ask" stores no key
	if err := keystore.Folder(folder).Create(of); err != nil {
		return command.FileError(err)
	}
	p.Stores = func(string) func(keystore.Profile) keystore.Store {
		return func(keystore.Profile) keystore.Store { return store }
	}
	tree, getenv := p.Tree, p.Getenv
	p.Tree = func() *cobra.Command {
		root := tree()
		root.AddCommand(approveCommand(s))
		return root
	}
	p.Getenv = func(name string) string {
		if name == "XDG_CACHE_HOME" || name == "XDG_RUNTIME_DIR" { // where outcomes wait that the journal cannot take
			return filepath.Join(folder, name)
		}
		return getenv(name)
	}
	p.Global.Config, p.Global.Profile, p.Global.State = folder, of.Name, filepath.Join(folder, "state")
	return p.runPlain()
}

// approveCommand does the customer's part of a payment in the demo.
func approveCommand(s *sandbox.Sandbox) *cobra.Command {
	return &cobra.Command{
		Use: "approve REF", Short: "Approve a card payment of the demo, as the customer at their bank",
		GroupID: groupConsole, Annotations: command.Takes(),
		RunE: func(c *cobra.Command, args []string) error {
			_, err := s.Controller().Change(c.Context(), args[0], "approve")
			if err != nil {
				err = command.Refuse(command.WhyFailed, present.Sentence(err.Error()), "activity lists what was sent from here.")
			}
			return err
		},
	}
}

// newSandbox returns the embedded sandbox, which is not served yet.
func newSandbox() *sandbox.Sandbox {
	return sandbox.New(sandbox.Options{Transactions: 1_204, Seed: rand.Uint64()})
}

// serveDemo serves the embedded sandbox on a loopback port until the program ends.
func serveDemo(s *sandbox.Sandbox) (keystore.Profile, keystore.Key, error) {
	server, err := s.Listen(context.Background(), "127.0.0.1:0")
	if err != nil {
		return keystore.Profile{}, keystore.Key{}, err
	}
	k, err := keystore.ParseKey(s.Key())
	p := keystore.Profile{Name: "demo", Environment: keystore.Sandbox, BaseURL: server.Origin(), ListURL: server.Origin(), Source: "demo"}
	return p.WithDefaults(), k, err
}
