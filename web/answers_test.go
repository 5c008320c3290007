package web

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/project"
)

// answeredCampaign makes a campaign with two answered calls: its recipient said yes, and another one said no.
func (n *tenant) answeredCampaign() uuid.UUID {
	n.w.t.Helper()
	id := n.newCampaign()
	said, other := n.newCall(), n.newCall()
	n.w.exec(`update call set campaign_id = $2, recipient_id = (select id from recipient where campaign_id = $2)
		where id = $1`, said, id)
	n.w.exec(`update call set campaign_id = $2, recipient_name = 'Aster No',
		analysis = jsonb_set(analysis, '{answers,ok}', 'false') where id = $1`, other, id)
	n.w.exec(`update campaign set calls_placed = 2, calls_answered = 2, answered_by_person = 2 where id = $1`, id)
	if err := call.Recount(n.w.t.Context(), n.w.Pool, n.organization); err != nil {
		n.w.t.Fatal(err)
	}
	return id
}

// The question of a heading has no values. Its variables are shown by their names, not in braces.
func TestQuestionsShowVariablesByName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	w.exec(`update agent set script = jsonb_set(script, '{questions,0,ask}', '"Keep your {{current_plan|old}} plan?"')
		where id = $1`, n.agent)
	if _, err := w.app.Projects.PublishAgent(t.Context(), n.actor(), n.agent, project.Publishing{}); err != nil {
		t.Fatal(err)
	}
	id := n.answeredCampaign()
	call := value[string](w, `select id::text from call order by created_at limit 1`)
	for _, path := range []string{
		"/calls/" + call, "/campaigns/" + id.String() + "/report", "/analysis/answers?campaign_id=" + id.String(),
	} {
		v.get(path).want(http.StatusOK).has("Keep your “current plan” plan?").lacks("{{current_plan")
	}
}

// What people answered is on the page of the campaign, on the page of answers, in the report and in the files, and a
// filter finds their calls and the recipients.
func TestAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, foreign := w.newTenant("Aster"), w.newTenant("Borealis")
	v := n.as(n.staff)
	id := n.answeredCampaign()
	campaign := "/campaigns/" + id.String()
	v.get(campaign).want(http.StatusOK).has("Answers", "2 of 2 answered", "All answers", "Report")
	answers := "/analysis/answers?campaign_id=" + id.String()
	v.get("/analysis/answers").has("Choose a campaign or an agent", `href="`+answers+`"`)
	page := v.get(answers).want(http.StatusOK).
		has("Aster spring", "2 of 2 answered (100.0%)", "Yes 1 50.0%", "Answered all")
	yes := "/calls?answers%5Bok%5D=true&amp;campaign_id=" + id.String()
	if !strings.Contains(page.body, yes) {
		t.Errorf("no link %s", yes)
	}
	found := v.get(strings.ReplaceAll(yes, "&amp;", "&")).want(http.StatusOK).
		has("Aster Olu", "Ok Yes").lacks("Aster No")
	if n := rowsOf(found); n != 1 {
		t.Errorf("%d calls", n)
	}
	v.get("/calls?question=ok&answer=false&campaign_id=" + id.String()).has("Aster No").lacks("Aster Olu")
	v.get(campaign + "?answers%5Bok%5D=true").want(http.StatusOK).has("Aster Olu")
	v.get(campaign + "?answers%5Bok%5D=false").want(http.StatusOK).has("No recipient matches")
	for _, list := range []string{"/calls?campaign_id=" + id.String() + "&", campaign + "?"} {
		v.get(list+"question=ok").want(http.StatusOK).has("Any answer", `<option value="true">Yes</option>`)
		v.get(list+"question=ok&answer=yes").want(http.StatusOK).has("Aster Olu", `<option value="true" selected>`)
		v.get(list+"question=ok&answer=7").want(http.StatusUnprocessableEntity).
			has("Ok must be yes or no", "highlighted filter",
				`name="answer" aria-describedby="answer-error" aria-invalid`)
	}
	v.get(campaign + "?answers%5Bok%5D=7&select=yes").want(http.StatusUnprocessableEntity).has("Ok must be yes or no")
	for path, want := range map[string]string{
		"/calls/export?campaign_id=" + id.String():                      "false",
		campaign + "/recipients/export":                                 "true",
		"/calls/export?answers%5Bok%5D=true&campaign_id=" + id.String(): "true",
	} {
		sent := v.get(path).want(http.StatusOK)
		file, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(sent.body, "\ufeff"))).ReadAll()
		if err != nil || len(file) < 2 {
			t.Fatalf("%s: %v: %s", path, err, sent.body)
		}
		column := slices.Index(file[0], "answers.ok")
		if column != len(file[0])-1 || file[1][column] != want {
			t.Errorf("%s: the columns are %q, the first row %q", path, file[0], file[1])
		}
	}
	v.get("/calls/export").lacks("answers.ok")
	file := `href="/calls/export?campaign_id=` + id.String() + `" download`
	for _, path := range []string{answers, campaign + "/report"} {
		if page := v.get(path); !strings.Contains(page.body, file) {
			t.Errorf("%s has no %s", path, file)
		}
	}
	v.get(answers + "&with=" + id.String() + "&agent_version=1").want(http.StatusOK).has("Aster spring, version 1")
	// The report is read on paper on another day.
	w.exec(`update campaign set status = 'completed', ended_at = clock(), ended_reason = 'finished' where id = $1`, id)
	ended := value[string](w, `
		select to_char(ended_at at time zone 'America/Chicago', 'FMDD Mon, HH24:MI') from campaign where id = $1`, id)
	v.get(campaign + "/report").has("Ended " + ended)
	v.get(answers + "&from=2026-11-02&to=2026-11-01").want(http.StatusUnprocessableEntity).
		has("Must not be before “From”")
	v.get("/analysis/answers?agent_id=" + n.agent.String()).want(http.StatusOK).has("2 of 2 answered")
	v.get(campaign+"/report").want(http.StatusOK).has("Completion by question", "Outcomes", "Compliance", "Printed")
	v.get("/analysis").want(http.StatusOK).has("When people answer", "Fewer than 10 calls", "heat heat-few",
		"By phone number", "Campaigns compared", "2 of 2")
	v.get("/analysis?phone_number_id=" + n.number.String()).want(http.StatusOK).has("When people answer")
	v.get("/?phone_number_id=" + n.number.String()).want(http.StatusOK).has("Completed 2")
	stranger := foreign.as(foreign.staff)
	for _, path := range []string{
		campaign + "/report", answers, "/analysis?campaign_id=" + id.String(),
		"/analysis?phone_number_id=" + n.number.String(), "/analysis/answers?agent_id=" + n.agent.String(),
	} {
		stranger.get(path).want(http.StatusNotFound)
	}
}

// Both sides of a comparison stand together for each question, with the same answers in the same order.
func TestVersionsAreCompared(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	id := n.answeredCampaign()
	w.exec(`update agent set script = jsonb_set(script, '{questions}', '[
		{"key": "ok", "ask": "Are you well?", "expect": "yes_no"},
		{"key": "score", "ask": "How many points?", "expect": "number"}]') where id = $1`, n.agent)
	if _, err := w.app.Projects.PublishAgent(t.Context(), n.actor(), n.agent, project.Publishing{}); err != nil {
		t.Fatal(err)
	}
	w.exec(`alter table call disable trigger user`)
	w.exec(`update call set agent_version_id = v.id,
			analysis = case when recipient_name = 'Aster No' then jsonb_set(analysis, '{answers,score}', '7')
				else analysis end
		from agent_version v
		where v.agent_id = call.agent_id and v.number = case when recipient_name = 'Aster No' then 2 else 1 end`)
	w.exec(`alter table call enable trigger user`)
	if err := call.Recount(t.Context(), w.Pool, n.organization); err != nil {
		t.Fatal(err)
	}
	agent := "/analysis/answers?agent_id=" + n.agent.String()
	page := v.get(agent+"&agent_version=1&with=version-2").want(http.StatusOK).
		has("A · Aster Robin, version 1", "B · Aster Robin, version 2", "B asks: “Are you well?”",
			"A · 1 of 1 answered (100.0%) B · 1 of 1 answered (100.0%)",
			"Yes A 1 100.0% B 0 0.0% No A 0 0.0% B 1 100.0%", "A · Not asked B · 1 of 1 answered (100.0%) · Mean 7.00",
			"7 A 0 – B 1 100.0%", "Completed A 1 100.0% B 1 100.0%")
	if strings.Contains(page.body, `value="version-1"`) {
		t.Error("a version can be compared with itself")
	}
	v.get(agent+"&with=version-2").has("A · Aster Robin, all versions", "B · Aster Robin, version 2")
	v.get("/analysis/answers?campaign_id="+id.String()+"&with="+n.newCampaign().String()).want(http.StatusOK).
		has("A · Aster spring", "B · Not asked")
	v.get(agent).has("Aster Robin").lacks("all versions", "A ·")
}

// A person goes from a campaign to its answers, to the calls behind a bar, and to the report.
func TestJourneyOfAnswers(t *testing.T) {
	t.Parallel()
	tabs := browsertest.Open(t).Tabs(t)
	s := newSeat(t, tabs, func(n *tenant) person { return n.staff })
	tab, n := s.tab, s.tenant
	id := n.answeredCampaign()
	tab.Go(n.w.server.URL + "/campaigns/" + id.String())
	tab.Follow("a[href^='/analysis/answers']")
	tab.Check("answers")
	tab.Follow(".hbars-named a[href*='true']")
	tab.WaitText("tbody", "Aster Olu")
	if text := tab.Text("tbody"); strings.Contains(text, "Aster No") {
		t.Errorf("the calls are %s", text)
	}
	export := browsertest.Eval[string](tab, `fetch(document.querySelector("a[download]").href).then((r) => r.text())`)
	if !strings.Contains(export, "answers.ok") || strings.Contains(export, "Aster No") {
		t.Errorf("the file is %s", export)
	}
	tab.Go(n.w.server.URL + "/campaigns/" + id.String())
	browsertest.Eval[any](tab, `(q => { q.value = "ok"; q.dispatchEvent(new Event("change", {bubbles: true})) })(
		document.querySelector("[name=question]"))`)
	tab.WaitText("#answer-filter", "Any answer")
	tab.Follow("a[href$='/report']")
	tab.Check("report")
}
