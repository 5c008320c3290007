package web

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/call"
)

// survey is two campaigns with calls of two versions of their agent, from two numbers.
type survey struct {
	spring, autumn uuid.UUID
	other          uuid.UUID // the number of the autumn's calls
}

// surveyed makes a survey. In spring, version 11 got the answers 9 (yes) and 4 (no), version 12 got 8 (yes), and a call
// was busy. In autumn, version 12 got 3 (no) in a second attempt. Another call of the autumn was not placed.
func (n *tenant) surveyed() survey {
	n.w.t.Helper()
	s := survey{spring: n.newCampaign(), autumn: n.newCampaign(), other: newID()}
	n.w.exec(`update campaign set name = 'Aster autumn' where id = $1`, s.autumn)
	n.w.exec(`insert into phone_number (id, organization_id, connection_id, phone_number)
		select $1, organization_id, connection_id, '+15005559001' from phone_number where id = $2`, s.other, n.number)
	n.w.exec(`update agent set script = jsonb_set(script, '{questions}', '[
		{"key": "ok", "ask": "Are you content?", "expect": "yes_no"},
		{"key": "score", "ask": "How likely, from 0 to 10?", "expect": "number", "min": 0, "max": 10}]') where id = $1`,
		n.agent)
	versions := map[int]uuid.UUID{11: newID(), 12: newID()}
	for number, id := range versions {
		n.w.exec(`insert into agent_version (id, organization_id, agent_id, number, kind, language, speech, script,
				record_calls, sha256, created_by)
			select $1, organization_id, id, $2, 'scripted', language, '{}', script, false, '', ''
			from agent where id = $3`,
			id, number, n.agent)
	}
	said := func(campaign uuid.UUID, name string, version int, ok bool, score int) uuid.UUID {
		id := n.newCall()
		n.w.exec(`update call set campaign_id = $2, recipient_name = $3, agent_version_id = $4,
			recipient_id = (select id from recipient where campaign_id = $2 order by id limit 1),
			analysis = analysis || jsonb_build_object('answers', jsonb_build_object('ok', $5::bool, 'score', $6::int))
			where id = $1`, id, campaign, name, versions[version], ok, score)
		return id
	}
	said(s.spring, "Aster Nine", 11, true, 9)
	said(s.spring, "Aster Four", 11, false, 4)
	said(s.spring, "Aster Eight", 12, true, 8)
	busy := said(s.spring, "Aster Busy", 11, true, 0)
	n.w.exec(`update call set outcome = 'busy', ended_reason = 'busy', answered_at = null,
		answered_by = null, analysis = null where id = $1`, busy)
	three := said(s.autumn, "Aster Three", 12, false, 3)
	n.w.exec(`update call set phone_number_id = $2, attempt = 2 where id = $1`, three, s.other)
	refused := said(s.autumn, "Aster Refused", 12, true, 0)
	n.w.exec(`update call set outcome = 'failed', ended_reason = 'caller_refused',
		answered_at = null, answered_by = null, analysis = null where id = $1`, refused)
	if err := call.Recount(n.w.t.Context(), n.w.Pool, n.organization); err != nil {
		n.w.t.Fatal(err)
	}
	// The price of a call is read after its end, and changes the costs of its day.
	n.w.exec(`update call set cost = 0.02, cost_currency = 'USD', cost_parts = '[]'
		where campaign_id is not null and answered_at is not null`)
	return s
}

// section is the text of a section of a page.
func (v *shown) section(id string) string {
	_, rest, found := strings.Cut(v.body, `<section class="section" aria-labelledby="`+id+`"`)
	text, _, _ := strings.Cut(rest, "</section>")
	if !found {
		return ""
	}
	return plain(text)
}

// Each filter of the analysis applies to every figure on it.
func TestAnalysisAppliesItsFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	s := n.surveyed()
	v := n.as(n.staff)
	day := func(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }
	agent := value[string](w, `select name from agent limit 1`)
	is := func(query string, want map[string][]string) {
		t.Helper()
		page := v.get("/analysis?" + query).want(http.StatusOK)
		for id, words := range want {
			text := page.section(id)
			if len(words) == 0 && text != "" {
				t.Errorf("%s: section %s is %s", query, id, text)
			}
			for _, part := range words {
				without, is := strings.CutPrefix(part, "!")
				if strings.Contains(text, without) == is {
					t.Errorf("%s: section %s is %s, want %s", query, id, text, part)
				}
			}
		}
	}
	// The cost of the busy call is not known.
	spring := "Aster spring 5 minutes, 0.0600 USD (known for 3 calls), 0.0200 USD per completed call " +
		"4 75.0% 100.0% 3 of 3 5 0.0600 USD known for 3 calls 0.0200 USD 0.0200 USD"
	autumn := "Aster autumn 2 minutes, 0.0200 USD, 0.0200 USD per completed call 1 100.0% 100.0% 1 of 1 2 0.0200 USD " +
		"0.0200 USD 0.0200 USD"
	is("days=30", map[string][]string{
		"campaigns": {spring, autumn, "Minutes"},
		"agents":    {agent, " 5 80.0% 100.0% 4 of 4 6 0.0800 USD known for 4 calls 0.0200 USD"},
		"attempts":  {"1 4 3 75.0%", "2 1 1 100.0%"},
		"numbers":   {"9000 4 75.0% –", "9001 1 100.0% –", "spam", "not measured on the sandbox"},
	})
	is("phone_number_id="+s.other.String(), map[string][]string{
		"campaigns": {autumn, "!spring"}, "agents": {agent, " 1 100.0% 100.0% 1 of 1 2 0.0200 USD"},
		"attempts": {"2 1 1 100.0%", "!1 4 3"}, "numbers": {"9001 1", "!9000"},
	})
	is("campaign_id="+s.spring.String(), map[string][]string{
		"campaigns": {spring, "!autumn"}, "agents": {agent, " 4 75.0%"}, "attempts": {"1 4 3 75.0%", "!2 1 1"},
		"numbers": {"9000 4", "!9001"},
	})
	for _, query := range []string{"from=" + day(-30) + "&to=" + day(-20), "project_id=" + n.emptyProject().String()} {
		is(query, map[string][]string{
			"campaigns": {"No campaign called anybody in this period.", "!spring"}, "agents": {}, "attempts": {},
			"numbers": {}, "when": {"No calls in this period."},
		})
	}
	is("days=7&agent_id="+n.agent.String(), map[string][]string{"campaigns": {spring, autumn}})
	if page := v.get("/analysis?days=7"); !strings.Contains(page.body, `name="days" value="7"`) {
		t.Error("the filters drop the period")
	}
	is("project_id="+n.project.String(), map[string][]string{"campaigns": {spring}, "numbers": {"9000 4"}})
	v.get("/?phone_number_id="+s.other.String()).want(http.StatusOK).has("Costs of calls", "0.0200 USD").
		lacks("0.0800 USD")
	v.get("/costs/export?phone_number_id=" + s.other.String()).want(http.StatusOK).has("0.02").lacks("0.06")

	// What a person costs is of the calls whose cost is known.
	w.exec(`update call set cost = null, cost_currency = null, cost_parts = '[]' where recipient_name = 'Aster Nine'`)
	is("campaign_id="+s.spring.String(), map[string][]string{
		"campaigns": {"0.0400 USD known for 2 calls 0.0200 USD 0.0200 USD"},
	})
}

// The page of answers and the analysis lead to each other with the same period, campaign and agent. The form shows the
// days of a usual period, and stays with it.
func TestAnalysisKeepsItsPeriod(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	s := n.surveyed()
	v := n.as(n.staff)
	zone, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	today := time.Now().In(zone)
	day := func(days int) string { return today.AddDate(0, 0, days).Format(time.DateOnly) }
	of := "campaign_id=" + s.spring.String()
	week := "from=" + day(-6) + "&to=" + day(0)
	page := v.get("/analysis?days=7&" + of).want(http.StatusOK)
	days := func() string {
		return valueOf(t, page.body, "from") + " to " + valueOf(t, page.body, "to")
	}
	if days() != day(-6)+" to "+day(0) || valueOf(t, page.body, "days") != "7" {
		t.Errorf("the form has %s", days())
	}
	answers := pathOf(t, page, "Answers")
	if answers != "/analysis/answers?"+of+"&"+week {
		t.Errorf("the answers are at %s", answers)
	}
	back := func(page *shown) string { // the link above the title
		t.Helper()
		found := regexp.MustCompile(`href="(/analysis(?:\?[^"]*)?)"[^>]*>\s*Analysis\s*</a>`).
			FindAllStringSubmatch(page.body, -1)
		if len(found) != 1 {
			t.Fatalf("%s: %d links to the analysis", page.what, len(found))
		}
		return strings.ReplaceAll(found[0][1], "&amp;", "&")
	}
	v.get(back(v.get(answers).want(http.StatusOK))).leads("/analysis?" + of + "&days=7")
	// Without a change of the days, the form leads to the usual period, and so does the last day alone.
	v.get("/analysis?days=7&" + of + "&" + week).leads("/analysis?" + of + "&days=7")
	v.get("/analysis?days=90&" + of + "&from=" + day(-6)).leads("/analysis?" + of + "&days=7")
	page = v.get("/analysis?days=90&from=" + day(-3)).want(http.StatusOK).has("Campaigns compared")
	if days() != day(-3)+" to "+day(0) || strings.Contains(page.body, `name="days"`) {
		t.Errorf("the form has %s", days())
	}
	v.get("/?from=" + day(-3)).want(http.StatusOK).has("Calls placed")
	v.get("/?to=" + day(-3)).want(http.StatusOK).has("Calls placed")
	// A period that the analysis does not cover does not lead to an error.
	for _, period := range []string{"from=2001-01-01&to=2026-01-01", "from=soon", "to=2026-01-01", "from=2001-01-01"} {
		if href := back(v.get("/analysis/answers?" + of + "&" + period)); href != "/analysis?"+of {
			t.Errorf("%s: the analysis is at %s", period, href)
		}
	}
}

// emptyProject makes a project without calls.
func (n *tenant) emptyProject() uuid.UUID {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into project (id, organization_id, name, time_zone, region, calling_hours)
		select $1, organization_id, 'Empty', time_zone, region, calling_hours from project where id = $2`,
		id, n.project)
	return id
}

// Each bar of results, and each outcome of a campaign and of its report, opens as many calls as it counts.
func TestBarsOpenTheirCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	s := n.surveyed()
	v := n.as(n.staff)
	campaign := "/campaigns/" + s.autumn.String()
	w.exec(`update campaign set calls_placed = 1, calls_answered = 1, outcomes = '{"completed": 1}' where id = $1`,
		s.autumn)
	bar := regexp.MustCompile(
		`(?s)href="(/calls\?[^"]*(?:outcome|intent|answers)[^"]*)"[^>]*>.*?</a>.*?>\s*([0-9,]+)\s*<`)
	for path, least := range map[string]int{
		"/analysis/answers?campaign_id=" + s.spring.String():                          7,
		"/analysis/answers?agent_version=11&campaign_id=" + s.spring.String():         5,
		"/analysis/answers?agent_id=" + n.agent.String():                              8,
		"/analysis/answers?answers%5Bok%5D=true&agent_id=" + n.agent.String():         4,
		"/analysis/answers?question=score&answer=5+to+9&agent_id=" + n.agent.String(): 3,
		"/analysis/answers?campaign_id=" + s.autumn.String():                          3,
		campaign + "?as=table": 1,
		campaign:               1,
		campaign + "/report":   1,
	} {
		page := v.get(path).want(http.StatusOK)
		found := bar.FindAllStringSubmatch(page.body, -1)
		if len(found) < least {
			t.Errorf("%s links %d bars", path, len(found))
		}
		for _, match := range found {
			href := strings.ReplaceAll(match[1], "&amp;", "&")
			if rows := rowsOf(v.get(href).want(http.StatusOK)); fmt.Sprint(rows) != match[2] {
				t.Errorf("%s: %s has %d calls, the bar %s", path, href, rows, match[2])
			}
		}
	}
	// Without the filter, a call that was not placed is in the list.
	list := "/calls?campaign_id=" + s.autumn.String()
	v.get(list).has("Aster Refused")
	v.get(list+"&placed=yes").want(http.StatusOK).has("Not placed left out", "Aster Three").lacks("Aster Refused")
	v.get(list + "&placed=maybe").want(http.StatusUnprocessableEntity).has("Placed: must be yes")
}

// The page of answers compares all versions, and shows what people answered who gave a certain answer.
func TestAnswersByVersionAndAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	s := n.surveyed()
	v := n.as(n.staff)
	agent := "/analysis/answers?agent_id=" + n.agent.String()
	page := v.get(agent).want(http.StatusOK)
	for _, row := range []string{
		"Version 12 2 100.0% 2 of 2 50.0% Yes, 2 of 2 5.50 mean, 2 of 2",
		"Version 11 3 100.0% 2 of 2 50.0% Yes, 2 of 2 6.50 mean, 2 of 2",
	} {
		if text := page.section("versions"); !strings.Contains(text, row) {
			t.Errorf("the versions are %s, want %s", text, row)
		}
	}
	v.get(agent+"&agent_version=11").has("Shown above", "Version 12")
	if text := v.get("/analysis/answers?campaign_id=" + s.autumn.String()).section("versions"); text != "" {
		t.Errorf("one version is compared: %s", text)
	}
	for _, query := range []string{"&answers%5Bok%5D=true", "&question=ok&answer=true"} {
		page := v.get(agent+query).want(http.StatusOK).has("Ok Yes", "2 of 2 answered (100.0%) · Mean 8.50")
		for _, row := range []string{"Version 12 1 100.0%", "Version 11 1 100.0%"} {
			if text := page.section("versions"); !strings.Contains(text, row) {
				t.Errorf("%s: the versions are %s, want %s", query, text, row)
			}
		}
	}
	v.get(agent + "&question=score").has(`placeholder="7, or 7 to 10"`)
	v.get(agent + "&question=ok&answer=true&answers%5Bscore%5D=9").has("1 of 1 answered (100.0%) · Mean 9.00")
	v.get(agent + "&question=score&answer=often").want(http.StatusUnprocessableEntity).
		has("Score must be a number, or a range such as 7 to 10")
	v.get("/analysis/answers?answers%5Bok%5D=true").want(http.StatusOK).has("Choose a campaign or an agent")
}

// Follow-ups are filtered by campaign and by what was answered in their calls.
func TestFollowUpsByAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	s := n.surveyed()
	w.exec(`insert into follow_up (id, organization_id, project_id, campaign_id, call_id, kind, reason)
		select gen_random_uuid(), organization_id, project_id, campaign_id, id, 'wants_human', 'Wants a person'
		from call where campaign_id is not null`)
	v := n.as(n.staff)
	v.get("/follow-ups").want(http.StatusOK).has("Any campaign", "Aster Nine").lacks(`name="question"`)
	list := "/follow-ups?campaign_id=" + s.spring.String()
	v.get(list).has(`name="question"`, "Aster Nine", "Aster Four").lacks("Aster Three")
	v.get(list+"&question=ok&answer=true").want(http.StatusOK).has("Ok Yes", "Aster Nine", "Aster Eight").
		lacks("Aster Four")
	v.get(list+"&answers%5Bscore%5D=8+to+10&question=ok&answer=yes").has("Aster Nine", "Aster Eight")
	v.get(list + "&question=score&answer=9").has("Aster Nine").lacks("Aster Eight")
	v.get(list + "&question=ok&answer=7").want(http.StatusUnprocessableEntity).has("Ok must be yes or no")
	v.get("/follow-ups?answers%5Bok%5D=false").has("Aster Four", "Aster Three").lacks("Aster Nine")
	v.get("/follow-ups/export?answers%5Bok%5D=false").has("Aster Four").lacks("Aster Nine")
}

// A person narrows the overview and the analysis, compares two campaigns and two versions, reads a mean and a
// histogram, filters by a range of numbers, opens the calls behind a bar, and downloads the recipients with their
// answers.
func TestJourneyOfAnalysis(t *testing.T) {
	t.Parallel()
	tabs := browsertest.Open(t).Tabs(t)
	seat := newSeat(t, tabs, func(n *tenant) person { return n.staff })
	tab, n := seat.tab, seat.tenant
	s := n.surveyed()
	at := n.w.server.URL
	choose := func(name, value string) {
		t.Helper()
		browsertest.Eval[any](tab, fmt.Sprintf(`document.querySelector("main form [name=%s]").value = %q`, name, value))
	}
	const apply = "main form[method=get] button"

	tab.Go(at + "/")
	choose("phone_number_id", s.other.String())
	tab.Follow(apply)
	tab.WaitText("main", "Costs of calls")
	tab.WaitText("main", "0.0200 USD")

	tab.Go(at + "/analysis")
	choose("phone_number_id", s.other.String())
	tab.Follow(apply)
	tab.WaitText("section[aria-labelledby=campaigns]", "Aster autumn")
	for _, id := range []string{"campaigns", "agents", "attempts", "numbers"} {
		if text := tab.Text("section[aria-labelledby=" + id + "]"); strings.Contains(text, "Aster spring") ||
			strings.Contains(text, "5") && id == "attempts" {
			t.Errorf("%s is %s", id, text)
		}
	}
	tab.Check("analysis of a number")
	tab.Go(at + "/analysis?days=7")
	tab.Follow("section[aria-labelledby=campaigns] a[href*='" + s.spring.String() + "']")

	// Two campaigns
	tab.WaitText("main", "7.00")
	choose("with", s.autumn.String())
	tab.Follow(apply)
	tab.WaitText("main", "3.00")
	tab.Check("two campaigns")
	wholeBars(t, tab, 8)
	choose("with", "version-12")
	choose("agent_version", "11")
	tab.Follow(apply)
	tab.WaitText("main", "6.50")
	tab.WaitText("main", "8.00")
	tab.WaitText("section[aria-labelledby=versions]", "Version 12")
	tab.Check("two versions")

	// The histogram, and a range of numbers
	tab.Go(at + "/analysis/answers?campaign_id=" + s.spring.String())
	wholeBars(t, tab, 6)
	labels := browsertest.Eval[string](tab, `[...document.querySelectorAll(".hbars-named")].at(-1).innerText`)
	for _, label := range []string{"0", "4", "8", "9", "10"} {
		if !slices.Contains(strings.Fields(labels), label) {
			t.Errorf("the histogram has no bar %s: %s", label, labels)
		}
	}
	browsertest.Eval[any](tab, `(q => { q.value = "score"; q.dispatchEvent(new Event("change", {bubbles: true})) })(
		document.querySelector("[name=question]"))`)
	tab.WaitFor(`document.querySelector("#answer-filter input")?.placeholder === "7, or 7 to 10"`)
	tab.Fill("[name=answer]", "5 to 9")
	tab.Follow(apply)
	tab.WaitText("main", "8.50")
	tab.Check("answers of people")

	// The calls behind an outcome and behind an answer
	tab.Follow("section[aria-labelledby^='outcomes'] a")
	tab.WaitText("tbody", "Aster Nine")
	if text := tab.Text("tbody"); !strings.Contains(text, "Aster Eight") || strings.Contains(text, "Aster Four") {
		t.Errorf("the calls are %s", text)
	}
	tab.Back()
	tab.WaitText("main", "8.50")
	tab.Follow(".hbars-named a[href*='" + url.QueryEscape("answers[score]") + "=9']")
	tab.WaitText("tbody", "Aster Nine")
	if text := tab.Text("tbody"); strings.Contains(text, "Aster Eight") {
		t.Errorf("the calls are %s", text)
	}

	// The recipients with their answers
	tab.Go(at + "/campaigns/" + s.spring.String())
	file := browsertest.Eval[string](tab, `fetch(document.querySelector("a[href*='/recipients/export']").href)
		.then((r) => r.text())`)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file, "\ufeff"))).ReadAll()
	if err != nil || len(rows) < 2 || !slices.Contains(rows[0], "answers.ok") ||
		!slices.Contains(rows[0], "answers.score") {
		t.Fatalf("the file is %v, %s", err, file)
	}
	if score := rows[1][slices.Index(rows[0], "answers.score")]; score == "" {
		t.Errorf("the recipient has no score: %s", file)
	}
}

// wholeBars requires that the middle of each bar leads to its calls, that its row is high enough to hit, and that the
// row of a link with the focus has an outline.
func wholeBars(t *testing.T, tab *browsertest.Tab, least int) {
	t.Helper()
	problems := browsertest.Eval[[]string](tab, fmt.Sprintf(`(() => {
		const problems = [];
		let links = 0;
		for (const bar of document.querySelectorAll(".hbars svg.bar")) {
			const row = bar.closest(".side, li"), link = row.querySelector("a");
			if (!link) continue;
			links++;
			bar.scrollIntoView({block: "center"});
			const box = bar.getBoundingClientRect();
			const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
			if (hit?.closest("a") !== link) problems.push("the bar of " + row.innerText + " hits " + hit?.tagName);
			const high = row.getBoundingClientRect().height;
			if (high < 24) problems.push("the row of " + row.innerText + " is " + high + " px high");
			link.focus({focusVisible: true});
			const outline = getComputedStyle(link, "::after").outlineStyle;
			if (outline !== "solid") problems.push("no outline: " + row.innerText);
		}
		if (links < %d) problems.push(links + " links");
		return problems;
	})()`, least))
	for _, problem := range problems {
		t.Error(problem)
	}
}
