package keystore_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"paydesk/api"
	"paydesk/api/sandbox"
	"paydesk/api/servicetest"
	"paydesk/api/timely"
	"paydesk/keystore"
)

// TestAProfileTakesWhatTheClientTakes compares the two judges of a profile: what one lets through and the
// other does not would be reported only once the key is there.
func TestAProfileTakesWhatTheClientTakes(t *testing.T) {
	compare := func(part, value string, change func(*keystore.Profile)) {
		p := keystore.Profile{Name: "test", Environment: keystore.Test, BaseURL: "https://a.example", ListURL: "https://b.example"}.WithDefaults()
		change(&p)
		_, err := api.New(api.Config{
			BaseURL: p.BaseURL, ListURL: p.ListURL, Key: servicetest.Key("sk_test_EXAMPLE"), KeyHeader: p.KeyHeader,
			AuthenticatePath: p.AuthenticatePath, StatusPath: p.StatusPath,
		})
		if words := p.Check()[part]; (words == "") != (err == nil) {
			t.Errorf("%s %q: the profile says %q, the client %v", part, value, words, err)
		}
	}
	for _, origin := range []string{
		"https://payments.example", "https://payments.example.", "https://payments.example:65535/base", "http://[::1]:80", "http://localhost",
		"https://payments.example:0", "https://payments.example:99999", "https://h..example", "https://.example", "https://example..", "https://.",
		"https://[fe80::1%25eth0]", "http://[::1%25lo]", "https://a%25b.example", "https://a%3ab.example", "https://" + strings.Repeat("a", 64),
		"https://" + strings.Repeat("a.", 124) + "example", "http://payments.example", "https://a.example/%2e%2e/b", "https://a.example/../b",
	} {
		compare("base_url", origin, func(p *keystore.Profile) { p.BaseURL = origin })
		compare("list_url", origin, func(p *keystore.Profile) { p.ListURL = origin })
	}
	for _, header := range []string{
		"X-Api", "X-API-Key", "Authorization", "Host", "cookie", "Content-Type", "TE", "Idempotency-Key", "X-Idempotency-Key", "Expect", "X Api", "X-Api:",
		strings.Repeat("x", 65),
	} {
		compare("key_header", header, func(p *keystore.Profile) { p.KeyHeader = header })
	}
	for _, path := range []string{"/{reference}", "/a/../{reference}", "/%2e%2e/{reference}", "//evil.example/{reference}", "/a b/{reference}", "/%zz/{reference}"} {
		compare("status_path", path, func(p *keystore.Profile) { p.StatusPath = path })
	}
}

var must = timely.Must

const canary = "sk_test_CANARY0042"

// A service is a sandbox behind a handler that records requests.
type service struct {
	*sandbox.Sandbox
	*httptest.Server
	override func(w http.ResponseWriter, r *http.Request) bool // true when it answered itself

	mu       sync.Mutex
	requests []*http.Request
}

func serve(t *testing.T) *service {
	t.Helper()
	s := &service{Sandbox: sandbox.New(sandbox.Options{Key: canary, Transactions: 3})}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Server.Close)
	t.Cleanup(func() { s.Sandbox.Close() })
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	if s.override == nil || !s.override(w, r) {
		s.Sandbox.ServeHTTP(w, r)
	}
}

func (s *service) config() api.Config {
	return api.Config{BaseURL: s.URL, ListURL: s.URL, Key: servicetest.Key(canary)}
}

// find runs the probe, checks that the key is in no finding, and returns the findings by name.
func find(t *testing.T, c api.Config) map[string]keystore.Finding {
	t.Helper()
	found := map[string]keystore.Finding{}
	for _, f := range keystore.CheckNetwork(t.Context(), c) {
		for _, part := range []string{f.Name, f.Message, f.Fix} {
			if strings.Contains(part, canary) || strings.ContainsRune(part, '\x1b') {
				t.Errorf("%s holds the key, or what drives a terminal", f.Name)
			}
		}
		if _, twice := found[f.Name]; twice {
			t.Errorf("%s was reported twice", f.Name)
		}
		if !slices.Contains([]string{keystore.OK, keystore.Warning, keystore.Failed, keystore.Skipped}, f.State) || f.Message == "" {
			t.Errorf("%+v has no state or no words", f)
		}
		if (f.State == keystore.Failed || f.State == keystore.Warning) && f.Fix == "" && f.Name != "key header" {
			t.Errorf("%+v does not say what to do", f)
		}
		found[f.Name] = f
	}
	return found
}

// expect compares states and parts of the texts.
func expect(t *testing.T, found map[string]keystore.Finding, want map[string]string) {
	t.Helper()
	for name, state := range want {
		state, words, _ := strings.Cut(state, ": ")
		f := found[name]
		if f.State != state || !strings.Contains(f.Message+" / "+f.Fix, words) {
			t.Errorf("%s: %s, %s / %s\nwant %s, %s", name, f.State, f.Message, f.Fix, state, words)
		}
	}
}

func TestAGoodProfilePassesEveryCheck(t *testing.T) {
	s := serve(t)
	found := find(t, s.config())
	for name, f := range found {
		if f.State != keystore.OK {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if len(found) != 8 {
		t.Errorf("%d findings: %v", len(found), found)
	}
	for _, r := range s.requests {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s was sent", r.Method, r.URL.Path)
		}
		if has := r.Header.Get("X-Api") != ""; has == (r.URL.Path == "/") {
			t.Errorf("%s was requested with the key: %t", r.URL.Path, has)
		}
	}
	if n := len(s.requests); n != 5 { // the origin, the list, two paths and a made-up one
		t.Errorf("%d requests were sent", n)
	}
}

func TestAWrongSettingIsNamed(t *testing.T) {
	page := func(status int, path string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasPrefix(r.URL.Path, path) {
				return false
			}
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			_, _ = w.Write([]byte("<h1>Not \x1b[31mhere " + r.Header.Get("X-Api") + "</h1>"))
			return true
		}
	}
	for name, c := range map[string]struct {
		change func(*service, *api.Config)
		want   map[string]string
	}{
		"another key": {
			func(_ *service, c *api.Config) { c.Key = servicetest.Key("sk_test_SOMETHINGELSE") },
			map[string]string{"key accepted": "failed: HTTP 401", "key header": "skipped: in both X-Api and X-Api-Key", "status path": "skipped", "authentication path": "skipped"},
		},
		"no key": {
			func(_ *service, c *api.Config) { c.Key = nil },
			map[string]string{"reach base_url": "ok", "key accepted": "skipped: there is no key", "status path": "skipped"},
		},
		"the service wants another header": {
			func(s *service, _ *api.Config) { _ = s.SetSwitch("key.header", "X-Api-Key") },
			map[string]string{"key accepted": "failed", "key header": `failed: key_header = "X-Api-Key"`},
		},
		"another path of the status": {
			func(_ *service, c *api.Config) { c.StatusPath = "/api/payment/states/{reference}" },
			map[string]string{"status path": "warning: correct status_path", "authentication path": "ok"},
		},
		"another path on the same host": {
			func(_ *service, c *api.Config) { c.BaseURL += "/elsewhere" },
			map[string]string{"key accepted": "ok", "status path": "warning: check base_url"},
		},
		"a page at the path of the status": {
			func(s *service, _ *api.Config) { s.override = page(http.StatusNotFound, "/api/payment/transactions/") },
			map[string]string{"status path": "failed: correct status_path", "authentication path": "ok"},
		},
		"another server, which has pages": {
			func(s *service, _ *api.Config) { s.override = page(http.StatusOK, "/api/") },
			map[string]string{"key accepted": "ok", "status path": "failed: check base_url", "authentication path": "failed"},
		},
		"another account": {
			func(s *service, _ *api.Config) { s.override = page(http.StatusUnauthorized, "/api/") },
			map[string]string{"status path": "failed: the list endpoint accepts the key, but this path does not", "authentication path": "failed: the same account"},
		},
		"a page instead of the list": {
			func(s *service, _ *api.Config) { s.override = page(http.StatusNotFound, "/v1/") },
			map[string]string{"key accepted": "failed: list_url is the origin"},
		},
		"refusals as bare problem documents": { // which contain too little to decide
			func(s *service, _ *api.Config) { _ = s.SetSwitch("error.body", "A") },
			map[string]string{"key accepted": "ok", "status path": "warning: the same words", "authentication path": "warning"},
		},
		"nobody listens": {
			func(s *service, c *api.Config) { s.Server.Close() },
			map[string]string{"reach base_url": "failed: refused", "TLS of base_url": "skipped", "clock": "skipped", "key accepted": "skipped: not reached", "status path": "skipped"},
		},
		"only the list is there": {
			func(_ *service, c *api.Config) {
				gone := httptest.NewServer(nil)
				gone.Close()
				c.BaseURL = gone.URL
			},
			map[string]string{"reach base_url": "failed", "reach list_url": "ok", "key accepted": "ok", "status path": "skipped: base_url was not reached"},
		},
		"a name that does not exist": {
			func(_ *service, c *api.Config) { c.BaseURL = "https://nowhere.invalid" },
			map[string]string{"reach base_url": "failed: check the spelling of base_url"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			config := s.config()
			c.change(s, &config)
			expect(t, find(t, config), c.want)
		})
	}
}

// Many rejections may lock an account.
func TestARejectedKeyIsSentAtMostOnceMore(t *testing.T) {
	s := serve(t)
	c := s.config()
	c.Key = servicetest.Key("sk_test_SOMETHINGELSE")
	find(t, c)
	n := 0
	for _, r := range s.requests {
		if r.URL.Path != "/" {
			n++
		}
	}
	if n != 2 {
		t.Errorf("the refused key was sent %d times", n)
	}
}
