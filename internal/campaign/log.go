package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// LogType is the type of an entry in a campaign's log.
type LogType string

const (
	LogCreated           LogType = "created"
	LogStarted           LogType = "started"
	LogPaused            LogType = "paused"
	LogResumed           LogType = "resumed"
	LogRecipientsAdded   LogType = "recipients_added"
	LogWaiting           LogType = "waiting" // no recipient can be called for a while, or a limit was reached
	LogDialing           LogType = "dialing" // the wait is over
	LogRecipientsSkipped LogType = "recipients_skipped"
	LogDoNotCallAdded    LogType = "do_not_call_added" // calls have put numbers on the do-not-call list
	LogCallsNotPlaced    LogType = "calls_not_placed"
	LogCountryRefused    LogType = "country_refused" // the carrier account may not call a country
	LogRecipientsExpired LogType = "recipients_expired"
	LogCompleted         LogType = "completed"
	LogCanceled          LogType = "canceled"
	LogFailed            LogType = "failed"
	LogBudgetChanged     LogType = "budget_changed"
	LogScheduled         LogType = "scheduled" // a draft was started
	LogChanged           LogType = "changed"   // a person or a key changed settings

	// A person or a key changed recipients one by one.
	LogRecipientsCanceled      LogType = "recipients_canceled"
	LogRecipientsPrioritized   LogType = "recipients_prioritized"
	LogRecipientsUnprioritized LogType = "recipients_unprioritized" // the undo of it
	LogRecipientsUpdated       LogType = "recipients_updated"
)

// LogTypes lists every type.
var LogTypes = []LogType{
	LogCreated, LogStarted, LogPaused, LogResumed, LogRecipientsAdded, LogWaiting, LogDialing, LogRecipientsSkipped,
	LogDoNotCallAdded, LogCallsNotPlaced, LogCountryRefused, LogRecipientsExpired, LogCompleted, LogCanceled, LogFailed,
	LogBudgetChanged, LogScheduled, LogChanged, LogRecipientsCanceled, LogRecipientsPrioritized,
	LogRecipientsUnprioritized, LogRecipientsUpdated,
}

// LogEntry is a decision about a campaign. The transaction that made the decision wrote
// the entry.
type LogEntry struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	CampaignID     uuid.UUID
	Type           LogType `db:"kind"`
	ActorKind      account.ActorKind
	ActorName      string
	Details        LogDetails `db:"data"`
	CreatedAt      time.Time
	UpdatedAt      time.Time // of an entry that counts: the time of the latest event
}

// LogDetails are the details of an entry. A zero field does not apply.
type LogDetails struct {
	// Reason is the text of a pause, a person's reason to start on a connection that is not ready, or the carrier's
	// words; otherwise a code: why the campaign ended or waited
	Reason     string `json:"reason,omitempty"`
	NotReady   string `json:"not_ready,omitempty"`   // the connection that was not ready, and its checks
	Country    string `json:"country,omitempty"`     // the country that the carrier refused, as of phone.Country
	Recipients int    `json:"recipients,omitempty"`  // how many recipients the entry is about
	Duplicate  int    `json:"duplicate,omitempty"`   // how many of them were skipped as duplicates
	NoConsent  int    `json:"no_consent,omitempty"`  // how many of them were skipped without a consent
	LeftOut    int    `json:"left_out,omitempty"`    // how many rows of the list had errors and are no recipients
	NotAllowed int    `json:"not_allowed,omitempty"` // how many of them the pre-dial check refused
	DoNotCall  int    `json:"do_not_call,omitempty"` // how many of them are on the do-not-call list for calls
	Messages   int    `json:"messages,omitempty"`    // how many of them were put on the list for messages
	Calls      int    `json:"calls,omitempty"`
	// Listed is how many of the recipients were put on the do-not-call list, by intent or OptedOut
	Listed  map[string]int `json:"listed,omitempty"`
	Waiting []Waiting      `json:"waiting,omitempty"` // how many recipients wait, by reason
	Ends    *time.Time     `json:"ends,omitempty"`    // the campaign's end, if it comes before Until
	Until   *time.Time     `json:"until,omitempty"`   // the start time, or when the next recipient may be called
	Budget  *Budget        `json:"budget,omitempty"`  // the new budget
	Draft   bool           `json:"draft,omitempty"`   // the campaign was created as a draft
	Fields  []string       `json:"fields,omitempty"`  // the settings that were changed, as in the API
}

// OptedOut is a key of Listed.
const OptedOut = "opted_out"

// List counts a recipient who was put on the do-not-call list because of an intent or OptedOut.
func (d *LogDetails) List(why string) {
	if d.Listed == nil {
		d.Listed = map[string]int{}
	}
	d.Recipients++
	d.Listed[why]++
}

const sqlLog = `
	insert into campaign_log_entry (id, organization_id, campaign_id, kind, actor_kind, actor_name, data)
	values (@id, @organization_id, @campaign_id, @kind, @actor_kind, @actor_name, @data)`

// sqlLogCount adds to the counters of an entry for the hour, or for the campaign's
// whole life. Events that happen to many recipients share one entry.
const sqlLogCount = `
	insert into campaign_log_entry as e (id, organization_id, campaign_id, kind, period, actor_kind, actor_name, data)
	values (@id, @organization_id, @campaign_id, @kind,
	        case when @whole::boolean then 'epoch' else date_trunc('hour', clock()) end, @actor_kind, @actor_name,
		@data)
	on conflict (campaign_id, kind, period) where period is not null do update set
		data = e.data || excluded.data || (
			select jsonb_object_agg(key, coalesce((e.data->>key)::bigint, 0) + coalesce((excluded.data->>key)::bigint,
				0))
			from unnest(array['recipients', 'do_not_call', 'no_consent', 'not_allowed', 'messages', 'calls']) key
			where e.data ? key or excluded.data ? key
		) || coalesce((
			select jsonb_build_object('listed', jsonb_object_agg(key, calls)) from (
				select key, sum(value::bigint) as calls from (
					select * from jsonb_each_text(coalesce(e.data -> 'listed', '{}'))
					union all
					select * from jsonb_each_text(coalesce(excluded.data -> 'listed', '{}'))
				) l
				group by key
			) l
			having count(*) > 0), '{}'),
		updated_at = clock()`

// LogArgs returns the arguments of an insert into campaign_log_entry, for a
// statement that writes the entry only under a condition.
func LogArgs(actor account.Actor, campaignID uuid.UUID, t LogType, d LogDetails) (pgx.NamedArgs, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode the log entry %s: %w", t, err)
	}
	return pgx.NamedArgs{
		"id": uuid.Must(uuid.NewV7()), "organization_id": actor.OrganizationID, "campaign_id": campaignID, "kind": t,
		"actor_kind": actor.Kind, "actor_name": actor.Name, "data": data,
	}, nil
}

// WriteLog writes an entry of a campaign's log in the caller's transaction.
func WriteLog(
	ctx context.Context, tx pgx.Tx, actor account.Actor, campaignID uuid.UUID, t LogType, d LogDetails,
) error {
	args, err := LogArgs(actor, campaignID, t, d)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, sqlLog, args); err != nil {
		return fmt.Errorf("log %s of campaign %s: %w", t, campaignID, err)
	}
	return nil
}

// CountLog adds to the counters of an entry about recipients or calls. There is one
// entry per hour, or one per campaign if whole is set.
func CountLog(
	ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID, t LogType, d LogDetails, whole bool,
) error {
	args, err := LogArgs(account.System(organizationID), campaignID, t, d)
	if err != nil {
		return err
	}
	args["whole"] = whole
	if _, err := tx.Exec(ctx, sqlLogCount, args); err != nil {
		return fmt.Errorf("log %s of campaign %s: %w", t, campaignID, err)
	}
	return nil
}

// logged maps the new status of a change to its log entry.
var logged = map[Status]LogType{
	Running: LogStarted, Paused: LogPaused, Completed: LogCompleted, Canceled: LogCanceled, Failed: LogFailed,
	Scheduled: LogResumed,
}

const logColumns = `id, organization_id, campaign_id, kind, actor_kind, actor_name, data, created_at, updated_at`

// Log reads a page of a campaign's log, newest first. An unknown or foreign
// campaign is NotFound.
func (s *Service) Log(ctx context.Context, organizationID, id uuid.UUID, p page.Request) (page.List[LogEntry], error) {
	var none page.List[LogEntry]
	args := pgx.NamedArgs{"organization_id": organizationID, "campaign_id": id}
	if err := p.Args(args); err != nil {
		return none, err
	}
	var exists bool
	err := s.db.QueryRow(
		ctx, `select true from campaign
			where organization_id = @organization_id and id = @campaign_id and kind <> 'deleted'`, args,
	).Scan(&exists)
	if errors.Is(err, pgx.ErrNoRows) {
		return none, fault.NotFoundf("Campaign")
	}
	if err != nil {
		return none, fmt.Errorf("read campaign %s: %w", id, err)
	}
	entries, err := postgres.Collect(ctx, s.db, pgx.RowToStructByName[LogEntry], `
		select `+logColumns+`
		from campaign_log_entry
		where organization_id = @organization_id and campaign_id = @campaign_id and `+page.Where+`
		`+page.Order, args)
	if err != nil {
		return none, fmt.Errorf("list the log of campaign %s: %w", id, err)
	}
	return page.Cut(p, entries, func(e LogEntry) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID }), nil
}
