package calls

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/web/frame"
)

// copiedColumns are the columns of an export that a copy of a list has, besides the variables. A list of recipients has
// them under these names.
var copiedColumns = []string{
	"phone_number", "name", "external_id", "timezone", "consent_basis", "consent_at", "consent_source",
	"consent_expires_at",
}

// takesOriginalList reports whether a form takes the list of the original campaign, because it is chosen and the form
// has no other list.
func takesOriginalList(r *http.Request) bool {
	switch form := r.PostForm; form.Get("action") {
	case "", "check", "create", "draft":
		return form.Get("original_list") == "on" && form.Get("upload") == "" && !form.Has("make") &&
			strings.TrimSpace(form.Get("recipients")) == "" && !sentFile(r)
	}
	return false
}

// sentFile reports whether a form was sent with a file that is not empty.
func sentFile(r *http.Request) bool {
	return r.MultipartForm != nil && slices.ContainsFunc(r.MultipartForm.File["file"],
		func(h *multipart.FileHeader) bool { return h.Size > 0 })
}

// copyList makes the list of the original campaign that of the form, as an uploaded file of its sender. Outcomes and
// metadata are of the original and not copied.
func (s *Server) copyList(r *http.Request) error {
	id, err := frame.ParseID(r.PostForm.Get("from"), "Campaign")
	if err != nil {
		return err
	}
	organization := frame.SignedIn(r).Organization.ID
	c, err := s.Campaigns.Get(r.Context(), organization, id)
	if err != nil {
		return err
	}
	rows := s.Campaigns.Export(r.Context(), organization, id, campaign.RecipientOptions{})
	return s.keepCopy(r, "List of "+c.Name, rows)
}

// keepCopy makes rows of an export the list of the form.
func (s *Server) keepCopy(r *http.Request, name string, rows iter.Seq2[[]string, error]) error {
	names, err := variableNames(rows)
	if err != nil {
		return err
	}
	read, write := io.Pipe()
	defer read.Close() //nolint:errcheck // it is always nil
	go func() { write.CloseWithError(writeList(write, names, rows)) }()
	kept, err := s.Uploads.Keep(r.Context(), s.Actor(r), name, read)
	if err != nil {
		return err
	}
	form := r.PostForm
	form.Set("upload", kept.ID.String())
	form.Set("recipients", "")
	form.Set("header", "on")
	form.Set("header_before", "on")
	form.Set("columns_of", followedKey(form.Get("agent_id"), readSettings(form).Version))
	for i, use := range copiedColumns {
		form.Set("column."+strconv.Itoa(i), use)
	}
	for i, name := range names { // a header would lose capitals
		form.Set("column."+strconv.Itoa(len(copiedColumns)+i), string(intake.AsVariable(name)))
	}
	return nil
}

// variablesOf returns the variables of a row of an export.
func variablesOf(row []string) (variables map[string]string, err error) {
	at := slices.Index(campaign.ExportHeader, "variables")
	if err := json.Unmarshal([]byte(row[at]), &variables); err != nil {
		return nil, fmt.Errorf("read the variables of a recipient: %w", err)
	}
	return variables, nil
}

// variableNames returns the names of all variables of a list, in order.
func variableNames(rows iter.Seq2[[]string, error]) ([]string, error) {
	seen := map[string]bool{}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		variables, err := variablesOf(row)
		if err != nil {
			return nil, err
		}
		for name := range variables {
			seen[name] = true
		}
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// writeList writes a list as a file. Erased recipients have no number and are left out.
func writeList(w io.Writer, names []string, rows iter.Seq2[[]string, error]) error {
	out := csv.NewWriter(w)
	if err := out.Write(append(slices.Clone(copiedColumns), names...)); err != nil {
		return err
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		variables, err := variablesOf(row)
		if err != nil {
			return err
		}
		var cells []string
		for _, column := range copiedColumns {
			cells = append(cells, row[slices.Index(campaign.ExportHeader, column)])
		}
		for _, name := range names {
			cells = append(cells, variables[name])
		}
		if cells[0] == "" {
			continue
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
