package screens_test

import (
	"fmt"
	"strings"
	"testing"

	"paydesk/keystore"
	"paydesk/screens/nav"
)

func TestRequestsOfScreensPrintWithoutTheKey(t *testing.T) {
	k, err := keystore.ParseKey("sk_test_CANARYcanary")
	if err != nil {
		t.Fatal(err)
	}
	for want, msg := range map[string]any{
		"nav.Push{To:nav.Payment{Reference:\"ref-1\"}}": nav.Open(nav.Payment{Reference: "ref-1"})(),
		"nav.Replace{To:nav.Home{}}":                    nav.ReplaceWith(nav.Home{})(),
		"nav.Back{Parts:false}":                         nav.Pop(),
		"[secret]":                                      nav.Connect{Key: k, Source: "keyring"},
	} {
		got := fmt.Sprintf("%#v", msg)
		if !strings.Contains(got, want) || strings.Contains(got, "CANARY") {
			t.Errorf("%s is not %s", got, want)
		}
	}
}
