package desk

import "paydesk/api"

// Refused reports whether the service's last word was that it does not take the key
// (HTTP 401, 403).
func (d *Desk) Refused() bool { return d.refused.Load() }

// Renewed forgets that: there is another key now.
func (d *Desk) Renewed() { d.refused.Store(false) }

// heard looks at how a call ended. One that the service did not answer says nothing about
// the key.
func (d *Desk) heard(err error) {
	switch api.OutcomeOf(err) {
	case api.OutcomeAccepted, api.OutcomeRefused:
		d.refused.Store(api.KeyRejected(err))
	}
}
