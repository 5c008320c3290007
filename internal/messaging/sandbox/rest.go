package sandbox

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/simulation"
)

// routes serves the part of the Graph API that the client uses. Every path begins with a version.
func (op *Operator) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{version}/{id}", op.account(op.info))
	mux.HandleFunc("GET /{version}/{id}/phone_numbers", op.account(op.listNumbers))
	mux.HandleFunc("GET /{version}/{id}/message_templates", op.account(op.listTemplates))
	mux.HandleFunc("POST /{version}/{id}/subscribed_apps", op.account(op.subscribe))
	mux.HandleFunc("POST /{version}/{id}/messages", op.authorized(op.send))
	op.witnessRoutes(mux)
	return mux
}

// refusal is an error in Meta's form.
type refusal struct {
	status, code, subcode int
	kind                  string
	message               string
	retryAfter            int // seconds
}

// refuseWith returns an error of the messages edge.
func refuseWith(code int, details string) *refusal {
	return &refusal{status: statusOf(code), code: code, kind: "OAuthException", message: details}
}

// statusOf returns the HTTP status that Meta documents for a code.
func statusOf(code int) int {
	switch code {
	case 0, 190:
		return http.StatusUnauthorized
	case 3, 1, 131000, 131016:
		return http.StatusInternalServerError
	case 10, 368, 130497, 131005, 131031:
		return http.StatusForbidden
	case 80007, 130429:
		return http.StatusTooManyRequests
	case 2, 133004:
		return http.StatusServiceUnavailable
	case 132001:
		return http.StatusNotFound
	}
	return http.StatusBadRequest
}

func (e *refusal) write(w http.ResponseWriter) {
	if e.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.retryAfter))
	}
	body := map[string]any{
		"message": "(#" + strconv.Itoa(e.code) + ") " + e.message, "type": e.kind, "code": e.code,
		"error_data": map[string]any{"messaging_product": "whatsapp", "details": e.message},
		"fbtrace_id": "A" + rand.Text(),
	}
	if e.subcode != 0 {
		body["error_subcode"] = e.subcode
	}
	simulation.JSON(w, e.status, map[string]any{"error": body})
}

var noSuchObject = &refusal{status: http.StatusBadRequest, code: 100, subcode: 33, kind: "GraphMethodException",
	message: "Unsupported request. Object does not exist, cannot be loaded due to missing permissions, or does not " +
		"support this operation."}

var version = regexp.MustCompile(`^v([0-9]+)\.[0-9]+$`)

// authorized checks the token, and the proof of the app secret if the request has one, as Meta
// does.
func (op *Operator) authorized(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if subtle.ConstantTimeCompare([]byte(token), []byte(op.token)) != 1 {
			(&refusal{status: http.StatusUnauthorized, code: 190, kind: "OAuthException",
				message: "Invalid OAuth access token - Cannot parse access token"}).write(w)
			return
		}
		if given := r.URL.Query().Get("appsecret_proof"); given != "" {
			mac := hmac.New(sha256.New, []byte(op.appSecret))
			mac.Write([]byte(token))
			if subtle.ConstantTimeCompare([]byte(given), []byte(hex.EncodeToString(mac.Sum(nil)))) != 1 {
				(&refusal{status: http.StatusBadRequest, code: 100, kind: "GraphMethodException",
					message: "Invalid appsecret_proof provided in the API argument"}).write(w)
				return
			}
		}
		if v := r.PathValue("version"); v != "" && !version.MatchString(v) {
			(&refusal{
				status: http.StatusBadRequest, code: 2500, kind: "OAuthException", message: "Unknown path components",
			}).write(w)
			return
		}
		h(w, r)
	}
}

// account finds the account in the path, and applies its trouble.
func (op *Operator) account(h func(http.ResponseWriter, *http.Request, *business)) http.HandlerFunc {
	return op.authorized(func(w http.ResponseWriter, r *http.Request) {
		op.Mu.Lock()
		b := op.accounts[r.PathValue("id")]
		var trouble Trouble
		if b != nil {
			trouble = b.trouble
		}
		op.Mu.Unlock()
		if b == nil {
			noSuchObject.write(w)
			return
		}
		if trouble.before(w) {
			return
		}
		if !op.Hold(r, trouble.Delay) {
			return
		}
		if trouble.Kind == Malformed {
			garble(w)
			return
		}
		h(w, r, b)
	})
}

// garble sends an answer that cannot be read.
func garble(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"data":[{"id":"2000000`))
}

// choose returns the requested fields and the id. It refuses a field that does not exist, as Meta
// does.
func choose(r *http.Request, all map[string]any) (map[string]any, *refusal) {
	chosen := map[string]any{"id": all["id"]}
	for field := range strings.SplitSeq(r.URL.Query().Get("fields"), ",") {
		value, known := all[field]
		if !known && field != "" {
			return nil, &refusal{status: http.StatusBadRequest, code: 100, kind: "OAuthException",
				message: "Tried accessing nonexisting field (" + field + ")"}
		}
		if _, leaveOut := value.(omitted); known && !leaveOut {
			chosen[field] = value
		}
	}
	return chosen, nil
}

// omitted is the value of a field that exists but has no value.
type omitted struct{}

func (op *Operator) info(w http.ResponseWriter, r *http.Request, b *business) {
	all := map[string]any{"id": b.id, "name": b.name, "owner_business_info": omitted{}}
	if b.portfolio.id != "" {
		all["owner_business_info"] = map[string]any{"id": b.portfolio.id, "name": b.portfolio.name}
	}
	chosen, refused := choose(r, all)
	if refused != nil {
		refused.write(w)
		return
	}
	simulation.JSON(w, http.StatusOK, chosen)
}

func (op *Operator) listNumbers(w http.ResponseWriter, r *http.Request, b *business) {
	limitField := "whatsapp_business_manager_messaging_limit"
	if major, _ := strconv.Atoi(version.FindStringSubmatch(r.PathValue("version"))[1]); major < 24 {
		limitField = "messaging_limit_tier"
	}
	op.Mu.Lock()
	all := make([]map[string]any, len(b.numbers))
	for i, n := range b.numbers {
		all[i] = map[string]any{
			"id": n.ID, "display_phone_number": n.PhoneNumber, "verified_name": n.Name, "name_status": "APPROVED",
			"quality_rating": n.Quality, "status": n.Status, "throughput": map[string]any{"level": n.Throughput},
			"platform_type": "CLOUD_API", "is_on_biz_app": false, "account_mode": "LIVE",
			"code_verification_status": "VERIFIED",
			limitField:                 b.portfolio.tier,
		}
		if n.Name == "" {
			all[i]["verified_name"] = nil
		}
		if b.portfolio.tier == "" {
			all[i][limitField] = omitted{}
		}
	}
	op.Mu.Unlock()
	op.page(w, r, all)
}

func (op *Operator) listTemplates(w http.ResponseWriter, r *http.Request, b *business) {
	op.Mu.Lock()
	all := make([]map[string]any, len(b.templates))
	for i, t := range b.templates {
		all[i] = t.resource()
	}
	op.Mu.Unlock()
	op.page(w, r, all)
}

// page sends one page. The cursor is opaque. The last page has no next.
func (op *Operator) page(w http.ResponseWriter, r *http.Request, all []map[string]any) {
	query := r.URL.Query()
	from := 0
	if after := query.Get("after"); after != "" {
		text, err := base64.RawURLEncoding.DecodeString(after)
		n, err2 := strconv.Atoi(string(text))
		if err != nil || err2 != nil || n < 0 {
			(&refusal{
				status: http.StatusBadRequest, code: 100, kind: "OAuthException", message: "Invalid cursor",
			}).write(w)
			return
		}
		from = min(n, len(all))
	}
	size, err := strconv.Atoi(query.Get("limit"))
	if err != nil || size < 1 {
		size = 25
	}
	to := min(from+min(size, op.pageSize), len(all))
	data := []map[string]any{}
	for _, item := range all[from:to] {
		chosen, refused := choose(r, item)
		if refused != nil {
			refused.write(w)
			return
		}
		data = append(data, chosen)
	}
	answer := map[string]any{"data": data}
	if len(data) > 0 {
		cursor := func(n int) string { return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(n))) }
		paging := map[string]any{"cursors": map[string]any{"before": cursor(from), "after": cursor(to)}}
		if to < len(all) {
			// This address leads nowhere. A client that follows it instead of the cursor would give
			// the token away.
			paging["next"] = "https://graph.facebook.invalid/next?after=" + cursor(to)
		}
		answer["paging"] = paging
	}
	simulation.JSON(w, http.StatusOK, answer)
}
