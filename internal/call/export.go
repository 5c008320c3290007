package call

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/wire"
)

// batch is how many calls an export reads at a time.
const batch = 500

// ExportHeader names the columns of Export: the fields of the API, with the analysis, the
// pre-dial check, the consent and the transfer in columns of their own.
var ExportHeader = []string{
	"id", "queued_at", "from_number", "to_number", "recipient_name", "status", "outcome", "ended_reason", "ended_by",
	"ended_detail", "carrier_code", "call_reason", "stir_attestation", "answered_by", "intent", "call_back_at",
	"attempt", "started_at", "answered_at", "ended_at", "ring_seconds", "duration_seconds", "summary", "sentiment",
	"successful", "opt_out",
	"answers", "transcript_text", "variables", "metadata", "recording_url", "cost", "cost_currency", "carrier",
	"carrier_call_id", "project_id",
	"campaign_id",
	"recipient_id", "agent_id", "phone_number_id",
	"pre_dial_result", "pre_dial_reason", "consent_source", "consent_at", "direction", "last_call_id", "external_id",
	"first_call_id", "next_call_id", "due_at", "missing_number", "agent_name",
	"agent_version", "language", "expires_at", "transfer_destination", "transfer_state", "transfer_taken_at",
	"transfer_ended_at", "resumes_campaign_id", "resumes_recipient_id", "resumes_completed",
	"ended_by_name", "updated_at", "tags", "review_note", "reviewed_at", "reviewed_by",
}

// AnswerColumns names the columns of answers to these questions, which follow ExportHeader.
func AnswerColumns(keys []string) []string {
	columns := make([]string, len(keys))
	for i, key := range keys {
		columns[i] = "answers." + key
	}
	return columns
}

// Export yields the calls that pass the filter as rows of a table, in the order of List. It yields each
// call that existed when the export began once. A scheduled call that is claimed meanwhile may be missing.
// So may be one whose due time moves meanwhile, or it may come twice. The yielded slice is reused for the next row.
// The answers to the questions with these keys have a column each, after the others. Export ends at its first error.
// For a filter that List refuses, the error is Invalid and comes before any row.
func (s *Service) Export(
	ctx context.Context, organization uuid.UUID, f Filter, answers ...string,
) iter.Seq2[[]string, error] {
	f.Batch = batch
	var reviews map[uuid.UUID]Review // of the calls of a batch
	read := func(p page.Request) (page.List[Call], error) {
		f.Request = p
		list, err := s.List(ctx, organization, f)
		if err != nil {
			return list, err
		}
		reviews, err = s.Reviews(ctx, organization, IDs(list.Data))
		return list, err
	}
	row := make([]string, len(ExportHeader)+len(answers))
	return page.All(f.Request, read, func(c Call) ([]string, error) {
		for i, key := range answers {
			row[len(ExportHeader)+i] = ""
			if c.Analysis != nil && c.Analysis.Answers[key] != nil {
				row[len(ExportHeader)+i] = fmt.Sprint(c.Analysis.Answers[key])
			}
		}
		return row, s.exportRow(c, reviews[c.ID], row)
	})
}

func (s *Service) exportRow(c Call, review Review, row []string) error {
	r := s.Resource(c)
	var summary, sentiment, successful, optOut, answers string
	if a := c.Analysis; a != nil {
		text, err := json.Marshal(a.Answers)
		if err != nil {
			return fmt.Errorf("encode the answers of call %s: %w", c.ID, err)
		}
		summary, sentiment, optOut, answers = a.Summary, string(a.Sentiment), strconv.FormatBool(a.OptOut), string(text)
		successful = export.Optional(a.Successful)
	}
	var checkResult, checkReason, consentSource, consentAt string
	if r.PreDialCheck != nil {
		checkResult, checkReason = string(r.PreDialCheck.Result), export.Optional(r.PreDialCheck.Reason)
	}
	if r.Consent != nil {
		consentSource, consentAt = export.Optional(r.Consent.Source), export.Optional(r.Consent.At)
	}
	var destination, transfer, takenAt, transferEndedAt string
	if t := r.Transfer; t != nil {
		destination, transfer = t.Destination, string(t.State)
		takenAt, transferEndedAt = export.Optional(t.TakenAt), export.Optional(t.EndedAt)
	}
	var resumesCampaign, resumesRecipient, resumesCompleted string
	if u := r.Resumes; u != nil {
		resumesCampaign, resumesRecipient = u.CampaignID.String(), u.RecipientID.String()
		resumesCompleted = strconv.FormatBool(u.Completed)
	}
	copy(row, []string{
		r.ID.String(), r.QueuedAt.String(), export.Optional(r.FromNumber), export.Optional(r.ToNumber),
		c.RecipientName, string(r.Status),
		export.Optional(r.Outcome), export.Optional(r.EndedReason),
		export.Optional(r.EndedBy), export.Optional(r.EndedDetail), export.Optional(r.CarrierCode),
		export.Optional(r.CallReason), export.Optional(r.StirAttestation),
		export.Optional(r.AnsweredBy), export.Optional(r.Intent), export.Optional(r.CallBackAt),
		strconv.Itoa(r.Attempt),
		export.Optional(r.StartedAt), export.Optional(r.AnsweredAt), export.Optional(r.EndedAt),
		strconv.Itoa(r.RingSeconds), strconv.Itoa(r.DurationSeconds), summary, sentiment, successful, optOut, answers,
		r.TranscriptText,
		string(r.Variables), string(r.Metadata), export.Optional(r.RecordingURL), export.Optional(c.CostAmount),
		export.Optional(c.CostCurrency), r.Carrier,
		export.Optional(r.CarrierCallID), r.ProjectID.String(),
		export.Optional(r.CampaignID), export.Optional(r.RecipientID), export.Optional(r.AgentID),
		r.PhoneNumberID.String(), checkResult, checkReason, consentSource, consentAt, string(r.Direction),
		export.Optional(r.LastCallID), export.Optional(c.ExternalID), export.Optional(r.FirstCallID),
		export.Optional(r.NextCallID), export.Optional(r.DueAt),
		export.Optional(r.MissingNumber), export.Optional(r.AgentName),
		export.Optional(r.AgentVersion), export.Optional(r.Language), export.Optional(r.ExpiresAt),
		destination, transfer, takenAt, transferEndedAt,
		resumesCampaign, resumesRecipient, resumesCompleted, export.Optional(r.EndedByName),
		r.UpdatedAt.String(), strings.Join(review.Tags, ", "), review.Note,
		export.Optional(wire.Optional(review.ReviewedAt)), review.ReviewedBy,
	})
	return nil
}
