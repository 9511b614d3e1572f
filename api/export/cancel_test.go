package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// manyRows are rows made as they are read.
func manyRows(n int, at func(i int)) iter.Seq2[sample, error] {
	words := []string{"Successfull", "PENDING", "FAILED", "INITIATED"}
	return func(yield func(sample, error) bool) {
		for i := range n {
			at(i)
			if !yield(sample{text: words[i%len(words)], exact: "1234.50", whole: int64(i + 1)}, nil) {
				return
			}
		}
	}
}

func TestNothingIsLeftOfAFileThatIsCancelled(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 3000).Draw(t, "rows")
		stop := rapid.IntRange(0, rows).Draw(t, "cancelled at")
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		path, err := CreateFile(ctx, dir, "x.csv", func(w io.Writer) error {
			_, err := Write(w, CSV, samples, manyRows(rows, func(i int) {
				if i == stop {
					cancel()
				}
			}), nil)
			if stop == rows {
				cancel() // when everything was written
			}
			return err
		})
		left, _ := os.ReadDir(dir)
		if !errors.Is(err, context.Canceled) || path != "" || len(left) > 0 {
			t.Fatalf("%q, %v, left behind: %v", path, err, left)
		}
	})
}

// A file that is cancelled while it is synced to the disk, when nothing is left to write, is not there either.
func TestNothingIsLeftOfAFileThatIsCancelledWhileItIsSynced(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	path, err := CreateFile(ctx, dir, "x.csv", func(w io.Writer) error {
		_, err := w.Write(make([]byte, 1<<20)) // more than is held back
		cancel()
		return err
	})
	if left, _ := os.ReadDir(dir); !errors.Is(err, context.Canceled) || path != "" || len(left) > 0 {
		t.Errorf("%q, %v, left behind: %v", path, err, left)
	}
}

func TestAFileIsNotStartedOnceItIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	_, err := CreateFile(ctx, dir, "x.csv", writeText("x"))
	if left, _ := os.ReadDir(dir); !errors.Is(err, context.Canceled) || len(left) > 0 {
		t.Errorf("%v, left behind: %v", err, left)
	}
}

// The program may end before a writer has noticed that its context has ended.
func TestNothingIsLeftWhenTheProgramEnds(t *testing.T) {
	defer func() { unfinished.over = false }()
	dir := t.TempDir()
	_, err := CreateFile(t.Context(), dir, "x.csv", func(w io.Writer) error {
		io.WriteString(w, "half")
		Abandon()
		if left, _ := os.ReadDir(dir); len(left) > 0 && runtime.GOOS != "windows" { // where an open file cannot be removed
			t.Errorf("left behind: %v", left)
		}
		return nil
	})
	if left, _ := os.ReadDir(dir); !errors.Is(err, context.Canceled) || len(left) > 0 {
		t.Errorf("%v, left behind: %v", err, left)
	}
}

func TestTheProgressIsToldWhileRowsAreWritten(t *testing.T) {
	var told []int
	n, err := Write(io.Discard, JSON, samples, manyRows(1000, func(int) {}), func(n int) { told = append(told, n) })
	if want := "[256 512 768 1000]"; err != nil || n != 1000 || fmt.Sprint(told) != want {
		t.Errorf("%d rows, %v, told %v", n, err, told)
	}
}

// What a row takes does not grow with the rows before it.
func TestALongFileCostsNoMorePerRow(t *testing.T) {
	for _, f := range Formats() {
		var b bytes.Buffer
		if n, err := Write(&b, f, samples, manyRows(3, func(int) {}), nil); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		allocations := func(n int) float64 {
			return testing.AllocsPerRun(2, func() { Write(io.Discard, f, samples, manyRows(n, func(int) {}), nil) })
		}
		if a := (allocations(20_000) - allocations(10_000)) / 10_000; a > 20 {
			t.Errorf("%s: %.1f allocations a row", f, a)
		}
		if strings.Count(b.String(), "\n") < 3 {
			t.Errorf("%s: %q", f, b.String())
		}
	}
}

func BenchmarkExport100000Rows(b *testing.B) {
	for _, f := range Formats() {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if n, err := Write(io.Discard, f, samples, manyRows(100_000, func(int) {}), nil); n != 100_000 || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}
