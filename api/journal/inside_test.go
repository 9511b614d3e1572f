package journal

// Watched makes every journal one that is looked through behind its use, and Watch waits
// until it was.
func Watched() (restore func()) {
	was := smallFile
	smallFile = 0
	return func() { smallFile = was }
}

func (j *Journal) Watch() {
	if j.watch != nil {
		<-j.watch.over
	}
}

// OnNetwork is a journal in a folder that is taken for one of another machine.
func OnNetwork(o Options) *Journal {
	j := New(o)
	j.disk = func(string) bool { return false }
	return j
}
