package views_test

import (
	"strings"
	"time"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func complianceSamples() []sample {
	return []sample{
		{"evidence-form", views.EvidenceFormPage(admin("/settings/evidence"), views.EvidenceForm{})},
		{"evidence-form-wrong", views.EvidenceFormPage(admin("/settings/evidence"), views.EvidenceForm{
			Number: "call me", Errors: ui.Errors{"phone_number": "Not a valid phone number"},
		})},
		{"evidence", views.EvidencePage(admin("/settings/evidence"), evidence(1))},
		{"evidence-none", views.EvidencePage(admin("/settings/evidence"), views.Evidence{
			Number: "+13125550142", CreatedAt: now,
		})},
		{"evidence-long", views.EvidencePage(admin("/settings/evidence"), evidence(40, "calls", "messages"))},
		{"erasures", views.ErasuresPage(admin("/settings/erasures"), views.Erasures{
			Number: "+13125550142", Person: "x", PersonNumber: "+1 312 555 0142",
			Errors: ui.Errors{"confirm": "Type “erase” to confirm"},
			Rows: []views.Erasure{
				{CreatedBy: "Ingrid Vasquez", Created: ago(hour)},
				{
					Calls: 3, Recipients: 2, Messages: 1, Recordings: 2,
					Undeleted: "Twilio does not accept the credentials", CreatedBy: "CRM", Created: ago(9 * day),
					Completed: new(ago(9 * day)),
				},
			},
		})},
		{"compliance", views.CompliancePage(admin("/settings/compliance"), views.ComplianceSettings{
			Rules: views.CallingRules{
				Apply:      true,
				ClosedDays: "12-24 Christmas Eve\n24.12.",
				Countries:  "Canada, France and the United States",
				Errors:     ui.Errors{"closed_days": "must be dates such as 2026-12-24, or 12-24 for every year"},
				Table:      callingRules,
				Own:        ownRules,
			},
			Abandoned: views.AbandonedLimit{
				Most: "300", Least: "100", Errors: ui.Errors{"abandoned_most": "must be between 0.1 and 100"},
			},
		})},
		{"compliance-staff", views.CompliancePage(staff("/settings/compliance"), views.ComplianceSettings{
			Rules: views.CallingRules{Table: callingRules}, Abandoned: views.AbandonedLimit{Most: "3", Least: "100"},
			Check: views.PreDialCheck{Saved: true, EnabledAt: ago(day), LastAnswer: "Allowed", LastAnswerAt: ago(day)},
		})},
		{"pre-dial-check-new", views.PreDialCheckPage(admin("/settings/compliance/pre-dial-check"), views.PreDialCheck{
			URL: "http://crm", OnFailure: "wait", Errors: ui.Errors{"url": "must be an https URL"},
		})},
		{"pre-dial-check", views.PreDialCheckPage(admin("/settings/compliance/pre-dial-check"), views.PreDialCheck{
			URL: preDialURL, OnFailure: "wait", Saved: true, SavedURL: preDialURL, SavedWaits: true,
			EnabledAt: ago(day), LastAnswer: "Refused",
			LastAnswerAt: ago(2 * time.Minute), PreviousUntil: ago(-20 * time.Hour), Passed: true,
			Tested: "Refused after 84 ms: on the national list",
		})},
		{"pre-dial-check-failing", views.PreDialCheckPage(
			admin("/settings/compliance/pre-dial-check"), views.PreDialCheck{
				URL: preDialURL, OnFailure: "wait", Saved: true, SavedURL: preDialURL, SavedWaits: true, Failures: 1204,
				Probing: true, EnabledAt: ago(day), LastAnswer: "Allowed", LastAnswerAt: ago(day),
				LastError: "The endpoint answered 503 Service Unavailable", LastErrorAt: ago(time.Minute),
				Tested: "Failed after 2001 ms: No answer within 2 s",
			})},
		{"pre-dial-check-staff", views.PreDialCheckPage(
			staff("/settings/compliance/pre-dial-check"), views.PreDialCheck{
				Saved: true, EnabledAt: ago(day), SavedURL: preDialURL, Failures: 7, Probing: true,
				LastError:   "No answer within 2 s",
				LastErrorAt: ago(time.Minute),
			})},
		{"pre-dial-check-secret", views.PreDialSecretPage(
			admin("/settings/compliance/pre-dial-check"), views.PreDialSecret{
				Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=", Until: ago(-day),
			})},
		{"pre-dial-check-off", views.PreDialCheckPage(admin("/settings/compliance/pre-dial-check"), views.PreDialCheck{
			URL: preDialURL, OnFailure: "wait", Saved: true, SavedURL: preDialURL, SavedWaits: true,
		})},
		{"pre-dial-check-secret-new", views.PreDialSecretPage(
			admin("/settings/compliance/pre-dial-check"), views.PreDialSecret{
				Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=",
			})},
		{"pre-dial-check-rotate", views.ConfirmPage(
			admin("/settings/compliance/pre-dial-check/rotate-secret"), views.RotatePreDialSecret("0f"))},
		{"pre-dial-check-remove", views.ConfirmPage(
			admin("/settings/compliance/pre-dial-check/remove"), views.RemovePreDialCheck())},
		{"compliance-rule", views.CallingRulePage(admin("/settings/compliance/rules/fr-hours"), views.CallingRuleForm{
			Rule: callingRules[1], Use: "other", Hours: views.HoursForm{Windows: []views.WindowForm{
				{Days: []string{"mon", "tue"}, Start: "10:00", End: "12:00"},
			}},
			Errors: ui.Errors{"reason": "required, because the audit log keeps it"},
		})},
		{"compliance-own-rule", views.OwnRulePage(admin("/settings/compliance/own-rules/new"), views.OwnRuleForm{
			Places: []ui.Option{
				{Label: "Choose a place"}, {Value: "DE", Label: "Germany", Group: "Countries"},
				{Value: "CA-ON", Label: "Ontario", Group: "Canada"},
			},
			Place: "CA-ON", Calls: "0", Hours: views.HoursForm{Windows: []views.WindowForm{{Start: "09:00"}}},
			Errors: ui.Errors{
				"calls": "must be between 1 and 100", "calling_hours.windows[0].days": "at least one day is required",
				"reason": "required, because the audit log keeps it",
			},
		})},
		{"compliance-own-rule-remove", views.ConfirmPage(
			admin("/settings/compliance/own-rules/own-ca-on-3f2a9c1e/remove"), views.RemoveOwnRule(ownRules[1]))},
		{"compliance-rule-calls", views.CallingRulePage(admin("/settings/compliance/rules/us-fl-calls"),
			views.CallingRuleForm{Rule: callingRules[0], Use: "listed", Calls: "3", LimitsCalls: true})},
	}
}

// evidence is what is stored about a number: the same events, times times.
func evidence(times int, older ...string) views.Evidence {
	v := views.Evidence{
		Number: "+13125550142", CreatedAt: now, Listed: []string{"calls"}, Most: 500, Older: older,
	}
	listed := views.DoNotCallEntry{
		Number: "+13125550142", Channel: "voice", Source: "user", Note: "By letter", CreatedBy: "Ingrid Vasquez",
	}
	heard := views.DoNotCallEntry{Number: "+13125550142", Channel: "voice", Source: "call"}
	for i := range times {
		at := func(d time.Duration) time.Time { return ago(500*day - time.Duration(i)*8*day - d) }
		v.Rows = append(v.Rows,
			views.EvidenceEntry{At: at(0), Title: "Added to the do-not-call list", Facts: listed.Facts()},
			views.EvidenceEntry{At: at(day), Title: "Removed from the do-not-call list", Facts: []ui.Fact{
				{Name: "Applies to", Text: "Calls"}, {Name: "By", Text: "Paul Adeyemi"},
			}},
			views.EvidenceEntry{At: at(2 * day), Title: "Added to a campaign", Facts: []ui.Fact{
				{Name: "Campaign", Text: "Post-discharge check-in, week 46"}, {Name: "Name", Text: "Margaret Oyelaran"},
				{Name: "Status", Text: "Completed"},
				{Name: "Consent", Text: "written, form 17, 2 Nov 2026, until 2 Nov 2027"},
			}},
			views.EvidenceEntry{At: at(3 * day), Title: "Call", Href: "/calls/1", Facts: []ui.Fact{
				{Name: "From", Text: "+1 312 555 0100"}, {Name: "Name", Text: "Margaret Oyelaran"},
				{Name: "Campaign", Text: "Post-discharge check-in, week 46"}, {Name: "Agent", Text: "Nora"},
				{Name: "Outcome", Text: "Completed, asked not to be called, 1:34 talk time"},
				{Name: "Consent", Text: "written, form 17, 2 Nov 2026, until 2 Nov 2027"},
				{Name: "Calling hours", Text: "Called at 10:32 in America/Chicago, a time zone of the number, within " +
					"08:00–21:00. Rules that applied: Texas, United States and public holidays. " +
					"2 earlier calls in 24 hours."},
				{Name: "Pre-dial check", Text: "Allowed (20 Nov, 10:31, 84 ms)"},
				{Name: "Review", Text: "Reviewed by Ingrid Vasquez, Fri 20 Nov 2026, 16:02:11 CST"},
				{Name: "Tags", Text: "Billing, Complaint"}, {Name: "Review note", Text: "Call back about the bill"},
			}},
			views.EvidenceEntry{At: at(3*day + minute), Title: "Added to the do-not-call list", Facts: heard.Facts()},
			views.EvidenceEntry{
				At: at(4 * day), Title: "WhatsApp message", Href: "/messaging/messages/1", Facts: []ui.Fact{
					{Name: "Template", Text: "heads_up, en_US"},
					{Name: "Status", Text: "Failed, " + strings.Repeat("Donaudampfschifffahrt", 5)},
					{Name: "By", Text: "Ingrid Vasquez"},
				},
			})
	}
	return v
}

// callingRules are a listed, a changed and an unused rule.
var callingRules = []views.CallingRule{
	{
		ID: "us-fl-calls", Place: "Florida", Text: "At most 3 calls to a number in 24 hours",
		Source: "Fla. Stat. § 501.616(6)(b)", URL: "https://example.com/fl", AsOf: "2026-11-23", Verified: true,
		Note: "The law counts calls on the same subject. This server counts all calls of the organization.",
	},
	{
		ID: "fr-hours", Place: "France", Text: "10:00–12:00, Mon, Tue",
		Listed: "10:00–13:00 and 14:00–20:00, Mon–Fri",
		Reason: "our own promise", Source: "Code de la consommation, art. D. 223-9 (décret n° 2022-1313)",
		URL: "https://example.com/fr", AsOf: "2026-11-23", Verified: true,
	},
	{
		ID: "us-tx-hours", Place: "Texas", Text: "09:00–21:00, Mon–Sat; 12:00–21:00, Sun",
		Listed: "09:00–21:00",
		Off:    true, Reason: "existing customers", Source: "Tex. Bus. & Com. Code § 301.051",
		URL: "https://example.com/tx", AsOf: "2026-11-23",
	},
}

var ownRules = []views.OwnRule{
	{ID: "own-de-5b0c77d2", Place: "Germany", Text: "At most 2 calls to a number in 24 hours", Reason: "A promise"},
	{
		ID: "own-ca-on-3f2a9c1e", Place: "Ontario, Canada", Reason: "Our lawyer's advice",
		Text: "09:00–17:00, Mon–Fri, and at most 1 call to a number in 24 hours",
	},
}

const preDialURL = "https://crm.meridian-home-health.example/dialwright/may-we-call?list=national&token=5d0f"
