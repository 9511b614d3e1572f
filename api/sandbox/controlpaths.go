package sandbox

import (
	"net/http"
	"slices"
	"strings"
)

// controlPath is the path prefix of the control API.
const controlPath = "/_sandbox/"

// A controlCall is one call of the control API. Its JSON is an entry of the index.
type controlCall struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"` // with {names} for parameters
	Does    string            `json:"does"`
	Body    map[string]string `json:"body,omitempty"` // what each name of the body means
	Example string            `json:"example"`
	do      func(*Sandbox, control) answer
}

// A control is a request to the control API.
type control struct {
	call
	params []string // values of the {names} in the path
}

// controlCalls lists all calls, in the order of the index.
func controlCalls() []controlCall {
	return slices.Concat(
		[]controlCall{getCall("", "this index", (*Sandbox).index)},
		paymentCalls(),
		[]controlCall{
			getCall("clock", "the time on the sandbox's clock", (*Sandbox).showClock),
			postCall("clock", "moves the clock on; it cannot go back", `{"forward":"10m"}`, map[string]string{
				"forward": "how far, such as 90s, 10m or 24h",
			}, (*Sandbox).moveClock),
		},
		faultCalls(),
		webhookCalls(),
		[]controlCall{
			getCall("cards", "the test cards", (*Sandbox).showCards),
			getCall("assumptions", "what the sandbox does where the specification is silent", (*Sandbox).showAssumptions),
			bodilessCall("POST", "reset", "forgets everything that happened, including faults and switches", func(s *Sandbox, c control) answer {
				s.Reset()
				return s.showPayments(c)
			}),
		},
	)
}

func paymentCalls() []controlCall {
	step := func(name, what string, do func(*Sandbox, string) bool) controlCall {
		return bodilessCall("POST", "payments/{reference}/"+name, what+"; 409 when the payment's state does not allow it", func(s *Sandbox, c control) answer {
			return s.step(c, do)
		})
	}
	return []controlCall{
		getCall("payments", "the payments, newest first, with their true state", (*Sandbox).showPayments),
		step("approve", "the customer approves the challenge", (*Sandbox).Approve),
		step("reject", "the customer rejects the challenge", (*Sandbox).Reject),
		step("settle", "the bank settles the card payment, or the customer pays the rest of the transfer", (*Sandbox).Settle),
		step("expire", "the account of the transfer expires", (*Sandbox).Expire),
		step("decline", "the issuer declines the card payment", (*Sandbox).Decline),
		postCall("payments/{reference}/pay", "the customer pays an amount of a transfer; 409 when the account accepts no more", `{"amount":"12.50"}`, map[string]string{
			"amount": "in major units, as a string",
		}, (*Sandbox).payInto),
	}
}

// faultCalls are the calls that change responses: faults, switches and hostile text.
func faultCalls() []controlCall {
	return []controlCall{
		getCall("faults", "all faults, and those that are armed", (*Sandbox).showFaults),
		postCall("faults", "arms a fault", `{"operation":"initiate","fault":"F11","calls":1}`, map[string]string{
			"operation": "initiate, link, validate, authenticate, finalize, transaction, transactions, GET, POST or all",
			"fault":     "its name",
			"calls":     "how many calls it applies to; until cleared when 0 or left out",
		}, (*Sandbox).armFault),
		bodilessCall("DELETE", "faults", "disarms all faults", func(s *Sandbox, c control) answer {
			s.ClearFaults()
			return s.showFaults(c)
		}),
		getCall("switches", "the switches, with their values", (*Sandbox).showSwitches),
		postCall("switches", "sets switches; none of them when one value is invalid", `{"finalize.status":"Successful"}`, map[string]string{
			"(a switch)": "its value",
		}, (*Sandbox).setSwitches),
		getCall("hostile", "whether responses are filled with hostile text", (*Sandbox).showHostile),
		postCall("hostile", "turns hostile text in responses on or off", `{"on":true}`, map[string]string{"on": "true or false"}, (*Sandbox).setHostile),
	}
}

func webhookCalls() []controlCall {
	return []controlCall{
		getCall("webhooks", "the latest deliveries and their attempts, newest first", (*Sandbox).showWebhooks),
		bodilessCall("POST", "webhooks/{id}/redeliver", "sends an event again", (*Sandbox).redeliver),
		postCall("webhook", "sends events to this URL from now on; to none when it is empty", `{"address":"http://127.0.0.1:9000/hook"}`, map[string]string{
			"address": "an http or https URL",
		}, (*Sandbox).setWebhook),
	}
}

func getCall(name, what string, do func(*Sandbox, control) answer) controlCall {
	return controlCall{Method: "GET", Path: controlPath + name, Does: what, Example: "curl ORIGIN" + controlPath + name, do: do}
}

func bodilessCall(method, name, what string, do func(*Sandbox, control) answer) controlCall {
	path := controlPath + name
	return controlCall{Method: method, Path: path, Does: what, Example: "curl -X " + method + " ORIGIN" + path, do: do}
}

// postCall is a POST with a JSON body.
func postCall(name, what, example string, body map[string]string, do func(*Sandbox, control) answer) controlCall {
	path := controlPath + name
	return controlCall{
		Method: "POST", Path: path, Does: what, Body: body, do: do,
		Example: "curl -H 'Content-Type: application/json' -d '" + example + "' ORIGIN" + path,
	}
}

// control serves the control API and the targets of the redirect faults.
func (s *Sandbox) control(r *http.Request) answer {
	switch r.URL.Path {
	case astrayPath:
		return noOperation.refuse(http.StatusNotFound, "The redirects of the faults F44 to F48 lead here. No client should have followed them.")
	case loopPath:
		a := noOperation.refuse(http.StatusTemporaryRedirect, "The redirect of the fault F49 leads here, and back here again.")
		a.header = http.Header{"Location": {loopPath}}
		return a
	}
	if problem := checkLocal(r); problem != "" {
		return noOperation.refuse(http.StatusForbidden, problem)
	}
	var allowed []string
	for _, known := range controlCalls() {
		params, is := known.match(r.URL.Path)
		if is && known.Method == r.Method {
			return s.serveControl(known, params, r)
		}
		if is {
			allowed = append(allowed, known.Method)
		}
	}
	if allowed == nil {
		return noOperation.refuse(http.StatusNotFound, "There is nothing at this path. GET "+controlPath+" lists the calls.")
	}
	a := noOperation.refuse(http.StatusMethodNotAllowed, "This path accepts only "+strings.Join(allowed, ", ")+".")
	a.header = http.Header{"Allow": {strings.Join(allowed, ", ")}}
	return a
}

func (s *Sandbox) serveControl(known controlCall, params []string, r *http.Request) answer {
	c := control{call{operation: noOperation, now: s.now()}, params}
	if known.Body != nil {
		body, problem := readBody(noOperation, r)
		if problem != nil {
			return *problem
		}
		c.body = body
	}
	return known.do(s, c)
}

// match compares a path with the call's and returns the values of its {names}.
func (k controlCall) match(path string) (params []string, is bool) {
	want, got := strings.Split(k.Path, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return nil, false
	}
	for i, w := range want {
		switch {
		case strings.HasPrefix(w, "{"):
			params = append(params, got[i])
		case w != got[i]:
			return nil, false
		}
	}
	return params, true
}

// controlTemplate is the path with its {names}, for the log.
func controlTemplate(path string) string {
	if path == astrayPath || path == loopPath {
		return path
	}
	calls := controlCalls()
	i := slices.IndexFunc(calls, func(k controlCall) bool { _, is := k.match(path); return is })
	if i < 0 {
		return controlPath + "(nothing here)"
	}
	return calls[i].Path
}
