package keystore

// SourceNames are the places that a profile can have its key from (R71), the best
// first.
func SourceNames() []string { return []string{"keyring", "command", "file", "age", "env", "ask"} }
