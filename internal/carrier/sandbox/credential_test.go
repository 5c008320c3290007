package sandbox

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Only an auth token of the account changes its credentials. An API key makes other requests.
func TestCredentialsAreRotated(t *testing.T) {
	t.Parallel()
	n := New(Options{Token: "of the sandbox"})
	defer n.Close()
	const account, calls = "AC1", "/2010-04-01/Accounts/AC1/Calls.json"
	ask := func(method, path, user, password string) (int, map[string]any) {
		r := httptest.NewRequest(method, path, nil)
		r.SetBasicAuth(user, password)
		w := httptest.NewRecorder()
		n.ServeHTTP(w, r)
		var answer map[string]any
		_ = json.Unmarshal(w.Body.Bytes(), &answer)
		return w.Code, answer
	}
	want := func(what string, status int, method, path, user, password string) map[string]any {
		t.Helper()
		got, answer := ask(method, path, user, password)
		if got != status {
			t.Errorf("%s: %d", what, got)
		}
		return answer
	}
	first := AccountToken("of the sandbox", account)
	want("nothing to promote", 404, http.MethodPost, "/v1/AuthTokens/Promote", account, first)
	want("wrong token", 401, http.MethodPost, "/v1/AuthTokens/Secondary", account, "wrong")
	want("another account's token", 401, http.MethodPost, "/v1/AuthTokens/Secondary", "AC2", first)
	want("no account", 401, http.MethodPost, "/v1/AuthTokens/Secondary", "", AccountToken("of the sandbox", ""))
	second, _ := want("create", 201, http.MethodPost, "/v1/AuthTokens/Secondary", account,
		first)["secondary_auth_token"].(string)
	want("first token before", 200, http.MethodGet, calls, account, first)
	want("second token before", 200, http.MethodGet, calls, account, second)
	want("promote", 200, http.MethodPost, "/v1/AuthTokens/Promote", account, second)
	want("first token after", 401, http.MethodGet, calls, account, first)
	want("second token after", 200, http.MethodGet, calls, account, second)
	want("promoted twice", 404, http.MethodPost, "/v1/AuthTokens/Promote", account, second)

	key := want("key", 201, http.MethodPost, "/2010-04-01/Accounts/AC1/Keys.json", account, second)
	sid, _ := key["sid"].(string)
	secret, _ := key["secret"].(string)
	want("key reads", 200, http.MethodGet, calls, sid, secret)
	want("wrong secret", 401, http.MethodGet, calls, sid, second)
	want("key of another account", 401, http.MethodGet, "/2010-04-01/Accounts/AC2/Calls.json", sid, secret)
	want("unknown key, no secret", 401, http.MethodGet, calls, "SK1", "")
	want("key makes keys", 401, http.MethodPost, "/2010-04-01/Accounts/AC1/Keys.json", sid, secret)
}
