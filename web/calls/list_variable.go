package calls

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

// speakerOf returns the agent that a form names. It is zero while none is chosen.
func (s *Server) speakerOf(r *http.Request, id string) (project.Agent, error) {
	agentID, ok := check.ParseID(id)
	if !ok {
		return project.Agent{}, nil
	}
	a, err := s.Projects.Agent(r.Context(), frame.SignedIn(r).Organization.ID, agentID)
	if fault.KindOf(err) == fault.NotFound { // the form says that there is no such agent
		return project.Agent{}, nil
	}
	return a, err
}

// wantedBy returns the variables of recipients that an agent says or knows, and that messages have.
func wantedBy(a project.Agent, messages ...string) []string {
	script := a.Followed().Script
	script.InboundGreeting = "" // said to callers
	var wanted []string
	for _, name := range append(script.Variables(), conversation.Script{Greeting: strings.Join(messages, " ")}.
		Variables()...) {
		// The product knows these itself.
		known := conversation.Known{Agent: "-", Organization: "-", PhoneNumber: "-"}.Value(name) != "" ||
			strings.HasPrefix(name, "last_call.") || strings.HasPrefix(name, "answers.")
		if !known && !slices.Contains(wanted, name) {
			wanted = append(wanted, name)
		}
	}
	return wanted
}

// lackingValues says which values recipients of a list lack, and what they hear without them. set are variables that
// the campaign has for everybody.
func (s *Server) lackingValues(
	r *http.Request, list *intake.File, a project.Agent, set json.RawMessage,
) (lacking []views.LackingValue) {
	given := map[string]any{}
	_ = json.Unmarshal(set, &given) // without variables it is empty
	for _, l := range list.Lacking {
		if _, has := given[l.Name]; has || l.Rows == 0 {
			continue
		}
		vars := map[string]any{}
		for name, value := range given {
			vars[name] = value
		}
		for name, value := range l.First {
			vars[name] = value
		}
		known := conversation.Known{
			Agent: a.Name, Organization: frame.SignedIn(r).Organization.Name, Name: l.First["name"],
		}
		v := views.LackingValue{Name: l.Name, Rows: l.Rows, Agent: a.Name}
		v.Says, v.Fallback = a.Followed().Script.Said(l.Name, known.Variables(vars))
		lacking = append(lacking, v)
	}
	return lacking
}

// showColumns shows what each column contains, and for which variables the columns can stand.
func (l *recipientList) showColumns(a project.Agent, wanted []string) {
	l.view.Wanted, l.view.Speaker, l.view.ColumnsOf = wanted, a.Name, a.ID.String()
	l.view.Header = l.read.Header
	l.view.Format = format(l.read)
	for _, c := range l.read.Columns {
		l.view.Columns = append(l.view.Columns, views.ListColumn{
			Header: c.Header, Variable: c.Own, Use: string(c.Choice()), Samples: c.Samples,
		})
	}
}

// testCall leads to a call to the person's own phone with the first row of the list, and back to the form.
func (s *Server) testCall(w http.ResponseWriter, r *http.Request, v views.CampaignForm, list *intake.File) error {
	row := list.Sample[0]
	form := map[string][]string{"name": {row.Name}, "project_id": {v.ProjectID}, "phone_number_id": {v.PhoneNumberID}}
	for i, name := range list.Variables() {
		form[knownPrefix+name] = []string{row.Variables[i]}
	}
	return s.DetourTo(w, r, "/campaigns/new", "/agents/"+v.AgentID+"/call", form)
}
