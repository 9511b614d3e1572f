package pgtest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"
)

// A test that runs out of time, or is killed, ends its server, too.
func TestAServerEndsWithTheProcessThatStartedIt(t *testing.T) {
	const childEnv = "PAYDESK_TEST_SERVER"
	if os.Getenv(childEnv) != "" {
		fmt.Println(Shared(t).dir)
		select {}
	}
	Whole(t)
	if _, err := installed(); err != nil {
		t.Skip(err)
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), childEnv+"=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(out)
	said.Scan()
	c := Cluster{dir: said.Text()}
	client, err := net.Dial("unix", c.socket())
	child.Process.Kill()
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for said.Scan() { // until who stops the server has ended, too
	}
	child.Wait()
	if _, err := io.Copy(io.Discard, client); err != nil {
		t.Log(err)
	}
	if _, err := os.Stat(c.dir); !os.IsNotExist(err) {
		t.Errorf("its folder: %v", err)
	}
}
