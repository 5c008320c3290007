package calls

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// duplicateForm returns the form of a new campaign with the settings of an existing
// campaign, except its times. Its list is copied when the form is sent, unless the person chooses otherwise. Errors:
// NotFound for an unknown campaign.
func (s *Server) duplicateForm(r *http.Request, from string) (views.CampaignForm, error) {
	id, err := frame.ParseID(from, "Campaign")
	if err != nil {
		return views.CampaignForm{}, err
	}
	c, err := s.Campaigns.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
	if err != nil {
		return views.CampaignForm{}, err
	}
	v := views.CampaignForm{
		ID: frame.NewFormID(), From: c.ID.String(), Name: copyName(c.Name), OriginalList: true,
		MaxConcurrency: strconv.Itoa(c.MaxConcurrency),
		CallsPerSecond: strconv.FormatFloat(c.CallsPerSecond, 'f', -1, 64),
		Budget:         frame.BudgetForm(c.Budget), CallSettings: settingsForm(c),
	}
	v.Messaging = messagingForm(c)
	return v, nil
}

// mostEarlier bounds the campaigns whose settings a new one can begin with.
const mostEarlier = 30

// earlierCampaigns are the latest drafts, which serve as saved settings, and the latest other campaigns.
func (s *Server) earlierCampaigns(r *http.Request) ([]ui.Option, error) {
	clock := s.Clock(r)
	var all []ui.Option
	for _, group := range []struct {
		label string
		of    []campaign.Status
	}{
		{"Drafts", page.Only(campaign.Drafted)},
		{"Campaigns", slices.DeleteFunc(slices.Clone(campaign.Statuses), func(status campaign.Status) bool {
			return status == campaign.Drafted
		})},
	} {
		list, err := s.Campaigns.List(r.Context(), frame.SignedIn(r).Organization.ID, campaign.ListOptions{
			Page: page.Request{Limit: mostEarlier}, Statuses: group.of,
		})
		if err != nil {
			return nil, err
		}
		for _, c := range list.Data {
			all = append(all, ui.Option{
				Value: c.ID.String(), Label: c.Name + ", " + clock.Short(c.CreatedAt), Group: group.label,
			})
		}
	}
	return all, nil
}

// callsFrom returns what a campaign calls from as a value of the form.
func callsFrom(c campaign.Campaign) string {
	if c.NumberPoolID != nil {
		return poolPrefix + c.NumberPoolID.String()
	}
	return c.PhoneNumberID.String()
}

// detectionForm returns the detection of a campaign as the form takes it. The default mode is
// automatic, so it follows another voicemail action.
func detectionForm(c campaign.Campaign) views.DetectionForm {
	typed := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	mode := string(c.Detection.Mode)
	if c.Detection.Mode == call.DefaultDetection(call.VoicemailAction(c.VoicemailAction)) {
		mode = ""
	}
	return views.DetectionForm{
		Mode: mode, TimeoutSeconds: typed(c.Detection.TimeoutSeconds),
		SpeechThresholdMS:    typed(c.Detection.SpeechThresholdMS),
		SpeechEndThresholdMS: typed(c.Detection.SpeechEndThresholdMS),
		SilenceTimeoutMS:     typed(c.Detection.SilenceTimeoutMS),
	}
}

// typedMinutes formats delays as the form takes them: "30, 240".
func typedMinutes(delays []int) string {
	typed := make([]string, len(delays))
	for i, minutes := range delays {
		typed[i] = strconv.Itoa(minutes)
	}
	return strings.Join(typed, ", ")
}

// carryOver copies the agent's variables from the original campaign to the draft, because
// the form has no field for them. Metadata is another system's mark on the original
// campaign and is not copied. An original that was deleted has nothing to copy.
func (s *Server) carryOver(r *http.Request, from string, d *campaign.Draft) error {
	id, ok := check.ParseID(from)
	if !ok {
		return nil
	}
	c, err := s.Campaigns.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	d.Variables = c.Variables
	return nil
}

// originalTotal returns how many recipients the original of a copy has. An original that was deleted has none.
func (s *Server) originalTotal(r *http.Request, from string) (int, error) {
	id, ok := check.ParseID(from)
	if !ok {
		return 0, nil
	}
	c, err := s.Campaigns.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
	if fault.KindOf(err) == fault.NotFound {
		return 0, nil
	}
	return c.Total, err
}

// copied reads the field that names the original campaign.
func copied(value string) string {
	if _, ok := check.ParseID(value); !ok {
		return ""
	}
	return value
}

const copySuffix = " (copy)"

// copyName returns the name of a copy, within the length limit of a name.
func copyName(name string) string {
	runes := []rune(strings.TrimSuffix(name, copySuffix))
	if most := check.MaxName - len(copySuffix); len(runes) > most {
		runes = runes[:most]
	}
	return strings.TrimSpace(string(runes)) + copySuffix
}
