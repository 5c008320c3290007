package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// subject is a call as its analysis needs it.
type subject struct {
	PersonNumber string
	AnsweredAt   *time.Time
	Zone         string
	Agent        string
	Organization string
	Name         string         // of the recipient
	Reason       string         // of the call
	Variables    map[string]any // of the call, without the built-in ones
	Script       conversation.Script
	Analysis     *call.Analysis
	Transferred  bool        // so the person talked to somebody, or a follow-up says that nobody took the call
	Turns        []call.Turn `db:"-"`
}

// outcome is the end of an analysis, or of a try.
type outcome struct {
	result *Result         // nil: it failed
	needs  []followup.Need // what a person has to do, by the result
	reason string          // why it failed
	name   string          // of the model, as its server gave it
	usage  model.Usage
	from   connection.Connection // that was asked; its prices are those of the usage
}

// analyze asks the model of a job about its call. With an error, only the usage and the name of the outcome count.
// Errors: a *model.Error, and those of the context and of the database.
func (s *Service) analyze(ctx context.Context, j job) (o outcome, err error) {
	about, err := s.read(ctx, j)
	if err != nil {
		return o, err
	}
	if len(about.Turns) == 0 || about.Analysis == nil {
		return o, &model.Error{Kind: model.Invalid, Reason: "The transcript of the call was removed", Err: errFinal}
	}
	client, err := s.models.Model(ctx, j.OrganizationID, j.ConnectionID)
	o.from = client.Connection
	if fault.KindOf(err) == fault.NotFound {
		return o, &model.Error{Kind: model.Unusable, Reason: deactivated, Err: errFinal}
	}
	if err != nil {
		return o, s.counted(ctx, client, err)
	}
	request := about.request()
	text, err := s.ask(ctx, client, request, &o)
	if err != nil && model.KindOf(err) == model.Invalid && !errors.Is(err, errRefused) {
		// A server may refuse what it does not know without naming it. The system text asks for JSON too.
		request.Schema, request.Temperature = nil, nil
		text, err = s.ask(ctx, client, request, &o)
	}
	if err != nil {
		return o, err
	}
	result, problems := about.accept(text)
	if len(problems) > 0 {
		request.Messages = append(request.Messages,
			model.Message{Role: model.Assistant, Text: shortened(text, maxRepeated)},
			model.Message{Role: model.User, Text: "[That was not valid: " + strings.Join(problems, "; ") +
				". Answer again with the JSON object only.]"})
		if text, err = s.ask(ctx, client, request, &o); err != nil {
			return o, err
		}
		if result, problems = about.accept(text); len(problems) > 0 {
			return o, &model.Error{
				Kind: model.Invalid, Reason: "The model's answer was not valid: " + strings.Join(problems, "; "),
			}
		}
	}
	o.result, o.needs = &result, about.needs(j.CallID, result)
	return o, nil
}

// needs returns what a person has to do after a call. The settlement decides about the person's own words, so only what
// it can't know counts: answers that were found in the transcript, and that the person waits for something. After a
// call of a scripted agent that is no news, because it says what happens next in its own words.
func (about subject) needs(callID uuid.UUID, r Result) (needs []followup.Need) {
	if about.Analysis.OptOut {
		return nil
	}
	found := map[string]any{}
	for key, field := range r.Fields {
		if about.Analysis.Answers[key] == nil {
			found[key] = field.Value
		}
	}
	if matched := about.Script.FollowUps(found, about.variables()); len(matched) > 0 {
		needs = append(needs, followup.Need{
			CallID: callID, Kind: followup.Answer, Reason: conversation.FollowUpReason(matched),
		})
	}
	intent := about.Analysis.Intent
	asked := intent != nil && (*intent == conversation.WantsHuman || *intent == conversation.CallBack)
	if about.Script.Model != nil && r.FollowUpWanted != nil && *r.FollowUpWanted && !asked && !about.Transferred {
		needs = append(needs, followup.Need{
			CallID: callID, Kind: followup.Unsure, Reason: "Expects to hear from you. " + r.Summary,
		})
	}
	return needs
}

// variables are those that filled the agent's script in the call.
func (about subject) variables() map[string]any {
	known := conversation.Known{
		Agent: about.Agent, Organization: about.Organization, Name: about.Name, PhoneNumber: about.PersonNumber,
		Reason: about.Reason,
	}
	return known.Variables(about.Variables)
}

// read reads the call of a job with its transcript.
func (s *Service) read(ctx context.Context, j job) (about subject, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		about, err = postgres.CollectOne(ctx, tx, pgx.RowToStructByName[subject], `
			select c.person_number, c.answered_at,
			       coalesce((select r.zones[1] from recipient r where r.id = c.recipient_id), p.time_zone) as zone,
			       coalesce(c.agent_name, a.name) as agent, o.name as organization, c.recipient_name as name,
			       coalesce(c.call_reason, '') as reason, c.variables,
			       case when y.agent_version_id is null then a.script else v.script end as script, c.analysis,
			       exists (select from call_transfer t where t.call_id = c.id) as transferred
			from call_analysis y
			join call c on c.id = y.call_id
			join agent a on a.id = c.agent_id
			join organization o on o.id = c.organization_id
			join project p on p.id = c.project_id
			left join agent_version v on v.id = y.agent_version_id
			where y.organization_id = $1 and y.id = $2`, j.OrganizationID, j.AnalysisID)
		if err != nil {
			return fmt.Errorf("read the call of analysis %s: %w", j.AnalysisID, err)
		}
		about.Turns, err = call.Turns(ctx, tx, j.CallID)
		return err
	})
	return about, err
}

const (
	maxText     = 64 << 10 // bytes of an answer
	maxRepeated = 4000     // characters of an answer that the model is shown again
)

// ask asks for one answer within 30 seconds, and adds its use to o. Errors: a *model.Error, and that of the context.
func (s *Service) ask(ctx context.Context, client connection.Client, r model.Request, o *outcome) (string, error) {
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var b strings.Builder
	var done model.Done
	for d, err := range client.Stream(asking, r) {
		switch {
		case err != nil && ctx.Err() != nil:
			o.usage.Add(model.Estimate(r, b.Len())) // the server has read the request
			return "", ctx.Err()
		case err != nil && asking.Err() != nil:
			o.usage.Add(model.Estimate(r, b.Len()))
			return "", s.counted(ctx, client, &model.Error{
				Kind: model.Unavailable, Err: err,
				Reason: fmt.Sprintf("The model did not answer within %g seconds", askTime.Seconds()),
			})
		case err != nil:
			return "", s.counted(ctx, client, err)
		}
		switch d := d.(type) {
		case model.Text:
			b.WriteString(string(d))
		case model.Done:
			done = d
		}
		if b.Len() > maxText {
			o.usage.Add(model.Estimate(r, b.Len()))
			return "", s.counted(ctx, client, &model.Error{
				Kind: model.Unavailable, Reason: "The answer of the model does not end",
			})
		}
	}
	o.usage.Add(done.Usage)
	if done.Model != "" {
		o.name = shortened(done.Model, maxName)
	}
	if err := client.Worked(ctx); err != nil {
		return "", err
	}
	switch done.Finish {
	case model.Refused:
		return "", &model.Error{Kind: model.Invalid, Reason: "The model refused to analyze the call", Err: errRefused}
	case model.Length:
		return "", &model.Error{Kind: model.Invalid, Reason: "The answer of the model was too long", Err: errRefused}
	}
	return b.String(), nil
}

// maxName is the longest stored name of a model, in characters.
const maxName = 200

// counted counts an error for the health of the connection, and returns it.
func (s *Service) counted(ctx context.Context, client connection.Client, cause error) error {
	if client.Connection.ID == uuid.Nil {
		return cause
	}
	if err := client.Failed(ctx, cause); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

// errRefused is the cause of an error that the model, not its server, decided.
var errRefused = errors.New("the model decided so")

// request is what the model is asked about the call.
func (about subject) request() model.Request {
	zero := 0.0
	return model.Request{
		System:      about.system(),
		Messages:    []model.Message{{Role: model.User, Text: about.transcript()}},
		MaxTokens:   maxTokens,
		Temperature: &zero,
		Schema:      &model.Schema{Name: "analysis", Value: about.schema()},
	}
}

// language is the language in which the call was held at its end.
func (about subject) language() string {
	return cmp.Or(about.Analysis.Language, about.Script.Language)
}

// region is where national phone numbers in the call belong to.
func (about subject) region() string { return phone.Country(phone.Number(about.PersonNumber)) }

// localTime is the recipient's date and time at the beginning of the call. Empty: unknown.
func (about subject) localTime() string {
	zone, err := time.LoadLocation(about.Zone)
	if err != nil || about.AnsweredAt == nil {
		return ""
	}
	return about.AnsweredAt.In(zone).Format(conversation.LocalTime)
}

// shortened returns the first characters of a text.
func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}
