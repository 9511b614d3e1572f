package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What the simulation is run with: PAYDESK_LONG for 100,000 histories, PAYDESK_SEEDS=FROM+COUNT for some of one's
// choice, PAYDESK_STEPS for how long each is.
const (
	usual = 25
	whole = 100_000
)

// draw makes the history of a seed.
func draw(seed uint64) history {
	r := mix(seed, 1)
	h := history{Seed: seed, File: r%2 == 0, Live: r/4%5 == 0, Consoles: 1 + int(r/20%4)}
	var names []string
	for name, k := range kinds {
		if (h.File || !k.file) && !leftOut[name] {
			for range k.weight {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	n := 8 + int(r/80%20)
	if v, err := strconv.Atoi(os.Getenv("PAYDESK_STEPS")); err == nil {
		n = v
	}
	for i := range n {
		d := mix(seed, 2, uint64(i))
		h.Steps = append(h.Steps, step{names[d%uint64(len(names))], int(mix(d, 3) % 4), mix(d, 4) & 0xffffffffffff})
	}
	h.Steps[0].Kind = "collect"
	if h.Live { // else nearly nothing is sent
		h.Steps[0].Kind, h.Steps[1].Console, h.Steps[1].Kind = "unlock", h.Steps[0].Console, "collect"
	}
	return h
}

// A bench runs histories, each file in a folder of its own that is removed.
type bench struct {
	t    *testing.T
	base string
	n    int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	base := t.TempDir()
	if shared, err := os.MkdirTemp("/dev/shm", "paydesk-*"); err == nil {
		base = shared
		t.Cleanup(func() { os.RemoveAll(shared) })
	}
	if err := template(filepath.Join(base, "template")); err != nil {
		t.Fatal(err)
	}
	return &bench{t: t, base: base}
}

// run runs a history and returns what it breaks, each with its promise.
func (b *bench) run(h history) (done *History, broken []string) {
	b.n++
	dir := filepath.Join(b.base, strconv.Itoa(b.n))
	if h.File {
		if err := copyFiles(filepath.Join(b.base, "template"), dir, "journal.db", "journal.key", "journal.head"); err != nil {
			b.t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		defer os.RemoveAll(dir + ".beside")
		defer os.RemoveAll(dir + ".new")
	}
	done = h.run(b.t, dir)
	for _, p := range slices.Concat(promises, within) {
		for _, f := range p.brokenBy(done) {
			broken = append(broken, p.sentence+" "+f)
		}
	}
	return done, broken
}

// shorten leaves out steps as long as the same promise is broken.
func (b *bench) shorten(h history, broken string) history {
	sentence, _, _ := strings.Cut(broken, ". ")
	still := func(steps []step) bool {
		c := h
		c.Steps = steps
		_, found := b.run(c)
		return slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, sentence) })
	}
	for size := len(h.Steps) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(h.Steps); {
			if less := slices.Delete(slices.Clone(h.Steps), at, at+size); still(less) {
				h.Steps = less
			} else {
				at += size
			}
		}
	}
	for n := 1; n < h.Consoles; n++ {
		c := h
		c.Consoles = n
		if _, found := b.run(c); slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, sentence) }) {
			h.Consoles = n
			break
		}
	}
	return h
}

func (h history) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "history{Seed: %d, File: %v, Live: %v, Consoles: %d, Steps: []step{\n", h.Seed, h.File, h.Live, h.Consoles)
	for _, x := range h.Steps {
		fmt.Fprintf(&s, "\t%v,\n", x)
	}
	return s.String() + "}}"
}

// which is which seeds are run.
func which() (from uint64, n int) {
	if first, count, is := strings.Cut(os.Getenv("PAYDESK_SEEDS"), "+"); is {
		from, _ := strconv.ParseUint(first, 10, 64)
		n, _ := strconv.Atoi(count)
		return from, n
	}
	if os.Getenv("PAYDESK_LONG") != "" {
		return 0, whole
	}
	return 0, usual
}

// Whatever people, the service and the machine do, at any time, the promises hold.
func TestNoHistoryBreaksAPromise(t *testing.T) {
	// One goroutine of a history runs at a time: a second core would be woken a hundred thousand times to find nothing.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b := newBench(t)
	from, n := which()
	begun := time.Now()
	failures := 0
	ran, sends, asks := 0, 0, 0
	for i := range n {
		h := draw(from + uint64(i))
		done, broken := b.run(h)
		ran++
		for _, r := range done.Requests {
			if r.IsSend() {
				sends++
			} else {
				asks++
			}
		}
		if len(broken) == 0 {
			continue
		}
		if os.Getenv("PAYDESK_FIRST") != "" {
			t.Fatalf("found at history %d: %s", i+1, broken[0])
		}
		short := b.shorten(h, broken[0])
		done, still := b.run(short)
		if len(still) == 0 {
			still = broken
		}
		t.Errorf("seed %d, after %d histories:\n%s\n%v\n%s", h.Seed, i+1, strings.Join(still, "\n"), short, transcript(done))
		if failures++; failures == 5 {
			break
		}
	}
	took := time.Since(begun)
	t.Logf("%d histories in %v, %.0f a second; %d sends, %d questions", ran, took.Round(time.Millisecond), float64(ran)/took.Seconds(), sends, asks)
}

// The same seed makes the same history, to the last line.
func TestAHistoryReplaysExactly(t *testing.T) {
	b := newBench(t)
	for seed := range uint64(4) {
		h := draw(seed)
		one, _ := b.run(h)
		two, _ := b.run(h)
		if a, b := transcript(one), transcript(two); a != b {
			t.Errorf("seed %d, file %v:\n%s\n%s", seed, h.File, a, b)
		}
	}
}

// transcript is what happened, in order.
func transcript(h *History) string {
	type at struct {
		time.Time
		text string
	}
	var all []at
	for _, r := range h.Requests {
		all = append(all, at{r.At, r.Console + " → " + r.String()})
		if !r.AnsweredAt.IsZero() {
			all = append(all, at{r.AnsweredAt, fmt.Sprintf("%s ← %s %s %d", r.Console, r.Path, r.AnsweredStatus, r.HTTP)})
		}
	}
	for _, a := range h.Acts {
		all = append(all, at{a.At, fmt.Sprintf("%s %s %s: %s %s%s%s %v %q %v", a.At.UTC().Format("15:04:05.000"), a.Console, a.Who, a.Did, a.Confirmation, a.Attempt, a.Reference, a.Allowed, a.Decision, a.Done)})
	}
	for _, s := range h.Said {
		all = append(all, at{s.At, fmt.Sprintf("%s %s says: %s %s %s %s %s", s.At.UTC().Format("15:04:05.000"), s.Console, s.Confirmation, s.Said, s.Attempt, s.Reference, s.Status)})
	}
	slices.SortStableFunc(all, func(a, b at) int { return a.Compare(b.Time) })
	var s strings.Builder
	for _, l := range all {
		s.WriteString("    " + l.text + "\n")
	}
	for _, e := range h.Ledger {
		fmt.Fprintf(&s, "    ledger: %s %s %s %s %s %q %q\n", e.ID, e.Kind, e.Outcome, e.Reference, e.Status, e.Verdict, e.Mismatch)
	}
	return s.String()
}
