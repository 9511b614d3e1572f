package keystore

import "sync"

// A KeyHolder holds the key that a client sends. Another key can take its place while the
// client is in use; which hosts get it is the client's business and stays as it is (R50).
type KeyHolder struct {
	mu  sync.Mutex
	key Key
}

// NewKeyHolder holds a key.
func NewKeyHolder(k Key) *KeyHolder { return &KeyHolder{key: k} }

// Put replaces the key. A request that is under way keeps the one it was sent with. The
// former is not wiped: its source may have it still.
func (s *KeyHolder) Put(k Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = k
}

// Take empties the slot: what asks with it now asks with no key.
func (s *KeyHolder) Take() Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.key
	s.key = Key{}
	return k
}

// Expose gives the key, for the request header.
func (s *KeyHolder) Expose() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.key.Expose()
}
