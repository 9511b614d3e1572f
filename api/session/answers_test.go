package session

import (
	"fmt"
	"strings"
	"testing"

	"paydesk/api"
)

func answerOf(words string) api.Answer { return api.Answer{HTTP: 200, Body: api.Clean(words)} }

func TestTheOldestAnswersAreForgotten(t *testing.T) {
	var k answers
	small, large := answerOf("x"), answerOf(strings.Repeat("line\n", 400))
	for i := range keptAnswers + 50 {
		k.keep(KeptAnswer{Subject: Subject{Reference: api.Reference(fmt.Sprint(i))}, Answer: small})
	}
	if n := len(k.about(Subject{})); n != keptAnswers || k.about(Subject{Reference: "49"}) != nil || k.about(Subject{Reference: "50"}) == nil {
		t.Errorf("%d are kept", n)
	}
	for i := range 2 * keptBytes / large.Body.Size() {
		k.keep(KeptAnswer{Subject: Subject{Reference: api.Reference(fmt.Sprint("large", i%900))}, Answer: large})
	}
	size := 0
	for _, a := range k.about(Subject{}) {
		size += a.Body.Size()
	}
	if size > keptBytes || size != k.bytes {
		t.Errorf("%d bytes are kept, %d are counted", size, k.bytes)
	}
}

func TestTheLastAnswerToEachOperationIsKept(t *testing.T) {
	var k answers
	for i, op := range []api.Operation{api.OpInitiate, api.OpTransaction, api.OpAuthenticate, api.OpTransaction, api.OpFinalize} {
		k.keep(KeptAnswer{Subject: Subject{Operation: op, Reference: "REF1"}, Answer: answerOf(fmt.Sprint(i))})
	}
	k.keep(KeptAnswer{Subject: Subject{Operation: api.OpTransaction, Reference: "REF2"}, Answer: answerOf("another's")})
	k.keep(KeptAnswer{Subject: Subject{Operation: api.OpInitiate, Attempt: "a1"}, Answer: answerOf("rejected")})
	k.keep(KeptAnswer{Subject: Subject{Operation: api.OpTransactions}, Answer: answerOf("page")})
	for want, about := range map[string]Subject{
		"4 3 2 0":   {Reference: "REF1"},
		"2":         {Reference: "REF1", Operation: api.OpAuthenticate},
		"another's": {Reference: "REF2"},
		"rejected":  {Attempt: "a1"},
		"page":      {Operation: api.OpTransactions},
		"":          {Reference: "REF3"},
	} {
		var got []string
		for _, a := range k.about(about) {
			got = append(got, a.Body.Line(0))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%+v: %q, want %q", about, got, want)
		}
	}
}
