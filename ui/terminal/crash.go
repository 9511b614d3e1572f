package terminal

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Crash is the error of a program that panicked. It holds only the type of the panic value.
type Crash struct {
	Type string
	Code string // a hash of the stack: the same place has the same code
	Path string // of the report, "" when none was written
}

func (c *Crash) Error() string {
	text := "crashed with an internal error (" + c.Type + ", code " + c.Code + "); "
	if c.Path == "" {
		return text + "no report could be written"
	}
	return text + "a report without any typed data was written to " + c.Path
}

// A crashGuard recovers panics. The first one ends the program; later ones are ignored.
type crashGuard struct {
	folder  func() string // asked for when there is a report to write
	version string
	end     func()
	once    sync.Once
	crash   atomic.Pointer[Crash]
}

// catch must be deferred directly.
func (g *crashGuard) catch() {
	if value := recover(); value != nil {
		g.once.Do(func() {
			g.crash.Store(g.report(value))
			g.end()
		})
	}
}

// Protect runs a command without screens. A panic in it becomes a [Crash] with a report in the folder, as one of the
// screens does; nil when there was none.
func Protect(folder func() string, version string, do func()) *Crash {
	g := &crashGuard{folder: folder, version: version, end: func() {}}
	func() {
		defer g.catch()
		do()
	}()
	return g.crash.Load()
}

const maxFrames = 64 // frames in a report

// report writes the stack of a panic: functions, files and lines. It leaves out the panic value
// and the arguments that the runtime's own stack trace has, because both may hold secrets.
func (g *crashGuard) report(value any) *Crash {
	callers := make([]uintptr, maxFrames)
	const catcher = 6 // frames: runtime.Callers, this function and its callers up to the panic
	frames := runtime.CallersFrames(callers[:runtime.Callers(catcher, callers)])
	var stack strings.Builder
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		fmt.Fprintf(&stack, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
	}
	sum := fnv.New32a()
	io.WriteString(sum, stack.String())
	const longest = 80 // the name of an anonymous struct type is its whole declaration
	name := fmt.Sprintf("%T", value)
	c := &Crash{Type: name[:min(len(name), longest)], Code: fmt.Sprintf("%08x", sum.Sum32())}
	c.Path = g.save(fmt.Sprintf("paydesk %s, %s %s/%s\npanic of type %s, code %s\n\n%s",
		g.version, runtime.Version(), runtime.GOOS, runtime.GOARCH, c.Type, c.Code, stack.String()))
	return c
}

// save writes a report and returns its path, "" when it could not be written.
func (g *crashGuard) save(text string) string {
	folder := g.folder()
	if folder == "" || os.MkdirAll(folder, 0o700) != nil {
		return ""
	}
	name := fmt.Sprintf("crash-%s-%d.txt", time.Now().UTC().Format("20060102T150405Z"), os.Getpid())
	path := filepath.Join(folder, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return ""
	}
	_, err = f.WriteString(text)
	if errors.Join(err, f.Close()) != nil {
		return ""
	}
	return path
}

// Reports returns the newest crash reports in a folder, newest first, at most n of them.
func Reports(folder string, n int) (reports []string) {
	const most = 64 << 10 // bytes; a report is far smaller
	found, _ := filepath.Glob(filepath.Join(folder, "crash-*.txt"))
	slices.Sort(found) // their names begin with the time
	for _, path := range slices.Backward(found) {
		about, err := os.Lstat(path)
		if len(reports) == n || err != nil || !about.Mode().IsRegular() || about.Size() > most {
			continue
		}
		if text, err := os.ReadFile(path); err == nil {
			reports = append(reports, filepath.Base(path)+"\n"+string(text))
		}
	}
	return reports
}

// A guardedModel keeps the panics of a model from Bubble Tea, which would print their values.
// After a panic the screen stays as it is until the program has ended.
type guardedModel struct {
	inner tea.Model
	guard *crashGuard
	last  tea.View
}

func (g *guardedModel) Init() (cmd tea.Cmd) {
	defer g.guard.catch()
	return g.guard.guardCommand(g.inner.Init())
}

func (g *guardedModel) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	if g.guard.crash.Load() != nil {
		return g, nil
	}
	m = g // also when the next line panics
	defer g.guard.catch()
	g.inner, cmd = g.inner.Update(msg)
	return g, g.guard.guardCommand(cmd)
}

func (g *guardedModel) View() tea.View {
	if g.guard.crash.Load() == nil {
		g.draw()
	}
	return g.last
}

func (g *guardedModel) draw() {
	defer g.guard.catch()
	g.last = g.inner.View()
}

var commandType = reflect.TypeFor[tea.Cmd]()

// guardCommand wraps cmd, and every command in the batch or sequence it may return.
func (g *crashGuard) guardCommand(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.catch()
		return g.guardCommands(cmd())
	}
}

// guardCommands wraps the commands of a batch or a sequence, whose type Bubble Tea does not
// export. It returns any other message unchanged.
func (g *crashGuard) guardCommands(msg tea.Msg) tea.Msg {
	all := reflect.ValueOf(msg)
	if !all.IsValid() || all.Kind() != reflect.Slice || all.Type().Elem() != commandType {
		return msg
	}
	guarded := reflect.MakeSlice(all.Type(), all.Len(), all.Len())
	for i := range all.Len() {
		cmd, _ := all.Index(i).Interface().(tea.Cmd)
		guarded.Index(i).Set(reflect.ValueOf(g.guardCommand(cmd)))
	}
	return guarded.Interface()
}
