package terminal

import "os"

// An output is the terminal to write to. A write that fails means that the terminal is
// gone; Bubble Tea takes no notice and would go on for ever.
type output struct {
	file *os.File // not embedded: its other ways to write would go around Write
	lost func()
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.file.Write(p)
	if err != nil {
		o.lost()
	}
	return n, err
}

func (o *output) Read(p []byte) (int, error) { return o.file.Read(p) }
func (o *output) Close() error               { return nil } // it is not ours
func (o *output) Fd() uintptr                { return o.file.Fd() }
