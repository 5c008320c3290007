package export

import (
	"fmt"
	"mime"
	"net/http"
	"time"
)

// patience is how long a client may take to receive bufferSize bytes. Nothing else waits for the client: while data
// is sent, no row is read, and no database connection is in use.
const patience = 30 * time.Second

// Writer sends a file in parts of at most bufferSize, each with its own deadline.
type Writer struct {
	w     http.ResponseWriter
	begun bool // a part of the file was sent
}

// NewWriter returns a Writer that sends to w.
func NewWriter(w http.ResponseWriter) *Writer { return &Writer{w: w} }

// Write implements io.Writer.
func (o *Writer) Write(p []byte) (n int, err error) {
	out := http.NewResponseController(o.w)
	for len(p) > 0 {
		part := p[:min(len(p), bufferSize)]
		o.begun = true
		_ = out.SetWriteDeadline(time.Now().Add(patience)) // some writers in tests do not support it
		sent, err := o.w.Write(part)
		if n += sent; err != nil {
			return n, fmt.Errorf("send a file: %w", err)
		}
		if err := out.Flush(); err != nil {
			return n, fmt.Errorf("send a file: %w", err)
		}
		p = p[len(part):]
	}
	return n, nil
}

// Failed returns err as a CutError if a part of the file was sent, otherwise unchanged, so that the caller can
// answer it.
func (o *Writer) Failed(err error) error {
	if err != nil && o.begun {
		return &CutError{cause: err}
	}
	return err
}

// CutError is the reason why a file ended early, after its beginning was sent. The caller must also break the
// connection with panic(http.ErrAbortHandler), so that the client does not treat the file as complete.
type CutError struct{ cause error }

func (e *CutError) Error() string { return "the file broke off: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *CutError) Unwrap() error { return e.cause }

// Attachment is the Content-Disposition of a file that a browser saves under a name.
func Attachment(name string) string {
	return mime.FormatMediaType("attachment", map[string]string{"filename": name})
}
