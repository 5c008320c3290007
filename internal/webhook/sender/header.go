package sender

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/dialwright/dialwright/internal/fault"
)

const (
	maxHeaders     = 10
	maxHeaderName  = 100
	maxHeaderValue = 2000
)

// ownHeaders belong to HTTP or to the signature.
var ownHeaders = []string{
	"connection", "content-length", "content-type", "expect", "host", "keep-alive", "te", "trailer",
	"transfer-encoding", "upgrade", "user-agent",
}

// CheckHeaders reports headers that an organization must not add to a request.
func CheckHeaders(p *fault.Problems, headers map[string]string) {
	if len(headers) > maxHeaders {
		p.Addf("headers", "must have at most %d headers", maxHeaders)
		return
	}
	first := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		low := strings.ToLower(name)
		switch {
		case len(name) > maxHeaderName || !httpguts.ValidHeaderFieldName(name):
			p.Addf("headers", "enter a header name, such as Authorization")
		case slices.Contains(ownHeaders, low), strings.HasPrefix(low, "webhook-"), strings.HasPrefix(low, "proxy-"):
			p.Addf("headers."+name, "is set by the request itself")
		case first[low]:
			p.Addf("headers."+name, "must not repeat an earlier one")
		case headers[name] == "":
			p.Addf("headers."+name, "required")
		case len(headers[name]) > maxHeaderValue || !httpguts.ValidHeaderFieldValue(headers[name]):
			p.Addf("headers."+name, "must be one line of at most %d characters", maxHeaderValue)
		}
		first[low] = true
	}
}

// Origin is the scheme and the host of an address.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}
