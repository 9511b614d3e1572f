package keystore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Environment is what a profile declares: test or live money.
type Environment string

// The environments. Sandbox is the embedded one of the demo; a file cannot name it.
const (
	Test    Environment = "test"
	Live    Environment = "live"
	Sandbox Environment = "sandbox"
)

// A Profile is the connection to a service and the source of its key.
type Profile struct {
	Name             string
	Environment      Environment
	BaseURL          string
	ListURL          string
	Source           string // one of SourceNames
	KeyCommand       Command
	KeyFile          string // for file and age; see KeyPath
	AllowEnvKey      bool   // allow a live key from the environment
	AllowCardEntry   bool   // allow typing cards on this host for live payments
	KeyHeader        string
	AuthenticatePath string
	StatusPath       string
	SendReference    bool
	Journal          string // "on" or "off"
	Mirror           string // "off", or how large the mirror of the list may become: "200 MB"; see MirrorLimit
	UnlockMinutes    int    // how long live sending stays unlocked, 1 to 480
	IdleLock         int    // minutes without input until the screen is hidden; 0 is never
	CAFile           string // certificates to trust in addition to those of the system

	WebhookListen     string  // host:port where webhooks are received; "" for the default of the command, and nowhere in the console
	WebhookAnyAddress bool    // allow an address for that which other machines can reach
	WebhookTargets    Targets // where events may be passed on to beyond this machine
	WebhookLimit      string  // how large the file of the events may become: "50 MB"; see EventsLimit
}

// A Config is the content of the configuration file.
type Config struct {
	Path     string
	Default  string
	KeepDays int // how long the journal keeps attempts
	Journal  Journal
	Profiles map[string]Profile
	TimeZone TimeZone
}

const defaultKeepDays = 90

// A TimeZone is the name of the zone of all times that are shown and written: "local", "UTC" or a name
// such as "Europe/London".
type TimeZone string

const localZone TimeZone = "local"

// Location returns the zone, which is that of the machine for "local".
func (z TimeZone) Location() (*time.Location, error) {
	switch z {
	case localZone:
		return time.Local, nil
	case "", "Local": // time.LoadLocation takes both
		return nil, errors.New("unknown time zone")
	}
	return loadLocation(string(z))
}

var loadLocation = time.LoadLocation

// zonesKnown reports whether this machine has a database of time zones.
func zonesKnown() bool {
	_, err := loadLocation("Europe/London")
	return err == nil
}

// DefaultPath returns $XDG_CONFIG_HOME/paydesk/config.toml, or the place that the operating
// system has for it.
func DefaultPath() (string, error) {
	folder := os.Getenv("XDG_CONFIG_HOME")
	if folder != "" && !filepath.IsAbs(folder) {
		return "", errors.New("XDG_CONFIG_HOME is not an absolute path")
	}
	if folder == "" {
		var err error
		if folder, err = os.UserConfigDir(); err != nil {
			return "", fmt.Errorf("this system names no configuration folder: %w", err)
		}
	}
	return filepath.Join(folder, "paydesk", "config.toml"), nil
}

// Select returns the profile called name, or the default profile if name is "".
func (c *Config) Select(name string) (Profile, error) {
	names := strings.Join(slices.Sorted(maps.Keys(c.Profiles)), ", ")
	switch {
	case names == "":
		return Profile{}, fmt.Errorf("%s has no profile; add a table [profiles.NAME]", c.Path)
	case name == "" && c.Default == "":
		return Profile{}, fmt.Errorf("%s names no default profile; choose one of: %s", c.Path, names)
	case name == "":
		name = c.Default
	}
	p, ok := c.Profiles[name]
	if !ok {
		return Profile{}, fmt.Errorf("%s has no profile of that name; it has: %s", c.Path, names)
	}
	return p, nil
}

// WithDefaults sets the empty settings to their defaults.
func (p Profile) WithDefaults() Profile {
	p.Source = cmp.Or(p.Source, "keyring")
	p.UnlockMinutes = cmp.Or(p.UnlockMinutes, 15)
	p.Journal = cmp.Or(p.Journal, "on")
	p.Mirror = cmp.Or(p.Mirror, "200 MB")
	p.WebhookLimit = cmp.Or(p.WebhookLimit, "50 MB")
	p.KeyHeader = cmp.Or(p.KeyHeader, "X-Api")
	p.AuthenticatePath = cmp.Or(p.AuthenticatePath, "/api/payment/pay/get-auth-3ds?referenceId="+referencePlaceholder)
	p.StatusPath = cmp.Or(p.StatusPath, "/api/payment/transactions/"+referencePlaceholder)
	return p
}

// MirrorLimit is how many bytes the mirror of the list may take, 0 where there is none: it is off, or the
// journal is, beside which it lies.
func (p Profile) MirrorLimit() int64 {
	megabytes, ok := parseMegabytes(p.Mirror)
	if !ok || p.Journal == "off" {
		return 0
	}
	return megabytes * 1_000_000
}

// parseMegabytes reads a size such as "200 MB"; "off" is 0.
func parseMegabytes(s string) (n int64, ok bool) {
	if s == "off" {
		return 0, true
	}
	digits, ok := strings.CutSuffix(s, " MB")
	if !ok || !only(digits, 5, "0123456789") || digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

// A Command is a program and its arguments, joined by NUL so that profiles can be compared.
type Command string

// NewCommand returns a Command of words without NUL.
func NewCommand(words ...string) Command { return Command(strings.Join(words, "\x00")) }

// Words returns the program and its arguments; nil for no command.
func (c Command) Words() []string {
	if c == "" {
		return nil
	}
	return strings.Split(string(c), "\x00")
}

// String joins the words with spaces for display. It is not meant to be run.
func (c Command) String() string { return strings.Join(c.Words(), " ") }

// assign sets the command from a list in the file.
func (c *Command) assign(v any) bool {
	list, ok := v.([]any)
	if !ok {
		return false
	}
	var words []string
	for _, one := range list {
		word, ok := one.(string)
		if !ok || strings.Contains(word, "\x00") {
			return false
		}
		words = append(words, word)
	}
	*c = NewCommand(words...)
	return true
}

// maxConfig is the largest configuration file that is read, in bytes.
const maxConfig = 64 << 10

// Load reads the configuration file. A missing file is [fs.ErrNotExist]. The error lists
// everything that is wrong, one problem per line, each with the file, the line and what was
// expected. Load rejects a file that seems to contain a secret key, and one that other users
// can change or replace: it names programs that are run, and hosts that receive the key.
func Load(path string) (*Config, error) {
	b, _, err := readConfig(path)
	if err != nil {
		return nil, err
	}
	c, err := parse(path, b)
	if err != nil {
		return nil, err
	}
	for _, p := range c.Profiles { // who can change its certificates can pose as the service
		if p.CAFile == "" {
			continue
		}
		if err := ownPath(p.CAFile); err != nil {
			return nil, rejected("ca_file of profile "+p.Name+" cannot be trusted: ", err)
		}
	}
	return c, nil
}

// rejected puts words before what is wrong with a path.
func rejected(words string, err error) error {
	var unsafe *Problem
	if errors.As(err, &unsafe) {
		return problem(unsafe.Kind, words+unsafe.Message, unsafe.Hint)
	}
	return err
}

// readConfig returns the content and the permissions of the configuration file.
func readConfig(path string) ([]byte, fs.FileMode, error) {
	if err := ownPath(path); err != nil {
		return nil, 0, rejected("the configuration was not read: ", err)
	}
	about, err := os.Stat(path) // before opening, which may block
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, fmt.Errorf("%s does not exist: %w", path, fs.ErrNotExist)
	case err != nil:
		return nil, 0, fmt.Errorf("the profiles cannot be read: %w", err)
	case !about.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a regular file", path)
	case about.Size() > maxConfig:
		return nil, 0, fmt.Errorf("%s is larger than %d KiB, too large for a configuration file", path, maxConfig>>10)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, fmt.Errorf("the profiles cannot be read: %w", err)
	}
	return b, about.Mode().Perm(), nil
}
