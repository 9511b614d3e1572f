package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	webhookTimeout = 5 * time.Second // per attempt
	idleWait       = time.Hour       // when nothing will happen by itself
)

// startSending starts the goroutine that Close ends.
func (s *Sandbox) startSending() {
	ctx, stop := context.WithCancel(context.Background())
	h := &s.hook
	if h.client == nil {
		h.client = newSender()
	}
	h.stop, h.done, h.wake = stop, make(chan struct{}), make(chan struct{}, 1)
	go s.sendAll(ctx, h.client, h.wake, h.done)
}

// newSender returns a client that connects to nothing but the given URL: it follows no
// redirects, uses no proxy and keeps no connections.
func newSender() *http.Client {
	return &http.Client{
		Timeout:       webhookTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeaderBytes,
		},
	}
}

// sendAll sends the deliveries that are due, one after another, until ctx ends.
func (s *Sandbox) sendAll(ctx context.Context, c *http.Client, wake <-chan struct{}, done chan<- struct{}) {
	defer close(done)
	for ctx.Err() == nil {
		d, url, wait := s.due()
		if d == nil {
			select {
			case <-ctx.Done():
			case <-wake:
			case <-time.After(wait):
			}
			continue
		}
		t := Try{At: s.now(), Address: url}
		t.Status, t.Problem = send(ctx, c, url, d.Body)
		s.record(ctx, d, t)
	}
}

// due takes the delivery that has been due longest, with the URL it goes to, or returns how
// long to wait for the next one.
func (s *Sandbox) due() (d *delivery, url string, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	next := s.collectEvents(now)
	var first *delivery
	for _, d := range s.events.deliveries {
		if !d.Next.IsZero() && (first == nil || d.Next.Before(first.Next)) {
			first = d
		}
	}
	if first != nil && !first.Next.After(now) && s.hook.url != "" {
		first.Next = time.Time{}
		return first, s.hook.url, 0
	}
	if first != nil {
		next = earlier(next, first.Next)
	}
	if next.IsZero() {
		return nil, "", idleWait
	}
	return nil, "", max(next.Sub(now), time.Millisecond)
}

// record stores the result of an attempt and schedules the next one.
func (s *Sandbox) record(ctx context.Context, d *delivery, t Try) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil { // aborted by Close
		d.Next = t.At
		return
	}
	d.Tries = append(d.Tries, t)
	d.Tries = d.Tries[max(len(d.Tries)-maxTries, 0):]
	d.Delivered = t.Problem == ""
	if d.Delivered || !d.Next.IsZero() { // Redeliver was called meanwhile
		return
	}
	if d.failed++; d.failed < len(retryDelays) {
		d.Next = s.now().Add(retryDelays[d.failed])
	}
}

// send makes one attempt. Only the status of the response counts.
func send(ctx context.Context, c *http.Client, url, body string) (status int, problem string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return 0, "The URL cannot be used."
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("User-Agent", "paydesk-sandbox")
	a, err := c.Do(r)
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return 0, "The receiver did not respond in time."
	}
	if op := new(net.OpError); errors.As(err, &op) && op.Op == "dial" {
		return 0, "The receiver could not be reached."
	}
	if err != nil {
		return 0, "The receiver did not respond."
	}
	a.Body.Close()
	if a.StatusCode/100 != 2 {
		return a.StatusCode, "The receiver answered HTTP " + strconv.Itoa(a.StatusCode) + "."
	}
	return a.StatusCode, ""
}

// A webhookStyle is a format of webhooks that has been seen: "spec" has the events and
// statuses of the specification (section 6, 3.1); "official" has PaymentSuccessful and
// PaymentFailed; "camel" is the same in the older format, in camelCase; "contradictory" says
// PaymentSuccessful even where PaymentStatus says Failed.
type webhookStyle string

// An eventData is the public body of a webhook: it describes the payment, without any card
// data. Amounts are in major units.
type eventData struct {
	Environment   string
	Reference     string
	AmountPaid    json.Number
	Amount        json.Number
	Currency      string
	AppFee        json.Number
	Narration     string
	PaymentStatus string
	ChannelType   string
	RequestSource string
	// Metadata follows; see metadata.
}

// event returns the event of a final payment and its body, with the metaData that was given at
// initiation or without.
func (w webhookStyle) event(p *payment, now time.Time, given bool) (event, body string) {
	succeeded := p.at(now) == successful
	event, status := w.names(succeeded)
	d := eventData{
		Environment:   "Test",
		Reference:     p.reference,
		AmountPaid:    formatMajor(p.received(now)),
		Amount:        formatMajor(p.amount),
		Currency:      p.currency,
		AppFee:        formatMajor(p.fee(now)),
		Narration:     p.narration,
		PaymentStatus: status,
		ChannelType:   "Account",
		RequestSource: "Api",
	}
	switch p.channel {
	case channelCard:
		d.ChannelType = "Card"
	case channelTransfer:
		d.ChannelType = "Transfer"
	}
	if p.link != nil {
		d.RequestSource = "PaymentLink"
	}
	doc := parseTree(encodeJSON(struct {
		Event string
		Data  eventData
	}{event, d}))
	name := "Metadata"
	if w == "camel" {
		doc.camelCase()
		name = "metadata"
	}
	doc.members[1].add(name, p.metadata(given)) // after camelCase: its names are the merchant's
	return event, strings.TrimSuffix(string(doc.bytes()), "\n")
}

// metadata is the alias of the payment's link, and what the merchant gave; null when there is
// nothing.
func (p *payment) metadata(given bool) node {
	all := objectNode()
	if given {
		all.members = slices.Clone(p.metaData)
	}
	if p.link != nil {
		all.remove("alias")
		alias := member{"alias", stringNode(p.link.alias)}
		all.members = slices.Insert(all.members, 0, alias)
	}
	if len(all.members) == 0 {
		return leaf("null")
	}
	return all
}

// names are the event and the status for an outcome.
func (w webhookStyle) names(succeeded bool) (event, status string) {
	switch {
	case w == "spec" && succeeded:
		return "payment.success", "SUCCESSFUL"
	case w == "spec":
		return "payment.failed", "FAILED"
	case succeeded:
		return "PaymentSuccessful", "Successful"
	case w == "contradictory":
		return "PaymentSuccessful", "Failed"
	}
	return "PaymentFailed", "Failed"
}

// safeNarration is a merchant's narration, or "" when it must not be sent out again.
func (s *Sandbox) safeNarration(narration string) string {
	if s.secret(narration) {
		return ""
	}
	return narration
}

// safeMetaData is what may be sent out again of a merchant's metaData. It is stored, so that it may
// not be large.
func (s *Sandbox) safeMetaData(given []member) []member {
	left := maxMetaData
	safe := slices.DeleteFunc(slices.Clone(given), func(m member) bool {
		text := quote(m.name) + string(m.bytes())
		left -= len(text)
		return s.secret(text)
	})
	if left < 0 {
		return nil
	}
	return safe
}

// secret reports whether a text contains the key or what can be a card number.
func (s *Sandbox) secret(text string) bool {
	return holdsCardNumber(text) || strings.Contains(text, s.options.Key) ||
		strings.Contains(text, strings.Trim(quote(s.options.Key), `"`)) // as JSON has it
}
