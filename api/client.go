package api

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"paydesk/api/card"
)

// A Secret holds the secret key. The transport calls Expose to send it, and the journal to recognise it.
type Secret interface{ Expose() string }

// Defaults for what the specification leaves open, as the service was observed to work.
const (
	DefaultKeyHeader        = "X-Api"
	DefaultAuthenticatePath = "/api/payment/pay/get-auth-3ds?referenceId=" + placeholder
	DefaultStatusPath       = "/api/payment/transactions/" + placeholder
	defaultAgent            = "paydesk"
)

// Config configures a client. Zero values mean the service's defaults.
type Config struct {
	BaseURL string // origin (and base path) of the payment endpoints
	ListURL string // origin of the list endpoint, {sandbox_url} in the specification
	Key     Secret
	// KeyHeader is the header that carries the key; "X-Api" by default (section 5).
	KeyHeader string
	// AuthenticatePath and StatusPath contain {reference} where the reference goes.
	AuthenticatePath string
	StatusPath       string
	UserAgent        string
	// CAFile is a PEM file of certificates to trust in addition to those of the system.
	CAFile string
	// Retries tells how often a GET is retried after a transient failure: 0 means 2, a negative number
	// means never. A POST is never retried.
	Retries int
	// Backoff is the wait before a GET is retried for the try-th time, from 0 on: nil means a random one of 0.5 to 8 s.
	Backoff func(try int) time.Duration
	// Observe receives every request once it has ended, from any goroutine; nil for none.
	Observe func(Exchange)
	// Transport replaces the network in tests with fake time. It must call httptrace's GotConn as a
	// network would.
	Transport http.RoundTripper
	// sessions are the TLS sessions of one client, for reads and POSTs: they lead to the same hosts.
	sessions tls.ClientSessionCache
}

// A Client talks to one service with one key. It is safe for concurrent use.
type Client struct {
	config     Config   // with its defaults
	base, list *url.URL // the only origins that receive the key
	reads      *http.Client
	posts      *http.Client // all POSTs, including channel validation
	budget     budget
	named      sync.Map     // references that look like card numbers, from the service
	sent       card.Numbers // by this client; no response may show it
	ahead      atomic.Int64 // of the service's clock, before ours, as a [time.Duration]
}

// New validates c and returns a client; it sends nothing. Its errors quote nothing of c.
func New(c Config) (*Client, error) {
	base, baseErr := ParseOrigin(c.BaseURL)
	list, listErr := ParseOrigin(c.ListURL)
	c.AuthenticatePath, c.StatusPath = cmp.Or(c.AuthenticatePath, DefaultAuthenticatePath), cmp.Or(c.StatusPath, DefaultStatusPath)
	c.KeyHeader, c.UserAgent = cmp.Or(c.KeyHeader, DefaultKeyHeader), cmp.Or(c.UserAgent, defaultAgent)
	authenticateErr, statusErr, headerErr := CheckPath(c.AuthenticatePath), CheckPath(c.StatusPath), CheckHeader(c.KeyHeader)
	switch {
	case baseErr != nil:
		return nil, errors.New("the service URL " + baseErr.Error())
	case listErr != nil:
		return nil, errors.New("the list URL " + listErr.Error())
	case c.Key == nil || !IsVisible(c.Key.Expose()):
		return nil, errors.New("the secret key is missing or contains characters other than visible ASCII")
	case card.Is(c.Key.Expose()):
		return nil, errors.New("this is a card number, not a secret key")
	case headerErr != nil:
		return nil, errors.New("the key header " + headerErr.Error())
	case authenticateErr != nil:
		return nil, errors.New("the authentication path " + authenticateErr.Error())
	case statusErr != nil:
		return nil, errors.New("the status path " + statusErr.Error())
	case !IsVisible(strings.ReplaceAll(c.UserAgent, " ", "")):
		return nil, errors.New("the user agent contains characters other than visible ASCII")
	}
	if c.Backoff == nil {
		c.Backoff = backoff
	}
	c.Retries = max(cmp.Or(c.Retries, 2), 0)
	c.sessions = tls.NewLRUClientSessionCache(2) // one per origin
	return &Client{
		config: c, base: base, list: list, reads: c.client(true), posts: c.client(false),
		budget: budget{used: map[string][]time.Time{}},
	}, nil
}

// Close closes idle connections.
func (c *Client) Close() {
	c.reads.CloseIdleConnections()
	c.posts.CloseIdleConnections()
}
