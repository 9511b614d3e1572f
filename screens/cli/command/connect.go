package command

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/browser"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/present"
)

// A Connection is an open session, with the profile it was opened for.
type Connection struct {
	*session.Session
	Profile  keystore.Profile
	Target   present.Target // where requests go, as every confirmation names it
	remember func() error   // records that a person said what the key is for
}

// errNoConfigFolder is the error of a command that has no folder to look for a configuration in.
var errNoConfigFolder = WrongConfig(errors.New("the configuration folder is unknown: XDG_CONFIG_HOME is not an absolute path, or HOME is not set; write a configuration and name it with --config"))

// ConfigFolder returns the folder of the configuration.
func (p *Program) ConfigFolder() (keystore.Folder, error) {
	if p.Global.Config == "" {
		return "", errNoConfigFolder
	}
	return keystore.Folder(p.Global.Config), nil
}

// Settings loads the configuration, which is empty where there is none. Times are shown in its zone from then on.
func (p *Program) Settings() (*keystore.Config, error) {
	f, err := p.ConfigFolder()
	if err != nil {
		return &keystore.Config{}, err
	}
	c, err := f.LoadOrEmpty()
	if err != nil {
		return nil, WrongConfig(err)
	}
	if zone, err := c.TimeZone.Location(); err == nil && zone.String() != time.Local.String() { // whoever reads the clock now would race with it
		time.Local = zone
	}
	return c, nil
}

// Selected returns the configuration, with the profile that is selected.
func (p *Program) Selected() (*keystore.Config, keystore.Profile, error) {
	c, err := p.Settings()
	if err != nil {
		return nil, keystore.Profile{}, err
	}
	if c.Profiles == nil {
		return nil, keystore.Profile{}, Refuse(WhyNoConfig, "There is no configuration in "+present.Plain(c.Path)+". Nothing was requested.",
			"paydesk profile add NAME --base-url URL makes a profile; paydesk alone asks for one. paydesk demo needs none.")
	}
	selected, err := Choose(c, p.Global.Profile)
	return c, selected, err
}

// Choose returns the profile of a name, or the default one for "".
func Choose(c *keystore.Config, name string) (keystore.Profile, error) {
	chosen, err := c.Select(name)
	switch {
	case err == nil:
		return chosen, nil
	case len(c.Profiles) == 0:
		return chosen, &Refusal{Reason: WhyNoConfig, Err: err}
	}
	next := "paydesk profile list lists them."
	if name == "" {
		next = "Name one of them with --profile, or make it the default: paydesk profile use NAME."
	}
	return chosen, Refuse(noProfile, present.Sentence(err.Error()), next)
}

// WrongConfig returns the error of a configuration that cannot be used.
func WrongConfig(err error) error {
	if errors.As(err, new(*Refusal)) {
		return err
	}
	return &Refusal{Reason: badConfig, Err: err}
}

// Journals are the journals of this run, which end with the command.
func (p *Program) Journals(c *keystore.Config) *screens.Journals {
	js := &screens.Journals{
		State: p.Global.State, Operator: journal.CurrentOperator(p.Getenv), Keep: time.Duration(c.KeepDays) * 24 * time.Hour,
		Shared: SharedJournal(c.Journal), Elsewhere: journal.Elsewhere(p.Getenv),
	}
	p.opened = append(p.opened, js)
	return js
}

// Close closes what the command has opened, and leaves no line of progress.
func (p *Program) Close() {
	p.endProgress()
	for _, js := range p.opened {
		js.Close()
	}
	p.opened = nil
}

// Records opens what was recorded for the profile: without its key, and without the network. That is
// nothing where the profile's journal is off.
func (p *Program) Records() (keystore.Profile, *journal.Journal, error) {
	c, profile, err := p.Selected()
	if err != nil {
		return profile, nil, err
	}
	return profile, p.Journals(c).ForProfile(profile), nil
}

// Recorded is [Program.Records] for a command that requires a journal: one that is off, or cannot be read, is an error.
func (p *Program) Recorded(ctx context.Context) (keystore.Profile, *journal.Journal, error) {
	profile, j, err := p.Records()
	switch {
	case err != nil:
		return profile, nil, err
	case profile.Journal == "off":
		err = Refuse(WhyJournal, "This profile has no journal: journal = \"off\". Nothing was recorded.", "Remove that line from the profile to have one.")
	default:
		if _, err = j.Attempt(ctx, ""); errors.Is(err, ledger.ErrNotFound) { // it was opened
			err = nil
		}
		p.sayLoss(j)
		p.SayNewer(j)
	}
	return profile, j, err
}

// AcknowledgeFirst comes after the words about a loss.
const AcknowledgeFirst = "Nothing is sent until you run paydesk journal acknowledge."

// sayLoss says what the journal lost, until a person has acknowledged it: the journal is read, but nothing is sent.
func (p *Program) sayLoss(j *journal.Journal) {
	if lost := screens.JournalLoss(j); lost != "" {
		p.Warn("paydesk: %s "+AcknowledgeFirst, lost)
		p.saidLoss = true
	}
}

// SayNewer says that a journal was written by a newer version, which may have recorded more than is printed.
func (p *Program) SayNewer(j *journal.Journal) {
	if newer := j.Newer(); newer != "" {
		p.Warn("paydesk: %s", newer)
	}
}

// Connect opens a session for the profile: its key comes from its source, which may ask at a terminal.
// Nothing is sent yet.
func (p *Program) Connect(ctx context.Context) (*Connection, error) {
	c, profile, err := p.Selected()
	if err != nil {
		return nil, err
	}
	key, source, err := p.Key(ctx, profile)
	if err != nil {
		return nil, err
	}
	return p.Open(ctx, profile, key, source, p.Journals(c))
}

// Open opens a session with a key.
func (p *Program) Open(ctx context.Context, profile keystore.Profile, key keystore.Key, source string, js *screens.Journals) (*Connection, error) {
	deps := p.Deps(js)
	deps.Confirmed = keystore.OpenConfirmed(p.Folder())
	to := nav.Connect{Profile: profile, Key: key, Source: source}
	open, err := deps.OpenSession(ctx, to, keystore.NewKeyHolder(key))
	if err != nil {
		return nil, WrongBy(err)
	}
	_, _ = open.Journal.Attempt(ctx, "") // opens it; whoever needs it has the error
	p.sayLoss(open.Journal)              // before anything is sent: what was sent earlier is not in the new one
	return &Connection{
		Session: open, Profile: profile,
		Target:   present.Target{Environment: strings.ToUpper(string(profile.Environment)), Host: profile.Host(), Gate: open.Gate},
		remember: func() error { return deps.Confirmed.Add(key, profile.Environment) },
	}, nil
}

// Kept ends a command that has sent something. An outcome that is in no file is known to this command alone: it says so,
// with the answer, and does not end as if that were recorded.
func (p *Program) Kept(ctx context.Context, c *Connection, answer string, err error) error {
	unkept := c.Journal.UnkeptOutcomes(context.WithoutCancel(ctx))
	if len(unkept) == 0 {
		p.sayUnwritten(c, err)
		return err
	}
	if err != nil {
		p.Report(err)
	}
	p.About.Attempt = unkept[0]
	return Refuse(WhyUnresolved, "The outcome could not be recorded, in the journal or in a file where it waits. Keep it yourself: "+answer+
		", attempt "+string(unkept[0])+".", "Do not send it again. Make room on the disk, then: paydesk resolve "+string(unkept[0]))
}

// sayUnwritten says what happened to the journal since it was opened, unless err says so: what it holds may be older than
// what the command has seen.
func (p *Program) sayUnwritten(c *Connection, err error) {
	if !p.saidLoss {
		p.sayLoss(c.Journal)
	}
	if trouble := c.Recorder.Trouble(); trouble != nil && !errors.Is(trouble, journal.ErrLoss) && !errors.As(err, new(*ledger.Unavailable)) {
		p.Warn("paydesk: The last answer is not in the journal: %s", present.Plain(trouble.Error()))
	}
}

// Deps wires what a session needs to this program; it opens nothing.
func (p *Program) Deps(js *screens.Journals) screens.Deps {
	return screens.Deps{
		Requests: p.Log, Version: p.Version,
		Journal: js.ForProfile, Mirror: js.Mirror, Events: js.Events, Receive: js.Receive,
		Dial: func(profile keystore.Profile, k *keystore.KeyHolder) (api.Service, error) {
			return api.New(p.Client(profile, k))
		},
	}
}

// DestinationOf names the destination of a profile's requests, as the journal records it.
func DestinationOf(profile keystore.Profile) ledger.Destination {
	return ledger.Destination{Profile: profile.Name, Environment: strings.ToUpper(string(profile.Environment)), Host: profile.Host()}
}

// Folder returns the folder of the journal; "" where it is unknown.
func (p *Program) Folder() string {
	folder, _ := journal.Dir(p.Global.State, p.Getenv)
	return folder
}

// Browser opens addresses and serves challenge pages.
func (p *Program) Browser() payment.Browser {
	return payment.Browser{
		Unavailable: browser.Unavailable(runtime.GOOS, p.Getenv),
		Unguarded:   browser.Unguarded,
		Open:        browser.Open,
		Serve:       func(ctx context.Context, m api.Markup) (payment.Page, error) { return browser.Serve(ctx, m) },
		Tunnel:      func(port int) string { return browser.TunnelCommand(port, p.Getenv) },
	}
}

// TeamConfig returns the way to the database of a team's journal.
func TeamConfig(j keystore.Journal) postgres.Config {
	c := postgres.Config{URL: j.URL, Schema: j.Schema}
	if j.PasswordCommand != "" {
		c.Password = func(ctx context.Context) (string, error) {
			password, err := j.Password(ctx)
			if why, is := errors.AsType[*keystore.Problem](err); is {
				err = postgres.NoPassword(noPassword(why))
			}
			return password, err
		}
	}
	return c
}

// noPassword says why the password command printed none, with the last line of its stderr.
func noPassword(why *keystore.Problem) string {
	words := why.Message
	if said := present.Plain(why.Stderr()); said != "" {
		words += " (" + said + ")"
	}
	if why.Hint != "" {
		words += "; " + why.Hint
	}
	return words
}

// SharedJournal opens the journal of a team; nil where the journal is a file.
func SharedJournal(j keystore.Journal) func(journal.Options) *journal.Journal {
	if !j.Shared() {
		return nil
	}
	return func(o journal.Options) *journal.Journal {
		db, err := postgres.Open(TeamConfig(j))
		if err != nil {
			return journal.NewUnavailable(err)
		}
		o.KeyFile = j.KeyFile
		return journal.NewShared(db, o)
	}
}
