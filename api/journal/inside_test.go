package journal

// VerifyInBackground makes every journal one that is looked through behind its use, and Watch waits
// until it was.
func VerifyInBackground() (restore func()) {
	was := smallFile
	smallFile = 0
	return func() { smallFile = was }
}

func (j *Journal) WaitForIntegrityCheck() {
	if j.integrity != nil {
		<-j.integrity.done
	}
}

// NewOnNetwork is a journal in a folder that is taken for one of another machine.
func NewOnNetwork(o Options) *Journal {
	j := New(o)
	j.isLocal = func(string) bool { return false }
	return j
}
