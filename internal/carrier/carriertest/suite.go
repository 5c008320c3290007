package carriertest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// Network is a running adapter with a phone network behind it.
type Network struct {
	Carrier carrier.Carrier
	// Number returns a number with the given outcome of the reserved block (README.md).
	Number func(outcome string) string
	// Restart replaces the product with a new instance with the given host, as after kill -9: lines
	// break without a message.
	Restart func(t *testing.T, host carrier.Host)
	// Join starts a second instance with the given host. From now on, the second instance receives
	// all requests. The first instance stays alive and keeps its lines.
	Join func(t *testing.T, host carrier.Host)
	// CarrierSaid is what the carrier itself said to the recipient of the last call.
	CarrierSaid func() []string
	// CallIn lets somebody call Owned, and returns the carrier's ID of the call. caller is what they do, as in the
	// sandbox. from is empty if they withhold their number.
	CallIn func(from, caller string) string
}

// Owned is the number that is called.
const Owned = "+14155550111"

// From is the calling number of the suite.
const From = "+14155550100"

// Run tests an adapter against the contract. open starts an adapter with a host.
func Run(t *testing.T, open func(t *testing.T, host carrier.Host) Network) {
	for name, test := range map[string]func(*testing.T, *suite){
		"answered":                 answered,
		"busy":                     busy,
		"no answer":                noAnswer,
		"voicemail, hang up":       voicemailHangup,
		"voicemail, leave message": voicemailMessage,
		"remote hang-up":           remoteHangup,
		"barge-in":                 bargeIn,
		"nine":                     nine,
		"stop":                     stop,
		"refused":                  refused,
		"never reports back":       vanishes,
		"shuffled events":          shuffled,
		"line lost":                lineLost,
		"line taken over":          lineTakenOver,
		"language":                 language,
		"silent":                   silent,
		"late pick-up":             latePickup,
		"too late a pick-up":       tooLatePickup,
		"canceled while ringing":   canceled,
		"glare":                    glare,
		"not admitted":             notAdmitted,
		"time limit":               timeLimit,
		"flush":                    flush,
		"queue":                    queue,
		"restart":                  restart,
		"event refused":            eventRefused,
		"found without its id":     foundWithoutID,
		"recorded":                 recorded,
		"recorded, shuffled":       recordedShuffled,
		"not recorded":             notRecorded,
		"listened in":              listenedIn,
		"no relay":                 noLine("30", "64101"),
		"no socket":                noLine("31", "64102"),
		"no voice":                 noLine("36", "64106"),
		"another voice":            anotherVoice,
		"line lost for good":       lineLostForGood,
		"words refused":            wordsRefused,
		"no callbacks":             noCallbacks,
		"streamed":                 streamed(answered),
		"streamed, barge-in":       streamed(bargeIn),
		"streamed, remote hang-up": streamed(remoteHangup),
		"streamed, nine":           streamed(nine),
		"streamed, line lost":      streamed(lineLost),
		"streamed, refused":        streamed(wordsRefused),
		"streams in a queue":       streamQueue,
		"stream without an end":    streamUnended,
		"stream flushed":           streamFlushed,
		"stream abandoned":         streamAbandoned,
		"keys pressed":             keysPressed,

		"incoming":                             incoming("+13125550142", "answers"),
		"incoming, withheld":                   incoming("", "answers"),
		"incoming, asked twice":                incomingTwice,
		"incoming, rejected":                   incomingRejected,
		"incoming, busy":                       incomingBusy,
		"incoming, hung up before":             incomingHungUp,
		"incoming, nine":                       incomingNine,
		"incoming, line lost":                  incoming("+13125550143", "drops"),
		"incoming, of nobody's number":         incomingUnknown,
		"transferred":                          transferred("70", "1"),
		"transferred to a SIP address":         transferredToSIP,
		"transferred, key reported twice":      transferred("79", "1"),
		"transferred after a wrong key":        transferred("76", "51"),
		"transferred without a whisper":        transferredCold,
		"transfer declined":                    transferFailed("71", "2", carrier.Completed),
		"transfer not answered":                transferFailed("72", "", carrier.NoAnswer),
		"transfer to a busy phone":             transferFailed("73", "", carrier.Busy),
		"transfer, hung up before a key":       transferFailed("74", "", carrier.Completed),
		"transfer, wrong keys":                 transferFailed("75", "5", carrier.Completed),
		"transfer, no key":                     transferFailed("77", "", carrier.Completed),
		"transfer to a number of nobody":       transferFailed("78", "", carrier.Failed),
		"transfer, recipient hangs up":         transferAbandoned,
		"transferred, recipient hangs up":      transferredThenHungUp,
		"transferred, the recording is paused": transferredUnrecorded,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := NewHost()
			test(t, &suite{host: host, open: open})
		})
	}
}

type suite struct {
	host *Host
	open func(t *testing.T, host carrier.Host) Network
	Network
	placement carrier.Placement
	sid       string
	before    time.Time
}

// place opens the network and calls a number.
func (s *suite) place(t *testing.T, outcome string, change ...func(*carrier.Placement)) uuid.UUID {
	t.Helper()
	s.Network = s.open(t, s.host)
	s.placement = carrier.Placement{
		CallID: uuid.Must(uuid.NewV7()), From: From, To: s.Number(outcome),
		RingTimeout: 30 * time.Second, MaxDuration: 10 * time.Minute,
		Detection: carrier.Detection{Mode: carrier.DetectFast}, CallReason: "Your appointment on Monday",
	}
	for _, f := range change {
		f(&s.placement)
	}
	s.before = time.Now()
	sid, err := s.Carrier.Place(t.Context(), s.placement)
	if err != nil {
		t.Fatal(err)
	}
	if sid == "" {
		t.Fatal("no carrier call id")
	}
	s.sid = sid
	return s.placement.CallID
}

func (s *suite) ref() carrier.Ref {
	return carrier.Ref{
		CallID: s.placement.CallID, CarrierCallID: s.sid, From: s.placement.From, To: s.placement.To,
		PlacedAfter: s.before,
	}
}

// ends waits for the end of the call. It checks the outcome, and that every event has the carrier's
// ID that Place returned.
func (s *suite) ends(t *testing.T, want carrier.Outcome) View {
	t.Helper()
	v := s.host.Until(t, s.placement.CallID, "the end", func(v View) bool {
		_, ok := v.Ended()
		return ok && v.Open == nil
	})
	e, _ := v.Ended()
	if e.Outcome != want {
		t.Errorf("outcome %q, want %q", e.Outcome, want)
	}
	for _, e := range v.Events {
		if e.CarrierCallID != s.sid || e.ConnectionID == uuid.Nil || e.At.IsZero() {
			t.Errorf("event %+v does not name call %s, its connection and a time", e, s.sid)
		}
	}
	report, err := s.Carrier.Lookup(t.Context(), s.ref())
	if err != nil || report.Phase != carrier.Over || report.Outcome != want {
		t.Errorf("lookup after the end: %+v, %v", report, err)
	}
	return v
}

// accounted checks that every utterance has exactly one Spoken, in order, and that Closed came
// last.
func accounted(t *testing.T, v View) {
	t.Helper()
	want := 0
	for i, h := range v.Heard {
		switch x := h.(type) {
		case carrier.Spoken:
			want++
			if x.Utterance != want {
				t.Errorf("Spoken of utterance %d where %d was due", x.Utterance, want)
			}
			if x.Cut == carrier.CutNot && x.Text == "" {
				t.Errorf("utterance %d was played to its end, yet without words", x.Utterance)
			}
		case carrier.Closed:
			want = 0 // a new line numbers its utterances from 1
			if i == len(v.Heard)-1 {
				return
			}
		}
	}
	t.Errorf("the last thing heard is not Closed: %+v", v.Heard)
}

func prompts(v View) string {
	var all []string
	for _, p := range All[carrier.Prompt](v) {
		all = append(all, p.Text)
	}
	return strings.Join(all, " | ")
}
