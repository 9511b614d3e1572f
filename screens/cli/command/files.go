package command

import (
	"errors"
	"io/fs"
	"syscall"

	"paydesk/screens/present"
)

// FileError is the error of a file that could not be written.
func FileError(err error) error {
	if IsSignal(err) {
		return err
	}
	return Refuse(WhyFile, present.FileProblem(err), "")
}

// Unreadable is the error of a file that an option names and that cannot be read.
func Unreadable(path string, err error) error {
	why := "cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Refuse(WhyFile, "There is no such file: "+present.Plain(path)+".", "")
	case errors.Is(err, fs.ErrPermission):
		why = "cannot be read by you"
	case errors.Is(err, syscall.EISDIR):
		why = "is a folder"
	}
	return Refuse(WhyFile, present.Plain(path)+" "+why+".", "")
}
