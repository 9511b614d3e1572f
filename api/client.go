package api

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// Secret gives the secret key to the transport and to nobody else.
type Secret interface{ Expose() string }

// What the facts page says of the gaps of the specification (section 4, rows 4 and
// 6; section 5, rule 4).
const (
	defaultKeyHeader        = "X-Api"
	defaultAuthenticatePath = "/api/payment/pay/get-auth-3ds?referenceId={reference}"
	defaultStatusPath       = "/api/payment/transactions/{reference}"
	defaultAgent            = "paydesk"
)

// Config is what a client needs. Zero values take the specification's and the
// facts page's defaults.
type Config struct {
	BaseURL string // origin (and base path) of the payment endpoints
	ListURL string // origin of the list endpoint, {sandbox_url} of the specification
	Key     Secret
	// KeyHeader is the header the key goes in; "X-Api" by default (section 5).
	KeyHeader string
	// AuthenticatePath and StatusPath hold {reference} where the reference goes.
	AuthenticatePath string
	StatusPath       string
	// SendReference sends a reference of our own at initiation (facts page; not
	// in the specification).
	SendReference bool
	UserAgent     string
	// CAFile holds certificates to trust besides those of the system, in PEM (R57).
	CAFile string
	// Retries is how often a GET is asked again when nobody answered (R56); 0 takes
	// the default of 2, a negative number means never. No POST is ever sent again.
	Retries int
	// Transport replaces the network, for tests that run in a bubble of fake
	// time. It must call httptrace's GotConn as a network would.
	Transport http.RoundTripper
}

// A Client speaks to one service with one key. It is safe for concurrent use.
type Client struct {
	base, list    *url.URL // the only places the key goes
	key           Secret
	keyHeader     string
	authenticate  path
	status        path
	sendReference bool
	agent         string
	reads         *http.Client
	posts         *http.Client // what moves money, and validation
	retries       int
	budget        budget
}

// New checks c and returns a client; it sends nothing. Its errors are plain
// sentences that quote nothing of c.
func New(c Config) (*Client, error) {
	base, err := parseOrigin(c.BaseURL)
	if err != nil {
		return nil, errors.New("the address of the service: " + err.Error())
	}
	list, err := parseOrigin(c.ListURL)
	if err != nil {
		return nil, errors.New("the address of the list: " + err.Error())
	}
	if c.Key == nil || !isVisibleASCII(c.Key.Expose()) {
		return nil, errors.New("the secret key is missing, or holds something other than visible ASCII characters")
	}
	header := cmp.Or(c.KeyHeader, defaultKeyHeader)
	if err := checkKeyHeader(header); err != nil {
		return nil, err
	}
	authenticate, err := parsePath(cmp.Or(c.AuthenticatePath, defaultAuthenticatePath))
	if err != nil {
		return nil, errors.New("the path of the authentication check: " + err.Error())
	}
	status, err := parsePath(cmp.Or(c.StatusPath, defaultStatusPath))
	if err != nil {
		return nil, errors.New("the path of the status: " + err.Error())
	}
	agent := cmp.Or(c.UserAgent, defaultAgent)
	if !isVisibleASCII(strings.ReplaceAll(agent, " ", "")) {
		return nil, errors.New("the user agent holds something other than visible ASCII characters")
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

// Close ends the connections that are kept for the next read.
func (c *Client) Close() {
	c.reads.CloseIdleConnections()
	c.posts.CloseIdleConnections()
}

// checkKeyHeader refuses names that are no header field, and those whose presence
// would change how a request is sent: Go's transport sends a POST with an
// idempotency key again by itself (R41).
func checkKeyHeader(name string) error {
	switch strings.ToLower(name) {
	case "idempotency-key", "x-idempotency-key", "host", "content-length", "content-type", "content-encoding",
		"transfer-encoding", "connection", "accept", "accept-encoding", "user-agent", "trailer", "upgrade", "te", "expect", "cookie":
		return errors.New("the key header has a name that means something else")
	}
	if !isToken(name, 64, "!#$%&'*+-.^_`|~") {
		return errors.New("the key header is no header name")
	}
	return nil
}

// isVisibleASCII reports whether s is visible ASCII and not empty.
func isVisibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}
