//go:build !unix

package pgtest

import "errors"

func (c *Cluster) own() error { return nil }

func (c *Cluster) watch() error { return errors.ErrUnsupported }

func (c *Cluster) run(string, ...string) error { return errors.ErrUnsupported }

func kill(int) {}

func children(int) []int { return nil }
