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
		s, e := onStreet(t, "shop")
		change(s)
		s.Forward(time.Hour)
		synctest.Wait()
		heard = e.sent
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
