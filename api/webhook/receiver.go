package webhook

import (
	"context"
	"errors"
	"net/http"
)

// DefaultAddress is where webhooks are received unless the profile or the command names another address.
const DefaultAddress = "127.0.0.1:8425"

// ReceiverOptions say where webhooks are received and what becomes of them.
type ReceiverOptions struct {
	Address    string // host:port; port 0 chooses a free one
	AnyAddress bool   // allow an address that is not loopback
	Path       string // the secret path: see [Path]
	// Keep stores a delivery; nil means that it is durable. It is called from many goroutines.
	Keep func(ctx context.Context, h http.Header, body []byte) error
}

// Counts are what a receiver did since it was started.
type Counts struct {
	Kept     int64 // answered 200
	Rejected int64 // not stored because of what the request was: path, method, size, rate
	Failed   int64 // answered 503: could not be stored
}

// A Receiver is an HTTP server for webhooks.
type Receiver struct{}

// ErrNotLoopback is the error of an address that others can reach, without AnyAddress.
var ErrNotLoopback = errors.New("the address is not a loopback address")

// An InUse is the error of an address that another program listens on.
type InUse struct {
	Address string
	Ours    bool // it is a receiver of paydesk with the same path
}

// Error says what listens there.
func (e *InUse) Error() string { return e.Address + " is in use" }

// Listen starts a receiver. It ends with ctx or with Close.
func Listen(ctx context.Context, o ReceiverOptions) (*Receiver, error) { return nil, errBusy }

// URL is where webhooks are to be posted, with the secret path.
func (r *Receiver) URL() string { return "" }

// Counts are what the receiver did so far.
func (r *Receiver) Counts() Counts { return Counts{} }

// Close ends the receiver. Requests under way are answered first, for at most five seconds.
func (r *Receiver) Close() error { return nil }

// Path is the secret path of a profile, "/hooks/" and 26 letters and digits. It is made at first use and kept in the folder;
// without a folder it is another one each time.
func Path(dir, profile string) (string, error) { return "", errBusy }

// A Listener is what a probe found at an address.
type Listener uint8

// What may listen.
const (
	Nothing Listener = iota // nothing answers
	Ours                    // a receiver of paydesk with this path
	Other                   // something else
)

// Probe finds out what listens at a receiver's URL, by a GET that stores nothing.
func Probe(ctx context.Context, url string) Listener { return Nothing }

// TunnelLine is the command that lets a host which can be reached pass webhooks on to a receiver here, through SSH.
func TunnelLine(address, host string) string { return "" }
