package dialwright

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// ParseWebhook verifies the signature of a webhook's request and returns its event. secret is the webhook's, which
// begins with whsec_. Handle each Event.ID once: an event may arrive again.
func ParseWebhook(secret string, header http.Header, body []byte) (*Event, error) {
	hook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return nil, fmt.Errorf("dialwright: the webhook's secret: %w", err)
	}
	if err := hook.Verify(body, header); err != nil {
		return nil, fmt.Errorf("dialwright: verify the webhook: %w", err)
	}
	e := new(Event)
	if err := json.Unmarshal(body, e); err != nil {
		return nil, fmt.Errorf("dialwright: read the webhook's event: %w", err)
	}
	return e, nil
}

// DataAs decodes what an event is about: a [CallWithTranscript] if its type begins with "call.", a [Campaign] if it
// begins with "campaign.", and so on.
func DataAs[T any](e *Event) (T, error) {
	var data T
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return data, fmt.Errorf("dialwright: read the data of %s: %w", e.Type, err)
	}
	return data, nil
}

// Events waits for events and yields a list when there are some, until ctx is done. To go on after a restart, store
// EventList.NextCursor when the list is handled, and pass it as the cursor.
func (c *Client) Events(ctx context.Context, params *ListEventsParams) iter.Seq2[*EventList, error] {
	var p ListEventsParams
	if params != nil {
		p = *params
	}
	if p.Wait == nil {
		p.Wait = Ptr(20) // seconds
	}
	return func(yield func(*EventList, error) bool) {
		for {
			list, err := c.ListEvents(ctx, &p)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(list.Data) > 0 && !yield(list, nil) {
				return
			}
			p.Cursor, p.Start = &list.NextCursor, nil
		}
	}
}
