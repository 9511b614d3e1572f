//go:build soak

package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

// A program that the soak has built says twice a second how many goroutines it has, because no system tells it: in
// a file of the folder that the soak names, named by its process.
func init() {
	folder := os.Getenv("PAYDESK_SOAK_GOROUTINES")
	if folder == "" {
		return
	}
	file := filepath.Join(folder, strconv.Itoa(os.Getpid()))
	go func() {
		for range time.Tick(time.Second / 2) {
			// Renamed, so that no reader sees half of it.
			if os.WriteFile(file+".new", []byte(strconv.Itoa(runtime.NumGoroutine())), 0o600) == nil {
				_ = os.Rename(file+".new", file)
			}
		}
	}()
}
