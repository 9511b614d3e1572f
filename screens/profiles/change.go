package profiles

import (
	"context"
	"errors"
	"fmt"
	"maps"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/screens/profileform"
	"paydesk/ui"
)

// written is the file after a change, with the notice to show.
type written struct {
	config *keystore.Config
	done   string
	name   string // the profile to select
}

// errChangedOnDisk means that the file differs from what the screen shows.
var errChangedOnDisk = errors.New("the profiles were changed by another program; this is what they are now")

// change writes the file, unless it differs from what the screen shows: then the person sees
// the new content first. In any case the file is read again afterwards.
func (m *Model) change(name, done string, do func(Folder) error) tea.Cmd {
	folder, seen := m.o.Folder, m.config
	return m.write.Then(m.onWritten).Ask(m.Scope, func(context.Context) (written, error) {
		now, err := folder.LoadOrEmpty()
		if err != nil {
			return written{}, err
		}
		if now.Default != seen.Default || !maps.Equal(now.Profiles, seen.Profiles) {
			return written{config: now}, errChangedOnDisk
		}
		err = do(folder)
		after, again := folder.LoadOrEmpty()
		return written{after, done, name}, errors.Join(err, again)
	})
}

// onWritten shows the file as it is now. After an error, the form keeps what was typed.
func (m *Model) onWritten(a ui.Result[written]) tea.Cmd {
	defer m.layout()
	if a.Value.config != nil {
		m.wanted = a.Value.name
		m.setConfig(a.Value.config)
	}
	switch {
	case a.Err != nil && m.stage == deleting: // the profile to delete may have changed
		m.begin(listing)
		m.trouble = present.Problem{What: present.Sentence(a.Err.Error()), Next: "Look at the list, and press the key again."}
	case errors.Is(a.Err, errChangedOnDisk):
		m.trouble = present.Problem{What: present.Sentence(a.Err.Error()), Done: "Nothing was written.", Next: m.nextStep()}
	case a.Err != nil:
		m.trouble = present.Problem{What: "The change failed.", Detail: present.Plain(a.Err.Error())}
	default:
		m.begin(listing)
		m.News = ui.Notice{Text: a.Value.done}
	}
	return nil
}

// nextStep says what to do after another program has changed the file.
func (m *Model) nextStep() string {
	if m.stage == listing {
		return "Look at it, and press the key again."
	}
	return "Look at it (esc), or write anyway (ctrl+s)."
}

// edit handles a keystroke in the form. An open profile keeps its settings until it is opened again:
// a payment in progress must not change its host.
func (m *Model) edit(msg tea.Msg) tea.Cmd {
	if m.form.Update(msg) != ui.Submitted {
		return nil
	}
	p := m.form.Profile()
	done, write := "The profile was written.", Folder.Edit
	switch {
	case m.isNew:
		write = Folder.Create
	case p.Name == m.o.Open:
		done = "Written. What is open keeps the old settings until you reopen the profile."
	}
	return m.change(p.Name, done, func(f Folder) error { return write(f, p) })
}

// fill begins a new profile or the change of an existing one.
func (m *Model) fill(f *profileform.Form, isNew bool) tea.Cmd {
	m.begin(editing)
	m.form, m.isNew = f, isNew
	return nil
}

// askName asks for the name of a copy.
func (m *Model) askName(p keystore.Profile) tea.Cmd {
	m.begin(copying)
	m.target = p
	m.name = ui.NewTextField(m.Theme, "Name", "of the copy: lower-case letters, digits, - and _", ui.Required(), ui.Limit(32), ui.Checked(m.badName))
	m.ask = ui.NewForm(m.Theme, m.name)
	m.ask.SubmitLabel("copy")
	return nil
}

// badName says why a copy cannot have this name, "" if it can. The file is checked again when it is
// written, since another program may have taken the name meanwhile.
func (m *Model) badName(name string) string {
	if _, taken := m.config.Profiles[name]; taken {
		return "A profile with this name already exists"
	}
	return present.Sentence(keystore.Profile{Name: name}.Check()["name"])
}

// copy handles input while the name of a copy is typed. The copy has no key yet, because a key is
// stored under the name of its profile.
func (m *Model) copy(msg tea.Msg) tea.Cmd {
	if m.ask.Update(msg) != ui.Submitted {
		return nil
	}
	p := m.target
	p.Name = m.name.Value()
	return m.change(p.Name, "Copied. The copy needs a key of its own: enter it when you open the profile.", func(f Folder) error { return f.Create(p) })
}

// managesKey reports whether paydesk may delete the key of a profile. It deletes no key that it could
// not have stored.
func managesKey(p keystore.Profile) bool { return keystore.StoredElsewhere(p.Source) == "" }

// askDelete asks whether to delete the key too. Before the default profile is deleted, another has
// to become the default, so that the next start knows which one to open.
func (m *Model) askDelete(p keystore.Profile) tea.Cmd {
	if p.Name == m.config.Default && len(m.names) > 1 {
		return m.Warn("It is the default profile: make another one the default first.")
	}
	m.begin(deleting)
	m.target = p
	m.menu.Set(m.answers()...)
	m.menu.First()
	return nil
}

// answers returns what can be deleted. The first deletes nothing: enter may be held down still.
func (m *Model) answers() []ui.MenuItem {
	p := m.target
	keep := ui.MenuItem{Name: "Keep it", About: "deletes nothing", Do: func() tea.Cmd {
		m.begin(listing)
		return nil
	}}
	only := ui.MenuItem{Name: "Delete the profile", About: "its key stays where it is", Do: func() tea.Cmd {
		return m.change("", "The profile was deleted. Its key stays where it was.", func(f Folder) error { return f.Remove(p.Name) })
	}}
	if !managesKey(p) {
		return []ui.MenuItem{keep, only}
	}
	store := m.o.Store(p)
	both := ui.MenuItem{Name: "Delete profile and key", About: "both, for good", Do: func() tea.Cmd {
		return m.change("", "The profile and its key were deleted.", func(f Folder) error {
			// The key first: without its profile, nothing would lead to it.
			if err := store.Delete(context.Background(), p.Name); err != nil && !errors.Is(err, keystore.ErrNotFound) {
				return fmt.Errorf("its key could not be deleted, so the profile was kept: %w", err)
			}
			if err := f.Remove(p.Name); err != nil {
				return fmt.Errorf("its key was deleted, but the profile was not: %w", err)
			}
			return nil
		})
	}}
	return []ui.MenuItem{keep, only, both}
}
