package project_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/migrations"
)

// Transfers that were stored as rules of their own, and those with equals, keep their meaning, in drafts and in
// versions, and the hash of a version stays that of its content.
func TestTransferRulesAreMigrated(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	desk, err := f.projects.CreateDestination(ctx, f.actor, project.DestinationSettings{
		ProjectID: f.place(t, "North").ID.String(), Name: "Front desk", PhoneNumber: "+13125550161",
	})
	if err != nil {
		t.Fatal(err)
	}
	rule := func(r conversation.AnswerRule) []conversation.Branch {
		return []conversation.Branch{{DestinationID: &desk.ID, AnswerRule: r}}
	}
	a, err := f.projects.CreateAgent(ctx, f.actor, project.AgentSettings{Name: "Nora", Script: conversation.Script{
		Language: "en-US", Greeting: "Hello.",
		Transfer: &conversation.TransferSettings{Destinations: []uuid.UUID{desk.ID}},
		Questions: []conversation.Question{
			{
				Key: "well", Ask: "Are you well?", Expect: conversation.YesNo,
				Branches: rule(conversation.AnswerRule{Answer: new(false)}),
			},
			{
				Key: "meal", Ask: "Which meal?", Expect: conversation.Choice, Options: []string{"Meat", "Fish"},
				Branches: rule(conversation.AnswerRule{Options: []string{"Fish"}}),
			},
			{
				Key: "pain", Ask: "How much does it hurt?", Expect: conversation.Number,
				Branches: rule(conversation.AnswerRule{AtLeast: new(7.0)}),
			},
			{Key: "more", Ask: "What else?", Expect: conversation.Text},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	stored := func() (rules, hashes string) {
		t.Helper()
		err := f.db.Pool.QueryRow(ctx, `
			select (select string_agg(coalesce(q ->> 'branches', q ->> 'transfer'), ' ')
					from agent, jsonb_array_elements(script -> 'questions') q),
			       (select string_agg(sha256, ' ') from agent_version) || ' ' || (
				select string_agg(encode(sha256(convert_to(jsonb_build_array(kind, language, speech, script,
					record_calls)::text, 'UTF8')), 'hex'), ' ')
				from (select * from agent_version) v)`).Scan(&rules, &hashes)
		if err != nil {
			t.Fatal(err)
		}
		return rules, hashes
	}
	migrate := func(file string) {
		t.Helper()
		text, err := fs.ReadFile(migrations.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.db.Pool.Exec(ctx, string(text)); err != nil {
			t.Fatal(err)
		}
	}
	before, hashes := stored()
	migrate("000659_branch.down.sql")
	migrate("000241_answer_rule.down.sql")
	earlier, other := stored()
	for _, want := range []string{`"equals": false`, `"equals": "Fish"`, `"at_least": 7`} {
		if !strings.Contains(earlier, want) {
			t.Errorf("%s lacks %s", earlier, want)
		}
	}
	if own, content, _ := strings.Cut(other, " "); own != content || strings.Contains(hashes, own) {
		t.Errorf("the hash is %s, that of the content %s", own, content)
	}
	migrate("000241_answer_rule.up.sql")
	migrate("000659_branch.up.sql")
	if after, same := stored(); after != before || same != hashes {
		t.Errorf("%s\n%s\n%s, want\n%s", after, same, hashes, before)
	}
	_, err = f.projects.PublishAgent(ctx, f.actor, a.ID, project.Publishing{})
	wantFault(t, err, fault.Conflict, "The draft is the same as version 1, which is published")
}
