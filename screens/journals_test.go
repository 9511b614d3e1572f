package screens_test

import (
	"errors"
	"net/url"
	"path/filepath"
	"testing"

	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens"
)

// The profile names no address, so that the console itself receives nothing.
func TestAListenerThatRunsIsKnown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	b := &screens.Journals{State: dir}
	defer b.Close()
	p := keystore.Profile{Name: "shop", Environment: keystore.Test}.WithDefaults()
	if r, err := b.Receive(t.Context(), p); r != nil || err != nil || webhook.HasPath(dir, "shop") {
		t.Fatalf("%v, %v", r, err)
	}
	path, err := webhook.Path(dir, "shop")
	must(t, err)
	r, err := webhook.Listen(t.Context(), webhook.ReceiverOptions{Address: "127.0.0.1:0", Path: path})
	must(t, err)
	defer r.Close()
	at, err := url.Parse(r.URL())
	must(t, err)
	forget, err := webhook.Announce(dir, "shop", at.Host)
	must(t, err)
	_, err = b.Receive(t.Context(), p)
	if inUse, is := errors.AsType[*webhook.InUse](err); !is || !inUse.Ours || inUse.Address != at.Host {
		t.Errorf("%v", err)
	}
	forget()
	if _, err := b.Receive(t.Context(), p); err != nil {
		t.Errorf("it has ended: %v", err)
	}
}
