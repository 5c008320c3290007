package calls

import (
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// poolPrefix marks the pools among the values of "Call from".
const poolPrefix = "pool:"

// choices returns what a form that starts calls offers, and draws its calling hours. projectID and from are what
// was chosen. senders are the WhatsApp numbers that the form can use.
func (s *Server) choices(
	r *http.Request, projectID, from string, h *views.HoursForm, senders []connection.Number,
) (v views.CallChoices, err error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	projects, err := page.Collect(ctx, organization, s.Projects.Projects)
	if err != nil {
		return v, err
	}
	for _, p := range projects {
		v.Projects = append(v.Projects, ui.Option{Value: p.ID.String(), Label: p.Name})
	}
	agents, err := page.Collect(ctx, organization, s.Projects.Agents)
	if err != nil {
		return v, err
	}
	for _, a := range agents {
		v.Agents = append(v.Agents, ui.Option{Value: a.ID.String(), Label: agentLabel(a)})
	}
	drawHours(h, projects, projectID)
	return v, s.fillNumbers(r, &v, from, senders)
}

// fillNumbers offers the phone numbers and the pools, and says what is wrong with them.
func (s *Server) fillNumbers(
	r *http.Request, v *views.CallChoices, chosen string, senders []connection.Number,
) error {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	numbers, err := page.Collect(ctx, organization, s.Projects.VoiceNumbers)
	if err != nil {
		return err
	}
	troubles, err := s.Projects.Troubles(ctx, organization)
	if err != nil {
		return err
	}
	notReady, err := s.Projects.NotReady(ctx, organization)
	if err != nil {
		return err
	}
	through := map[string]uuid.UUID{}     // connections by number and pool
	numbersOf := map[string][]uuid.UUID{} // the same for phone numbers
	v.Troubles = troublesOf(numbers, troubles)
	for _, n := range numbers {
		label := frame.NumberLabel(n)
		if t, ok := troubles[n.ID]; ok && t.Connection != "" {
			label += " · connection fails"
		} else if ok {
			label += " · last call failed"
		}
		for _, sender := range senders {
			if sender.ExternalID == frame.OrNone(n.MessagingExternalID) {
				label += " · WhatsApp, " + ui.Count(sender.Available()) + " available"
			}
		}
		v.PhoneNumbers = append(v.PhoneNumbers, ui.Option{Value: n.ID.String(), Label: label})
		through[n.ID.String()], numbersOf[n.ID.String()] = n.ConnectionID, []uuid.UUID{n.ID}
	}
	pools, err := page.Collect(ctx, organization, s.Projects.NumberPools)
	if err != nil {
		return err
	}
	for _, p := range pools {
		v.PhoneNumbers = append(v.PhoneNumbers, ui.Option{
			Value: poolPrefix + p.ID.String(),
			Label: "Pool: " + p.Name + ", " + ui.Plural(len(p.PhoneNumberIDs), "number"),
		})
		through[poolPrefix+p.ID.String()], numbersOf[poolPrefix+p.ID.String()] = p.ConnectionID, p.PhoneNumberIDs
	}
	if chosen == "" && len(v.PhoneNumbers) == 1 {
		chosen = v.PhoneNumbers[0].Value
	}
	for i, o := range v.PhoneNumbers {
		if len(notReady[through[o.Value]].From(numbersOf[o.Value]...)) > 0 {
			v.PhoneNumbers[i].Label += " · not ready"
		}
	}
	if id := through[chosen]; id != uuid.Nil {
		v.ConnectionID = id.String()
	}
	c := notReady[through[chosen]]
	if checks := c.From(numbersOf[chosen]...); len(checks) > 0 {
		v.NotReady = &views.NotReady{Name: c.Name, ID: through[chosen].String(), Checks: frame.Checks(checks)}
	}
	return nil
}

// callsFromOf returns the phone number or the pool that a value of "Call from" stands for.
func callsFromOf(value string) (number, pool string) {
	if pool, is := strings.CutPrefix(value, poolPrefix); is {
		return "", pool
	}
	return value, ""
}

// chosenHours returns the calling hours of a form, or nil for those of the project.
func chosenHours(v views.HoursForm) *hours.Hours {
	switch v.Mode {
	case "always":
		h := hours.Always()
		return &h
	case "custom":
		h := frame.CustomHours(v)
		return &h
	}
	return nil
}

// drawHours draws the calling hours that a form has, or those of the chosen project.
func drawHours(v *views.HoursForm, projects []project.Project, chosen string) {
	switch v.Mode {
	case "custom":
		if h := frame.CustomHours(*v); len(h.Windows) > 0 && validHours(h) {
			v.Drawn, v.Words = frame.DrawnWeek(h), hours.Describe(h)
		}
	case "project":
		if chosen == "" && len(projects) == 1 {
			chosen = projects[0].ID.String()
		}
		for _, p := range projects {
			if p.ID.String() == chosen {
				v.Drawn = frame.DrawnWeek(p.CallingHours)
				v.Words = p.Name + ": " + hours.Describe(p.CallingHours)
			}
		}
	}
}

// troublesOf says why calls from numbers may fail, with one line for all numbers of a connection that fails.
func troublesOf(numbers []project.PhoneNumber, troubles map[uuid.UUID]project.Trouble) (lines []string) {
	seen := map[uuid.UUID]bool{} // connections
	for _, n := range numbers {
		t, ok := troubles[n.ID]
		switch {
		case !ok:
		case t.Connection == "":
			lines = append(lines, ui.Phone(n.PhoneNumber.String())+": "+t.Text())
		case !seen[n.ConnectionID]:
			seen[n.ConnectionID] = true
			var of []string
			for _, other := range numbers {
				if other.ConnectionID == n.ConnectionID {
					of = append(of, ui.Phone(other.PhoneNumber.String()))
				}
			}
			lines = append(lines, "The connection of "+english.List(of)+": "+t.Connection)
		}
	}
	return lines
}

func validHours(h hours.Hours) bool {
	var p fault.Problems
	h.Validate("calling_hours", &p)
	return p.Err() == nil
}

// agentLabel names an agent in a list of choices, and says why the agent can't call.
func agentLabel(a project.Agent) string {
	label := a.Name + ", " + ui.LanguageName(a.Language)
	if a.Unheard() != "" {
		label += " (can't place calls)"
	}
	return label
}
