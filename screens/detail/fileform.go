package detail

import (
	"cmp"
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
	Title   string   // of the form
	Heading string   // above it: what is written
	Search  string   // that found its rows, in words; "" for none
	Help    []string // says what is in it
	// Parts hold what can be written: the person chooses one.
	Parts []FilePart
	End   string // of the name of a text, such as ".md"; "" for rows, which are written in a format
	// Begin runs on the event loop before each Write of a part; nil for nothing to do.
	Begin func()
}

// A FilePart is one of the things that can be written: rows, or a text.
type FilePart struct {
	Label string
	Name  string // in the name of the file, before its time
	Rows  int    // 0 where their number is not known
	Note  string // what speaks against the file; "" for nothing
	// Write runs in the background. It tells how many rows it has written so far, and returns how many it wrote.
	Write func(ctx context.Context, w io.Writer, as export.Format, told func(n int)) (rows int, err error)
}

// Written is a file that was written, and the note on what is in it.
type Written struct {
	Path, Folder string
	Rows         int
	Note         string
}

// TextFile is a file of a text, of which there is nothing to choose.
func TextFile(heading, name, end string, write func(io.Writer) error) File {
	return File{Title: "File", Heading: heading, End: end, Parts: []FilePart{{
		Name:  name,
		Write: func(_ context.Context, w io.Writer, _ export.Format, _ func(int)) (int, error) { return 0, write(w) },
	}}}
}

// Case is a case of a payment or an attempt, which is named after that: Markdown for a ticket. It has what subject
// returns when the person writes it, not when the form was opened.
func Case(what, of string, subject func() report.Subject) File {
	var k report.Subject
	of = present.Plain(of)
	file := TextFile("Case of "+what+" "+of, "case-"+of, ".md", func(w io.Writer) error {
		return report.Of(k).WriteMarkdown(w, k.Now)
	})
	file.Begin = func() { k = subject() }
	file.Title, file.Help = "Case", []string{CaseWords}
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
	opened  time.Time       // in the name, so that the path that is shown is the path that is written
	part    *ui.ChoiceField // nil where there is one part
	format  *ui.ChoiceField // nil for a text
	folder  *ui.TextField
	offered func() string // see Offer; nil for none
	went    func(folder string)
	looking ui.Call[string]
	writing Work[Written]
	done    func(Written)
}

// OpenFile is the command that opens the form. done receives the file.
func OpenFile(t *ui.Theme, file File, done func(Written)) tea.Cmd {
	f := &FileForm{file: file, done: done, folder: folderField(t), went: func(string) {}}
	var fields []ui.Field
	if len(file.Parts) > 1 {
		f.part = ui.NewChoiceField(t, "Rows", "which rows to write", labels(file.Parts)...)
		fields = append(fields, f.part)
	}
	if file.End == "" {
		f.format = ui.NewChoiceField(t, "Format", "CSV for a spreadsheet, JSON for a program, JSON Lines for one that reads line by line", formats()...)
		fields = append(fields, f.format)
	}
	f.Dialog = NewDialog(t, Asks{Title: file.Title, Help: file.Help, Head: f.head, Under: f.under, Busy: f.progress, Submit: f.write}, "write", append(fields, f.folder)...)
	return nav.Open(nav.Over{Screen: f})
}

// Offer has the form begin with a folder, which may be read from the file system, and tells where its file went.
func (f *FileForm) Offer(folder func() string, went func(folder string)) {
	f.offered, f.went = folder, went
}

// Init implements [ui.Screen]: it looks for the folder.
func (f *FileForm) Init(s ui.Scope) tea.Cmd {
	f.Scope, f.opened = s, s.Now()
	folder := f.offered
	if folder == nil {
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

func formats() (all []string) {
	for _, f := range export.Formats() {
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

// chosenPart is the part that is chosen now.
func (f *FileForm) chosenPart() FilePart {
	if f.part == nil {
		return f.file.Parts[0]
	}
	return f.file.Parts[f.part.Chosen()]
}

// as returns the format of the file; "" for a text.
func (f *FileForm) as() export.Format {
	if f.format == nil {
		return ""
	}
	return export.Formats()[f.format.Chosen()]
}

// name is the name of the file.
func (f *FileForm) name() string {
	return export.FileName(f.chosenPart().Name, cmp.Or(f.file.End, "."+string(f.as())), f.opened)
}

// head says what is written, and which search found it.
func (f *FileForm) head(w int) []string {
	lines := []string{f.Theme.Strong.Render(f.file.Heading)}
	if f.file.Search != "" {
		lines = append(lines, ui.Fit(f.Theme.Muted.Render("Search  ")+f.file.Search, w))
	}
	return append(lines, "")
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
	path := f.name()
	if folder := f.folder.Value(); notWhole(folder) == "" {
		path = filepath.Join(folder, path)
	}
	lines := []string{""}
	for _, l := range f.Theme.FactLines("File", present.Plain(path), label, w-2) {
		lines = append(lines, "  "+l)
	}
	if note := f.chosenPart().Note; note != "" {
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
	part, name, as := f.chosenPart(), f.name(), f.as()
	to := Written{Folder: f.folder.Value(), Note: part.Note}
	return f.writing.Begin(f.Scope, f.written, func(ctx context.Context, told func(int)) (Written, error) {
		var err error
		to.Path, err = export.CreateFile(ctx, to.Folder, name, func(out io.Writer) (err error) {
			to.Rows, err = part.Write(ctx, out, as, told)
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
		f.Form.SetError(f.folder, present.FileProblem(a.Err)+" Nothing was written.")
	default:
		f.went(a.Value.Folder)
		f.done(a.Value)
		return nav.Pop
	}
	return nil
}

// progress says how far the writing is, while there is one.
func (f *FileForm) progress(width int) []string {
	if !f.writing.Pending() {
		return nil
	}
	t, whole := f.Theme, f.chosenPart().Rows
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
