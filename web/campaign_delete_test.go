package web

import (
	"net/http"
	"testing"
)

// A draft and a canceled campaign can be deleted, and no other one.
func TestCampaignIsDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	path := "/campaigns/" + n.newCampaign().String()
	v.get(path).lacks(path + "/delete")
	v.get(path + "/delete").want(http.StatusConflict)
	v.post(path+"/delete", nil).want(http.StatusConflict)
	v.post(path+"/cancel", nil).leads(path)
	v.get(path).has(path + "/delete")
	n.as(n.staff).get(path).lacks(path + "/delete")
	v.get(path+"/delete").
		has("Delete “Aster spring”?", "Recipients who were never called are deleted.", "Keep campaign")
	v.post(path+"/delete", nil).leads("/campaigns")
	v.get("/campaigns").has("Campaign deleted").lacks("Aster spring")
	v.get(path).want(http.StatusNotFound)

	path = v.multi("/campaigns", n.campaignForm(v, "action", "draft"), "", nil).leadsBelow("/campaigns/").
		header.Get("Location")
	v.get(path).has(path + "/delete").lacks("Cancel campaign")
	v.get(path + "/delete").has("The draft is deleted with its 2 recipients.")
	v.post(path+"/delete", nil).leads("/campaigns")
	v.get(path).want(http.StatusNotFound)
}
