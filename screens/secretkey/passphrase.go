package secretkey

import (
	"bytes"
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// askPassphrase asks for the passphrase of a sealed key; why is the error of the last attempt.
func (m *Model) askPassphrase(why string) tea.Cmd {
	m.stage, m.trouble = unlocking, present.Problem{}
	m.passphrase, m.repeated = m.passphraseField("Passphrase", "of "+m.path()), nil
	m.passphraseForm = ui.NewForm(m.theme, m.passphrase)
	m.passphraseForm.SubmitLabel("unlock the key")
	if why != "" {
		m.passphraseForm.SetError(m.passphrase, why)
	}
	m.missing = present.Problem{What: "The key is sealed in " + clean(m.path()) + "."}
	return nil
}

// newPassphrase asks twice for the passphrase of a key to be sealed.
func (m *Model) newPassphrase(k keystore.Key) tea.Cmd {
	m.stage, m.key, m.trouble = sealing, k, present.Problem{}
	short := fmt.Sprintf("Use at least %d characters; several words are best", keystore.MinPassphrase)
	m.passphrase = m.passphraseField("New passphrase", "several words are best; nobody can recover it", ui.Checked(func(string) string {
		return checkSecret(m.passphrase, func(b []byte) bool { return len(b) >= keystore.MinPassphrase }, short)
	}))
	m.repeated = m.passphraseField("Repeat", "type it again to confirm", ui.Checked(func(string) string {
		first := m.passphrase.Secret()
		defer clear(first)
		return checkSecret(m.repeated, func(b []byte) bool { return bytes.Equal(b, first) }, "The passphrases do not match")
	}))
	m.passphraseForm = ui.NewForm(m.theme, m.passphrase, m.repeated)
	m.passphraseForm.SubmitLabel("seal the key")
	return nil
}

func (m *Model) passphraseField(label, help string, o ...ui.TextOption) *ui.TextField {
	return ui.NewTextField(m.theme, label, help, append(o, ui.Required(), ui.Masked(), ui.Limit(512))...)
}

// wipePassphrases wipes the typed passphrases.
func (m *Model) wipePassphrases() {
	if m.passphraseForm != nil {
		m.passphraseForm.Wipe()
		m.passphraseForm = nil
	}
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

// path is the path of the sealed key.
func (m *Model) path() string { return m.withSource("age").KeyPath(m.o.Folder) }

func (m *Model) enterPassphrase(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && m.stage == unlocking && key.Matches(k, m.keys.options) {
		m.wipePassphrases()
		m.showMissing(m.missing)
		return nil
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
	m.wipePassphrases()
	if m.stage == unlocking {
		m.stage = opening
		return m.get.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) { return store.Unlock(ctx, name, phrase) })
	}
	m.stage = storing
	k := m.key
	return m.set.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) { return k, store.Seal(ctx, name, k, phrase) })
}
