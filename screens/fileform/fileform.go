// Package fileform asks where a new file goes, shows its path, and writes it. The file can be read by
// its owner only, and no other file is replaced by it.
package fileform

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal/export"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A File is what is written.
type File struct {
	Name  string
	Write func(io.Writer) error // runs in the background
	// Folder returns the folder to begin with; it may read the file system. Nil for none.
	Folder func() string
}

// A Form is open until the file was written or the screen closes it.
type Form struct {
	theme   *ui.Theme
	file    File
	form    *ui.Form
	folder  *ui.TextField
	looking ui.Call[string]
	writing ui.Call[string]
	done    func(path string) tea.Cmd
}

// Open returns the form, and the command that looks for the folder. done receives the path of the file.
func Open(t *ui.Theme, s ui.Scope, file File, done func(path string) tea.Cmd) (*Form, tea.Cmd) {
	f := &Form{theme: t, file: file, done: done}
	f.folder = FolderField(t)
	f.form = ui.NewForm(t, f.folder)
	f.form.SubmitLabel("write")
	if file.Folder == nil {
		return f, nil
	}
	return f, f.looking.Then(f.found).Ask(s, func(context.Context) (string, error) { return file.Folder(), nil })
}

// FolderField asks for the folder of a new file.
func FolderField(t *ui.Theme) *ui.TextField {
	return ui.NewTextField(t, "Folder", "where to save the file", ui.Required(), ui.Path(), ui.Limit(512), ui.Checked(NotWhole))
}

// NotWhole rejects a folder that depends on where paydesk was started, by the reason; "" for a whole path.
func NotWhole(folder string) string {
	if filepath.IsAbs(folder) || folder == "~" || strings.HasPrefix(folder, "~/") {
		return ""
	}
	return "Enter the whole path of a folder, such as ~/Downloads"
}

func (f *Form) found(a ui.Result[string]) tea.Cmd {
	if f.folder.Empty() { // nobody has typed one meanwhile
		f.folder.SetValue(a.Value)
	}
	return nil
}

// Update handles input, and writes once the form was submitted.
func (f *Form) Update(s ui.Scope, msg tea.Msg) tea.Cmd {
	if f.writing.Pending() || f.form.Update(msg) != ui.Submitted {
		return nil
	}
	folder, file := f.folder.Value(), f.file
	return f.writing.Then(f.written).Ask(s, func(context.Context) (string, error) {
		return export.CreateFile(folder, file.Name, file.Write)
	})
}

func (f *Form) written(a ui.Result[string]) tea.Cmd {
	if a.Err != nil {
		f.form.SetError(f.folder, present.FileProblem(a.Err))
		return nil
	}
	return f.done(a.Value)
}

// View draws the form, the path, and what kind of file it becomes.
func (f *Form) View(w, h int) (string, *tea.Cursor) {
	if f.writing.Pending() {
		return ui.Lines(w, h, "Writing…"), nil
	}
	path := present.Plain(f.file.Name)
	if folder := f.folder.Value(); NotWhole(folder) == "" {
		path = present.Plain(filepath.Join(folder, f.file.Name))
	}
	file := f.theme.FactLines("File", path, 6, w)
	note := f.theme.MutedLines("Creates a new file that only you can read; existing files are never overwritten.", w)
	body, cursor := f.form.View(w, max(min(h-len(file)-len(note)-1, 3), 0))
	return ui.Lines(w, h, strings.Split(body, "\n")...) + "\n" + strings.Join(append(append(file, ""), note...), "\n"), cursor
}

// Keys are the bindings for the help.
func (f *Form) Keys() []key.Binding { return f.form.Keys() }

// Typing reports whether the focus is on a text.
func (f *Form) Typing() bool { return f.form.Typing() }
