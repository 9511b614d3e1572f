package faulttest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"paydesk/api/sandbox"
)

// A response writes an answer wrongly on purpose. A fault that needs the connection itself panics with
// http.ErrAbortHandler where there is none, as in a recorder.
type response struct{ sandbox.Response }

const (
	silenceLimit       = 2 * time.Minute  // before a silent connection is closed
	writeLimit         = 30 * time.Second // per write
	dripInterval       = time.Second
	blockSize          = 32 << 10
	headerSize         = 9 << 20
	informationalCount = 1000
)

const jsonType = "application/json; charset=utf-8"

// connection hijacks the connection from the server.
func (e response) connection() net.Conn {
	c, _, err := http.NewResponseController(e.Writer).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	c.SetDeadline(time.Now().Add(writeLimit))
	return c
}

// reset ends the connection with a TCP reset.
func (e response) reset() {
	c := e.connection()
	defer c.Close()
	if t, is := c.(interface{ SetLinger(int) error }); is {
		t.SetLinger(0)
	}
}

// silence sends nothing until the client disconnects.
func (e response) silence() {
	ctx, stop := context.WithTimeout(e.Request.Context(), silenceLimit)
	defer stop()
	<-ctx.Done()
	panic(http.ErrAbortHandler)
}

// head is the start of a response as sent over the wire.
func head(status int, header string) string {
	const format = "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n%s\r\n"
	return fmt.Sprintf(format, status, http.StatusText(status), jsonType, header)
}

func length(n int) string { return "Content-Length: " + strconv.Itoa(n) + "\r\n" }

// writeRaw writes to the connection and closes it.
func (e response) writeRaw(parts ...string) {
	c := e.connection()
	defer c.Close()
	io.WriteString(c, strings.Join(parts, ""))
}

// headersOnly promises a body that never comes.
func (e response) headersOnly() { e.writeRaw(head(http.StatusOK, length(400))) }

// cutShort sends half of the body that Content-Length promises.
func (e response) cutShort() {
	e.writeRaw(head(e.Status, length(len(e.Text))), string(e.Text[:len(e.Text)/2]))
}

// unterminatedChunks sends the whole body as one chunk, without the final empty chunk.
func (e response) unterminatedChunks() {
	chunk := fmt.Sprintf("%x\r\n%s\r\n", len(e.Text), e.Text)
	e.writeRaw(head(e.Status, "Transfer-Encoding: chunked\r\n"), chunk)
}

// largeHeader sends more than a client should read before the body.
func (e response) largeHeader() {
	line := "X-Filler: " + strings.Repeat("a", 1000) + "\r\n"
	filler := strings.Repeat(line, headerSize/len(line)+1)
	e.writeRaw(head(e.Status, filler+length(len(e.Text))), string(e.Text))
}

// informational sends responses that may precede the final one in any number.
func (e response) informational() {
	hints := strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", informationalCount)
	e.writeRaw(hints, head(e.Status, length(len(e.Text))), string(e.Text))
}

// drip sends the body one byte at a time.
func (e response) drip() {
	e.writeHeader(e.Status, jsonType, int64(len(e.Text)))
	for i := range e.Text {
		if _, err := e.Write(e.Text[i : i+1]); err != nil {
			break
		}
		select {
		case <-e.Request.Context().Done():
			panic(http.ErrAbortHandler)
		case <-time.After(dripInterval):
		}
	}
}

// writeHeader sends the status and headers; size is -1 for no Content-Length.
func (e response) writeHeader(status int, contentType string, size int64) {
	h := e.Writer.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", contentType)
	if size >= 0 {
		h.Set("Content-Length", strconv.FormatInt(size, 10))
	}
	e.Writer.WriteHeader(status)
}

// Write sends b immediately, with a new write deadline.
func (e response) Write(b []byte) (int, error) {
	c := http.NewResponseController(e.Writer)
	c.SetWriteDeadline(time.Now().Add(writeLimit))
	n, err := e.Writer.Write(b)
	if err == nil {
		err = c.Flush()
	}
	return n, err
}

// send sends a complete response with the given body.
func (e response) send(status int, contentType string, text []byte) {
	e.writeHeader(status, contentType, int64(len(text)))
	e.Writer.Write(text)
}

const textType = "text/plain; charset=utf-8"

func (e response) plainText() { e.send(e.Status, textType, e.Text) }

// html200 is a page as portals send it instead of the response.
func (e response) html200() {
	e.send(http.StatusOK, "text/html", []byte("<!doctype html><html><head><title>Welcome</title></head><body><h1>Welcome</h1></body></html>\n"))
}

// byteOrderMark sends a prefix that JSON does not allow (RFC 8259, 8.1).
func (e response) byteOrderMark() {
	e.send(e.Status, jsonType, append([]byte("\ufeff"), e.Text...))
}

// hugeBody fills memory unless the client limits what it reads. It is generated while it is sent.
func (e response) hugeBody() {
	const size = 2 << 30
	block := strings.Repeat("a", blockSize)
	e.writeHeader(http.StatusOK, jsonType, -1)
	w := bufio.NewWriterSize(e, blockSize)
	w.WriteString(`{"isSuccess":true,"status":true,"message":"`)
	for range size / blockSize {
		if _, err := w.WriteString(block); err != nil {
			return
		}
	}
	w.WriteString(`"}`)
	w.Flush()
}

// deep adds a member that nests deeper than a parser that calls itself should follow.
func (e response) deep() {
	const nesting = 10_000 // and the answer itself is one level
	inside := strings.Repeat("[", nesting) + strings.Repeat("]", nesting)
	e.send(e.Status, jsonType, []byte(add(string(e.Text), "deep", inside)))
}
