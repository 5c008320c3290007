package dialer

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
)

// listing is a number that is put on the do-not-call list after its call.
type listing struct {
	call     call.Ended
	campaign *campaignDelta
	source   suppression.Source
	note     string
	channels []suppression.Channel
}

// listNumber decides whether the intent of a call puts its number on the do-not-call list. The phone
// of a recipient who has died, and the phone of somebody else, also get no messages, unless the
// campaign tries them again.
func (s *settlement) listNumber(c *campaignDelta, e call.Ended) {
	action := c.action(e)
	if e.PersonNumber == "" { // it was erased
		return
	}
	l := listing{call: e, campaign: c, source: suppression.ByCampaign, note: e.Intent.Words()}
	switch e.Intent {
	case conversation.Deceased:
		l.source, l.note = suppression.ByDeceased, ""
	case conversation.WrongPerson:
		l.source, l.note = suppression.ByWrongPerson, ""
	}
	if l.source != suppression.ByCampaign && (action == campaign.IntentStop || action == campaign.IntentDoNotCall) {
		l.channels = append(l.channels, suppression.Message)
	}
	if action == campaign.IntentDoNotCall {
		l.channels = append(l.channels, suppression.Voice)
	}
	if len(l.channels) > 0 {
		s.listings = append(s.listings, l)
	}
}

// addToDoNotCallList adds the numbers of the listings. Every settlement adds numbers in the same
// order, so that two never deadlock.
func (s *settlement) addToDoNotCallList(ctx context.Context) error {
	slices.SortFunc(s.listings, func(a, b listing) int {
		return cmp.Or(
			bytes.Compare(a.call.OrganizationID[:], b.call.OrganizationID[:]),
			cmp.Compare(a.call.PersonNumber, b.call.PersonNumber),
		)
	})
	for _, l := range s.listings {
		e := l.call
		added, err := suppression.AddFromCall(
			ctx, s.tx, e.OrganizationID, e.ID, phone.Number(e.PersonNumber), l.source, l.note, l.channels...,
		)
		if err != nil {
			return err
		}
		if !added {
			continue
		}
		l.campaign.listed.List(string(e.Intent))
		if slices.Contains(l.channels, suppression.Voice) {
			l.campaign.listed.DoNotCall++
		}
		if slices.Contains(l.channels, suppression.Message) {
			l.campaign.listed.Messages++
		}
	}
	return nil
}
