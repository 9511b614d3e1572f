package sandbox

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func status(code int) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody}
}

func initiateWith(t *testing.T, s *Sandbox, reference string, body obj) {
	t.Helper()
	if w := ask(s, "POST", initiatePath, mustJSON(with(body, "reference", reference))); w.Code != 200 {
		t.Fatal(w.Body)
	}
}

func TestAPaymentIsToldOnceWhenItHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, e := onStreet(t, "shop")
		w := ask(s, "POST", makeLinkPath, mustJSON(with(draft("mug"), "linkType", 1)))
		alias := strings.Split(strings.Split(w.Body.String(), `"alias":"`)[1], `"`)[0]
		expect := func(want ...string) {
			t.Helper()
			synctest.Wait()
			e.hears(t, "shop", want...)
		}
		initiateWith(t, s, "DECLINED", charge("decline"))
		expect("DECLINED")
		initiateWith(t, s, "CARD", charge("challenge"))
		initiateWith(t, s, "LINK", with(charge("approve"), "link", obj{"alias": alias}))
		time.Sleep(time.Hour)
		s.Approve("CARD")
		time.Sleep(4 * time.Second)
		expect("DECLINED")
		time.Sleep(time.Second)
		expect("DECLINED", "CARD")
		ask(s, "POST", finalizePath, mustJSON(obj{"paymentReference": "LINK"}))
		time.Sleep(5 * time.Second)
		expect("DECLINED", "CARD", "LINK")
		time.Sleep(24 * time.Hour)
		expect("DECLINED", "CARD", "LINK")
		for _, d := range s.Deliveries() {
			if !d.Delivered || len(d.Tries) != 1 || d.Tries[0].Status != 200 || d.Tries[0].Address != urlOf("shop") || !d.Next.IsZero() {
				t.Errorf("%+v", d)
			}
		}
	})
}

func TestAFailedDeliveryIsTriedFiveTimesWithGrowingPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, e := onStreet(t, "shop")
		answers := []func(r *http.Request) (*http.Response, error){
			func(*http.Request) (*http.Response, error) { return status(500), nil },
			func(*http.Request) (*http.Response, error) { return status(302), nil },
			func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() },
			unreachable,
			func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF },
		}
		e.does["shop"] = func(r *http.Request) (*http.Response, error) { return answers[len(e.sent)-1](r) }
		began := time.Now()
		initiateWith(t, s, "A1", charge("decline"))
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		var after []time.Duration
		for _, at := range e.at {
			after = append(after, at.Sub(began))
		}
		// The third attempt takes its 5 s.
		if diff := cmp.Diff([]time.Duration{0, time.Second, 6 * time.Second, 41 * time.Second, 161 * time.Second}, after); diff != "" {
			t.Error(diff)
		}
		if distinct := slices.Compact(slices.Clone(e.sent)); len(distinct) != 1 {
			t.Errorf("the body changed: %q", distinct)
		}
		var problems []string
		d := s.Deliveries()[0]
		for _, try := range d.Tries {
			problems = append(problems, try.Problem)
		}
		if diff := cmp.Diff([]string{
			"The receiver answered HTTP 500.", "The receiver answered HTTP 302.", "The receiver did not respond in time.",
			"The receiver could not be reached.", "The receiver did not respond.",
		}, problems); diff != "" || d.Delivered || !d.Next.IsZero() {
			t.Errorf("%s%+v", diff, d)
		}
	})
}

func TestTheBodyOfAWebhookInEachStyle(t *testing.T) {
	want := func(text string) string { return strings.Join(strings.Fields(text), "") }
	pascal := func(event, status, paid, fee string) string {
		return want(`{"Event":"` + event + `","Data":{"Environment":"Test","Reference":"A1","AmountPaid":` + paid + `,"Amount":12.50,
			"Currency":"GBP","AppFee":` + fee + `,"Narration":"an_order","PaymentStatus":"` + status + `","ChannelType":"Card",
			"RequestSource":"Api","Metadata":null}}`)
	}
	names := regexp.MustCompile(`"[A-Z]\w*":`)
	camel := func(event, status, paid, fee string) string {
		lower := func(name string) string { return strings.ToLower(name[:2]) + name[2:] }
		return names.ReplaceAllStringFunc(pascal(event, status, paid, fee), lower)
	}
	for _, c := range []struct{ style, card, want string }{
		{"", "approve", pascal("payment.success", "SUCCESSFUL", "12.50", "0.19")},
		{"spec", "decline", pascal("payment.failed", "FAILED", "0.00", "0.00")},
		{"official", "approve", pascal("PaymentSuccessful", "Successful", "12.50", "0.19")},
		{"official", "decline", pascal("PaymentFailed", "Failed", "0.00", "0.00")},
		{"camel", "approve", camel("PaymentSuccessful", "Successful", "12.50", "0.19")},
		{"contradictory", "decline", pascal("PaymentSuccessful", "Failed", "0.00", "0.00")},
	} {
		sent := told(t, func(s *Sandbox) {
			if c.style != "" { // the default is spec
				must(t, s.SetSwitch("webhook.style", c.style))
			}
			initiateWith(t, s, "A1", with(charge(c.card), "narration", "an_order"))
		})
		if diff := cmp.Diff([]string{c.want}, sent); diff != "" {
			t.Errorf("%s %s: %s", c.style, c.card, diff)
		}
	}
	if err := New(Options{}).SetSwitch("webhook.style", "loud"); err == nil {
		t.Error("an unknown style was accepted")
	}
}

func TestOnlyAWebAddressCanBeAWebhook(t *testing.T) {
	for _, address := range []string{
		"shop.example", "ftp://shop.example/", "file:///etc/passwd", "http://", "https://user:secret@shop.example/",
		"https://shop.example/#part", "https://shop.example/a b", "https://böcher.example/", "https://shop.example/" + strings.Repeat("a", maxURL),
	} {
		s, c := New(Options{}), NewCommand()
		if err := s.SetWebhooks([]string{address}); err != ErrWebhookURL {
			t.Errorf("%q: %v", address, err)
		}
		c.Address, c.Webhooks = "127.0.0.1:0", []string{address}
		if err := c.Serve(t.Context(), io.Discard); err != ErrWebhookURL {
			t.Errorf("%q: listening: %v", address, err)
		}
		if len(s.hooks.targets) > 0 {
			t.Errorf("%q: sending was started", address)
		}
	}
}

func TestAnEditedBodyWithASecretIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, e := onStreet(t, "shop")
		escaped := func(text string) string {
			out := ""
			for _, r := range text {
				out += `\u00` + string("0123456789abcdef"[r>>4]) + string("0123456789abcdef"[r&15])
			}
			return out
		}
		for _, body := range []string{
			"4242424242424242", `{"card":"4242 4242 4242 4242"}`, `{"card":"4242-4242-4242-4242"}`, `{"n":4242424242424242}`,
			`{"card":"` + escaped("4242424242424242") + `"}`, `{"` + escaped("4242424242424242") + `":1}`,
			testKey, "x" + testKey + "y", `{"key":"` + escaped(testKey) + `"}`,
		} {
			if err := s.Send([]byte(body), ""); err != ErrBodySecret {
				t.Errorf("%s: %v", body, err)
			}
		}
		synctest.Wait()
		if len(e.sent) > 0 || len(s.Deliveries()) > 0 {
			t.Errorf("sent %q", e.sent)
		}
	})
}

// Whatever a body has, the controller's other answers can be shown, and it gets the body as it is.
func TestAControllerSendsAnyBody(t *testing.T) {
	controllers(t, func(t *testing.T, s *harness, c *Controller) {
		ctx := t.Context()
		urls := []string{"http://127.0.0.1:1/a", "http://127.0.0.1:1/b"}
		must(t, c.SetWebhooks(ctx, urls))
		body := []byte("\xff\x1b[2J\u202e\n\t{")
		must(t, c.Send(ctx, body, urls[1]))
		now, err := c.State(ctx)
		if err != nil || len(now.Targets) != 2 || len(now.Deliveries) != 1 || now.Deliveries[0].Target != urls[1] || now.Deliveries[0].Body != "" {
			t.Fatalf("%+v %v", now, err)
		}
		if got, err := c.Body(ctx, "D1"); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%q %v", got, err)
		}
		if _, err := c.Body(ctx, "D9"); !errors.Is(err, ErrNoDelivery) {
			t.Error(err)
		}
		for want, err := range map[error]error{
			ErrNoTarget:     c.Send(ctx, body, "http://127.0.0.1:1/c"),
			ErrBodySecret:   c.Send(ctx, []byte(testKey), ""),
			ErrBodySize:     c.Send(ctx, nil, ""),
			ErrNoStyle:      c.SendSample(ctx, "payment.failed", "loud"),
			ErrManyWebhooks: c.SetWebhooks(ctx, strings.Fields("http://a http://b http://c http://d http://e http://f http://g http://h http://i")),
		} {
			if !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		}
		eventually(t, "an attempt", func() bool { return len(s.Deliveries()[0].Tries) > 0 })
		if n, err := c.RedeliverFailed(ctx); n != 1 || err != nil {
			t.Errorf("%d sent again, %v", n, err)
		}
		s.Close()
		if n, err := c.RedeliverFailed(ctx); n != 0 || !errors.Is(err, ErrNoWebhook) {
			t.Errorf("%d sent again to nowhere, %v", n, err)
		}
	})
}

// told returns what the webhooks of a sandbox say, once everything has ended.
func told(t *testing.T, change func(*Sandbox)) []string {
	t.Helper()
	var heard []string
	synctest.Test(t, func(t *testing.T) {
		s, e := onStreet(t, "shop")
		change(s)
		s.Forward(time.Hour)
		synctest.Wait()
		heard = e.sent
	})
	return heard
}

// What a merchant gave at initiation comes back, so that it can be matched, where it is wanted. No key and no card does.
func TestMetaDataComesBackInWebhooksWhenItIsWanted(t *testing.T) {
	order := obj{"Order": "A-1"}
	for name, c := range map[string]struct {
		switches []string
		metaData any
		want     string
	}{
		"not wanted": {nil, order, `"Metadata":null}`},
		"given":      {[]string{"webhook.metadata=given"}, order, `"Metadata":{"Order":"A-1"}}`},
		"anything": {
			[]string{"webhook.metadata=given", "initiate.metadata=anything"},
			obj{"alias": "mine", "deep": obj{"Two": []any{2, nil}}, "redirect": true},
			`"Metadata":{"alias":"mine","deep":{"Two":[2,null]},"redirect":true}}`,
		},
		"no card and no key": {
			[]string{"webhook.metadata=given"},
			obj{"a": "paid with 4242424242424242", "4242424242424242": "b", "c": "x" + testKey, "d": "kept"},
			`"Metadata":{"d":"kept"}}`,
		},
		"no flood": {[]string{"webhook.metadata=given"}, obj{"a": strings.Repeat("x", maxMetaData)}, `"Metadata":null}`},
	} {
		t.Run(name, func(t *testing.T) {
			heard := told(t, func(s *Sandbox) {
				for _, set := range c.switches {
					name, value, _ := strings.Cut(set, "=")
					must(t, s.SetSwitch(name, value))
				}
				initiateWith(t, s, "A1", with(charge("approve"), "metaData", c.metaData))
			})
			if len(heard) != 1 || !strings.Contains(heard[0], c.want) {
				t.Errorf("%s, want %s", heard, c.want)
			}
		})
	}
	for _, narration := range []string{"paid with " + card("approve").Number, "my key is " + testKey} {
		heard := told(t, func(s *Sandbox) { initiateWith(t, s, "A1", with(charge("approve"), "narration", narration)) })
		if len(heard) != 1 || strings.Contains(heard[0], narration) || !strings.Contains(heard[0], `"Narration":""`) {
			t.Errorf("%s", heard)
		}
	}
}

// eventually waits for a condition that another goroutine fulfils.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick, late := time.NewTicker(time.Millisecond), time.After(10*time.Second)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("timed out waiting for: " + what)
		}
	}
}

// What is sent is a POST of JSON without the key. A redirect is an answer, and not followed.
func TestAWebhookIsSentOverARealSocket(t *testing.T) {
	heard := make(chan *http.Request, 9)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard <- r
		if r.URL.Path == "/hook" {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}
	}))
	t.Cleanup(receiver.Close)
	s := serve(t, Options{})
	t.Cleanup(func() { s.Close() })
	s.hooks.client = newSender()
	s.hooks.client.Timeout = time.Minute // what answers on a busy machine is not late
	must(t, s.SetWebhooks([]string{receiver.URL + "/hook?a=1"}))
	s.pay(charge("decline"))
	eventually(t, "the answer", func() bool {
		return slices.ContainsFunc(s.Deliveries(), func(d Delivery) bool {
			return len(d.Tries) > 0 && d.Tries[0].Problem == "The receiver answered HTTP 307."
		})
	})
	r := <-heard
	if r.Method != "POST" || r.URL.String() != "/hook?a=1" || r.Header.Get("Content-Type") != "application/json; charset=utf-8" || r.Header.Get(KeyHeader) != "" {
		t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
	}
	if len(heard) != 0 {
		t.Error("a redirect was followed")
	}
}
