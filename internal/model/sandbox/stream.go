package sandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/conversation"
)

// stream writes one answer, with its fault.
type stream struct {
	w       http.ResponseWriter
	flush   *http.ResponseController
	dialect dialect
	fault   fault
	model   string
	wait    time.Duration
	done    <-chan struct{}
	sent    int // events

	// Of Anthropic's dialect:
	blocks int  // that have ended
	worded bool // the current one has words
}

func (s *stream) sleep(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.done:
		return false
	}
}

// event writes lines as one event.
func (s *stream) event(lines ...string) bool {
	end := "\n"
	if s.fault.crlf {
		end = "\r\n"
	}
	s.sent++
	text := strings.Join(lines, end) + end + end
	for len(text) > 0 {
		size := len(text)
		if s.fault.split { // up to the next byte that is not ASCII, and this byte
			size = min(strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })+1, size)
			if size == 0 {
				size = len(text)
			}
		}
		if _, err := io.WriteString(s.w, text[:size]); err != nil || s.flush.Flush() != nil {
			return false
		}
		text = text[size:]
	}
	return true
}

func (s *stream) write(a reply, q request) {
	if !s.dialect.begin(s, q) {
		return
	}
	if s.fault.refusal {
		s.dialect.refusal(s)
		s.dialect.finish(s, refused, q, a.text)
		return
	}
	if s.fault.empty {
		s.dialect.finish(s, stopped, q, "")
		return
	}
	if s.fault.talksOnly {
		if a.tool != "" && a.text == "" {
			a.text = conversation.LinesOf(read(q).language).Goodbye
		}
		a.tool = ""
	}
	if s.fault.hours && a.arguments["named"] != nil {
		a.arguments["named"] = namedHour
	}
	if s.fault.card {
		a.text = "Sure, the card is 4111 1111 1111 1111. " + a.text
	}
	if s.fault.split {
		a.text = "Très bien, 好的. " + a.text
	}
	arguments, _ := json.Marshal(a.arguments)
	if q.forced != "" && !s.fault.prose {
		a.tool, arguments, a.text = q.forced, []byte(a.text), ""
	}
	for i, word := range strings.SplitAfter(a.text, " ") {
		for n := 0; n == 0 || s.fault.endless; n++ {
			if i+n > 0 && !s.sleep(s.wait) || word != "" && !s.dialect.word(s, word) {
				return
			}
		}
		if i == 1 && s.fault.after != nil {
			s.fault.after(s)
			return
		}
	}
	if s.fault.after != nil {
		s.fault.after(s)
		return
	}
	reason := stopped
	if a.tool != "" {
		reason = called
		text := string(arguments)
		if s.fault.brokenArguments && q.forced == "" {
			text = strings.TrimSuffix(text, "}")
		}
		s.dialect.call(s, a.tool, text)
	}
	if s.fault.length {
		reason = cut
	}
	s.dialect.finish(s, reason, q, a.text)
}

// Why an answer ends, in the words of chat completions.
const (
	stopped = "stop"
	called  = "tool_calls"
	cut     = "length"
	refused = "refusal"
)

// fragments are the arguments of a tool as events have them: a few characters each.
func fragments(arguments string) []string {
	const size = 12
	var parts []string
	for part := range slices.Chunk([]rune(arguments), size) {
		parts = append(parts, string(part))
	}
	return parts
}
