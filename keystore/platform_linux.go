package keystore

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// ownGroup reports whether a folder's group has no member but the user and root, as where each user has
// a group of their own. An access list may name anybody else.
func ownGroup(path string, gid int) bool {
	if _, err := unix.Lgetxattr(path, "system.posix_acl_access", nil); err == nil {
		return false
	}
	groups, err := os.ReadFile("/etc/group")
	users, err2 := os.ReadFile("/etc/passwd")
	return err == nil && err2 == nil && soleMember(string(groups), string(users), os.Geteuid(), gid)
}

// soleMember reports whether a group has no member but a user and root. Without an entry in these files, as for
// an account of a directory service, that is unknown, and the answer is no.
func soleMember(groups, users string, uid, gid int) bool {
	group, me := accounts(groups, 2, gid), accounts(users, 2, uid)
	if len(group) == 0 || len(me) == 0 {
		return false
	}
	var members []string
	for _, user := range accounts(users, 3, gid) {
		members = append(members, user[0])
	}
	for _, entry := range group {
		members = append(members, strings.Split(entry[len(entry)-1], ",")...)
	}
	return !slices.ContainsFunc(members, func(name string) bool {
		mine := func(user []string) bool { return user[0] == name }
		return name != "" && name != "root" && !slices.ContainsFunc(me, mine)
	})
}

// accounts returns the entries of /etc/passwd or /etc/group that have a number in a field.
func accounts(text string, field, number int) (found [][]string) {
	for line := range strings.Lines(text) {
		if entry := strings.Split(strings.TrimSpace(line), ":"); len(entry) > field && entry[field] == strconv.Itoa(number) {
			found = append(found, entry)
		}
	}
	return found
}

// Harden keeps keys and cards in memory away from other programs of the same user and out of
// core files: no debugger can attach, and /proc shows neither the memory nor the environment,
// which still contains what [FromEnv] removed. The limit on core files is not enough, because
// a program that receives cores through a pipe ignores it. Call Harden at the start of the
// program; it cannot be undone.
func Harden() error {
	err := errors.Join(unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0), unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}))
	if err != nil {
		return fmt.Errorf("other programs of this user may be able to read paydesk's memory: %w", err)
	}
	return nil
}
