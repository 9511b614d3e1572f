package main

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
)

// A service does all that services do, as the fate of each request says.
type service struct {
	*world
	payments []*paid
	links    int
	keys     map[string]bool // that it accepts
	down     time.Time       // until then it restarts
}

// A paid is a payment as the service has it.
type paid struct {
	reference, amount, currency string
	state                       string // INITIATED, PENDING, SUCCESSFUL, FAILED
	finalized                   bool
	begun                       *Request // what made it
}

// A fate decides what becomes of one request.
type fate struct {
	unsent  bool // no connection is made
	cut     bool // the connection breaks before the answer is whole
	silent  bool // it is never answered
	late    time.Duration
	twist   string // what is wrong with the answer
	ignored bool   // the service never carries it out
}

// sendFates and askFates are drawn evenly.
var (
	sendFates = []fate{
		{}, {}, {}, {}, {}, {}, {}, {}, {}, {late: 20 * time.Second}, {late: 70 * time.Second}, {late: 95 * time.Second}, {silent: true}, {silent: true},
		{silent: true, ignored: true}, {cut: true}, {cut: true, ignored: true}, {unsent: true}, {twist: "refused"}, {twist: "refused"}, {twist: "bad request"},
		{twist: "502"}, {twist: "500", ignored: true}, {twist: "other reference"}, {twist: "other amount"}, {twist: "other amount"}, {twist: "no reference"}, {twist: "html"},
		{twist: "refused with reference"}, {twist: "409"}, {twist: "claims success"}, {twist: "null value"},
	}
	askFates = []fate{
		{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {late: 10 * time.Second}, {silent: true}, {cut: true}, {unsent: true}, {twist: "500"}, {twist: "429"},
		{twist: "other reference"}, {twist: "other amount"}, {twist: "other amount"}, {twist: "no amount"}, {twist: "short word"}, {twist: "short word"}, {twist: "odd word"}, {twist: "lower case"}, {twist: "not found"},
		{twist: "double l"}, {twist: "false"}, {twist: "spaces"},
	}
)

func (s *service) find(reference string) *paid {
	for _, p := range s.payments {
		if strings.EqualFold(p.reference, reference) {
			return p
		}
	}
	return nil
}

// receive is the service: the request has arrived. It returns what is answered, once that is due.
func (s *service) receive(x *call) answer {
	line := readRequest(x.req.Method, x.req.URL.Path, x.body)
	line.At, line.Console = s.moment(), x.name
	x.line = s.log(line)
	if line.IsSend() {
		has := s.store.has(line)
		x.line.Recorded = &has
	}
	a := s.carryOut(x, x.line)
	x.line.Lost = true // until it arrives
	x.due = time.Now().Add(30*time.Millisecond + x.fate.late + time.Duration(x.n%17)*time.Millisecond)
	if x.fate.silent {
		x.due = time.Now().Add(never)
	}
	x.reply = a
	if x.dieAt == dieAnswering && line.IsSend() {
		x.kill()
	}
	return a
}

// answered notes that an answer arrives.
func (w *world) answered(x *call) {
	x.line.AnsweredAt = w.moment()
	if !x.fate.cut {
		x.line.Lost = false
		x.line.answered(x.reply.status, []byte(x.reply.body))
		x.line.RetryAfter, _ = strconv.Atoi(x.reply.retry)
	}
}

func envelope(status int, success bool, value string) answer {
	if value == "" {
		return answer{status: status, media: "application/json", body: fmt.Sprintf(`{"isSuccess":%v,"error":"no","message":"no"}`, success)}
	}
	return answer{status: status, media: "application/json", body: fmt.Sprintf(`{"isSuccess":%v,"error":null,"value":%s}`, success, value)}
}

func quoted(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func (s *service) carryOut(x *call, r *Request) answer {
	switch {
	case time.Now().Before(s.down):
		return answer{status: 503, media: "text/html", body: "<p>restarting</p>"}
	case !s.keys[x.req.Header.Get("X-Api")]:
		return envelope(401, false, "")
	case r.initiates():
		return s.initiate(x, r)
	case r.finalizes():
		return s.finalize(x, r)
	case r.IsSend():
		return s.link(x, r)
	case r.asks():
		return s.status(x, r)
	case strings.HasSuffix(r.Path, "/validate"):
		return envelope(200, true, `{"channels":[]}`)
	case strings.Contains(r.Path, "get-auth-3ds"):
		return envelope(200, true, `{"IsAuthenticationEnabled":true,"status":"ok"}`)
	}
	return envelope(404, false, "")
}

func (s *service) initiate(x *call, r *Request) answer {
	switch x.fate.twist {
	case "refused":
		return envelope(200, false, "")
	case "bad request":
		return envelope(400, false, "")
	}
	if x.fate.ignored {
		return answer{status: 500, media: "application/json", body: `{}`}
	}
	p := &paid{reference: fmt.Sprintf("REF-%04d", len(s.payments)+1), amount: r.Amount, currency: r.Currency, state: "PENDING", begun: r}
	s.payments = append(s.payments, p)
	reference, amount, word := p.reference, p.amount, "PENDING"
	switch x.fate.twist {
	case "502":
		return answer{status: 502, media: "text/html", body: "<p>bad gateway</p>"}
	case "500":
		return answer{status: 500, media: "application/json", body: `{"isSuccess":false}`}
	case "409":
		return envelope(409, false, "")
	case "html":
		return answer{status: 200, media: "text/html", body: "<p>welcome</p>"}
	case "null value":
		return envelope(200, true, "null")
	case "no reference":
		reference = ""
	case "other reference":
		reference = s.payments[0].reference
	case "other amount":
		amount = "1" + amount
	case "claims success":
		word = "SUCCESSFUL"
	}
	value := fmt.Sprintf(`{"paymentStatus":%q,"paymentItem":{"paymentReference":%q,"reference":%q,"amount":%s,"currency":%q}}`, word, reference, reference, amount, p.currency)
	if x.fate.twist == "refused with reference" {
		return envelope(200, false, value)
	}
	return envelope(200, true, value)
}

func (s *service) finalize(x *call, r *Request) answer {
	p := s.find(r.Reference)
	switch {
	case p == nil || x.fate.twist == "refused" || x.fate.twist == "bad request":
		return envelope(400, false, "")
	case x.fate.ignored:
		return answer{status: 500, media: "application/json", body: `{}`}
	}
	p.finalized = true
	switch x.fate.twist {
	case "502", "500", "html":
		return answer{status: 502, media: "text/html", body: "<p>bad gateway</p>"}
	case "409":
		return envelope(409, false, "")
	}
	return envelope(200, true, `{"status":"completed","message":"done"}`)
}

func (s *service) link(x *call, r *Request) answer {
	switch {
	case x.fate.twist == "refused" || x.fate.twist == "bad request":
		return envelope(400, false, "")
	case x.fate.ignored:
		return answer{status: 500, media: "application/json", body: `{}`}
	}
	s.links++
	alias := fmt.Sprintf("0-link%03d", s.links)
	switch x.fate.twist {
	case "502", "500", "html":
		return answer{status: 502, media: "text/html", body: "<p>bad gateway</p>"}
	case "409":
		return envelope(409, false, "")
	case "other reference":
		alias = "0-link001"
	}
	return envelope(200, true, fmt.Sprintf(`{"id":"L%d","name":%s,"alias":%q,"link":"https://pay.example/%s","linkType":"OneTime","status":"Active","environment":%q,"currencyCode":"GBP","amountInfo":{"currencyCode":"GBP","amount":%s}}`,
		s.links, quoted(r.Name), alias, alias, s.environment, r.Amount))
}

func (s *service) status(x *call, r *Request) answer {
	p := s.find(path.Base(x.req.URL.Path))
	switch {
	case p == nil || x.fate.twist == "not found":
		return envelope(404, false, "")
	case x.fate.twist == "500":
		return answer{status: 500, media: "application/json", body: `{"isSuccess":false}`}
	case x.fate.twist == "429":
		a := envelope(429, false, "")
		a.retry = "20"
		return a
	case x.fate.twist == "false":
		return envelope(200, false, "")
	}
	reference, amount, word := p.reference, fmt.Sprintf(`{"currencyCode":%q,"amount":%s}`, p.currency, p.amount), p.state
	switch x.fate.twist {
	case "other reference":
		reference = "REF-9999"
	case "other amount":
		amount = fmt.Sprintf(`{"currencyCode":%q,"amount":1%s}`, p.currency, p.amount)
	case "no amount":
		amount = "null"
	case "short word":
		word = []string{"SUCCESS", "completed", "UNSUCCESSFUL", "APPROVED", "SUCC", "FAIL", "paid"}[x.draw%7]
	case "odd word":
		word = "REVIEWED"
	case "lower case":
		word = strings.ToLower(word)
	case "spaces":
		word = " " + word + " "
	case "double l":
		if word == "SUCCESSFUL" {
			word = "Successfull"
		}
	}
	return envelope(200, true, fmt.Sprintf(`{"paymentReference":%q,"paymentStatus":%q,"amount":%s}`, reference, word, amount))
}
