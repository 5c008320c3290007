package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/postgres"
)

// This file writes what the staff did after past calls: notes about people, reviews of calls and follow-ups.

// notes are what staff wrote about those of the people who were reached last whom they know from many calls.
var notes = []string{
	"Prefers calls after 5 p.m. Works night shifts this month.",
	"Hard of hearing. Speak slowly, and repeat the time of the visit.",
	"Daughter handles the appointments. Ask for her first.",
}

func writeNotes(ctx context.Context, tx pgx.Tx, actor account.Actor, o organization) error {
	by := o.Admin.Name
	if len(o.Members) > 0 {
		by = o.Members[len(o.Members)-1].Name
	}
	_, err := tx.Exec(ctx, `
		insert into person_note (id, organization_id, phone_number, text, created_by, created_at)
		select gen_random_uuid(), @organization_id, c.person_number, (@notes::text[])[c.n], @by,
			c.ended_at + interval '20 minutes'
		from (
			select person_number, ended_at, row_number() over (order by ended_at desc, id) as n from call
			where organization_id = @organization_id and answered_by = 'human' and person_number in (
				select person_number from call where organization_id = @organization_id
				group by person_number having count(*) >= 5)
		) c
		where c.n <= cardinality(@notes::text[])`,
		pgx.NamedArgs{"organization_id": actor.OrganizationID, "notes": notes, "by": by})
	if err != nil {
		return fmt.Errorf("write notes about people: %w", err)
	}
	return nil
}

// reviews are what staff wrote about the last calls in which a person said something.
var reviews = []struct {
	said  string
	tags  []string
	notes []string // of the first calls
}{
	{"makes me dizzy", []string{"Medication"}, []string{
		"Asked Dr. Amin's office to check the dose. They call her today.",
		"Took the new pills twice a day. Explained it again.",
	}},
	{"was wonderful", []string{"Praise"}, []string{"Passed on to Rosa, she was happy about it."}},
	{"in a hurry", []string{"Complaint"}, []string{
		"Apologized by phone. The next visit has 15 minutes more.",
		"Second time this month on the same route. Talk to scheduling.",
	}},
	{"walker you sent", []string{"Equipment", "Fall risk"}, []string{"Technician adjusts the walker on Monday."}},
	{"Does it cost anything", []string{"Billing"}, []string{"Told her that Medicare pays for it."}},
	{"Eight today", []string{"Fall risk", "Pain"}, []string{"Nurse went there the same day."}},
	{"talk to a", []string{"Training"}, nil},
}

// writeReviews reviews the last calls of each kind, and most of the older calls without a word.
func writeReviews(ctx context.Context, tx pgx.Tx, actor account.Actor, o organization) error {
	batch := &pgx.Batch{}
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "reviewers": staffOf(o)}
	const by = `(@reviewers::text[])[1 + n % cardinality(@reviewers::text[])]`
	for _, r := range reviews {
		batch.Queue(`
			insert into call_review (call_id, organization_id, reviewed_at, reviewed_by, tags, note)
			select id, @organization_id, ended_at + interval '95 minutes', `+by+`, @tags,
			       coalesce((@notes::text[])[n], '')
			from (
				select id, ended_at, row_number() over (order by created_at desc, id) as n from call
				where organization_id = @organization_id and strpos(transcript_text, @said) > 0
				order by created_at desc, id limit 7
			) c
			on conflict (call_id) do update set tags = (
				select array_agg(distinct t order by t) from unnest(call_review.tags || excluded.tags) t)`,
			with(args, "said", r.said, "tags", r.tags, "notes", r.notes))
		batch.Queue(`
			insert into call_tag (organization_id, name) select @organization_id, unnest(@tags::text[])
			on conflict do nothing`, with(args, "tags", r.tags))
	}
	batch.Queue(`
		insert into call_review (call_id, organization_id, reviewed_at, reviewed_by)
		select id, @organization_id, ended_at + interval '95 minutes', `+by+`
		from (
			select id, ended_at, row_number() over (order by created_at, id) as n from call
			where organization_id = @organization_id and answered_by = 'human'
			  and ended_at < date_trunc('day', clock() at time zone 'utc') at time zone 'utc' - interval '4 days'
		) c
		where n % 5 > 0
		on conflict do nothing`, args)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("write reviews of calls: %w", err)
	}
	return nil
}

// with returns args with more arguments, given as names and values.
func with(args pgx.NamedArgs, more ...any) pgx.NamedArgs {
	all := pgx.NamedArgs{}
	for name, value := range args {
		all[name] = value
	}
	for i := 0; i < len(more); i += 2 {
		all[more[i].(string)] = more[i+1]
	}
	return all
}

// staffOf returns the names of the people who work with calls.
func staffOf(o organization) (names []string) {
	for _, m := range o.Members {
		names = append(names, m.Name)
	}
	if names == nil {
		names = []string{o.Admin.Name}
	}
	return names
}

// need is something in a past call that needed a person.
type need struct {
	call   uuid.UUID
	at     time.Time
	kind   followup.Kind // empty: nothing
	reason string
}

// needOf returns what the settlement of a call would have found.
func needOf(state conversation.State) (n need) {
	if state.Intent == conversation.WantsHuman {
		return need{kind: followup.WantsHuman, reason: "Asked to talk to a person"}
	}
	if matched := state.Script.FollowUps(conversation.Analyze(state).Answers, nil); len(matched) > 0 {
		return need{kind: followup.Answer, reason: conversation.FollowUpReason(matched)}
	}
	return n
}

// Of each reason, the newest follow-ups are open.
const (
	openFollowUps = 14
	openOfReason  = 5
)

// plan is what the staff planned for an open follow-up.
type plan struct {
	assignee int // index in the members; nobody: nobody
	days     int // until it is due; none: no time; 0: two hours after the call, so it is overdue
	hour     int
}

const (
	nobody = -1
	none   = -1
)

// plans are the plans for open follow-ups, in turn.
var plans = []plan{
	{nobody, none, 0}, {1, 1, 10}, {nobody, none, 0}, {0, 0, 0}, {nobody, none, 0}, {1, none, 0}, {nobody, 2, 9},
	{1, 0, 0}, {0, 1, 15}, {nobody, none, 0},
}

// due is when the follow-up of a call is due; nil: at no particular time.
func (p plan) due(call, now time.Time) *time.Time {
	var at time.Time
	switch p.days {
	case none:
		return nil
	case 0:
		if at = call.Add(2 * time.Hour).Truncate(30 * time.Minute); at.After(now) {
			at = now
		}
	default:
		at = time.Date(now.Year(), now.Month(), now.Day()+p.days, p.hour, 0, 0, 0, now.Location())
	}
	return &at
}

// results are what came of follow-ups, by a part of their reasons.
var results = []struct {
	about string
	notes []string
}{
	{"visit works", []string{
		"Moved to Friday morning.", "Moved to next week, same nurse.", "In hospital until Monday. Visit canceled.",
		"No other time found. Daughter is there instead.",
	}},
	{"pain", []string{"Dr. Amin informed, new prescription sent.", "Nurse went there the same day."}},
	{"nurse to call", []string{
		"Called. Dressing can come off on Thursday.", "Talked for ten minutes, all questions answered.",
		"Called twice, left a message with the daughter.", "Called. Sees her doctor tomorrow.",
	}},
	{"well", []string{"Only a cold. Booked for next week.", "Has a fever. Told her to see her doctor first."}},
	{"talk to a person", []string{"Called back. Wanted to know who sees the answers.", "Called back, all settled."}},
}

// writeFollowUps writes the follow-ups of past calls.
func writeFollowUps(
	ctx context.Context, tx pgx.Tx, actor account.Actor, o organization, needs []need, now time.Time,
) error {
	slices.SortFunc(needs, func(a, b need) int { return b.at.Compare(a.at) })
	staff, emails := staffOf(o), []string{o.Admin.Email}
	if len(o.Members) > 0 {
		emails = nil
	}
	for _, m := range o.Members {
		emails = append(emails, m.Email)
	}
	type followUp struct {
		need
		id             uuid.UUID
		assignee, note string // the assignee's email
		due, doneAt    *time.Time
		doneBy         *string
	}
	all := make([]followUp, len(needs))
	open, openOf := 0, map[string]int{}
	for i, n := range needs {
		f := followUp{need: n, id: idOf(n.at)}
		if open < openFollowUps && openOf[n.reason] < openOfReason {
			plan := plans[open%len(plans)]
			open++
			openOf[n.reason]++
			if plan.assignee != nobody {
				f.assignee = emails[plan.assignee%len(emails)]
			}
			f.due = plan.due(n.at, now)
		} else {
			f.assignee, f.doneBy = emails[i%len(emails)], &staff[i%len(staff)]
			at := n.at.Add(time.Duration(25+i*37%300) * time.Minute)
			if latest := now.Add(-time.Minute); at.After(latest) {
				at = latest
			}
			f.doneAt = &at
			for _, r := range results {
				if strings.Contains(n.reason, r.about) && i%3 > 0 {
					f.note = r.notes[i%len(r.notes)]
				}
			}
		}
		all[i] = f
	}
	columns := postgres.NewColumns("n",
		postgres.Column("id", "uuid", func(f *followUp) uuid.UUID { return f.id }),
		postgres.Column("call_id", "uuid", func(f *followUp) uuid.UUID { return f.call }),
		postgres.Column("kind", "text", func(f *followUp) string { return string(f.kind) }),
		postgres.Column("reason", "text", func(f *followUp) string { return f.reason }),
		postgres.Column("note", "text", func(f *followUp) string { return f.note }),
		postgres.Column("assignee", "text", func(f *followUp) string { return f.assignee }),
		postgres.Column("due_at", "timestamptz", func(f *followUp) *time.Time { return f.due }),
		postgres.Column("done_by", "text", func(f *followUp) *string { return f.doneBy }),
		postgres.Column("done_at", "timestamptz", func(f *followUp) *time.Time { return f.doneAt }),
	)
	args := columns.Args(all)
	args["organization_id"] = actor.OrganizationID
	_, err := tx.Exec(ctx, `
		insert into follow_up (id, organization_id, project_id, campaign_id, recipient_id, call_id, kind, status,
			reason, note, assignee_id, due_at, created_at, done_by, done_at)
		select n.id, c.organization_id, c.project_id, c.campaign_id, c.recipient_id, c.id, n.kind,
		       case when n.done_by is null then 'open' else 'done' end, n.reason, n.note, m.user_id, n.due_at,
		       c.settled_at, n.done_by, n.done_at
		from `+columns.Table()+`
		join call c on c.organization_id = @organization_id and c.id = n.call_id
		left join app_user u on u.email = n.assignee
		left join membership m on m.user_id = u.id and m.organization_id = c.organization_id`, args)
	if err != nil {
		return fmt.Errorf("write %d follow-ups: %w", len(all), err)
	}
	return nil
}
