package messaging

// Quota is what one number may still start.
type Quota struct {
	ExternalID string
	Name       *string // as registered
	Tier       int     // distinct recipients in 24 hours, of all numbers of its scope
	Used       int     // of them in the window, campaigns and single sends of all these numbers together
}

// Available is how many more recipients may be written to now.
func (q Quota) Available() int { return max(q.Tier-q.Used, 0) }

// QuotaResource is what one number may still start, as the API shows it.
type QuotaResource struct {
	ExternalID string  `json:"external_id"`
	Name       *string `json:"name"`
	Tier       int     `json:"tier"`
	Used24h    int     `json:"used_24h"`
	Available  int     `json:"available"`
}

// Resource converts a number's quota.
func (q Quota) Resource() QuotaResource {
	return QuotaResource{ExternalID: q.ExternalID, Name: q.Name, Tier: q.Tier, Used24h: q.Used, Available: q.Available()}
}
