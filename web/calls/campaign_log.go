package calls

import (
	"net/http"
	"time"

	"github.com/a-h/templ"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// latestEntries is the number of log entries on the campaign's own page.
const latestEntries = 8

func (s *Server) CampaignLog(w http.ResponseWriter, r *http.Request) error {
	v, err := s.campaignLogView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.CampaignLogPage(s.Chrome(r), v))
}

func (s *Server) campaignLogView(r *http.Request) (views.CampaignLog, error) {
	c, err := s.campaignOf(r)
	if err != nil {
		return views.CampaignLog{}, err
	}
	list, err := s.Campaigns.Log(r.Context(), c.OrganizationID, c.ID, frame.PageOf(r))
	if err != nil {
		return views.CampaignLog{}, err
	}
	v := views.CampaignLog{ID: c.ID.String(), Name: c.Name, Rows: logRows(s.Clock(r), list.Data)}
	v.Pager = frame.Pager(r, list.NextCursor, "Newest first")
	if c.EndedAt == nil && r.URL.Query().Get("cursor") == "" {
		v.EventsHref = "/campaigns/" + v.ID + "/log/events"
	}
	return v, nil
}

func (s *Server) CampaignLogEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "log", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.campaignLogView(r)
		return views.CampaignLogLive(s.LiveChrome(r, "/campaigns/"+v.ID+"/log"), v), v.EventsHref == "", err
	})
}

// latestLog returns the newest entries of a campaign's log.
func (s *Server) latestLog(r *http.Request, c campaign.Campaign) ([]views.LogRow, error) {
	list, err := s.Campaigns.Log(r.Context(), c.OrganizationID, c.ID, page.Request{Limit: latestEntries})
	if err != nil {
		return nil, err
	}
	return logRows(s.Clock(r), list.Data), nil
}

func logRows(clock ui.Clock, entries []campaign.LogEntry) []views.LogRow {
	rows := make([]views.LogRow, len(entries))
	for i, e := range entries {
		rows[i] = views.LogRow{Glyph: logGlyphs[e.Type], Text: e.Message(clock.Short), At: e.CreatedAt}
		switch e.ActorKind {
		case account.ByUser:
			rows[i].Actor = e.ActorName
		case account.ByKey:
			rows[i].Actor = "API key " + e.ActorName
		}
		if e.UpdatedAt.Sub(e.CreatedAt) >= time.Minute {
			rows[i].Last = e.UpdatedAt
		}
	}
	return rows
}

// logGlyphs maps a type of entry to its glyph. Types that are ordinary steps have none.
var logGlyphs = map[campaign.LogType]ui.Glyph{
	campaign.LogStarted:           ui.GlyphInProgress,
	campaign.LogPaused:            ui.GlyphPaused,
	campaign.LogResumed:           ui.GlyphInProgress,
	campaign.LogWaiting:           ui.GlyphPending,
	campaign.LogDialing:           ui.GlyphInProgress,
	campaign.LogRecipientsSkipped: ui.GlyphSkipped,
	campaign.LogDoNotCallAdded:    ui.GlyphSkipped,
	campaign.LogCallsNotPlaced:    ui.GlyphWarning,
	campaign.LogCountryRefused:    ui.GlyphWarning,
	campaign.LogCompleted:         ui.GlyphCompleted,
	campaign.LogCanceled:          ui.GlyphCanceled,
	campaign.LogFailed:            ui.GlyphFailed,
}
