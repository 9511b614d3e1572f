package keystore

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Environment is what a profile is declared to be.
type Environment string

// The environments. Sandbox is the embedded one of the demo and cannot be
// written in a file.
const (
	Test    Environment = "test"
	Live    Environment = "live"
	Sandbox Environment = "sandbox"
)

// A Profile says which service to speak to and where its key is.
type Profile struct {
	Name             string
	Environment      Environment
	BaseURL          string
	ListURL          string
	Source           string // keyring or env
	KeyHeader        string
	AuthenticatePath string
	StatusPath       string
	SendReference    bool
	Journal          string // "on", or "off" for nothing to be written down
}

// A Config is the file of profiles.
type Config struct {
	Path     string
	Default  string
	KeepDays int // how long the journal keeps attempts
	Profiles map[string]Profile
}

// keepDays is how long the journal keeps attempts unless the file says otherwise.
const keepDays = 90

// DefaultPath is $XDG_CONFIG_HOME/paydesk/config.toml, or the place the
// operating system has for it.
func DefaultPath() (string, error) {
	folder := os.Getenv("XDG_CONFIG_HOME")
	if folder != "" && !filepath.IsAbs(folder) {
		return "", errors.New("XDG_CONFIG_HOME is not an absolute path")
	}
	if folder == "" {
		var err error
		if folder, err = os.UserConfigDir(); err != nil {
			return "", fmt.Errorf("this system does not say where configuration lies: %w", err)
		}
	}
	return filepath.Join(folder, "paydesk", "config.toml"), nil
}

// Select gives the profile called name, or the default one when name is "".
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

// WithDefaults fills the parts that were left empty with the defaults of the file.
func (p Profile) WithDefaults() Profile {
	fill(&p.Source, "keyring")
	fill(&p.Journal, "on")
	fill(&p.KeyHeader, "X-Api")
	fill(&p.AuthenticatePath, "/api/payment/pay/get-auth-3ds?referenceId="+place)
	fill(&p.StatusPath, "/api/payment/transactions/"+place)
	return p
}

func fill(part *string, with string) {
	if *part == "" {
		*part = with
	}
}

// place is where the reference of a payment goes.
const place = "{reference}"

var (
	validName   = regexp.MustCompile(`^[a-z0-9_-]{1,32}$`)
	validHeader = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$") // a token of RFC 9110
	// secretLike is what a secret key of the service looks like (facts page).
	secretLike = regexp.MustCompile(`(?i)\bsk_[a-z0-9_-]{8,}`)
)

// Check says what is wrong with each part of a profile that is being made: the
// key is the TOML name of the part ("name" for that of the table), the value the
// words, which never quote what was given.
func (p Profile) Check() map[string]string {
	wrong := map[string]string{}
	check := func(part, value, words string) {
		if secretLike.MatchString(value) {
			words = "must not hold a secret key; keys are kept in the keyring"
		}
		if words != "" {
			wrong[part] = words
		}
	}
	check("name", p.Name, unless(validName.MatchString(p.Name), "must be 1 to 32 small letters, digits, - and _"))
	check("environment", string(p.Environment), unless(p.Environment == Test || p.Environment == Live, `must be "test" or "live"`))
	check("base_url", p.BaseURL, checkOrigin(p.BaseURL))
	check("list_url", p.ListURL, checkOrigin(p.ListURL))
	check("key", p.Source, unless(p.Source == "keyring" || p.Source == "env", `must be "keyring" or "env"`))
	switch {
	case p.Journal != "on" && p.Journal != "off":
		wrong["journal"] = `must be "on" or "off"`
	case p.Journal == "off" && p.Environment == Live:
		wrong["journal"] = `must be "on" for live payments; only a test profile may go without`
	}
	check("key_header", p.KeyHeader, unless(validHeader.MatchString(p.KeyHeader), "must be the name of a header, such as X-Api"))
	check("authenticate_path", p.AuthenticatePath, checkPath(p.AuthenticatePath))
	check("status_path", p.StatusPath, checkPath(p.StatusPath))
	return wrong
}

func unless(ok bool, words string) string {
	if ok {
		return ""
	}
	return words
}

// checkOrigin says what is wrong with the address of a service (R50). The client
// checks again when it is made; this is for telling a person early.
func checkOrigin(s string) string {
	u, err := url.Parse(s)
	switch {
	case s == "":
		return "must be an address such as https://payments.example"
	case !plain(s) || err != nil:
		return "must be an address of ASCII characters without blanks, such as https://payments.example"
	case strings.ContainsAny(s, "?#"):
		return "must have no query (?) and no fragment (#)"
	case u.User != nil:
		return "must hold no user and no password (@)"
	case u.Scheme != "https" && u.Scheme != "http":
		return "must begin with https://"
	case u.Hostname() == "" || strings.HasSuffix(u.Host, ":"):
		return "must name a host, such as https://payments.example"
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return "must begin with https:// (http:// is for this machine only, such as http://127.0.0.1:8080)"
	case dotted(u.Path):
		return "must not have . or .. in its path"
	}
	return ""
}

// checkPath says what is wrong with the path of an operation.
func checkPath(s string) string {
	path, _, _ := strings.Cut(s, "?")
	u, err := url.Parse("https://payments.example" + strings.ReplaceAll(path, place, "a"))
	switch {
	case !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//"):
		return "must begin with one /"
	case !plain(s) || strings.Contains(s, "#"):
		return "must have only ASCII characters, no blanks and no #"
	case strings.Count(s, place) != 1:
		return "must hold {reference} exactly once"
	case err != nil || dotted(u.Path):
		return "must be a path such as /api/payment/transactions/{reference}"
	}
	return ""
}

// plain reports whether s is printable ASCII that every parser of addresses reads
// alike.
func plain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' })
}

func dotted(path string) bool {
	parts := strings.Split(path, "/")
	return slices.Contains(parts, ".") || slices.Contains(parts, "..")
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}
