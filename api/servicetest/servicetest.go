// Package servicetest tests the layers in front of a service: whether each operation passes or is
// blocked, as the table of operations says. It has a key and a network for the clients of tests.
package servicetest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"reflect"
	"sync"

	"paydesk/api"
	"paydesk/api/money"
)

// A Key is a secret key.
type Key string

// Expose implements [api.Secret].
func (k Key) Expose() string { return string(k) }

// A Network takes requests to a service in this process, without sockets.
type Network struct{ http.Handler }

// RoundTrip implements [http.RoundTripper].
func (n Network) RoundTrip(r *http.Request) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	w := httptest.NewRecorder()
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "127.0.0.1:50000", r.URL.Host
	if in.Body == nil {
		in.Body = http.NoBody
	}
	n.ServeHTTP(w, in)
	return w.Result(), nil
}

// A Counter is a service that counts calls and returns zero values. It is safe for concurrent use.
type Counter struct {
	Err   error // of every call
	mu    sync.Mutex
	calls map[api.Operation]int
}

var _ api.Service = (*Counter)(nil)

// Calls returns how often an operation was called.
func (c *Counter) Calls(op api.Operation) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[op]
}

func (c *Counter) count(op api.Operation) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls == nil {
		c.calls = map[api.Operation]int{}
	}
	c.calls[op]++
	return c.Err
}

// Initiate implements [api.Service].
func (c *Counter) Initiate(context.Context, api.Initiation) (api.Payment, error) {
	return api.Payment{}, c.count(api.OpInitiate)
}

// CreateLink implements [api.Service].
func (c *Counter) CreateLink(context.Context, api.LinkDraft) (api.Link, error) {
	return api.Link{}, c.count(api.OpCreateLink)
}

// ValidateChannels implements [api.Service].
func (c *Counter) ValidateChannels(context.Context, money.Amount, ...string) (api.Channels, error) {
	return api.Channels{}, c.count(api.OpValidateChannels)
}

// Authenticate implements [api.Service].
func (c *Counter) Authenticate(context.Context, api.Reference) (api.Authentication, error) {
	return api.Authentication{}, c.count(api.OpAuthenticate)
}

// Finalize implements [api.Service].
func (c *Counter) Finalize(context.Context, api.Reference) (api.Finalization, error) {
	return api.Finalization{}, c.count(api.OpFinalize)
}

// Transaction implements [api.Service].
func (c *Counter) Transaction(context.Context, api.Reference) (api.PaymentStatus, error) {
	return api.PaymentStatus{}, c.count(api.OpTransaction)
}

// Transactions implements [api.Service].
func (c *Counter) Transactions(context.Context, int, int) (api.Page, error) {
	return api.Page{}, c.count(api.OpTransactions)
}

// Operations lists the methods of [api.Service], with or without a rule.
func Operations() (all []api.Operation) {
	for m := range reflect.TypeFor[api.Service]().Methods() {
		all = append(all, api.Operation(m.Name))
	}
	return all
}

// Call calls an operation of s with ctx and otherwise zero arguments, and returns its error.
func Call(ctx context.Context, s api.Service, op api.Operation) error {
	method := reflect.ValueOf(s).MethodByName(string(op))
	var in []reflect.Value
	for i := range method.Type().NumIn() {
		if method.Type().IsVariadic() && i == method.Type().NumIn()-1 {
			break
		}
		if t := method.Type().In(i); t == reflect.TypeFor[context.Context]() {
			in = append(in, reflect.ValueOf(ctx))
		} else {
			in = append(in, reflect.Zero(t))
		}
	}
	out := method.Call(in)
	err, _ := out[len(out)-1].Interface().(error)
	return err
}
