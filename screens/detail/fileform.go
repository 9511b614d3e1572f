package detail

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/export"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A File describes what is written.
type File struct {
	Title string               // of the form
	Head  func(w int) []string // above it: what is written
	Help  []string             // says what is in it
	// Parts hold what can be written: the person chooses one. Formats lists the formats of rows; none for a file of text.
	Parts   []FilePart
	Formats []export.Format
	Name    func(Choice) string
	// Begin runs on the event loop before each Write; nil for nothing to do.
	Begin func()
	// Write runs in the background. It tells how many rows it has written so far, and returns how many it wrote.
	Write func(ctx context.Context, w io.Writer, c Choice, told func(n int)) (rows int, err error)
	// Start is the folder to begin with. Where it is empty, Folder returns one; it may read the file system. Nil for none.
	Start  string
	Folder func() string
	// Problem words an error of Write; nil for one that has no words of its own.
	Problem func(error) string
}

// A FilePart is one of the things that can be written: rows.
type FilePart struct {
	Label string
	Rows  int // 0 where their number is not known
	Note  string
}

// A Choice holds what the person has chosen.
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

// TextFile is a file of a text, of which there is nothing to choose.
func TextFile(name string, write func(io.Writer) error) File {
	return File{
		Title: "File", Name: func(Choice) string { return name },
		Write: func(_ context.Context, w io.Writer, _ Choice, _ func(int)) (int, error) { return 0, write(w) },
	}
}

// Case is a case of a payment or an attempt, which is named after that: Markdown for a ticket. It has what subject
// returns when the person writes it, not when the form was opened.
func Case(t *ui.Theme, what, of string, now time.Time, subject func() report.Subject) File {
	var k report.Subject
	file := TextFile(export.FileName("case-"+present.Plain(of), ".md", now), func(w io.Writer) error {
		return report.Of(k).WriteMarkdown(w, k.Now)
	})
	file.Begin = func() { k = subject() }
	file.Title, file.Help, file.Problem = "Case", []string{CaseWords}, present.FileProblem
	file.Head = func(int) []string { return []string{t.Strong.Render("Case of " + what + " " + present.Plain(of)), ""} }
	return file
}

// CaseWords say what is in a case.
const CaseWords = "A case is Markdown for a ticket: what was sent, when and by whom, and what we know and do not know " +
	"about it. It contains no card number, key or customer data. Its path is shown and can be changed before it is written."

// A FileForm asks what goes into a new file, in which format and where, shows its path, and writes it. The file can
// be read by its owner only, and no other file is replaced by it. While it is written the form shows how far that is;
// esc cancels it, and then nothing is left. It stands over the screen whose file it writes, until the file was written or it is left.
type FileForm struct {
	Dialog
	file    File
	part    *ui.ChoiceField
	format  *ui.ChoiceField
	folder  *ui.TextField
	looking ui.Call[string]
	writing Work[Written]
	done    func(Written)
}

// OpenFile is the command that opens the form. done receives the file.
func OpenFile(t *ui.Theme, file File, done func(Written)) tea.Cmd {
	f := &FileForm{file: file, done: done, folder: folderField(t)}
	var fields []ui.Field
	if len(file.Parts) > 1 {
		f.part = ui.NewChoiceField(t, "Rows", "which rows to write", labels(file.Parts)...)
		fields = append(fields, f.part)
	}
	if len(file.Formats) > 1 {
		f.format = ui.NewChoiceField(t, "Format", "CSV for a spreadsheet, JSON for a program, JSON Lines for one that reads line by line", names(file.Formats)...)
		fields = append(fields, f.format)
	}
	f.Dialog = NewDialog(t, Asks{Title: file.Title, Help: file.Help, Head: file.Head, Under: f.under, Busy: f.progress, Submit: f.write}, "write", append(fields, f.folder)...)
	f.folder.SetValue(file.Start)
	return nav.Open(nav.Over{Screen: f})
}

// Init implements [ui.Screen]: it looks for the folder.
func (f *FileForm) Init(s ui.Scope) tea.Cmd {
	f.Scope = s
	folder := f.file.Folder
	if folder == nil || f.file.Start != "" {
		return nil
	}
	return f.looking.Then(f.found).Ask(s, func(context.Context) (string, error) { return folder(), nil })
}

func labels(parts []FilePart) (all []string) {
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

func (f *FileForm) found(a ui.Result[string]) tea.Cmd {
	if f.folder.Empty() { // none was typed meanwhile
		f.folder.SetValue(a.Value)
	}
	return nil
}

// chosen returns what is chosen now.
func (f *FileForm) chosen() (c Choice) {
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

// partChosen is the part that is chosen; the zero FilePart for a file without any.
func (f *FileForm) partChosen() (p FilePart) {
	if len(f.file.Parts) > 0 {
		p = f.file.Parts[f.chosen().Part]
	}
	return p
}

// Back cancels the writing, if the file is being written: the form stays open then.
func (f *FileForm) Back() bool {
	if f.writing.Pending() {
		f.writing.Cancel()
		return true
	}
	return false
}

// under are the lines below the form: the path, and what is to be known of the file.
func (f *FileForm) under(w int) []string {
	const label = 18 // as wide as the labels of the form
	path := f.file.Name(f.chosen())
	if folder := f.folder.Value(); notWhole(folder) == "" {
		path = filepath.Join(folder, path)
	}
	lines := []string{""}
	for _, l := range f.Theme.FactLines("File", present.Plain(path), label, w-2) {
		lines = append(lines, "  "+l)
	}
	if note := f.partChosen().Note; note != "" {
		lines = append(lines, ui.Wrap(note, w)...)
	}
	return append(lines, f.Theme.MutedLines("Only you can read the file. Where its name is taken, a number is added.", w)...)
}

// Keys implements [ui.Screen].
func (f *FileForm) Keys() []key.Binding {
	if f.part == nil && f.format == nil && !f.writing.Pending() {
		return []key.Binding{ui.Bind("enter/ctrl+s", "write")}
	}
	return f.Dialog.Keys()
}

// write writes the file in the background.
func (f *FileForm) write() tea.Cmd {
	if f.file.Begin != nil {
		f.file.Begin()
	}
	file, to := f.file, Written{Folder: f.folder.Value(), Choice: f.chosen()}
	return f.writing.Begin(f.Scope, f.written, func(ctx context.Context, told func(int)) (Written, error) {
		var err error
		to.Path, err = export.CreateFile(ctx, to.Folder, file.Name(to.Choice), func(out io.Writer) (err error) {
			to.Rows, err = file.Write(ctx, out, to.Choice, told)
			return err
		})
		return to, err
	})
}

func (f *FileForm) written(a ui.Result[Written]) tea.Cmd {
	switch {
	case errors.Is(a.Err, context.Canceled) && f.writing.Cancelled:
		f.Notify("Cancelled: nothing was written, and no file is left.")
	case a.Err != nil:
		f.Form.SetError(f.folder, f.problem(a.Err)+" Nothing was written.")
	default:
		f.done(a.Value)
		return nav.Pop
	}
	return nil
}

func (f *FileForm) problem(err error) string {
	if f.file.Problem != nil {
		return f.file.Problem(err)
	}
	return present.FileProblem(err)
}

// progress says how far the writing is, while there is one.
func (f *FileForm) progress(width int) []string {
	if !f.writing.Pending() {
		return nil
	}
	t, whole := f.Theme, f.partChosen().Rows
	what, below := "Writing…", "esc cancels; no file is left then."
	if f.writing.Cancelled {
		what, below = "Cancelling…", ""
	}
	lines := t.MarkLines(ui.ToneWait, what, width)
	if whole > 0 {
		done := min(f.writing.Done, whole)
		lines = append(lines, t.Bar(min(width, 50), whole, ui.Part{Tone: ui.ToneGood, N: done}),
			present.Thousands(done)+" of "+present.Count(whole, "row", "rows"))
	}
	return append(lines, t.MutedLines(below, width)...)
}
