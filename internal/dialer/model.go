package dialer

import (
	"fmt"
	"time"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/model/connection"
)

// modelLimits are the limits of the language model that holds the campaign's calls. Without a model, all are zero.
type modelLimits struct {
	ModelName     string // of the connection
	ModelStreams  int
	ModelCalls    int // calls in the air with the connection
	ModelFailures int // in a row
	ModelError    string
	ModelHelped   bool       // the other connection of the agent works
	ModelPause    *time.Time // until then, its server wants no new calls
}

// sqlModel reads the limits for the agent of a query. If the campaign splits its recipients between two versions, the
// connection with the fewest free streams counts.
const (
	modelColumns = `coalesce(m.name, '') as model_name, coalesce(m.streams, 0) as model_streams,
		coalesce(m.calls, 0) as model_calls, coalesce(m.failures, 0) as model_failures,
		coalesce(m.last_error, '') as model_error, coalesce(m.helped, false) as model_helped,
		m.throttled_until as model_pause`

	sqlModel = `left join lateral (
			select n.name, n.streams, n.failures, n.last_error, n.throttled_until, k.calls,
			       exists (select from model_connection o
				where o.id = (v.script -> 'model' ->> 'fallback_connection_id')::uuid
				  and o.deactivated_at is null and o.failures < @most_model_failures
				  and coalesce(o.throttled_until <= clock(), true)) as helped
			from agent_version v
			join model_connection n on n.id = (v.script -> 'model' ->> 'connection_id')::uuid,
			lateral (select count(*) as calls from call where model_connection_id = n.id and ended_at is null) k
			where v.id in (select agent_version_id from campaign where id = @id and agent_version_id is not null
				union all select split_version_id from campaign where id = @id and split_version_id is not null
				union all select agent.published_version_id from campaign
					where id = @id and agent_version_id is null)
			order by n.failures desc, n.streams - k.calls
			limit 1) m on true`
)

// pauses reports whether the server wants no new calls now, and no other one helps.
func (m modelLimits) pauses(now time.Time) bool {
	return m.ModelPause != nil && m.ModelPause.After(now) && !m.ModelHelped
}

// limit allows as many calls as the connection has streams, and no new ones while its server wants none.
func (m modelLimits) limit(now time.Time) limit {
	switch {
	case m.ModelName == "":
		return limit{}
	case m.pauses(now):
		return limit{&m.ModelCalls, m.ModelCalls, campaign.WaitModelStreams}
	}
	return limit{&m.ModelStreams, m.ModelCalls, campaign.WaitModelStreams}
}

// problem says why calls with the model should not start, or is empty.
func (m modelLimits) problem() string {
	if m.ModelFailures < connection.MostFailures || m.ModelHelped {
		return ""
	}
	return fmt.Sprintf("The language model %s failed %d times in a row: %s. Check its connection under Integrations",
		m.ModelName, m.ModelFailures, m.ModelError)
}
