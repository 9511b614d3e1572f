package present_test

import (
	"testing"

	"paydesk/api/ledger"
	"paydesk/screens/present"
)

func TestElsewhereSaysInWhatADestinationDiffers(t *testing.T) {
	at := func(profile, environment, host, key string) ledger.Destination {
		return ledger.Destination{Profile: profile, Environment: environment, Host: host, Fingerprint: key}
	}
	here := at("shop", "TEST", "127.0.0.1:8080", "aa")
	for want, there := range map[string]ledger.Destination{
		"":                                     here,
		"from profile old":                     at("old", "TEST", "127.0.0.1:8080", ""),
		"with another key to the same address": at("shop", "TEST", "127.0.0.1:8080", "bb"),
		"through another address (pay.example:8080) with the same key":                     at("shop", "TEST", "pay.example:8080", "aa"),
		"from profile old^[, through another address (localhost^[:8080) with the same key": at("old\x1b", "TEST", "localhost\x1b:8080", "aa"),
		"from profile live, to another service (LIVE · 127.0.0.1:8080)":                    at("live", "LIVE", "127.0.0.1:8080", "aa"),
		"to another service (TEST · pay.example:8080)":                                     at("shop", "TEST", "pay.example:8080", "bb"),
	} {
		if got := present.Elsewhere(here, there); got != want {
			t.Errorf("%+v is %q, want %q", there, got, want)
		}
	}
}
