package keys

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// EntryOptions configure the screen. Where a key replaces a rejected one, the source is read only on request; there, and where it
// unlocks the console, the result is a [nav.Rekey]. For a profile that is in no file yet a key from the source is verified too, and
// esc leads back to the address.
type EntryOptions struct {
	nav.Key
	// Refused are the last four characters of the key that is replaced.
	Refused string
	// Store returns the one source that a profile names.
	Store func(keystore.Profile) keystore.Store
	// Folder tells where the sealed files of profiles without a KeyFile are.
	Folder string
	// Verify sends one read-only request with a key.
	Verify func(context.Context, keystore.Profile, keystore.Key) error
	// Keyring reports whether there is a keyring for the key; nil where that is known.
	Keyring func(context.Context) bool
	// SetSource names a source in the file of the profile, once the key was stored there; nil if the profile is in no file.
	SetSource func(profile, source string) error
}

// A stage of the screen.
type stage uint8

const (
	opening      stage = iota // reading the source
	choosing                  // the source has no key: choosing an option
	entering                  // typing the key
	verifying                 // verifying the key
	unlocking                 // typing the passphrase of a sealed key
	sealing                   // typing a new passphrase, twice
	storing                   // storing the key
	deciding                  // the store failed: choosing what to do
	readdressing              // asking about a key that was given for another address
)

// promptLimit is the time that a keyring gives a person to unlock it.
const promptLimit = 60 * time.Second

// thisRun stands in the header for a key that is stored nowhere.
const thisRun = "this run"

// An Entry is the screen that gets the secret key of a profile. It reads the source
// that the profile names. If that has no key, the screen says why and offers the other
// sources; paydesk never tries one of them by itself. A typed key is verified with one
// read-only request and stored where the person chooses, or nowhere.
type Entry struct {
	ui.Staged
	o     EntryOptions
	stage stage

	form           *ui.Form
	field          *ui.TextField
	passphraseForm *ui.Form
	passphrase     *ui.TextField // of a sealed key, or a new one

	profile    keystore.Profile // with the chosen source
	requested  bool             // the person has done something so that the source is read
	chosen     bool             // the person chose the source among the options
	fromSource bool             // the key being verified is from the source, not typed

	call    ui.Call[keystore.Key] // the call that the stage waits for
	looking ui.Call[bool]         // for a keyring to offer
	looked  bool                  // for one

	key        keystore.Key    // the entered key, until it is stored or used
	missing    present.Problem // why the source has no key
	trouble    present.Problem
	held       ui.HeldKey // services lock out clients that repeat a rejected key
	unverified bool       // the service did not judge the key, so it may be right
	accepted   bool       // the service accepted the key

	submittedAt int // edits of the field when it was last submitted

	elsewhere *keystore.Elsewhere // the key that readdressing asks about
	question  *ui.Confirm         // of readdressing
	menu      *ui.Menu            // of choosing, and of deciding
}

// NewEntry returns the screen for a profile.
func NewEntry(t *ui.Theme, o EntryOptions) *Entry {
	m := &Entry{Staged: ui.Staged{Body: ui.Body{Theme: t}}, o: o, profile: o.Profile, passphraseForm: ui.NewForm(t), menu: ui.NewMenu(t), submittedAt: -1}
	m.field = ui.NewTextField(t, "Secret key", "From the merchant dashboard: settings, API keys.", ui.Required(), ui.Masked(), ui.Limit(512), ui.Checked(ui.NoCardNumber), ui.Checked(malformed))
	m.form = ui.NewForm(t, m.field)
	m.form.SubmitLabel("verify the key")
	return m
}

// store returns the chosen source; source is its name.
func (m *Entry) store() keystore.Store { return m.o.Store(m.profile) }
func (m *Entry) source() string        { return m.store().Name() }

// Init implements [ui.Screen].
func (m *Entry) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if !m.o.Replace {
		return m.readSource(false)
	}
	m.missing = present.Problem{What: "The service rejected the key " + m.o.Refused + "."}
	m.enterFor(m.defaultSource())
	m.trouble = m.missing
	m.trouble.Next = "Enter another, or try " + SourceName(m.source()) + " again (ctrl+r). Your work is kept and continues afterwards."
	if m.profile.Source != m.o.Profile.Source {
		m.trouble.Next = "Enter another for this run only, or see the options (ctrl+o). Your work is kept and continues afterwards."
	}
	return nil
}

// Update implements [ui.Screen].
func (m *Entry) Update(msg tea.Msg) tea.Cmd {
	if a, ok := msg.(terminalResult); ok && m.stage == opening {
		return m.onSource(ui.Result[keystore.Key](a))
	}
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		m.News = ui.Notice{}
		if m.held.Ignores(m.Scope, k, m.waits()) {
			return m.Warn("Too soon after the last try. Release the key and press it again.")
		}
	}
	switch {
	case m.stage == entering:
		return m.enter(msg)
	case m.stage == unlocking || m.stage == sealing:
		return m.enterPassphrase(msg)
	case m.stage == readdressing:
		return m.question.Answer(msg, m.readdress, m.keepAddress)
	case pressed && m.stage == choosing:
		return tea.Batch(m.findKeyring(), m.menu.Press(k)) // esc has led here without a command
	case pressed && m.stage == deciding:
		return m.menu.Press(k)
	}
	return nil
}

// waits reports whether there is nothing that enter could submit or choose.
func (m *Entry) waits() bool {
	return m.stage != entering && m.stage != choosing && m.stage != deciding
}

// isFirst reports whether no screen is below this one: esc leads to the options, where another profile is one of them.
func (m *Entry) isFirst() bool { return m.o.SetSource != nil && !m.o.Replace && !m.o.Return }

// connect continues with a key and wipes what was entered.
func (m *Entry) connect(k keystore.Key, p keystore.Profile, source string) tea.Cmd {
	m.form.Wipe()
	m.key = keystore.Key{}
	to := nav.Connect{Profile: p, Key: k, Source: source, First: m.o.First}
	if m.o.Replace || m.o.Return {
		return func() tea.Msg { return nav.Rekey(to) }
	}
	return func() tea.Msg { return to }
}

// Wipe wipes a typed key or passphrase. Calls in progress continue with what they were given.
func (m *Entry) Wipe() {
	m.form.Wipe()
	m.passphraseForm.Wipe()
}

// Back cancels a wait or returns to the previous step; what was entered stays.
func (m *Entry) Back() bool {
	m.held.Release()
	m.call.Drop()
	switch m.stage {
	case choosing, entering, unlocking:
		if m.stage == choosing || !m.chosen && !m.isFirst() {
			return false
		}
		m.passphraseForm.Wipe()
		m.stage = choosing
		if m.menu.Set(m.options()...); !m.chosen { // the mark stays on what was chosen
			m.showMissing(m.missing)
		}
	case readdressing:
		m.keepAddress()
	case opening:
		m.showMissing(present.Problem{What: "Waiting for " + SourceName(m.source()) + " was cancelled."})
	case verifying:
		var stopped present.Problem
		if m.fromSource {
			stopped = present.Problem{What: "The key from " + SourceName(m.source()) + " was not verified.", Next: "Enter another, or retry."}
		}
		m.enterAgain(stopped)
	case storing:
		waited := "Waiting for " + SourceName(m.source()) + " was cancelled; it may still store the "
		if m.key.IsZero() { // it was found there, and is not known here before its address is stored
			m.showMissing(present.Problem{What: waited + "address with its key."})
			break
		}
		m.notStored(waited + "key.")
		m.trouble.Done = ""
	case sealing, deciding:
		m.passphraseForm.Wipe()
		m.key = keystore.Key{}
		m.stage, m.trouble = entering, present.Problem{}
	}
	return true
}

// Title implements [ui.Screen].
func (m *Entry) Title() string { return "Secret key" }

// Typing implements [ui.Screen].
func (m *Entry) Typing() bool {
	return m.stage == entering || m.stage == unlocking || m.stage == sealing
}

// Explain returns the text of the help page.
func (m *Entry) Explain() []string {
	return []string{
		"Here the profile's secret key is read from its source, typed, replaced or stored.",
		"A typed key is verified with one read-only request: the first page of transactions. It is stored once the service has accepted it, or if you say so where it could not be verified, and only where you chose.",
		"A key that paydesk stores is stored for the addresses of its profile. paydesk asks before it sends the key to any other, and stores that answer with it.",
		"If a source has no key, paydesk never falls back to another by itself. If you store the key in another, the profile names that one from then on. A key is never shown, copied, passed as an argument or, unless it is sealed, written to a file.",
	}
}

// Command implements [ui.Commander]: set asks for the key unseen, as this screen does.
func (m *Entry) Command() []string { return []string{"key", "set"} }
