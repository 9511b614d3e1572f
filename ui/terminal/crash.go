package terminal

import (
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Crash is the end of a console in which something panicked. Nothing of it is from what was
// thrown but the name of its type.
type Crash struct {
	Type string
	Code string // the same place has the same code
	Path string // of the report; "" when none was written
}

func (b *Crash) Error() string {
	said := "the console ended by a defect of its own (" + b.Type + ", code " + b.Code + "); "
	if b.Path == "" {
		return said + "no report of it could be written"
	}
	return said + "where it happened, and nothing of what was typed, is in " + b.Path
}

// A crashGuard catches panics. The first one ends the console; what follows from it is dropped.
type crashGuard struct {
	folder, version string
	end             func()
	once            sync.Once
	crash           atomic.Pointer[Crash]
}

// catch is to be deferred.
func (w *crashGuard) catch() {
	if thrown := recover(); thrown != nil {
		w.once.Do(func() {
			w.crash.Store(w.report(thrown))
			w.end()
		})
	}
}

const maxFrames = 64 // frames in a report

// report writes down where it happened: functions, files and lines. The arguments of calls,
// which the runtime's own stack has, are values, and so is what was thrown.
func (w *crashGuard) report(thrown any) *Crash {
	callers := make([]uintptr, maxFrames)
	const catcher = 6 // runtime.Callers, this, what leads here from the panic
	frames := runtime.CallersFrames(callers[:runtime.Callers(catcher, callers)])
	var stack strings.Builder
	for {
		f, more := frames.Next()
		fmt.Fprintf(&stack, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
		if !more {
			break
		}
	}
	sum := fnv.New32a()
	io.WriteString(sum, stack.String())
	const longest = 80 // the type of an anonymous struct is its whole text
	name := fmt.Sprintf("%T", thrown)
	b := &Crash{Type: name[:min(len(name), longest)], Code: fmt.Sprintf("%08x", sum.Sum32())}
	b.Path = w.save(fmt.Sprintf("paydesk %s, %s %s/%s\n%s thrown, code %s\n\n%s",
		w.version, runtime.Version(), runtime.GOOS, runtime.GOARCH, b.Type, b.Code, stack.String()))
	return b
}

// save writes a report and tells where, "" when it could not.
func (w *crashGuard) save(text string) string {
	if w.folder == "" || os.MkdirAll(w.folder, 0o700) != nil {
		return ""
	}
	name := fmt.Sprintf("crash-%s-%d.txt", time.Now().UTC().Format("20060102T150405Z"), os.Getpid())
	path := filepath.Join(w.folder, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return ""
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err != nil || closed != nil {
		return ""
	}
	return path
}

// guardedModel is a model none of whose panics reach Bubble Tea, which would print what was
// thrown. After one the screen stays as it is until the program has ended.
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

// guardCommand is cmd, guarded, with all commands it hands out.
func (w *crashGuard) guardCommand(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer w.catch()
		return w.guardCommands(cmd())
	}
}

// guardCommands guards the commands of a batch or a sequence, whose type Bubble Tea does not
// export. It is the same for any other message.
func (w *crashGuard) guardCommands(msg tea.Msg) tea.Msg {
	all := reflect.ValueOf(msg)
	if !all.IsValid() || all.Kind() != reflect.Slice || all.Type().Elem() != commandType {
		return msg
	}
	guarded := reflect.MakeSlice(all.Type(), all.Len(), all.Len())
	for i := range all.Len() {
		cmd, _ := all.Index(i).Interface().(tea.Cmd)
		guarded.Index(i).Set(reflect.ValueOf(w.guardCommand(cmd)))
	}
	return guarded.Interface()
}
