package keys

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// readSource reads the source of the profile. If a person requested it, the wait is longer,
// because they can answer the keyring's prompt.
func (m *Entry) readSource(requested bool) tea.Cmd {
	m.profile, m.stage, m.trouble, m.requested = m.o.Profile, opening, present.Problem{}, requested
	store, name := m.store(), m.profile.Name
	return m.call.Then(m.onSource).Timed(m.sourceLimit()).Ask(m.Scope, func(ctx context.Context) (keystore.Key, error) {
		if requested {
			ctx = keystore.WithPrompt(ctx)
		}
		return store.Get(ctx, name)
	})
}

// answersAlone reports whether the source usually has the key without asking a person.
func (m *Entry) answersAlone() bool { return m.profile.Source != "ask" && m.profile.Source != "age" }

// Reading reports whether the screen has been opened only to read a source, and has asked the person nothing so far.
func (m *Entry) Reading() bool {
	return m.stage == opening && !m.o.Replace && !m.o.Return && !m.requested && m.answersAlone()
}

// sourceLimit returns how long the source may take: a command has less time than a person at a prompt.
func (m *Entry) sourceLimit() time.Duration {
	if m.profile.Source == "command" {
		return keystore.CommandLimit
	}
	return promptLimit
}

// A terminalResult is the result of a command that ran with the terminal.
type terminalResult ui.Result[keystore.Key]

// runInteractive runs the key command with the terminal, so that it can prompt. The console is
// suspended until the command ends.
func (m *Entry) runInteractive(p keystore.Prompter) tea.Cmd {
	m.stage, m.requested = opening, true
	cmd, read := p.Interactive(m.profile.Name)
	return m.Scope.Exec(cmd, func(error) tea.Msg { // read returns a better error
		k, err := read()
		return terminalResult{Value: k, Err: err}
	})
}

// onSource continues with the result of the source. A key that replaces another is verified
// first, because it may be the rejected one, and so is the first one, because its address may be wrong.
func (m *Entry) onSource(a ui.Result[keystore.Key]) tea.Cmd {
	k, err := a.Value, a.Err
	var elsewhere *keystore.Elsewhere
	switch {
	case errors.As(err, &elsewhere):
		return m.askAddress(elsewhere)
	case err == nil && (m.o.Replace || m.o.First):
		m.fromSource = true
		return m.verify(k)
	case err == nil:
		return m.connect(k, m.profile, m.source())
	case errors.Is(err, keystore.ErrWrongPassphrase):
		return m.askPassphrase(present.Sentence(err.Error()))
	case errors.Is(err, keystore.ErrPassphrase):
		return m.askPassphrase("")
	case errors.Is(err, keystore.ErrNotFound) && m.defaultSource() == m.profile.Source:
		m.missing = present.Problem{What: present.Sentence(err.Error())}
		m.enterFor(m.profile.Source)
		if m.requested { // nothing else on the screen has changed
			m.Warn(m.missing.What)
		}
		return nil
	}
	m.showMissing(trouble(err))
	return m.findKeyring()
}

// trouble describes why a source has no key, and what to do about it. What the key command wrote is
// text from outside, so it is cleaned and stands apart as the detail.
func trouble(err error) present.Problem {
	var p *keystore.Problem
	if !errors.As(err, &p) {
		return present.Problem{What: present.Sentence(err.Error())}
	}
	return present.Problem{What: present.Sentence(p.Message), Next: present.Sentence(p.Hint), Detail: present.Plain(p.Stderr())}
}

// save stores a key in the chosen store. A key for this run only is not stored, unless the
// profile's source is "ask", which remembers it until the end of the run.
func (m *Entry) save(k keystore.Key) tea.Cmd {
	store, name := m.store(), m.profile.Name
	switch {
	case m.profile.Source == "ask" && m.o.First: // the profile is written with it, so that the next start asks
		return m.connect(k, m.profile, thisRun)
	case m.profile.Source == "ask" && m.o.Profile.Source != "ask":
		return m.connect(k, m.o.Profile, thisRun)
	case m.profile.Source == "age":
		return m.newPassphrase(k)
	}
	return m.keep(k, promptLimit, func(ctx context.Context) error { return store.Set(ctx, name, k) })
}

// changesProfile reports whether the profile is changed to the source that has the key once that is stored: another was chosen.
func (m *Entry) changesProfile() bool { return m.o.SetSource != nil && m.profile != m.o.Profile }

// An unwritten is the error of a profile that could not be changed, though the key is stored.
type unwritten struct{ error }

// keep stores a key, and changes the profile.
func (m *Entry) keep(k keystore.Key, limit time.Duration, store func(context.Context) error) tea.Cmd {
	m.stage, m.key = storing, k
	p, set, changes := m.profile, m.o.SetSource, m.changesProfile()
	return m.call.Then(m.onStored).Timed(limit).Ask(m.Scope, func(ctx context.Context) (keystore.Key, error) {
		err := store(ctx)
		if err != nil || !changes { // once the key is there the profile says so, also after the screen was left
			return k, err
		}
		if err = set(p.Name, p.Source); err != nil {
			err = unwritten{err}
		}
		return k, err
	})
}

// onStored continues with the key, in the profile that names its source now.
func (m *Entry) onStored(a ui.Result[keystore.Key]) tea.Cmd {
	if a.Err == nil {
		return m.connect(a.Value, m.profile, m.source())
	}
	t := trouble(a.Err)
	m.notStored(t.What)
	m.trouble.Detail = t.Detail
	if _, is := errors.AsType[unwritten](a.Err); is {
		m.trouble.What = "The profile was not changed: " + t.What
		m.trouble.Done = "The key is stored in " + SourceName(m.source()) + "; the profile still says key = \"" + m.o.Profile.Source + "\"."
		m.trouble.Next = "Try again, or use the key for this run only."
	}
	return nil
}

// notStored says that the key was not stored, and offers to try again or to use it once.
func (m *Entry) notStored(why string) {
	m.stage = deciding
	m.menu.Set(m.ways()...)
	m.menu.First()
	m.trouble = present.Problem{
		What: why, Done: "The key was not stored.",
		Next: "You can use it for this run only: it stays in memory, is written nowhere, and you enter it again at the next start.",
	}
}
