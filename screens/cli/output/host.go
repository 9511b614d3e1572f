package output

import (
	"time"

	"paydesk/keystore"
)

// Journal is where the journal of all profiles is, and what it holds.
type Journal struct {
	// Store is sqlite, a file of one user, or postgres, a database that a team shares.
	Store string `json:"store"`
	// Name is the path of the file, or the database and its host.
	Name string `json:"name"`
	// Exists is whether there is a journal yet; absent where a team's is not seen. The first record makes a file, and
	// paydesk journal init a team's.
	Exists *bool `json:"exists,omitempty"`
	// Version is the version of the file's format, or of the team's schema.
	Version int `json:"version,omitempty"`
	// Bytes is how large the file is.
	Bytes int64 `json:"bytes,omitempty"`
	// ReadOnly is set where this user cannot write the file, so that nothing is sent.
	ReadOnly bool `json:"read_only,omitempty"`
	// KeepDays is how many days attempts are kept.
	KeepDays int `json:"keep_days"`
	// Attempts is how many there are.
	Attempts *int `json:"attempts,omitempty"`
	// Facts is how many facts were ever added, and Head the hash of all of them.
	Facts int64  `json:"facts,omitempty"`
	Head  string `json:"head,omitempty"`
	// Oldest and Newest are when the first and the last attempt was made; absent where there is none.
	Oldest *time.Time `json:"oldest,omitempty"`
	Newest *time.Time `json:"newest,omitempty"`
	// Server is the server of a team's journal.
	Server *JournalServer `json:"server,omitempty"`
	// Problems is everything that keeps it from sending, or a part of it from working, and what to do.
	Problems []string `json:"problems"`
}

// JournalServer is the server of a team's journal.
type JournalServer struct {
	// Version is the version of PostgreSQL.
	Version string `json:"version"`
	// Role is the user of the connection.
	Role string `json:"role"`
	// SynchronousCommit is the setting of the server: off and local do not keep what was acknowledged.
	SynchronousCommit string `json:"synchronous_commit"`
	// ReadOnly is whether the server is a standby, or in maintenance.
	ReadOnly bool `json:"read_only"`
	// ClockMilliseconds is how far its clock is ahead of this machine's.
	ClockMilliseconds int64 `json:"clock_ms"`
}

// Audit is what paydesk journal audit found.
type Audit struct {
	// Facts is how many facts were ever added, and Head the hash of all of them.
	Facts int64  `json:"facts"`
	Head  string `json:"head"`
	// Attempts and Payments are how many were compared; payments are those that were looked up or pinned.
	Attempts int `json:"attempts"`
	Payments int `json:"payments"`
	// Exported is how many payments of the export name an attempt, and were compared; absent without an export.
	Exported *int `json:"exported,omitempty"`
	// Differs is what is not as it should be, a sentence each.
	Differs []string `json:"differs"`
}

// Profile is which service is used. No key is in it.
type Profile struct {
	Name string `json:"name"`
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
		Name: of.Name, Environment: string(of.Environment), BaseURL: of.BaseURL, ListURL: of.ListURL, Source: of.Source,
		Journal: of.Journal != "off", Default: of.Name == c.Default,
	}
}

// Key is where the secret key of a profile comes from, and what is known of it. The key is not in it.
type Key struct {
	Profile string `json:"profile"`
	// Environment is test or live.
	Environment string `json:"environment"`
	// Source is where the key is: keyring, command, file, age, env or ask.
	Source string `json:"source"`
	// SentTo are the addresses that get the key.
	SentTo []string `json:"sent_to"`
	// Usable is whether there is a key that would be sent.
	Usable bool `json:"usable"`
	// LastFour is absent where the key is too short to show them.
	LastFour string `json:"last_four,omitempty"`
	// Problem is why no key would be sent.
	Problem string `json:"problem,omitempty"`
}

// Config is what a check of the configuration found.
type Config struct {
	Path     string   `json:"path"`
	Profiles []string `json:"profiles"`
	Default  string   `json:"default,omitempty"`
	// Journal is where the journal of all profiles is kept: sqlite, a file, or postgres, a database that a team
	// shares.
	Journal string `json:"journal,omitempty"`
	// Problems is everything that is wrong with it, each with its line.
	Problems []string `json:"problems"`
}

// Doctor is what works on a host.
type Doctor struct {
	// Profile is the profile that was examined; absent without one.
	Profile string `json:"profile,omitempty"`
	// Failed is how many checks failed; the command then ends with 1.
	Failed int `json:"failed"`
	// Warnings is how many checks found something that may be in order.
	Warnings int `json:"warnings"`
	// Steps are the checks, in their order.
	Steps []Step `json:"steps"`
}

// Step is one check of the doctor.
type Step struct {
	// Name is what was checked.
	Name string `json:"name"`
	// State is ok, warning, failed or skipped.
	State string `json:"state"`
	// Message is the result.
	Message string `json:"words"`
	// Fix is what to do about it; absent where there is nothing to do.
	Fix string `json:"do,omitempty"`
}

// Sandbox is where a sandbox listens, once it does.
type Sandbox struct {
	// Origin is base_url and list_url of a profile for it.
	Origin string `json:"origin"`
	// Key is the secret key that it accepts.
	Key string `json:"key"`
	// Links is the page of a payment link, with ALIAS for its alias.
	Links string `json:"links"`
	// Controls is where faults, switches and the clock are set.
	Controls string `json:"controls"`
}
