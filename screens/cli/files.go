package cli

import (
	"errors"
	"io/fs"
	"syscall"

	"paydesk/screens/present"
)

// fileError is the error of a file that could not be written.
func fileError(err error) error {
	if isSignal(err) {
		return err
	}
	return refuse(badFile, present.FileProblem(err), "")
}

// unreadable is the error of a file that an option names and that cannot be read.
func unreadable(path string, err error) error {
	why := "cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse(badFile, "There is no such file: "+present.Plain(path)+".", "")
	case errors.Is(err, fs.ErrPermission):
		why = "cannot be read by you"
	case errors.Is(err, syscall.EISDIR):
		why = "is a folder"
	}
	return refuse(badFile, present.Plain(path)+" "+why+".", "")
}
