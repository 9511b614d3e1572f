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
