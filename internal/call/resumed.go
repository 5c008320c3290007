package call

import "github.com/google/uuid"

// Resumed is the recipient of a campaign whose open questions an inbound call asked. The call is none of the campaign:
// it is no attempt, and no figures of the campaign count it.
type Resumed struct {
	CampaignID  uuid.UUID `json:"campaign_id"`
	RecipientID uuid.UUID `json:"recipient_id"`
	Completed   bool      `json:"completed"` // the caller answered them, so the recipient is called no more
}

// sqlResumed is the Resumed of a call, null without one. Recipients of calls of their own are in no list.
const sqlResumed = `(
	select jsonb_build_object(
		'campaign_id', r.campaign_id, 'recipient_id', r.id,
		'completed', r.answered_call_id is not distinct from call.id)
	from recipient r
	where r.id = call.resumes_recipient_id and r.first_call_id is null)`
