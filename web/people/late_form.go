package people

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// A form that is posted after its session has ended is answered with the sign-in
// form. The sign-in form carries what was posted in one sealed field, so the server
// stores nothing and the browser can't change it. After the sign-in, its sender sees
// the entries and may send them again. Signing in alone sends nothing, because it is
// no consent to what was posted before.
//
// Only forms of this site are carried (requests from other sites are refused
// earlier), only for the person and the organization of the ended session, and
// without secrets and files.

// Bounds of a late form. Sealed and encoded, it fits a sign-in form (maxSignInForm).
const (
	MaxLateForm   = 1 << 20 // bytes of addresses, names and values
	maxLateFields = 2000
	maxLateLost   = 100
)

// lateField is the field of the sign-in form that carries a sealed late form.
const lateField = "late_form"

// lateForm is a form that was posted after its session had ended.
type lateForm struct {
	User         uuid.UUID // of the ended session
	Organization uuid.UUID // of the ended session
	Action       string    // path and query that the form was posted to
	From         string    // path and query of the page with the form; "" if unknown
	Fields       []formField
	Lost         []string // names of the fields that are not carried
}

// formField is a field of a late form.
type formField struct{ Name, Value string }

// SecretField matches the names of fields whose values are never carried.
var SecretField = regexp.MustCompile(`(?i)password|secret|token|ticket|credential|^(code|key|header_value)$`)

// untypedFields are fields that the page sets, not a person.
var untypedFields = []string{"id", "action", "next", "mark", "return"}

// signInFirst answers a POST without a session: nothing was saved, and the sign-in
// form stands in place, with the posted form where it can be carried.
func (s *Server) signInFirst(w http.ResponseWriter, r *http.Request) error {
	from := frame.PostedFrom(r)
	v := views.SignIn{Next: frame.OwnPath(from)}
	f, err := s.postedForm(r, from)
	switch {
	case f == nil:
		v.Notice = ui.Notice{
			Tone: ui.Warn, Title: "You are not signed in, so nothing was saved",
			Text: "Your entries were not kept either. Sign in and try again.",
		}
	case err != nil:
		v.Notice = ui.Notice{
			Tone: ui.Warn, Title: signedOutTitle, Text: "The form is too long to keep. Sign in and enter it again.",
		}
	case !slices.ContainsFunc(f.Fields, formField.typed):
		v.Notice = ui.Notice{Tone: ui.Warn, Title: signedOutTitle, Text: "Sign in and try again."}
	default:
		if v.LateForm, err = s.sealLateForm(f); err != nil {
			return err
		}
		v.Notice = lateNotice
	}
	if r.Header.Get("HX-Request") != "" {
		// The answer is a page, and not the part of one that the request wanted.
		w.Header().Set("HX-Retarget", "body")
		w.Header().Set("HX-Reselect", "unset")
		w.Header().Set("HX-Reswap", "innerHTML show:window:top")
	}
	return s.signInPage(w, r, http.StatusUnauthorized, v)
}

const signedOutTitle = "You were signed out, so nothing was saved"

// lateNotice stands above a sign-in form that carries a late form.
var lateNotice = ui.Notice{
	Tone:  ui.Warn,
	Title: signedOutTitle,
	Text:  "Sign in to see your entries and send them again. Stay on this page until then.",
}

// postedForm reads the form that was posted. It is nil for a browser in which nobody
// was signed in; the error is errTooLong, or why the form can't be read.
func (s *Server) postedForm(r *http.Request, from string) (*lateForm, error) {
	user, err := uuid.Parse(s.Sessions.GetString(r.Context(), frame.SessionUser))
	if err != nil {
		return nil, nil
	}
	organization, err := uuid.Parse(s.Sessions.GetString(r.Context(), frame.SessionOrganization))
	if err != nil {
		return nil, nil
	}
	f := &lateForm{User: user, Organization: organization, Action: r.URL.RequestURI(), From: from}
	return f, f.read(r)
}

var errTooLong = errors.New("the form is too long to be carried")

// read takes the fields in the order they were sent in.
func (f *lateForm) read(r *http.Request) error {
	left := int64(MaxLateForm - len(f.Action) - len(f.From))
	if left < 0 {
		return errTooLong
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("read a form: %w", err)
	}
	if kind == "multipart/form-data" {
		return f.readParts(r, left)
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, left))
	if err != nil {
		return fmt.Errorf("read a form: %w", err)
	}
	for pair := range strings.SplitSeq(string(body), "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return fmt.Errorf("read a form: %w", err)
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return fmt.Errorf("read a form: %w", err)
		}
		if name == "" {
			continue
		}
		if err := f.add(name, value); err != nil {
			return err
		}
	}
	return nil
}

// readParts reads a form that may have files, up to left bytes of names and values.
func (f *lateForm) readParts(r *http.Request, left int64) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return fmt.Errorf("read a form: %w", err)
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a form: %w", err)
		}
		name := part.FormName()
		if left -= int64(len(name)); left < 0 {
			return errTooLong
		}
		if part.FileName() != "" {
			if err := f.lose(name); err != nil {
				return err
			}
			continue
		}
		value, err := io.ReadAll(io.LimitReader(part, left+1))
		if err != nil {
			return fmt.Errorf("read a form: %w", err)
		}
		if int64(len(value)) > left { // a long list; the other entries are short
			err = f.lose(name)
		} else {
			left -= int64(len(value))
			err = f.add(name, string(value))
		}
		if err != nil {
			return err
		}
	}
}

func (f *lateForm) add(name, value string) error {
	if SecretField.MatchString(name) {
		if value == "" {
			return nil
		}
		return f.lose(name)
	}
	if len(f.Fields) == maxLateFields {
		return errTooLong
	}
	f.Fields = append(f.Fields, formField{name, value})
	return nil
}

// lose notes the name of a field that is not carried. Our forms have few of them.
func (f *lateForm) lose(name string) error {
	if name == "" || slices.Contains(f.Lost, name) {
		return nil
	}
	if len(f.Lost) == maxLateLost {
		return errTooLong
	}
	f.Lost = append(f.Lost, name)
	return nil
}

// lateCell binds sealed late forms to their purpose. They are not stored, so the
// cell has no column.
var lateCell = seal.Cell{Table: lateField}

// sealLateForm writes a late form as a value of the sign-in form. Base64 for URLs
// passes through a posted form without escapes, so its length is bounded.
func (s *Server) sealLateForm(f *lateForm) (string, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(f); err != nil {
		return "", fmt.Errorf("encode a late form: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(s.Accounts.Vault().Seal(b.Bytes(), lateCell)), nil
}

// openLateForm opens what sealLateForm made. It is nil for anything else, and for a
// form whose action no longer takes one.
func (s *Server) openLateForm(sealed string) *lateForm {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return nil
	}
	plain, err := s.Accounts.Vault().Open(raw, lateCell)
	if err != nil {
		return nil
	}
	f := &lateForm{}
	err = gob.NewDecoder(bytes.NewReader(plain)).Decode(f) //nolint:gosec // the vault opens only what we sealed
	if err != nil {
		return nil
	}
	action, err := url.Parse(f.Action)
	if err != nil || frame.OwnPath(f.Action) != f.Action || !s.takesForm(action.Path) {
		return nil
	}
	return f
}

// carriedForm is the late form that a sign-in form carries, as it was sealed; "" for
// none. Anything that is not one of ours is dropped here.
func (s *Server) carriedForm(r *http.Request) string {
	sealed := r.PostForm.Get(lateField)
	if sealed == "" || s.openLateForm(sealed) == nil {
		return ""
	}
	return sealed
}

// goOn answers a completed sign-in: with the late form that the sign-in form carried,
// if it is the same person's, else with the next page.
func (s *Server) goOn(w http.ResponseWriter, r *http.Request, session account.Session, next, late string) error {
	f := s.openLateForm(late)
	switch {
	case f == nil:
		return frame.SeeOther(w, r, next)
	case f.User != session.User.ID:
		return frame.SeeOther(w, r, "/") // nobody else learns what was entered, or where
	case f.Organization != session.Organization.ID:
		s.Toast(r, "Your entries were not sent, because they belong to another organization.")
		return frame.SeeOther(w, r, "/")
	}
	v := views.LateForm{Action: f.Action, BackHref: frame.OwnPath(f.From), Lost: f.Lost}
	for _, field := range f.Fields {
		v.Fields = append(v.Fields, views.LateField{Name: field.Name, Value: field.Value, Typed: field.typed()})
	}
	frame.Observed(r).Organization = session.Organization.ID.String()
	r = frame.WithSession(r, session)
	c := s.Chrome(r)
	c.Path, _, _ = strings.Cut(v.BackHref, "?")
	frame.ShowsSecret(w)
	return frame.Render(w, r, http.StatusOK, views.LateFormPage(c, v))
}

// typed reports whether a person would recognize the value: it is neither set by the
// page nor the ID of what was chosen from a list.
func (f formField) typed() bool {
	if f.Value == "" || slices.Contains(untypedFields, f.Name) {
		return false
	}
	_, err := uuid.Parse(f.Value)
	return err != nil
}
