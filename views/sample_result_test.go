package views_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// result is what a survey came to.
func result(name string) views.Result {
	text := func(words string, hours int) views.TextAnswer {
		at := ago(time.Duration(hours) * hour)
		return views.TextAnswer{Text: words, CallID: "1", At: templ.Raw(at.Format("2 Jan, 15:04"))}
	}
	scale := []views.AnswerBar{{Label: "0"}, {Label: "1"}}
	for i := 2; i <= 10; i++ {
		scale = append(scale, views.AnswerBar{Label: strconv.Itoa(i), Calls: i * 37 % 100, Href: "/calls"})
	}
	outcomes := calls(627, 280, 190, 80, 63)
	for i := range outcomes {
		outcomes[i].Href = "/calls"
	}
	return views.Result{
		Name: name, ReportHref: "/campaigns/1/report", CallsHref: "/calls", ExportHref: "/calls/export",
		Calls: 1240,
		Figures: []views.Stat{
			{Label: "Calls", Figure: "1,240"},
			{Label: "Answered by a person", Figure: "50.6%", Note: "627 calls"},
			{Label: "Calls with questions", Figure: "601"},
			{Label: "Answered all", Figure: "88.4%", Note: "531 calls"},
		},
		Outcomes: outcomes,
		Intents:  []ui.Part{{Word: "wants_human", Count: 31, Href: "/calls"}, {Word: "busy", Count: 12}},
		Questions: []views.QuestionResult{
			{
				Key: "recommend", Ask: "On a scale from 0 to 10, how likely are you to recommend us to a friend?",
				Asked: 601, Answered: 594, Mean: "7.34", Bars: scale,
			},
			{
				Key: "reminders", Ask: "Which do you prefer for reminders: a call, a text or a letter?", Asked: 580,
				Answered: 560, Bars: []views.AnswerBar{
					{Label: "A call in the evening, after seven o'clock", Calls: 214, Href: "/calls"},
					{Label: "Text", Calls: 346, Href: "/calls"},
				},
			},
			{
				Key: "wish", Ask: "And what is the one thing we could do better?", Asked: 560, Answered: 531,
				Texts: []views.TextAnswer{text("Keep the same nurse. "+longName, 3), text("Nothing.", 26)},
			},
		},
	}
}

// analysis is the calls of a month, with an hour and a day without calls.
func analysis() views.Analysis {
	v := views.Analysis{
		Scope:    overview().Scope,
		Period:   views.OverviewPeriod{Days: "30", Line: "22 Oct – 20 Nov 2026, including today"},
		Attempts: []views.AttemptRow{{Attempt: 1, Placed: 4400, Reached: 2360}, {Attempt: 2, Placed: 1080}},
		Numbers: []views.NumberRow{
			{Number: "+13125550100", Href: "/calls", Placed: 3300, Reached: 1830, Answered: 2010, Short: 84},
			{Number: "+17735550164", Placed: 45, Reached: 27},
		},
		Campaigns: []views.ComparedRow{
			{
				Name: longName, Href: "/analysis/answers?campaign_id=1", Placed: 1240, Reached: 627, Asked: 601,
				Completed: 531, TalkSeconds: 61_400, Cost: "1,183.03 USD", CostCalls: 1104, PerCompleted: "1.8868 USD",
				PerQuestionnaire: "2.2279 USD",
			},
			{
				Name: "Visits", Placed: 12, TalkSeconds: 20, Cost: ui.None, PerCompleted: ui.None,
				PerQuestionnaire: ui.None,
			},
		},
		More: true,
	}
	v.Agents = v.Campaigns[:1]
	for i, d := range ui.Weekdays {
		day := views.AnswerDay{Name: d.Long}
		for h := 8; h < 20 && i < 6; h++ {
			if n := h * (i + 3) % 11; n > 0 {
				day.Hours[h].Placed, day.Hours[h].Reached = n*10, n*(h%10)
			}
		}
		v.Weeks = append(v.Weeks, day)
	}
	return v
}

func resultSamples() []sample {
	campaigns := []ui.Option{{Value: "1", Label: longName}, {Value: "2", Label: "Care survey, first half"}}
	none := views.Answers{Campaigns: campaigns, Others: campaigns}
	chosen := none
	chosen.CampaignID, chosen.With, chosen.Chosen, chosen.Kept = "1", "2", true, "90 days"
	other := result("Care survey, first half")
	for i := range other.Questions[0].Bars {
		other.Questions[0].Bars[i].Calls = i * 53 % 90
	}
	other.Questions[1].Ask = "Do you prefer a call, a text or a letter?"
	other.Questions = other.Questions[:2]
	other.Questions = append(other.Questions, views.QuestionResult{
		Key: "visit", Asked: 12, Answered: 9, Bars: []views.AnswerBar{
			{Label: "Yes", Calls: 6, Href: "/calls"}, {Label: "No", Calls: 3, Href: "/calls"},
		},
	})
	chosen.Sides = []views.Result{result(longName), other}
	one := none
	one.CampaignID, one.Chosen, one.Sides = "1", true, []views.Result{result("Care survey, first half")}
	one.Sides[0].Limited = true
	one.Given = views.AnswerFilter{"reminders": "Text"}
	one.Question, one.Answer = "recommend", "7 to 10"
	one.ByAnswer = views.AnswerFields{
		Questions: ui.OptionsOf("recommend", "reminders", "wish"), Question: "recommend", Answer: "7 to 10",
		Expect: "number",
	}
	one.Chips = []views.FilterChip{
		{Name: "Reminders", Value: "Text", RemoveHref: "/analysis/answers"},
		{Name: "Recommend", Value: "7 to 10", RemoveHref: "/analysis/answers"},
	}
	one.ByVersion = []views.VersionRow{
		{
			Number: 12, Href: "/calls", Current: true, Calls: 1040, Asked: 520, Completed: 480,
			Answers: []views.VersionAnswer{
				{Asked: 520, Answered: 511, Figure: "7.61", Meaning: "mean"},
				{Asked: 500, Answered: 488, Figure: "62.1%", Meaning: "Text"},
				{Asked: 480, Answered: 470, Figure: "97.9%", Meaning: "answered"},
			},
		},
		{Calls: 200, Asked: 81, Completed: 51, Answers: []views.VersionAnswer{
			{Asked: 81, Answered: 80, Figure: "6.12", Meaning: "mean"}, {Asked: 80}, {},
		}},
	}
	report := views.CampaignReport{
		Campaign: flu(), Result: result("Autumn flu-shot reminders"), Attempts: analysis().Attempts,
		Costs: []ui.Fact{{Name: "Calls", Text: "1,183.03 USD"}, {Name: "Per completed call", Text: "1.8868 USD"}},
	}
	empty := views.Analysis{Scope: overview().Scope, Period: analysis().Period}
	return []sample{
		{"analysis", views.AnalysisPage(admin("/analysis"), analysis())},
		{"analysis-none", views.AnalysisPage(staff("/analysis"), empty)},
		{"answers", views.AnswersPage(staff("/analysis/answers"), chosen)},
		{"answers-of-people", views.AnswersPage(staff("/analysis/answers"), one)},
		{"answers-choose", views.AnswersPage(admin("/analysis/answers"), none)},
		{"campaign-report", views.CampaignReportPage(admin("/campaigns/1/report"), report)},
	}
}

// The sides of a comparison share one scale for each question and for the outcomes: half of the answers is half as long
// as all of them.
func TestComparedBarsShareAScale(t *testing.T) {
	t.Parallel()
	ended := func(completed, failed int) views.Result {
		return views.Result{Calls: completed + failed, Outcomes: []ui.Part{
			{Word: "completed", Count: completed}, {Word: "failed", Count: failed},
		}}
	}
	side := func(yes, no int) views.Result {
		return views.Result{Questions: []views.QuestionResult{{
			Key: "ok", Asked: yes + no, Answered: yes + no,
			Bars: []views.AnswerBar{{Label: "Yes", Calls: yes}, {Label: "No", Calls: no}},
		}}}
	}
	for _, test := range []struct {
		sides []views.Result
		want  []string
	}{
		{[]views.Result{side(5, 5), side(2, 0)}, []string{"50.00%", "100.00%", "50.00%", "0.00%"}},
		{[]views.Result{side(6, 3)}, []string{"100.00%", "50.00%"}},
		{[]views.Result{side(0, 0)}, []string{"0%", "0%"}},
		{[]views.Result{ended(5, 5), ended(2, 0)}, []string{"50.00%", "100.00%"}},
		{[]views.Result{ended(6, 12)}, []string{"50.00%"}},
	} {
		var page strings.Builder
		err := views.AnswersPage(staff("/analysis/answers"), views.Answers{Chosen: true, Sides: test.sides}).
			Render(t.Context(), &page)
		if err != nil {
			t.Fatal(err)
		}
		var widths []string
		for _, match := range barWidth.FindAllStringSubmatch(page.String(), -1) {
			widths = append(widths, match[1])
		}
		if !slices.Equal(widths, test.want) {
			t.Errorf("the bars are %v, want %v", widths, test.want)
		}
	}
}

var barWidth = regexp.MustCompile(`<rect class="paint-completed" width="([^"]+)"`)
