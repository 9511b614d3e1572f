package sandbox

import "net/http"

// A fault is something that goes wrong on purpose.
type fault uint8

const (
	noFault    fault = iota
	loseAnswer       // carry the request out, then close the connection
)

// anyPost is the queue for whichever POST comes next.
const anyPost = "POST"

// faults holds, for each operation by name, what shall go wrong with its next
// calls, one fault per call.
type faults struct{ queues map[string][]fault }

func (f *faults) arm(queue string, what fault) {
	if f.queues == nil {
		f.queues = map[string][]fault{}
	}
	f.queues[queue] = append(f.queues[queue], what)
}

// take gives the fault for a call, and takes it out of its queue.
func (f *faults) take(op operation) fault {
	queue := op.name
	if len(f.queues[queue]) == 0 && op.method == http.MethodPost {
		queue = anyPost
	}
	waiting := f.queues[queue]
	if len(waiting) == 0 {
		return noFault
	}
	f.queues[queue] = waiting[1:]
	return waiting[0]
}

// LoseNextAnswer carries out the next POST and closes the connection instead of
// answering: the handler panics with http.ErrAbortHandler, as net/http has it. POSTs
// that never get as far as an operation (no key, not JSON) do not count.
func (s *Sandbox) LoseNextAnswer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.arm(anyPost, loseAnswer)
}
