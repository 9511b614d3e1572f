package cli

import (
	"context"
	"errors"
	"net/url"
	"runtime"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/browser"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/challenge"
	"paydesk/screens/nav"
	"paydesk/screens/present"
)

// A connection is an open session, with the profile it was opened for.
type connection struct {
	*session.Session
	profile  keystore.Profile
	target   present.Target // where requests go, as every confirmation names it
	remember func() error   // that a person said what the key is for
}

var errNoConfigFolder = errors.New("the configuration folder is unknown: XDG_CONFIG_HOME is not an absolute path, or HOME is not set; write a configuration and name it with --config")

// settings loads the configuration, which is empty where there is none. Times are shown in its zone from then on.
func (p *program) settings() (*keystore.Config, error) {
	if p.global.config == "" {
		return &keystore.Config{}, wrongConfig(errNoConfigFolder)
	}
	c, err := keystore.Folder(p.global.config).LoadOrEmpty()
	if err != nil {
		return nil, wrongConfig(err)
	}
	if zone, err := c.TimeZone.Location(); err == nil && zone != time.Local { // whoever reads the clock now would race with it
		time.Local = zone
	}
	return c, nil
}

// config is the configuration, with the profile that is selected.
func (p *program) config() (*keystore.Config, keystore.Profile, error) {
	c, err := p.settings()
	if err != nil {
		return nil, keystore.Profile{}, err
	}
	if c.Profiles == nil {
		return nil, keystore.Profile{}, refuse(noConfig, "There is no configuration in "+present.Plain(c.Path)+". Nothing was requested.",
			"paydesk profile add NAME --base-url URL makes a profile; paydesk alone asks for one. paydesk demo needs none.")
	}
	selected, err := c.Select(p.global.profile)
	return c, selected, wrongConfig(err)
}

// wrongConfig is the error of a configuration that cannot be used; nil for none.
func wrongConfig(err error) error {
	if err == nil || errors.As(err, new(*refusal)) {
		return err
	}
	return &refusal{reason: badConfig, err: err}
}

// journals are the journals of this run, which end with the command.
func (p *program) journals(c *keystore.Config) *screens.Journals {
	js := &screens.Journals{
		State: p.global.state, Operator: journal.CurrentOperator(p.Getenv), Keep: time.Duration(c.KeepDays) * 24 * time.Hour,
		Shared: sharedJournal(c.Journal), Elsewhere: journal.Elsewhere(p.Getenv),
	}
	p.opened = append(p.opened, js)
	return js
}

// close closes what the command has opened.
func (p *program) close() {
	for _, js := range p.opened {
		js.Close()
	}
	p.opened = nil
}

// records opens what was recorded for the profile: without its key, and without the network. That is
// nothing where the profile's journal is off.
func (p *program) records() (keystore.Profile, *journal.Journal, error) {
	c, profile, err := p.config()
	if err != nil {
		return profile, nil, err
	}
	return profile, p.journals(c).ForProfile(profile), nil
}

// errNoJournal is the error of a command about what was recorded, where the profile records nothing.
var errNoJournal = refuse(noJournal, "This profile has no journal: journal = \"off\". Nothing was recorded.", "")

// recorded is records for a command that is about nothing else: a journal that cannot be read is an error.
func (p *program) recorded(ctx context.Context) (keystore.Profile, *journal.Journal, error) {
	profile, j, err := p.records()
	switch {
	case err != nil:
		return profile, nil, err
	case profile.Journal == "off":
		err = errNoJournal
	default:
		if _, err = j.Attempt(ctx, ""); errors.Is(err, ledger.ErrNotFound) { // it was opened
			err = nil
		}
		p.sayLoss(j)
		p.sayNewer(j)
	}
	return profile, j, err
}

// acknowledgeFirst is what comes after a loss.
const acknowledgeFirst = "Nothing is sent before paydesk journal acknowledge."

// sayLoss says what the journal lost that nobody has acknowledged: it is read, but nothing is sent.
func (p *program) sayLoss(j *journal.Journal) {
	if lost := screens.JournalLoss(j); lost != "" {
		p.warn("paydesk: %s "+acknowledgeFirst, lost)
		p.saidLoss = true
	}
}

// sayNewer says that a journal was written by a newer version, which may have recorded more than is printed.
func (p *program) sayNewer(j *journal.Journal) {
	if newer := j.Newer(); newer != "" {
		p.warn("paydesk: %s", newer)
	}
}

// connect opens a session for the profile: its key comes from its source, which may ask at a terminal.
// Nothing is sent yet.
func (p *program) connect(ctx context.Context) (*connection, error) {
	c, profile, err := p.config()
	if err != nil {
		return nil, err
	}
	key, source, err := p.key(ctx, profile)
	if err != nil {
		return nil, err
	}
	return p.open(ctx, profile, key, source, p.journals(c))
}

// open opens a session with a key.
func (p *program) open(ctx context.Context, profile keystore.Profile, key keystore.Key, source string, js *screens.Journals) (*connection, error) {
	deps := p.deps(js)
	to := nav.Connect{Profile: profile, Key: key, Source: source}
	open, err := deps.OpenSession(ctx, to, keystore.NewKeyHolder(key))
	if err != nil {
		return nil, exit(Usage, err)
	}
	_, _ = open.Journal.Attempt(ctx, "") // opens it; whoever needs it has the error
	p.sayLoss(open.Journal)              // before anything is sent: what was sent earlier is not in the new one
	return &connection{
		Session: open, profile: profile,
		target:   present.Target{Environment: strings.ToUpper(string(profile.Environment)), Host: hostOf(profile.BaseURL), Gate: open.Gate},
		remember: func() error { return deps.Confirmed.Add(key, profile.Environment) },
	}, nil
}

// kept ends a command that has sent something. An outcome that is in no file is known to this command alone: it says so,
// with the answer, and does not end as if that were recorded.
func (p *program) kept(ctx context.Context, c *connection, answer string, err error) error {
	unkept := c.Journal.UnkeptOutcomes(context.WithoutCancel(ctx))
	if len(unkept) == 0 {
		return err
	}
	if err != nil {
		p.report(err)
	}
	p.about.attempt = unkept[0]
	return refuse(unresolved, "The outcome could not be written down, neither in the journal nor in a file where it waits. Keep it yourself: "+answer+
		", attempt "+string(unkept[0])+".", "Do not send it again. Make room on the disk, then: paydesk resolve "+string(unkept[0]))
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// deps are what a session needs of this program; it opens nothing.
func (p *program) deps(js *screens.Journals) screens.Deps {
	return screens.Deps{
		Requests: p.log, Version: p.Version,
		Journal: js.ForProfile, Mirror: js.Mirror, Events: js.Events, Confirmed: keystore.OpenConfirmed(p.folder()),
		Dial: func(profile keystore.Profile, k *keystore.KeyHolder) (api.Service, error) {
			return api.New(p.client(profile, k))
		},
	}
}

// oneLine makes text from outside safe to print.
func oneLine(s string) string { return api.Clean(s).Line(0) }

// destinationOf is where the requests of a profile go, as the journal records it.
func destinationOf(profile keystore.Profile) ledger.Destination {
	return ledger.Destination{Profile: profile.Name, Environment: strings.ToUpper(string(profile.Environment)), Host: hostOf(profile.BaseURL)}
}

// folder is the journal's; "" where it is unknown.
func (p *program) folder() string {
	folder, _ := journal.Dir(p.global.state, p.Getenv)
	return folder
}

// browser opens addresses and serves challenge pages.
func (p *program) browser() challenge.Browser {
	return challenge.Browser{
		Unavailable: browser.Unavailable(runtime.GOOS, p.Getenv),
		Unguarded:   browser.Unguarded(),
		Open:        browser.Open,
		Serve:       func(ctx context.Context, m api.Markup) (challenge.Page, error) { return browser.Serve(ctx, m) },
		Tunnel:      func(port int) string { return browser.TunnelCommand(port, p.Getenv) },
	}
}
