package keystore

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
}

// A Config is the file of profiles.
type Config struct {
	Path     string
	Default  string
	Profiles map[string]Profile
}

// DefaultPath is $XDG_CONFIG_HOME/paydesk/config.toml, or the place the
// operating system has for it.
func DefaultPath() (string, error) { return "", nil }

// Load reads the file. A file that does not exist is [fs.ErrNotExist]. Unknown
// keys and bad values are errors that name file, line and what was expected.
func Load(path string) (*Config, error) { return nil, nil }

// Select gives the profile called name, or the default one when name is "".
func (c *Config) Select(name string) (Profile, error) { return Profile{}, nil }

// WithDefaults fills the parts that were left empty with the defaults of the file.
func (p Profile) WithDefaults() Profile { return p }

// Check says what is wrong with each part of a profile that is being made: the
// key is the TOML name of the part, the value the words.
func (p Profile) Check() map[string]string { return nil }

// Create adds a profile to the file, which is made (0600, in a 0700 folder) when
// it is not there; what the file holds already is kept to the byte. The first
// profile becomes the default.
func Create(path string, p Profile) error { return nil }
