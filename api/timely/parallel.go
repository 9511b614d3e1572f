package timely

import (
	"flag"
	"runtime"
	"strconv"
)

// ManyAtOnce runs more parallel tests side by side than there are processors, unless -parallel says otherwise: those of
// a package that mostly waits for programs, pauses and the network. TestMain calls it.
func ManyAtOnce() {
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = parallel.Value.Set("8")
	}
}
