package keystore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"paydesk/api/text"
)

// profile checks the configuration and the selected profile.
func (e Examination) profile() (p Profile, found bool, checks []Finding) {
	chosen := Finding{Name: "profile", State: Skipped, Message: "not checked: the configuration cannot be read"}
	c, err := Folder(e.Config).Load()
	if e.Config == "" {
		err = errors.New("the configuration folder is unknown: XDG_CONFIG_HOME is not an absolute path, or HOME is not set")
	}
	if err != nil {
		words, do := strings.ReplaceAll(err.Error(), "\n", "; "), "correct the files at the lines named"
		if errors.Is(err, fs.ErrNotExist) {
			words, do = e.Config+" has no configuration", "open paydesk, which offers to create a profile, or name the folder with --config"
		}
		if unsafe, is := errors.AsType[*Problem](err); is {
			words, do = unsafe.Message, unsafe.Hint
		}
		return p, false, []Finding{{"configuration", Failed, words, do}, chosen}
	}
	file := Finding{Name: "configuration", State: OK, Message: e.Config + modeSuffix(e.Config) + unchecked[runtime.GOOS]}
	if p, err = c.Select(e.Profile); err != nil {
		return p, false, []Finding{file, {"profile", Failed, err.Error(),
			"name one of them with --profile, or make it the default: paydesk profile use NAME"}}
	}
	chosen.State, chosen.Message = OK, fmt.Sprintf("%s, environment %s; key source: %s", p.Name, p.Environment, p.Source)
	return p, true, []Finding{file, chosen}
}

// modeSuffix returns the mode of a file in octal, for the end of a message.
func modeSuffix(path string) string {
	about, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" {
		return ""
	}
	return fmt.Sprintf(", mode %o", about.Mode().Perm())
}

// unchecked says what the check of the file's owners leaves out on a system.
var unchecked = map[string]string{
	"windows": "; who else can change it is not checked on Windows",
	"darwin":  "; access lists (ACLs) are not checked on macOS",
}

// stateDir checks that the journal can be written, and that no other user can read it, because it
// records who paid what.
func (e Examination) stateDir(p Profile) Finding {
	s := Finding{Name: "journal folder", State: Failed}
	switch about, err := os.Stat(e.StateDir); {
	case p.Journal == "off":
		s.State, s.Message = Skipped, "this profile keeps no journal (journal = \"off\")"
	case e.StateDir == "":
		s.Message, s.Fix = "its folder is unknown", "set HOME, or XDG_STATE_HOME to an absolute path"
	case errors.Is(err, fs.ErrNotExist):
		return e.missingFolder(s)
	case err != nil:
		s.Message, s.Fix = e.StateDir+" cannot be accessed", "give this user access to the folders above it"
	case !about.IsDir():
		s.Message, s.Fix = e.StateDir+" is not a folder", "move it away"
	case runtime.GOOS != "windows" && about.Mode().Perm()&0o077 != 0:
		s.Message, s.Fix = fmt.Sprintf("others can read %s (mode %o)", e.StateDir, about.Mode().Perm()), "chmod 700 "+text.ShellQuote(e.StateDir)
	case writable(e.StateDir) != nil:
		s.Message, s.Fix = "paydesk cannot write to "+e.StateDir, "chmod u+w "+text.ShellQuote(e.StateDir)+", or free space on its disk"
	default:
		s.State, s.Message = OK, e.StateDir+" is writable"+modeSuffix(e.StateDir)
	}
	return s
}

// mostNamed limits how many files of a folder are named.
const mostNamed = 20

// kept lists the files that paydesk has here, for whoever wants to leave none.
func (e Examination) kept() Finding {
	var all []string
	for _, folder := range append([]string{e.Config, e.StateDir}, e.Elsewhere...) {
		var names []string
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				name, _ := filepath.Rel(folder, path)
				names = append(names, name)
			}
			return nil // what cannot be read is not named
		})
		if n := len(names); n > mostNamed {
			names = append(names[:mostNamed], fmt.Sprintf("and %d more", n-mostNamed))
		}
		if len(names) > 0 {
			all = append(all, folder+" has "+strings.Join(names, ", "))
		}
	}
	if len(all) == 0 {
		return Finding{Name: "files", State: OK, Message: "paydesk has none on this host"}
	}
	return Finding{Name: "files", State: OK, Message: strings.Join(all, "; ") + "; paydesk help configuration says how to remove them"}
}

// missingFolder checks that the folder can be created below the nearest one that exists. It does
// not create it: the doctor changes nothing.
func (e Examination) missingFolder(s Finding) Finding {
	at := filepath.Dir(e.StateDir)
	for filepath.Dir(at) != at {
		if _, err := os.Stat(at); err == nil {
			break
		}
		at = filepath.Dir(at)
	}
	if writable(at) != nil {
		s.Message, s.Fix = e.StateDir+" does not exist and cannot be created in "+at, "create it for this user with mode 700"
		return s
	}
	s.State, s.Message = OK, e.StateDir+" does not exist yet; it is created when it is first used"
	return s
}

// writable returns why no file can be written in a folder, nil where one can. It writes one: modes alone reveal neither full disks nor
// read-only ones.
func writable(folder string) error {
	f, err := os.CreateTemp(folder, ".paydesk-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("paydesk\n")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// otherSources is the hint for a host without a keyring.
const otherSources = `choose another source for the key, such as key = "file" or key = "command" in the profile (paydesk help configuration)`

// keyChecks checks the way to the keyring and the source of the profile. A locked keyring is not
// asked for the key, because it may prompt on a display out of sight.
func (e Examination) keyChecks(ctx context.Context, p Profile, found bool) (Key, []Finding) {
	needed := p.Source == "keyring" || !found // a new profile would use the keyring
	limit := unusedKeyringLimit
	if needed {
		limit = keyringLimit
	}
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	state := e.inspect(limited)
	var k Key
	source := Finding{Name: "key source"}
	switch {
	case !found:
		source.State, source.Message = Skipped, "not checked: there is no profile"
	case p.Source == "keyring" && state.Locked:
		source.State, source.Message = Failed, "the key was not requested: the keyring is locked and would show a prompt"
		source.Fix = "unlock it and run this again"
	default:
		k, source = e.source(ctx, p)
	}
	return k, []Finding{keyringFinding(state, needed), source}
}

// keyringFinding reports the way to the keyring: the session bus, the Secret Service on it, and the lock of its collection,
// or the first fault. A locked one is a warning: the keyring can prompt for its password, but only on a display. A fault of
// a keyring that the profile does not need is skipped.
func keyringFinding(s KeyringState, needed bool) Finding {
	slow := errors.Is(s.BusErr, ErrTimeout)
	c := Finding{Name: "keyring", State: Failed}
	switch {
	case !s.NeedsBus:
		c.State, c.Message = Skipped, "reported by the system when the key is requested; no session bus is involved"
	case s.Address == "" && slow:
		c.Message, c.Fix = "finding the session bus took too long", otherSources
	case s.Address == "" && s.EnvAddress == "":
		c.Message, c.Fix = "DBUS_SESSION_BUS_ADDRESS is not set, and the user's runtime folder has no bus", "log in to a desktop session; or "+otherSources
	case s.Address == "":
		c.Message, c.Fix = "nothing answers at "+s.EnvAddress, "log in again, or correct DBUS_SESSION_BUS_ADDRESS; or "+otherSources
	case slow:
		c.Message, c.Fix = s.Address+": it does not answer", "log in again; or "+otherSources
	case s.BusErr != nil:
		c.Message, c.Fix = s.Address+": "+s.BusErr.Error(), "log in again; or "+otherSources
	case !s.HasService && s.Activatable:
		c.State, c.Message = OK, s.Address+" starts the Secret Service on the first request"
	case !s.HasService:
		c.Message = "no service owns org.freedesktop.secrets on the session bus, and none would be started"
		c.Fix = "install gnome-keyring or KWallet; or " + otherSources
	case s.Collection == "":
		c.State, c.Message = Warning, "there is no collection to store a key in yet"
		c.Fix = "log in to the desktop once, or let the keyring create one when the first key is stored"
	case s.Locked:
		c.State, c.Message = Warning, "the collection "+s.Collection+" is locked"
		c.Fix = "unlock it, or log in to a desktop that does"
	default:
		c.State, c.Message = OK, "the collection "+s.Collection+" of the Secret Service is open"
	}
	if !needed && c.Fix != "" {
		c.State, c.Message, c.Fix = Skipped, c.Message+"; this profile does not need it", ""
	}
	return c
}

// source requests the key from the profile's own source only. A source that needs a person is
// skipped and not failed, since it may be in order.
func (e Examination) source(ctx context.Context, p Profile) (Key, Finding) {
	store := e.Store(p)
	s := Finding{Name: "key source", State: OK}
	k, err := store.Get(ctx, p.Name) // each source has a limit of its own
	if err != nil && e.Prompt != nil {
		k, err = e.Prompt(ctx, store, p, err)
	}
	if err == nil {
		s.Message = strings.TrimSpace(store.Name() + " has the key " + k.LastFour())
		switch says := k.Environment(); says {
		case p.Environment:
		case "":
			s.Message += "; its prefix does not say test or live, so the console asks once before it sends anything"
		default:
			s.State = Warning
			s.Message += "; its prefix says " + string(says) + ", and the profile has environment " + string(p.Environment)
			s.Fix = "replace the key, or correct environment in the profile; the console sends nothing until you have"
		}
		return k, s
	}
	s.State = Failed
	s.Message, s.Fix = err.Error(), "check where the profile says its key is"
	if problem, is := errors.AsType[*Problem](err); is {
		s.Message, s.Fix = problem.Message, problem.Hint
		if line := problem.Stderr(); line != "" {
			s.Message += "; it reported: " + line
		}
	}
	switch {
	case errors.Is(err, ErrAsk):
		s.State, s.Fix = Skipped, ""
	case errors.Is(err, ErrPassphrase):
		s.State, s.Fix = Skipped, "run this at a terminal, where it can prompt for the passphrase"
	case errors.Is(err, ErrElsewhere):
		s.Fix = "open the profile with paydesk, which asks whether the key may be sent there; if the address is wrong, correct the profile"
	case errors.Is(err, ErrNoKeyring):
		s.Fix = "see the check of the keyring"
	case errors.Is(err, ErrNotFound) && StoredElsewhere(p.Source) == "":
		s.Fix = "paydesk key set --profile " + p.Name
	}
	return Key{}, s
}
