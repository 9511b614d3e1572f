// Package fileform asks what goes into a new file, in which format and where, shows its path, and writes it. The file can
// be read by its owner only, and no other file is replaced by it. While it is written the form shows how far that is;
// esc cancels it, and then nothing is left.
package fileform

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/export"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A File is what is written.
type File struct {
	// Parts hold what can be written: the person chooses one. Formats are those of rows; none for a file of text.
	Parts   []Part
	Formats []export.Format
	Name    func(Choice) string
	// Write runs in the background. It tells how many rows it has written so far, and returns how many it wrote.
	Write func(ctx context.Context, w io.Writer, c Choice, told func(n int)) (rows int, err error)
	// Start is the folder to begin with. Where it is empty, Folder returns one; it may read the file system. Nil for none.
	Start  string
	Folder func() string
	// Problem words an error of Write; nil for one that has no words of its own.
	Problem func(error) string
}

// A Part is one of the things that can be written: rows.
type Part struct {
	Label string
	Rows  int // how many, 0 where it is not known
	Note  string
}

// A Choice is what the person has chosen.
type Choice struct {
	Part   int // the index in File.Parts
	Format export.Format
}

// Written is a file that was written, and from what.
type Written struct {
	Path, Folder string
	Rows         int
	Choice
}

// Text is a file of a text, of which there is nothing to choose.
func Text(name string, folder func() string, write func(io.Writer) error) File {
	return File{
		Name: func(Choice) string { return name }, Folder: folder,
		Write: func(_ context.Context, w io.Writer, _ Choice, _ func(int)) (int, error) { return 0, write(w) },
	}
}

// Case is a case named after a payment or an attempt: Markdown for a ticket.
func Case(of string, folder func() string, k report.Subject) File {
	file := Text(export.FileName("case-"+present.Plain(of), ".md", k.Now), folder, func(w io.Writer) error {
		k.Now = time.Now()
		return report.Of(k).WriteMarkdown(w, k.Now)
	})
	file.Problem = present.FileProblem
	return file
}

// CaseWords say what is in a case.
const CaseWords = "A case is Markdown for a ticket: what was sent, when and by whom, and what we know and do not know " +
	"about it. It contains no card number, key or customer data. Its path is shown and can be changed before it is written."

// A Form is open until the file was written or the screen closes it.
type Form struct {
	theme   *ui.Theme
	file    File
	form    *ui.Form
	part    *ui.ChoiceField
	format  *ui.ChoiceField
	folder  *ui.TextField
	note    string // how the last writing ended
	looking ui.Call[string]
	writing writing
	done    func(Written) tea.Cmd
}

// Open returns the form, and the command that looks for the folder. done receives the file.
func Open(t *ui.Theme, s ui.Scope, file File, done func(Written) tea.Cmd) (*Form, tea.Cmd) {
	f := &Form{theme: t, file: file, done: done, folder: folderField(t)}
	var fields []ui.Field
	if len(file.Parts) > 1 {
		f.part = ui.NewChoiceField(t, "Rows", "which rows to write", labels(file.Parts)...)
		fields = append(fields, f.part)
	}
	if len(file.Formats) > 1 {
		f.format = ui.NewChoiceField(t, "Format", "CSV for a spreadsheet, JSON for a program, JSON Lines for one that reads line by line", names(file.Formats)...)
		fields = append(fields, f.format)
	}
	f.form = ui.NewForm(t, append(fields, f.folder)...)
	f.form.SubmitLabel("write")
	f.folder.SetValue(file.Start)
	if file.Folder == nil || file.Start != "" {
		return f, nil
	}
	return f, f.looking.Then(f.found).Ask(s, func(context.Context) (string, error) { return file.Folder(), nil })
}

func labels(parts []Part) (all []string) {
	for _, p := range parts {
		all = append(all, p.Label)
	}
	return all
}

func names(formats []export.Format) (all []string) {
	for _, f := range formats {
		all = append(all, f.String())
	}
	return all
}

// folderField asks for the folder of a new file.
func folderField(t *ui.Theme) *ui.TextField {
	return ui.NewTextField(t, "Folder", "where to save the file", ui.Required(), ui.Path(), ui.Limit(512), ui.Checked(notWhole))
}

// notWhole rejects a folder that depends on where paydesk was started, by the reason; "" for a whole path.
func notWhole(folder string) string {
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

// chosen returns what is chosen now.
func (f *Form) chosen() (c Choice) {
	if f.part != nil {
		c.Part = f.part.Chosen()
	}
	switch {
	case f.format != nil:
		c.Format = f.file.Formats[f.format.Chosen()]
	case len(f.file.Formats) == 1:
		c.Format = f.file.Formats[0]
	}
	return c
}

// partChosen is the part that is chosen; the zero Part for a file without any.
func (f *Form) partChosen() (p Part) {
	if len(f.file.Parts) > 0 {
		p = f.file.Parts[f.chosen().Part]
	}
	return p
}

// Update handles input, and writes once the form was submitted.
func (f *Form) Update(s ui.Scope, msg tea.Msg) tea.Cmd {
	if f.writing.Pending() {
		return nil
	}
	if _, pressed := msg.(tea.KeyPressMsg); pressed {
		f.note = ""
	}
	if f.form.Update(msg) != ui.Submitted {
		return nil
	}
	return f.write(s)
}

// Back cancels the writing, if the file is being written, and reports whether the form stays open.
func (f *Form) Back() bool {
	if f.writing.Pending() {
		f.writing.cancel()
		return true
	}
	f.looking.Drop()
	return false
}

// View draws the form, the path, and what kind of file it becomes; or how far the writing is.
func (f *Form) View(w, h int) (string, *tea.Cursor) {
	if f.writing.Pending() {
		return ui.Lines(w, h, f.writing.lines(f.theme, f.partChosen().Rows, w)...), nil
	}
	under := f.under(w)
	body, cursor := f.form.View(w, max(min(h-len(under), f.form.Height()), 0))
	return ui.Lines(w, h, append(strings.Split(body, "\n"), under...)...), cursor
}

// under are the lines below the form: how the last writing ended, the path, and what is to be known of the file.
func (f *Form) under(w int) []string {
	const label = 18 // as wide as the labels of the form
	path := f.file.Name(f.chosen())
	if folder := f.folder.Value(); notWhole(folder) == "" {
		path = filepath.Join(folder, path)
	}
	lines := []string{""}
	if f.note != "" {
		lines = append(lines, f.theme.MarkLines(ui.ToneNone, f.note, w)...)
	}
	for _, l := range f.theme.FactLines("File", present.Plain(path), label, w-2) {
		lines = append(lines, "  "+l)
	}
	if note := f.partChosen().Note; note != "" {
		lines = append(lines, ui.Wrap(note, w)...)
	}
	return append(lines, f.theme.MutedLines("Only you can read the file. Where its name is taken, a number is added.", w)...)
}

// Keys are the bindings for the help.
func (f *Form) Keys() []key.Binding {
	if f.writing.Pending() {
		return nil
	}
	return f.form.Keys()
}

// Typing reports whether the focus is on a text.
func (f *Form) Typing() bool { return !f.writing.Pending() && f.form.Typing() }

// Writing reports whether the file is being written.
func (f *Form) Writing() bool { return f.writing.Pending() }
