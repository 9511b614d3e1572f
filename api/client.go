package api

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// A Secret holds the secret key. Only the transport calls Expose.
type Secret interface{ Expose() string }

// Defaults for what the specification leaves open, as the service was observed to work.
const (
	defaultKeyHeader        = "X-Api"
	defaultAuthenticatePath = "/api/payment/pay/get-auth-3ds?referenceId={reference}"
	defaultStatusPath       = "/api/payment/transactions/{reference}"
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
	// SendReference sends our own reference with an initiation. The specification does not mention
	// one, but the service accepts it.
	SendReference bool
	UserAgent     string
	// CAFile is a PEM file of certificates to trust in addition to those of the system.
	CAFile string
	// Retries is how often a GET is retried after a transient failure: 0 means 2, a negative number
	// means never. A POST is never retried.
	Retries int
	// Transport replaces the network in tests with fake time. It must call httptrace's GotConn as a
	// network would.
	Transport http.RoundTripper
}

// A Client talks to one service with one key. It is safe for concurrent use.
type Client struct {
	base, list    *url.URL // the only origins that receive the key
	key           Secret
	keyHeader     string
	authenticate  path
	status        path
	sendReference bool
	agent         string
	reads         *http.Client
	posts         *http.Client // all POSTs, including channel validation
	retries       int
	budget        budget
}

// New validates c and returns a client; it sends nothing. Its errors quote nothing of c.
func New(c Config) (*Client, error) {
	base, err := parseOrigin(c.BaseURL)
	if err != nil {
		return nil, errors.New("the service URL: " + err.Error())
	}
	list, err := parseOrigin(c.ListURL)
	if err != nil {
		return nil, errors.New("the list URL: " + err.Error())
	}
	if c.Key == nil || !isVisibleASCII(c.Key.Expose()) {
		return nil, errors.New("the secret key is missing or contains characters other than visible ASCII")
	}
	header := cmp.Or(c.KeyHeader, defaultKeyHeader)
	if err := checkKeyHeader(header); err != nil {
		return nil, err
	}
	authenticate, err := parsePath(cmp.Or(c.AuthenticatePath, defaultAuthenticatePath))
	if err != nil {
		return nil, errors.New("the authentication path: " + err.Error())
	}
	status, err := parsePath(cmp.Or(c.StatusPath, defaultStatusPath))
	if err != nil {
		return nil, errors.New("the status path: " + err.Error())
	}
	agent := cmp.Or(c.UserAgent, defaultAgent)
	if !isVisibleASCII(strings.ReplaceAll(agent, " ", "")) {
		return nil, errors.New("the user agent contains characters other than visible ASCII")
	}
	retries := c.Retries
	if retries == 0 {
		retries = 2
	}
	reads, posts := clients(c)
	return &Client{
		base: base, list: list, key: c.Key, keyHeader: header,
		authenticate: authenticate, status: status,
		sendReference: c.SendReference, agent: agent,
		reads: reads, posts: posts, retries: max(retries, 0),
	}, nil
}

// Close closes idle connections.
func (c *Client) Close() {
	c.reads.CloseIdleConnections()
	c.posts.CloseIdleConnections()
}

// checkKeyHeader rejects invalid header names and those that would change how a request is sent:
// Go's transport repeats a POST by itself when it carries an idempotency key.
func checkKeyHeader(name string) error {
	switch strings.ToLower(name) {
	case "idempotency-key", "x-idempotency-key", "host", "content-length", "content-type", "content-encoding",
		"transfer-encoding", "connection", "accept", "accept-encoding", "user-agent", "trailer", "upgrade", "te", "expect", "cookie":
		return errors.New("the key header must not be a standard HTTP header")
	}
	if !isToken(name, 64, "!#$%&'*+-.^_`|~") {
		return errors.New("the key header is not a valid header name")
	}
	return nil
}

// isVisibleASCII reports whether s is not empty and consists of visible ASCII characters.
func isVisibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}
