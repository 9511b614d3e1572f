package requests

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/text"
	"paydesk/keystore"
)

// Sources describe what the bundle is made of. A nil source is left out with a word on it.
type Sources struct {
	Version  string
	Now      time.Time
	Config   string                                                     // the configuration folder; "" for none
	Profile  keystore.Profile                                           // that is open; without a name none is
	Doctor   func(context.Context, keystore.Profile) []keystore.Finding // nil where it has nothing to examine
	Journal  *journal.Journal
	Requests *Log            // read after the doctor, whose requests are in it
	Reports  func() []string // crash reports, newest first
	Terminal []string        // its size, and what it answered
	Secret   string          // the key in use, which is looked for at the end
}

// Bundle gathers what support needs to know of a console and its host as one Markdown text, which
// has no secrets, no customers and no references but those of the request log. A screen
// shows it, and a command can print it. It may take half a minute, for the doctor's checks.
func Bundle(ctx context.Context, s Sources) string {
	var b strings.Builder
	for _, part := range []struct {
		title string
		lines []string
	}{
		{"Versions", s.versions()},
		{"Terminal", s.terminal()},
		{"Configuration", s.configuration()},
		{"Doctor", s.checks(ctx)},
		{"Journal", s.statistics(ctx)},
		{"Requests of this session, newest first", s.Requests.lines()},
		{"Crash reports", s.crashes()},
	} {
		b.WriteString("\n## " + part.title + "\n\n")
		for _, line := range part.lines {
			b.WriteString(s.safe(line) + "\n")
		}
	}
	return "# paydesk diagnostics, " + s.Now.Format(time.RFC3339) + "\n" + b.String()
}

// safe makes a line safe to show, as code that no reader takes for markup. The key is in none of them;
// if it were, it would be removed here.
func (s Sources) safe(line string) string {
	if s.Secret != "" {
		line = strings.ReplaceAll(line, s.Secret, "[key]")
	}
	return "    " + api.Clean(line).Line(0)
}

func (s Sources) versions() []string {
	lines := []string{
		"paydesk " + s.Version, runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		"SQLite " + journal.SQLiteVersion,
	}
	if kernel, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		lines = append(lines, "Linux "+strings.TrimSpace(string(kernel)))
	}
	if about, err := os.ReadFile("/etc/os-release"); err == nil {
		for line := range strings.Lines(string(about)) {
			if name, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
				lines = append(lines, strings.Trim(strings.TrimSpace(name), `"`))
			}
		}
	}
	return lines
}

// terminal has the values of variables that describe a terminal or a locale, and of others only that
// they are set: SSH_CONNECTION has addresses.
func (s Sources) terminal() (lines []string) {
	for _, name := range []string{"TERM", "TERM_PROGRAM", "COLORTERM", "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"} {
		if value := os.Getenv(name); value != "" {
			lines = append(lines, name+"="+value)
		}
	}
	for _, name := range []string{"TMUX", "STY", "SSH_CONNECTION", "SSH_TTY", "DISPLAY", "WAYLAND_DISPLAY"} {
		if os.Getenv(name) != "" {
			lines = append(lines, name+" is set")
		}
	}
	return append(lines, s.Terminal...)
}

func (s Sources) configuration() []string {
	lines := []string{"open: none"}
	if s.Profile.Name != "" {
		lines = []string{"open: " + s.Profile.Name}
	}
	if s.Config == "" {
		return append(lines, "there is no configuration")
	}
	c, err := keystore.Folder(s.Config).Load()
	if err != nil {
		return append(lines, "it cannot be used; the doctor says why")
	}
	lines = append(lines, "default = "+c.Default, "time_zone = "+string(c.TimeZone), fmt.Sprintf("keep_days = %d", c.KeepDays))
	for _, line := range c.Journal.Shareable() {
		lines = append(lines, "journal: "+line)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Profiles)) {
		lines = append(lines, "", "profile "+name)
		lines = append(lines, c.Profiles[name].Shareable()...)
	}
	return lines
}

// quoted matches where an error goes on in the words of the service, which may repeat what a person typed;
// outside matches what is left out anywhere else: addresses of people, telephone and card numbers.
var (
	quoted  = text.Pattern(`((?:rejected the request|Details)(?: \(HTTP \d+\))?): .*`)
	outside = text.Pattern(`[^\s"'<>]+@[^\s"'<>]+|\+?\d(?:[ .-]?\d){8,}`)
)

func (s Sources) checks(ctx context.Context) (lines []string) {
	if s.Doctor == nil {
		return []string{"not run: no profile of a configuration is open"}
	}
	for _, c := range s.Doctor(ctx, s.Profile) {
		words := quoted().ReplaceAllString(c.Message, "$1 (its words are left out).")
		if c.Name == "SSH" {
			words, _, _ = strings.Cut(words, ", from ")
		}
		lines = append(lines, fmt.Sprintf("%-8s %s: %s", c.State, c.Name, outside().ReplaceAllString(words, "[left out]")))
		if c.Fix != "" {
			lines = append(lines, "         to do: "+c.Fix)
		}
	}
	return lines
}

func (s Sources) statistics(ctx context.Context) []string {
	if s.Journal == nil || s.Profile.Journal == "off" {
		return []string{"there is none: no profile is open, or its journal is off"}
	}
	j, err := s.Journal.Statistics(ctx)
	if err != nil {
		return []string{api.Clean(err.Error()).Line(0)}
	}
	lines := []string{
		fmt.Sprintf("format %d, %d bytes, kept for %d days", j.Version, j.Size, int(j.Retention/(24*time.Hour))),
		fmt.Sprintf("attempts: %d", j.Attempts),
	}
	if j.Attempts > 0 {
		lines = append(lines, "from "+j.Oldest.Format(time.RFC3339)+" to "+j.Newest.Format(time.RFC3339))
	}
	for _, g := range j.Groups {
		line := fmt.Sprintf("%6d  %s, %s", g.Attempts, g.Kind, g.Outcome)
		if g.Decision != ledger.Undecided {
			line += ", decided: " + string(g.Decision)
		}
		if g.Status != "" {
			line += ", " + g.Status
		}
		lines = append(lines, line)
	}
	for _, l := range s.Journal.KnownLosses() {
		lines = append(lines, api.Clean(l.Words()).Line(0))
	}
	return lines
}

func (s Sources) crashes() (lines []string) {
	var all []string
	if s.Reports != nil {
		all = s.Reports()
	}
	for _, report := range all {
		lines = append(append(lines, strings.Split(strings.ReplaceAll(report, "\t", "  "), "\n")...), "")
	}
	if len(lines) == 0 {
		return []string{"none"}
	}
	return lines
}
