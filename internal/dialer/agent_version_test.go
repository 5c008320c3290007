package dialer

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

// publish changes the draft of the agent and publishes it.
func (b *bench) publish(t *testing.T, recordCalls bool) {
	t.Helper()
	b.exec(t, `update agent set record_calls = $1, script = script || jsonb_build_object('goodbye', $2::text)`,
		recordCalls, uuid.NewString())
	projects := project.New(project.Options{Pool: b.Pool})
	_, err := projects.PublishAgent(t.Context(), b.actor, b.agent, project.Publishing{})
	if err != nil {
		t.Fatal(err)
	}
}

// versions returns how many calls of a campaign follow each version, and are recorded: "1 2:rec 2:rec".
func (b *bench) versions(t *testing.T, id uuid.UUID) string {
	t.Helper()
	return value[string](t, b, `
		select coalesce(string_agg(coalesce(v.number::text, 'draft') || case when c.record then ':rec' else '' end, ' '
			order by v.number), '')
		from call c left join agent_version v on v.id = c.agent_version_id
		where c.campaign_id is not distinct from $1`, id)
}

// A call follows the version that its campaign follows at the claim.
func TestTheClaimChoosesTheVersion(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.publish(t, false)
	following, pinning := b.draft(2), b.draftFrom(2, 2)
	pinning.AgentVersion = &campaign.AgentVersion{Version: 1}
	followed, pinned := b.create(t, fast(following)), b.create(t, fast(pinning))
	b.exec(t, `update campaign set max_concurrency = 1`)
	b.dial(t)
	b.publish(t, true)
	b.exec(t, `update agent set record_calls = false, script = '{}'`) // a draft that nobody published
	b.exec(t, `update campaign set max_concurrency = 2, dial_at = clock()`)
	b.dial(t)
	if got := b.versions(t, followed.ID); got != "1 2:rec" {
		t.Errorf("calls by the published version: %s", got)
	}
	if got := b.versions(t, pinned.ID); got != "1 1" {
		t.Errorf("calls by version 1: %s", got)
	}
	if v := b.get(t, pinned.ID).AgentVersion; v == nil || *v != (campaign.AgentVersion{Version: 1}) {
		t.Errorf("%+v", v)
	}
	if _, err := b.try(testNumber(9)); err != nil {
		t.Fatal(err)
	}
	if n := value[int](t, b, `select count(*)::int from call where campaign_id is null and agent_version_id is null
		and not record`); n != 1 {
		t.Error("a test call does not follow the draft")
	}
}

// A recipient has the same version at every attempt.
func TestASplitIsFixed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.publish(t, false)
	b.publish(t, false)
	d := fast(b.draft(40))
	d.AgentVersion = &campaign.AgentVersion{Version: 2, Split: &campaign.VersionSplit{Version: 1, Percent: 40}}
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	if got := b.get(t, c.ID).AgentVersion; got == nil || got.Version != 2 || *got.Split != *d.AgentVersion.Split {
		t.Fatalf("%+v", got)
	}
	for b.get(t, c.ID).Status != campaign.Completed {
		b.exec(t, `update campaign set dial_at = clock()`)
		b.dial(t)
		b.endAll(t, call.OutcomeBusy)
		b.settle(t)
	}
	first := 0
	for _, r := range b.recipients(t, c.ID) {
		want := 2
		if campaign.InSplit(c.ID, r.ID, 40) {
			want, first = 1, first+1
		}
		if got := value[[]int](t, b, `select array_agg(v.number) from call c
			join agent_version v on v.id = c.agent_version_id where c.recipient_id = $1`, r.ID); len(got) != 2 ||
			got[0] != want || got[1] != want {
			t.Errorf("versions %v, want %d twice", got, want)
		}
	}
	if first == 0 || first == 40 {
		t.Errorf("%d of 40 recipients have version 1", first)
	}
}

// A share is about the percent of the recipients.
func TestShareOfASplit(t *testing.T) {
	t.Parallel()
	campaignID, in := uuid.Must(uuid.NewV7()), 0
	for range 10_000 {
		if campaign.InSplit(campaignID, uuid.Must(uuid.NewV7()), 25) {
			in++
		}
	}
	if in < 2200 || in > 2800 { // seven standard deviations
		t.Errorf("%d of 10,000 recipients, want about 2,500", in)
	}
}

func TestVersionsOfADraft(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := benchOn(t, b.DB)
	b.publish(t, false)
	split := func(version, percent int) campaign.AgentVersion {
		return campaign.AgentVersion{Version: 1, Split: &campaign.VersionSplit{Version: version, Percent: percent}}
	}
	for want, v := range map[string]campaign.AgentVersion{
		"agent_version.version: Robin has no version 2":        {Version: 2},
		"agent_version.version: must be the number":            {},
		"agent_version.split.version: Robin has no version 7":  split(7, 5),
		"agent_version.split.version: must be another version": split(1, 5),
		"agent_version.split.percent: must be between":         split(2, 100),
	} {
		d := b.draft(1)
		d.AgentVersion = &v
		if _, err := b.svc.Create(t.Context(), b.actor, d); fault.KindOf(err) != fault.Invalid ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", v, err, want)
		}
	}
	d := other.draft(1)
	d.AgentVersion = &campaign.AgentVersion{Version: 1}
	if _, err := other.svc.Create(t.Context(), other.actor, d); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a version of another agent: %v", err)
	}
}
