package views_test

import (
	"fmt"
	"time"

	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func overview() views.Overview {
	v := views.Overview{
		Campaigns: campaignRows()[:3], Calls: callRows()[:6], EventsHref: "/events", Unit: "day",
		Scope: views.OverviewScope{
			Projects: []ui.Option{{Value: "1", Label: "Meridian"}},
			Campaigns: []ui.Option{
				{Value: "1", Label: "Post-discharge check-in, week 46"}, {Value: "2", Label: longName},
			},
			Agents: []ui.Option{{Value: "1", Label: "Nora"}},
		},
		Period: views.OverviewPeriod{
			Days: "7", From: "2026-11-14", To: "2026-11-20", Line: "14–20 Nov 2026, including today",
		},
		Stats: []views.Stat{
			{"Calls placed", "12,855", "+8.2%", "vs. 7–13 Nov"},
			{"Answered by a person", "46.3%", "+1.4 pt", "vs. 7–13 Nov"},
			{"Completed", "6,012", "+9.7%", "vs. 7–13 Nov"},
			{"Talk time per person", "1:48", "−4 s", "vs. 7–13 Nov"},
			{"Opted out", "37", "", "0.6% of people reached"},
		},
		AlertsMore: true,
		Attention: []views.Alert{
			{
				Title: "Webhook failing: EHR bridge", Href: "/webhooks/1",
				Text: "Retries continue, and every event is kept",
				Do:   "Check the endpoint. The page of the webhook shows its answers.",
			},
			{
				Title: "Campaign paused: Wellness visit booking", Href: "/campaigns/3",
				Text: "20 calls in a row could not be placed", Do: "Remove the cause, then resume the campaign.",
			},
			{
				Title: "API key expiring: Scheduler", Href: "/settings/api-keys",
				Text: "The key ik_live_abcd…wxyz stops working on 26 Nov 2026, 03:00 (America/Chicago)",
				Do:   "Rotate the key and give the new one to the system that uses it.",
			},
		},
		Limits: []views.MessagingLimit{
			{
				Limit: 10000, Used: 2386, Planned: 800,
				Numbers: []views.MessagingNumber{{ID: "1", Name: "Care line", Phone: "+13125550100"}},
			},
			{
				Limit: 250, Used: 212,
				Numbers: []views.MessagingNumber{{ID: "2", Name: "Pharmacy line", Phone: "+17735550164"}, {ID: "3"}},
			},
			{Limit: 1000, Used: 1000, Numbers: []views.MessagingNumber{{ID: "4", Phone: "+17735550165"}}},
		},
		CostMonths: "October to November 2026, whole months",
		Costs: []views.CostRow{
			{"November 2026", "Care team", money.Format("1183.0275", "USD", 4), money.Format("21.4", "USD", 4), 61_400},
			{"November 2026", "Care team", money.Format("12.4", "EUR", 4), "", 61_400},
			{"October 2026", longName, money.Format("0.0915", "USD", 4), "", 20},
		},
	}
	for i, n := range []int{430, 401, 1120, 1205, 1066, 1240, 650} {
		at := now.AddDate(0, 0, i-6)
		v.Outcomes = append(v.Outcomes, views.OutcomeColumn{
			Column: ui.Column{
				Label: at.Format("Mon 2"), Title: at.Format("Monday 2 January"),
				Parts: calls(n, n*6/10, n*4/10, n/9, n/40, i*3%8), Now: i == 6,
			},
			Placed: n * 21 / 10, Reached: n, Href: "/calls?after=" + at.Format("2006-01-02"),
		})
	}
	v.Outcomes[6].Label = "Today 20"
	return v
}

// overviewMonth has thirty columns, of which only Mondays have a label.
func overviewMonth() views.Overview {
	v := overview()
	v.Attention, v.Limits, v.Outcomes = nil, nil, nil
	v.Period = views.OverviewPeriod{
		Days: "30", From: "2026-10-22", To: "2026-11-20", Line: "22 Oct – 20 Nov 2026, including today",
	}
	for i := range 30 {
		at, n := now.AddDate(0, 0, i-29), 400+i*29%800
		c := ui.Column{
			Title: at.Format("Monday 2 January"), Parts: calls(n, n*6/10, n*4/10, n/9, n/40, i*3%8), Now: i == 29,
		}
		if at.Weekday() == time.Monday {
			c.Label = at.Format("2 Jan")
		}
		v.Outcomes = append(v.Outcomes, views.OutcomeColumn{
			Column: c, Placed: n * 21 / 10, Reached: n, Href: "/calls?after=" + at.Format("2006-01-02"),
		})
	}
	return v
}

func overviewTable() views.Overview {
	v := overview()
	v.Scope.CampaignID = "2"
	v.AsTable, v.Attention, v.Limits, v.Campaigns = true, nil, nil, nil
	v.Period = views.OverviewPeriod{
		From: "2026-11-01", To: "2026-10-20", Line: "14–20 Nov 2026",
		Errors: ui.Errors{"to": "must not be before “From”"},
	}
	for i := range v.Outcomes {
		v.Outcomes[i].Label = fmt.Sprint(i)
	}
	return v
}
