package keystore

import "testing"

func TestAGroupIsOnesOwnIfNobodyElseIsInIt(t *testing.T) {
	const groups = "root:x:0:\nada:x:1000:\nstaff:x:50:ada,bob\ndesk:x:60:ada\nroots:x:61:root,ada\nempty:x:62:\ntwice:x:60:\n"
	const users = "root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\nbob:x:1001:62::/home/bob:/bin/sh\n"
	for _, c := range []struct {
		uid, gid int
		want     bool
	}{
		{1000, 1000, true}, {1000, 60, true}, {1000, 61, true}, {1000, 0, true}, {0, 0, true},
		{1000, 50, false}, // bob is a member
		{1000, 62, false}, // it is bob's first group
		{1001, 1000, false},
		{1000, 70, false},   // an unknown group
		{4242, 1000, false}, // an unknown user
	} {
		if got := soleMember(groups, users, c.uid, c.gid); got != c.want {
			t.Errorf("user %d, group %d: %v", c.uid, c.gid, got)
		}
	}
}
