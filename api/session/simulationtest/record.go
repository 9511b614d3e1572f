package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

// record passes requests on to a service, and writes a line for each. Nothing is repeated.
func record(origin, listen string, to io.Writer) error {
	target, err := url.Parse(origin)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "listening on http://%s\n", l.Addr())
	return http.Serve(l, &recorder{target: target, to: json.NewEncoder(to)})
}

type recorder struct {
	target *url.URL
	mu     sync.Mutex
	to     *json.Encoder
}

// ServeHTTP implements [http.Handler].
func (r *recorder) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	at := time.Now()
	body, _ := io.ReadAll(io.LimitReader(in.Body, 1<<20))
	out := in.Clone(in.Context())
	out.URL.Scheme, out.URL.Host, out.Host, out.RequestURI = r.target.Scheme, r.target.Host, r.target.Host, ""
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	line := readRequest(in.Method, in.URL.Path, body)
	line.At = at
	if got, err := http.DefaultTransport.RoundTrip(out); err != nil {
		line.Lost = true
		w.WriteHeader(http.StatusBadGateway)
	} else {
		defer got.Body.Close()
		answer, _ := io.ReadAll(io.LimitReader(got.Body, 8<<20))
		line.answered(got.StatusCode, answer)
		for _, name := range []string{"Content-Type", "Retry-After"} {
			if v := got.Header.Get(name); v != "" {
				w.Header().Set(name, v)
			}
		}
		w.WriteHeader(got.StatusCode)
		_, _ = w.Write(answer)
	}
	line.AnsweredAt = time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.to.Encode(line)
}

// readRequest is a request without anything that is secret. A confirmation is named by the narration of a payment, and
// by the description of a link.
func readRequest(method, where string, body []byte) Request {
	r := Request{Method: method, Path: where}
	if method == http.MethodGet {
		r.Reference = path.Base(where)
	}
	var in struct {
		Amount            json.RawMessage
		Currency          string
		Narration         string
		Name, Description string
		CurrencyCode      string
		AmountInfo        struct{ Amount json.Number }
		PaymentReference  string
		Link              struct{ Alias string }
		UserInformation   struct{ EmailAddress, Phone string }
		MetaData          map[string]string
		Props             struct{ Card json.RawMessage } `json:"paymentRequestProps"`
	}
	if json.Unmarshal(body, &in) != nil {
		return r
	}
	r.Reference = cmp.Or(r.Reference, in.PaymentReference)
	r.Attempt = in.MetaData["paydesk_attempt"]
	r.Amount, r.Currency = plainNumber(cmp.Or(in.AmountInfo.Amount.String(), strings.Trim(string(in.Amount), `"`))), cmp.Or(in.Currency, in.CurrencyCode)
	r.Link, r.Name, r.Card = in.Link.Alias, in.Name, len(in.Props.Card) > 0
	if r.IsSend() {
		r.Confirmation = cmp.Or(in.Narration, in.Description)
	}
	for _, who := range []string{in.UserInformation.EmailAddress, in.UserInformation.Phone} {
		if who != "" {
			r.Payer = append(r.Payer, strings.ToLower(who))
		}
	}
	return r
}

// answered adds what an answer says.
func (r *Request) answered(status int, body []byte) {
	r.HTTP = status
	var got struct {
		IsSuccess *bool
		Value     struct {
			PaymentStatus    string
			PaymentReference string
			Alias            string
			Amount           struct{ Amount json.Number }
			PaymentItem      struct {
				PaymentReference, Reference string
				Amount                      json.Number
			}
		}
	}
	if json.Unmarshal(body, &got) != nil || got.IsSuccess == nil {
		return
	}
	v := got.Value
	r.Success = got.IsSuccess
	r.AnsweredReference = cmp.Or(v.PaymentItem.PaymentReference, v.PaymentItem.Reference, v.PaymentReference, v.Alias)
	r.AnsweredStatus = v.PaymentStatus
	r.AnsweredAmount = plainNumber(cmp.Or(v.PaymentItem.Amount, v.Amount.Amount).String())
}

// plainNumber is a decimal number without zeros at its end.
func plainNumber(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
