//go:build linux

package screens_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/api/servicetest"
)

const soakPins = 50

// soakFaults strike questions about a payment, one kind after the other.
var soakFaults = []string{"not-reached", "lost-answer", "malformed", "html-502", "rate-limited", "error-500", "unavailable", "drifted", "wrong-reference"}

// TestASoakLeavesMemoryDescriptorsAndGoroutinesFlat runs the console over 50 pins, the listener under a stream of
// webhooks and a sandbox with faults for PAYDESK_SOAK, such as 2h. The programs are built so that they tell how many
// goroutines they have: see screens/cli/soak.go.
func TestASoakLeavesMemoryDescriptorsAndGoroutinesFlat(t *testing.T) {
	whole, err := time.ParseDuration(cmp.Or(os.Getenv("PAYDESK_SOAK"), "0s"))
	if err != nil || whole == 0 {
		t.Skip("PAYDESK_SOAK says for how long, such as 2h")
	}
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -tags=soak") // before the program is built
	e := newSetting(t)
	e["PAYDESK_SECRET_KEY"], e["PAYDESK_SOAK_GOROUTINES"] = programKey, t.TempDir()
	service := runUntil(t, e, address, "sandbox", "--listen", "127.0.0.1:0", "--key", programKey, "--settle", "1000h")
	e.configure(t, profile(service.found, "env"))
	payments := pinned(t, e, service.found)
	listener := runUntil(t, e, address, "listen", "--listen", "127.0.0.1:0")
	path := regexp.MustCompile(`/hooks/\w+`).FindString(runUntil(t, e, `/hooks/\w+`, "webhook", "path").found)
	console := open(t, e, 120, 40)
	console.Sees("paydesk ▸ Home ")

	ctx, stop := context.WithTimeout(t.Context(), whole)
	defer stop()
	var streams sync.WaitGroup
	var posted atomic.Int64
	streams.Go(func() { streamWebhooks(ctx, t, listener.found+path, payments, &posted) })
	streams.Go(func() { armFaults(ctx, t, service.found, min(time.Minute, whole/20)) })
	watched := map[string]*soaked{}
	for name, of := range map[string]*os.Process{"console": console.command.Process, "listen": listener.Process, "sandbox": service.Process} {
		watched[name] = &soaked{pid: of.Pid, tells: filepath.Join(e["PAYDESK_SOAK_GOROUTINES"], strconv.Itoa(of.Pid))}
	}
	sampleUntil(ctx, t, min(time.Minute, whole/60), watched)
	streams.Wait()

	t.Logf("%s: %d webhooks sent, %d lines of the listener, %d requests to the sandbox", whole, posted.Load(), listener.lines(), service.lines())
	for name, s := range watched {
		s.report(t, name)
	}
	if int64(soakPins) > service.lines() || posted.Load() > listener.lines() {
		t.Error("the pins were not asked about, or webhooks were lost: nothing was tested")
	}
	console.Sees("paydesk ▸ Home ")
	console.leave()
}

// pinned makes payments that stay PENDING, and pins them in the journal.
func pinned(t *testing.T, e setting, origin string) (all []api.Reference) {
	t.Helper()
	client, err := api.New(api.Config{BaseURL: origin, ListURL: origin, Key: servicetest.Key(programKey)})
	must(t, err)
	for i := range soakPins {
		p, err := client.Initiate(t.Context(), soakPayment(t, int64(1000+i)))
		must(t, err)
		all = append(all, p.Reference)
	}
	j := journal.New(journal.Options{Dir: e["XDG_STATE_HOME"] + "/paydesk"})
	defer j.Close()
	shop := ledger.Destination{Profile: "shop", Environment: "TEST", Host: strings.TrimPrefix(origin, "http://")}
	must(t, j.Pin(t.Context(), shop, all...))
	return all
}

func soakPayment(t *testing.T, minor int64) api.Initiation {
	t.Helper()
	var err error
	check := func(e error) { err = cmp.Or(err, e) }
	gbp, e := money.ParseCurrency("GBP")
	check(e)
	pan, e := card.ParsePAN(sandbox.Cards()[0].Number)
	check(e)
	cvv, e := card.ParseCVV("123")
	check(e)
	until, e := card.ParseExpiry("12/39")
	check(e)
	must(t, err)
	return api.Initiation{
		Amount: money.Amount{Minor: minor, Currency: gbp}, Channel: api.ChannelCard, ReturnURL: "https://shop.example/back",
		Customer: api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@shop.example", Phone: "+447700900123"},
		Card:     &api.CardEntry{PAN: pan, CVV: cvv, Expiry: until},
	}
}

// streamWebhooks posts an event a second, each of its own content.
func streamWebhooks(ctx context.Context, t *testing.T, url string, payments []api.Reference, posted *atomic.Int64) {
	for every := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		n := posted.Load()
		body := fmt.Sprintf(`{"Event":"PaymentSuccessful","Data":{"Reference":%q,"Amount":%d.50,"Currency":"GBP","PaymentStatus":"PENDING"}}`,
			payments[int(n)%len(payments)], n)
		a, err := http.Post(url, "application/json", strings.NewReader(body))
		if err != nil {
			t.Error(err)
			continue
		}
		io.Copy(io.Discard, a.Body)
		a.Body.Close()
		if a.StatusCode != http.StatusOK {
			t.Errorf("the listener answers %d", a.StatusCode)
		}
		posted.Add(1)
	}
}

func armFaults(ctx context.Context, t *testing.T, origin string, every time.Duration) {
	c, err := sandbox.Find(ctx, origin)
	if err != nil {
		t.Error(err)
		return
	}
	again := time.NewTicker(every)
	for i := 0; ; i++ {
		if err := c.Arm(ctx, "transaction", soakFaults[i%len(soakFaults)], 3); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
	}
}

// soaked are the samples of a process.
type soaked struct {
	pid                                  int
	tells                                string // the file that has the number of goroutines
	resident, files, threads, goroutines []int  // KiB, descriptors, threads of the system, goroutines
}

func (s *soaked) sample(t *testing.T) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	if err != nil {
		t.Error(err)
		return
	}
	for name, to := range map[string]*[]int{"VmRSS:": &s.resident, "Threads:": &s.threads} {
		var n int
		_, after, _ := strings.Cut(string(text), name)
		if _, err := fmt.Sscan(after, &n); err != nil {
			t.Error(name, err)
		}
		*to = append(*to, n)
	}
	// A hardened process shows its descriptors to root alone.
	if open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.pid)); err == nil {
		s.files = append(s.files, len(open))
	}
	number, err := os.ReadFile(s.tells)
	if err != nil {
		t.Error("the number of goroutines:", err)
		return
	}
	n, err := strconv.Atoi(string(number))
	if err != nil {
		t.Error("the number of goroutines:", err)
		return
	}
	s.goroutines = append(s.goroutines, n)
}

// sampleUntil samples until the context ends. A tenth of the time is for the start.
func sampleUntil(ctx context.Context, t *testing.T, every time.Duration, all map[string]*soaked) {
	begun, tick := time.Now(), time.NewTicker(every)
	end, _ := ctx.Deadline()
	warm := begun.Add(end.Sub(begun) / 10)
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if now.Before(warm) {
				continue
			}
		}
		for _, s := range all {
			s.sample(t)
		}
	}
}

func (s *soaked) report(t *testing.T, name string) {
	t.Helper()
	t.Logf("%s: KiB %v\n descriptors %v\n threads %v\n goroutines %v", name, s.resident, s.files, s.threads, s.goroutines)
	if len(s.files) == 0 {
		t.Logf("%s: descriptors were not counted: only root sees them", name)
	}
	from, to, grew := swells(s.resident)
	t.Logf("%s: %d KiB in the second quarter, %d KiB in the last", name, from, to)
	if grew {
		t.Errorf("%s: memory grew from %d KiB in the second quarter to %d KiB in the last", name, from, to)
	}
	if climbs(s.files) {
		t.Errorf("%s: descriptors grow: %v", name, s.files)
	}
	if climbs(s.goroutines) {
		t.Errorf("%s: goroutines grow: %v", name, s.goroutines)
	}
}

// swells compares the medians of the second quarter and of the last: a twentieth more is growth. Before that caches fill
// that have a limit, such as the pages that SQLite keeps of a file that grows.
func swells(of []int) (from, to int, grew bool) {
	if len(of) < 8 {
		return 0, 0, true
	}
	quarter := len(of) / 4
	from, to = median(of[quarter:2*quarter]), median(of[3*quarter:])
	return from, to, to*20 > from*21
}

// climbs reports whether there never are so few in the last quarter as there were at most in the first half. A
// connection that is kept open for the next request comes and goes, with its descriptor and its two goroutines, so
// a number that is larger for a while is no growth.
func climbs(of []int) bool {
	return len(of) >= 8 && slices.Min(of[len(of)*3/4:]) > slices.Max(of[:len(of)/2])
}

func median(of []int) int {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

func TestASoakTellsGrowthFromNoise(t *testing.T) {
	rising, level, filling := []int{}, []int{}, []int{}
	for i := range 40 {
		rising, level, filling = append(rising, 1000+10*i), append(level, 1000+30*(i%3)), append(filling, 1000+20*min(i, 9))
	}
	if _, _, grew := swells(rising); !grew || !climbs(rising) {
		t.Error("growth is not noticed")
	}
	if _, _, grew := swells(level); grew || climbs(level) {
		t.Error("noise is taken for growth")
	}
	if _, _, grew := swells(filling); grew {
		t.Error("a cache that fills is taken for growth")
	}
}
