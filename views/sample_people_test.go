package views_test

import (
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func peopleSamples() []sample {
	members := []views.Member{
		{
			ID: "1", Name: "Ingrid Vasquez", Email: "ingrid@meridian.example", Role: "admin", Joined: ago(400 * day),
			Seen: ago(minute), SecondFactor: true, You: true,
		},
		{
			ID: "2", Name: "Paul Adeyemi", Email: "paul.adeyemi@meridian.example", Role: "staff",
			Joined: ago(86 * day), Seen: ago(26 * hour),
		},
		{
			ID: "3", Name: "Wolfgang Amadeus Theophilus von und zu Hohenstein-Rothenburg",
			Email: "wolfgang.amadeus.theophilus.von.und.zu.hohenstein@a-rather-long-company-name.example",
			Role:  "manager", Joined: ago(2 * day),
		},
	}
	invitations := []views.Invitation{
		{
			ID: "8", Email: "ben@meridian.example", Role: "staff", InvitedBy: "Ingrid Vasquez", Created: ago(minute),
			Expires: now.Add(7 * day), New: true,
		},
		{
			ID: "9", Email: "cleo@meridian.example", Role: "admin", InvitedBy: "Ingrid Vasquez",
			Created: ago(9 * day), Expires: ago(2 * day),
		},
	}
	link := &views.ShownLink{
		Title: "Send this link to ben@meridian.example",
		Text: "Copy the link now and send it yourself. It is shown only once and works once, within 7 " +
			"days. Anyone who opens it can join as ben@meridian.example.",
		Label: "Invitation link", URL: "https://calls.meridian.example/" +
			"invitation?token=Jm4v8Qe0mZrXw1n3yT6kUo2pLs9dFgHjKlZxCvBnM1Q",
	}
	sessions := []views.Session{
		{
			ID: "1", Browser: "Firefox on Linux", Address: "203.0.113.24", SignedIn: ago(9 * day),
			LastSeen: ago(minute), Current: true,
		},
		{
			ID: "2", Browser: "Safari on iPhone", Address: "2001:db8:85a3::8a2e:370:7334", SignedIn: ago(30 * hour),
			LastSeen: ago(3 * hour),
		},
	}
	entries := []views.AuditRow{
		{
			ID: "1", At: ago(minute), Actor: "Ingrid Vasquez", Phrase: views.AuditPhrase("organization.updated", ""),
			Address: "203.0.113.24",
		},
		{
			ID: "2", At: ago(20 * minute), Actor: "EHR bridge", Key: true,
			Phrase: views.AuditPhrase("campaign.created", "Visits in May"), Address: "198.51.100.7",
		},
		{ID: "3", At: ago(2 * hour), Actor: "Dialwright", Phrase: views.AuditPhrase("webhook.disabled", "Bridge")},
		{
			ID: "4", At: ago(5 * hour), Actor: "Paul Adeyemi", Phrase: views.AuditPhrase("session.created", ""),
			Address: "2001:db8:85a3::8a2e:370:7334",
		},
		{
			ID: "5", At: ago(30 * hour), Actor: "Ingrid Vasquez",
			Phrase: views.AuditPhrase("campaign.canceled",
				"A campaign with a name as long as names may be, because somebody wrote down what it is for"),
			Address: "203.0.113.24",
		},
		{
			ID: "6", At: ago(300 * day), Actor: "Ingrid Vasquez",
			Phrase: views.AuditPhrase("member.role_changed", "Paul Adeyemi"), Address: "203.0.113.24",
		},
	}
	audit := views.AuditLog{
		Rows:    entries,
		Actors:  []ui.Option{{Value: "1", Label: "Ingrid Vasquez"}, {Value: "system", Label: "Dialwright itself"}},
		Actions: views.AuditActions(), ExportHref: "/settings/audit-log/export",
		Pager: ui.Pager{Line: "Newest first", OlderHref: "?cursor=x"},
	}
	codes := []string{
		"k7qf-2mxd-4hwt-v3ba", "a2c4-e6g3-i5k7-m2o4", "q3s5-u7w2-y4zb-d6f2", "h4j6-l2n3-p5r7-t2v4",
		"x3z5-b7d2-f4h6-j3l5", "n7p2-r4t6-v3x5-z7b2", "d4f6-h3j5-l7n2-p4r6", "t3v5-x7z2-b4d6-f3h5",
		"j7l2-n4p6-r3t5-v7x2", "z4b6-d3f5-h7j2-l4n6",
	}
	two := admin("/organizations")
	two.Others = true
	confined := admin("/profile/second-factor/new")
	confined.Confined, confined.Others = true, true
	return []sample{
		{
			"members",
			views.MembersPage(admin("/settings/members"), views.Members{
				Rows: members, Order: order("name", false, "role", "factor", "seen"), Invitations: invitations,
			}),
		},
		{
			"members-link",
			views.MembersPage(admin("/settings/members"), views.Members{
				Rows: members[:1], Invitations: invitations[:1], Link: link,
			}),
		},
		{"members-staff", views.MembersPage(staff("/settings/members"), views.Members{Rows: members})},
		{
			"member-invite-wrong",
			views.InvitePage(admin("/settings/members/invite"), views.Invite{
				Email: "ben", Role: "staff", Errors: ui.Errors{"email": "not an email address"},
			}),
		},
		{
			"member",
			views.MemberPage(admin("/settings/members/2"), views.MemberPageView{
				Member: views.Member{
					ID: "2", Name: "Paul Adeyemi", Email: "paul.adeyemi@meridian.example", Role: "staff",
					Joined: ago(86 * day), Seen: ago(26 * hour), SecondFactor: true,
				},
			}),
		},
		{
			"invitation",
			views.InvitationPage(bare("/invitation", "Invitation"), views.Offer{
				Token: "x", Organization: "Meridian Home Health", Email: "ben@meridian.example", Role: "staff",
				InvitedBy: "Ingrid Vasquez",
			}),
		},
		{
			"invitation-sso",
			views.InvitationPage(bare("/invitation", "Invitation"), views.Offer{
				Token: "x", Organization: "Meridian Home Health", Email: "ben@meridian.example", Role: "staff",
				InvitedBy: "Ingrid Vasquez", SignOnLabel: "Okta", SignOnPath: "/sign-in/sso/meridian",
			}),
		},
		{
			"invitation-sso-only",
			views.InvitationPage(bare("/invitation", "Invitation"), views.Offer{
				Token: "x", Organization: "Meridian Home Health", Email: "ben@meridian.example", Role: "staff",
				InvitedBy: "Ingrid Vasquez", SignOnLabel: "Okta", SignOnPath: "/sign-in/sso/meridian", NoPassword: true,
			}),
		},
		{
			"sign-in-find",
			views.FindSignOnPage(bare("/sign-in/sso", "Sign in"), views.FindSignOn{
				Find:  "ben@meridan.example",
				Error: "no organization with single sign-on is known by this. Check the spelling",
			}),
		},
		{
			"sign-in-choose",
			views.FindSignOnPage(bare("/sign-in/sso", "Sign in"), views.FindSignOn{Found: []views.SignOnLink{
				{
					Organization: "Meridian Home Health", Label: "Okta", Host: "meridian.okta.example",
					Href: "/sign-in/sso/meridian",
				},
				{
					Organization: "Meridian Labs", Label: "Google", Host: "accounts.google.com",
					Href: "/sign-in/sso/labs",
				},
			}}),
		},
		{
			"sign-in-sso",
			views.SignOnPage(bare("/sign-in/sso/meridian", "Sign in"), views.SignOn{
				Organization: "Meridian Home Health", Label: "Okta", Host: "meridian.okta.example",
				Start: "/sign-in/sso/meridian/start", PasswordsOff: true,
				Error: "You are not a member yet. Ask an admin to invite ben@meridian.example",
			}),
		},
		{
			"profile-sso",
			views.ProfilePage(admin("/profile"), views.Profile{
				Name: "Ingrid Vasquez", Email: "ingrid@meridian.example", Sessions: sessions, SingleSignOn: true,
			}),
		},
		{
			"invitation-other",
			views.InvitationPage(bare("/invitation", "Invitation"), views.Offer{
				Token: "x", Organization: "Meridian Home Health", Email: "ben@meridian.example", Role: "admin",
				InvitedBy: "Ingrid Vasquez", HasAccount: true, SignedIn: "cleo@elsewhere.example",
			}),
		},
		{
			"new-password",
			views.NewPasswordPage(bare("/reset-password", "New password"), views.NewPassword{
				Token: "x", Email: "ben@meridian.example",
				Errors: ui.Errors{"password": "must have at least 12 characters"},
			}),
		},
		{
			"sign-in-code",
			views.SignInCodePage(bare("/sign-in/code", "Sign in"), views.SignInCode{
				Next: "/", Error: "This code is wrong or was already used. Wait for the next one",
			}),
		},
		{
			"organizations",
			views.OrganizationsPage(two, views.Organizations{
				Rows: []views.OrganizationRow{
					{ID: "1", Name: "Meridian Home Health", Role: "admin", Current: true},
					{ID: "2", Name: "Elsewhere", Role: "staff"},
				},
			}),
		},
		{
			"profile-factor",
			views.ProfilePage(admin("/profile"), views.Profile{
				Name: "Ingrid Vasquez", Email: "ingrid@meridian.example",
				Factor: views.Factor{On: true, Since: ago(40 * day), Remaining: 2}, Sessions: sessions,
			}),
		},
		{
			"factor-set-up",
			views.SetUpFactorPage(confined, views.SetUpFactor{
				URI: "otpauth://totp/Dialwright%20calls.meridian.example:ingrid@meridian.example?" +
					"issuer=Dialwright%20calls.meridian.example&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
				Secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", Ticket: "x", RequiredBy: "Meridian Home Health",
				Errors: ui.Errors{"code": "wrong code. Check the clock on your phone"},
			}),
		},
		{"factor-codes", views.RecoveryCodesPage(admin("/profile"), views.RecoveryCodes{
			Codes: codes, Next: "/profile",
		})},
		{
			"factor-off",
			views.AskPasswordPage(admin("/profile/second-factor/off"), views.TurnOffFactor(ui.Errors{
				"password": "wrong password",
			})),
		},
		{"late-form", views.LateFormPage(admin("/settings/integrations/new"), views.LateForm{
			Action: "/settings/integrations", BackHref: "/settings/integrations/new", Lost: []string{"token", "file"},
			Fields: []views.LateField{
				{Name: "id", Value: "1"},
				{Name: "name", Value: "Twilio, main account", Typed: true},
				{Name: "calls_per_second", Value: "5", Typed: true},
				{Name: "calling_hours.windows[0].days", Value: "mon", Typed: true},
				{Name: "calling_hours.windows[0].days", Value: "tue", Typed: true},
				{Name: "questions[0].ask", Value: "Will you come on Tuesday?\nOr on Wednesday?", Typed: true},
			},
		})},
		{"audit-log", views.AuditLogPage(admin("/settings/audit-log"), audit)},
		{"audit-entry", views.AuditEntryPage(admin("/settings/audit-log/1"), views.AuditEntry{AuditRow: entries[0],
			Action: "organization.updated", Kind: "organization", Object: "0192f3c1-7be4-7a90-8c11-2f6f0f7f1a01",
			ActorID: "1", Changes: views.AuditChanges(
				map[string]any{
					"name": "Meridian Home Health", "time_zone": "America/Chicago", "region": "US",
					"limits": []any{"a", 2.0},
				},
				map[string]any{"name": "Meridian Home Health", "time_zone": "UTC", "region": "US"})})},
	}
}
