package search

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/search"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const (
	maxText = 200 // characters of a search
	// What a group shows, in the palette and on the page.
	fewResults  = 5
	manyResults = 25
)

// Search answers the page of the search and, with part=palette, the results in the command palette.
func (s *Server) Search(w http.ResponseWriter, r *http.Request) error {
	palette := r.URL.Query().Get("part") == "palette"
	most := manyResults
	if palette {
		most = fewResults
	}
	v := views.Search{Query: clean(r.URL.Query().Get("q"))}
	if len([]rune(v.Query)) > 1 {
		var err error
		if v.Groups, err = s.find(r, v.Query, most); err != nil {
			return err
		}
	}
	if palette {
		return frame.Render(w, r, http.StatusOK, views.PaletteResults(v))
	}
	return frame.Render(w, r, http.StatusOK, views.SearchPage(s.Chrome(r), v))
}

func clean(text string) string {
	text = strings.Join(strings.Fields(check.Searchable(text)), " ")
	if runes := []rune(text); len(runes) > maxText {
		return string(runes[:maxText])
	}
	return text
}

// find returns what a text finds, by kind. Each kind is one statement, or a few, with a bound.
func (s *Server) find(r *http.Request, text string, most int) (groups []views.SearchGroup, err error) {
	ctx, session := r.Context(), frame.SignedIn(r)
	organization := session.Organization
	add := func(g views.SearchGroup) {
		if len(g.Hits) > most {
			g.Hits, g.More = g.Hits[:most], true
		}
		if len(g.Hits) > 0 {
			groups = append(groups, g)
		}
	}
	if id, ok := check.ParseID(text); ok {
		hits, err := s.byID(r, id)
		if err != nil {
			return nil, err
		}
		add(views.SearchGroup{Title: "By ID", Hits: hits})
		return groups, nil
	}
	people, more, err := s.People.Find(ctx, organization.ID, text, organization.Region, most)
	if err != nil {
		return nil, err
	}
	group := views.SearchGroup{Title: "People", More: more}
	for _, p := range people {
		number := ui.Phone(p.Number.String())
		hit := views.SearchHit{Icon: ui.IconPerson, Label: number, Href: s.PersonPath(r, p.Number.String())}
		if p.Name != "" {
			hit.Label, hit.More = p.Name, number
		}
		group.Hits = append(group.Hits, hit)
	}
	add(group)
	digits, ok := person.Digits(text)
	if !ok {
		digits = ""
	}
	found, err := s.Searches.ByName(ctx, organization.ID, text, digits, most+1)
	if err != nil {
		return nil, err
	}
	byKind := map[search.Kind][]views.SearchHit{}
	for _, f := range found {
		byKind[f.Kind] = append(byKind[f.Kind], hitOf(session.Role, f))
	}
	for _, kind := range search.Named {
		g := views.SearchGroup{Title: titles[kind], Hits: byKind[kind]}
		if kind == search.Campaign {
			g.AllHref = "/campaigns?" + url.Values{"q": {text}}.Encode()
		}
		add(g)
	}
	external, err := s.Calls.List(ctx, organization.ID, call.Filter{
		ExternalID: text, Request: page.Request{Limit: most},
	})
	if err != nil && fault.KindOf(err) != fault.Invalid {
		return nil, err
	}
	calls := views.SearchGroup{
		Title: "Calls by external ID", More: external.HasMore,
		AllHref: "/calls?" + url.Values{"external_id": {text}}.Encode(),
	}
	for _, c := range external.Data {
		calls.Hits = append(calls.Hits, views.SearchHit{
			Icon: ui.IconCall, Label: callLabel(c), More: s.Clock(r).When(c.CreatedAt), Href: "/calls/" + c.ID.String(),
		})
	}
	add(calls)
	if digits == "" {
		groups = append(groups, views.SearchGroup{Title: "Transcripts", Uncounted: true, Hits: []views.SearchHit{{
			Icon: ui.IconSearch, Label: "Calls in which the person said “" + text + "”",
			Href: "/calls?" + url.Values{"q": {text}}.Encode(),
		}}})
	}
	return groups, nil
}

func callLabel(c call.Call) string {
	if c.RecipientName != "" {
		return "Call with " + c.RecipientName
	}
	return "Call with " + ui.PersonNumber(c.PersonNumber, c.NumberWithheld)
}

// byID finds the one object with an ID.
func (s *Server) byID(r *http.Request, id uuid.UUID) (hits []views.SearchHit, err error) {
	session := frame.SignedIn(r)
	found, err := s.Searches.ByID(r.Context(), session.Organization.ID, id)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		hits = append(hits, hitOf(session.Role, f))
	}
	if len(hits) > 0 {
		return hits, nil
	}
	c, _, err := s.Calls.Get(r.Context(), session.Organization.ID, id) // a scheduled call
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	return []views.SearchHit{{Icon: ui.IconCall, Label: callLabel(c), Href: "/calls/" + id.String()}}, err
}

var titles = map[search.Kind]string{
	search.Campaign: "Campaigns", search.Agent: "Agents", search.Project: "Projects",
	search.PhoneNumber: "Phone numbers", search.Destination: "Destinations", search.Webhook: "Webhooks",
}

// hitOf links to the page of an object, or to its list for a role that may not open the page.
func hitOf(role account.Role, f search.Result) views.SearchHit {
	page := map[search.Kind]struct {
		icon  ui.Icon
		path  string
		noun  string
		right account.Right
	}{
		search.Campaign:    {ui.IconCampaign, "/campaigns", "Campaign", account.View},
		search.Agent:       {ui.IconAgent, "/agents", "Agent", account.View},
		search.Project:     {ui.IconProject, "/settings/projects", "Project", account.ManageProjects},
		search.PhoneNumber: {ui.IconPhoneNumber, "/phone-numbers", "Phone number", account.ManageProjects},
		search.Destination: {ui.IconPerson, "/settings/destinations", "Destination", account.ManageDestinations},
		search.Webhook:     {ui.IconWebhook, "/webhooks", "Webhook", account.View},
		search.Call:        {ui.IconCall, "/calls", "Call", account.View},
		search.Message:     {ui.IconMessage, "/messaging/messages", "Message", account.View},
		search.FollowUp:    {ui.IconFollowUp, "/follow-ups", "Follow-up", account.View},
		search.Delivery:    {ui.IconWebhook, "/webhooks", "Delivery", account.View},
	}[f.Kind]
	hit := views.SearchHit{Icon: page.icon, Label: f.Name, More: page.noun, Href: page.path}
	if f.Name == "" {
		hit.Label, hit.More = page.noun, ui.ShortID(f.ID.String())
	}
	if f.Kind == search.PhoneNumber { // a label and the number
		number := strings.LastIndex(f.Name, " ") + 1
		hit.Label = f.Name[:number] + ui.Phone(f.Name[number:])
	}
	switch {
	case f.ParentID != nil:
		hit.Href += "/" + f.ParentID.String() + "/deliveries/" + f.ID.String()
	case role.May(page.right):
		hit.Href += "/" + f.ID.String()
	}
	return hit
}
