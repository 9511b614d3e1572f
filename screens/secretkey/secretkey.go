// Package secretkey gets the secret key of a profile: from the source that the profile names, or
// by asking for it, trying it with one harmless question, and keeping it. When the source
// is not to be had it says what is wrong and offers the others; none is asked, and
// nothing is stored, unless a person says so (R71).
//
//   - keys.go: the screen; source.go: what the source gave;
//   - ways.go: the ways on when it gave nothing; entry.go: a key that is typed;
//   - seal.go: passphrases; keep.go: where a key is kept, and what the profile says of it.
package secretkey

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Options of the screen.
type Options struct {
	Profile keystore.Profile
	// Store is the one source that a profile names.
	Store func(keystore.Profile) keystore.Store
	// Folder has the passphrase files of profiles that name none.
	Folder string
	// Replace is set when the service refused the present key, whose last four characters
	// are Refused: then the source is not asked unasked, and the answer is a nav.Renew.
	Replace bool
	Refused string
	// Return is set when the console was hidden: the source is asked, and the answer is a
	// nav.Renew.
	Return bool
	// Check asks the service one harmless question with a key.
	Verify func(context.Context, keystore.Profile, keystore.Key) error
	// Write changes the profile in its file; nil where it is in none.
	Write func(keystore.Profile) error
	// Doctor is set where there is a screen that explains what works on this host.
	Doctor bool
}

// A stage of the screen.
type stage uint8

const (
	opening    stage = iota // the source is asked
	choosing                // it gave nothing: the ways on
	entering                // the key is typed
	verifying               // the service is asked
	unlocking               // the passphrase of a sealed key is typed
	sealing                 // one for a new key is typed, twice
	storing                 // the store is told
	deciding                // the store did not keep it
	confirming              // the key is elsewhere than the profile says
	writing                 // the profile is written
)

// promptLimit is how long a person may take to unlock their keyring.
const promptLimit = 60 * time.Second

// thisRun is the header's word for a key that is kept nowhere.
const thisRun = "this run"

// A Model is the screen.
type Model struct {
	theme *ui.Theme
	o     Options
	scope ui.Scope
	stage stage
	keys  keyMap

	form  *ui.Form
	field *ui.TextField
	// The passphrase of a sealed key, or a new one, which is typed twice.
	passphraseForm       *ui.Form
	passphrase, repeated *ui.TextField

	profile    keystore.Profile // with the source that the person chose
	chosen     bool             // among the ways
	fromSource bool             // the key that is tried came from the source, not from the field

	get          ui.Call[keystore.Key]
	verification ui.Call[keystore.Key]
	set          ui.Call[keystore.Key]
	write        ui.Call[keystore.Profile]

	key        keystore.Key    // the one that was entered, until it is used
	missing    present.Problem // why the source gave nothing
	trouble    present.Problem
	lastSubmit time.Time // when the key that tried a key may last have been held down
	notice     string    // why a key did nothing
	// unsure is set when the service did not judge the key, so that it may be right.
	unverified bool
	w, h       int
}

var _ ui.Screen = (*Model)(nil)

// New gets the key of a profile.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{theme: t, o: o, profile: o.Profile, keys: newKeyMap()}
	m.field = ui.NewTextField(t, "Secret key", "from the merchant dashboard: settings, API keys", ui.Required(), ui.Masked(), ui.Limit(512), ui.Checked(malformed))
	m.form = ui.NewForm(t, m.field)
	m.form.SubmitLabel("verify the key")
	return m
}

// store is the source that was chosen; source is the word for it.
func (m *Model) store() keystore.Store { return m.o.Store(m.profile) }
func (m *Model) source() string        { return m.store().Name() }

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	if !m.o.Replace {
		return m.readSource(false)
	}
	m.missing = present.Problem{What: "The service rejected the key " + m.o.Refused + "."}
	m.enterFor(m.defaultSource())
	m.trouble = m.missing
	m.trouble.Next = "Enter another, or try " + sourceName(m.source()) + " again (ctrl+r). Your work is kept and continues afterwards."
	if m.profile.Source != m.o.Profile.Source {
		m.trouble.Next = "Enter another for this run only, or see the options (ctrl+o). Your work is kept and continues afterwards."
	}
	return nil
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.get.Receive(msg); ok {
		return m.onSource(a.Value, a.Err)
	}
	if a, ok := m.verification.Receive(msg); ok {
		return m.onVerified(a)
	}
	if a, ok := m.set.Receive(msg); ok {
		return m.onStored(a)
	}
	if a, ok := m.write.Receive(msg); ok {
		return m.onWritten(a)
	}
	if a, ok := msg.(terminalResult); ok && m.stage == opening {
		return m.onSource(a.key, a.err)
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		m.notice = ""
		if m.held(k) {
			return nil
		}
	}
	switch m.stage {
	case choosing:
		return m.choose(msg)
	case entering:
		return m.enter(msg)
	case unlocking, sealing:
		return m.enterPassphrase(msg)
	case deciding:
		return m.decide(msg)
	case confirming:
		return m.confirmProfile(msg)
	}
	return nil
}

// errorText are an error's, as a sentence.
func errorText(err error) string { return present.Sentence(api.Clean(err.Error()).Line(0)) }

// connect goes on with a key; what was entered is wiped.
func (m *Model) connect(k keystore.Key, p keystore.Profile, source string) tea.Cmd {
	m.form.Wipe()
	m.key = keystore.Key{}
	to := nav.Connect{Profile: p, Key: k, Source: source}
	if m.o.Replace || m.o.Return {
		return func() tea.Msg { return nav.Rekey(to) }
	}
	return func() tea.Msg { return to }
}

// Wipe forgets what was typed: a key, or a passphrase. What is being done goes on.
func (m *Model) Wipe() {
	m.form.Wipe()
	if m.passphraseForm != nil {
		m.passphraseForm.Wipe()
	}
}

// WhyStay says why the screen cannot be left now.
func (m *Model) WhyStay() string {
	switch m.stage {
	case confirming:
		return "The key is stored. Choose whether to change the profile: y or n."
	case writing:
		return "The profile is being written."
	}
	return ""
}

// Back ends a wait, or leaves a question for the one before; what was entered stays.
func (m *Model) Back() bool {
	m.lastSubmit = time.Time{} // another key was pressed
	switch m.stage {
	case choosing, entering, unlocking:
		if m.stage == choosing || !m.chosen {
			return false
		}
		m.wipePassphrases()
		m.stage = choosing
	case opening:
		m.get.Drop()
		m.showMissing(present.Problem{What: present.Sentence("waiting for " + sourceName(m.source()) + " was cancelled")})
	case verifying:
		m.verification.Drop()
		m.stage = entering
	case storing:
		m.set.Drop()
		m.notStored(present.Sentence("waiting for " + sourceName(m.source()) + " was cancelled; it may still store the key"))
		m.trouble.Done = ""
	case sealing, deciding:
		m.wipePassphrases()
		m.key = keystore.Key{}
		m.stage, m.trouble = entering, present.Problem{}
	}
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Secret key" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	return m.stage == entering || m.stage == unlocking || m.stage == sealing
}

// Notice is why the last key did nothing.
func (m *Model) Notice() ui.Notice { return ui.Notice{Tone: ui.ToneAct, Text: m.notice} }

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"A typed key is verified with one read-only request: the first page of transactions. It is stored only once the service has accepted it, and only where you chose.",
		"If a source has no key, paydesk never falls back to another by itself. A key is never shown, copied, passed as an argument or, unless it is sealed, written to a file.",
	}
}
