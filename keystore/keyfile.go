package keystore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"paydesk/api/text"
)

// maxFile is the largest key file that is read, in bytes.
const maxFile = 4 << 10

// keyFile reads the key from a file that no other user can read or replace, or from a systemd
// credential (LoadCredential=).
type keyFile struct {
	readOnly // but for Delete
	path     string
}

func (f *keyFile) Get(context.Context, string) (Key, error) {
	path, credential, err := f.resolve()
	if err != nil {
		return Key{}, err
	}
	b, err := readPrivate(path, credential)
	if p, is := errors.AsType[*Problem](err); is && !credential && (p.Kind == ErrNotFound || p.Kind == ErrEmpty) {
		p.Hint = putThere(path)
	}
	if err != nil {
		return Key{}, err
	}
	k, err := readKey(b)
	if err != nil {
		return Key{}, problem(ErrNotAKey, path+" does not hold a secret key: "+err.Error(), "put the key, and nothing else, in it")
	}
	return k, nil
}

// resolve returns the path of the file and reports a systemd credential.
func (f *keyFile) resolve() (path string, credential bool, err error) {
	name, credential := strings.CutPrefix(f.path, credentialPrefix)
	if !credential {
		return f.path, false, nil
	}
	folder := os.Getenv("CREDENTIALS_DIRECTORY")
	if !absolute(folder) {
		return "", true, problem(ErrNotFound, "systemd passed no credentials to this program (CREDENTIALS_DIRECTORY is not set)",
			"start it as a unit with LoadCredential="+name+":PATH")
	}
	return filepath.Join(folder, name), true, nil
}

// MissingKeyFile says that the file of the profile's key is not there; "" where it is, or the key is elsewhere. It does I/O.
func (p Profile) MissingKeyFile() string {
	if p.Source != "file" || strings.HasPrefix(p.KeyFile, credentialPrefix) {
		return ""
	}
	if _, err := os.Lstat(p.KeyFile); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return p.KeyFile + " does not exist; " + putThere(p.KeyFile)
}

// putThere says how a key gets into its file.
func putThere(path string) string {
	return "put the key there first, for example with: (umask 077; cat >" + text.ShellQuote(path) + ")"
}

func (f *keyFile) Delete(ctx context.Context, _ string) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case strings.HasPrefix(f.path, credentialPrefix):
		return problem(ErrReadOnly, "the key of this profile is a credential from systemd", "remove it from the unit")
	}
	return removePrivate(f.path)
}

// writePrivate writes b to path in one step and wipes b. An existing file must be private, in
// a folder where no other user can write.
func writePrivate(path string, b []byte) error {
	defer clear(b)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fileError(path, err)
	}
	if old, err := readPrivate(path, false); err == nil {
		clear(old)
	} else if !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrEmpty) {
		return err
	}
	if err := replaceFile(path, b, 0o600); err != nil {
		return fmt.Errorf("the key cannot be written: %w", err)
	}
	return nil
}

// removePrivate removes a file if it is private.
func removePrivate(path string) error {
	old, err := readPrivate(path, false)
	clear(old)
	if err != nil && !errors.Is(err, ErrEmpty) {
		return err
	}
	if err := os.Remove(path); err != nil {
		return fileError(path, err)
	}
	return nil
}

// fileError describes an error of the file system.
func fileError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problem(ErrNotFound, path+" does not exist", "")
	case errors.Is(err, fs.ErrPermission):
		return problem(ErrUnsafe, "this user cannot access "+path, "run: ls -ld "+text.ShellQuote(path)+" "+text.ShellQuote(filepath.Dir(path)))
	}
	if p, is := errors.AsType[*fs.PathError](err); is { // which would name the path once more
		err = p.Err
	}
	return problem(ErrFailed, path+" cannot be read or written: "+err.Error(), "")
}

// readPrivate reads a small file that no other user can read or replace. It checks the file
// after opening it, through its open folder, so that no program can swap the file in between.
//
// Systemd creates a credential for the user of the unit with mode 0400, or with 0440 when root
// owns it and an access list admits the user (the group bits then show the mask of the list).
// So root may own a credential, and its group may read it.
func readPrivate(path string, credential bool) ([]byte, error) {
	if err := ownPath(filepath.Dir(path)); err != nil { // which would let others put another folder there
		return nil, err
	}
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, fileError(path, err)
	}
	defer folder.Close()
	about, err := folder.Stat(".")
	if err != nil {
		return nil, fileError(path, err)
	}
	if err := ownEntry(filepath.Dir(path), about, true); err != nil {
		return nil, err
	}
	// Before opening: a pipe would block, and a link leads elsewhere.
	named, err := folder.Lstat(filepath.Base(path))
	if err != nil {
		return nil, fileError(path, err)
	}
	if !named.Mode().IsRegular() {
		return nil, notRegular(path, named.Mode())
	}
	f, err := folder.Open(filepath.Base(path))
	if err != nil {
		return nil, fileError(path, err)
	}
	defer f.Close()
	if about, err = f.Stat(); err != nil || !os.SameFile(named, about) {
		return nil, problem(ErrFailed, path+" was replaced while it was read", "try again")
	}
	if err := safeFile(path, about, credential); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, fileError(path, err)
	case len(b) == 0:
		return nil, problem(ErrEmpty, path+" is empty", "")
	case len(b) > maxFile:
		clear(b)
		return nil, problem(ErrNotAKey, path+" is larger than 4 KiB, too large for a key", "put the key, and nothing else, in it")
	}
	return b, nil
}

func notRegular(path string, mode fs.FileMode) error {
	is := "not a regular file"
	switch {
	case mode&fs.ModeSymlink != 0:
		return problem(ErrUnsafe, path+" is a symbolic link, whose target can change", "name the file itself")
	case mode.IsDir():
		is = "a folder"
	}
	return problem(ErrUnsafe, path+" is "+is, "name a file that holds the key and nothing else")
}
