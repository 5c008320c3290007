package twilio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/testwait"
)

// streams returns a host that begins a stream, passes it on and then listens.
func streams(opt carrier.SayOptions) (*carriertest.Host, chan carrier.Speech) {
	host, begun := carriertest.NewHost(), make(chan carrier.Speech, 1)
	host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		_, s, _ := line.Stream(ctx, opt)
		begun <- s
		for {
			if _, err := host.Listen(ctx, callID, line); err != nil {
				return
			}
		}
	}
	return host, begun
}

// Each token is sent when the next one comes, as the relay takes it.
func TestTokensOfAStream(t *testing.T) {
	t.Parallel()
	pronounced := []speech.Pronunciation{
		{Word: "SQL Server", Spoken: "sequel server"}, {Word: "Xavier", Spoken: "Zay vee er"},
	}
	for name, c := range map[string]struct {
		provider speech.Provider
		writes   []string
		want     []string
	}{
		"words":       {"", []string{"Hello ", "there", ", Ada", "."}, []string{"Hello ", "there, ", "Ada."}},
		"one word":    {"", []string{"Yes."}, []string{"Yes."}},
		"sentences":   {"", []string{"Sure, I can help. ", "When?"}, []string{"Sure, I can ", "help. ", "When?"}},
		"punctuation": {"", []string{"— ", "Hello", " …", " there", " . "}, []string{"— Hello … ", "there . "}},
		"markup": {
			"", []string{"Ada & <friends> ", "of ", "Acme ", "& ", "Co & "},
			[]string{"Ada  and  ", " friends ", "of ", "Acme  and  ", "Co  and  "},
		},
		"markup, escaped": {
			speech.Amazon, []string{"Ada & <b>", " of", " Acme"}, []string{"Ada &amp; ", "&lt;b&gt; ", "of ", "Acme"},
		},
		"pronunciations": {
			"", []string{"Use SQL", " Server", ", Xavier", " or", " SQL", " then"},
			[]string{"Use ", "sequel server, ", "Zay vee er ", "or ", "SQL ", "then"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host, begun := streams(carrier.SayOptions{Language: "de-DE", Uninterruptible: true})
			host.Manner.Speech.Provider, host.Manner.Speech.Pronunciations = c.provider, pronounced
			conn, _ := relayOf(t, host)
			write(t, conn, setup)
			s := <-begun
			for _, text := range c.writes {
				if err := s.Write(text); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			var got []string
			for last := false; !last; {
				_, data, err := conn.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				var f frame
				if err := json.Unmarshal(data, &f); err != nil || f.Lang != "de-DE" ||
					f.Interruptible == nil || *f.Interruptible {
					t.Fatalf("frame %s", data)
				}
				got, last = append(got, f.Token), *f.Last
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("tokens %q, want %q", got, c.want)
			}
		})
	}
}

const (
	on  = `{"type":"info","name":"agentSpeaking","value":"on"}`
	off = `{"type":"info","name":"agentSpeaking","value":"off"}`
)

func played(words string) string {
	return fmt.Sprintf(`{"type":"info","name":"tokensPlayed","value":%q}`, words)
}

// The text of a stream is "One two three" and, if it is closed, " four." Frames come before and after Close.
func TestReportsOnAStream(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after []string
		closed        bool
		want          carrier.Spoken
	}{
		"a pause is no end": {
			[]string{on, played("One two"), off}, []string{on, played("three four."), off}, true,
			carrier.Spoken{Text: "One two three four.", Confirmed: true},
		},
		"a late report of a pause": {
			[]string{on, played("One two")}, []string{off, on, played("three four."), off}, true,
			carrier.Spoken{Text: "One two three four.", Confirmed: true},
		},
		"spelled differently": {
			[]string{on, played("1 2"), off}, []string{on, played("3 4"), off}, true,
			carrier.Spoken{Text: "One two three four.", Confirmed: true},
		},
		"interrupted in a pause": {
			[]string{on, played("One two"), off, `{"type":"interrupt","utteranceUntilInterrupt":"One two"}`},
			nil, false,
			carrier.Spoken{Text: "One two", Cut: carrier.CutRecipient, Confirmed: true},
		},
		"interrupted after the text": {
			[]string{on}, []string{`{"type":"interrupt","utteranceUntilInterrupt":"One two three"}`}, true,
			carrier.Spoken{Text: "One two three", Cut: carrier.CutRecipient, Confirmed: true},
		},
		"refused": {
			[]string{`{"type":"error","description":"64107: no"}`}, nil, false,
			carrier.Spoken{Cut: carrier.CutRefused, Confirmed: true},
		},
		"lost": {
			[]string{on, played("One")}, nil, false,
			carrier.Spoken{Text: "One", Cut: carrier.CutClosed, Confirmed: true},
		},
		"answered without reports": {
			[]string{`{"type":"prompt","voicePrompt":"Hello"}`},
			[]string{`{"type":"prompt","voicePrompt":"Hello"}`}, true,
			carrier.Spoken{Text: "One two three four."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host, begun := streams(carrier.SayOptions{})
			conn, _ := relayOf(t, host)
			write(t, conn, setup)
			s := <-begun
			_ = s.Write("One two three")
			if _, data, err := conn.Read(t.Context()); err != nil ||
				!strings.Contains(string(data), `"token":"One two ","last":false`) {
				t.Fatal(string(data), err)
			}
			write(t, conn, append(c.before, `{"type":"dtmf","digit":"1"}`)...) // the digit comes after them
			v := host.Until(t, callID, "the digit", func(v carriertest.View) bool {
				return len(carriertest.All[carrier.Digit](v)) == 1
			})
			if c.closed {
				if n := len(carriertest.All[carrier.Spoken](v)); n != 0 {
					t.Fatalf("over before its text was complete: %+v", v.Heard)
				}
				_ = s.Write(" four.")
				_ = s.Close()
			}
			write(t, conn, c.after...)
			if c.want.Cut == carrier.CutClosed {
				_ = conn.CloseNow()
			}
			v = host.Until(t, callID, "its end", func(v carriertest.View) bool {
				return len(carriertest.All[carrier.Spoken](v)) == 1
			})
			got := carriertest.All[carrier.Spoken](v)[0]
			got.Start, got.End, c.want.Utterance = time.Time{}, time.Time{}, 1
			if got != c.want {
				t.Errorf("spoken %+v, want %+v", got, c.want)
			}
			if err := s.Write("more"); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("written after its end: %v", err)
			}
		})
	}
}

// A refused stream is closed at the relay, so that the next utterance is not added to it, and all of its
// refused tokens count as one refusal.
func TestARefusedStream(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	_, s, _ := h.Stream(t.Context(), carrier.SayOptions{})
	_, _ = s.Write("One two three "), s.Write("four five ")
	for range 3 {
		h.takes(frame{Type: "error", Description: "64107: no"})
	}
	if h.reason != "" || h.refusals != 1 || h.stray != 0 {
		t.Errorf("reason %q after %d refusals", h.reason, h.refusals)
	}
	_, _ = h.Say(t.Context(), "Six.", carrier.SayOptions{})
	h.takes(frame{Type: "error", Description: "64107: no"})
	if h.reason != carrier.CloseFailed {
		t.Errorf("reason %q", h.reason)
	}
}

// Reports on the words before a pause are no reports on the words after it.
func TestAPauseInAStream(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	now := time.Now()
	h.now = func() time.Time { return now }
	_, s, _ := h.Stream(t.Context(), carrier.SayOptions{})
	_ = s.Write("One two three ")
	h.reports("agentSpeaking", "on")
	h.plays(2)
	h.reports("agentSpeaking", "off")
	_, _ = s.Write("four."), s.Close()
	h.plays(2)
	if len(h.heard) != 0 {
		t.Fatalf("the silence of the pause ended it: %+v", h.heard)
	}
	h.reports("agentSpeaking", "off")
	if len(h.heard) != 1 {
		t.Fatalf("heard %+v", h.heard)
	}

	_, s, _ = h.Stream(t.Context(), carrier.SayOptions{})
	_ = s.Write("One two three ")
	h.reports("agentSpeaking", "on")
	_ = s.Close()
	now = now.Add(time.Second)
	h.reports("agentSpeaking", "off") // may have been on its way when the last word was sent
	if got := h.current.lull(); got != resumeTime-time.Second {
		t.Errorf("waits %v", got)
	}
	now = now.Add(time.Minute)
	h.reports("agentSpeaking", "off")
	if got := h.current.lull(); got != settleTime {
		t.Errorf("waits %v", got)
	}
	h.elapses()
	if x, ok := h.heard[1].(carrier.Spoken); !ok || x.Text != "One two three " || !x.Confirmed {
		t.Errorf("heard %+v", h.heard[1])
	}
}

// Nothing is sent of a flushed text that only had a word, and an utterance without words cuts nothing off.
func TestFlushOfLittle(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	_, s, _ := h.Stream(t.Context(), carrier.SayOptions{})
	_ = s.Write("Hello")
	_ = h.Flush(t.Context())
	if len(h.heard) != 1 || h.heard[0] != (carrier.Spoken{Utterance: 1, Cut: carrier.CutFlushed, Confirmed: true}) {
		t.Errorf("heard %+v", h.heard)
	}
	_, _ = h.Say(t.Context(), "Hello there.", carrier.SayOptions{})
	_ = h.Flush(t.Context())
	_, _ = h.Say(t.Context(), "…", carrier.SayOptions{})
	if _, s, _ = h.Stream(t.Context(), carrier.SayOptions{}); len(h.heard) != 1 {
		t.Errorf("cut off by silence: %+v", h.heard)
	}
	h.reports("agentSpeaking", "on")
	h.plays(2)
	h.reports("agentSpeaking", "off")
	_ = s.Abandon()
	for i, want := range []string{"Hello there.", "…", ""} {
		x, ok := h.heard[i+1].(carrier.Spoken)
		if !ok || x.Utterance != i+2 || x.Text != want || x.Cut != carrier.CutNot || !x.Confirmed {
			t.Errorf("heard %+v, want %q", h.heard[i+1], want)
		}
	}
}

// harness is a line whose relay is the test.
type harness struct{ *line }

// newHarness makes a line whose frames are discarded.
func newHarness(tb testing.TB) harness {
	tb.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		for err == nil {
			_, _, err = conn.Read(context.Background())
		}
	}))
	tb.Cleanup(server.Close)
	conn, _, err := websocket.Dial(tb.Context(), server.URL, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.CloseNow() })
	return harness{newLine(conn, "CA1", carrier.Manner{
		Language: "en-US", Speech: speech.Settings{Pronunciations: []speech.Pronunciation{
			{Word: "Xavier", Spoken: "Zay vee er"}, {Word: "SQL Server", Spoken: "sequel server"},
		}},
	}, time.Now, slog.New(slog.DiscardHandler))}
}

// again returns a new line on the same socket.
func (h harness) again() harness { return harness{newLine(h.conn, h.sid, h.manner, h.now, h.log)} }

func (h harness) takes(f frame) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.take(f)
}

func (h harness) reports(name, value string) {
	data, _ := json.Marshal(value)
	h.takes(frame{Type: "info", Name: name, Value: data})
}

// plays reports the next n words of what was sent as played.
func (h harness) plays(n int) {
	h.mu.Lock()
	var unplayed string
	if u := h.current; u != nil {
		unplayed = h.voice.token(u.Spoken[:u.sent])
		for n := 0; n < u.played; { // skip what was reported
			word := unplayed[:1+strings.IndexAny(unplayed[1:]+" ", " ")]
			n, unplayed = n+len(speech.Sound(word)), unplayed[len(word):]
		}
	}
	h.mu.Unlock()
	words := strings.Fields(unplayed)
	h.reports("tokensPlayed", strings.Join(words[:min(n, len(words))], " "))
}

// elapses has the line's timer fire, if there is one.
func (h harness) elapses() {
	h.mu.Lock()
	timer, timing := h.timer, h.timing
	h.mu.Unlock()
	if timer == nil {
		return
	}
	timer.Reset(0)
	deadline := time.Now().Add(testwait.Limit)
	for passed := false; !passed; time.Sleep(time.Microsecond) {
		if time.Now().After(deadline) {
			panic("the line's timer does not fire")
		}
		h.mu.Lock()
		passed = h.timing != timing
		h.mu.Unlock()
	}
}

var vocabulary = []string{
	"Hello ", "there, ", "Xavier. ", "SQL ", "Server ", "is ", "Größe ", "A\u030ase ", "& ", "<b> ", "… ", "9:30 ",
	"e.g. ", "l", " o ",
}

func phrase(r *rand.Rand, n int) string {
	var text strings.Builder
	for range n {
		text.WriteString(vocabulary[r.IntN(len(vocabulary))])
	}
	return text.String()
}

// A text that is played to its end is reported as it was written, however it was cut and whatever was
// reported in which order.
func TestAnySplitOfAText(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for seed := range uint64(500) {
		r, h := rand.New(rand.NewPCG(seed, 1)), h.again()
		text := phrase(r, 1+r.IntN(30))
		_, s, _ := h.Stream(t.Context(), carrier.SayOptions{})
		said := speech.Sound(h.voice.words.Render(text).Spoken) != ""
		report := func() {
			switch r.IntN(4) {
			case 0:
				h.reports("agentSpeaking", "on")
			case 1:
				h.reports("agentSpeaking", "off")
			case 2:
				h.plays(1 + r.IntN(4))
			}
		}
		for rest := []rune(text); len(rest) > 0; report() {
			n := min(1+r.IntN(12), len(rest))
			if err := s.Write(string(rest[:n])); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			rest = rest[n:]
		}
		if len(h.heard) != 0 {
			t.Fatalf("seed %d: over before its text was complete: %+v", seed, h.heard)
		}
		_ = s.Close()
		if said {
			h.reports("agentSpeaking", "on")
			h.plays(len(text))
			h.reports("agentSpeaking", "off")
		}
		if len(h.heard) != 1 {
			t.Fatalf("seed %d: %d heard of %q", seed, len(h.heard), text)
		}
		x, ok := h.heard[0].(carrier.Spoken)
		if !ok || x.Text != norm.NFC.String(text) || x.Cut != carrier.CutNot || !x.Confirmed {
			t.Fatalf("seed %d: %+v of %q", seed, h.heard[0], text)
		}
	}
}

// Whatever happens in whatever order, each utterance has exactly one Spoken, in order and before
// Closed, and it has a beginning of the text.
func TestAnyOrderOfEvents(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for seed := range uint64(400) {
		anyOrder(t, seed, h.again())
	}
}

func anyOrder(t *testing.T, seed uint64, h harness) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	texts := []string{""} // by number
	type open struct {
		carrier.Speech
		number int
	}
	var all []open
	some := func(do func(open)) {
		if len(all) > 0 {
			do(all[len(all)-1-r.IntN(min(3, len(all)))])
		}
	}
	garbled := false
	for range r.IntN(120) {
		switch r.IntN(20) {
		case 0, 1:
			text := phrase(r, r.IntN(6))
			if _, err := h.Say(t.Context(), text, carrier.SayOptions{Uninterruptible: r.IntN(2) == 0}); err == nil {
				texts = append(texts, text)
			}
		case 2, 3:
			if n, s, err := h.Stream(t.Context(), carrier.SayOptions{}); err == nil {
				texts, all = append(texts, ""), append(all, open{s, n})
			}
		case 4, 5, 6, 7:
			some(func(o open) {
				if text := phrase(r, r.IntN(5)); o.Write(text) == nil {
					texts[o.number] += text
				}
			})
		case 8:
			some(func(o open) { _ = o.Close() })
		case 9:
			some(func(o open) { _ = o.Abandon() })
		case 10:
			_ = h.Flush(t.Context())
		case 11:
			h.takes(frame{Type: "interrupt"})
		case 12:
			if r.IntN(4) == 0 {
				garbled = true // an interruption with other words is reported with these
				h.takes(frame{Type: "interrupt", UtteranceUntilInterrupt: phrase(r, 3)})
			}
		case 13, 14:
			h.reports("agentSpeaking", "on")
		case 15:
			h.reports("agentSpeaking", "off")
		case 16:
			h.plays(1 + r.IntN(5))
		case 17:
			h.reports("tokensPlayed", phrase(r, 2))
		case 18:
			h.takes(frame{Type: []string{"error", "prompt"}[r.IntN(8)/7]})
		case 19:
			h.elapses()
		}
	}
	h.end(io.EOF)
	if h.timer != nil {
		t.Fatalf("seed %d: a timer goes on", seed)
	}
	for _, o := range all {
		if err := o.Write("x"); !errors.Is(err, io.ErrClosedPipe) {
			t.Fatalf("seed %d: written to a closed line: %v", seed, err)
		}
		_, _ = o.Close(), o.Abandon()
	}
	spoken, closed := 0, false
	for {
		heard, err := h.Next(t.Context())
		if err != nil {
			break
		}
		switch x := heard.(type) {
		case carrier.Spoken:
			spoken++
			if x.Utterance != spoken || closed {
				t.Fatalf("seed %d: Spoken of %d where %d was due", seed, x.Utterance, spoken)
			}
			if whole := norm.NFC.String(texts[spoken]); !garbled && !strings.HasPrefix(whole, x.Text) {
				t.Fatalf("seed %d: %q was played of %q", seed, x.Text, whole)
			}
		case carrier.Closed:
			closed = true
		}
	}
	if !closed || spoken != len(texts)-1 {
		t.Fatalf("seed %d: %d of %d utterances, closed %t", seed, spoken, len(texts)-1, closed)
	}
}

// Texts are written while the relay reports and the conversation listens.
func TestStreamsOfSeveralGoroutines(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	const utterances = 20
	var wg sync.WaitGroup
	for i := range utterances {
		_, s, _ := h.Stream(t.Context(), carrier.SayOptions{})
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 3))
			for range 10 {
				_ = s.Write(phrase(r, 2))
			}
			_ = []func() error{s.Close, s.Abandon}[i%2]()
		})
	}
	wg.Go(func() {
		for range 200 {
			h.reports("agentSpeaking", "on")
			h.plays(5)
			h.reports("agentSpeaking", "off")
		}
	})
	wg.Wait()
	h.end(io.EOF)
	for i := 1; i <= utterances; i++ {
		if heard, err := h.Next(t.Context()); err != nil || heard.(carrier.Spoken).Utterance != i {
			t.Fatalf("%+v, %v where %d was due", heard, err, i)
		}
	}
}

// BenchmarkStream says a reply of 600 characters word by word, and takes the reports on it.
func BenchmarkStream(b *testing.B) {
	words := strings.SplitAfter(strings.Repeat("Xavier will see you on Monday at half past nine. ", 12)+"Okay?", " ")
	h := newHarness(b)
	b.ReportAllocs()
	tokens := 0
	for b.Loop() {
		h := h.again()
		_, s, _ := h.Stream(b.Context(), carrier.SayOptions{})
		for _, word := range words {
			_ = s.Write(word)
		}
		_ = s.Close()
		h.reports("agentSpeaking", "on")
		h.plays(2 * len(words)) // some are spoken as several
		h.reports("agentSpeaking", "off")
		if len(h.heard) != 1 {
			b.Fatalf("heard %+v", h.heard)
		}
		tokens += len(words)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tokens), "ns/token")
}
