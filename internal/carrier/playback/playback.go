// Package playback streams the sound of a recording from its carrier to a listener. No recording is
// ever in memory as a whole.
package playback

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
)

const (
	bufferSize = 64 << 10
	// patience is how long a listener may take for one buffer. The connection to the carrier stays
	// open meanwhile.
	patience = time.Minute
)

// Serve sends a sound with name as its file name, without the extension, and closes the sound. It
// returns an error if the sound broke off after its beginning was sent. The caller must then break
// the connection with panic(http.ErrAbortHandler).
func Serve(w http.ResponseWriter, sound *carrier.Sound, name string) error {
	defer sound.Body.Close()
	h := w.Header()
	h.Set("Content-Type", sound.Type)
	h.Set(
		"Content-Disposition",
		mime.FormatMediaType("inline", map[string]string{"filename": name + ending(sound.Type)}),
	)
	h.Set("Cache-Control", "no-store") // a deleted recording must not be heard again
	h.Set("X-Content-Type-Options", "nosniff")
	if sound.Parts {
		h.Set("Accept-Ranges", "bytes")
	}
	if sound.Length >= 0 {
		h.Set("Content-Length", strconv.FormatInt(sound.Length, 10))
	}
	status := http.StatusOK
	if sound.Part != "" {
		h.Set("Content-Range", sound.Part)
		status = http.StatusPartialContent
	}
	w.WriteHeader(status)

	out, buffer := http.NewResponseController(w), make([]byte, bufferSize)
	for {
		n, err := sound.Body.Read(buffer)
		if n > 0 {
			_ = out.SetWriteDeadline(time.Now().Add(patience)) // some writers in tests have no deadline
			if _, err := w.Write(buffer[:n]); err != nil {
				return fmt.Errorf("send a recording: %w", err)
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("fetch a recording: %w", err)
		}
	}
}

// ending returns the file extension for a media type.
func ending(kind string) string {
	switch kind {
	case "audio/mpeg":
		return ".mp3"
	case "audio/ogg":
		return ".ogg"
	}
	return "." + strings.TrimPrefix(kind, "audio/")
}
