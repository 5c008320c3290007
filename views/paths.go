package views

// Paths of pages that other pages link to by ID.

func campaignPath(id string) string   { return "/campaigns/" + id }
func recipientsPath(id string) string { return campaignPath(id) + "/recipients" }

func recipientPath(campaignID, id string) string { return recipientsPath(campaignID) + "/" + id }
func callPath(id string) string                  { return "/calls/" + id }
func webhookPath(id string) string               { return "/webhooks/" + id }
func deliveryPath(webhookID, id string) string {
	return webhookPath(webhookID) + "/deliveries/" + id
}

const (
	templatesPath = "/messaging/templates"
	messagesPath  = "/messaging/messages"
	whatsappPath  = "/settings/integrations/whatsapp"
)

func templatePath(id string) string           { return templatesPath + "/" + id }
func messagePath(id string) string            { return messagesPath + "/" + id }
func whatsappConnectionPath(id string) string { return whatsappPath + "/" + id }
