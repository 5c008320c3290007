package web

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/dialwright/dialwright/internal/browsertest"
)

func themeOf(tab *browsertest.Tab) string {
	return browsertest.Eval[string](tab, `document.documentElement.dataset.theme ?? ""`)
}

// setUp sets up an empty server as a person does.
func (w *world) setUp(tab *browsertest.Tab) {
	w.t.Helper()
	code, err := w.accounts.OpenSetup(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	tab.Go(w.server.URL)
	if got := tab.Path(); got != "/setup" {
		w.t.Fatalf("an empty server leads to %s", got)
	}
	tab.Go(w.server.URL + "/setup?code=" + code)
	tab.Check("set-up")
	tab.Fill("#organization", "Meridian Home Health")
	tab.Fill("#name", "Ingrid Vasquez")
	tab.Fill("#email", "ingrid@example.com")
	tab.Fill("#password", password)
	tab.Follow("form[action='/setup'] button")
	tab.WaitText("h2", "No campaigns yet")
	tab.Check("overview of nothing")
}

// makeWhatIsMissing makes what the form of a campaign lacks, from its own buttons: a number, whose form in turn lacks a
// connection, and an agent. The project is there from the start.
func makeWhatIsMissing(tab *browsertest.Tab) {
	const save, lacks = ".form-foot button.btn-primary", "button[name=make]"
	tab.Follow(lacks + "[value='/phone-numbers/new']")
	tab.Fill("#phone_number", "+15005559000")
	tab.Follow(lacks + "[value='/settings/integrations/new']")
	tab.Click("input[name=carrier][value=sandbox]")
	tab.Fill("#name", "Sandbox")
	tab.Follow(save)
	tab.WaitFor(`document.getElementById("phone_number")?.value === "+15005559000"`)
	tab.Check("a number after its connection")
	tab.Follow(save)
	tab.WaitText("h1", "New campaign")
	tab.Follow(lacks + "[value='/agents/new']")
	tab.Fill("#name", "Nora")
	tab.Fill("#greeting", "Hello {{name|there}}, this is Nora.")
	tab.Fill(`[name="questions[0].ask"]`, "Will you come on {{day|Monday}}?")
	tab.Fill(`[name="questions[0].key"]`, "coming")
	tab.Follow(save)
	tab.WaitText("h1", "New campaign")
}

// A person sets up an empty server, connects another system, runs a campaign and reads a
// transcript.
func TestJourney(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	at := w.server.URL
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	w.setUp(tab)

	// An API key for another system
	tab.Go(at + "/settings/api-keys/new")
	tab.Fill("#name", "Nightly export")
	tab.Follow(".form-foot button.btn-primary")
	tab.Check("a new key")
	key := browsertest.Eval[string](tab, "document.querySelector('#secret-value').value")
	if !secretValue.MatchString(key) {
		t.Fatalf("the key is %q", key)
	}
	if status := w.api("/campaigns", key); status != http.StatusOK {
		t.Fatalf("the key gets %d", status)
	}
	tab.Click("button[data-copy]")
	tab.WaitText("button[data-copy]", "C") // the button says "Copied", or explains how to copy
	tab.Follow(".secret-value a")
	tab.WaitText("tbody", "127.0.0.1")
	if text := tab.Text("main"); strings.Contains(text, key) || !strings.Contains(text, "Nightly export") {
		t.Errorf("the list of keys reads %s", text)
	}

	// A campaign from a file with invalid rows
	list := filepath.Join(t.TempDir(), "visits.csv")
	if err := os.WriteFile(
		list,
		[]byte(
			"phone_number,name,day\n+15005000001,Olu Adeyemi,Tuesday\n+1500501,Short,Monday\n+15005010002,Mei "+
				"Novak,Friday\n,Nobody,Monday\n+15005020003,Sam Keller,Monday\n",
		),
		0o600,
	); err != nil {
		t.Fatal(err)
	}
	tab.Go(at + "/campaigns/new")
	tab.Check("the form of a campaign without all it needs")
	tab.Fill("#name", "Visits in May")
	tab.Fill("#calls_per_second", "20")
	tab.Click("input[name=calling_hours][value=always]")
	tab.Do("choose a file", chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{list}))
	tab.WaitText("[role=status]", "2 rows need fixing")
	makeWhatIsMissing(tab)
	tab.Check("a checked list")
	if text := tab.Text("main"); !strings.Contains(text, "visits.csv") ||
		!strings.Contains(text, "3 of 5 will be called") || !strings.Contains(text, "No phone number") {
		t.Errorf("the checked list reads %s", text)
	}
	tab.WaitText("aside", "Recipients: replace the list or skip 2 invalid rows")
	tab.Click("#leave_out")
	tab.WaitFor(`!document.querySelector("aside").innerText.includes("skip 2 invalid rows")`)
	tab.Follow("aside button[value=create]")
	tab.WaitText("h1", "Visits in May")
	path := tab.Path()

	// The page follows the campaign to its end without a reload.
	browsertest.Eval[bool](tab, "window.loadedOnce = true")
	tab.WaitText(".page-title .badge", "Completed")
	tab.WaitText("#progress", "3 of 3")
	if !browsertest.Eval[bool](tab, "window.loadedOnce === true") {
		t.Error("the page was loaded anew")
	}
	tab.Check("a completed campaign")
	tab.Screenshot("journey-campaign")

	// The transcript
	tab.Follow("tbody tr:first-child a.row-link")
	tab.WaitText("h1", "Olu Adeyemi")
	if talk := tab.Text(".talk"); !strings.Contains(talk, "Hello Olu Adeyemi, this is Nora.") ||
		!strings.Contains(talk, "Will you come on Tuesday?") || !strings.Contains(talk, "Olu") {
		t.Errorf("the transcript reads %s", talk)
	}
	tab.Check("a call")
	tab.Screenshot("journey-call")
	tab.Go(at + "/calls?said_by=agent")
	tab.Fill("input[name=q]", "Tuesday")
	tab.Follow("form[role=search] button.btn")
	if mark, rows := tab.Text("tbody mark"), tab.Text("tbody"); mark != "Tuesday" ||
		!strings.Contains(rows, "Olu Adeyemi") || strings.Contains(rows, "Mei Novak") {
		t.Errorf("a search marks %q in %s", mark, rows)
	}
	tab.Check("what a search finds")
	tab.Go(at + "/calls?outcome=busy")
	if text := tab.Text("tbody"); !strings.Contains(text, "Mei Novak") || strings.Contains(text, "Olu") {
		t.Errorf("the busy calls read %s", text)
	}

	// The browser keeps the theme.
	tab.Click(".sidebar .to-dark")
	tab.WaitFor(`document.documentElement.dataset.theme === "dark"`)
	// An abandoned request must not lose the theme.
	tab.GoUntil(at+path, `document.documentElement.dataset.theme === "dark"`)
	tab.Check("a campaign in the dark")

	// Revoking a key asks for confirmation.
	tab.Go(at + "/settings/api-keys")
	tab.Click("a[data-confirm]")
	tab.Wait("dialog #confirm-title")
	tab.Check("a question")
	tab.Follow("dialog button.btn-destroy")
	tab.WaitText(".toast", "Key revoked")
	if status := w.api("/campaigns", key); status != http.StatusUnauthorized {
		t.Errorf("the revoked key gets %d", status)
	}

	// An open page whose session ends leads to the sign-in and back.
	tab.Go(at + "/")
	tab.Problems()
	w.exec(`delete from user_session`)
	tab.Do("wait for the sign-in", chromedp.WaitVisible(chromedp.CSS("form[action='/sign-in']")))
	tab.Fill("#email", "ingrid@example.com")
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	tab.WaitText("h1", "Overview")
	for _, problem := range tab.Problems() {
		t.Errorf("at the end: %s", problem)
	}
}

// A person tries an empty server with sample data: one click makes calls, and another one removes all that the first
// one made.
func TestJourneyOfSampleData(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	w.setUp(tab)
	tab.Follow("form[action='/sample'] button")
	tab.WaitText("h1", "Sample data")
	tab.WaitText(".page-title .badge", "Completed")
	tab.WaitText("#progress", "5 of 5")
	tab.Check("a campaign of sample data")
	tab.Screenshot("journey-sample")
	tab.Go(w.server.URL + "/")
	tab.WaitText("h2", "Make your own calls")
	tab.Check("the overview beside sample data")
	made := w.madeBySample()
	tab.Follow("form[action='/sample/remove'] button")
	tab.WaitText(".toast", "Sample data removed")
	tab.WaitText("h2", "No campaigns yet")
	w.lacksSample(made)
	for _, problem := range tab.Problems() {
		t.Errorf("at the end: %s", problem)
	}
}

// A person makes a campaign of a spreadsheet: they choose the meaning of its columns,
// download the invalid rows, and call the valid ones.
func TestJourneyOfASpreadsheet(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	n := w.newTenant("Aster")
	at := w.server.URL
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Go(at + "/campaigns/new")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")

	// Excel in Germany writes Windows-1252, separated by semicolons.
	list := filepath.Join(t.TempDir(), "liste.csv")
	if err := os.WriteFile(
		list,
		[]byte(
			"Kunde;Nummer1;Nummer2;B\xfcro\r\nZo\xeb Okafor;12;(500) 500-0001;Mitte\r\nMei "+
				"Novak;13;=\"+15005000002\";Nord\r\nBad Row;14;4,91E+11;S\xfcd\r\nZo\xeb again;15;5005000001;Mitte\r\n",
		),
		0o600,
	); err != nil {
		t.Fatal(err)
	}
	tab.Fill("#name", "From a spreadsheet")
	browsertest.Eval[bool](tab, "window.loadedOnce = true")
	tab.Do("choose a file", chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{list}))
	tab.WaitText(".panel-head", "liste.csv")
	tab.Check("a list whose columns are guessed")
	if text := tab.Text("main"); !strings.Contains(text, "Windows-1252, separated by semicolons") ||
		!strings.Contains(text, "Büro") {
		t.Errorf("the list reads %s", text)
	}
	choose := func(column, use string) {
		t.Helper()
		browsertest.Eval[bool](tab, `(() => {
			const field = document.getElementsByName("`+column+`")[0];
			field.value = "`+use+`";
			return field.dispatchEvent(new Event("change", { bubbles: true }));
		})()`)
	}
	choose("column.0", "name")
	tab.WaitText(".preview thead", "büro") // kunde is no longer a variable, so another column fits
	tab.WaitFor(`document.getElementsByName("column.0")[0].querySelector("option[selected]")?.value === "name"`)
	choose("column.1", "none")
	tab.WaitFor(`document.getElementsByName("column.1")[0].querySelector("option[selected]")?.value === "none"`)
	tab.WaitText("aside", "2 of 4 will be called")
	tab.WaitText("aside", "1 duplicate")
	if !browsertest.Eval[bool](
		tab, `window.loadedOnce === true && document.getElementById("name").value === "From a spreadsheet"`,
	) {
		t.Error("the page was loaded anew, or what was typed is lost")
	}
	tab.Check("a list whose columns were said")
	tab.Screenshot("journey-spreadsheet")

	// The invalid rows as a file
	file := browsertest.Eval[string](tab, `(async () => {
		const form = document.querySelector("form.page-body");
		const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new FormData(form, `+
		`form.querySelector("button[value=rejected]")) });
		return answer.headers.get("Content-Disposition") + "\n" + await answer.text();
	})()`)
	if want := "attachment; filename=rows-to-fix.csv\nrow;reason;Kunde;Nummer1;Nummer2;Büro\r\n4;the spreadsheet " +
		"rounded this number. Format its column as text;Bad Row;14;4,91E+11;Süd\r\n"; strings.TrimPrefix(
		strings.Replace(file, "\uFEFF", "", 1), "\n",
	) != want {
		t.Errorf("the file is %q, want %q", file, want)
	}

	tab.Click("#leave_out")
	tab.Follow("aside button[value=create]")
	tab.WaitText("h1", "From a spreadsheet")
	tab.WaitText("#progress", "of 3")
	if got := value[string](
		w,
		`select string_agg(concat_ws(' ', name, phone_number, coalesce(skip_reason, '')), ', ' order by id)
			from recipient`,
	); got != "Zoë Okafor +15005000001 , Mei Novak +15005000002 , Zoë again +15005000001 duplicate" {
		t.Errorf("the recipients are %q", got)
	}
	for _, problem := range tab.Problems() {
		t.Errorf("at the end: %s", problem)
	}
}

// The same journey in a browser without scripts
func TestJourneyWithoutScripts(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	n := w.newTenant("Aster")
	at := w.server.URL
	_, key := n.newKey("export")
	tab := browsertest.Open(t).NewTab(t)
	tab.Scripts(false)
	tab.Emulate(browsertest.Views[2])
	tab.Go(at + "/campaigns")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	if got := tab.Path(); got != "/campaigns" {
		t.Fatalf("the sign-in leads to %s", got)
	}

	tab.Go(at + "/campaigns/new")
	tab.Fill("#name", "Without scripts")
	tab.Fill("#recipients", "phone_number,name\n+15005000001,Olu Adeyemi\n12,Nobody\n")
	tab.Follow("#check")
	if text := tab.Text("main"); !strings.Contains(text, "1 of 2 will be called") ||
		!strings.Contains(text, "1 row needs fixing") {
		t.Errorf("the checked list reads %s", text)
	}
	tab.Click("#leave_out")
	tab.Follow("#summary-foot button[value=create]")
	path := tab.Path()
	if path == "/campaigns" {
		t.Fatalf("no campaign was created: %s", tab.Text("main"))
	}
	tab.GoUntil(at+path, `document.querySelector(".page-title").innerText.includes("Completed")`)
	tab.Follow("tbody a.row-link")
	if text := tab.Text("main"); !strings.Contains(text, "Olu Adeyemi") ||
		!strings.Contains(tab.Text(".talk"), "Hello.") {
		t.Errorf("the call reads %s", text)
	}

	tab.Follow(".topbar a[href='#nav']")
	tab.Wait(".sidebar .to-dark")
	tab.Follow(".sidebar .to-dark")
	if chosen := themeOf(tab); chosen != "dark" {
		t.Errorf("the theme is %q", chosen)
	}

	tab.Go(at + "/settings/api-keys")
	tab.Follow("a[data-confirm]")
	tab.Follow("#confirm button.btn-destroy")
	if status := w.api("/campaigns", key); status != http.StatusUnauthorized {
		t.Errorf("the revoked key gets %d", status)
	}
	tab.Go(at + "/#nav")
	tab.Follow("form[action='/sign-out'] button")
	if text := tab.Text("main"); !strings.Contains(text, "You are signed out") {
		t.Errorf("the sign-out reads %s", text)
	}
}
