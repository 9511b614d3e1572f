package journal

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"paydesk/api/ledger"
)

// noon is when the attempts of these tests were made.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func TestEveryRowIsThereOnceWhateverIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "paydesk")
	const rows = 2*attemptsAtOnce + 7
	noError(t, Fill(dir, rows, noon))
	j := New(Options{Dir: dir, Now: func() time.Time { return noon }, Retention: 1000 * 24 * time.Hour})
	defer j.Close()
	var got []ledger.Attempt
	for a, err := range j.Each(t.Context(), Filter{}) {
		noError(t, err)
		if got = append(got, a); len(got)%100 == 0 { // other consoles continue
			sent := ledger.Attempt{Kind: ledger.CreateLink, Destination: a.Destination, Amount: a.Amount}
			sent.Amount.Minor, sent.Draft.Name = int64(len(got)), a.ID.Short()
			if _, err := j.Begin(t.Context(), sent, ledger.Payer{}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	ids := map[ledger.ID]bool{}
	for _, a := range got {
		ids[a.ID] = true
	}
	if len(got) != rows || len(ids) != rows || !slices.IsSortedFunc(got, func(a, b ledger.Attempt) int { return b.At.Compare(a.At) }) {
		t.Errorf("%d rows, %d of them once, want %d in order", len(got), len(ids), rows)
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
