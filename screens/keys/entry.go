package keys

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// enterFor starts the entry of a key for a source.
func (m *Entry) enterFor(source string) {
	m.profile, m.stage, m.trouble, m.unverified = m.o.Profile.WithSource(source), entering, present.Problem{}, false
}

// malformed says why s cannot be a key, without quoting it. Such a key is never sent, since services
// count rejected keys.
func malformed(s string) string {
	if _, err := keystore.ParseKey(s); err != nil {
		return present.Sentence(err.Error())
	}
	return ""
}

// enter handles input while the key is typed. Letters are text there, so the bindings are control
// keys.
func (m *Entry) enter(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		again, options, storeAnyway := m.entryKeys()
		switch {
		case key.Matches(k, again):
			return m.readSource(true)
		case key.Matches(k, options):
			m.showMissing(m.missing)
			return m.findKeyring()
		case key.Matches(k, storeAnyway):
			return m.withEntered(m.save)
		}
	}
	if _, pasted := msg.(tea.PasteMsg); pasted && m.submittedAt == m.field.Edits() {
		m.form.Wipe() // the dots would not show that the paste follows a key that did not work
	}
	if k, ok := msg.(tea.KeyPressMsg); ok && ui.Submits(k) {
		m.submittedAt = m.field.Edits()
	}
	if m.form.Update(msg) != ui.Submitted {
		return nil
	}
	m.fromSource = false
	return m.withEntered(m.verify)
}

// entryKeys returns the bindings with those enabled that work while a key is typed.
func (m *Entry) entryKeys() (again, options, storeAnyway key.Binding) {
	again, options, storeAnyway = keyAgain, keyOptions, keyStoreAnyway
	again.SetEnabled(!m.chosen && m.o.Profile.Source == m.profile.Source && m.profile.Source != "ask")
	options.SetEnabled(!m.chosen)
	storeAnyway.SetEnabled(m.unverified)
	if m.profile.Source == "ask" { // nothing is stored
		storeAnyway.SetHelp(storeAnyway.Help().Key, "use it anyway")
	}
	return again, options, storeAnyway
}

// withEntered continues with the key in the field, or reports at the field why it is not a key, or not one for the profile.
func (m *Entry) withEntered(do func(keystore.Key) tea.Cmd) tea.Cmd {
	k, err := keystore.ParseKey(m.field.Value())
	if err == nil {
		err = k.Fits(m.profile)
	}
	if err != nil {
		m.form.SetError(m.field, present.Sentence(err.Error()))
		return nil
	}
	return do(k)
}

// verify sends one read-only request with a key. The key goes to the host of the profile, which the
// screen shows above the field.
func (m *Entry) verify(k keystore.Key) tea.Cmd {
	m.stage, m.trouble, m.unverified = verifying, present.Problem{}, false
	m.held.Submitted(m.Scope)
	profile, verify := m.profile, m.o.Verify
	return m.call.Then(m.onVerified).Timed(api.ReadLimit).Ask(m.Scope, func(ctx context.Context) (keystore.Key, error) {
		return k, verify(ctx, profile, k)
	})
}

// onVerified stores a key that the service accepted. Only [api.KeyRejected] means that the key
// is wrong; after any other error it may be right.
func (m *Entry) onVerified(a ui.Result[keystore.Key]) tea.Cmd {
	k, err := a.Value, a.Err
	m.accepted = err == nil
	switch {
	case err == nil && m.fromSource:
		return m.connect(k, m.profile, m.source()) // its source has it already
	case err == nil:
		return m.save(k)
	}
	t := present.Error(err, present.Reading)
	judged := api.KeyRejected(err)
	if r, is := errors.AsType[*api.Refusal](err); is && r.HTTP == 404 { // also of a web server without the service
		t.What = "There is no list of transactions at the list URL."
	}
	from := "The key from " + SourceName(m.source())
	switch {
	case m.fromSource && judged && m.o.Replace:
		t.What, t.Next = from+" was rejected too.", "Enter another, or store it there and retry."
	case m.fromSource && judged:
		t.What, t.Next = from+" was rejected.", "Enter another, or store it there and retry."
	case m.fromSource:
		t.Next = from + " could not be verified: retry."
	case !judged:
		m.unverified = true
		anyway := "store"
		if m.profile.Source == "ask" {
			anyway = "use"
		}
		t.Next = "The key could not be verified. Try again (enter), or " + anyway + " it unverified (" + keyStoreAnyway.Help().Key + ")."
	}
	if m.o.First {
		t.Next = present.Sentence(t.Next + " Wrong address? esc leads back to it")
	}
	m.enterAgain(t)
	if judged && !m.fromSource {
		m.form.Wipe()
		m.form.SetError(m.field, "This key was rejected and is wiped; enter another")
	}
	return nil
}

// enterAgain asks for another key than one that was not accepted. Where its source takes none, the others are offered.
func (m *Entry) enterAgain(why present.Problem) {
	if m.fromSource && m.defaultSource() != m.profile.Source {
		m.showMissing(why)
		return
	}
	m.stage, m.trouble = entering, why
}

// askPassphrase asks for the passphrase of a sealed key; why is the error of the last attempt.
func (m *Entry) askPassphrase(why string) tea.Cmd {
	m.stage, m.trouble = unlocking, present.Problem{}
	m.passphrase = m.passphraseField("Passphrase", "of "+m.path())
	m.passphraseForm = ui.NewForm(m.Theme, m.passphrase)
	m.passphraseForm.SubmitLabel("unlock the key")
	if why != "" {
		m.passphraseForm.SetError(m.passphrase, why)
	}
	m.missing = present.Problem{What: "The key is sealed in " + present.Plain(m.path()) + "."}
	return nil
}

// newPassphrase asks twice for the passphrase of a key to be sealed.
func (m *Entry) newPassphrase(k keystore.Key) tea.Cmd {
	m.stage, m.key, m.trouble = sealing, k, present.Problem{}
	short := fmt.Sprintf("Use at least %d characters; several words are best", keystore.MinPassphrase)
	m.passphrase = m.passphraseField("Passphrase", "Several words are best. It cannot be recovered.", ui.Checked(func(string) string {
		return checkSecret(m.passphrase, func(b []byte) bool { return len(b) >= keystore.MinPassphrase }, short)
	}))
	var repeated *ui.TextField
	repeated = m.passphraseField("Repeat", "Type it again to confirm.", ui.Checked(func(string) string {
		first := m.passphrase.Secret()
		defer clear(first)
		return checkSecret(repeated, func(b []byte) bool { return bytes.Equal(b, first) }, "The passphrases do not match")
	}))
	m.passphraseForm = ui.NewForm(m.Theme, m.passphrase, repeated)
	m.passphraseForm.SubmitLabel("seal the key")
	return nil
}

// passphraseField is a field whose content is never shown and can be wiped.
func (m *Entry) passphraseField(label, help string, o ...ui.TextOption) *ui.TextField {
	return ui.NewTextField(m.Theme, label, help, append(o, ui.Required(), ui.Masked(), ui.Limit(512))...)
}

// checkSecret checks the content of a field and wipes its copy.
func checkSecret(f *ui.TextField, right func([]byte) bool, words string) string {
	b := f.Secret()
	defer clear(b)
	if right(b) {
		return ""
	}
	return words
}

// path is the path of the sealed key, whatever source the profile names now.
func (m *Entry) path() string { return m.o.Profile.WithSource("age").KeyPath(m.o.Folder) }

// enterPassphrase handles input while a passphrase is typed, for a sealed key or a new one. The
// fields are wiped as soon as it is submitted: the store wipes its own copy.
func (m *Entry) enterPassphrase(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && m.stage == unlocking && key.Matches(k, keyOptions) {
		m.passphraseForm.Wipe()
		m.showMissing(m.missing)
		return m.findKeyring()
	}
	if m.passphraseForm.Update(msg) != ui.Submitted {
		return nil
	}
	store, ok := m.store().(keystore.Sealed)
	if !ok {
		m.showMissing(present.Problem{What: "A sealed key cannot be stored here."})
		return nil
	}
	phrase, name := m.passphrase.Secret(), m.profile.Name
	m.passphraseForm.Wipe()
	if m.stage == unlocking {
		m.stage, m.requested = opening, true
		return m.call.Then(m.onSource).
			Ask(m.Scope, func(ctx context.Context) (keystore.Key, error) { return store.Unlock(ctx, name, phrase) })
	}
	k := m.key
	return m.keep(k, 0, func(ctx context.Context) error { return store.Seal(ctx, name, k, phrase) })
}
