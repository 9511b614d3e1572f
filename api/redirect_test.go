package api_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"paydesk/api"
)

func TestARedirectIsNotFollowedAndSaysWhereItLeads(t *testing.T) {
	for location, want := range map[string]string{
		"https://login.example/sign-in?next=/v1": "list_url redirects to https://login.example",
		"http://b.example/":                      "list_url redirects to http://b.example",
		"/v2/api/transactions":                   "list_url redirects to another path of the same host",
		"":                                       "list_url redirects without saying where to",
		"javascript:alert(1)":                    "list_url redirects to something that is not a web address",
		"https://user:CANARY@else.example/":      "list_url redirects to https://else.example",
		"https://4242424242424242.example/":      "list_url redirects to https://<pan …4242>.example",
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			header := http.Header{"Location": {location}}
			c, s := scripted(t, 0, reply{code: status, header: header})
			_, err := c.Transactions(t.Context(), 1, 20)
			f, is := errors.AsType[*api.Failure](err)
			if !is || f.Kind != api.KindRedirect || f.HTTP != status || s.requests.Load() != 1 {
				t.Errorf("%d to %q: %d requests, %v", status, location, s.requests.Load(), err)
				continue
			}
			if got := f.Detail.String(); got != want {
				t.Errorf("to %q: %q, want %q", location, got, want)
			}
		}
	}
	for _, operation := range append(writes, "authenticate") { // a POST that is answered by a redirect may have been carried out
		c, s := scripted(t, 0, reply{code: 307, header: http.Header{"Location": {"https://login.example/"}}, body: strings.NewReader("")})
		err := try(t.Context(), c, operation)
		if want := map[bool]string{true: "failure", false: "unresolved"}[operation == "authenticate"]; outcomeOf(err) != want || s.requests.Load() != 1 ||
			!strings.Contains(err.Error(), "base_url redirects to https://login.example") {
			t.Errorf("%s: %d requests, %v", operation, s.requests.Load(), err)
		}
	}
}
