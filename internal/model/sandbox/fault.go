package sandbox

import (
	"net/http"
	"time"
)

// fault is what a model's name makes go wrong.
type fault struct {
	says            string // for people
	refuse          func(w http.ResponseWriter)
	firstToken      time.Duration
	after           func(s *stream) // instead of the rest, after two words
	crlf            bool
	unknownFields   bool
	brokenArguments bool
	refusal         bool
	length          bool
	endless         bool
}

// stall is how long a stream stays silent that stalls. It is longer than any client waits.
const stall = 10 * time.Minute

// faults are the models by name. An unknown name is refused.
var faults = map[string]fault{
	Model: {says: "answers"},
	"sandbox-slow": {
		says: "waits 3 seconds before the first token", firstToken: 3 * time.Second,
	},
	"sandbox-stall": {
		says: "falls silent after two words", after: func(s *stream) { s.sleep(stall) },
	},
	"sandbox-silent": {
		says: "accepts the request and never answers", firstToken: stall,
	},
	"sandbox-cut": {
		says: "closes the connection after two words", after: func(*stream) { panic(http.ErrAbortHandler) },
	},
	"sandbox-429": {
		says: "has too many requests and does not say for how long",
		refuse: func(w http.ResponseWriter) {
			refuse(w, http.StatusTooManyRequests, "rate_limit_exceeded", "Rate limit reached")
		},
	},
	"sandbox-429-retry-after": {
		says: "has too many requests and says for how long",
		refuse: func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "20")
			refuse(w, http.StatusTooManyRequests, "rate_limit_exceeded", "Rate limit reached")
		},
	},
	"sandbox-quota": {
		says: "has no quota left",
		refuse: func(w http.ResponseWriter) {
			refuse(w, http.StatusTooManyRequests, "insufficient_quota", "You exceeded your current quota")
		},
	},
	"sandbox-401": {
		says: "does not accept the key",
		refuse: func(w http.ResponseWriter) {
			refuse(w, http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided")
		},
	},
	"sandbox-500": {
		says: "answers with status 500",
		refuse: func(w http.ResponseWriter) {
			refuse(w, http.StatusInternalServerError, "server_error", "The server had an error")
		},
	},
	"sandbox-error": {
		says: "reports an error after two words",
		after: func(s *stream) {
			s.event(`{"error":{"message":"The engine is overloaded","type":"server_error","code":503}}`)
		},
	},
	"sandbox-broken-json": {
		says: "writes the arguments of tools as broken JSON", brokenArguments: true,
	},
	"sandbox-crlf": {
		says: "ends lines with CRLF", crlf: true,
	},
	"sandbox-unknown-fields": {
		says: "adds fields that the dialect does not have", unknownFields: true,
	},
	"sandbox-refusal": {
		says: "refuses to answer", refusal: true,
	},
	"sandbox-length": {
		says: "is cut by the limit of tokens", length: true,
	},
	"sandbox-endless": {
		says: "never stops", endless: true,
	},
}
