package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// RecipientOptions filter recipients. A zero field does not filter.
type RecipientOptions struct {
	Page     page.Request
	Statuses []RecipientStatus     // matches any of them
	Outcomes []call.Outcome        // matches any of them, for the last call
	Intents  []conversation.Intent // matches any of them, for the last call
	OptedOut bool                  // only recipients who asked on a call not to be called again

	ExternalID  string
	PhoneNumber string      // E.164
	Metadata    check.Pairs // each of these
	Answers     check.Pairs // each of these in one call, as call.Filter.Answers

	Search string // the whole number or external_id, or a part of the number or the name

	IDs []uuid.UUID // any of them; nil: all
}

const (
	// No index helps a search for a part of a name. The search reads the list in pieces
	// of scanned recipients, and stops after patience.
	scanned  = 20_000
	patience = 500 * time.Millisecond
)

const recipientColumns = `
	id, organization_id, campaign_id, phone_number, name, external_id, timezone, zones, zone_source, consent_basis,
	consent_at, consent_source, consent_expires_at, variables, metadata, ` +
	effectiveStatus + ` as status, attempts, due_at, wait_reason, last_call_id, outcome,
	 (select intent from call where call.id = recipient.last_call_id) as intent, skip_reason, skip_detail, opted_out,
	prioritized_at, canceled_at, created_at`

// sqlIntended finds the recipients by the intents of their last calls. Few calls have an intent, and
// an index has these.
const sqlIntended = `id in (
	select c.recipient_id from call c
	where c.campaign_id = @campaign_id and c.intent = any(@intents) and c.id = recipient.last_call_id)`

// effectiveStatus derives in_progress from the call, like the counters.
const effectiveStatus = `
	case when recipient.status = 'dialing' and exists (
		select from call where call.id = recipient.last_call_id and call.answered_at is not null
	) then 'in_progress' else recipient.status end`

// Recipients reads a page of a campaign's recipients: newest first, or oldest first if
// the page goes forward. A search with few matches stops after half a second. The page
// may then be shorter than its limit, or empty, although more recipients match. An
// unknown or foreign campaign is NotFound.
func (s *Service) Recipients(
	ctx context.Context, organizationID, campaignID uuid.UUID, o RecipientOptions,
) (page.List[Recipient], error) {
	var none page.List[Recipient]
	args := pgx.NamedArgs{"organization_id": organizationID, "campaign_id": campaignID}
	if err := o.Page.Args(args); err != nil {
		return none, err
	}
	o, err := checked(ctx, s.db, organizationID, campaignID, o)
	if err != nil {
		return none, err
	}
	indexed, either, looked, err := s.narrow(ctx, s.db, o, args)
	if err != nil {
		return none, err
	}
	from := `
		from recipient
		where campaign_id = @campaign_id and organization_id = @organization_id
		  and created_at > @page_after and created_at < @page_before and ` + o.Page.WhereID()
	for _, condition := range indexed {
		from += ` and ` + condition
	}
	position := func(r Recipient) (time.Time, uuid.UUID) { return r.CreatedAt, r.ID }
	if len(looked) == 0 {
		recipients, err := s.collectRecipients(ctx,
			page.Merge(`select `+recipientColumns+from, o.Page.OrderID(), either), args)
		if err != nil {
			return none, err
		}
		return page.Cut(o.Page, recipients, position), nil
	}

	direction := " desc"
	if o.Page.Forward {
		direction = ""
	}
	args["scanned"] = scanned
	stretch := ` order by id` + direction + ` limit @scanned`
	query := `select * from (` + page.Merge(`select `+recipientColumns+from, stretch, either) + `) r
		where ` + strings.Join(looked, " and ") + ` ` + o.Page.OrderID()
	last := `select created_at, id from (` + page.Merge(`select created_at, id `+from, stretch, either) + `) r
		order by id` + direction + ` offset @scanned - 1 limit 1`
	began := time.Now()
	var found []Recipient
	for {
		more, err := s.collectRecipients(ctx, query, args)
		if err != nil {
			return none, err
		}
		found = append(found, more...)
		want := args["page_limit"].(int)
		if len(more) >= want {
			return page.Cut(o.Page, found, position), nil
		}
		args["page_limit"] = want - len(more)

		// The scanned recipients did not fill the page: continue after them.
		var at time.Time
		var id uuid.UUID
		err = s.db.QueryRow(ctx, last, args).Scan(&at, &id)
		if errors.Is(err, pgx.ErrNoRows) {
			return page.Cut(o.Page, found, position), nil
		}
		if err != nil {
			return none, fmt.Errorf("list recipients of %s: %w", campaignID, err)
		}
		args["page_id"] = id
		if time.Since(began) > patience {
			list := page.Cut(o.Page, found, position)
			next := o.Page.Next(at, id)
			list.HasMore, list.NextCursor = true, &next
			return list, nil
		}
	}
}

// narrow returns the conditions of where and those of the search. Errors: NotFound for an unknown or foreign campaign.
func (s *Service) narrow(
	ctx context.Context, db postgres.DB, o RecipientOptions, args pgx.NamedArgs,
) (indexed, either, looked []string, err error) {
	indexed, either, looked = o.where(args)
	var exists, number, externalID bool
	err = db.QueryRow(ctx, `
		select exists (select from campaign
		               where organization_id = @organization_id and id = @campaign_id and kind <> 'deleted'),
		       exists (select from recipient
		               where organization_id = @organization_id and phone_number = @number
			and campaign_id = @campaign_id),
		       exists (select from recipient
		               where organization_id = @organization_id and campaign_id = @campaign_id and external_id = @q
		                 and first_call_id is null)`,
		args).Scan(&exists, &number, &externalID)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("read campaign %s: %w", args["campaign_id"], err)
	}
	switch {
	case !exists:
		return nil, nil, nil, fault.NotFoundf("Campaign")
	case args["q"] == "":
	case number:
		indexed = append(indexed, `phone_number = @number`)
	case externalID:
		indexed = append(indexed, `external_id = @q and first_call_id is null`)
	case args["number"] == "":
		looked = append(looked, sqlNamed)
	default:
		looked = append(looked, `(phone_number like @part or `+sqlNamed+`)`)
	}
	return indexed, either, looked, nil
}

// MaxMatching is how many recipients one request may cancel or prioritize by a filter.
const MaxMatching = 10_000

// matching returns the recipients of a campaign that match a filter, in the order of the list, at most MaxMatching and
// one. It reads the list to its end, however few match. Errors: Invalid; NotFound for the campaign.
func (s *Service) matching(
	ctx context.Context, db postgres.DB, organizationID, campaignID uuid.UUID, o RecipientOptions,
) ([]uuid.UUID, error) {
	o, err := checked(ctx, db, organizationID, campaignID, o)
	if err != nil {
		return nil, err
	}
	args := pgx.NamedArgs{
		"organization_id": organizationID, "campaign_id": campaignID, "most": MaxMatching + 1,
	}
	indexed, either, looked, err := s.narrow(ctx, db, o, args)
	if err != nil {
		return nil, err
	}
	from := `
		from recipient
		where campaign_id = @campaign_id and organization_id = @organization_id`
	if len(either) > 0 {
		from += ` and (` + strings.Join(either, " or ") + `)`
	}
	for _, condition := range indexed {
		from += ` and ` + condition
	}
	where := "true"
	if len(looked) > 0 {
		where = strings.Join(looked, " and ")
	}
	ids, err := postgres.Collect(ctx, db, pgx.RowTo[uuid.UUID], `
		select id from (select `+recipientColumns+from+`) r where `+where+` order by id limit @most`, args)
	if err != nil {
		return nil, fmt.Errorf("read the matching recipients of %s: %w", campaignID, err)
	}
	return ids, nil
}

// CountMatching counts the recipients of a campaign that match a filter, at most MaxMatching and one. Errors: Invalid;
// NotFound for the campaign.
func (s *Service) CountMatching(
	ctx context.Context, organizationID, campaignID uuid.UUID, o RecipientOptions,
) (int, error) {
	ids, err := s.matching(ctx, s.db, organizationID, campaignID, o)
	return len(ids), err
}

// checked returns a filter with the answers as they are found. Errors: Invalid.
func checked(
	ctx context.Context, db postgres.DB, organizationID, campaignID uuid.UUID, o RecipientOptions,
) (RecipientOptions, error) {
	err := o.check()
	if err != nil {
		return o, err
	}
	o.Answers, err = call.ReadAnswers(ctx, db, organizationID, call.ResultFilter{CampaignID: &campaignID}, o.Answers)
	return o, err
}

func (o RecipientOptions) check() error {
	var p fault.Problems
	fault.OneOf(&p, "status", o.Statuses, RecipientStatuses)
	fault.OneOf(&p, "outcome", o.Outcomes, call.Outcomes)
	fault.OneOf(&p, "intent", o.Intents, conversation.Intents)
	check.Line(&p, "external_id", new(o.ExternalID), intake.MaxExternalID)
	o.Metadata.Check(&p, "metadata")
	o.Answers.Check(&p, "answers")
	return p.Err()
}

// where returns conditions with an index, alternatives with an index of which a
// recipient must match one, and conditions that are checked on each row. It adds their
// arguments to args.
func (o RecipientOptions) where(args pgx.NamedArgs) (indexed, either, looked []string) {
	if o.OptedOut {
		indexed = append(indexed, `opted_out`)
	}
	if o.IDs != nil {
		indexed, args["chosen_ids"] = append(indexed, `id = any(@chosen_ids::uuid[])`), o.IDs
	}
	if o.ExternalID != "" {
		indexed = append(indexed, `external_id = @external_id and first_call_id is null`) // as in the index
		args["external_id"] = o.ExternalID
	}
	if o.PhoneNumber != "" {
		indexed, args["phone_number"] = append(indexed, `phone_number = @phone_number`), o.PhoneNumber
	}
	looked = append(looked, page.Has(args, "metadata", "metadata", o.Metadata)...)
	if len(o.Answers) > 0 {
		answered := call.SQLAnswers(args, o.Answers)
		looked = append(looked, `(exists (select from call c where c.recipient_id = r.id and `+answered+`)
			or exists (select from call c where c.resumes_recipient_id = r.id and `+answered+`))`)
	}
	if len(o.Intents) > 0 {
		indexed = append(indexed, sqlIntended)
		args["intents"] = o.Intents
	}
	beingDialed := !slices.ContainsFunc(o.Statuses, func(s RecipientStatus) bool { return !s.dialed() })
	switch {
	case len(o.Statuses) == 0:
		either = page.Equal(args, "outcome", o.Outcomes)
	case len(o.Outcomes) == 0 && !o.OptedOut || beingDialed:
		either = withStatus(args, o.Statuses)
		if len(o.Outcomes) > 0 {
			indexed = append(indexed, `outcome = any(@outcomes)`)
		}
	default: // the other filters usually match fewer recipients
		either = page.Equal(args, "outcome", o.Outcomes)
		looked = append(looked, `status = any(@statuses)`)
	}
	args["statuses"], args["outcomes"] = o.Statuses, o.Outcomes
	q := typed(o.Search)
	number := strings.NewReplacer(" ", "", "-", "", "(", "", ")", "").Replace(q)
	args["q"], args["number"] = q, number
	args["part"], args["name"] = likely(number), likely(q)
	return indexed, either, looked
}

// withStatus returns a condition for each status. Recipients in a call are stored as
// dialing. At any time few recipients are dialing or in a call.
func withStatus(args pgx.NamedArgs, statuses []RecipientStatus) []string {
	conditions := page.Equal(args, "status", slices.DeleteFunc(slices.Clone(statuses), RecipientStatus.dialed))
	if live := slices.DeleteFunc(slices.Clone(statuses), func(s RecipientStatus) bool {
		return !s.dialed()
	}); len(live) > 0 {
		args["live"] = live
		conditions = append(conditions, `status = 'dialing' and `+effectiveStatus+` = any(@live)`)
	}
	return conditions
}

// dialed reports whether the recipient is being called or in a call.
func (s RecipientStatus) dialed() bool { return s == RecipientDialing || s == RecipientInProgress }

// Recipient returns a recipient of a campaign. Errors: NotFound, which names the campaign if that is unknown or
// foreign.
func (s *Service) Recipient(ctx context.Context, organizationID, campaignID, id uuid.UUID) (Recipient, error) {
	found, err := s.collectRecipients(ctx, `
		select `+recipientColumns+` from recipient
		where organization_id = @organization_id and campaign_id = @campaign_id and id = @id
		  and first_call_id is null`, // others are calls, not recipients of lists
		pgx.NamedArgs{"organization_id": organizationID, "campaign_id": campaignID, "id": id})
	if err != nil {
		return Recipient{}, err
	}
	if len(found) > 0 {
		return found[0], nil
	}
	if _, err := s.Get(ctx, organizationID, campaignID); err != nil {
		return Recipient{}, err
	}
	return Recipient{}, fault.NotFoundf("Recipient")
}

// RecipientsOf returns the recipients of all lists of an organization that have a number, newest first.
// Errors: Invalid.
func (s *Service) RecipientsOf(
	ctx context.Context, organizationID uuid.UUID, number phone.Number, r page.Request,
) (page.List[Recipient], error) {
	return page.Read(ctx, s.db, r, "list the recipients of a number", `
		select `+recipientColumns+`
		from (
			select * from recipient where organization_id = @organization_id and phone_number = @number
			  and first_call_id is null -- others are calls, not recipients of lists
			offset 0
		) recipient
		where `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID, "number": number},
		func(r Recipient) (time.Time, uuid.UUID) { return r.CreatedAt, r.ID })
}

func (s *Service) collectRecipients(ctx context.Context, query string, args pgx.NamedArgs) ([]Recipient, error) {
	recipients, err := postgres.Collect(ctx, s.db, pgx.RowToStructByName[Recipient], query, args)
	if err != nil {
		return nil, fmt.Errorf("list recipients: %w", err)
	}
	return recipients, nil
}
