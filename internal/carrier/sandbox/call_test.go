package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/dialwright/dialwright/internal/testwait"
)

// product answers the callbacks of a call. It asks one question on the line and says goodbye after
// the answer.
type product struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []url.Values // status callbacks
	machine  []url.Values // results of the machine detection
	ended    []url.Values // ends of sessions
	recorded []url.Values
	frames   []map[string]any
	parting  string // said by the carrier when a session fails; empty: the line is opened again
	voice    string
}

func newProduct(t *testing.T, language string) *product {
	t.Helper()
	p := &product{}
	mux := http.NewServeMux()
	note := func(list *[]url.Values) http.HandlerFunc {
		return func(_ http.ResponseWriter, r *http.Request) {
			_ = r.ParseForm()
			p.mu.Lock()
			defer p.mu.Unlock()
			*list = append(*list, r.PostForm)
		}
	}
	mux.HandleFunc("/status", note(&p.statuses))
	mux.HandleFunc("/machine", note(&p.machine))
	mux.HandleFunc("/recorded", note(&p.recorded))
	connect := func(w http.ResponseWriter) {
		fmt.Fprintf(w, `<Response><Pause length="1"/><Connect action="%s/ended"><ConversationRelay url="%s/line" `+
			`language="%s" voice="%s"
			dtmfDetection="true" interruptible="any" events="speaker-events tokens-played"><Parameter name="n" `+
			`value="5"/></ConversationRelay></Connect></Response>`,
			p.URL, strings.Replace(p.URL, "http", "ws", 1), language, p.voice)
	}
	mux.HandleFunc("/voice", func(w http.ResponseWriter, _ *http.Request) { connect(w) })
	mux.HandleFunc("/ended", func(w http.ResponseWriter, r *http.Request) {
		note(&p.ended)(w, r)
		switch code := r.PostForm.Get("ErrorCode"); {
		case p.parting != "" && (code != "" || r.PostForm.Get("HandoffData") != ""):
			_, _ = w.Write([]byte(`<Response><Say language="en-US"> ` + p.parting + `</Say><Hangup/></Response>`))
			return
		case r.PostForm.Get("SessionStatus") == "failed":
			connect(w)
			return
		}
		_, _ = w.Write([]byte(`<Response><Hangup/></Response>`))
	})
	mux.HandleFunc("/line", func(w http.ResponseWriter, r *http.Request) { p.line(t, w, r) })
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func (p *product) line(t *testing.T, w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.CloseNow()
	send := func(message string) { _ = conn.Write(r.Context(), websocket.MessageText, []byte(message)) }
	for {
		_, data, err := conn.Read(r.Context())
		if err != nil {
			return
		}
		var f map[string]any
		if err := json.Unmarshal(data, &f); err != nil {
			t.Error(err)
			return
		}
		p.mu.Lock()
		p.frames = append(p.frames, f)
		p.mu.Unlock()
		switch f["type"] {
		case "setup":
			send(`{"type":"text","token":"Hello, this is the clinic calling about your appointment. ","last":false}`)
			send(`{"type":"text","token":"Will you come?","last":true}`)
		case "dtmf", "prompt":
			send(`{"type":"text","token":"Thanks.","last":true}`)
			send(`{"type":"end","handoffData":"x"}`)
		}
	}
}

// take places a call to a reserved number. If hangUpWhen is set, take hangs up when it returns
// true. Then take waits for the end of the call and for its callbacks.
func (p *product) take(t *testing.T, outcome string, more url.Values, hangUpWhen func(Dial) bool) (*Network, Dial) {
	t.Helper()
	n := open(t, Options{Speed: 30})
	form := url.Values{
		"Url":                     {p.URL + "/voice"},
		"StatusCallback":          {p.URL + "/status"},
		"StatusCallbackEvent":     {"initiated", "ringing", "answered", "completed"},
		"MachineDetection":        {"Enable"},
		"AsyncAmdStatusCallback":  {p.URL + "/machine"},
		"Record":                  {"true"},
		"RecordingStatusCallback": {p.URL + "/recorded"},
	}
	for k, v := range more {
		form[k] = v
	}
	status, answer := dial(t, n, "+15005"+outcome+"1234", form)
	if status != 201 {
		t.Fatal(answer)
	}
	if hangUpWhen != nil {
		await(t, "the call", func() bool { return hangUpWhen(n.Dials()[0]) && p.detected() })
		path := "/2010-04-01/Accounts/" + account + "/Calls/" + fmt.Sprint(answer["sid"]) + ".json"
		if status, answer := request(t, n, http.MethodPost, path, url.Values{"Status": {"completed"}}); status != 200 {
			t.Fatal(answer)
		}
	}
	await(t, "the last callback", func() bool {
		d := n.Dials()[0]
		p.mu.Lock()
		defer p.mu.Unlock()
		return d.EndedAt != nil && p.final() != nil && (d.Status != "completed" || len(p.recorded) > 0)
	})
	return n, n.Dials()[0]
}

// await polls until so returns true.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(testwait.Limit); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) || t.Context().Err() != nil {
			t.Fatalf("%s does not come", what)
		}
	}
}

// detected reports whether machine detection has reported its result.
func (p *product) detected() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.machine) > 0
}

// final returns the callback of the end of the call. The caller holds p.mu.
func (p *product) final() url.Values {
	for _, f := range p.statuses {
		if !slices.Contains([]string{"initiated", "ringing", "in-progress"}, f.Get("CallStatus")) {
			return f
		}
	}
	return nil
}

func (p *product) told() (names []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.statuses {
		names = append(names, f.Get("CallStatus"))
	}
	return names
}

func TestACall(t *testing.T) {
	t.Parallel()
	p := newProduct(t, "en-US")
	n, d := p.take(t, "00", nil, nil)
	if got := strings.Join(p.told(), " "); got != "initiated ringing in-progress completed" {
		t.Errorf("told %s", got)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, f := range p.statuses {
		if f.Get("SequenceNumber") != fmt.Sprint(i) || f.Get("CallSid") != d.CallSID ||
			f.Get("AccountSid") != account ||
			f.Get("To") != "+15005001234" || f.Get("From") != "+14155550100" ||
			f.Get("CallbackSource") != "call-progress-events" {
			t.Errorf("%v", f)
		}
	}
	end := p.final()
	if end.Get("AnsweredBy") != "human" || end.Get("CallDuration") == "" || end.Get("CallDuration") == "0" ||
		end.Get("Duration") != "1" || end.Has("SipResponseCode") {
		t.Errorf("the end: %v", end)
	}
	if len(p.machine) != 1 || p.machine[0].Get("AnsweredBy") != "human" ||
		p.machine[0].Get("MachineDetectionDuration") != "1900" {
		t.Errorf("machine detection: %v", p.machine)
	}
	if len(p.ended) != 1 || p.ended[0].Get("SessionStatus") != "ended" || p.ended[0].Has("ErrorCode") {
		t.Errorf("the session: %v", p.ended)
	}
	if s := p.frames[0]; s["type"] != "setup" || s["callSid"] != d.CallSID ||
		s["customParameters"].(map[string]any)["n"] != "5" {
		t.Errorf("the first frame: %v", s)
	}
	played, speaking := "", []string{}
	for _, f := range p.frames {
		switch f["name"] {
		case "tokensPlayed":
			played += fmt.Sprint(f["value"], " ")
		case "agentSpeaking", "clientSpeaking":
			speaking = append(speaking, fmt.Sprint(f["name"], " ", f["value"]))
		}
	}
	const said = "Hello, this is the clinic calling about your appointment. Will you come?"
	if !strings.HasPrefix(played, said+" ") {
		t.Errorf("played %q", played)
	}
	if got := strings.Join(
		speaking[:4], ", ",
	); got != "agentSpeaking on, agentSpeaking off, clientSpeaking on, clientSpeaking off" {
		t.Errorf("%s", got)
	}
	if len(d.Turns) < 2 || d.Turns[0].Who != Agent || d.Turns[0].Text != said || d.Turns[0].Cut ||
		d.Turns[0].Session != 1 ||
		d.Turns[1].Who != Recipient || d.Turns[1].Text == "" || !d.Turns[1].Acknowledged ||
		d.Turns[1].At.Before(d.Turns[1].Began) {
		t.Errorf("turns %+v", d.Turns)
	}
	if d.Status != "completed" || d.Sessions != 1 || d.EndedAt == nil || d.Recording != "completed" {
		t.Errorf("%+v", d)
	}
	_, c := request(t, n, http.MethodGet, "/2010-04-01/Accounts/"+account+"/Calls/"+d.CallSID+".json", nil)
	if c["status"] != "completed" || c["answered_by"] != "human" || c["duration"] != end.Get("CallDuration") ||
		c["start_time"] == nil || c["end_time"] == nil {
		t.Errorf("the call: %v", c)
	}
	today := time.Now().UTC()
	for query, want := range map[string]int{
		"StartTime=" + today.Format(time.DateOnly):                      1,
		"StartTime=" + today.AddDate(0, 0, -2).Format(time.DateOnly):    0,
		"StartTime%3E=" + today.AddDate(0, 0, -1).Format(time.DateOnly): 1,
		"StartTime%3E=" + today.AddDate(0, 0, 2).Format(time.DateOnly):  0,
		"StartTime%3C=" + today.AddDate(0, 0, 1).Format(time.DateOnly):  1,
		"StartTime%3C=" + today.AddDate(0, 0, -2).Format(time.DateOnly): 0,
		"PageSize=0": 1,
	} {
		if _, body := request(
			t, n, http.MethodGet, "/2010-04-01/Accounts/"+account+"/Calls.json?"+query, nil,
		); len(body["calls"].([]any)) != want {
			t.Errorf("%s: %v", query, body["calls"])
		}
	}
}

func TestRecordings(t *testing.T) {
	t.Parallel()
	p := newProduct(t, "en-US")
	n, d := p.take(t, "00", nil, nil)
	const base = "/2010-04-01/Accounts/" + account
	list := func() []any {
		_, body := request(t, n, http.MethodGet, base+"/Calls/"+d.CallSID+"/Recordings.json", nil)
		return body["recordings"].([]any)
	}
	all := list()
	if len(all) != 1 {
		t.Fatalf("%v", all)
	}
	r := all[0].(map[string]any)
	sid := r["sid"].(string)
	p.mu.Lock()
	told := p.recorded[0]
	p.mu.Unlock()
	if r["call_sid"] != d.CallSID || r["channels"] != 2.0 || told.Get("RecordingSid") != sid ||
		told.Get("RecordingDuration") != r["duration"] ||
		!strings.HasSuffix(told.Get("RecordingUrl"), "/Recordings/"+sid) || told.Get("RecordingStatus") != "completed" {
		t.Errorf("%v, told %v", r, told)
	}
	get := func(path, password, ranged string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.SetBasicAuth(account, password)
		if ranged != "" {
			r.Header.Set("Range", ranged)
		}
		w := httptest.NewRecorder()
		n.ServeHTTP(w, r)
		return w
	}
	whole := get(base+"/Recordings/"+sid+".wav", accountToken, "")
	if whole.Code != 200 || whole.Header().Get("Content-Type") != "audio/x-wav" || whole.Body.Len() <= tapeHead {
		t.Errorf("%d %v, %d bytes", whole.Code, whole.Header(), whole.Body.Len())
	}
	if part := get(base+"/Recordings/"+sid+".wav", accountToken, "bytes=40-49"); part.Code != 206 ||
		part.Body.String() != whole.Body.String()[40:50] {
		t.Errorf("a part: %d", part.Code)
	}
	for path, status := range map[string]int{
		base + "/Recordings/" + sid:           404,
		base + "/Recordings/" + sid + "x.wav": 404,
		base + "/Recordings/REnope.wav":       404,
	} {
		if w := get(path, accountToken, ""); w.Code != status {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := get(base+"/Recordings/"+sid+".wav", token, ""); w.Code != 401 {
		t.Errorf("another token: %d", w.Code)
	}
	for _, want := range []int{204, 404} {
		if status, _ := request(t, n, http.MethodDelete, base+"/Recordings/"+sid+".json", nil); status != want {
			t.Errorf("delete: %d, want %d", status, want)
		}
	}
	if len(list()) != 0 || n.Dials()[0].Recording != "deleted" {
		t.Errorf("deleted: %v, %s", list(), n.Dials()[0].Recording)
	}
}

// Every reserved number has its outcome.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[string]struct {
		told, sip, answeredBy string
		more                  url.Values
		turns                 func(d Dial) bool
		hangUp                bool // hang up when turns is true
	}{
		"01": {"initiated busy", "486", "", nil, func(d Dial) bool { return len(d.Turns) == 0 }, false},
		"46": {"initiated failed", "404", "", nil, func(d Dial) bool { return len(d.Turns) == 0 }, false},
		"02": {"initiated ringing no-answer", "487", "", url.Values{"Timeout": {"7"}}, func(d Dial) bool {
			return d.Sessions == 0
		}, false},
		"13": {"initiated ringing no-answer", "487", "", url.Values{"Timeout": {"24"}}, func(d Dial) bool {
			return d.Sessions == 0
		}, false},
		"03": {"initiated ringing in-progress completed", "", "machine_start", nil, func(d Dial) bool {
			return len(d.Turns) > 0 && d.Turns[0].Who == Recipient && strings.Contains(d.Turns[0].Text, "message")
		}, false},
		"04": {"initiated ringing in-progress completed", "", "human", nil, func(d Dial) bool {
			return len(d.Turns) >= 2
		}, false},
		"05": {"initiated ringing in-progress completed", "", "human", nil, func(d Dial) bool {
			return d.Turns[0].Cut && d.Turns[1].Who == Recipient && d.Turns[1].Text == "Sorry, who is this?"
		}, false},
		"06": {"initiated ringing in-progress completed", "", "human", nil, func(d Dial) bool {
			return d.Turns[1].Digit == "9"
		}, false},
		"07": {"initiated ringing in-progress completed", "", "human", nil, func(d Dial) bool {
			return d.Turns[1].Text == "Stop. Please stop calling me."
		}, false},
		"10": {
			"initiated initiated in-progress ringing in-progress ringing completed ringing completed", "", "human",
			nil, func(d Dial) bool { return d.Sessions == 1 }, false,
		},
		"14": {"initiated ringing in-progress completed", "", "", nil, func(d Dial) bool {
			return said(d) > 0
		}, false},
		"18": {"initiated ringing in-progress completed", "", "human", nil, func(d Dial) bool {
			return said(d) > 0
		}, false},
		"21": {"initiated ringing in-progress completed", "", "human", nil, func(d Dial) bool {
			return said(d) > 0
		}, false},
		"22": {"initiated ringing in-progress completed", "", "human", nil, func(d Dial) bool {
			return said(d) > 0
		}, false},
		"12": {"initiated ringing in-progress completed", "", "unknown", nil, func(d Dial) bool {
			return len(d.Turns) == 1 && d.Turns[0].Who == Agent
		}, true},
	} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			p := newProduct(t, "en-US")
			var hangUpWhen func(Dial) bool
			if want.hangUp {
				hangUpWhen = want.turns
			}
			n, d := p.take(t, outcome, want.more, hangUpWhen)
			await(t, want.told, func() bool { return len(p.told()) >= len(strings.Fields(want.told)) })
			n.Close()
			p.mu.Lock()
			end := p.final()
			p.mu.Unlock()
			if got := strings.Join(p.told(), " "); got != want.told {
				t.Errorf("told %s, want %s", got, want.told)
			}
			if end.Get("SipResponseCode") != want.sip ||
				want.answeredBy != "" && end.Get("AnsweredBy") != want.answeredBy {
				t.Errorf("the end: %v", end)
			}
			if code := end.Get("ErrorCode"); (code == "32011") != (outcome == "46") || end.Has("ErrorMessage") {
				t.Errorf("ErrorCode %q", code)
			}
			if !want.turns(d) {
				t.Errorf("%+v", d)
			}
		})
	}
}

// said is how often a recipient said something.
func said(d Dial) (n int) {
	for _, turn := range d.Turns {
		if turn.Who == Recipient && turn.Text != "" {
			n++
		}
	}
	return n
}

// A line that fails is reported as Twilio does, and the recipient hears what the carrier then
// says.
func TestLinesThatFail(t *testing.T) {
	t.Parallel()
	const parting = "Sorry &amp; goodbye."
	for name, want := range map[string]struct {
		outcome, voice, code, message string
		sessions                      int
	}{
		"no relay":  {"30", "", "64101", "Unable to start the session", 0},
		"no socket": {"31", "", "64102", "Unable to connect to websocket URL", 0},
		"lost":      {"32", "", "64105", "Websocket ended", 1},
		"a voice": {
			"33", "UgBBYS2sOqTuMpoF3BR0", "64106", "Invalid argument: the voice is not supported by the provider", 0,
		},
		"the default voice": {"33", "", "", "", 1},
		"no voice":          {"36", "", "64106", "Invalid argument: the voice is not supported by the provider", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProduct(t, "en-US")
			if p.voice = want.voice; want.code != "" {
				p.parting = parting
			}
			_, d := p.take(t, want.outcome, nil, nil)
			p.mu.Lock()
			defer p.mu.Unlock()
			if end := p.ended[0]; end.Get("ErrorCode") != want.code || end.Get("ErrorMessage") != want.message ||
				want.code != "" && (end.Get("SessionStatus") != "failed" || end.Get("CallStatus") != "in-progress") {
				t.Errorf("the end of the session: %v", p.ended)
			}
			last := d.Turns[len(d.Turns)-1]
			heard := last.Who == Carrier && last.Text == "Sorry & goodbye." && !last.Cut
			if heard != (want.code != "") || d.Sessions != want.sessions || d.Status != "completed" {
				t.Errorf("%+v", d)
			}
		})
	}
}

// A refused token is not spoken, and the data of "end" comes back.
func TestRefusedWords(t *testing.T) {
	t.Parallel()
	p := newProduct(t, "en-US")
	p.parting = "Goodbye."
	_, d := p.take(t, "34", nil, nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	refused := slices.ContainsFunc(p.frames, func(f map[string]any) bool {
		return f["type"] == "error" && strings.HasPrefix(fmt.Sprint(f["description"]), "Invalid message received")
	})
	if !refused || len(p.ended) != 1 || p.ended[0].Get("HandoffData") != "x" {
		t.Errorf("%v, the end of the session: %v", p.frames, p.ended)
	}
	for _, turn := range d.Turns {
		if turn.Text == "Thanks." {
			t.Errorf("%+v", d.Turns)
		}
	}
	for token, want := range map[string]string{
		"Plain.": "Plain.", `a &amp; <break time="1s"/>b`: "a & b", "a & b": "", "<3": "", "1 < 2": "",
	} {
		if text, ok := spoken(token); text != want || ok != (want != "") {
			t.Errorf("%q is spoken as %q, %t", token, text, ok)
		}
	}
}

// In another language, recipients answer with words that agents of this language understand.
func TestRecipientsAbroad(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"es-ES": "Sí.", "ES": "Sí.", "no-NO": "Ja.", "nb": "Ja.", "en-US": "", "fi": "", "": "",
	} {
		if w, ok := wordsIn(tag); w.yes != want || ok != (want != "") {
			t.Errorf("%q: %+v, %t", tag, w, ok)
		}
	}
	for heard, want := range map[string]string{
		"Buenos días. ¿Puede venir? Gracias.": " ¿Puede venir?",
		"Πονάτε;":                             "Πονάτε;",
		"Una. ¿Dos? ¿Tres?":                   " ¿Tres?",
		"Adiós.":                              "",
		"?":                                   "?",
	} {
		if got := asked(heard); got != want {
			t.Errorf("%q asks %q, want %q", heard, got, want)
		}
	}
	yes := 0
	w := abroad["es"]
	for _, number := range numbers(400) {
		switch first, second := w.answer(number, "q", 1), w.answer(number, "q", 2); {
		case second != "2" || first != w.answer(number, "q", 1) || first != w.answer(number, "q", 3):
			t.Fatalf("%s answers %q, then %q", number, first, second)
		case first == w.yes:
			yes++
		}
	}
	if yes < 260 || yes > 340 {
		t.Errorf("%d of 400 agree", yes)
	}
	p := newProduct(t, "es-ES")
	if _, d := p.take(t, "07", nil, nil); d.Turns[1].Text != "Pare. No me llame más." {
		t.Errorf("%+v", d.Turns)
	}
}

func TestTwiMLIsRead(t *testing.T) {
	t.Parallel()
	always := interruption{true, true}
	for attributes, want := range map[string]relay{
		``:                                      {interruptible: always},
		`interruptible="none"`:                  {},
		`interruptible="false"`:                 {},
		`interruptible="speech"`:                {interruptible: interruption{speech: true}},
		`interruptible="dtmf"`:                  {interruptible: interruption{digits: true}},
		`speechTimeout="1500"`:                  {interruptible: always, endOfTurn: 1500 * time.Millisecond},
		`interruptible="any"`:                   {interruptible: always},
		`preemptible="true"`:                    {interruptible: always, preemptible: true},
		`dtmfDetection="true"`:                  {interruptible: always, digits: true},
		`reportInputDuringAgentSpeech="any"`:    {interruptible: always, report: true},
		`reportInputDuringAgentSpeech="speech"`: {interruptible: always, report: true},
		`reportInputDuringAgentSpeech="none"`:   {interruptible: always},
		`events="speaker-events"`:               {interruptible: always, speakerEvents: true},
		`events="debugging tokens-played"`:      {interruptible: always, tokensPlayed: true},
		`language="de-DE"`:                      {interruptible: always, spoken: "de-DE", heard: "de-DE"},
		`language="de-DE" ttsLanguage="de-AT"`:  {interruptible: always, spoken: "de-AT", heard: "de-DE"},
	} {
		verbs, err := parseTwiML(
			[]byte(`<Response><Pause length="3"/><Pause/><Connect action="/next"><ConversationRelay url="ws://x" ` +
				attributes + `/></Connect></Response>`),
		)
		if err != nil || len(verbs) != 3 {
			t.Fatalf("%s: %v", attributes, err)
		}
		if verbs[0].length != 3*time.Second || verbs[1].length != time.Second || verbs[2].action != "/next" {
			t.Errorf("%+v", verbs)
		}
		want.url, want.parameters = "ws://x", map[string]string{}
		want.spoken, want.heard = cmp.Or(want.spoken, "en-US"), cmp.Or(want.heard, "en-US")
		want.attributes = verbs[2].relay.attributes
		if got := verbs[2].relay; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %+v", attributes, got, want)
		}
	}
}

// What Twilio refuses to open, by the attributes of the relay.
func TestRelaysThatAreRefused(t *testing.T) {
	t.Parallel()
	const mark = "UgBBYS2sOqTuMpoF3BR0"
	for attributes, refused := range map[string]bool{
		``:                                false,
		`ttsProvider="Google"`:            false,
		`ttsProvider="Polly"`:             true,
		`voice="Joanna-Neural"`:           true, // the default provider is ElevenLabs
		`voice="Google.en-US-Standard-C"`: true,
		`voice="` + mark + `"`:            false,
		`voice="` + mark + `-turbo_v2-1.0_0.5_1.0"`:                                 false,
		`voice="` + mark + `-flash_v9"`:                                             true,
		`language="da-DK" voice="` + mark + `-flash_v2"`:                            true, // English only
		`language="da-DK" voice="` + mark + `-flash_v2_5"`:                          false,
		`ttsProvider="amazon" voice="Joanna-Neural"`:                                false,
		`ttsProvider="Amazon" voice="Polly.Joanna"`:                                 true,
		`ttsProvider="Google" voice="Joanna-Neural"`:                                true,
		`ttsProvider="Google" voice="en-GB-Wavenet-N"`:                              true, // another region
		`ttsProvider="Google" voice="en-GB-Wavenet-N" ttsLanguage="en-GB"`:          false,
		`ttsProvider="Google" voice="da-DK-Wavenet-F" language="da-DK"`:             false,
		`transcriptionProvider="Deepgram" speechModel="nova-3-general"`:             false,
		`transcriptionProvider="Whisper"`:                                           true,
		`transcriptionProvider="Google" speechModel="nova-3-general"`:               true,
		`speechModel="flux" eotThreshold="0.8"`:                                     false,
		`speechModel="flux" eotThreshold="1"`:                                       true,
		`speechModel="flux" language="el-GR"`:                                       true,
		`speechModel="flux" language="el-GR" transcriptionLanguage="en-US"`:         false,
		`eotThreshold="0.8"`:                                                        true,
		`speechTimeout="auto"`:                                                      false,
		`speechTimeout="599"`:                                                       true,
		`interruptible="never"`:                                                     true,
		`interruptSensitivity="low" ignoreBackchannel="true" hints="Acme,Meridian"`: false,
		`interruptSensitivity="0.5"`:                                                true,
		`ignoreBackchannel="yes"`:                                                   true,
	} {
		verbs, err := parseTwiML([]byte(
			`<Response><Connect><ConversationRelay url="ws://x" ` + attributes + `/></Connect></Response>`,
		))
		if err != nil {
			t.Fatal(err)
		}
		if got := verbs[0].relay.refusal; (got != "") != refused {
			t.Errorf("%s: %q", attributes, got)
		}
	}
	for attributes, refused := range map[string]bool{
		`code="es-US"`: false,
		``:             true,
		`code="es-US" ttsProvider="Amazon" voice="Lupe-Neural"`:                      false,
		`code="es-US" ttsProvider="Amazon" voice="Joanna-Neural"`:                    true,
		`code="es-MX" ttsProvider="Amazon" voice="Lupe-Neural"`:                      true, // another region
		`code="el-GR" transcriptionProvider="Deepgram" speechModel="flux"`:           true,
		`code="el-GR" transcriptionProvider="Deepgram" speechModel="nova-3-general"`: false,
		`code="el-GR" transcriptionProvider="Whisper" speechModel="nova-3-general"`:  true,
	} {
		verbs, err := parseTwiML([]byte(`<Response><Connect><ConversationRelay url="ws://x"><Language ` + attributes +
			`/></ConversationRelay></Connect></Response>`))
		if err != nil {
			t.Fatal(err)
		}
		if got := verbs[0].relay.refusal; (got != "") != refused {
			t.Errorf("a language with %s: %q", attributes, got)
		}
	}
}
