// Package keys has the screens of profiles and their keys.
//
//   - setup.go, [Setup]: the first screen on a host without a configuration; ready.go with readyview.go, [Ready]: the end of the first run;
//   - profiles.go, [Profiles]: the list; change.go: the forms over it, and writing; profileform.go: the form of one profile;
//   - doctor.go, [Doctor]: what works on this host for a profile;
//   - secretkey.go with entryview.go, [Entry]: gets the secret key of a profile; source.go: reads its source, stores a key there, and
//     changes the profile to match; address.go: the question about a key that would be sent to another address than before; options.go: the
//     options if the source has no key, and the bindings; entry.go: typing and verifying a key, and its passphrase.
package keys
