package detail

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/export"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A writing is a file on its way to the disk.
type writing struct {
	ui.Call[Written]
	follow    ui.Call[int]
	cancelled bool
	stop      context.CancelFunc
	rows      int // that were written when it was last looked
}

// A progress is how many rows were written.
type progress struct{ rows atomic.Int64 }

func (p *progress) tell(n int) { p.rows.Store(int64(n)) }

// lookEvery sets how often the screen shows how far the writing is.
const lookEvery = 200 * time.Millisecond

// next returns how many rows were written a moment later.
func (p *progress) next(ctx context.Context) (int, error) {
	timer := time.NewTimer(lookEvery)
	defer timer.Stop()
	select {
	case <-timer.C:
		return int(p.rows.Load()), nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// write writes the file in the background. Cancelling does not drop the call: what became of the file is
// said when it is known, since it may have been complete by then.
func (f *FileForm) write() tea.Cmd {
	w, p := &f.writing, new(progress)
	if f.file.Begin != nil {
		f.file.Begin()
	}
	ctx, stop := context.WithCancel(context.Background())
	w.stop, w.cancelled, w.rows = stop, false, 0
	file, to := f.file, Written{Folder: f.folder.Value(), Choice: f.chosen()}
	return tea.Batch(w.Then(f.written).Ask(f.Scope, func(screen context.Context) (Written, error) {
		defer stop()
		defer context.AfterFunc(screen, stop)() // when the screen is left
		var err error
		to.Path, err = export.CreateFile(ctx, to.Folder, file.Name(to.Choice), func(out io.Writer) (err error) {
			to.Rows, err = file.Write(ctx, out, to.Choice, p.tell)
			return err
		})
		return to, err
	}), w.look(f.Scope, p))
}

// look keeps the number of rows up to date.
func (w *writing) look(s ui.Scope, p *progress) tea.Cmd {
	return w.follow.Then(func(a ui.Result[int]) tea.Cmd {
		if a.Err != nil || !w.Pending() {
			return nil
		}
		w.rows = a.Value
		return w.look(s, p)
	}).Ask(s, p.next)
}

// cancel stops the writing.
func (w *writing) cancel() {
	w.cancelled = true
	w.stop()
}

func (f *FileForm) written(a ui.Result[Written]) tea.Cmd {
	f.writing.follow.Drop()
	switch {
	case errors.Is(a.Err, context.Canceled) && f.writing.cancelled:
		f.note = "Cancelled: nothing was written, and no file is left."
	case a.Err != nil:
		f.form.SetError(f.folder, f.problem(a.Err)+" Nothing was written.")
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

// lines say how far the writing is. whole is how many rows there are, 0 where it is not known.
func (w *writing) lines(t *ui.Theme, whole, width int) []string {
	what, below := "Writing…", "esc cancels; no file is left then."
	if w.cancelled {
		what, below = "Cancelling…", ""
	}
	lines := t.MarkLines(ui.ToneWait, what, width)
	if whole > 0 {
		done := min(w.rows, whole)
		lines = append(lines, t.Bar(min(width, 50), whole, ui.Part{Tone: ui.ToneGood, N: done}),
			present.Thousands(done)+" of "+present.Count(whole, "row", "rows"))
	}
	return append(lines, t.MutedLines(below, width)...)
}
