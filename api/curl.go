package api

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// A Call is an operation with what it concerns, for [Client.Curl].
type Call struct {
	Operation     Operation
	Reference     Reference // of [OpTransaction]
	Page, PerPage int       // of [OpTransactions]
	Link          LinkDraft // of [OpCreateLink]
}

// A Curl is a request as the arguments of the program curl. The key is not among them, because every user of
// a machine can see arguments: curl reads the header KeyHeader from its standard input (-H @-).
type Curl struct {
	KeyHeader string
	Args      [][]string // option and value, at the end the URL
}

// A Curler says how curl would send a request: a [Client].
type Curler interface {
	Curl(Call) (Curl, error)
}

var _ Curler = (*Client)(nil)

var errNoCurl = errors.New("this operation has no curl command")

// Curl is the request of a call as the client would send it. It sends nothing, and refuses what the client would not send.
func (c *Client) Curl(of Call) (Curl, error) {
	r, err := c.requestOf(of)
	if err != nil {
		return Curl{}, err
	}
	method, target, head := c.head(r)
	args := [][]string{{"-sS"}, {"-g"}, {"-X", method}, {"-H", "@-"}}
	for _, name := range slices.Sorted(maps.Keys(head)) {
		args = append(args, []string{"-H", name + ": " + head.Get(name)})
	}
	if r.body != nil {
		args = append(args, []string{"--data-raw", string(r.body)})
	}
	return Curl{KeyHeader: c.keyHeader, Args: append(args, []string{target})}, nil
}

// requestOf is the request of a call.
func (c *Client) requestOf(of Call) (request, error) {
	switch of.Operation {
	case OpTransaction:
		r, err := c.forURL(context.Background(), of.Reference)
		if err == nil && r.LooksLikeCard() { // one of the service's own: the client may send it, but it stays in no history of a shell
			err = notSent("this reference looks like a card number")
		}
		return c.statusRequest(r), err
	case OpTransactions:
		return c.listRequest(clampPaging(of.Page, of.PerPage)), nil
	case OpCreateLink:
		return c.linkRequest(of.Link)
	}
	return request{}, errNoCurl
}
