// Package keystore gets the secret key of a profile from where the profile says it
// is, and keeps the profiles in a TOML file.
//
// # The key
//
// A [Key] cannot be printed, logged or marshalled: only [Key.Expose] gives it,
// and a search for that word finds every place that has it. Each profile names one
// source, and [Sources] gives its [Store]: the keyring ([Open]), the first line that
// a command prints, a private file, a file behind a passphrase, the environment
// ([FromEnv]), or what was typed for this run. The demo and tests keep theirs in
// memory ([NewMemory]). No source stands in for another: when the chosen one has no
// key the error says why, most as a [Problem] with what to do, and a person decides
// (R71). The key is never an argument (R73), and is written to a readable file only
// after a yes ([Plainly]).
//
// # The keyring
//
// On Linux the keyring is asked over D-Bus. Asking without a bus would start one
// with dbus-launch, and a locked keyring can show a prompt that nobody sees, for
// ever. So there is a guard (R70): bus.go looks for a living bus before any
// call, and keyring.go limits how long one is waited for.
//
// # The profiles
//
//	default = "test"
//	[profiles.test]
//	environment = "test"                      # test or live
//	base_url    = "https://payments.example"  # the payment endpoints
//	list_url    = "https://sandbox.example"   # the list endpoint
//	# optional, defaults shown
//	key               = "keyring"             # keyring, command, file, age, env or ask
//	key_command       = []                    # of command: ["pass", "show", "paydesk/test"]
//	key_file          = ""                    # of file: a path or $CREDENTIALS_DIRECTORY/NAME; of age: NAME.age beside this file
//	allow_env_key     = false                 # take a live key from PAYDESK_SECRET_KEY
//	key_header        = "X-Api"
//	authenticate_path = "/api/payment/pay/get-auth-3ds?referenceId={reference}"
//	status_path       = "/api/payment/transactions/{reference}"
//	send_reference    = false                 # send a reference of our own at initiation
//	journal           = "on"                  # or off, for test alone
//	allow_card_entry  = false                 # type cards for live payments
//	unlock_minutes    = 15                    # of live sending, 1 to 480
//	idle_lock         = 0                     # minutes, to 480; 0 is never
//	ca_file           = ""                    # certificates to trust besides those of the system
//
// [Load] reports everything that is wrong with the file at once, with its lines,
// and never quotes a value, since the value may be a key in the wrong place.
package keystore

import (
	"context"
	"errors"
	"time"
)

// Service is the name under which the keyring keeps the keys; the user is the
// profile's name.
const Service = "paydesk"

// How long a keyring is waited for (R70): a probe must not delay the first
// screen, and a person needs time to type the keyring's password.
const (
	ProbeLimit  = 3 * time.Second
	ActionLimit = 60 * time.Second
)

// The distinct ways in which a keyring does not give or keep a key, besides
// [ErrNotFound].
var (
	ErrNoKeyring = errors.New("there is no keyring on this host")
	ErrLocked    = errors.New("the keyring is locked")
	// ErrTimeout is that of commands too, which word it themselves.
	ErrTimeout = errors.New("the keyring did not answer in time")
	// ErrUnchanged is a success that was none: a dismissed prompt looks like one.
	ErrUnchanged = errors.New("the keyring did not make the change")
)

// A Store keeps one key for each profile. Calls may block up to their limits; make
// them off the event loop.
type Store interface {
	Get(ctx context.Context, profile string) (Key, error)
	Set(ctx context.Context, profile string, k Key) error
	Delete(ctx context.Context, profile string) error
	// Name is the word for the header: "keyring", "command", "file", "age", "env",
	// "this run", "demo".
	Name() string
}
