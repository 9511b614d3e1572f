//go:build linux

package screens_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// spied is a published test number that is nowhere in the program: the service in front of the
// sandbox puts one that the sandbox takes in its place.
const spied, spiedCVV = "4012888888881881", "847"

// copies counts the places in the memory of the program that hold the number. It cannot be
// asked as another user, nor as this one where the program may not be looked into.
func (v *window) copies(number string) int {
	v.t.Helper()
	id := v.command.Process.Pid
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", id))
	if errors.Is(err, os.ErrPermission) {
		v.t.Skip("the memory of the program is closed to this user, as it should be")
	}
	must(v.t, err)
	defer maps.Close()
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", id))
	if err != nil {
		v.t.Skip("the memory of the program is closed to this user, as it should be")
	}
	defer memory.Close()
	n, read := 0, 0
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		part := strings.Fields(lines.Text())
		from, to, _ := strings.Cut(part[0], "-")
		start, err1 := strconv.ParseInt(from, 16, 64)
		end, err2 := strconv.ParseInt(to, 16, 64)
		if !strings.HasPrefix(part[1], "rw") || err1 != nil || err2 != nil || end-start > 1<<30 {
			continue
		}
		held, _ := io.ReadAll(io.NewSectionReader(memory, start, end-start)) // what cannot be read is not there
		n += bytes.Count(held, []byte(number))
		read += len(held)
	}
	if read < 1<<20 {
		v.t.Fatalf("only %d bytes of the program were read", read)
	}
	return n
}

// spy is a window that has a card's number typed digit by digit, as a person does.
func spy(t *testing.T) *window {
	t.Helper()
	_, origin := serve(t, func(behind http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			body = bytes.ReplaceAll(body, []byte(spied), []byte("4242424242424242"))
			body = bytes.ReplaceAll(body, []byte(spiedCVV), []byte("123"))
			r.Body = io.NopCloser(bytes.NewReader(body))
			behind.ServeHTTP(w, r)
		})
	})
	e := newSetting(t)
	e.configure(t, profile(origin, "env"))
	e["PAYDESK_SECRET_KEY"] = programKey
	v := open(t, e, 80, 24)
	toCard(v.Person, "12.50", "GBP")
	v.To("Card number")
	for i, digit := range spied {
		v.Type(string(digit))
		v.Sees(fmt.Sprintf(", %d digit", i+1))
	}
	v.Fill("Expiry", "1234")
	v.Fill("CVV", spiedCVV)
	v.Fill("Return URL", "https://shop.example/done")
	return v
}

// TestACardDoesNotStayInMemory looks for the number in the program's memory after a payment. It is
// worth doing and no guarantee: what the kernel, the terminal and the network keep is beyond it.
func TestACardDoesNotStayInMemory(t *testing.T) {
	if !long {
		t.Skip("a scan of the program's memory depends on when Go collects it: .ci/long does it")
	}
	t.Parallel()
	var after []int
	for range 20 {
		v := spy(t)
		if v.copies(spied) == 0 {
			t.Error("the number is not found where it was typed: the search is blind")
		}
		v.Press("ctrl+s")
		v.Yes("Charge 12.50 GBP to •••• 1881?")
		v.Sees("✓ SUCCESSFUL")
		after = append(after, v.copies(spied))
		v.Press("esc")
		v.Sees("Menu")
		for range 20 { // the memory of what is read and drawn is collected
			v.Press("2")
			v.Sees(" rows read")
			v.Press("esc")
			v.Sees("Menu")
		}
		if n := v.copies(spied); n > 0 {
			t.Errorf("%d copies stay after a payment", n)
		}
		v.Press("ctrl+c")
		v.gone()
	}
	t.Logf("copies right after the payment %v", after)
	if slices.Max(after) > 1 {
		t.Errorf("%d copies right after a payment", slices.Max(after))
	}
}
