package keystore

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"

	"paydesk/api"
)

// MadeUpPath exists on no service. Its response shows whether a rejection comes from the operation
// or from an unknown path.
const MadeUpPath = "/api/payment/paydesk-asks-whether-this-is-here/{reference}"

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
	elsewhere.StatusPath = MadeUpPath
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
		judgeStatus(status, none),
		judgePath(authenticateName, askPath+"authenticate_path in the profile", authentication, none),
	}
}

// inventReference returns a reference of no payment: at most 20 characters, like every reference of our own.
func inventReference() api.Reference { return api.Reference("NONE" + rand.Text()[:14]) }

// CheckPayments requests the status of a payment that does not exist, which moves no money, from the service at the
// address of payments; elsewhere is the same on [MadeUpPath]. The finding is [OK] where the service itself rejected the request,
// [Failed] where the address does not work, and a [Warning] where that cannot be told. sent tells whether a request may have left.
func CheckPayments(ctx context.Context, address string, service, elsewhere api.Service) (found Finding, sent bool) {
	invented := inventReference()
	_, err := service.Transaction(ctx, invented)
	unreached := []api.Kind{api.KindDNS, api.KindConnect, api.KindTLS, api.KindTimeout}
	if f, ok := errors.AsType[*api.Failure](err); ok && slices.Contains(unreached, f.Kind) {
		return notReached(address, f), f.Kind == api.KindTimeout
	}
	found = judgeStatus(err, nil)
	if found.State == OK { // unless the same is said of any path
		_, none := elsewhere.Transaction(ctx, invented)
		found = judgeStatus(err, none)
	}
	return found, true
}

// notReached is the finding on the address of payments where there was no connection, or no answer over it.
func notReached(address string, failure *api.Failure) Finding {
	o := &origin{line: "base_url", address: address, err: failure}
	o.proxyAddress, _ = api.ProxyFor(address) // only for the hint
	found := o.connectionFindings()
	return found[slices.IndexFunc(found, func(f Finding) bool { return f.State == Failed })]
}

const askPath = "ask the operator of the service for the path, and correct "

// judgeStatus judges the path of the status. Where it is wrong, the address before it may be.
func judgeStatus(err, none error) Finding {
	return judgePath(statusName, "check base_url; if it is right, "+askPath+"status_path", err, none)
}

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
