package views

// The pages that others link to by an identifier.

func campaignPath(id string) string { return "/campaigns/" + id }
func callPath(id string) string     { return "/calls/" + id }
