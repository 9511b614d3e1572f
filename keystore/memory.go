package keystore

import (
	"context"
	"sync"
)

// NewMemory returns a store in memory; name is what the header calls it.
func NewMemory(name string) Store { return &memory{name: name, keys: map[string]Key{}} }

type memory struct {
	name string
	mu   sync.Mutex
	keys map[string]Key
}

func (m *memory) Name() string { return m.name }

func (m *memory) Get(ctx context.Context, profile string) (Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Key{}, err
	}
	k, ok := m.keys[profile]
	if !ok {
		return Key{}, ErrNotFound
	}
	return k, nil
}

func (m *memory) Set(ctx context.Context, profile string, k Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case k.IsZero():
		return errEmptyKey
	}
	m.keys[profile] = k
	return nil
}

func (m *memory) Delete(ctx context.Context, profile string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, ok := m.keys[profile]; !ok {
		return ErrNotFound
	}
	delete(m.keys, profile)
	return nil
}
