package views_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

const (
	bridgeID = "0192f1aa-5b10-7c02-9d4e-77c1f0a2b3c4"
	longURL  = "https://hooks.a-very-long-subdomain-of-some-platform.integrations.example.com/v2/organizations/" +
		"0192f3c0-1a2b-7c44-9e01-6b5d2f7c8a10/dialwright/events?source=dialwright&environment=production"
)

func webhookRows() []views.WebhookRow {
	active := views.WebhookState{Active: true}
	return []views.WebhookRow{
		{
			ID: bridgeID, Name: "EHR bridge", URL: "https://hooks.meridian.example/dialwright",
			Events: []string{
				"call.completed", "call.analyzed", "call.answered", "recipient.completed", "campaign.paused",
				"campaign.completed",
			},
			State: views.WebhookState{Active: true, FailingSince: ago(3*hour + 3*minute)}, Succeeded: 13235,
			Failed: 272, Last: ago(minute),
		},
		{
			ID: "2", Name: "Data warehouse", URL: "https://ingest.meridian.example/webhooks", Events: []string{"*"},
			State: active, Succeeded: 48120, Failed: 3, Last: ago(minute),
		},
		{
			ID: "3", Name: longName, URL: longURL, Events: []string{"call.*", "recipient.*"},
			State: views.WebhookState{InactiveSince: ago(3 * day)}, Succeeded: 80, Last: ago(3 * day),
		},
		{
			ID: "4", Name: "Old reporting", URL: "https://reporting.meridian.example/in",
			Events: []string{"campaign.completed"},
			State:  views.WebhookState{Disabled: "failing", InactiveSince: ago(2 * day)}, Failed: 90,
			Last: ago(2 * day),
		},
		{
			ID: "5", Name: "Trial of a tool", URL: "https://webhook.tool.example/c9f3",
			Events: []string{"call.completed"},
			State:  views.WebhookState{Disabled: "gone", InactiveSince: ago(20 * day)}, Last: ago(20 * day),
		},
		{
			ID: "6", Name: "New", URL: "https://new.meridian.example", Events: []string{"webhook.disabled"},
			State: active,
		},
	}
}

// webhookDays begin on a Saturday. The last day is today.
func webhookDays() []views.WebhookDay {
	succeeded := []int{884, 412, 901, 1190, 1212, 1088, 1143, 398, 377, 1302, 1377, 1205, 1344, 402}
	failed := []int{0, 0, 2, 0, 0, 14, 0, 0, 0, 0, 3, 41, 0, 212}
	days := make([]views.WebhookDay, 14)
	for i := range days {
		days[i] = views.WebhookDay{Date: ago(time.Duration(13-i) * day), Succeeded: succeeded[i], Failed: failed[i]}
	}
	return days
}

func deliveryRows() []views.DeliveryRow {
	row := func(
		id, event string, s views.DeliveryState, attempts int, took float64, at time.Duration,
	) views.DeliveryRow {
		return views.DeliveryRow{
			ID: "0192f3d4-1c20-7b3a-8000-0000000" + id, EventType: event, State: s, Attempts: attempts, Most: 10,
			TookMS: took, Created: ago(at),
		}
	}
	retrying := func(result string, next time.Duration) views.DeliveryState {
		return views.DeliveryState{Status: "pending", Result: result, Next: now.Add(next)}
	}
	ok := func(result string) views.DeliveryState {
		return views.DeliveryState{Status: "succeeded", Result: result}
	}
	rows := []views.DeliveryRow{
		row("00001", "call.completed", views.DeliveryState{Status: "pending", Next: now}, 0, -1, 0),
		row("00002", "call.analyzed", retrying("503 Service Unavailable", minute), 2, 15000, 4*minute),
		row("00003", "call.answered", retrying("Timed out", 112*minute), 4, 15000, 45*minute),
		row("00004", "recipient.completed", retrying("503 Service Unavailable", 276*minute), 5, 14800, 3*hour),
		row("00005", "call.completed", views.DeliveryState{
			Status: "failed", Result: "No such host: " + strings.Repeat("x", 60) + ".example.com", Resending: true,
		}, 10, 12, 3*hour),
		row("00006", "call.analyzed", views.DeliveryState{Status: "failed", Result: "404 Not Found"}, 1, 97, 3*hour),
		row("00007", "campaign.paused", ok("200 OK"), 1, 184, 4*hour),
		row("00008", "call.analyzed", ok("200 OK"), 1, 97, 4*hour),
		row("00009", "call.completed", ok("204 No Content"), 2, 112, 30*hour),
	}
	rows[5].Test = true
	return rows
}

func bridge() views.Webhook {
	return views.Webhook{
		ID: bridgeID, Name: "EHR bridge", URL: "https://hooks.meridian.example/dialwright",
		Events: webhookRows()[0].Events, Filters: []string{"project Reminders", "no longer available campaign"},
		State: webhookRows()[0].State, Created: ago(253 * day), CreatedBy: "Ingrid Vasquez",
		LastSuccess: ago(3*hour + 4*minute),
		LastFailure: "The endpoint answered 503 Service Unavailable", DisableAt: now.Add(4*day + 21*hour),
		Days:   webhookDays(),
		Median: 118 * time.Millisecond, P95: 640 * time.Millisecond, Timed: true, HasFailed: true,
		EventTypes: []string{"call.answered", "call.completed", "call.analyzed", "webhook.test"},
		Deliveries: deliveryRows(),
		Pager:      ui.Pager{Line: "Newest first", OlderHref: "?cursor=x"}, EventsHref: "/events",
	}
}

const deliveryBody = `{"id":"0192f2c0-2c7a-7d11-8f00-1b2c3d4e5f60","type":"call.completed",` +
	`"timestamp":"2026-11-20T17:02:09.914Z","organization_id":"0192e000-0000-7000-8000-000000000000",` +
	`"project_id":"0192e000-0000-7000-8000-000000000001","data":{"id":"0192f3d0-41aa-7c3e-b1f9-5d20c6a7e814",` +
	`"status":"completed","outcome":"completed","ended_by":"agent","to_number":"+13125550142","duration_seconds":94,` +
	`"cost":null,"metadata":{"mrn":"20418","note":"call the <nurse> & the \"daughter\""},"opt_out":false}}`

func delivery() views.Delivery {
	const signature = "v1,K5oZfzN95Z2hTTEp7UPT4tHfYY/oMzu8vbM9cjOHGJY="
	at := []time.Duration{27 * minute, 147 * minute, 178 * minute, 183 * minute, 183*minute + 6*time.Second}
	v := views.Delivery{
		WebhookID: bridgeID, Webhook: "EHR bridge", ID: "0192f2c0-2c7b-7e0a-9a00-5f60718293a4",
		EventID: "0192f2c0-2c7a-7d11-8f00-1b2c3d4e5f60", EventType: "call.completed",
		State: views.DeliveryState{Status: "pending", Result: "503 Service Unavailable", Next: now.Add(273 * minute)},
		Count: 5, Most: 10, URL: "https://hooks.meridian.example/dialwright",
		Body: deliveryBody, Created: ago(183*minute + 6*time.Second), EventsHref: "/events",
	}
	for i, d := range at {
		a := views.DeliveryAttempt{
			Number: 5 - i, At: ago(d), Result: "503 Service Unavailable",
			Error: "The endpoint answered 503 Service Unavailable", TookMS: 2104, Address: "203.0.113.80:443",
			URL: v.URL, SignedAt: ago(d).Unix(), Signature: signature, Status: "503 Service Unavailable",
			Headers: []ui.Header{
				{Name: "content-length", Value: "52"}, {Name: "content-type", Value: "application/json"},
				{Name: "retry-after", Value: "300"}, {Name: "server", Value: "nginx"},
			},
			Body: `{"error":"maintenance","until":"2026-11-20T21:00:00Z"}`,
			Phases: []ui.Phase{
				{Name: "DNS lookup", MS: 12.4}, {Name: "Connect", MS: 48.2}, {Name: "TLS", MS: 96.7},
				{Name: "First byte", MS: 1931}, {Name: "Rest", MS: 15.7},
			},
		}
		if i == 2 {
			a.Result, a.Error, a.TookMS = "Timed out", "No answer within 15 s", 15000
			a.Status, a.Body, a.Headers = "", "", nil
			a.Phases = []ui.Phase{
				{Name: "DNS lookup", MS: -1}, {Name: "Connect", MS: -1}, {Name: "TLS", MS: -1},
				{Name: "First byte", MS: -1}, {Name: "Rest", MS: 15000},
			}
		}
		v.Attempts = append(v.Attempts, a)
	}
	return v
}

func eventFamilies() []views.EventFamily {
	return []views.EventFamily{
		{
			Noun: "campaign",
			Types: []views.EventChoice{
				{
					Type:        "campaign.scheduled",
					Description: "A campaign was created for later, or put back to wait for its time.",
				},
				{
					Type:        "campaign.paused",
					Description: "A campaign was paused, by a person, a key or because its connection fails.",
					Checked:     true,
				},
			},
		},
		{
			Noun: "recipient", Checked: true,
			Types: []views.EventChoice{
				{Type: "recipient.completed", Description: "A recipient was reached; no more calls follow."},
			},
		},
		{
			Noun: "call",
			Types: []views.EventChoice{
				{Type: "call.completed", Description: "A call ended, with any outcome.", Checked: true},
				{
					Type:        "call.analyzed",
					Description: "The analysis and transcript of an answered call are ready, or the analysis failed.",
					Checked:     true,
				},
			},
		},
	}
}

func webhookSamples() []sample {
	const base = "https://calls.meridian.example"
	path := "/webhooks/" + bridgeID
	failing := admin("/webhooks")
	failing.Failing = 2

	var full []views.WebhookRow
	for i := range 10 {
		r := webhookRows()[i%6]
		r.ID = fmt.Sprint(i)
		full = append(full, r)
	}

	healthy := bridge()
	healthy.State.FailingSince, healthy.LastFailure = time.Time{}, ""
	healthy.DisableAt, healthy.HasFailed = time.Time{}, false
	healthy.PreviousUntil, healthy.AsTable, healthy.Status = now.Add(23*hour), true, "pending"
	healthy.Deliveries = healthy.Deliveries[:1]
	healthy.Recovery = &views.Recovery{
		Since: ago(3 * day), Percent: 100, Retried: 212, Added: 1841, By: "Ingrid Vasquez", Finished: ago(minute),
	}

	recovering := healthy
	recovering.AsTable, recovering.Status = false, "failed"
	recovering.EventType, recovering.Deliveries = "call.answered", nil
	recovering.Recovery = &views.Recovery{Since: ago(3 * day), Percent: 64, Retried: 1, Added: 92, By: "Ingrid Vasquez"}

	disabled := bridge()
	disabled.Name = longName
	disabled.URL, disabled.State = longURL, views.WebhookState{Disabled: "failing", InactiveSince: ago(2 * day)}
	disabled.Events, disabled.LastSuccess = []string{"*"}, time.Time{}
	for i := range disabled.Deliveries[:4] {
		disabled.Deliveries[i].State.Held = true
	}

	gone := bridge()
	gone.State = views.WebhookState{Disabled: "gone", InactiveSince: ago(20 * day)}
	gone.Deliveries, gone.Pager = nil, ui.Pager{}

	fresh := views.Webhook{
		ID: bridgeID, Name: "New", URL: "https://new.meridian.example", Events: []string{"call.completed"},
		State: views.WebhookState{Active: true}, Created: now, CreatedBy: "Ingrid Vasquez", EventsHref: "/events",
	}
	for i := range 14 {
		fresh.Days = append(fresh.Days, views.WebhookDay{Date: ago(time.Duration(24-i) * day)})
	}
	fresh.State = views.WebhookState{InactiveSince: ago(hour)}

	many := bridge()
	for i := range 25 {
		d := deliveryRows()[i%9]
		d.ID = fmt.Sprintf("0192f3d4-1c20-7b3a-8000-%012d", i)
		many.Deliveries = append(many.Deliveries, d)
	}
	many.Deliveries = many.Deliveries[9:]
	many.Pager.NewerHref = "?"
	for i := range many.Days {
		many.Days[i].Succeeded *= 1000
		many.Days[i].Failed *= 1000
	}

	timedOut := delivery()
	timedOut.Shown = 2
	untried := delivery()
	untried.State, untried.Attempts, untried.Count = views.DeliveryState{Status: "pending", Next: now}, nil, 0
	succeeded := delivery()
	succeeded.EventType = "recipient.completed"
	succeeded.State = views.DeliveryState{Status: "succeeded", Result: "204 No Content"}
	succeeded.Count, succeeded.Delivered, succeeded.EventsHref = 117, ago(hour), ""
	a := &succeeded.Attempts[0]
	a.URL, a.Manual, a.Succeeded, a.Result = longURL, true, true, "200 OK"
	a.Error, a.Status = "", "200 OK"
	a.Headers, a.Body, a.TookMS = nil, "<html>"+strings.Repeat("thank you ", 60)+"</html>", 184
	a.Cut = true
	a.Phases = []ui.Phase{
		{Name: "DNS lookup", MS: -1}, {Name: "Connect", MS: -1}, {Name: "TLS", MS: -1},
		{Name: "First byte", MS: 183.6}, {Name: "Rest", MS: 0.4},
	}

	form := views.WebhookForm{Mark: "1", Families: eventFamilies()}
	wrong := form
	wrong.Name, wrong.URL = strings.Repeat("long ", 30), "http://10.0.0.8/hook"
	wrong.Errors = ui.Errors{
		"name":   "at most 100 characters",
		"url":    "must be https; private addresses are not allowed (DIALWRIGHT_WEBHOOK_ALLOW is empty)",
		"events": "at least one is required", "": "Webhook limit reached: at most 10 per organization",
	}
	edit := views.WebhookForm{
		ID: bridgeID, Name: "EHR bridge", Known: "EHR bridge", URL: longURL, AllEvents: true,
		Families: eventFamilies(),
		Filters: []views.WebhookFilter{
			{
				Name: "filters.project_ids", Legend: "Projects", Options: []ui.Option{{Value: "1", Label: "Reminders"}},
				Chosen: []string{"1"},
			},
			{
				Name: "filters.campaign_ids", Legend: "Campaigns",
				Hint:    "The newest campaigns. Use the API to choose any other",
				Options: []ui.Option{{Value: "2", Label: "Flu shots"}}, Chosen: []string{"3"},
			},
		},
	}

	return []sample{
		{"webhooks-none", views.WebhooksPage(admin("/webhooks"), views.Webhooks{Most: 10, Days: 14, BaseURL: base})},
		{
			"webhooks",
			views.WebhooksPage(failing, views.Webhooks{
				Rows: webhookRows(), Order: order("state", true, "name", "share", "sent"), Most: 10, Days: 14,
				BaseURL: base,
			}),
		},
		{
			"webhooks-full",
			views.WebhooksPage(admin("/webhooks"), views.Webhooks{Rows: full, Most: 10, Days: 14, BaseURL: base}),
		},
		{"webhook-form", views.WebhookFormPage(admin("/webhooks/new"), form)},
		{"webhook-form-wrong", views.WebhookFormPage(admin("/webhooks/new"), wrong)},
		{"webhook-edit", views.WebhookFormPage(admin(path+"/edit"), edit)},
		{
			"webhook-secret-rotated",
			views.WebhookSecretPage(admin(path+"/rotate-secret"), views.WebhookSecret{
				ID: bridgeID, Name: longName, Secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDbAy0mPpGSdU=",
				Rotated: true, Until: now.Add(day),
			}),
		},
		{"webhook", views.WebhookPage(failing, bridge())},
		{"webhook-healthy", views.WebhookPage(admin(path), healthy)},
		{"webhook-recovering", views.WebhookPage(staff(path), recovering)},
		{"webhook-disabled", views.WebhookPage(admin(path), disabled)},
		{"webhook-gone", views.WebhookPage(staff(path), gone)},
		{"webhook-verify", views.VerifyPage(staff("/webhooks/verify"))},
		{"webhook-paused", views.WebhookPage(admin(path), fresh)},
		{"webhook-many", views.WebhookPage(staff(path), many)},
		{
			"webhook-rotate",
			views.RotatePage(admin(path+"/rotate-secret"), views.RotateForm{
				ID: bridgeID, Name: "EHR bridge", Overlap: "86400",
			}),
		},
		{
			"webhook-test",
			views.TestWebhookPage(admin(path+"/test"), views.TestWebhookForm{
				ID: bridgeID, Name: "EHR bridge", EventType: "webhook.test",
				EventTypes: []string{"webhook.test", "call.completed"},
			}),
		},
		{
			"webhook-recover",
			views.RecoverPage(admin(path+"/recover"), views.RecoverForm{
				ID: bridgeID, Name: "EHR bridge", Since: "inactive", Inactive: ago(50 * hour),
			}),
		},
		{
			"webhook-delete",
			views.ConfirmPage(admin(path+"/delete"), views.DeleteWebhook(bridgeID, "EHR bridge", 212, 10000)),
		},
		{"delivery", views.DeliveryPage(admin(path+"/deliveries/1"), delivery())},
		{"delivery-timed-out", views.DeliveryPage(staff(path+"/deliveries/1"), timedOut)},
		{"delivery-untried", views.DeliveryPage(admin(path+"/deliveries/1"), untried)},
		{"delivery-succeeded", views.DeliveryPage(admin(path+"/deliveries/1"), succeeded)},
	}
}
