// Package inbound is what reaches us on loopback: the page that presents a
// challenge.
package inbound

import (
	"context"

	"paydesk/api"
)

// A Page is one challenge served once on 127.0.0.1 (R91).
type Page struct{}

// Present serves markup at an address nobody can guess, for one GET, until it was
// served, ten minutes have passed, ctx has ended or the page is closed.
func Present(ctx context.Context, m api.Markup) (*Page, error) { return nil, nil }

// Address is where the page is: "http://127.0.0.1:PORT/c/TOKEN".
func (p *Page) Address() string { return "" }

// Port is the port alone, for an ssh -L line.
func (p *Page) Port() int { return 0 }

// Done is closed when the page was served or is not to be had any more.
func (p *Page) Done() <-chan struct{} { return nil }

// Served reports whether the page was fetched.
func (p *Page) Served() bool { return false }

// Close ends it.
func (p *Page) Close() error { return nil }
