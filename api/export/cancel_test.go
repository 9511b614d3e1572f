package export

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"runtime"
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
