package sandbox

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api/timely"
)

func (s *harness) arm(name, fault string, calls int) {
	s.t.Helper()
	if err := s.Arm(name, fault, calls); err != nil {
		s.t.Fatal(err)
	}
}

func TestAFaultStrikesTheCallsItIsArmedFor(t *testing.T) {
	s := serve(t, Options{})
	s.arm("transactions", "F57", 1)
	s.arm("POST", "F54", 1)
	s.arm("all", "F50", 2)
	codes := func(want ...int) {
		t.Helper()
		var got []int
		for range want {
			got = append(got, s.get(listPath).http)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	s.send("GET", listPath, "", func(r *http.Request) { r.Header.Del(KeyHeader) })
	s.send("POST", initiatePath, "not JSON").refused(400, "cannot be read")
	want := []ArmedFault{{"transactions", "F57", 1, 0}, {"POST", "F54", 1, 0}, {"all", "F50", 2, 0}}
	if diff := cmp.Diff(want, s.Armed()); diff != "" {
		t.Error("a request that did not reach an operation counts:", diff)
	}
	codes(500, 401)
	s.post(validatePath, obj{}).refused(422, "The payload is not valid.")
	if diff := cmp.Diff([]ArmedFault{{"all", "F50", 1, 1}}, s.Armed()); diff != "" {
		t.Error(diff)
	}
	codes(401, 200)
	s.arm("GET", "f57", 0)
	codes(500, 500, 500)
	if diff := cmp.Diff([]ArmedFault{{"GET", "F57", 0, 3}}, s.Armed()); diff != "" {
		t.Error(diff)
	}
	s.ClearFaults()
	codes(200)
}

func TestArmReportsWhyAFaultCannotBeArmed(t *testing.T) {
	s := New(Options{})
	for _, c := range []struct {
		name, fault string
		calls       int
		says        string
	}{
		{"initiate", "F61", 1, "no fault of this name"}, {"initiate", "", 1, "no fault of this name"},
		{"pay", "F8", 1, "no operation of this name"}, {"", "F8", 1, "no operation of this name"}, {"DELETE", "F8", 1, "no operation of this name"},
		{"initiate", "shrink", 1, "no operation of this name"}, {"POST", "loop", 1, "no operation of this name"},
		{"initiate", "F8", -1, "must not be negative"},
		{"all", "F1", 1, "this server cannot cause F1: a name is resolved"}, {"all", "F4", 1, "plain HTTP"},
		{"all", "F59", 1, "HTTP/1.1"}, {"all", "F60", 1, "HTTP/1.1"},
	} {
		if err := s.Arm(c.name, c.fault, c.calls); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v, want %q", c.name, c.fault, err, c.says)
		}
	}
	if len(s.Armed()) != 0 {
		t.Error("something was armed")
	}
}

func TestTheTableHasEveryFaultOfTheList(t *testing.T) {
	var names []string
	for i, f := range New(Options{}).Faults() {
		if i < 60 && f.Name != fmt.Sprintf("F%d", i+1) {
			t.Errorf("%s is in the place of F%d", f.Name, i+1)
		}
		if i >= 60 {
			names = append(names, f.Name)
		}
		if f.Does == "" || strings.Contains(f.Does, "\n") || (f.Not == "") != (f.When != "") || f.List != (i >= 60) {
			t.Errorf("%+v", f)
		}
	}
	want := []string{"shrink", "grow", "repeat", "page-0", "per-page-500", "total-0", "total-less", "negative", "no-meta", "loop", "duplicate-ids", "reorder"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

// Numbers in a response are changed, or one is added.
func TestNumbersAreChanged(t *testing.T) {
	for fault, want := range map[string]string{
		"F36": `"amount":1` + strings.Repeat("0", 399) + `}`, "F37": `"amount":12.50e0}`, "F38": `"amount":"12.50"}`,
	} {
		s := New(Options{Key: testKey})
		ask(s, "POST", initiatePath, mustJSON(with(charge("approve"), "reference", "A")))
		s.Arm("transaction", fault, 1)
		if w := ask(s, "GET", statusPath+"A", ""); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %s", fault, w.Body)
		}
		s.Arm("validate", fault, 1)
		if w := ask(s, "POST", validatePath, `{"amount":{"currencyCode":"GBP","amount":5}}`); !strings.Contains(w.Body.String(), `"number":`) {
			t.Errorf("%s of an answer without numbers: %s", fault, w.Body)
		}
	}
}

// Huge bodies are generated while they are sent, and sent completely.
func TestWhatIsTooLargeTakesNoMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 1 GiB, and 2 more with PAYDESK_LONG")
	}
	s := serve(t, Options{})
	for _, c := range []struct {
		fault string
		wire  int64 // at most
		whole int64
	}{{"F28", 2 << 20, 1 << 30}, {"F29", 2 << 30, 2 << 30}} {
		if c.fault == "F29" && os.Getenv("PAYDESK_LONG") == "" {
			continue
		}
		s.arm("transactions", c.fault, 1)
		r, _ := http.NewRequest("GET", s.origin+listPath, nil)
		r.Header.Set(KeyHeader, testKey)
		r.Header.Set("Accept-Encoding", "identity")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		counted := &counter{r: a.Body}
		var body io.Reader = counted
		if a.Header.Get("Content-Encoding") == "gzip" {
			if body, err = gzip.NewReader(counted); err != nil {
				t.Fatal(err)
			}
		}
		n, err := io.CopyBuffer(onlyWriter{io.Discard}, body, make([]byte, 1<<16))
		runtime.ReadMemStats(&after)
		a.Body.Close()
		if err != nil || n != c.whole || counted.n > c.wire {
			t.Errorf("%s: %d bytes out of %d on the wire, want %d out of at most %d: %v", c.fault, n, counted.n, c.whole, c.wire, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
			t.Errorf("%s took %d bytes of memory", c.fault, grown)
		}
	}
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

type onlyWriter struct{ io.Writer }

func TestAMillionNamesAreOneDocument(t *testing.T) {
	s := serve(t, Options{})
	s.arm("transactions", "F31", 1)
	r, _ := http.NewRequest("GET", s.origin+listPath, nil)
	r.Header.Set(KeyHeader, testKey)
	a, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil || !json.Valid(body) || bytes.Count(body, []byte(`"n`)) != 1_000_001 { // and the member "names"
		t.Errorf("%d bytes, %d names, %v", len(body), bytes.Count(body, []byte(`"n`)), err)
	}
}

func TestADripTakesASecondForEachByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Key: testKey})
		s.Arm("validate", "F17", 1)
		began := time.Now()
		w := ask(s, "POST", validatePath, `{"amount":{"currencyCode":"GBP","amount":5}}`)
		if took := time.Since(began); took != time.Duration(w.Body.Len())*time.Second || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d bytes took %v", w.Body.Len(), took)
		}
	})
}

func TestSilenceLastsUntilTheClientLeavesOrTwoMinutes(t *testing.T) {
	for _, fault := range []string{"F10", "F13"} {
		synctest.Test(t, func(t *testing.T) {
			s := New(Options{Key: testKey})
			s.Arm("transactions", fault, 0)
			began := time.Now()
			if !aborts(func() { ask(s, "GET", listPath, "") }) || time.Since(began) != silenceLimit {
				t.Errorf("%s lasted %v", fault, time.Since(began))
			}
			ctx, leave := context.WithTimeout(t.Context(), time.Second)
			defer leave()
			r := httptest.NewRequestWithContext(ctx, "GET", listPath, nil)
			r.Header.Set(KeyHeader, testKey)
			began = time.Now()
			if !aborts(func() { s.ServeHTTP(httptest.NewRecorder(), r) }) || time.Since(began) != time.Second {
				t.Errorf("%s lasted %v", fault, time.Since(began))
			}
		})
	}
}

// aborts reports whether do panics as a handler that drops its response does.
func aborts(do func()) (yes bool) {
	defer func() {
		v := recover()
		if yes = v == http.ErrAbortHandler; v != nil && !yes {
			panic(v)
		}
	}()
	do()
	return false
}

// Without a connection to hijack, as in a recorder, the response is dropped.
func TestFaultsOfAConnectionLoseTheAnswerWhereThereIsNone(t *testing.T) {
	for _, fault := range []string{"F8", "F9", "F11", "F12", "F14", "F15", "F16", "F18", "F19"} {
		s := New(Options{Key: testKey})
		s.Arm("all", fault, 1)
		if !aborts(func() { ask(s, "GET", listPath, "") }) {
			t.Errorf("%s does not drop the response", fault)
		}
	}
}

func TestARedirectThatIsFollowedLeadsNowhereAndIsLogged(t *testing.T) {
	var lines []string
	s := New(Options{Key: testKey, Log: func(l string) { lines = append(lines, l) }})
	for _, path := range []string{astrayPath, loopPath} {
		w := ask(s, "POST", path, "{}")
		if path == loopPath && (w.Code != 307 || w.Header().Get("Location") != loopPath) || path == astrayPath && w.Code != 404 {
			t.Errorf("%s: %d %s", path, w.Code, w.Header())
		}
		if last := lines[len(lines)-1]; !strings.Contains(last, "POST "+path+" ") {
			t.Errorf("the log line is %q", last)
		}
	}
}

// A server with silent connections closes immediately.
func TestASilentServerCanBeClosed(t *testing.T) {
	timely.Within(t, closeTimeout/2, func() (took time.Duration) {
		s := New(Options{Key: testKey})
		v, err := s.Listen(t.Context(), "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s.Arm("all", "F13", 1)
		c, err := net.Dial("tcp", strings.TrimPrefix(v.Origin(), "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\n\r\n", listPath, KeyHeader, testKey)
		for len(s.Armed()) > 0 {
			runtime.Gosched()
		}
		began := time.Now()
		if err := v.Close(); err != nil {
			t.Error(err)
		}
		took = time.Since(began)
		if _, err := bufio.NewReader(c).ReadByte(); err == nil {
			t.Error("a response arrived")
		}
		return took
	})
}

// The rows of the embedded tables and the functions that carry them out belong together.
func TestTheTablesHaveAnImplementationForEveryRow(t *testing.T) {
	causes := faultCauses()
	for _, k := range faultKinds() {
		_, is := causes[k.Name]
		if ways := []bool{is, k.Status != 0, k.Not != ""}; len(slices.DeleteFunc(ways, func(is bool) bool { return !is })) != 1 {
			t.Errorf("%s does not have exactly one implementation: %+v", k.Name, k)
		}
		if (k.When == "") != (k.Not != "") {
			t.Errorf("%s applies %q", k.Name, k.When)
		}
		delete(causes, k.Name)
	}
	if len(causes) > 0 || len(controlActions()) != len(controlCalls()) {
		t.Errorf("faults without a row: %v; %d calls do something, %d are listed", causes, len(controlActions()), len(controlCalls()))
	}
	for _, k := range controlCalls() {
		if k.show == nil {
			t.Errorf("%s %s shows nothing", k.Method, k.Path)
		}
	}
}
