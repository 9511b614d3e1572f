package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// discard drops what a terminal was sent and has not read, so that there is room for the
// way out, which it reads when it reads again.
func discard(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCOFLUSH) }
