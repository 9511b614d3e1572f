// Package keystore reads the secret key of a profile from its source, and keeps each
// profile in a small TOML file.
//
// # The key
//
// A [Key] cannot be printed, logged or marshalled. Only [Key.Expose] returns its text, so a
// search for that name finds every use. A profile names one source, and [Sources] returns
// its [Store]: the keyring, the first line that a command prints, a private file,
// an age file with a passphrase, the environment ([FromEnv]), or what was typed during this
// run. The demo and tests keep keys in memory ([NewMemory]).
//
// No source replaces another: if the chosen one has no key, the error says why, most as a
// [Problem] with a hint, and a person decides. A key is never a command line argument, which
// every user of the host could read, and paydesk never writes it to a readable file.
//
// # The address of a key
//
// A key in the keyring or a sealed file is stored with the origins that it was given for. A profile
// that would send it elsewhere gets an [Elsewhere] instead of the key, until a person has agreed. The
// other sources are named by the configuration, which is read only if no other user can change it.
//
// A key whose prefix says neither test nor live is confirmed once by a person; [Confirmed] remembers it by
// a fingerprint.
//
// # The keyring
//
// On Linux the keyring is a service on D-Bus. Without a bus the library would start one with
// dbus-launch, and a locked keyring can show a prompt out of sight, forever. So bus.go
// looks for a running bus before any call, and keyring.go limits the wait.
//
// # The configuration
//
//	paydesk/
//	  config.toml          # optional; only people write it
//	  default              # the name of the default profile
//	  profiles/test.toml   # a profile; written as a whole
//	  test.age             # its key, where it is sealed with a passphrase
//
// A profile:
//
//	environment = "test"                      # test or live
//	base_url    = "https://payments.example"  # the payment endpoints
//	list_url    = "https://sandbox.example"   # the list endpoint
//	# optional, defaults shown
//	key               = "keyring"             # keyring, command, file, age, env or ask
//	key_command       = []                    # for command: ["pass", "show", "paydesk/test"]
//	key_file          = ""                    # for file: a path or $CREDENTIALS_DIRECTORY/NAME; for age: NAME.age beside config.toml
//	allow_env_key     = false                 # take a live key from PAYDESK_SECRET_KEY
//	key_header        = "X-Api"
//	authenticate_path = "/api/payment/pay/get-auth-3ds?referenceId={reference}"
//	status_path       = "/api/payment/transactions/{reference}"
//	send_reference    = false                 # send our own reference at initiation
//	journal           = "on"                  # or "off", for test only
//	mirror            = "200 MB"              # how large the memory of the list may become, or "off"
//	allow_card_entry  = false                 # type cards for live payments
//	unlock_minutes    = 15                    # how long live sending stays unlocked, 1 to 480
//	idle_lock         = 0                     # minutes until the screen is hidden, up to 480; 0 is never
//	ca_file           = ""                    # certificates to trust besides those of the system
//	webhook_listen    = ""                    # where the console receives webhooks: "127.0.0.1:8425"
//	webhook_any_address = false               # receive them at an address that other machines can reach
//	webhook_targets   = []                    # where events may be passed on to beyond this machine
//	webhook_limit     = "50 MB"               # how large the file of the events may become
//
// Settings for all profiles, in config.toml:
//
//	time_zone = "local"            # or UTC, or one such as Europe/London
//	[journal]
//	keep_days        = 90          # how long what was done is kept
//	store            = "sqlite"    # a file, or "postgres": a database that a team shares
//	url              = ""          # of the database: "postgres://paydesk@db.example/payments", without a password
//	schema           = ""          # of the team; "" is paydesk
//	password_command = []          # prints the password, as a key command prints a key
//	key_file         = ""          # has the key of the team's hashes; "" is journal.key beside config.toml
//
// [Folder.Load] reports all errors of the files at once, with their lines. It never quotes a value,
// because the value may be a key in the wrong place.
//
// # The doctor
//
// An [Examination] checks step by step what works on this host, and changes nothing. doctor.go has the checks in their
// order, and the report as text; doctorhost.go the checks of this host: the configuration, the folders, the way to the
// keyring, the source of the key; doctorservice.go those of the service: can its origins be reached, is their
// TLS valid, is our clock right, is the key accepted, and in which header; doctorpaths.go those of the two paths that the
// specification leaves open.
package keystore

import (
	"context"
	"errors"
	"time"
)

// Service is the service name of paydesk's entries in the keyring; the user name is the name
// of the profile.
const Service = "paydesk"

// Time limits of a keyring call: a probe must not delay the first screen, but a person needs
// time to type the keyring's password.
const (
	probeLimit  = 3 * time.Second
	actionLimit = 60 * time.Second
)

// The kinds of keyring errors, besides [ErrNotFound].
var (
	ErrNoKeyring = errors.New("there is no keyring on this host")
	ErrLocked    = errors.New("the keyring is locked")
	// ErrTimeout is also the kind of a key command that takes too long.
	ErrTimeout = errors.New("the keyring did not answer in time")
	// ErrUnchanged is a reported success without effect, as after a dismissed prompt.
	ErrUnchanged = errors.New("the keyring did not make the change")
)

// A Store keeps one key for each profile. Calls may block up to their limits, so make them off
// the event loop. Set and Delete change nothing where their context has ended before.
type Store interface {
	Get(ctx context.Context, profile string) (Key, error)
	Set(ctx context.Context, profile string, k Key) error
	Delete(ctx context.Context, profile string) error
	// Name is the source as the header shows it: "keyring", "command", "file", "age", "env",
	// "this run", "demo".
	Name() string
}
