package webhook

import (
	"testing"
)

func TestATunnelLineCanBePasted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ address, host, want string }{
		{"127.0.0.1:8425", "", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 HOST"},
		{"127.0.0.1:8425", "ada@bastion.example", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 ada@bastion.example"},
		{"0.0.0.0:8425", "h", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 h"},
		{"[::1]:8425", "h", "ssh -N -R '127.0.0.1:8425:[::1]:8425' h"},
		{"[fe80::1%$(reboot)]:80", "h", "ssh -N -R '127.0.0.1:80:[fe80::1]:80' h"},
		{"127.0.0.1:8425", "-oProxyCommand=reboot", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 HOST"},
		{"127.0.0.1:8425", "h;reboot", "ssh -N -R 127.0.0.1:8425:127.0.0.1:8425 HOST"},
		{"127.0.0.1:80;reboot", "h", ""},
	} {
		if got := TunnelLine(c.address, c.host); got != c.want {
			t.Errorf("%q, %q: %q", c.address, c.host, got)
		}
	}
}
