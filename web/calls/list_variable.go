package calls

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// followedAgent is an agent with what the calls of a campaign follow of it. It is zero while no agent is chosen.
type followedAgent struct {
	project.Agent
	key      string // names the agent and the chosen versions
	followed []project.AgentContent
}

// followedKey names an agent and its chosen versions, as the form of a list keeps it.
func followedKey(agentID string, v views.VersionForm) string {
	if v.Of != "" && v.Of != agentID { // the versions are of the agent that was chosen before
		v = views.VersionForm{}
	}
	return strings.TrimRight(agentID+"/"+v.Version+"/"+v.Other, "/")
}

// speakerOf returns the agent that a form names, with the versions that the form chooses.
func (s *Server) speakerOf(r *http.Request, id string, v views.VersionForm) (followedAgent, error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	agentID, ok := check.ParseID(id)
	if !ok {
		return followedAgent{}, nil
	}
	a, err := s.Projects.Agent(ctx, organization, agentID)
	if fault.KindOf(err) == fault.NotFound { // the form says that there is no such agent
		return followedAgent{}, nil
	}
	if err != nil {
		return followedAgent{}, err
	}
	sp := followedAgent{Agent: a, key: followedKey(id, v)}
	for _, chosen := range []string{v.Version, v.Other} {
		number, err := strconv.Atoi(chosen)
		if err != nil || v.Of != "" && v.Of != id { // none is chosen, or it is of another agent
			continue
		}
		version, _, err := s.Projects.AgentVersion(ctx, organization, agentID, number)
		if fault.KindOf(err) == fault.NotFound { // the form says that there is no such version
			continue
		}
		if err != nil {
			return followedAgent{}, err
		}
		sp.followed = append(sp.followed, version.AgentContent)
	}
	if len(sp.followed) == 0 {
		sp.followed = append(sp.followed, a.Followed())
	}
	return sp, nil
}

// said is conversation.Script.Said of the first version that says the variable.
func (sp followedAgent) said(name string, vars map[string]any) (text string, fallback bool) {
	for _, content := range sp.followed {
		if text, fallback = content.Script.Said(name, vars); text != "" {
			break
		}
	}
	return text, fallback
}

// wantedBy returns the variables of recipients that an agent says or knows, and that messages have.
func wantedBy(sp followedAgent, messages ...string) []string {
	names := conversation.Script{Greeting: strings.Join(messages, " ")}.Variables()
	for _, content := range slices.Backward(sp.followed) {
		script := content.Script
		script.InboundGreeting = "" // said to callers
		names = append(script.Variables(), names...)
	}
	var wanted []string
	for _, name := range names {
		// The product knows these itself.
		known := conversation.Known{Agent: "-", Organization: "-", PhoneNumber: "-"}.Value(name) != "" ||
			strings.HasPrefix(name, "last_call.") || strings.HasPrefix(name, "answers.")
		if !known && !slices.Contains(wanted, name) {
			wanted = append(wanted, name)
		}
	}
	return wanted
}

// missed are those of the values that recipients lack which they will miss. set are variables that the campaign has for
// everybody.
func missed(of []intake.Lacking, set json.RawMessage) (all []intake.Lacking) {
	given := map[string]any{}
	_ = json.Unmarshal(set, &given) // without variables it is empty
	for _, l := range of {
		if _, has := given[l.Name]; !has && l.Rows > 0 {
			all = append(all, l)
		}
	}
	return all
}

// lackingValues says which values the recipients that will be called miss, and what they hear without them. set are
// variables that the campaign has for everybody.
func (s *Server) lackingValues(
	r *http.Request, of []intake.Lacking, sp followedAgent, set json.RawMessage,
) (lacking []views.LackingValue) {
	given := map[string]any{}
	_ = json.Unmarshal(set, &given) // without variables it is empty
	for _, l := range missed(of, set) {
		vars := map[string]any{}
		for name, value := range given {
			vars[name] = value
		}
		for name, value := range l.First {
			vars[name] = value
		}
		known := conversation.Known{
			Agent: sp.Name, Organization: frame.SignedIn(r).Organization.Name, Name: l.First["name"],
		}
		v := views.LackingValue{Name: l.Name, Rows: l.Rows, Agent: sp.Name}
		v.Says, v.Fallback = sp.said(l.Name, known.Variables(vars))
		lacking = append(lacking, v)
	}
	return lacking
}

// showColumns shows what each column contains, and for which variables the columns can stand.
func (l *recipientList) showColumns(sp followedAgent, wanted []string) {
	l.view.Wanted, l.view.Speaker, l.view.ColumnsOf = wanted, sp.Name, sp.key
	l.view.Header = l.read.Header
	l.view.Format = format(l.read)
	for _, c := range l.read.Columns {
		l.view.Columns = append(l.view.Columns, views.ListColumn{
			Header: c.Header, Variable: c.Own, Use: string(c.Choice()), Samples: c.Samples,
		})
	}
	for _, c := range l.read.NameColumns() {
		if c.Use != intake.UseName {
			l.view.NameParts = append(l.view.NameParts, cmp.Or(c.Header,
				ui.Capital(strings.ReplaceAll(c.Own, "_", " ")))) // "Column 1"
		}
	}
}

// lackingPrefix begins the value of a choice of a row: the first that lacks the value of the variable after it.
const lackingPrefix = "lacking-"

// testRows are the rows of a list for a test call: the first ones, and those for whom a value is missing.
func testRows(list *intake.File, lacking []intake.Lacking) []ui.Option {
	var rows []ui.Option
	offered := map[int]bool{}
	label := func(line int, name string, number phone.Number) string {
		offered[line] = true
		return "Row " + strconv.Itoa(line) + ": " + cmp.Or(name, ui.Phone(number.String()))
	}
	for i, row := range list.Sample {
		rows = append(rows, ui.Option{Value: strconv.Itoa(i), Label: label(row.Line, row.Name, row.Read)})
	}
	for _, l := range lacking {
		if line := int(l.Line); !offered[line] {
			rows = append(rows, ui.Option{
				Value: lackingPrefix + l.Name, Label: lackingLabel(label(line, l.First["name"], l.Number), l),
			})
		}
	}
	return rows
}

// testCall leads to a call to the person's own phone with the chosen row of the list, and back to the form.
func (s *Server) testCall(
	w http.ResponseWriter, r *http.Request, v views.CampaignForm, list *intake.File, draft *campaign.Draft,
) error {
	name, variables, err := s.testValues(r, v.TestRow, list, draft)
	if err != nil {
		return err
	}
	return s.DetourTo(w, r, "/campaigns/new", "/agents/"+v.AgentID+"/call", testCallForm(v, name, variables))
}

// testValues are the name and the variables of the chosen row, or of the first one.
func (s *Server) testValues(
	r *http.Request, chosen string, list *intake.File, draft *campaign.Draft,
) (string, map[string]string, error) {
	if variable, lacks := strings.CutPrefix(chosen, lackingPrefix); lacks {
		f, err := s.Campaigns.Forecast(r.Context(), frame.SignedIn(r).Organization.ID, draft)
		if err != nil {
			return "", nil, err
		}
		for _, l := range missed(f.Lacking, draft.Variables) {
			if l.Name == variable {
				variables := maps.Clone(l.First)
				delete(variables, "name")
				return l.First["name"], variables, nil
			}
		}
	}
	row := list.Sample[0]
	if i, err := strconv.Atoi(chosen); err == nil && i > 0 && i < len(list.Sample) {
		row = list.Sample[i]
	}
	variables := map[string]string{}
	for i, name := range list.Variables() {
		variables[name] = row.Variables[i]
	}
	return row.Name, variables, nil
}

// testCallForm fills in the form of a test call with the settings of a campaign and the values of a recipient.
func testCallForm(v views.CampaignForm, name string, variables map[string]string) url.Values {
	form := url.Values{"name": {name}, "project_id": {v.ProjectID}, "phone_number_id": {v.PhoneNumberID}}
	for variable, value := range variables {
		form.Set(knownPrefix+variable, value)
	}
	return form
}
