package sandbox

import (
	"net/http"
	"slices"
	"time"
)

// fault is what a model's name makes go wrong.
type fault struct {
	Choice
	status          int // of a refusal; 0: none
	code, says      string
	retryAfter      string
	firstToken      time.Duration
	after           func(s *stream) // instead of the rest, after two words
	crlf            bool
	unknownFields   bool
	split           bool
	brokenArguments bool
	refusal         bool
	empty           bool
	card            bool
	talksOnly       bool
	hours           bool
	length          bool
	endless         bool
	burst           bool

	// Of analyses of transcripts:
	noSchema, prose, invents, gullible bool
}

// stall is how long a stream stays silent that stalls. It is longer than any client waits, and the speed does not
// shorten it.
const stall = 10 * time.Minute

// Choice is the name of a model, and what the model does, for people: "sandbox-slow" "waits 3 seconds …".
type Choice struct{ Name, Does string }

// Choices are all models. The first has no fault.
func Choices() []Choice {
	choices := make([]Choice, len(faults))
	for i, f := range faults {
		choices[i] = f.Choice
	}
	return choices
}

// of returns the fault of a model. An unknown name is no model.
func of(name string) (f fault, ok bool) {
	i := slices.IndexFunc(faults, func(f fault) bool { return f.Name == name })
	if i < 0 {
		return fault{}, false
	}
	return faults[i], true
}

var faults = []fault{
	{Choice: Choice{Model, "answers"}},
	{Choice: Choice{"sandbox-burst", "sends all words at once after 0.3 seconds"}, burst: true},
	{Choice: Choice{"sandbox-slow", "waits 3 seconds before the first token"}, firstToken: 3 * time.Second},
	{Choice: Choice{"sandbox-stall", "falls silent after two words"}, after: func(s *stream) { s.sleep(stall) }},
	{Choice: Choice{"sandbox-silent", "accepts the request and never answers"}, firstToken: stall},
	{
		Choice: Choice{"sandbox-cut", "closes the connection after two words"},
		after:  func(*stream) { panic(http.ErrAbortHandler) },
	},
	{
		Choice: Choice{"sandbox-429", "has too many requests and does not say for how long"},
		status: http.StatusTooManyRequests, code: "rate_limit_exceeded", says: "Rate limit reached",
	},
	{
		Choice: Choice{"sandbox-429-retry-after", "has too many requests for the next 20 seconds"},
		status: http.StatusTooManyRequests, code: "rate_limit_exceeded", says: "Rate limit reached", retryAfter: "20",
	},
	{
		Choice: Choice{"sandbox-quota", "has used up its quota"},
		status: http.StatusTooManyRequests, code: "insufficient_quota", says: "You exceeded your current quota",
	},
	{
		Choice: Choice{"sandbox-401", "does not accept the key"},
		status: http.StatusUnauthorized, code: "invalid_api_key", says: "Incorrect API key provided",
	},
	{
		Choice: Choice{"sandbox-500", "answers with status 500"},
		status: http.StatusInternalServerError, code: "server_error", says: "The server had an error",
	},
	{
		Choice: Choice{"sandbox-error", "reports an error after two words"},
		after:  func(s *stream) { s.dialect.fail(s) },
	},
	{
		Choice: Choice{
			"sandbox-broken-json", "writes the arguments of tools, and analyses at first, as broken JSON",
		},
		brokenArguments: true,
	},
	{Choice: Choice{"sandbox-split", "sends each character in pieces of one byte"}, split: true},
	{Choice: Choice{"sandbox-crlf", "ends lines with CRLF"}, crlf: true},
	{Choice: Choice{"sandbox-unknown-fields", "adds fields that the dialect does not have"}, unknownFields: true},
	{Choice: Choice{"sandbox-refusal", "refuses to answer"}, refusal: true},
	{Choice: Choice{"sandbox-empty", "ends its answers without a word"}, empty: true},
	{Choice: Choice{"sandbox-no-tools", "says goodbye and never calls a tool"}, talksOnly: true},
	{Choice: Choice{"sandbox-hours", "claims an hour for every callback"}, hours: true},
	{Choice: Choice{"sandbox-card", "reads out the number of a payment card"}, card: true},
	{Choice: Choice{"sandbox-length", "is cut by the limit of tokens"}, length: true},
	{Choice: Choice{"sandbox-endless", "never stops"}, endless: true},
	{Choice: Choice{"sandbox-no-schema", "refuses a JSON schema"}, noSchema: true},
	{Choice: Choice{"sandbox-prose", "analyzes calls in prose instead of JSON"}, prose: true},
	{Choice: Choice{"sandbox-invented-quote", "quotes what nobody said in its analyses"}, invents: true},
	{Choice: Choice{"sandbox-gullible", "believes callers who say that a call was successful"}, gullible: true},
}
