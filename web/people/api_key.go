package people

import (
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const apiKeysPath = "/settings/api-keys"

func (s *Server) ListAPIKeys(w http.ResponseWriter, r *http.Request) error {
	v, err := s.apiKeyList(r, r.URL.Query().Get("revoked") != "")
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.APIKeysPage(s.Chrome(r), v))
}

func (s *Server) apiKeyList(r *http.Request, revoked bool) (views.APIKeys, error) {
	v := views.APIKeys{ShowRevoked: revoked, BaseURL: s.PublicURL}
	organization := frame.SignedIn(r).Organization.ID
	list, err := s.Accounts.Keys(r.Context(), organization, revoked, frame.WholePage(r))
	if err != nil {
		return v, err
	}
	if _, v.Revoked, err = s.Accounts.CountKeys(r.Context(), organization); err != nil {
		return v, err
	}
	for _, k := range list.Data {
		v.Rows = append(v.Rows, apiKeyRow(k))
	}
	v.Order, v.Pager = frame.Sorted(r, apiKeysPath, list.NextCursor, v.Rows, "-created",
		frame.ByText("name", func(k views.APIKey) string { return k.Name }),
		frame.ByTime("used", func(k views.APIKey) time.Time { return k.LastUsed }),
		frame.ByTime("expires", func(k views.APIKey) time.Time { return frame.OrNever(k.Expires) }),
		frame.ByTime("created", func(k views.APIKey) time.Time { return k.Created }))
	return v, nil
}

func apiKeyRow(k account.Key) views.APIKey {
	row := views.APIKey{
		ID: k.ID.String(), Name: k.Name, Display: k.Display, Networks: networkNames(k.Networks),
		Created: k.CreatedAt, Expires: frame.OrZero(k.ExpiresAt),
		LastUsed: frame.OrZero(k.LastUsedAt), Revoked: frame.OrZero(k.RevokedAt), CreatedBy: "Command line",
	}
	if k.CreatedBy != nil {
		row.CreatedBy = *k.CreatedBy
	}
	if k.LastAddress != nil {
		row.LastAddress = frame.Unmapped(*k.LastAddress)
	}
	if k.RevokedBy != nil {
		row.RevokedBy = *k.RevokedBy
	}
	row.Replaced = k.ReplacedBy != nil
	if !k.AllScopes() {
		row.Scopes = scopeNames(k.Scopes)
	}
	return row
}

// networkNames writes networks as people typed them: one address without its length.
func networkNames(networks []netip.Prefix) (names []string) {
	for _, n := range networks {
		if n.IsSingleIP() {
			names = append(names, n.Addr().String())
		} else {
			names = append(names, n.String())
		}
	}
	return names
}

func scopeNames(scopes []account.Scope) []string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return names
}

// scopeHelp describes each scope for the form.
var scopeHelp = map[account.Scope]string{
	account.CampaignsRead:     "See campaigns and their recipients",
	account.CampaignsWrite:    "Create, pause, resume and cancel campaigns",
	account.CallsRead:         "Read calls and transcripts",
	account.CallsWrite:        "Schedule, cancel and hang up calls, and have calls analyzed again",
	account.NumbersRead:       "See phone numbers and the messaging quota",
	account.ProjectsRead:      "See projects, agents and destinations",
	account.ProjectsWrite:     "Change destinations of transfers",
	account.ConnectionsRead:   "See connections to language models",
	account.AgentsRead:        "Read agents and their versions",
	account.AgentsWrite:       "Create, change, publish and remove agents",
	account.ConnectionsWrite:  "Create and change connections to language models",
	account.FollowUpsRead:     "See follow-ups",
	account.FollowUpsWrite:    "Create, change and finish follow-ups",
	account.MessagesRead:      "Read messages",
	account.MessagesWrite:     "Send messages",
	account.SuppressionsRead:  "Read the do-not-call list",
	account.NumbersWrite:      "Change number pools",
	account.SuppressionsWrite: "Change the do-not-call list",
	account.EvidenceRead:      "Collect everything about a phone number",
	account.WebhooksRead:      "See webhooks and deliveries",
	account.WebhooksWrite:     "Create and change webhooks",
}

func (s *Server) APIKeyForm(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.APIKeyFormPage(s.Chrome(r), views.APIKeyForm{
		ID: frame.NewFormID(), AllScopes: true, Scopes: scopeChoices(nil),
	}))
}

func scopeChoices(checked []string) []views.ScopeChoice {
	var choices []views.ScopeChoice
	for _, scope := range account.Scopes() {
		choices = append(choices, views.ScopeChoice{
			Name: string(scope), Help: scopeHelp[scope], Checked: slices.Contains(checked, string(scope)),
		})
	}
	return choices
}

// CreateAPIKey answers with the list and the key's value, which no later page shows.
// Loading the answer again asks the browser to post again, which neither makes another
// key nor shows the value again.
func (s *Server) CreateAPIKey(w http.ResponseWriter, r *http.Request) error {
	form := views.APIKeyForm{
		ID: frame.FormID(r), Name: r.PostForm.Get("name"), AllScopes: r.PostForm.Get("all_scopes") != "0",
		Scopes:   scopeChoices(r.PostForm["scopes"]),
		Networks: r.PostForm.Get("networks"),
		Expires:  r.PostForm.Get("expires"), ExpiresAt: r.PostForm.Get("expires_at"),
	}
	refused := func(e ui.Errors) error {
		form.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.APIKeyFormPage(s.Chrome(r), form))
	}
	n := account.NewKey{ID: uuid.MustParse(form.ID), Name: form.Name}
	var p fault.Problems
	n.Networks = account.ParseNetworks(&p, "networks", form.Networks)
	if err := p.Err(); err != nil {
		return refused(ui.ErrorsOf(err))
	}
	if form.AllScopes && r.PostForm.Has("scopes") {
		return refused(ui.Errors{"scopes": "choose “Selected scopes” above, or clear these boxes"})
	}
	if !form.AllScopes {
		n.Scopes = []account.Scope{}
		for _, scope := range r.PostForm["scopes"] {
			n.Scopes = append(n.Scopes, account.Scope(scope))
		}
	}
	expires, problem := s.expiry(r, form.Expires, form.ExpiresAt)
	if problem != "" {
		return refused(ui.Errors{"expires_at": problem})
	}
	n.ExpiresAt = expires

	key, value, err := s.Accounts.CreateKey(r.Context(), s.Actor(r), n)
	if fault.KindOf(err) == fault.Invalid {
		return refused(ui.ErrorsOf(err))
	}
	if fault.KindOf(err) == fault.Conflict {
		s.Toast(
			r,
			"This key was already created, and its value was shown then. If you lost it, revoke the key and create "+
				"another.",
		)
		return frame.SeeOther(w, r, apiKeysPath)
	}
	if err != nil {
		return err
	}
	return s.showAPIKey(w, r, key, value, time.Time{}, false)
}

// showAPIKey answers with the list and the key's value in it.
func (s *Server) showAPIKey(
	w http.ResponseWriter, r *http.Request, key account.Key, value string, replacedUntil time.Time, replaces bool,
) error {
	v, err := s.apiKeyList(r, false)
	if err != nil {
		return err
	}
	row := apiKeyRow(key)
	v.New = &views.NewKey{
		ID: row.ID, Name: row.Name, Value: value, Scopes: row.Scopes, Networks: row.Networks, Expires: row.Expires,
		Replaces: replaces, OldUntil: replacedUntil,
	}
	return frame.RenderSecret(s.Server, w, r, http.StatusCreated, apiKeysPath, views.APIKeysPage, v)
}

// expiry reads the expiry of a key: never, after a number of days, or at the end of a
// date in the organization's time zone.
func (s *Server) expiry(r *http.Request, kind, date string) (at *time.Time, problem string) {
	switch kind {
	case "":
		return nil, ""
	case "date":
		day, err := time.ParseInLocation(time.DateOnly, date, s.Clock(r).Zone)
		if err != nil {
			return nil, "Choose a date"
		}
		end := day.AddDate(0, 0, 1).Add(-time.Millisecond) // the last moment of the day shows as the chosen day
		return &end, ""
	}
	days, err := strconv.Atoi(kind)
	if err != nil || days < 1 || days > 3650 {
		return nil, "Choose when the key expires"
	}
	end := s.Now().AddDate(0, 0, days)
	return &end, ""
}

func (s *Server) EditAPIKey(w http.ResponseWriter, r *http.Request) error {
	key, err := s.apiKey(r)
	if err != nil {
		return err
	}
	if key.Ended() { // the form would be refused
		return account.ErrKeyEnded
	}
	row := apiKeyRow(key)
	return frame.Render(w, r, http.StatusOK, views.KeyChangePage(s.Chrome(r), views.KeyChangeForm{
		Key: row, Name: row.Name, Networks: strings.Join(row.Networks, "\n"),
	}))
}

func (s *Server) UpdateAPIKey(w http.ResponseWriter, r *http.Request) error {
	key, err := s.apiKey(r)
	if err != nil {
		return err
	}
	form := views.KeyChangeForm{
		Key: apiKeyRow(key), Name: r.PostForm.Get("name"), Networks: r.PostForm.Get("networks"),
	}
	var p fault.Problems
	networks := account.ParseNetworks(&p, "networks", form.Networks)
	if err = p.Err(); err == nil {
		err = s.Accounts.UpdateKey(r.Context(), s.Actor(r), key.ID, account.KeyChange{
			Name: form.Name, Networks: networks,
		})
	}
	return s.Saved(w, r, err, "Key saved", apiKeysPath, func(e ui.Errors) error {
		form.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.KeyChangePage(s.Chrome(r), form))
	})
}

func (s *Server) RotateAPIKeyForm(w http.ResponseWriter, r *http.Request) error {
	key, err := s.apiKey(r)
	if err != nil {
		return err
	}
	if key.Ended() { // the form would be refused
		return account.ErrKeyEnded
	}
	return frame.Render(w, r, http.StatusOK, views.RotateKeyPage(s.Chrome(r), views.RotateKeyForm{
		Key: apiKeyRow(key), ID: frame.NewFormID(), Overlap: strconv.Itoa(int(defaultKeyOverlap.Seconds())),
	}))
}

// defaultKeyOverlap is the overlap that the rotation form proposes.
const defaultKeyOverlap = 24 * time.Hour

// RotateAPIKey answers with the list and the value of the new key, as CreateAPIKey does.
func (s *Server) RotateAPIKey(w http.ResponseWriter, r *http.Request) error {
	key, err := s.apiKey(r)
	if err != nil {
		return err
	}
	form := views.RotateKeyForm{Key: apiKeyRow(key), ID: frame.FormID(r), Overlap: r.PostForm.Get("overlap")}
	seconds, err := strconv.Atoi(form.Overlap)
	if err != nil || seconds < 0 || seconds > int(account.MaxOverlap.Seconds()) {
		form.Errors = ui.Errors{"overlap": "Choose an overlap"}
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.RotateKeyPage(s.Chrome(r), form))
	}
	next, value, err := s.Accounts.RotateKey(r.Context(), s.Actor(r), key.ID, account.Rotation{
		ID: uuid.MustParse(form.ID), Overlap: time.Duration(seconds) * time.Second,
	})
	if f := fault.As(err); fault.KindOf(err) == fault.Conflict {
		text := f.Message + "."
		if key.ReplacedBy != nil {
			text = "This key was already rotated, and the new value was shown then. If you lost it, rotate the new key."
		}
		s.Toast(r, text)
		return frame.SeeOther(w, r, apiKeysPath)
	}
	if err != nil {
		return err
	}
	old, err := s.Accounts.Key(r.Context(), frame.SignedIn(r).Organization.ID, key.ID)
	if err != nil {
		return err
	}
	until := frame.OrZero(old.ExpiresAt)
	if old.RevokedAt != nil {
		until = time.Time{}
	}
	return s.showAPIKey(w, r, next, value, until, true)
}

// apiKey reads the key that the path names.
func (s *Server) apiKey(r *http.Request) (account.Key, error) {
	id, err := frame.PathID(r, "API key")
	if err != nil {
		return account.Key{}, err
	}
	return s.Accounts.Key(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) ConfirmRevokeAPIKey(w http.ResponseWriter, r *http.Request) error {
	key, err := s.apiKey(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.RevokeKey(s.Clock(r), apiKeyRow(key)))
}

func (s *Server) RevokeAPIKey(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "API key")
	if err != nil {
		return err
	}
	return s.Done(w, r, s.Accounts.RevokeKey(r.Context(), s.Actor(r), id), "Key revoked", apiKeysPath)
}
