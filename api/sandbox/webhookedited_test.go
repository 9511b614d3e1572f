package sandbox

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

func TestAnEditedBodyWithASecretIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, e := onStreet(t, "shop")
		escaped := func(text string) string {
			out := ""
			for _, r := range text {
				out += `\u00` + string("0123456789abcdef"[r>>4]) + string("0123456789abcdef"[r&15])
			}
			return out
		}
		for _, body := range []string{
			"4242424242424242", `{"card":"4242 4242 4242 4242"}`, `{"card":"4242-4242-4242-4242"}`, `{"n":4242424242424242}`,
			`{"card":"` + escaped("4242424242424242") + `"}`, `{"` + escaped("4242424242424242") + `":1}`,
			testKey, "x" + testKey + "y", `{"key":"` + escaped(testKey) + `"}`,
		} {
			if err := s.Send([]byte(body), ""); err != ErrBodySecret {
				t.Errorf("%s: %v", body, err)
			}
		}
		synctest.Wait()
		if len(e.sent) > 0 || len(s.Deliveries()) > 0 {
			t.Errorf("sent %q", e.sent)
		}
	})
}

// Whatever a body has, the controller's other answers can be shown, and it gets the body as it is.
func TestAControllerSendsAnyBody(t *testing.T) {
	controllers(t, func(t *testing.T, s *harness, c *Controller) {
		ctx := t.Context()
		urls := []string{"http://127.0.0.1:1/a", "http://127.0.0.1:1/b"}
		must(t, c.SetWebhooks(ctx, urls))
		body := []byte("\xff\x1b[2J\u202e\n\t{")
		must(t, c.Send(ctx, body, urls[1]))
		now, err := c.State(ctx)
		if err != nil || len(now.Targets) != 2 || len(now.Deliveries) != 1 || now.Deliveries[0].Target != urls[1] || now.Deliveries[0].Body != "" {
			t.Fatalf("%+v %v", now, err)
		}
		if got, err := c.Body(ctx, "D1"); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%q %v", got, err)
		}
		if _, err := c.Body(ctx, "D9"); !errors.Is(err, ErrNoDelivery) {
			t.Error(err)
		}
		for want, err := range map[error]error{
			ErrNoTarget:     c.Send(ctx, body, "http://127.0.0.1:1/c"),
			ErrBodySecret:   c.Send(ctx, []byte(testKey), ""),
			ErrBodySize:     c.Send(ctx, nil, ""),
			ErrNoStyle:      c.SendSample(ctx, "payment.failed", "loud"),
			ErrManyWebhooks: c.SetWebhooks(ctx, strings.Fields("http://a http://b http://c http://d http://e http://f http://g http://h http://i")),
		} {
			if !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		}
		eventually(t, "an attempt", func() bool { return len(s.Deliveries()[0].Tries) > 0 })
		if n, err := c.RedeliverFailed(ctx); n != 1 || err != nil {
			t.Errorf("%d sent again, %v", n, err)
		}
		s.Close()
		if n, err := c.RedeliverFailed(ctx); n != 0 || err != nil {
			t.Errorf("%d sent again to nowhere, %v", n, err)
		}
	})
}
