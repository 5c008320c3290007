package views

import "net/url"

// Paths of pages that other pages link to by ID.

func campaignPath(id string) string   { return "/campaigns/" + id }
func recipientsPath(id string) string { return campaignPath(id) + "/recipients" }

func recipientPath(campaignID, id string) string { return recipientsPath(campaignID) + "/" + id }
func callPath(id string) string                  { return "/calls/" + id }
func webhookPath(id string) string               { return "/webhooks/" + id }
func deliveryPath(webhookID, id string) string {
	return webhookPath(webhookID) + "/deliveries/" + id
}

// FromList returns the address of a page that was opened from a list with a query, such as its filters. The page leads
// back to the list as it was.
func FromList(path, query string) string {
	if query == "" {
		return path
	}
	return path + "?filter=" + url.QueryEscape(query)
}

// AsFiltered returns the address of a list with a query.
func AsFiltered(path, query string) string {
	if query == "" {
		return path
	}
	return path + "?" + query
}

// Returning returns the address of a form or a question, which leads back to a page of this site.
func Returning(href, to string) string { return href + "?return=" + url.QueryEscape(to) }

// askedOf returns the address of a question on a page that was opened from a list with a query.
func askedOf(page, question, query string) string {
	if query == "" {
		return page + question
	}
	return Returning(page+question, FromList(page, query))
}

const (
	templatesPath = "/messaging/templates"
	messagesPath  = "/messaging/messages"
	whatsappPath  = "/settings/integrations/whatsapp"
)

func templatePath(id string) string           { return templatesPath + "/" + id }
func messagePath(id string) string            { return messagesPath + "/" + id }
func whatsappConnectionPath(id string) string { return whatsappPath + "/" + id }
