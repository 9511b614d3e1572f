package shape

import "paydesk/keystore"

// The schemas of the configuration.
const (
	ProfileSchema Schema = "paydesk.profile/1"
	ConfigSchema  Schema = "paydesk.config/1"
)

// Profile is which service is used. No key is in it.
type Profile struct {
	Schema Schema `json:"schema"`
	Name   string `json:"name"`
	// Environment is test or live.
	Environment string `json:"environment"`
	BaseURL     string `json:"base_url"`
	ListURL     string `json:"list_url"`
	// Source is where the key is: keyring, command, file, age, env or ask.
	Source string `json:"source"`
	// Journal is whether what is sent is recorded.
	Journal bool `json:"journal"`
	// Default is whether commands without --profile use it.
	Default bool `json:"default"`
}

// NewProfile is a profile of a configuration as an object.
func NewProfile(c *keystore.Config, of keystore.Profile) Profile {
	return Profile{
		Schema: ProfileSchema, Name: of.Name, Environment: string(of.Environment), BaseURL: of.BaseURL, ListURL: of.ListURL, Source: of.Source,
		Journal: of.Journal != "off", Default: of.Name == c.Default,
	}
}

// Config is what a check of the configuration found.
type Config struct {
	Schema   Schema   `json:"schema"`
	Path     string   `json:"path"`
	Profiles []string `json:"profiles"`
	Default  string   `json:"default,omitempty"`
	// Journal is where the journal of all profiles is kept: sqlite, a file, or postgres, a database that a team
	// shares.
	Journal string `json:"journal,omitempty"`
	// Problems is everything that is wrong with it, each with its line.
	Problems []string `json:"problems"`
}
