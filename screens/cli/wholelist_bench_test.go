package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"paydesk/api/sandbox"
	"paydesk/screens/cli/clitest"
)

const benchRows = 100_000

// listed serves the list of a sandbox, each page made once: serving it costs next to nothing, beside what reading it does.
func listed(b *testing.B) string {
	of, pages := sandbox.New(sandbox.Options{Key: clitest.Key, Seed: 1, Transactions: benchRows}), sync.Map{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		made, is := pages.Load(r.URL.String())
		if !is {
			page := httptest.NewRecorder()
			of.ServeHTTP(page, r)
			made, _ = pages.LoadOrStore(r.URL.String(), page)
		}
		page := made.(*httptest.ResponseRecorder)
		w.Header().Set("Content-Type", page.Header().Get("Content-Type"))
		w.WriteHeader(page.Code)
		_, _ = w.Write(page.Body.Bytes())
	}))
	b.Cleanup(s.Close)
	return s.URL
}

// bareLoop reads the pages with nothing but net/http and encoding/json, one after the other, and prints their rows.
func bareLoop(b *testing.B, origin string, out io.Writer) (rows int) {
	buffer := bufio.NewWriter(out)
	defer buffer.Flush()
	printed := json.NewEncoder(buffer)
	for page, pages := 1, 1; page <= pages; page++ {
		request, err := http.NewRequestWithContext(b.Context(), "GET", fmt.Sprintf("%s/v1/api/transactions?page=%d&perPage=100", origin, page), nil)
		if err != nil {
			b.Fatal(err)
		}
		request.Header.Set(sandbox.KeyHeader, clitest.Key)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			b.Fatal(err)
		}
		var list struct {
			Data []struct {
				ID, Currency, Status string
				Amount               json.Number
			}
			Meta struct{ PageCount int }
		}
		err = json.NewDecoder(answer.Body).Decode(&list)
		answer.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		pages = list.Meta.PageCount
		for _, row := range list.Data {
			if err := printed.Encode(row); err != nil {
				b.Fatal(err)
			}
			rows++
		}
	}
	return rows
}

// BenchmarkWholeList prints the same list by a loop that does nothing else, and by the command, which also judges and keeps it.
func BenchmarkWholeList(b *testing.B) {
	origin := listed(b)
	bareLoop(b, origin, io.Discard)
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			if rows := bareLoop(b, origin, io.Discard); rows != benchRows {
				b.Fatal(rows)
			}
		}
	})
	b.Run("command", func(b *testing.B) {
		for b.Loop() {
			command := clitest.New(b, clitest.Options{Origin: origin}).Program("transactions", "--all", "--json")
			if out, err := command.Output(); err != nil || bytes.Count(out, []byte("\n")) != benchRows+1 {
				b.Fatal(err)
			}
		}
	})
}
