package keystore

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"

	"paydesk/api"
)

// madeUpPath exists on no service. Its response shows whether a rejection comes from the operation
// or from an unknown path.
const madeUpPath = "/api/payment/paydesk-asks-whether-this-is-here/{reference}"

const (
	statusName       = "status path"
	authenticateName = "authentication path"
)

// pathsSkipped reports both paths as unchecked, so that every run has the same findings.
func pathsSkipped(why string) []Finding {
	return []Finding{
		{Name: statusName, State: Skipped, Message: "not checked: " + why},
		{Name: authenticateName, State: Skipped, Message: "not checked: " + why},
	}
}

// checkPaths requests a payment that does not exist, on the two paths that the specification leaves
// open and on a path that does not exist.
func checkPaths(ctx context.Context, c api.Config) []Finding {
	invented := inventReference()
	transaction := func(ctx context.Context, client *api.Client) error {
		_, err := client.Transaction(ctx, invented)
		return err
	}
	elsewhere := c
	elsewhere.StatusPath = madeUpPath
	var status, authentication, none error
	var all sync.WaitGroup
	all.Go(func() { status = ask(ctx, c, transaction) })
	all.Go(func() {
		authentication = ask(ctx, c, func(ctx context.Context, client *api.Client) error {
			_, err := client.Authenticate(ctx, invented)
			return err
		})
	})
	all.Go(func() { none = ask(ctx, elsewhere, transaction) })
	all.Wait()
	return []Finding{
		judgePath(statusName, "check base_url; if it is right, "+askPath+"status_path", status, none), // the address may be wrong, too
		judgePath(authenticateName, askPath+"authenticate_path in the profile", authentication, none),
	}
}

// inventReference returns a reference of no payment: at most 20 characters, like every reference of our own.
func inventReference() api.Reference { return api.Reference("NONE" + rand.Text()[:14]) }

const askPath = "ask the operator of the service for the path, and correct "

// judgePath judges a path by the error of requesting a payment that does not exist; none is the
// error of requesting it on a path that does not exist, and do how to correct the path.
func judgePath(name, do string, err, none error) Finding {
	f := Finding{Name: name, State: Failed, Fix: do}
	var r *api.Refusal
	switch {
	case err == nil:
		f.State, f.Message = Warning, "a made-up payment reference was answered as if it existed"
	case !errors.As(err, &r):
		f.Message = errorText(err)
	case api.KeyRejected(err):
		f.Message, f.Fix = "the list endpoint accepts the key, but this path does not: "+errorText(err), "check that base_url and list_url belong to the same account"
	case api.Temporary(err):
		f.State, f.Message, f.Fix = Warning, errorText(err), "wait a while and try again"
	case r.Kind == api.KindHTTP:
		f.Message = "the path may be wrong: the rejection does not come from the service itself. " + errorText(err)
	case indistinguishable(r, none):
		f.State = Warning
		f.Message = "the path may be wrong: a made-up payment reference is rejected in the same words as a made-up path. " + errorText(err)
	default:
		f.State, f.Message, f.Fix = OK, "the service itself rejected a made-up payment reference", ""
	}
	return f
}

// indistinguishable reports whether two refusals are the same to a person: then the service may not
// know the path at all.
func indistinguishable(r *api.Refusal, none error) bool {
	var n *api.Refusal
	return errors.As(none, &n) && n.Kind == r.Kind && n.HTTP == r.HTTP && n.Text.String() == r.Text.String() && n.Code.String() == r.Code.String()
}
