package webhook

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paydesk/api/statefile"
)

func TestEventsGoToThisMachineOrWhereTheProfileSays(t *testing.T) {
	t.Parallel()
	named := []string{"https://staging.example/hooks", "http://192.0.2.1:3000", "https://k.example/a?token=1", "not a URL", ""}
	for _, ok := range []string{
		"http://127.0.0.1:3000/hooks", "http://127.9.8.7/", "http://[::1]:3000", "http://localhost:3000/a?b=c", "https://LOCALHOST/", "http://[::ffff:127.0.0.1]/",
		"https://staging.example/hooks", "https://staging.example:443/hooks", "https://Staging.example/hooks", "http://192.0.2.1:3000/", "https://k.example/a?token=1",
	} {
		if target, err := ParseTarget(ok, named); err != nil || !strings.EqualFold(target.String(), ok) {
			t.Errorf("%s: %q, %v", ok, target, err)
		}
	}
	for _, bad := range []string{
		"", "127.0.0.1:3001", "//127.0.0.1/", "/hooks", "ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "http://", "http://:3000/", "http:127.0.0.1",
		"http://127.0.0.1:/", "http://127.0.0.1:0/", "http://127.0.0.1:65536/", "http://127.0.0.1:x/", "http://user@127.0.0.1/", "http://user:secret@127.0.0.1/",
		"http://127.0.0.1/#a", "http://127.0.0.1/#", "http://127.0.0.1/ a", "http://127.0.0.1/\n", "http://127.0.0.1/\x1b[2J", "http://127.0.0.1/ä", " http://127.0.0.1/",
		"http://127.0.0.1/" + strings.Repeat("a", 3000),
		"https://evil.example/hooks", "http://staging.example/hooks", "https://staging.example/hooks/", "https://staging.example/", "https://staging.example:8443/hooks",
		"https://staging.example/hooks?x=1", "https://staging.example./hooks", "https://staging.example.evil.example/hooks", "http://192.0.2.1/", "https://k.example/a", "https://k.example/a?token=2",
		"http://localhost.evil.example/", "http://127.0.0.1.evil.example/", "http://2130706433/", "http://0.0.0.0:3000/", "http://[::]:3000/", "http://127.1/",
		"http://127.0.0.1:8425" + secretPath, "http://localhost:1" + secretPath + "?a=b",
	} {
		if _, err := ParseTarget(bad, named); err == nil || len(bad) > 10 && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A target answers and keeps what it got.
type target struct {
	Target
	*httptest.Server
	got  chan *http.Request
	body chan string
}

func newTarget(t testing.TB, answer http.HandlerFunc) *target {
	t.Helper()
	w := &target{got: make(chan *http.Request, 1000), body: make(chan string, 1000)}
	w.Server = httptest.NewServer(http.HandlerFunc(func(o http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.got <- r
		w.body <- string(b)
		if answer != nil {
			answer(o, r)
		}
	}))
	t.Cleanup(w.Close)
	var err error
	if w.Target, err = ParseTarget(w.URL+"/hooks?a=b", nil); err != nil {
		t.Fatal(err)
	}
	return w
}

func detail(body string, header http.Header) Detail {
	return Detail{Record: Record{ID: 1}, Body: []byte(body), Header: header}
}

func TestAnEventIsSentExactlyAsItCame(t *testing.T) {
	t.Parallel()
	w := newTarget(t, nil)
	for _, body := range []string{`{"a": 1.50}` + "\n", "", "\x00\xff", strings.Repeat("x", 64<<10)} {
		came := http.Header{
			"Content-Type": {"text/plain; x=\"y\""}, "X-Twice": {"1", "2"}, "Accept-Encoding": {"br"}, "X-Signature": {"abc"}, "Idempotency-Key": {"1"},
			"Authorization": {hidden}, "Cookie": {"a=b", hidden}, "X-<pan …4242>": {"a"},
			"Connection": {"close, X-Hop", "x-other"}, "X-Hop": {"1"}, "X-Other": {"1"}, "Keep-Alive": {"timeout=5"}, "Te": {"trailers"}, "Trailer": {"X"},
			"Transfer-Encoding": {"chunked"}, "Upgrade": {"h2c"}, "Proxy-Authorization": {"Basic x"}, "Expect": {"100-continue"}, "Host": {"evil.example"}, "Content-Length": {"7"},
		}
		f := w.Send(t.Context(), detail(body, came))
		if f.Status != 200 || f.Problem != "" || f.Target != w.URL+"/hooks?a=b" || f.Took <= 0 || f.At.IsZero() || f.Replay {
			t.Fatalf("%+v", f)
		}
		r := <-w.got
		r.Header.Del("Content-Length")
		want := http.Header{
			"Content-Type": {"text/plain; x=\"y\""}, "X-Twice": {"1", "2"}, "Accept-Encoding": {"br"}, "X-Signature": {"abc"}, "Idempotency-Key": {"1"},
			"Cookie": {"a=b"}, "Connection": {"close"},
		}
		for name := range want {
			if !slices.Equal(r.Header[name], want[name]) {
				t.Errorf("%s: %q", name, r.Header[name])
			}
			delete(r.Header, name)
		}
		if got := <-w.body; got != body || len(r.Header) > 0 || r.ContentLength != int64(len(body)) || r.Method != "POST" || r.RequestURI != "/hooks?a=b" || "http://"+r.Host != w.URL {
			t.Errorf("%s %s of %d bytes to %s, %v", r.Method, r.RequestURI, r.ContentLength, r.Host, r.Header)
		}
	}
	w.Send(t.Context(), detail("1", http.Header{"User-Agent": {"paydesk-sandbox"}}))
	if r := <-w.got; r.Header.Get("User-Agent") != "paydesk-sandbox" {
		t.Errorf("%v", r.Header)
	}
}

func TestWhatBecameOfASendingIsSaid(t *testing.T) {
	t.Parallel()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	elsewhere := newTarget(t, nil)
	for _, c := range []struct {
		name    string
		answer  http.HandlerFunc
		status  int
		problem string
	}{
		{"no content", status(204), 204, ""},
		{"an error", status(500), 500, "The target answered HTTP 500."},
		{"an odd status", status(999), 999, "The target answered HTTP 999."},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, 307, "The target answered HTTP 307."},
		{"a long answer", func(w http.ResponseWriter, _ *http.Request) { w.Write(bytes.Repeat([]byte("x"), 1<<20)) }, 200, ""},
		{"broken off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, "The target gave no answer that can be read."},
		{"long headers", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("a", 1<<20)) }, 0, "The target gave no answer that can be read."},
	} {
		f := newTarget(t, c.answer).Send(t.Context(), detail("1", nil))
		if f.Status != c.status || f.Problem != c.problem {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
	if len(elsewhere.got) > 0 {
		t.Error("a redirect was followed")
	}
	slow := newTarget(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	if slow.limit != 10*time.Second {
		t.Errorf("it has %v", slow.limit)
	}
	slow.limit = 50 * time.Millisecond
	if f := slow.Send(t.Context(), detail("1", nil)); f.Status != 0 || f.Problem != "The target did not answer within 0.05 seconds." || f.Took < slow.limit {
		t.Errorf("%+v", f)
	}
	gone := newTarget(t, nil)
	gone.Close()
	if f := gone.Send(t.Context(), detail("1", nil)); f.Status != 0 || f.Problem != "The target could not be reached." {
		t.Errorf("%+v", f)
	}
	if f := (Target{}).Send(t.Context(), detail("1", nil)); f.Problem != "There is no target." {
		t.Errorf("%+v", f)
	}
}

func TestASecretPathIsMadeOnceForEachProfile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state", "paydesk")
	seen := map[string]bool{}
	for _, profile := range []string{"test", "live", "a.b", "a%b", "../x", "a/b", "", "\x1b[2J"} {
		one, err1 := Path(dir, profile)
		two, err2 := Path(dir, profile)
		if err := errors.Join(err1, err2); err != nil || one != two || seen[one] || !regexp.MustCompile(`^/hooks/[a-z2-7]{26}$`).MatchString(one) {
			t.Errorf("%q: %q and %q, %v", profile, one, two, err)
		}
		seen[one] = true
	}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		about, _ := f.Info()
		plain := regexp.MustCompile(`^(webhook-path-[A-Za-z0-9%.]*|webhooks\.db\.lock)$`)
		if !plain.MatchString(f.Name()) || runtime.GOOS != "windows" && about.Mode().Perm() != 0o600 {
			t.Errorf("%q %v", f.Name(), about.Mode())
		}
	}
}

func TestConsolesThatMakeASecretPathTogetherShareIt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("nothing locks there: one that collides says so, and finds the path when it tries again")
	}
	for range 5 {
		dir := filepath.Join(t.TempDir(), "state")
		var all sync.WaitGroup
		var paths [8]string
		for i := range paths {
			all.Go(func() {
				var err error
				if paths[i], err = Path(dir, "test"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, p := range paths {
			if p != paths[0] || p == "" {
				t.Fatalf("%q", paths)
			}
		}
	}
}

func TestASecretPathThatCannotBeTrustedIsNotUsed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	must(t, os.Mkdir(dir, 0o700))
	file := filepath.Join(dir, "webhook-path-test")
	must(t, os.WriteFile(file+".new", []byte("/ho"), 0o600)) // a crash left it half-written
	good, err := Path(dir, "test")
	if err != nil || !isPath(good) {
		t.Fatalf("%q, %v", good, err)
	}
	for _, text := range []string{"", "\n", "/hooks/", "/", good[:20], good + "x", good + "\n" + good, strings.ToUpper(good), "/hooks/../" + good} {
		os.WriteFile(file, []byte(text), 0o600)
		if got, err := Path(dir, "test"); err == nil || got != "" || !strings.Contains(err.Error(), "is damaged. Remove it") || !strings.Contains(err.Error(), file) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	os.WriteFile(file, []byte(good+"\r\n"), 0o600)
	if got, err := Path(dir, "test"); got != good {
		t.Errorf("as an editor left it: %q, %v", got, err)
	}
	if runtime.GOOS != "windows" { // which has no modes of files
		for path, modes := range map[string][2]os.FileMode{file: {0o640, 0o600}, dir: {0o755, 0o700}} {
			os.Chmod(path, modes[0])
			got, err := Path(dir, "test")
			if err == nil || got != "" || !strings.HasSuffix(err.Error(), "Fix it with: "+(&statefile.Exposed{Path: path, Most: modes[1]}).Fix()) {
				t.Errorf("others can read it: %q, %v", got, err)
			}
			os.Chmod(path, modes[1])
		}
	}
	os.Remove(file)
	os.Mkdir(file, 0o700)
	if got, err := Path(dir, "test"); err == nil || got != "" {
		t.Errorf("a folder: %q, %v", got, err)
	}
}

// A receiver that was killed takes nothing back, and another may have the address since.
func TestOnlyAReceiverThatAnswersIsFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r, _ := receive(t, nil)
	forget, err := Announce(dir, "shop", r.host())
	must(t, err)
	for path, want := range map[string]string{"/hooks/zbcdefghijklmnopqrstuvwxyz": "", secretPath: r.host()} {
		must(t, statefile.WriteFile(pathFile(dir, "shop"), []byte(path+"\n")))
		if got := Announced(t.Context(), dir, "shop"); got != want {
			t.Errorf("%s: %q, not %q", path, got, want)
		}
	}
	if got := Announced(t.Context(), dir, "other"); got != "" {
		t.Errorf("of another profile: %q", got)
	}
	again, err := Announce(dir, "shop", "127.0.0.1:1")
	must(t, err)
	announced := func() string {
		address, _ := readLine(addressFile(dir, "shop"))
		return address
	}
	if forget(); announced() != "127.0.0.1:1" {
		t.Error("the first to end takes back what the second announced")
	}
	if got := Announced(t.Context(), dir, "shop"); got != "" {
		t.Errorf("where nothing answers: %q", got)
	}
	if again(); announced() != "" {
		t.Error("the last to end takes nothing back")
	}
}
