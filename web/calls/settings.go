package calls

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// newSettings are the settings of a form that nobody has filled in.
func newSettings() views.CallSettings {
	return views.CallSettings{
		Hours:       views.HoursForm{Mode: "project", Clock: "recipient"},
		MaxAttempts: "1", DelaysMinutes: "30", RetryOn: []string{"busy", "no_answer"},
		Intents:         intentForms(campaign.DefaultIntents),
		VoicemailAction: campaign.HangUp, RingTimeoutSeconds: "30", MaxDurationSeconds: "600",
	}
}

// settingsForm returns the settings of a campaign as a form has them, without its times.
func settingsForm(c campaign.Campaign) views.CallSettings {
	ownDelays := map[string]string{}
	for outcome, minutes := range c.RetryOutcomeDelays {
		ownDelays[outcome] = typedMinutes(minutes)
	}
	return views.CallSettings{
		CallReason: frame.OrNone(c.CallReason), ProjectID: c.ProjectID.String(), AgentID: c.AgentID.String(),
		Version: versionForm(c.AgentVersion), PhoneNumberID: callsFrom(c),
		Hours:       frame.HoursForm(c.CallingHours, frame.HoursMode(c.CallingHours)),
		MaxAttempts: strconv.Itoa(c.MaxAttempts), DelaysMinutes: typedMinutes(c.RetryDelays),
		OutcomeDelays: ownDelays, RetryOn: c.RetryOn, Intents: intentForms(c.Intents),
		VoicemailAction: c.VoicemailAction, Detection: detectionForm(c),
		RingTimeoutSeconds: strconv.Itoa(c.RingTimeoutSeconds), MaxDurationSeconds: strconv.Itoa(c.MaxDurationSeconds),
	}
}

// moreChanged reports whether settings differ from those of a new form where a call has them under "More settings".
func moreChanged(v views.CallSettings) bool {
	otherwise := newSettings()
	for _, delay := range v.OutcomeDelays {
		if delay != "" {
			return true
		}
	}
	return v.ExpiresAt != "" || v.Version.Chosen() || v.Detection != views.DetectionForm{} ||
		v.RingTimeoutSeconds != otherwise.RingTimeoutSeconds || v.MaxDurationSeconds != otherwise.MaxDurationSeconds ||
		!reflect.DeepEqual(v.Intents, otherwise.Intents)
}

// readSettings reads the fields as they were typed.
func readSettings(form url.Values) views.CallSettings {
	v := views.CallSettings{
		CallReason: form.Get("call_reason"), ProjectID: form.Get("project_id"), AgentID: form.Get("agent_id"),
		Version: views.VersionForm{
			Version: form.Get("agent_version.version"), Other: form.Get("agent_version.split.version"),
			Percent: form.Get("agent_version.split.percent"), Of: form.Get("agent_version.agent_id"),
		},
		PhoneNumberID: form.Get("phone_number_id"), NotReadyReason: form.Get("not_ready_reason"),
		ScheduledAt: form.Get("scheduled_at"), ExpiresAt: form.Get("expires_at"),
		Hours: frame.ReadHours(form), MaxAttempts: form.Get("retry.max_attempts"),
		DelaysMinutes: form.Get("retry.delays_minutes"), RetryOn: form["retry.on"],
		OutcomeDelays: map[string]string{}, VoicemailAction: form.Get("voicemail_action"),
		Detection: views.DetectionForm{
			Mode:                 form.Get("detection.mode"),
			TimeoutSeconds:       form.Get("detection.timeout_seconds"),
			SpeechThresholdMS:    form.Get("detection.speech_threshold_ms"),
			SpeechEndThresholdMS: form.Get("detection.speech_end_threshold_ms"),
			SilenceTimeoutMS:     form.Get("detection.silence_timeout_ms"),
		},
		RingTimeoutSeconds: form.Get("ring_timeout_seconds"), MaxDurationSeconds: form.Get("max_duration_seconds"),
	}
	var set campaign.Intents
	for _, intent := range conversation.Intents {
		*set.Of(intent) = campaign.IntentAction(form.Get("intents." + string(intent)))
	}
	v.Intents = intentForms(set)
	for _, outcome := range campaign.RetryOutcomes {
		v.OutcomeDelays[outcome] = form.Get("retry.outcome_delays_minutes." + outcome)
	}
	return v
}

// settingsDraft returns the settings as the domain checks them, without the start time, whose clock the forms choose
// themselves. Other times are in zone. It adds unreadable values to p, under the names that the domain uses.
func settingsDraft(p *fault.Problems, v views.CallSettings, zone *time.Location) *campaign.Draft {
	d := &campaign.Draft{
		CallReason: v.CallReason, ProjectID: v.ProjectID, AgentID: v.AgentID,
		VoicemailAction: v.VoicemailAction, NotReadyReason: v.NotReadyReason,
		Detection: carrier.Detection{
			Mode:              carrier.DetectionMode(v.Detection.Mode),
			TimeoutSeconds:    frame.OptionalInt(p, "detection.timeout_seconds", v.Detection.TimeoutSeconds),
			SpeechThresholdMS: frame.OptionalInt(p, "detection.speech_threshold_ms", v.Detection.SpeechThresholdMS),
			SpeechEndThresholdMS: frame.OptionalInt(p, "detection.speech_end_threshold_ms",
				v.Detection.SpeechEndThresholdMS),
			SilenceTimeoutMS: frame.OptionalInt(p, "detection.silence_timeout_ms", v.Detection.SilenceTimeoutMS),
		},
		RingTimeoutSeconds: frame.OptionalInt(p, "ring_timeout_seconds", v.RingTimeoutSeconds),
		MaxDurationSeconds: frame.OptionalInt(p, "max_duration_seconds", v.MaxDurationSeconds),
		CallingHours:       chosenHours(v.Hours),
		ExpiresAt:          optionalTime(p, "expires_at", v.ExpiresAt, zone),
	}
	if of := v.Version.Of; of != "" && of != v.AgentID && v.Version.Chosen() {
		p.Addf("agent_version.version", "choose again: these were versions of another agent")
	} else {
		d.AgentVersion = agentVersion(p, v.Version)
	}
	d.PhoneNumberID, d.NumberPoolID = callsFromOf(v.PhoneNumberID)
	after := func(outcome string) []int {
		return delays(p, "retry.outcome_delays_minutes."+outcome, v.OutcomeDelays[outcome])
	}
	d.Retry = &campaign.RetryInput{
		MaxAttempts: frame.OptionalInt(p, "retry.max_attempts", v.MaxAttempts),
		// An empty set of boxes means no outcome. A request without the field would get the default outcomes.
		On:            append([]string{}, v.RetryOn...),
		DelaysMinutes: delays(p, "retry.delays_minutes", v.DelaysMinutes),
		OutcomeDelaysMinutes: campaign.OutcomeDelays{
			Busy:      after("busy"),
			NoAnswer:  after("no_answer"),
			Voicemail: after("voicemail"),
			Failed:    after("failed"),
		},
	}
	for _, i := range v.Intents {
		*d.Intents.Of(conversation.Intent(i.Intent)) = campaign.IntentAction(i.Action)
	}
	return d
}

// intentForms makes the fields of the intents, with the actions that each may lead to.
func intentForms(set campaign.Intents) (forms []views.IntentForm) {
	for _, intent := range conversation.Intents {
		f := views.IntentForm{Intent: string(intent), Action: string(*set.Of(intent))}
		for _, action := range campaign.IntentActionsOf(intent) {
			f.Actions = append(f.Actions, ui.Option{Value: string(action), Label: ui.IntentAction(string(action))})
		}
		forms = append(forms, f)
	}
	return forms
}

// delays reads minutes between attempts, such as "30, 240". An empty field gives nil.
func delays(p *fault.Problems, path, typed string) (minutes []int) {
	for item := range strings.FieldsFuncSeq(typed, func(c rune) bool { return c == ',' || c == ';' || c == ' ' }) {
		n, err := strconv.Atoi(item)
		if err != nil {
			p.Addf(path, "must be whole minutes, such as 30, 240")
			return nil
		}
		minutes = append(minutes, n)
	}
	return minutes
}

// fillVersions offers the versions of the chosen agent. Those of another agent are no choice any more.
func (s *Server) fillVersions(r *http.Request, v *views.CallSettings) error {
	chosen := v.AgentID
	if chosen == "" && len(v.Agents) == 1 {
		chosen = v.Agents[0].Value
	}
	if v.Version.Of != "" && v.Version.Of != chosen {
		v.Version = views.VersionForm{}
	}
	v.Version.Of = ""
	id, ok := check.ParseID(chosen)
	if !ok {
		return nil
	}
	list, err := s.Projects.AgentVersions(
		r.Context(), frame.SignedIn(r).Organization.ID, id, page.Request{Limit: page.ShownLimit},
	)
	if fault.KindOf(err) == fault.NotFound {
		return nil // the form says that there is no such agent
	}
	if err != nil {
		return err
	}
	v.Version.Of = chosen
	clock := s.Clock(r)
	var chosenVersions []project.AgentVersion
	for _, version := range list.Data {
		followed := v.Version.Version == "" && version.IsPublished ||
			v.Version.Version == strconv.Itoa(version.Number) || v.Version.Other == strconv.Itoa(version.Number)
		if followed {
			chosenVersions = append(chosenVersions, version)
		}
		v.Versions = append(v.Versions, ui.Option{
			Value: strconv.Itoa(version.Number), Label: versionLabel(version, clock),
		})
	}
	for _, number := range []string{v.Version.Version, v.Version.Other} {
		if number != "" && !slices.ContainsFunc(v.Versions, func(o ui.Option) bool { return o.Value == number }) {
			v.Versions = append(v.Versions, ui.Option{Value: number, Label: "Version " + number})
		}
	}
	connection, _ := check.ParseID(v.ConnectionID) // none: no number is chosen
	v.Notes, err = s.agentNotes(r.Context(), frame.SignedIn(r).Organization.ID, connection, chosenVersions...)
	return err
}

// agentNotes says what is missing of versions that calls over a connection follow.
func (s *Server) agentNotes(
	ctx context.Context, organization, connection uuid.UUID, versions ...project.AgentVersion,
) (v views.AgentNotes, err error) {
	for _, version := range versions {
		if missing := untranslated(version); missing != "" {
			v.Untranslated = append(v.Untranslated, missing)
		}
		m := version.Script.Model
		if v.Unsent != "" || m == nil || !slices.Contains(m.Tools, conversation.SendMessage) {
			continue
		}
		sent, err := s.WhatsApp.MayCome(ctx, organization, connection)
		if err != nil {
			return v, err
		}
		if !sent {
			v.Unsent = messaging.SandboxCall + "."
		}
	}
	return v, nil
}

// untranslated says in which languages of a version texts are missing. It is empty if none are.
func untranslated(version project.AgentVersion) string {
	missing := version.Script.Untranslated()
	if len(missing) == 0 {
		return ""
	}
	names := make([]string, len(missing))
	for i, m := range missing {
		names[i] = ui.LanguageName(m.Language)
	}
	return fmt.Sprintf("Version %d lacks texts in %s. People who speak it hear standard lines, and if no model "+
		"answers, questions in %s.", version.Number, english.List(names), ui.LanguageName(version.Language))
}

// versionLabel names a version in a list of choices: "Version 3, published, 20 Nov, 14:05: warmer greeting".
func versionLabel(version project.AgentVersion, clock ui.Clock) string {
	label := "Version " + strconv.Itoa(version.Number)
	if version.IsPublished {
		label += ", published"
	}
	label += ", " + clock.When(version.CreatedAt)
	if version.Note != "" {
		label += ": " + version.Note
	}
	return label
}

// agentVersion reads which version of the agent a campaign follows.
func agentVersion(p *fault.Problems, v views.VersionForm) *campaign.AgentVersion {
	if !v.Chosen() {
		return nil
	}
	number := func(field, value string) int {
		if n := frame.OptionalInt(p, "agent_version."+field, value); n != nil {
			return *n
		}
		return 0
	}
	chosen := &campaign.AgentVersion{Version: number("version", v.Version)}
	if v.Other != "" || v.Percent != "" {
		chosen.Split = &campaign.VersionSplit{
			Version: number("split.version", v.Other), Percent: number("split.percent", v.Percent),
		}
	}
	return chosen
}

// versionForm is the reverse of agentVersion.
func versionForm(v *campaign.AgentVersion) (f views.VersionForm) {
	if v == nil {
		return f
	}
	f.Version = strconv.Itoa(v.Version)
	if v.Split != nil {
		f.Other, f.Percent = strconv.Itoa(v.Split.Version), strconv.Itoa(v.Split.Percent)
	}
	return f
}
