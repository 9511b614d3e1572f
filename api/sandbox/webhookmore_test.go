package sandbox

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// told returns what the webhooks of a sandbox say, once everything has ended.
func told(t *testing.T, change func(*Sandbox)) []string {
	t.Helper()
	var heard []string
	synctest.Test(t, func(t *testing.T) {
		s, e := listening(t, Options{})
		change(s)
		s.Forward(time.Hour)
		synctest.Wait()
		heard = e.heard
	})
	return heard
}

// What a merchant gave at initiation comes back, so that it can be matched, where it is wanted.
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
}

// The alias of the link is the service's: it is not replaced by an alias that was given.
func TestMetaDataOfALinkKeepsTheAlias(t *testing.T) {
	alias := ""
	heard := told(t, func(s *Sandbox) {
		s.SetSwitch("webhook.metadata", "given")
		w := ask(s, "POST", makeLinkPath, mustJSON(draft("mug")))
		alias = strings.Split(strings.Split(w.Body.String(), `"alias":"`)[1], `"`)[0]
		body := with(with(charge("approve"), "link", obj{"alias": alias}), "metaData", obj{"alias": "mine", "order": "1"})
		initiateWith(t, s, "A1", body)
		ask(s, "POST", finalizePath, mustJSON(obj{"paymentReference": "A1"}))
	})
	if want := `"Metadata":{"alias":"` + alias + `","order":"1"}}`; len(heard) != 1 || !strings.Contains(heard[0], want) {
		t.Errorf("%s, want %s", heard, want)
	}
}

// A receiver can be tried before there is any payment.
func TestASampleEventIsSentWithoutAPayment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, e := listening(t, Options{})
		for _, event := range []string{"payment.success", "payment.failed"} {
			must(t, s.SendSample(event, ""))
		}
		synctest.Wait()
		want := []string{
			`"Event":"payment.success","Data":{"Environment":"Test","Reference":"SAMPLE1","AmountPaid":12.50,"Amount":12.50,"Currency":"GBP","AppFee":0.19,`,
			`"Event":"payment.failed","Data":{"Environment":"Test","Reference":"SAMPLE2","AmountPaid":0.00,"Amount":12.50,"Currency":"GBP","AppFee":0.00,`,
		}
		for i := range want {
			if len(e.heard) != 2 || !strings.Contains(e.heard[i], want[i]) {
				t.Fatalf("sent %s, want %s", e.heard, want)
			}
		}
		if s.Accepted() != 0 || len(s.Payments()) != 0 || ask(s, "GET", statusPath+"SAMPLE1", "").Code != 404 {
			t.Error("a sample is a payment")
		}
		if d := s.Deliveries()[0]; !d.Delivered || d.Reference != "SAMPLE2" || d.Event != "payment.failed" {
			t.Errorf("%+v", d)
		}
		for style, event := range map[string]string{"official": `"Event":"PaymentSuccessful"`, "camel": `"event":"PaymentSuccessful"`} {
			must(t, s.SendSample("payment.success", style))
			synctest.Wait()
			if last := e.heard[len(e.heard)-1]; !strings.Contains(last, event) {
				t.Errorf("%s: sent %s", style, last)
			}
		}
		s.Close()
		if err := s.SendSample("payment.success", ""); err != ErrNoWebhook {
			t.Errorf("without a URL: %v", err)
		}
	})
}
