package sandbox

import (
	"encoding/base64"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// controlPath is the path prefix of the control API.
const controlPath = "/_sandbox/"

// A controlCall is one call of the control API. Its JSON is an entry of the index.
type controlCall struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"` // with a {name} for its parameter
	Does    string            `json:"does"`
	Body    map[string]string `json:"body,omitempty"` // what each name of the body means
	Example string            `json:"example"`
	controlAction
}

// A controlAction carries a call out: it does something, if anything, and then shows the
// result.
type controlAction struct {
	do   func(*Sandbox, call) func() error // reads the call, and returns what is done if it is valid
	show func(*Sandbox, call) any
}

// controlCalls lists all calls, in the order of control.json and of the index.
func controlCalls() []controlCall {
	calls := slices.Clone(controlTable())
	for i, k := range calls {
		calls[i].controlAction = controlActions()[k.Method+" "+strings.TrimPrefix(k.Path, controlPath)]
	}
	return calls
}

// controlTable is read once: a console calls for each change.
var controlTable = sync.OnceValue(func() []controlCall { return table[[]controlCall]("control.json") })

// controlActions has what each call does, by its method and path.
func controlActions() map[string]controlAction {
	return map[string]controlAction{
		"GET ":                              {nil, (*Sandbox).index},
		"GET about":                         {nil, showAbout},
		"GET state":                         {nil, showState},
		"GET payments":                      {nil, showPayments},
		"POST payments/{reference}/approve": step((*Sandbox).Approve),
		"POST payments/{reference}/reject":  step((*Sandbox).Reject),
		"POST payments/{reference}/settle":  step((*Sandbox).Settle),
		"POST payments/{reference}/expire":  step((*Sandbox).Expire),
		"POST payments/{reference}/decline": step((*Sandbox).Decline),
		"POST payments/{reference}/pay":     {(*Sandbox).payInto, showPayment},
		"GET clock":                         {nil, showClock},
		"POST clock":                        {(*Sandbox).moveClock, showClock},
		"GET faults":                        {nil, showFaults},
		"POST faults":                       {(*Sandbox).armFault, showFaults},
		"DELETE faults":                     {always((*Sandbox).ClearFaults), showFaults},
		"GET switches":                      {nil, showSwitches},
		"POST switches":                     {(*Sandbox).setSwitches, showSwitches},
		"GET webhooks":                      {nil, showWebhooks},
		"GET webhooks/{id}/body":            {(*Sandbox).findBody, showBody},
		"POST webhooks":                     {(*Sandbox).sendSample, showDeliveries},
		"POST webhooks/send":                {(*Sandbox).sendBody, showDeliveries},
		"POST webhooks/redeliver":           {(*Sandbox).needURL, redeliverFailed},
		"POST webhooks/{id}/redeliver":      {(*Sandbox).redeliver, showDeliveries},
		"POST webhook":                      {(*Sandbox).setWebhook, showDeliveries},
		"GET cards":                         {nil, showCards},
		"GET assumptions":                   {nil, showAssumptions},
		"POST reset":                        {always((*Sandbox).Reset), showPayments},
	}
}

// always does what needs nothing of the call and cannot fail.
func always(do func(*Sandbox)) func(*Sandbox, call) func() error {
	return func(s *Sandbox, _ call) func() error { return succeeding(func() { do(s) }) }
}

// succeeding does what cannot fail.
func succeeding(do func()) func() error {
	return func() error {
		do()
		return nil
	}
}

// step changes a payment and shows it.
func step(do func(*Sandbox, string) bool) controlAction {
	return controlAction{func(s *Sandbox, c call) func() error {
		return func() error {
			if _, is := s.Payment(c.reference); !is {
				return ErrNoPayment
			} else if !do(s, c.reference) {
				return ErrState
			}
			return nil
		}
	}, showPayment}
}

// A reason says why the sandbox does not do something. Two with the same text are equal, so that a controller has the
// sandbox's own from the text of a refusal.
type reason string

// Error implements [error].
func (r reason) Error() string { return string(r) }

// ErrState reports that a payment's state does not allow a change.
var ErrState = reason("the payment is not in a state that allows this")

// refuseFor refuses the call because of an error of the package.
func (c call) refuseFor(err error) *answer {
	status := http.StatusBadRequest
	switch err {
	case ErrNoPayment, ErrNoDelivery, ErrNoTarget:
		status = http.StatusNotFound
	case ErrPaid, ErrExpired, ErrNotTransfer, ErrNoWebhook, ErrState:
		status = http.StatusConflict
	}
	return c.refuse(status, sentence(err))
}

// sentence is the text of an error of the package as a sentence.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// index lists the calls.
func (s *Sandbox) index(call) any {
	s.mu.Lock()
	origin := s.origin
	s.mu.Unlock()
	calls := controlCalls()
	for i := range calls {
		calls[i].Example = strings.ReplaceAll(calls[i].Example, "ORIGIN", origin)
	}
	return objectNode("is", "the sandbox's control API, for programs on this machine; no key is needed", "calls", calls)
}

// controlVersion changes when a controller could misunderstand the answers.
const controlVersion = 1

// showAbout says that this is a sandbox, to a program that finds a service on this machine.
func showAbout(*Sandbox, call) any { return objectNode("is", sandboxName, "control", controlVersion) }

func showState(s *Sandbox, _ call) any    { return s.State() }
func showPayments(s *Sandbox, _ call) any { return objectNode("payments", s.Payments()) }
func showSwitches(s *Sandbox, _ call) any { return objectNode("switches", s.Switches()) }
func showCards(*Sandbox, call) any        { return objectNode("cards", Cards()) }
func showAssumptions(*Sandbox, call) any  { return objectNode("assumptions", Assumptions()) }
func showFaults(s *Sandbox, _ call) any   { return objectNode("armed", s.Armed(), "faults", s.Faults()) }

// showPayment shows a payment after a call has changed it.
func showPayment(s *Sandbox, c call) any {
	v, _ := s.Payment(c.reference)
	return v
}

// showClock shows the time by which payments settle, and how far it is ahead of the time of the machine.
func showClock(s *Sandbox, _ call) any {
	return objectNode("now", s.now(), "ahead", s.Ahead().String())
}

// payInto pays into the account of a transfer.
func (s *Sandbox) payInto(c call) func() error {
	amount := c.body.requiredText("amount")
	return func() error { return s.Pay(c.reference, amount) }
}

// moveClock moves the clock on. Going back would undo what payments have become.
func (s *Sandbox) moveClock(c call) func() error {
	d, err := time.ParseDuration(c.body.requiredText("forward"))
	if err != nil || d <= 0 {
		c.body.invalid("forward", "must be a duration such as 90s, 10m or 24h")
	}
	return succeeding(func() { s.Forward(d) })
}

// armFault arms a fault for a number of calls, until cleared when there is none.
func (s *Sandbox) armFault(c call) func() error {
	operation, fault, calls := c.body.requiredText("operation"), c.body.requiredText("fault"), 0
	if c.body.value("calls") != nil {
		calls = c.body.integer("calls", 0, 1_000_000)
	}
	return func() error { return s.Arm(operation, fault, calls) }
}

// setSwitches sets all named switches, or none when one value is invalid.
func (s *Sandbox) setSwitches(c call) func() error {
	wanted := map[string]string{}
	for _, w := range switchTable() {
		if c.body.value(w.Name) != nil {
			wanted[w.Name] = c.body.text(w.Name)
			if err := w.check(wanted[w.Name]); err != nil {
				c.body.invalid(w.Name, strings.TrimPrefix(err.Error(), w.Name+" "))
			}
		}
	}
	return func() error {
		if len(wanted) < len(c.body.values.members) || len(wanted) == 0 {
			return ErrNoSwitch
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		maps.Copy(s.switches, wanted)
		return nil
	}
}

// control serves the control API.
func (s *Sandbox) control(r *http.Request) *answer {
	if problem := checkLocal(r); problem != "" {
		return noOperation.refuse(http.StatusForbidden, problem)
	}
	var allowed []string
	for _, known := range controlCalls() {
		parameter, is := known.match(r.URL.Path)
		if is && known.Method == r.Method {
			return s.serveControl(known, parameter, r)
		}
		if is {
			allowed = append(allowed, known.Method)
		}
	}
	if allowed == nil {
		return noOperation.refuse(http.StatusNotFound,
			"There is nothing at this path. GET "+controlPath+" lists the calls.")
	}
	methods := strings.Join(allowed, ", ")
	return noOperation.refuse(http.StatusMethodNotAllowed, "This path accepts only "+methods+".").
		with("Allow", methods)
}

// serveControl carries out a call. What it does takes the lock itself, as the methods of
// Sandbox do.
func (s *Sandbox) serveControl(known controlCall, parameter string, r *http.Request) *answer {
	c := call{operation: noOperation, reference: parameter, body: newReading(node{})}
	if known.Body != nil {
		var problem *answer
		if c.body, problem = readBody(noOperation, r); problem != nil {
			return problem
		}
	}
	if known.do != nil {
		do := known.do(s, c)
		if no := c.refusal(); no != nil {
			return no
		}
		if err := do(); err != nil {
			return c.refuseFor(err)
		}
	}
	return ok(known.show(s, c))
}

// match compares a path with the call's and returns the value of its {name}, if it has one.
func (k controlCall) match(path string) (parameter string, is bool) {
	want, got := strings.Split(k.Path, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return "", false
	}
	for i, w := range want {
		if strings.HasPrefix(w, "{") {
			parameter = got[i]
		} else if w != got[i] {
			return "", false
		}
	}
	return parameter, true
}

// checkLocal returns why a request may not control the sandbox; "" when it may. No key is
// needed: any program on this machine may. Other machines may not, and neither may web
// pages, which a browser lets reach loopback addresses. Their requests have an Origin or
// Sec-Fetch-Site header, or, when a name was made to resolve to this machine (DNS
// rebinding), that name in Host.
func checkLocal(r *http.Request) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	has := func(name string) bool { return len(r.Header.Values(name)) > 0 }
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case err != nil || !from.Addr().Unmap().IsLoopback():
		return "The sandbox can only be controlled from this machine."
	case !loopbackName(r.Host):
		return "The sandbox can only be controlled as localhost or by a loopback address."
	case has("Origin"), site != "" && site != "none":
		return "The sandbox cannot be controlled by web pages."
	case slices.ContainsFunc([]string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"}, has):
		return "The sandbox cannot be controlled through a proxy."
	}
	return ""
}

// loopbackName reports whether a Host names this machine without needing a name server.
func loopbackName(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	ip, err := netip.ParseAddr(name)
	return strings.EqualFold(name, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// The calls of the control API about webhooks.

// showWebhooks has the bodies of deliveries too, which hold a merchant's own texts as they are.
func showWebhooks(s *Sandbox, _ call) any {
	return objectNode("targets", s.Webhooks(), "deliveries", s.Deliveries())
}

// showDeliveries has no bodies.
func showDeliveries(s *Sandbox, _ call) any {
	return objectNode("targets", s.Webhooks(), "deliveries", withoutBodies(s.Deliveries()))
}

func withoutBodies(all []Delivery) []Delivery {
	for i := range all {
		all[i].Body = ""
	}
	return all
}

func (s *Sandbox) findBody(c call) func() error {
	return func() error {
		if s.Body(c.reference) == "" {
			return ErrNoDelivery
		}
		return nil
	}
}

// showBody encodes the body, which may be any bytes.
func showBody(s *Sandbox, c call) any { return objectNode("base64", []byte(s.Body(c.reference))) }

func (s *Sandbox) redeliver(c call) func() error {
	return func() error { return s.Redeliver(c.reference) }
}

// needURL refuses to send where no URL is set.
func (s *Sandbox) needURL(call) func() error {
	return func() error {
		if len(s.Webhooks()) == 0 {
			return ErrNoWebhook
		}
		return nil
	}
}

// redeliverFailed sends and counts in one, so that the count is of what was sent.
func redeliverFailed(s *Sandbox, _ call) any { return objectNode("sent", s.RedeliverFailed()) }

func (s *Sandbox) sendSample(c call) func() error {
	event, style := c.body.requiredText("event"), c.body.text("style")
	return func() error { return s.SendSample(event, style) }
}

// sendBody takes a body as text or, since it may be any bytes, in base64.
func (s *Sandbox) sendBody(c call) func() error {
	body, target := []byte(c.body.text("body")), c.body.text("target")
	if coded := c.body.text("base64"); coded != "" {
		var err error
		if body, err = base64.StdEncoding.DecodeString(coded); err != nil {
			c.body.invalid("base64", "must be base64")
		}
	}
	return func() error { return s.Send(body, target) }
}

// setWebhook changes the URLs of webhooks: to one, to several, or to none, when sending stops. Or it adds
// one and removes one.
func (s *Sandbox) setWebhook(c call) func() error {
	if add, remove := c.body.text("add"), c.body.text("remove"); add+remove != "" {
		return func() error { return s.ChangeWebhooks(add, remove) }
	}
	var urls []string
	if one := c.body.text("address"); one != "" {
		urls = append(urls, one)
	}
	urls = append(urls, c.body.texts("addresses")...)
	return func() error { return s.SetWebhooks(urls) }
}
