//go:build unix

package screens_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"paydesk/api/sandbox"
	"paydesk/ui/termtest"
)

// writings are the ways to write a number in which a search finds it.
func writings(number string) map[string][]byte {
	backwards := []byte(number)
	slices.Reverse(backwards)
	var fours []string
	for part := range slices.Chunk([]byte(number), 4) {
		fours = append(fours, string(part))
	}
	var wide []byte
	for _, unit := range utf16.Encode([]rune(number)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	all := map[string][]byte{
		"plain": []byte(number), "by fours": []byte(strings.Join(fours, " ")), "backwards": backwards,
		"hex": []byte(hex.EncodeToString([]byte(number))), "UTF-16": wide,
	}
	// In base64 it begins at one of three places within a group; its ends share groups with others.
	for shift := range 3 {
		coded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + number))
		from := (shift*8 + 5) / 6
		all[fmt.Sprint("base64, ", shift)] = []byte(coded[from : (shift+len(number))*8/6])
	}
	return all
}

// cvvs are places where a verification value could stand.
var cvvs = regexp.MustCompile(`(?i)(cvv|cvc)\W{0,6}\d{3,4}\b`)

// noCard fails when a place holds one of the numbers in any writing, or a CVV.
func noCard(t *testing.T, place string, held []byte, numbers []string) {
	t.Helper()
	for _, number := range numbers {
		for how, written := range writings(number) {
			if bytes.Contains(held, written) {
				t.Errorf("%s holds the card …%s, %s", place, number[len(number)-4:], how)
			}
		}
	}
	if holdsCVV(held) {
		t.Errorf("%s holds a CVV", place)
	}
}

// holdsCVV reports whether a place holds a CVV. Most have not even the word, which is found sooner.
func holdsCVV(held []byte) bool {
	lower := bytes.ToLower(held)
	return (bytes.Contains(lower, []byte("cvv")) || bytes.Contains(lower, []byte("cvc"))) && cvvs.Match(held)
}

// noCardBelow is [noCard] for every file of a folder. It counts them.
func noCardBelow(t *testing.T, folder string, numbers []string) (files int) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		held, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		noCard(t, strings.TrimPrefix(path, folder), held, numbers)
		noCard(t, "the name of a file", []byte(path), numbers)
		return nil
	})
	must(t, err)
	return files
}

func TestTheSearchForACardFindsEachWriting(t *testing.T) {
	const number = "4242424242424242"
	for shift := range 3 {
		held := base64.StdEncoding.EncodeToString([]byte("12345x"[:3+shift] + number + "tail"))
		if !slices.ContainsFunc(slices.Collect(maps.Values(writings(number))), func(w []byte) bool { return strings.Contains(held, string(w)) }) {
			t.Errorf("base64 shifted by %d is not found", shift)
		}
	}
	if !holdsCVV([]byte(`"cvv":"123"`)) || !holdsCVV([]byte("CVV: 737")) || holdsCVV([]byte("CVV •••")) {
		t.Error("a CVV is not found")
	}
}

// hand types a payment with a card, to the question, and answers it. What is on the screen is
// looked at by look whenever a part of it was typed.
func hand[H any](p termtest.Person[H], amount string, c sandbox.TestCard, look func()) {
	question := "to •••• " + c.Number[len(c.Number)-4:] + "?"
	describe(p, amount, c, look)
	p.Press("ctrl+s")
	p.Sees(question)
	look()
	p.Yes(question)
	p.WaitsUntilGone("Sending the payment", "to •••• ")
	look()
}

// TestNoCardIsLeftAnywhere pays by card through the program, with its journal and against its
// sandbox, and then searches everything that either wrote. It takes seconds: it is the program itself.
func TestNoCardIsLeftAnywhere(t *testing.T) {
	t.Parallel()
	payments := 2
	if long {
		payments = 20
	}
	e, of := newSetting(t), newSetting(t)
	s := runUntil(t, of, address, "sandbox", "--listen", "127.0.0.1:0", "--key", programKey, "--settle", "1h", "--transactions", "40")
	e.configure(t, profile(s.found, "env"))
	e["PAYDESK_SECRET_KEY"] = programKey
	v := open(t, e, 80, 24)
	cards := sandbox.Cards()
	var numbers []string
	for _, c := range cards {
		numbers = append(numbers, c.Number)
	}
	for i := range payments {
		hand(v.Person, fmt.Sprintf("%d.50", 10+i), cards[i%len(cards)], nothing)
		v.home()
	}
	v.Press("3")
	v.Sees(fmt.Sprintf("%d attempts of this service", payments))
	v.Press("ctrl+c")
	v.gone()
	files := noCardBelow(t, e["HOME"], numbers) + noCardBelow(t, of["HOME"], numbers)
	noCard(t, "the terminal", v.Bytes(), numbers)
	noCard(t, "the sandbox's log", s.said(), numbers)
	if n := strings.Count(string(s.said()), "/pay/initiate"); n < payments || files < 2 {
		t.Fatalf("%d payments are in the log, and %d files were searched", n, files)
	}
	t.Logf("%d payments, %d files, %d bytes of the terminal, %d of the log", payments, files, len(v.Bytes()), len(s.said()))
}
