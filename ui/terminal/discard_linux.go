package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// discard drops output that the terminal has not read, to make room for the sequences that reset
// its modes.
func discard(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCOFLUSH) }

// stackFault is a signal of Linux alone. On a few architectures it shares its number with another one in
// [endSignals].
const stackFault = unix.Signal(16)
