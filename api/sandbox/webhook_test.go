package sandbox

import (
	"errors"
	"io"
	"net"
	"net/http"
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
			func(*http.Request) (*http.Response, error) {
				return nil, &net.OpError{Op: "dial", Err: errors.New("refused")}
			},
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
	camel := func(event, status, paid, fee string) string {
		return want(`{"event":"` + event + `","data":{"environment":"Test","reference":"A1","amountPaid":` + paid + `,"amount":12.50,
			"currency":"GBP","appFee":` + fee + `,"narration":"an_order","paymentStatus":"` + status + `","channelType":"Card",
			"requestSource":"Api","metadata":null}}`)
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

func TestAWebhookHoldsNeitherKeyNorCard(t *testing.T) {
	number := card("approve").Number
	for _, narration := range []string{"paid with " + number, "my key is " + testKey} {
		sent := told(t, func(s *Sandbox) { initiateWith(t, s, "A1", with(charge("approve"), "narration", narration)) })
		if len(sent) != 1 || strings.Contains(sent[0], number) || strings.Contains(sent[0], testKey) || !strings.Contains(sent[0], `"Narration":""`) {
			t.Errorf("sent: %s", sent)
		}
	}
}

func TestOnlyAWebAddressCanBeAWebhook(t *testing.T) {
	for _, address := range []string{
		"shop.example", "ftp://shop.example/", "file:///etc/passwd", "http://", "https://user:secret@shop.example/",
		"https://shop.example/#part", "https://shop.example/a b", "https://böcher.example/", "https://shop.example/" + strings.Repeat("a", maxURL),
	} {
		s := New(Options{Webhooks: []string{address}})
		if err := s.SetWebhooks([]string{address}); err != ErrWebhookURL {
			t.Errorf("%q: %v", address, err)
		}
		if _, err := s.Listen(t.Context(), "127.0.0.1:0"); err != ErrWebhookURL {
			t.Errorf("%q: listening: %v", address, err)
		}
		if len(s.hooks.targets) > 0 {
			t.Errorf("%q: sending was started", address)
		}
	}
}
