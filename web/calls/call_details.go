package calls

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/regulation"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// attestationWords describe the levels of STIR/SHAKEN.
var attestationWords = map[carrier.Attestation]string{
	carrier.FullAttestation:    "A, full",
	carrier.PartialAttestation: "B, partial",
	carrier.GatewayAttestation: "C, gateway",
}

// modelLines say what a call used of a language model.
func modelLines(m conversation.ModelUse) []string {
	about := ""
	if m.Estimated {
		about = "about "
	}
	lines := []string{
		cmp.Or(m.Name, "Unnamed model") + ", " + ui.Plural(m.Turns, "answer"),
		about + ui.Count(m.InputTokens) + " tokens in, " + about + ui.Count(m.OutputTokens) + " out",
	}
	for _, u := range m.Connections {
		if u.Cost == nil {
			continue
		}
		about := ""
		if u.Estimated {
			about = "about "
		}
		lines = append(lines, "Tokens cost "+about+
			money.Format(u.Cost.Amount, u.Cost.Currency, money.Decimals(u.Cost.Amount)))
	}
	if m.FellBack {
		lines = append(lines, "No model answered in time. The agent asked the open questions")
	}
	return lines
}

func callDetails(clock ui.Clock, c call.Call, agent string) []ui.Fact {
	from, to := ui.Phone(c.OwnNumber), ui.PersonNumber(c.PersonNumber, c.NumberWithheld)
	if c.Direction == call.Inbound {
		from, to = to, from
	}
	facts := []ui.Fact{
		{Name: "Agent", Value: views.AgentOfCall(export.Optional(c.AgentID), agent, c.AgentVersion)},
		{Name: "Direction", Text: ui.Capital(string(c.Direction))},
		{Name: "From", Text: from},
		{Name: "To", Text: to},
		{Name: "Carrier", Text: ui.Capital(c.Carrier)},
	}
	if c.ForwardedTo != nil {
		facts = append(facts, ui.Fact{Name: "Forwarded to", Text: ui.Phone(*c.ForwardedTo)})
	}
	if c.CarrierCallID != nil {
		facts = append(facts, ui.Fact{
			Name: "Carrier ID", Value: ui.Copyable("carrier-id", "carrier's ID of the call", *c.CarrierCallID),
		})
	}
	if c.CarrierCode != nil {
		facts = append(facts, ui.Fact{Name: "Carrier code", Text: *c.CarrierCode})
	}
	if c.ExternalID != nil {
		facts = append(facts, ui.Fact{Name: "External ID", Text: *c.ExternalID})
	}
	if c.CallReason != nil {
		facts = append(facts, ui.Fact{Name: "Call reason", Text: *c.CallReason})
	}
	if c.StirAttestation != nil {
		facts = append(facts, ui.Fact{Name: "Attestation", Text: attestationWords[*c.StirAttestation]})
	}
	if c.HoursDecision != nil {
		facts = append(facts, ui.Fact{Name: "Calling hours", Text: HoursText(c)})
	}
	if c.PreDialCheck != nil {
		facts = append(facts, ui.Fact{Name: "Pre-dial check", Text: CheckText(clock, c.PreDialCheck)})
	}
	if a := c.Analysis; a != nil && a.Language != "" {
		facts = append(facts, ui.Fact{Name: "Language", Text: ui.LanguageName(a.Language)})
	}
	if a := c.Analysis; a != nil && a.Model != nil {
		facts = append(facts, ui.Fact{Name: "Language model", Value: ui.Lines(modelLines(*a.Model))})
	}
	if a := c.Analysis; a != nil && a.Intent != nil {
		facts = append(facts, ui.Fact{Name: "Intent", Text: ui.Intent(string(*a.Intent))})
		if a.CallBackAt != nil {
			facts = append(facts, askedAt(clock, time.Time(*a.CallBackAt), a.Leeway))
		}
	}
	if c.CostAmount != nil && c.CostCurrency != nil {
		facts = append(facts, ui.Fact{Name: "Cost", Value: ui.Lines(costLines(c))})
	}
	if c.ConsentBasis != nil {
		facts = append(facts, ui.Fact{
			Name: "Consent", Text: Consent(clock, *c.ConsentBasis, c.ConsentSource, c.ConsentAt, c.ConsentExpiresAt),
		})
	}
	return append(facts, ui.Fact{Name: "Call ID", Value: ui.Copyable("call-id", "call ID", c.ID.String())})
}

// CheckText describes the answer of the pre-dial check.
func CheckText(clock ui.Clock, check *predial.Answer) string {
	text := map[predial.Result]string{
		predial.Allowed: "Allowed", predial.Refused: "Refused", predial.Failed: "Failed",
		predial.FailedOpen: "Failed, called anyway",
	}[check.Result]
	if check.Reason != nil {
		text += ": " + *check.Reason
	}
	return text + fmt.Sprintf(" (%s, %d ms)", clock.When(time.Time(check.AskedAt)), check.TookMS)
}

// zoneSources say where a time zone comes from.
var zoneSources = map[string]string{
	campaign.ZoneOfRecipient: "the recipient's time zone", campaign.ZoneOfNumber: "a time zone of the number",
	campaign.ZoneOfProject: "the project's time zone", campaign.ZoneOfCampaign: "the time zone of the calling hours",
}

// HoursText describes why the calling hours allowed a call. It is empty for a call without a decision.
func HoursText(c call.Call) string {
	d := c.HoursDecision
	if d == nil {
		return ""
	}
	var clocks, rules []string
	for _, clock := range d.Clocks {
		at := clock.LocalTime
		if local, err := time.Parse(call.HoursTime, at); err == nil {
			at = local.Format("15:04")
		}
		clocks = append(clocks, fmt.Sprintf("at %s in %s, %s, within %s–%s", at, clock.Timezone,
			zoneSources[clock.Source], clock.Start, clock.End))
	}
	for _, id := range d.Rules {
		name := id
		if rule, known := regulation.RuleByID(id); known {
			name = rule.Place.Name()
		} else if place, own := regulation.PlaceOfOwn(id); own {
			name = "your own rule for " + place.Name()
		} else if words := map[string]string{
			regulation.PublicHolidays: "public holidays", regulation.ClosedDays: "days without calls",
		}[id]; words != "" {
			name = words
		}
		if !slices.Contains(rules, name) {
			rules = append(rules, name)
		}
	}
	did := "Allowed "
	if c.StartedAt != nil {
		did = "Called "
	}
	text := did + strings.Join(clocks, ", and ") + "."
	if len(rules) > 0 {
		text += " Rules that applied: " + english.List(rules) + "."
	}
	if n := d.CallsIn24Hours; n > 0 {
		text += " " + ui.Plural(n, "earlier call") + " in 24 hours."
	} else {
		text += " No earlier call in 24 hours."
	}
	return text
}

// askedAt is when the person asked to be called. An hour that the person did not name is not shown: the due time of the
// next call or of the follow-up has it.
func askedAt(clock ui.Clock, at time.Time, leeway conversation.Leeway) ui.Fact {
	const label = "Asked to be called"
	switch leeway {
	case conversation.NoLeeway:
		return ui.Fact{Name: label + " at", Text: clock.When(at)}
	case conversation.WholeWeek, conversation.About:
		return ui.Fact{Name: label, Text: "Around " + clock.Date(at)}
	case conversation.PartOfDay, conversation.WholeDay:
	}
	return ui.Fact{Name: label + " on", Text: clock.Date(at)}
}
