package sandbox

import (
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// formLife is how long a form can be submitted after it was shown, on the sandbox's clock.
const formLife = time.Hour

// formToken identifies one form. It is signed, so that only a form shown here makes a
// payment, and only for the link and return URL it showed. It is not stored, so showing
// forms takes no memory. It does not use the seed's random numbers.
func (s *Sandbox) formToken(l *link, back string, now time.Time) string {
	name, shown := crand.Text(), strconv.FormatInt(now.Unix(), 10)
	return name + "." + shown + "." + s.sign(name, shown, l.alias, back)
}

// checkToken returns the name in a token, "" for a token that is not valid, and whether a
// payment may still be made with it.
func (s *Sandbox) checkToken(token string, l *link, back string, now time.Time) (name string, fresh bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || !hmac.Equal([]byte(parts[2]), []byte(s.sign(parts[0], parts[1], l.alias, back))) {
		return "", false
	}
	shown, err := strconv.ParseInt(parts[1], 10, 64)
	return parts[0], err == nil && !now.After(time.Unix(shown, 0).Add(formLife))
}

func (s *Sandbox) sign(parts ...string) string {
	h := hmac.New(sha256.New, s.signKey[:])
	h.Write([]byte(strings.Join(parts, "\n"))) // none of them contains a line end
	return hex.EncodeToString(h.Sum(nil))
}
