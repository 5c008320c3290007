package messaging

// Quota is how many recipients one number may still write to.
type Quota struct {
	ExternalID string
	Name       *string // as registered
	Tier       int     // distinct recipients in 24 hours, for all numbers of its scope
	Used       int     // recipients in the window, of campaigns and single sends of all these numbers
}

// Available returns how many more recipients may get a message now.
func (q Quota) Available() int { return max(q.Tier-q.Used, 0) }

// QuotaResource is a number's quota as the API shows it.
type QuotaResource struct {
	ExternalID string  `json:"external_id"`
	Name       *string `json:"name"`
	Tier       int     `json:"tier"`
	Used24h    int     `json:"used_24h"`
	Available  int     `json:"available"`
}

// Resource converts a number's quota.
func (q Quota) Resource() QuotaResource {
	return QuotaResource{
		ExternalID: q.ExternalID, Name: q.Name, Tier: q.Tier, Used24h: q.Used, Available: q.Available(),
	}
}
