package views

// The pages that others link to by an identifier.

func campaignPath(id string) string { return "/campaigns/" + id }
func callPath(id string) string     { return "/calls/" + id }
func webhookPath(id string) string  { return "/webhooks/" + id }
func deliveryPath(webhookID, id string) string {
	return webhookPath(webhookID) + "/deliveries/" + id
}
