package terminal

import "os"

// An output is the terminal to write to. A failed write means that the terminal is gone; Bubble
// Tea ignores the error and would run forever.
type output struct {
	file *os.File // not embedded: its other write methods would bypass Write
	lost func()   // called when the terminal is gone
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.file.Write(p)
	if err != nil {
		o.lost()
	}
	return n, err
}

func (o *output) Read(p []byte) (int, error) { return o.file.Read(p) }
func (o *output) Close() error               { return nil } // the caller owns the file
func (o *output) Fd() uintptr                { return o.file.Fd() }
