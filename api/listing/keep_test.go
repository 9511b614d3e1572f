package listing_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
)

// Whatever a list becomes from one scan to the next, what is counted, listed and kept is what a plain comparison of the two
// says.
func TestWhatChangedIsWhatAPlainComparisonSays(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		m, kept := open(t, map[bool]string{true: t.TempDir() + "/state"}[seed%2 == 0], 0), map[string]string{}
		for i := range 5 {
			read, want := map[string][]string{}, listing.Summary{First: i == 0, Scan: listing.Scan{Trusted: random.IntN(3) > 0}}
			var list []string
			add := func(id, value string) {
				list, read[id] = append(list, id+" "+value), append(read[id], value)
			}
			for range random.IntN(300) {
				id := fmt.Sprintf([]string{"%x", "00%x", "%08X-0000-4000-8000-000000000001"}[random.IntN(3)], random.IntN(120))
				if i%2 > 0 && kept[id] != "" && random.IntN(4) > 0 {
					add(id, kept[id])
				} else {
					add(id, fmt.Sprintf("%s %d GBP", []string{"PENDING", "FAILED", "ODD"}[random.IntN(3)], random.IntN(3)))
				}
			}
			changes := plainly(kept, read, &want)
			got := keep(t, m, shop, scan(t, want.Trusted, morning.Add(time.Duration(i)*time.Hour), strings.Join(list, "\n")))
			if i == 0 {
				want.New, changes = 0, map[string]string{}
			}
			want.N, want.Began, want.Ended, want.Rows, want.Size = got.N, got.Began, got.Ended, len(list), got.Size
			if fmt.Sprint(got.Scan, got.First, got.Missing, got.Doubled) != fmt.Sprint(want.Scan, want.First, want.Missing, want.Doubled) {
				t.Fatalf("seed %d, scan %d: %+v, want %+v", seed, i, got, want)
			}
			told := map[string]string{}
			h, err := m.Changes(t.Context(), shop, time.Time{}, func(k listing.Known, _, _ api.Transaction) { told[k.ID] = k.How })
			if err != nil || h.Kept != len(kept) || i > 0 && h.Doubtful > 0 == want.Trusted || !maps.Equal(told, changes) {
				t.Fatalf("seed %d, scan %d: %v; %d kept, want %d; %d changes, want %d", seed, i, err, h.Kept, len(kept), len(told), len(changes))
			}
		}
	}
}

// plainly compares what is kept with what was read, and keeps it.
func plainly(kept map[string]string, read map[string][]string, sum *listing.Summary) map[string]string {
	changes := map[string]string{}
	for id := range kept {
		switch _, is := read[id]; {
		case is:
		case sum.Trusted:
			sum.Gone++
			changes[id] = listing.Gone
			delete(kept, id)
		default:
			sum.Missing++
		}
	}
	for id, values := range read {
		was, is := kept[id]
		now := values[0]
		for _, v := range values {
			if v != now {
				now = ""
			}
		}
		switch {
		case now == "":
			sum.Doubled++
			continue
		case !is:
			sum.New++
			changes[id] = listing.New
		case was != now:
			sum.Moved++
			changes[id] = listing.Moved
			if strings.Fields(was)[0] == strings.Fields(now)[0] {
				changes[id] = listing.Amount
			}
		}
		kept[id] = now
	}
	return changes
}
