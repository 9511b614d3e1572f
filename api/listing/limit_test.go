package listing_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/statefile"
	"paydesk/api/timely"
)

// numbered is a list of n rows with UUIDs, of which every one has a status.
func numbered(at time.Time, n int, status string) listing.State {
	rows := make([]api.Transaction, n)
	for i := range rows {
		rows[i] = rowOf(uuid(i), 1250, "GBP", status)
	}
	return listing.State{Phase: listing.Done, Rows: listing.OfKept(rows...), Began: at, Ended: at.Add(time.Minute), Verdict: listing.Verdict{Trusted: true}}
}

func sizeOf(t testing.TB, m *listing.Mirror) (size int64) {
	t.Helper()
	files, err := filepath.Glob(m.Path() + "*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		about, err := os.Stat(f)
		noError(t, err)
		size += about.Size()
	}
	return size
}

func TestTheOldestChangesGoFirstAndTheFileStaysBelowItsLimit(t *testing.T) {
	t.Parallel()
	m := open(t, t.TempDir()+"/state", statefile.MB/4)
	dropped := 0
	for i := range 9 {
		sum := keep(t, m, shop, numbered(morning.Add(time.Duration(i)*time.Hour), 1250, []string{"PENDING", "INITIATED"}[i%2]))
		if i > 0 && sum.Moved != 1250 {
			t.Errorf("%+v", sum)
		}
		dropped += sum.Dropped
		if size := sizeOf(t, m); size > statefile.MB/4 || sum.NoLog {
			t.Errorf("after scan %d: %d bytes, %+v", i, size, sum)
		}
	}
	h := since(t, m, shop, morning)
	if dropped == 0 || !h.Short || h.From.Began.Equal(morning) || h.To.Rows != 1250 {
		t.Errorf("%d were dropped: %+v", dropped, h)
	}
	if h = since(t, m, shop, time.Time{}); h.Counts[listing.Moved] != 1250 {
		t.Errorf("%+v", h)
	}
}

func TestRowsThatDoNotFitAreNotKeptAndThatIsSaid(t *testing.T) {
	m := open(t, t.TempDir()+"/state", statefile.MB/8)
	keep(t, m, shop, numbered(morning, 500, "PENDING"))
	_, err := m.Keep(t.Context(), shop, numbered(morning.Add(time.Hour), 5000, "PENDING"))
	if _, is := errors.AsType[*listing.TooLarge](err); !is || !strings.Contains(err.Error(), "5,000 rows") {
		t.Error(err)
	}
	if size := sizeOf(t, m); size > statefile.MB/8 {
		t.Errorf("%d bytes", size)
	}
	if all := must(m.Scans(t.Context(), shop)); len(all) != 1 || all[0].Rows != 500 {
		t.Errorf("what was kept before stays: %+v", all)
	}
	other := shop
	other.Host, other.Fingerprint = "other.example", "key two"
	_, err = m.Keep(t.Context(), other, numbered(morning.Add(time.Hour), 5000, "PENDING"))
	if all := must(m.Scans(t.Context(), other)); err == nil || len(all) != 0 {
		t.Errorf("%v: %+v", err, all)
	}
}

func TestTheSpaceOfChangesThatWereDroppedIsGivenBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/state"
	large := open(t, dir, 0)
	for i := range 6 {
		keep(t, large, shop, numbered(morning.Add(time.Duration(i)*time.Hour), 2_500, []string{"PENDING", "INITIATED"}[i%2]))
	}
	small := open(t, dir, statefile.MB/4)
	keep(t, small, shop, numbered(morning.Add(9*time.Hour), 2_500, "INITIATED"))
	if size := sizeOf(t, small); size > statefile.MB/4 {
		t.Errorf("%d bytes", size)
	}
}

func TestAScanIsKeptUnderTheKeyThatReadIt(t *testing.T) {
	places := []ledger.Destination{shop, shop}
	places[1].Fingerprint = "key two" // from the second time on that it is asked where the list is read
	asked := 0
	m, scans := open(t, "", 0), listing.NewScanner(t.Context(), &list{rows: []api.Transaction{row(t, "a PENDING 1 GBP")}})
	listing.NewKeeper(m, scans, func(context.Context) ledger.Destination {
		asked++
		return places[min(asked, len(places))-1]
	})
	scans.Start()
	for st := (listing.State{N: -1}); st.Kept.Step != listing.Kept; {
		if st = must(scans.Changed(t.Context(), st.N)); st.Kept.Err != nil {
			t.Fatal(st.Kept.Err)
		}
	}
	for _, place := range places {
		if h := since(t, m, place, time.Time{}); h.To.N == 0 || h.OtherKey != (place != shop) {
			t.Errorf("%s: %+v", place.Fingerprint, h)
		}
	}
}

// consoleEnv makes the test binary a console that keeps scans in a folder until it is killed.
const consoleEnv = "PAYDESK_TEST_MIRROR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(consoleEnv); dir != "" {
		runConsole(dir)
		return
	}
	timely.SpareDisk()
	statefile.Nameless().Close() // before a bubble of fake time begins, whichever test is the first
	os.Exit(m.Run())
}

// killedRows are the rows of a list that is kept by a console until that is killed. They move all at once.
const killedRows = 3000

func runConsole(dir string) {
	m := listing.NewMirror(statefile.Options{Dir: dir})
	for i := 0; ; i++ {
		s := numbered(time.Now().Add(-time.Minute), killedRows, []string{"PENDING", "FAILED"}[i%2])
		s.Ended = time.Now()
		fmt.Println("keeping")
		if _, err := m.Keep(context.Background(), shop, s); err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println("kept")
	}
}

func TestAKilledConsoleHasKeptAllOfAScanOrNothing(t *testing.T) {
	if os.Getenv("PAYDESK_LONG") == "" {
		t.Skip("only with PAYDESK_LONG")
	}
	dir := t.TempDir() + "/state"
	kept, moved := 0, 0
	for range 50 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), consoleEnv+"="+dir)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		noError(t, err)
		left := 2 + rand.IntN(4)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			switch lines.Text() {
			case "kept":
				kept++
			case "keeping":
				if left--; left == 0 {
					time.AfterFunc(time.Duration(rand.IntN(60))*time.Millisecond, func() { c.Process.Kill() })
				}
			default:
				t.Error(lines.Text())
			}
		}
		_ = c.Wait()
		m := open(t, dir, 0)
		s := numbered(time.Now().Add(-time.Minute), killedRows, "PENDING")
		s.Ended = time.Now()
		sum := keep(t, m, shop, s)
		if n := sum.Moved; n != 0 && n != killedRows && !sum.First || sum.New+sum.Gone != 0 {
			t.Fatalf("part of a scan was kept: %+v", sum)
		}
		if sum.Moved > 0 {
			moved++
		}
		kept++
	}
	if all := must(open(t, dir, 0).Scans(t.Context(), shop)); len(all) < kept {
		t.Errorf("%d scans were kept, %d are there", kept, len(all))
	}
	t.Logf("%d scans were kept; the last was another list %d times", kept, moved)
}

func TestADamagedFileIsSetAsideAndThatIsSaid(t *testing.T) {
	for name, break_ := range map[string]func([]byte) []byte{
		"no SQLite": func(b []byte) []byte { return []byte(strings.Repeat("x", len(b))) },
		"cut off":   func(b []byte) []byte { return b[:len(b)/2/4096*4096] },
		"page lost": func(b []byte) []byte { clear(b[len(b)/2/4096*4096:][:4096]); return b },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir() + "/state"
			keep(t, open(t, dir, 0), shop, numbered(morning, 200, "PENDING"))
			m := open(t, dir, 0)
			b, err := os.ReadFile(m.Path())
			noError(t, err)
			noError(t, os.WriteFile(m.Path(), break_(b), 0o600))
			if _, err := m.Changes(t.Context(), shop, time.Time{}, nothing); err != nil && !strings.Contains(err.Error(), "The saved list is damaged.") {
				t.Error(err)
			}
			sum := keep(t, m, shop, numbered(morning.Add(time.Hour), 200, "FAILED"))
			if !sum.First || sum.SetAside != m.Path()+".damaged" {
				t.Errorf("%+v", sum)
			}
			if _, err := os.Stat(sum.SetAside); err != nil {
				t.Error(err)
			}
			if sum = keep(t, m, shop, numbered(morning.Add(2*time.Hour), 200, "PENDING")); sum.Moved != 200 || sum.SetAside != "" {
				t.Errorf("%+v", sum)
			}
		})
	}
}

func TestAFileOfANewerVersionIsLeftAlone(t *testing.T) {
	m := open(t, t.TempDir()+"/state", 0)
	keep(t, m, shop, numbered(morning, 10, "PENDING"))
	db := statefile.Open(statefile.Source(m.Path(), "rw"))
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	before, _ := os.ReadFile(m.Path())
	_, err := m.Keep(t.Context(), shop, numbered(morning.Add(time.Hour), 10, "FAILED"))
	_, read := m.Changes(t.Context(), shop, time.Time{}, nothing)
	for _, err := range []error{err, read} {
		if err == nil || !strings.Contains(err.Error(), "newer version of paydesk") {
			t.Error(err)
		}
	}
	if after, _ := os.ReadFile(m.Path()); string(after) != string(before) {
		t.Error("the file was changed")
	}
}

func TestTwoConsolesAtOnceKeepOneAfterTheOther(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*listing.Mirror){"local": func(*listing.Mirror) {}, "network": (*listing.Mirror).OnNetwork} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir() + "/state"
			asked, two := false, open(t, dir, 0)
			one := whileKeeping(t, dir, func() {
				if asked {
					return
				}
				asked = true
				_, err := two.Keep(t.Context(), shop, numbered(morning.Add(2*time.Hour), 1200, "PENDING"))
				if err == nil || !strings.Contains(err.Error(), "The saved list is locked by another program.") {
					t.Error(err)
				}
				if h, err := two.Changes(t.Context(), shop, time.Time{}, nothing); err != nil || h.To.N == 0 {
					t.Errorf("it can be read meanwhile: %v", err)
				}
			})
			set(one)
			set(two)
			two.Impatient()
			keep(t, one, shop, numbered(morning, 1200, "PENDING"))
			keep(t, one, shop, numbered(morning.Add(time.Hour), 1200, "FAILED"))
			if !asked {
				t.Fatal("no other console came")
			}
			if sum := keep(t, two, shop, numbered(morning.Add(2*time.Hour), 1200, "PENDING")); sum.Moved != 1200 {
				t.Errorf("%+v", sum)
			}
			if _, err := one.Keep(t.Context(), shop, numbered(morning.Add(90*time.Minute), 1200, "FAILED")); err != listing.ErrOlder {
				t.Errorf("it is older than what the other console kept: %v", err)
			}
		})
	}
}

func TestAFileThatIsDeletedWhileItIsWrittenWasNotKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes and renames no file that is open")
	}
	dir := t.TempDir() + "/state"
	m := whileKeeping(t, dir, func() { statefile.RemoveDatabase(open(t, dir, 0).Path()) })
	keep(t, m, shop, numbered(morning, 10, "PENDING"))
	_, err := m.Keep(t.Context(), shop, numbered(morning.Add(time.Hour), 1000, "PENDING"))
	if err == nil || !strings.Contains(err.Error(), "moved or deleted") {
		t.Error(err)
	}
	if sum := keep(t, m, shop, numbered(morning, 1000, "PENDING")); !sum.First {
		t.Errorf("%+v", sum)
	}
}

func TestAScanThatIsInterruptedLeavesNothing(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	m := whileKeeping(t, t.TempDir()+"/state", stop)
	keep(t, m, shop, numbered(morning, 3000, "PENDING"))
	_, err := m.Keep(ctx, shop, numbered(morning.Add(time.Hour), 3000, "FAILED"))
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if all := must(m.Scans(t.Context(), shop)); len(all) != 1 {
		t.Errorf("%+v", all)
	}
	if sum := keep(t, m, shop, numbered(morning.Add(time.Hour), 3000, "PENDING")); sum.Moved != 0 {
		t.Errorf("%+v", sum)
	}
}
