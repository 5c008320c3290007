package campaign

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging"
)

// valid returns a draft that passes Check.
func valid() *Draft {
	d := &Draft{
		Name: "Spring", ProjectID: uuid.NewString(), AgentID: uuid.NewString(), PhoneNumberID: uuid.NewString(),
		Recipients: &intake.List{},
	}
	d.Recipients.Add(intake.Recipient{PhoneNumber: "+13125550142"})
	return d
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	add := func(in intake.Recipient) func(*Draft) { return func(d *Draft) { d.Recipients.Add(in) } }
	for want, change := range map[string]func(*Draft){
		"name: required": func(d *Draft) { d.Name = " " },
		"name: must have at most 100 characters": func(d *Draft) {
			d.Name = strings.Repeat("ä", 101)
		},
		"name: must not contain control characters": func(d *Draft) { d.Name = "a\x00b" },
		"call_reason: must have at most 64 characters": func(d *Draft) {
			d.CallReason = strings.Repeat("a", 65)
		},
		"call_reason: must contain only ASCII letters, digits, punctuation and spaces": func(d *Draft) {
			d.CallReason = "Visit\ttoday"
		},
		"call_reason: must not contain a link": func(d *Draft) { d.CallReason = "Pay at Acme.com/bill." },
		"project_id: required; agent_id: required; phone_number_id: required": func(d *Draft) {
			d.ProjectID = ""
			d.AgentID, d.PhoneNumberID = "", ""
		},
		"recipients: at least one is required": func(d *Draft) { d.Recipients = nil },
		"scheduled_at: must not be more than 5 minutes in the past": func(d *Draft) {
			d.ScheduledAt = ptr(epoch.Add(-5*time.Minute - time.Second))
		},
		"expires_at: must be after the start": func(d *Draft) {
			d.ScheduledAt = ptr(epoch.Add(time.Hour))
			d.ExpiresAt = ptr(epoch.Add(time.Hour))
		},
		"max_concurrency: must be between 1 and 1,000": func(d *Draft) { d.MaxConcurrency = ptr(0) },
		"calls_per_second: must be between 0.01 and 1,000": func(d *Draft) {
			d.CallsPerSecond = ptr(math.NaN())
		},
		"ring_timeout_seconds: must be between 5 and 120": func(d *Draft) {
			d.RingTimeoutSeconds = ptr(121)
		},
		"max_duration_seconds: must be between 10 and 3,600": func(d *Draft) {
			d.MaxDurationSeconds = ptr(9)
		},
		`intents.wrong_person: must be one of retry, stop, do_not_call, not "call_back"`: func(d *Draft) {
			d.Intents.WrongPerson = IntentCallBack
		},
		`intents.call_back: must be one of call_back, retry, stop, do_not_call, not "later"`: func(d *Draft) {
			d.Intents.CallBack = "later"
		},
		"messaging.follow_up[0]: has an effect only with the trigger after_call": func(d *Draft) {
			d.Messaging = &MessagingInput{Trigger: TriggerNever, FollowUp: []conversation.Intent{conversation.Busy}}
		},
		`messaging.follow_up[1]: must be one of busy, call_back, wants_human, not "deceased"; ` +
			"messaging.follow_up[2]: must not be listed twice": func(d *Draft) {
			d.Messaging = &MessagingInput{Trigger: TriggerAfterCall, Template: &messaging.TemplateInput{
				Name: "heads_up", Language: "en_US",
			}, FollowUp: []conversation.Intent{conversation.Busy, conversation.Deceased, conversation.Busy}}
		},
		"voicemail_action: must be hang_up or leave_message": func(d *Draft) { d.VoicemailAction = "sing" },
		`detection.mode: must be one of off, fast, wait_for_beep, not "slow"`: func(d *Draft) {
			d.Detection.Mode = "slow"
		},
		"detection.mode: must not be wait_for_beep if voicemail_action is hang_up": func(d *Draft) {
			d.Detection.Mode = carrier.DetectBeep
		},
		"detection.timeout_seconds: must be between 3 and 59; " +
			"detection.speech_threshold_ms: must be between 1,000 and 6,000; " +
			"detection.speech_end_threshold_ms: must be between 500 and 5,000; " +
			"detection.silence_timeout_ms: must be between 2,000 and 10,000": func(d *Draft) {
			d.Detection = carrier.Detection{
				TimeoutSeconds: ptr(60), SpeechThresholdMS: ptr(999), SpeechEndThresholdMS: ptr(0),
				SilenceTimeoutMS: ptr(10001),
			}
		},
		"detection.silence_timeout_ms: has no effect because detection is off": func(d *Draft) {
			d.Detection = carrier.Detection{Mode: carrier.DetectOff, SilenceTimeoutMS: ptr(3000)}
		},
		"retry.max_attempts: must be between 1 and 10": func(d *Draft) {
			d.Retry = &RetryInput{MaxAttempts: ptr(11)}
		},
		"retry.delays_minutes[1]: must be between 0 and 10,080": func(d *Draft) {
			d.Retry = &RetryInput{DelaysMinutes: []int{0, 10081}}
		},
		"retry.on[1]: must be one of busy, no_answer, voicemail, failed": func(d *Draft) {
			d.Retry = &RetryInput{On: []string{"busy", "completed"}}
		},
		"retry.outcome_delays_minutes.busy: has no effect because this outcome is not retried": func(d *Draft) {
			d.Retry = &RetryInput{
				On: []string{"no_answer"}, OutcomeDelaysMinutes: OutcomeDelays{Busy: []int{5}, NoAnswer: []int{60}},
			}
		},
		"retry.outcome_delays_minutes.voicemail: has no effect because this outcome is not retried": func(d *Draft) {
			d.VoicemailAction = LeaveMessage
			d.Retry = &RetryInput{OutcomeDelaysMinutes: OutcomeDelays{Voicemail: []int{5}}}
		},
		"retry.outcome_delays_minutes.busy: at least one is required": func(d *Draft) {
			d.Retry = &RetryInput{OutcomeDelaysMinutes: OutcomeDelays{Busy: []int{}}}
		},
		"retry.outcome_delays_minutes.failed[1]: must be between 0 and 10,080": func(d *Draft) {
			d.Retry = &RetryInput{OutcomeDelaysMinutes: OutcomeDelays{Failed: []int{0, -1}, Busy: nil}}
		},
		"retry.outcome_delays_minutes.busy: must have at most 9 values, one before each further " +
			"attempt": func(d *Draft) {
			d.Retry = &RetryInput{OutcomeDelaysMinutes: OutcomeDelays{Busy: make([]int, 10)}}
		},
		"messaging.trigger: must be one of before_call, no_answer, after_call, never; messaging.template: " +
			"required": func(d *Draft) {
			d.Messaging = &MessagingInput{ExternalID: "1"}
		},
		"messaging.template.name: required; messaging.template.language: required": func(d *Draft) {
			d.Messaging = &MessagingInput{Trigger: TriggerNever, Template: &messaging.TemplateInput{}}
		},
		"messaging.template.variables.1: must write variables as {{name}}, {{answers.key}} or " +
			"{{name|fallback}}": func(d *Draft) {
			d.Messaging = withVariables(TriggerAfterCall, `{"1":"{{first name}}"}`)
		},
		"messaging.template.variables.2: {{answers.slot}} is known only after an answered call": func(d *Draft) {
			d.Messaging = withVariables(TriggerNoAnswer, `{"1":"{{name}}","2":"at {{answers.slot|ten}}"}`)
		},
		"messaging.template.variables: must be an object": func(d *Draft) {
			d.Messaging = withVariables(TriggerNoAnswer, `[]`)
		},
		"variables: must be an object": func(d *Draft) {
			d.Variables = json.RawMessage(`[1]`)
		},
		"variables.a: must be a string": func(d *Draft) {
			d.Variables = json.RawMessage(`{"a":1}`)
		},
		"metadata.a: must be a string, number or boolean": func(d *Draft) {
			d.Metadata = json.RawMessage(`{"a":{}}`)
		},
		"metadata.a: this number is too large, too small or too long": func(d *Draft) {
			d.Metadata = json.RawMessage(`{"a":1e-999}`)
		},
		"calling_hours.windows: at least one is required": func(d *Draft) {
			d.CallingHours = &hours.Hours{Timezone: "UTC"}
		},
		"recipients[1].phone_number: not a valid phone number. Use E.164, such as +13125550142": add(intake.Recipient{
			PhoneNumber: "3125550143",
		}),
		"recipients[1].phone_number: required": add(intake.Recipient{}),
		"recipients[1].timezone: must be a time zone such as America/Chicago": add(intake.Recipient{
			PhoneNumber: "+13125550143", Timezone: "Local",
		}),
		"recipients[1].consent.basis: required": add(intake.Recipient{
			PhoneNumber: "+13125550143", Consent: &intake.Consent{},
		}),
		"recipients[1].variables.first name: must have at most 1,000 characters": add(intake.Recipient{
			PhoneNumber: "+13125550143",
			Variables:   json.RawMessage(`{"first name":"` + strings.Repeat("x", 1001) + `"}`),
		}),
		"recipients[2].external_id: used by an earlier recipient of this campaign": func(d *Draft) {
			d.Recipients.Add(intake.Recipient{PhoneNumber: "+13125550143", ExternalID: "a"})
			d.Recipients.Add(intake.Recipient{PhoneNumber: "+13125550144", ExternalID: "a"})
		},
		"recipients: must have at most 100,000 elements": func(d *Draft) {
			for i := range intake.MaxRecipients {
				d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(i)})
			}
		},
	} {
		d := valid()
		change(d)
		err := d.Check(epoch)
		if fault.KindOf(err) != fault.Invalid || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func withVariables(trigger Trigger, variables string) *MessagingInput {
	return &MessagingInput{
		Trigger:  trigger,
		Template: &messaging.TemplateInput{Name: "follow_up", Language: "en_US", Variables: json.RawMessage(variables)},
	}
}

func TestCheckTakesWhatIsRight(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Draft){
		"the least":              func(*Draft) {},
		"a schedule just passed": func(d *Draft) { d.ScheduledAt = ptr(epoch.Add(-4 * time.Minute)) },
		"a call reason with a name that is a domain": func(d *Draft) {
			d.CallReason = "Your Booking.com stay, 2.30 p.m./3.30 p.m."
		},
		"messaging that opts out": func(d *Draft) { d.Messaging = &MessagingInput{Trigger: TriggerNever} },
		"messages": func(d *Draft) {
			d.Messaging = withVariables(TriggerAfterCall, `{"1":"{{ name | you }} {{answers.slot}}","2":"plain"}`)
		},
		"scalars, lone surrogates and repeated keys": func(d *Draft) {
			d.Metadata = json.RawMessage(`{"a":1.50,"a":true,"b":"\ud800","c":-0}`)
			d.Variables = json.RawMessage(`{"a":"<b>"}`)
		},
		"all there is": func(d *Draft) {
			d.Retry = &RetryInput{
				MaxAttempts: ptr(10), DelaysMinutes: []int{0, 10080}, On: []string{"busy"},
				OutcomeDelaysMinutes: OutcomeDelays{Busy: []int{0, 10080}, Failed: nil},
			}
			d.ExpiresAt, d.VoicemailAction = ptr(epoch.Add(time.Hour)), LeaveMessage
			d.Recipients.Add(intake.Recipient{PhoneNumber: "+13125550142", Name: "Ada", ExternalID: "1",
				Timezone: "Europe/Berlin",
				Consent:  &intake.Consent{Basis: "form", At: ptr(epoch)}, Variables: json.RawMessage(`{}`),
				Metadata: json.RawMessage(`null`)})
		},
	} {
		d := valid()
		change(d)
		if err := d.Check(epoch); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDetectionFitsTheVoicemailAction(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		action      string
		mode, wants carrier.DetectionMode
	}{
		{"", "", carrier.DetectFast},
		{HangUp, carrier.DetectOff, carrier.DetectOff},
		{LeaveMessage, "", carrier.DetectBeep},
		{LeaveMessage, carrier.DetectFast, carrier.DetectFast},
		{LeaveMessage, carrier.DetectOff, carrier.DetectOff},
	} {
		d := valid()
		d.VoicemailAction, d.Detection.Mode = test.action, test.mode
		if err := d.Check(epoch); err != nil || d.checked.detection.Mode != test.wants {
			t.Errorf("%+v: %v, %v", test, d.checked, err)
		}
	}
}

func TestRetriesAfterVoicemailUnlessAMessageWasLeft(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]string{
		HangUp: "busy no_answer voicemail failed", LeaveMessage: "busy no_answer failed",
	} {
		d := valid()
		d.VoicemailAction = action
		if err := d.Check(epoch); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.checked.retryOn, " "); got != want {
			t.Errorf("%s: retries on %q, want %q", action, got, want)
		}
	}
}
