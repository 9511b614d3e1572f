package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"paydesk/api/httpserver"
)

// Limits of the server.
const (
	maxHeaderBytes = 16 << 10
	closeTimeout   = 2 * time.Second
)

// ErrNotLoopback reports that other machines could reach the listen address, and
// Options.AnyAddress is not set.
var ErrNotLoopback = errors.New("the listen address must be a loopback address, such as 127.0.0.1:8099")

// A Server is a sandbox that is listening.
type Server struct {
	sandbox *Sandbox
	origin  string
	server  *httpserver.Server
}

// Listen serves the sandbox at an address such as "127.0.0.1:0" until ctx ends or the
// server is closed, and sets its origin. The address must be a loopback address, unless
// Options.AnyAddress is set. Closing the server also stops webhooks, and ends faults that keep a client waiting.
func (s *Sandbox) Listen(ctx context.Context, address string) (*Server, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(host, "localhost") { // whatever the system's file of hosts says of it
		host = "127.0.0.1"
	}
	if ip, err := netip.ParseAddr(host); !s.options.AnyAddress && (err != nil || !ip.IsLoopback()) {
		return nil, ErrNotLoopback
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	v := &Server{sandbox: s, origin: "http://" + httpserver.Host(listener.Addr())}
	s.SetOrigin(v.origin)
	v.server = httpserver.Start(listener, &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    maxHeaderBytes,
	}, closeTimeout)
	context.AfterFunc(ctx, func() { v.Close() })
	return v, nil
}

// Origin is the server's URL, such as "http://127.0.0.1:8099".
func (v *Server) Origin() string { return v.origin }

// Close stops the server. Requests in progress get 2 s to finish. It may run twice: the end
// of Listen's context closes the server too.
func (v *Server) Close() error {
	defer v.sandbox.Close()
	return v.server.Close()
}

// A Command serves a sandbox to other programs.
type Command struct {
	Options
	Address  string   // to listen on
	Webhooks []string // URLs that events are sent to
	// Ready, unless nil, is called instead of printing the first line: with where the sandbox listens, its key, and where its
	// links and controls are.
	Ready func(origin, key, links, controls string)
}

// NewCommand returns a command with the default options.
func NewCommand() *Command {
	return &Command{Options: Options{Transactions: 1_204, Settle: defaultSettle}, Address: "127.0.0.1:8099"}
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

// Serve serves the sandbox until ctx ends. It prints one line when it is ready, then one per request; where the
// first cannot be printed, it ends.
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
	if err := s.SetWebhooks(c.Webhooks); err != nil {
		return err
	}
	// Programs that start a sandbox read the port and the key from the first line.
	links, controls := server.origin+linkPath+"ALIAS", server.origin+controlPath
	if c.Ready != nil {
		c.Ready(server.origin, s.Key(), links, controls)
	} else {
		err = lines.Output(0, "listening on "+server.origin+"  key "+s.Key()+"  links "+links+"  controls "+controls)
	}
	if err == nil {
		<-ctx.Done()
	}
	return err
}

// A loggedWriter records what the log says about a request.
type loggedWriter struct {
	http.ResponseWriter
	request *http.Request
	started time.Time
	fault   string
	status  int // 0 before the response
}

// WriteHeader records the status.
func (w *loggedWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets [http.ResponseController] reach the connection.
func (w *loggedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// writeLine writes the line when the request has ended, also when a fault dropped its
// connection. Nothing from the request itself is in it: the path is a template.
func (w *loggedWriter) writeLine(log func(string)) {
	if log == nil {
		return
	}
	status := "-"
	if w.status != 0 {
		status = strconv.Itoa(w.status)
	}
	took := time.Since(w.started).Round(time.Microsecond).String()
	method, path := knownMethod(w.request.Method), template(w.request.URL.Path)
	words := []string{w.started.Format("15:04:05.000"), method, path, status, took}
	if w.fault != "" {
		words = append(words, "fault "+w.fault)
	}
	log(strings.Join(words, " "))
}

// knownMethod returns OTHER for an unusual method, which could contain any text.
func knownMethod(method string) string {
	known := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	if slices.Contains(known, method) {
		return method
	}
	return "OTHER"
}

// template is a path with placeholders for its variable parts.
func template(path string) string {
	switch {
	case strings.HasPrefix(path, bankPath):
		return bankPath + "{reference}"
	case strings.HasPrefix(path, linkPath):
		return linkPath + "{alias}"
	case strings.HasPrefix(path, controlPath):
		for _, call := range controlCalls() {
			if _, is := call.match(path); is {
				return call.Path
			}
		}
		return controlPath + "(nothing here)"
	}
	op, _ := findOperation(path)
	return cmp.Or(op.path, "(nothing here)")
}
