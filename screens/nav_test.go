package screens_test

import (
	"fmt"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
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

func TestTheNextScreenOfAPayment(t *testing.T) {
	const ref = api.Reference("ref-1")
	for _, tc := range []struct {
		channel, status string
		want            nav.Route
	}{
		{api.ChannelTransfer, "REQUIRE_USER_OFFLINE_ACTION", nav.Transfer{Reference: ref}},
		{api.ChannelCard, "REQUIRED_BANK_AUTH", nav.Challenge{Reference: ref}},
		{api.ChannelCard, "FAILED", nav.Payment{Reference: ref}},
	} {
		a := ledger.Attempt{Kind: ledger.Initiate, Reference: ref, Channel: tc.channel, Challenged: tc.status != "FAILED", Status: api.ParseStatus(tc.status)}
		if got := nav.Next(a, ref); got != tc.want {
			t.Errorf("%s %s leads to %#v, not %#v", tc.channel, tc.status, got, tc.want)
		}
	}
}
