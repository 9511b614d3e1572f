package keystore

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/text"
)

// A Finding is the result of one check.
type Finding struct {
	Name    string
	State   string // OK, Warning, Failed or Skipped
	Message string // the result in words
	Fix     string // what to do about it; "" if nothing
}

// The states of a check.
const (
	OK      = "ok"
	Warning = "warning"
	Failed  = "failed"
	Skipped = "skipped"
)

// Time limits, because a keyring may hang forever.
const (
	keyringLimit       = 4 * time.Second
	unusedKeyringLimit = 500 * time.Millisecond // for a keyring that the profile does not need
	networkLimit       = 20 * time.Second
)

// DoctorLimit limits how long an examination takes at most, not counting the time a person needs to type a
// passphrase.
const DoctorLimit = CommandLimit + keyringLimit + networkLimit

// An Examination says what to check and how.
type Examination struct {
	Config   string // the configuration folder
	Profile  string // "" for the default profile
	StateDir string // the journal folder; "" if unknown
	// Elsewhere are the other folders in which paydesk may keep files.
	Elsewhere []string
	Store     func(Profile) Store
	// Prompt gets a key from a store that needs a person, after its Get failed with the
	// given error, or returns that error. It is nil where no person can be prompted.
	Prompt func(context.Context, Store, Profile, error) (Key, error)
	// Network checks the way to the service. The key may be zero.
	Network func(context.Context, Profile, Key) []Finding
	// Terminal checks what shows the console; nil for no checks.
	Terminal func() []Finding

	inspect func(context.Context) KeyringState // InspectKeyring, except in tests
}

// A Report is the result of an examination.
type Report struct {
	Profile string // its name; "" if there is none
	Checks  []Finding
	Key     Key // the key that the profile's source returned
}

// Run runs all checks, one after the other. A failed check does not stop the next ones, so that one
// report shows everything that has to be put right.
func (e Examination) Run(ctx context.Context) Report {
	if e.inspect == nil {
		e.inspect = InspectKeyring
	}
	p, found, files := e.profile()
	journal := e.stateDir(p)
	k, keys := e.keyChecks(ctx, p, found)
	var terminal []Finding
	if e.Terminal != nil {
		terminal = e.Terminal()
	}
	network := []Finding{{Name: "network", State: Skipped, Message: "not checked: there is no profile"}}
	if found {
		network = ExamineNetwork(ctx, e.Network, p, k)
	}
	return Report{p.Name, slices.Concat(files, []Finding{journal, e.kept()}, keys, terminal, network), k}.safe()
}

// ExamineNetwork runs the checks of the way to a service, for a limited time. What it returns is safe to show.
func ExamineNetwork(ctx context.Context, checks func(context.Context, Profile, Key) []Finding, p Profile, k Key) []Finding {
	ctx, stop := context.WithTimeout(ctx, networkLimit)
	defer stop()
	return Report{Checks: checks(ctx, p, k), Key: k}.safe().Checks
}

// safe makes all words safe to show, because paths, variables and answers of other programs are part of them. None of
// them should contain the key; if one does, it is removed here.
func (r Report) safe() Report {
	for i := range r.Checks {
		s := &r.Checks[i]
		for _, part := range []*string{&s.Name, &s.Message, &s.Fix} {
			if !r.Key.IsZero() {
				*part = strings.ReplaceAll(*part, r.Key.Expose(), "[key]")
			}
			*part = api.Clean(*part).Line(0)
		}
	}
	return r
}

// Count returns the number of checks with a state.
func (r Report) Count(state string) int {
	n := 0
	for _, s := range r.Checks {
		if s.State == state {
			n++
		}
	}
	return n
}

// WriteText writes the report as text, wrapped to width cells.
func (r Report) WriteText(w io.Writer, width int) error {
	var b strings.Builder
	column := 0
	for _, s := range r.Checks {
		column = max(column, ansi.StringWidth(s.Name))
	}
	indent := len("warning") + 2 + column + 2
	for _, s := range r.Checks {
		fmt.Fprintf(&b, "%-7s  %-*s  %s\n", s.State, column, s.Name, hanging(s.Message, width, indent))
		if s.Fix != "" {
			fmt.Fprintf(&b, "%*s%s\n", indent, "", hanging("-> "+s.Fix, width, indent+3))
		}
	}
	failed, warnings := r.Count(Failed), r.Count(Warning) // checks that were skipped are no problems
	summary := "No problems were found."
	if failed+warnings > 0 {
		summary = fmt.Sprintf("Failed: %d. Warnings: %d.", failed, warnings)
	}
	fmt.Fprintf(&b, "\n%s\n", summary)
	_, err := io.WriteString(w, b.String())
	return err
}

// hanging wraps words and indents all lines but the first.
func hanging(words string, width, indent int) string {
	return strings.Join(text.Fill(words, max(width-indent, 30)), "\n"+strings.Repeat(" ", indent))
}
