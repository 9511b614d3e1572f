package keystore

// Harden has nothing to do here.
func Harden() error { return nil }
