//go:build browser

package webhook

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// evil is a page of another origin that tries to post and to read. It reports to its own server, once everything has
// ended, what it came to.
const evil = `<!doctype html><title>Evil</title><link rel="icon" href="data:,">
<form method="post" enctype="text/plain"><input name="Event" value="form"></form>
<script>
const at = 'AT', secret = 'SECRET', tried = {};
async function attempt(name, url, options) {
	try {
		const a = await fetch(url, options);
		tried[name] = a.type + ' ' + a.status + ' ' + (await a.text()) + [...a.headers].join();
	} catch (e) { tried[name] = 'blocked'; }
}
function submit(url) {
	return new Promise(done => {
		const form = document.querySelector('form');
		const f = document.createElement('iframe');
		f.name = 'frame' + Math.random();
		document.body.append(f);
		form.action = url;
		form.target = f.name;
		f.onload = () => {
			let says = 'loaded';
			try { says += ' ' + f.contentDocument.body.innerHTML; } catch { says += ' unreadable'; }
			done(says);
		};
		form.submit();
		setTimeout(() => done('nothing'), 2000);
	});
}
function socket(url) {
	return new Promise(done => {
		const s = new WebSocket(url.replace('http', 'ws'));
		s.onopen = () => done('open');
		s.onerror = () => done('blocked');
	});
}
onload = async () => {
	const body = '{"Event":"PaymentSuccessful"}', json = {'Content-Type': 'application/json'};
	for (const [where, url] of [['elsewhere', at + '/hooks/aaaaaaaaaaaaaaaaaaaaaaaaaa'], ['secret', secret]]) {
		await attempt('no-cors POST ' + where, url, {method: 'POST', mode: 'no-cors', body});
		await attempt('cors POST ' + where, url, {method: 'POST', body});
		await attempt('cors JSON ' + where, url, {method: 'POST', headers: json, body});
		await attempt('credentials ' + where, url, {method: 'POST', credentials: 'include', body});
		await attempt('no-cors GET ' + where, url, {mode: 'no-cors'});
		await attempt('cors GET ' + where, url);
		await attempt('PUT ' + where, url, {method: 'PUT', body});
		tried['socket ' + where] = await socket(url);
		tried['form ' + where] = await submit(url);
	}
	await fetch('/tried', {method: 'POST', body: JSON.stringify(tried)});
};
</script>`

// A page of another origin cannot store anything without the secret path. Even with it, it can read nothing of an
// answer: not whether it was stored.
func TestAPageOfAnotherOriginCannotPostOrRead(t *testing.T) {
	t.Parallel()
	r, b := receive(t, nil)
	tried := make(chan map[string]string, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/tried" {
			text, _ := io.ReadAll(q.Body)
			var came map[string]string
			if err := json.Unmarshal(text, &came); err != nil {
				t.Error(err)
			}
			tried <- came
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, strings.NewReplacer("AT", "http://"+r.host(), "SECRET", r.URL()).Replace(evil))
	}))
	t.Cleanup(site.Close)
	browse(t, strings.Replace(site.URL, "127.0.0.1", "evil.example", 1))
	select {
	case came := <-tried:
		for name, what := range came {
			t.Logf("%s: %s", name, what)
			readable := what != "blocked" && what != "opaque 0 " && what != "loaded unreadable" && what != "nothing"
			if readable {
				t.Errorf("%s: it reads %q", name, what)
			}
		}
		if len(came) != 18 {
			t.Errorf("%d of 18 were tried", len(came))
		}
	case <-time.After(time.Minute):
		t.Fatal("the page did not end")
	}
	// Of those with the path, what a browser sends without asking first arrives. JSON is not among it.
	for i, body := range b.bodies() {
		h := b.header[i]
		if h.Get("Origin") == "" || strings.Contains(h.Get("Content-Type"), "json") {
			t.Errorf("%q arrived with %v", body, h)
		}
	}
	if got := len(b.bodies()); got < 1 || got > 4 {
		t.Errorf("%d arrived by the secret path", got)
	}
}

// browse opens a page in a browser without a display, to which evil.example is this machine and nothing else exists.
func browse(t *testing.T, url string) {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Fatalf("chromium is needed (Debian: chromium): %v", err)
	}
	c := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
		"--host-resolver-rules=MAP evil.example 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--user-data-dir="+t.TempDir(), url)
	temporary, err := os.MkdirTemp("", "") // the name of a socket in it is short
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(temporary) })
	c.Env = append(os.Environ(), "TMPDIR="+temporary)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must(t, c.Start())
	t.Cleanup(func() { // with its helpers
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
	})
}
