package calls

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// versionChoice begins the value of a choice of a version to compare with. Others are campaigns.
const versionChoice = "version-"

// resultScope is the calls whose results a page shows, with their names.
type resultScope struct {
	call.ResultFilter
	campaign, agent string
	agentID         uuid.UUID // of the campaign
	dated           bool      // times of today have their day
	allVersions     bool      // the name says so, because it is compared with one version
}

func (s resultScope) name() string {
	name := cmp.Or(s.campaign, s.agent)
	switch {
	case s.AgentVersion != nil:
		name += ", version " + strconv.Itoa(*s.AgentVersion)
	case s.allVersions:
		name += ", all versions"
	}
	return name
}

// Answers shows what people answered in the calls of a campaign or an agent, beside another version or campaign.
func (s *Server) Answers(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := views.Answers{
		CampaignID: q.Get("campaign_id"), AgentID: q.Get("agent_id"), Version: q.Get("agent_version"),
		With: q.Get("with"), From: q.Get("from"), To: q.Get("to"),
		Given: answersOf(q), Question: q.Get("question"), Answer: strings.TrimSpace(q.Get("answer")),
	}
	err := s.answersView(r, &v)
	status := http.StatusOK
	if fault.KindOf(err) == fault.Invalid {
		v.Errors, status = answerErrors(err), http.StatusUnprocessableEntity
	} else if err != nil {
		return err
	}
	var of call.ResultFilter // a value that is no ID is an error of the page
	if id, err := uuid.Parse(v.CampaignID); err == nil {
		of.CampaignID = &id
	}
	if id, err := uuid.Parse(v.AgentID); err == nil {
		of.AgentID = &id
	}
	if v.ByAnswer, err = s.answerChoices(r, of, v.Question, v.Answer, v.Errors); err != nil {
		return err
	}
	v.Chips = answerChips(r, v.Given, v.Question, v.Answer, v.Errors)
	v.AnalysisHref = analysisHref(v)
	if v.Campaigns, v.Agents, err = s.CampaignsAndAgents(r); err != nil {
		return err
	}
	for _, o := range v.Campaigns {
		if o.Value != v.CampaignID {
			v.Others = append(v.Others, o)
		}
	}
	return frame.Render(w, r, status, views.AnswersPage(s.Chrome(r), v))
}

// LongestPeriod is how many days the analysis and the overview cover at most.
const LongestPeriod = 366

// analysisHref is the analysis of the campaign, the agent and the period of a page of answers. A period that the
// analysis does not cover is left out.
func analysisHref(v views.Answers) string {
	q := url.Values{}
	for name, id := range map[string]string{"campaign_id": v.CampaignID, "agent_id": v.AgentID} {
		if id != "" {
			q.Set(name, id)
		}
	}
	from, err := time.Parse(time.DateOnly, v.From)
	to, wrong := time.Parse(time.DateOnly, v.To)
	if v.To == "" { // until today, wherever the organization is
		to, wrong = time.Now().AddDate(0, 0, 1), nil
	}
	if err == nil && wrong == nil && !to.Before(from) && to.Before(from.AddDate(0, 0, LongestPeriod)) {
		q.Set("from", v.From)
		if v.To != "" {
			q.Set("to", v.To)
		}
	}
	if len(q) == 0 {
		return "/analysis"
	}
	return "/analysis?" + q.Encode()
}

// answersView reads the chosen results. Errors: Invalid for the form, NotFound.
func (s *Server) answersView(r *http.Request, v *views.Answers) error {
	scope, err := s.resultScope(r, v)
	if err != nil || scope.CampaignID == nil && scope.AgentID == nil {
		return err
	}
	v.Chosen = true
	scopes := []resultScope{scope}
	if v.With != "" {
		other, err := s.otherScope(r.Context(), frame.SignedIn(r).Organization.ID, scope, v.With)
		if err != nil {
			return err
		}
		scopes[0].allVersions = strings.HasPrefix(v.With, versionChoice)
		scopes = append(scopes, other)
	}
	sides := make([]*call.Results, len(scopes))
	for i, scope := range scopes {
		results, err := s.Calls.Results(r.Context(), frame.SignedIn(r).Organization.ID, scope.ResultFilter)
		if err != nil {
			return err
		}
		sides[i] = &results
	}
	if v.ByVersion, err = s.versionRows(r, scope, *sides[0]); err != nil {
		return err
	}
	call.AlignBars(sides...)
	for i, scope := range scopes {
		v.Sides = append(v.Sides, s.resultView(r, scope, *sides[i]))
	}
	for _, n := range sides[0].Versions {
		label := "Version " + strconv.Itoa(n)
		v.Versions = append(v.Versions, ui.Option{Value: strconv.Itoa(n), Label: label})
		if v.Version != strconv.Itoa(n) { // a version is not compared with itself
			v.Others = append(v.Others, ui.Option{Value: versionChoice + strconv.Itoa(n), Label: label})
		}
	}
	return s.kept(r, scope, v)
}

// resultScope reads the calls that a page is about.
func (s *Server) resultScope(r *http.Request, v *views.Answers) (scope resultScope, err error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	var p fault.Problems
	scope.AgentVersion = frame.OptionalInt(&p, "agent_version", v.Version)
	zone := s.Clock(r).Zone
	day := func(name, value string) (t time.Time) {
		if value == "" {
			return t
		}
		if t, err = time.ParseInLocation(time.DateOnly, value, zone); err != nil {
			p.Addf(name, "must be a date")
		}
		return t
	}
	scope.From, scope.To = day("from", v.From), day("to", v.To)
	if !scope.To.IsZero() {
		if scope.To.Before(scope.From) {
			p.Addf("to", "must not be before “From”")
		}
		scope.To = scope.To.AddDate(0, 0, 1)
	}
	if err := p.Err(); err != nil {
		return scope, err
	}
	if v.CampaignID != "" {
		id, err := frame.ParseID(v.CampaignID, "Campaign")
		if err != nil {
			return scope, err
		}
		c, err := s.Campaigns.Get(ctx, organization, id)
		if err != nil {
			return scope, err
		}
		scope.CampaignID, scope.campaign, scope.agentID = &c.ID, c.Name, c.AgentID
	}
	if v.AgentID != "" {
		id, err := frame.ParseID(v.AgentID, "Agent")
		if err != nil {
			return scope, err
		}
		a, err := s.Projects.Agent(ctx, organization, id)
		if err != nil {
			return scope, err
		}
		scope.AgentID, scope.agent = &a.ID, a.Name
	}
	// The links to the calls behind a bar narrow the filter as it was read.
	scope.Answers, err = call.ReadAnswers(ctx, s.Pool, organization, call.ResultFilter{
		CampaignID: scope.CampaignID, AgentID: scope.AgentID,
	}, answerPairs(v.Given, v.Question, v.Answer))
	return scope, err
}

// otherScope is what a scope is compared with: another version of its agent, or another campaign.
func (s *Server) otherScope(
	ctx context.Context, organization uuid.UUID, scope resultScope, with string,
) (resultScope, error) {
	if number, is := strings.CutPrefix(with, versionChoice); is {
		n, err := strconv.Atoi(number)
		if err != nil {
			return scope, fault.Invalidf("with", "no such version")
		}
		scope.AgentVersion = &n
		return scope, nil
	}
	id, err := frame.ParseID(with, "Campaign")
	if err != nil {
		return scope, err
	}
	c, err := s.Campaigns.Get(ctx, organization, id)
	if err != nil {
		return scope, err
	}
	scope.CampaignID, scope.campaign, scope.agentID = &c.ID, c.Name, c.AgentID
	scope.AgentID, scope.AgentVersion = nil, nil
	return scope, nil
}

// kept says that a project removes the answers of single calls, which the sums keep.
func (s *Server) kept(r *http.Request, scope resultScope, v *views.Answers) error {
	if scope.CampaignID == nil {
		return nil
	}
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	c, err := s.Campaigns.Get(ctx, organization, *scope.CampaignID)
	if err != nil {
		return err
	}
	p, err := s.Projects.Project(ctx, organization, c.ProjectID)
	if err != nil || p.TranscriptDays == nil {
		return err
	}
	v.Kept = fmt.Sprintf("The project removes the answers of single calls after %s. They stay counted here, and a bar "+
		"opens the calls that still have them.", ui.Plural(*p.TranscriptDays, "day"))
	return nil
}

// result reads the results of calls as pages show them.
func (s *Server) result(r *http.Request, scope resultScope) (views.Result, call.Results, error) {
	results, err := s.Calls.Results(r.Context(), frame.SignedIn(r).Organization.ID, scope.ResultFilter)
	if err != nil {
		return views.Result{}, results, err
	}
	return s.resultView(r, scope, results), results, nil
}

// resultView shows the results of the calls of a scope.
func (s *Server) resultView(r *http.Request, scope resultScope, results call.Results) views.Result {
	v := views.Result{
		Name: scope.name(), Calls: results.Calls(), CallsHref: scope.countedHref(),
		ExportHref: "/calls/export?" + scope.query("", "").Encode(), Limited: results.Limited,
	}
	if scope.CampaignID != nil {
		v.ReportHref = "/campaigns/" + scope.CampaignID.String() + "/report"
	}
	v.Figures = []views.Stat{
		{Label: "Calls", Figure: ui.Count(v.Calls)},
		{
			Label: "Answered by a person", Figure: ui.Percent(results.Reached(), results.Placed()),
			Note: ui.Plural(results.Reached(), "call"),
		},
		{Label: "Calls with questions", Figure: ui.Count(results.Asked)},
		{
			Label: "Answered all", Figure: ui.Percent(results.Completed, results.Asked),
			Note: ui.Plural(results.Completed, "call"),
		},
	}
	for _, word := range ui.Outcomes {
		p := ui.Part{Word: word, Count: results.Outcomes[call.Outcome(word)]}
		if p.Count > 0 {
			p.Href = scope.countedHref("outcome", word)
		}
		v.Outcomes = append(v.Outcomes, p)
	}
	for _, intent := range conversation.Intents {
		if n := results.Intents[intent]; n > 0 {
			v.Intents = append(v.Intents, ui.Part{
				Word: string(intent), Count: n, Href: scope.countedHref("intent", string(intent)),
			})
		}
	}
	clock := s.Clock(r)
	clock.Dated = scope.dated
	for _, q := range results.Questions {
		v.Questions = append(v.Questions, questionView(clock, scope, q))
	}
	return v
}

func questionView(clock ui.Clock, scope resultScope, q call.QuestionResult) views.QuestionResult {
	v := views.QuestionResult{
		Key:      q.Key,
		Ask:      conversation.Readable(q.Ask),
		Kind:     string(q.Expect),
		Asked:    q.Asked,
		Answered: q.Answered,
	}
	if q.Mean != nil {
		v.Mean = strconv.FormatFloat(*q.Mean, 'f', 2, 64)
	}
	for _, b := range q.Bars {
		bar := views.AnswerBar{Label: barLabel(q.Expect, b), Calls: b.Calls}
		if b.Calls > 0 {
			bar.Href = scope.callsHref(q.Key, b.Value)
		}
		v.Bars = append(v.Bars, bar)
	}
	for _, t := range q.Texts {
		v.Texts = append(v.Texts, views.TextAnswer{Text: t.Text, CallID: t.CallID.String(), At: clock.TimeWhen(t.At)})
	}
	return v
}

// barLabel names an answer, or a range of answers.
func barLabel(expect conversation.Expect, b call.Bar) string {
	switch expect {
	case conversation.YesNo:
		return map[string]string{"true": "Yes", "false": "No"}[b.Value]
	case conversation.Date:
		return dateLabel(cmp.Or(b.From, b.Value), cmp.Or(b.To, b.Value))
	case conversation.Number:
		if b.From == "" {
			return b.Value
		}
		from, _ := strconv.ParseFloat(b.From, 64)
		to, _ := strconv.ParseFloat(b.To, 64)
		if from == float64(int(from)) && to == float64(int(to)) && to > from+1 {
			return ui.Count(int(from)) + "–" + ui.Count(int(to)-1)
		}
		return "from " + b.From + " to below " + b.To
	case conversation.Time:
		return b.From + "–" + b.To
	case conversation.Choice, conversation.Text, conversation.Phone, conversation.Email:
	}
	return b.Value
}

func dateLabel(from, to string) string {
	first, err := time.Parse(time.DateOnly, from)
	if err != nil {
		return from
	}
	last, err := time.Parse(time.DateOnly, to)
	switch {
	case err != nil:
		return from
	case first.Equal(last):
		return first.Format("Mon 2 Jan 2006")
	case first.YearDay() == 1 && last.Equal(first.AddDate(1, 0, -1)):
		return first.Format("2006")
	case first.YearDay() == 1 && last.Equal(first.AddDate(10, 0, -1)):
		return first.Format("2006") + "s"
	case first.Day() == 1 && last.Equal(first.AddDate(0, 1, -1)):
		return first.Format("January 2006")
	}
	return ui.Days(first, last)
}

// callsHref is the list of the calls that gave an answer.
func (s resultScope) callsHref(key, value string) string {
	return "/calls?" + s.query(key, value).Encode()
}

// countedHref is the list of the calls that are counted, narrowed by more filters and their values. The sums leave out
// calls that were not placed.
func (s resultScope) countedHref(more ...string) string {
	q := s.query("", "")
	q.Set("placed", "yes")
	for i := 0; i < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return "/calls?" + q.Encode()
}

// query selects the calls that gave an answer in the list of calls and its export.
func (s resultScope) query(key, value string) url.Values {
	q := url.Values{}
	for given, answer := range s.Answers {
		q.Set("answers["+given+"]", answer)
	}
	if s.CampaignID != nil {
		q.Set("campaign_id", s.CampaignID.String())
	}
	if s.AgentID != nil {
		q.Set("agent_id", s.AgentID.String())
	}
	if s.AgentVersion != nil { // a filter that needs the agent
		q.Set("agent_version", strconv.Itoa(*s.AgentVersion))
		if s.AgentID == nil {
			q.Set("agent_id", s.agentID.String())
		}
	}
	if !s.From.IsZero() {
		q.Set("after", s.From.Format(time.DateOnly))
	}
	if !s.To.IsZero() {
		q.Set("before", s.To.AddDate(0, 0, -1).Format(time.DateOnly))
	}
	if key != "" {
		q.Set("answers["+key+"]", call.Within(value, s.Answers[key]))
	}
	return q
}

// ownNumber names the organization's number with an ID.
func (s *Server) ownNumber(r *http.Request, id string) string {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return id
	}
	n, err := s.Projects.PhoneNumber(r.Context(), frame.SignedIn(r).Organization.ID, parsed)
	if err != nil {
		return id
	}
	return ui.Phone(n.PhoneNumber.String())
}

// CampaignReport shows everything that a campaign came to, to print.
func (s *Server) CampaignReport(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	v := views.CampaignReport{Campaign: views.Campaign{
		ID: c.ID.String(), Name: c.Name, Status: string(c.Status), AgentID: c.AgentID.String(),
		Scheduled: c.ScheduledAt, Started: frame.OrZero(c.StartedAt), Ended: frame.OrZero(c.EndedAt),
		CallsPlaced: c.CallsPlaced, Counters: counters(c),
		Compliance: views.Compliance{
			Answered: c.CallsAnswered - c.InProgress, ByPerson: c.AnsweredByPerson, OptedOut: c.OptedOut,
			Abandoned: c.Abandoned, Short: c.ShortCalls,
		},
	}}
	if err := s.campaignNames(r.Context(), c.OrganizationID, c, &v.Campaign); err != nil {
		return err
	}
	scope := resultScope{ResultFilter: call.ResultFilter{CampaignID: &c.ID}, campaign: c.Name, dated: true}
	var results call.Results
	if v.Result, results, err = s.result(r, scope); err != nil {
		return err
	}
	done := views.Stat{
		Label: "Recipients done", Figure: ui.Count(v.Campaign.Counters.Done()), Note: "of " + ui.Count(c.Total),
	}
	v.Result.Figures = append([]views.Stat{done}, v.Result.Figures...)
	for _, a := range results.Attempts {
		v.Attempts = append(v.Attempts, views.AttemptRow{Attempt: a.Attempt, Placed: a.Placed, Reached: a.Reached})
	}
	if v.Costs, err = s.reportCosts(r.Context(), c, results); err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.CampaignReportPage(s.Chrome(r), v))
}

// reportCosts are the costs of a campaign, what a completed call and a completed questionnaire cost, and the talk time.
func (s *Server) reportCosts(
	ctx context.Context, c campaign.Campaign, results call.Results,
) (facts []ui.Fact, err error) {
	totals, err := s.Calls.Costs(ctx, c.OrganizationID, call.CostFilter{CampaignID: &c.ID})
	if err != nil {
		return nil, err
	}
	known := 0
	for _, t := range totals {
		facts = append(facts,
			ui.Fact{Name: "Calls", Text: money.Format(t.Amount, t.Currency, money.Decimals(t.Amount))},
			ui.Fact{Name: "Per completed call", Text: money.Per(t.Amount, t.Currency, t.CompletedCalls)})
		if len(totals) == 1 { // in several currencies, a cost per questionnaire says nothing
			each := call.DayCost{Amount: t.Amount, Calls: t.Calls, Completed: t.CompletedCalls}.PerQuestionnaire(
				results.Calls(), results.Reached(), results.Completed)
			facts = append(facts, ui.Fact{
				Name: "Per call with all answers", Text: money.Column([]string{each}, []string{t.Currency})[0],
			})
		}
		known += t.Calls
	}
	if len(facts) > 0 {
		facts = append(facts, ui.Fact{Name: "Cost known for", Text: ui.Plural(known, "call")})
		talked, err := s.Calls.TalkTimes(ctx, c.OrganizationID, call.Scope{CampaignID: &c.ID},
			c.CreatedAt.AddDate(0, 0, -1), s.Now().AddDate(0, 0, 2)) // a day more, whatever the time zone
		if err != nil {
			return nil, err
		}
		var sum time.Duration
		for _, talk := range talked {
			sum += talk
		}
		facts = append(facts, ui.Fact{Name: "Minutes of talk", Text: views.TalkMinutes(int(sum.Seconds()))})
	}
	return facts, nil
}
