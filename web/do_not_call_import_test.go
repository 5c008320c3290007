package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestDoNotCallFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const path = "/do-not-call/import"
	v.get(path).want(http.StatusOK).has("Choose a CSV file")
	fields := form("region", "US", "channel", "both")
	v.multi(path, fields, "", nil).want(http.StatusUnprocessableEntity).has("Choose a file")
	v.multi(path, fields, "list.csv", strings.NewReader("name;town\nAna;Ulm\n")).want(http.StatusUnprocessableEntity).
		has("No column is named phone_number. The columns are ")

	file := "Phone;Note\n(312) 555-0142;=1+1\n+13125550142;again\ncall me;\n+49 30 901820;By letter\n"
	checked := v.multi(path, fields, "list.csv", strings.NewReader(file)).want(http.StatusOK)
	checked.has("list.csv", "2 numbers", "4 rows", "1 row repeats a number above", "call me", "Add 2 numbers",
		"Calls and messages to these numbers will be blocked.",
		"two entries on the list, one for calls and one for messages")
	if got := value[int](w, `select count(*)::int from do_not_call`); got != 0 {
		t.Errorf("%d entries before anybody agreed", got)
	}
	upload := regexp.MustCompile(`name="upload" value="([^"]+)"`).FindStringSubmatch(checked.body)
	if upload == nil {
		t.Fatal("no upload is named")
	}
	fields.Set("upload", upload[1])
	fields.Set("action", "problems")
	v.post(path, fields).want(http.StatusOK).has("row;phone_number;reason", "4;call me;")
	fields.Set("action", "add")
	v.post(path, fields).leads("/do-not-call")
	v.get("/do-not-call").has("2 numbers added. Calls and messages to them are blocked.", "+49 30 901820", "Imported",
		"By letter").lacks("entries added")
	v.post(path, fields).want(http.StatusUnprocessableEntity).has("The file was deleted")
	if got := value[int](
		w,
		`select count(*)::int from audit_entry
			where action = 'do_not_call.imported' and actor_id = $1 and data::text not like '%312%'`,
		n.admin.id,
	); got != 1 {
		t.Errorf("%d entries in the audit log", got)
	}

	v.get("/do-not-call?channel=message&source=import").has("+1 312 555 0142")
	v.get("/do-not-call?source=call").has("No entry matches")
	v.get("/do-not-call/export?channel=voice").want(http.StatusOK).
		has("phone_number,channel,source,note", "+13125550142,voice,import,'=1+1,", "+4930901820").lacks("message")
}

// The form of an import counts numbers, not entries, and says what is blocked.
func TestDoNotCallImportCountsNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const path = "/do-not-call/import"
	for _, c := range []struct{ channel, numbers, asked, told string }{
		{"message", "+13125550142\n", "Messages to this number will be blocked. This import does not block calls.",
			"1 number added. Messages to it are blocked."},
		{"both", "+13125550142\n+13125550143\n", "Calls and messages to these numbers will be blocked.",
			"2 numbers added. Calls and messages to them are blocked."},
		{"both", "+13125550142\n", "Calls and messages to this number will be blocked.",
			"The number was already on the list. Calls and messages to it are blocked."},
		{"voice", "+13125550142\n+13125550144\n",
			"Calls to these numbers will be blocked. This import does not block messages.",
			"1 number added, 1 already on the list. Calls to them are blocked."},
		{"voice", "+13125550142\n+13125550144\n",
			"Calls to these numbers will be blocked. This import does not block messages.",
			"2 numbers were already on the list. Calls to them are blocked."},
	} {
		fields := form("region", "US", "channel", c.channel)
		checked := v.multi(path, fields, "list.csv", strings.NewReader(c.numbers)).want(http.StatusOK).has(c.asked)
		fields.Set("upload", checked.field("upload"))
		fields.Set("action", "add")
		v.post(path, fields).leads("/do-not-call")
		v.get("/do-not-call").has(c.told)
	}
}

func TestErasureForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const path = "/settings/erasures"
	v.post(path, form("phone_number", "+13125550142", "confirm", "yes")).wrong("confirm", "Type “erase” to confirm")
	v.post(path, form("phone_number", "call me", "confirm", "erase")).wrong("phone_number", "")
	if got := value[int](w, `select count(*)::int from erasure`); got != 0 {
		t.Errorf("%d erasures", got)
	}
	v.post(path, form("phone_number", "(312) 555-0142", "confirm", " Erase ")).leads(path)
	v.get(path).has("Erasing the person", "In progress", "Aster Ada").lacks("555")
	if err := w.app.Erasures.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.get(path).has("Completed")
	v.get("/do-not-call?q=%2B13125550142").has("Erased number", "Person erased")
}

// An entry that is older than the erasure says that the person was erased, too, and so does the question before it is
// removed.
func TestEntriesOfAnErasedPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.post("/do-not-call", form("phone_number", "+13125550142", "channel", "voice")).leads("/do-not-call")
	v.post("/do-not-call", form("phone_number", "+13125550143", "channel", "voice")).leads("/do-not-call")
	entry := value[string](w, `select id::text from do_not_call where phone_number = '+13125550142'`)
	const warning = "The person was erased. Remove the entry only if they want to hear from you again."
	v.get("/do-not-call/" + entry + "/remove").has("Reason").lacks(warning)
	v.get("/settings/erasures").has("It can be called or messaged again only if somebody removes it from the list.")
	v.post("/settings/erasures", form("phone_number", "+13125550142", "confirm", "erase")).leads("/settings/erasures")

	list := v.get("/do-not-call?source=erasure").has("Person erased Added manually", "Person erased Aster Ada").
		lacks("+1 312 555 0143")
	if shown := strings.Count(list.body, "/remove"); shown != 3 { // two entries, and the form that removes many
		t.Errorf("%d entries of the erased person", shown)
	}
	v.get("/do-not-call?q=%2B13125550142&channel=voice").has("Person erased Added manually")
	v.get("/do-not-call/"+entry+"/remove").has(warning, "Campaigns can call this number again.").lacks("Reason")
	v.get("/do-not-call/export?source=erasure").has(entry).lacks("+13125550143")
	other := w.newTenant("Other")
	other.as(other.admin).get("/do-not-call?source=erasure").lacks("Erased number")
}

// Pages describe the remaining data of an erased person in words, and show no empty link.
func TestWhatIsLeftOfAnErasedPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	call, campaign, message := n.newCall().String(), n.newCampaign().String(), n.newMessage().String()
	w.exec(`update call set person_number = '+15005559000' where id = $1`, call)
	w.exec(`update recipient set phone_number = '+15005559000' where campaign_id = $1`, campaign)
	v.post("/settings/erasures", form("phone_number", "+15005559000", "confirm", "erase")).leads("/settings/erasures")
	if err := w.app.Erasures.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"/calls", "/calls/" + call, "/campaigns/" + campaign, "/messaging/messages", "/messaging/messages/" + message,
	} {
		v.get(path).want(http.StatusOK).has("Erased number").lacks("Olu", "+15005559000")
	}
	v.get("/calls/" + call).has("The transcript was deleted with the person").lacks("Nothing was said")
	v.get("/messaging/messages/" + message).has("Unknown: the number was erased").lacks("Calls with this number")
	entry := value[string](w, `select id::text from do_not_call where channel = 'voice'`)
	v.post("/do-not-call/"+entry+"/remove", nil).leads("/do-not-call")
	v.get("/do-not-call").has("Number removed from the list")
}
