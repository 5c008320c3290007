package web

import (
	"strconv"
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// The questions of an agent change in place with scripts, and through a new page without
// scripts. The focus moves to the changed question.
func TestQuestionsInABrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	desk := n.newDestination()
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Go(w.server.URL + "/sign-in")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	const (
		asks  = `[...document.querySelectorAll("textarea[name$='.ask']")].map((q) => q.value).join()`
		focus = `document.activeElement.querySelector(".sr-only .of-scripted")?.textContent ??
			document.activeElement.name`
		add    = "button[value=add]"
		second = `[name="questions[1].ask"]`
		branch = "questions[0].branches[0]."
	)
	for _, scripts := range []bool{true, false} {
		tab.Scripts(scripts)
		tab.Go(w.server.URL + "/agents/new")
		const held = `[document.querySelector("#s-questions").innerText,
			...["[name='model.instructions']", "#try button[value=begin]"].map(
				(s) => document.querySelector(s).checkVisibility())].join()`
		tab.WaitFor(held + ` === "Questions,false,true"`)
		tab.Click("[name=kind][value=model]")
		tab.WaitFor(held + ` === "Fields to collect,true,true"`)
		const labels = `document.querySelector("#questions").innerText.replace(/\s+/g, " ")`
		tab.WaitFor(labels + `.includes("Field 1, question Asked in these words")`)
		tab.WaitFor(labels + `.includes("Description optional") && ` + labels + `.includes("Add field")`)
		tab.WaitFor("!" + labels + `.includes("Question 1")`)
		tab.Click("[name=kind][value=scripted]")
		tab.WaitFor(held + ` === "Questions,false,true"`)
		tab.Fill("#name", "Zoe")
		tab.Fill("#greeting", "Hello {{name|there}}, this is {{agent}}.")
		tab.Fill(`[name="questions[0].ask"]`, "First?")
		change := func(button, want, focused string) {
			t.Helper()
			if scripts {
				browsertest.Eval[bool](tab, "window.loadedOnce = true")
				tab.Click(button)
			} else {
				tab.Follow(button)
			}
			tab.WaitFor(asks + " === " + strconv.Quote(want))
			tab.WaitFor("(" + focus + ") === " + strconv.Quote(focused))
			if scripts && !browsertest.Eval[bool](tab, "window.loadedOnce === true") {
				t.Error("the page was loaded anew")
			}
		}
		change(add, "First?,", "questions[1].ask")
		tab.Fill(second, "Second?")
		// A browser writes this attribute when a person resizes a text area.
		browsertest.Eval[string](tab, `document.querySelector('[name="questions[1].ask"]').style.height = "150px"`)
		change(`button[value="up:1"]`, "Second?,First?", "Move question 1 down")
		change(`button[value="insert:0"]`, "Second?,,First?", "questions[1].ask")
		change(`button[value="remove:1"]`, "Second?,First?", "Remove question 2")
		change(`button[value="branch:0"]`, "Second?,First?", branch+`answer`)
		tab.Fill(`[name="`+branch+`then"]`, "end")
		tab.Fill(`[name="`+branch+`say"]`, "Bye then.")
		if scripts { // the overview and the sentence of the branch follow the form, as the conversation beside it does
			tab.WaitText("#flow", "ends the call")
			tab.WaitText("#branch-0-0", "ends the call")
			tab.Check("the questions of an agent")
			tab.Click("#try button[value=begin]")
			tab.WaitText("#try", "Hello there, this is Zoe.")
			tab.Fill("#say", "yes")
			tab.Click("#try button[value=say]")
			tab.WaitText("#try", "Recorded second: true")
			tab.WaitText("#try", "The answer skips 1 question")
			tab.WaitText("#try", "Bye then.")
			tab.WaitText("#try", "Did not apply")
			tab.Check("an agent that is tried beside its form")
			tab.WaitFor(asks + ` === "Second?,First?"`)
			// What is wrong is marked in the form, also behind an empty question, until it is mended.
			const marked = `[...document.querySelectorAll("#agent [aria-invalid]")].map((field) =>
				field.name + " " + document.getElementById(field.getAttribute("aria-describedby")).innerText).join()`
			change(`button[value="insert:0"]`, "Second?,,First?", "questions[1].ask")
			tab.Fill(`[name="questions[2].key"]`, "Not A Key")
			tab.Click("#try button[value=begin]")
			tab.WaitText("#try", "Question 3, key: must be 1 to 40")
			tab.WaitFor("(" + marked + `).startsWith("questions[2].key Must be 1 to 40")`)
			tab.Fill(`[name="questions[2].key"]`, "first")
			tab.Click("#try button[value=begin]")
			tab.WaitText("#try", "Hello there, this is Zoe.")
			tab.WaitFor("(" + marked + `) === ""`)
			continue
		}
		tab.Follow("#try button[value=begin]")
		tab.WaitText("main", "Hello there, this is Zoe.")
		tab.Fill("#say", "no")
		tab.Follow("#try button.btn-primary")
		tab.WaitText("main", "Recorded second: false")
		tab.Fill("#keys", "x")
		tab.Follow("#try button[value=press]")
		tab.WaitText("main", "Must be 1 to 20 of the keys")
		tab.Follow("button[value=edit]")
		tab.WaitFor(asks + ` === "Second?,First?"`)
	}
	// Only the fields for the type of the answer are shown.
	const fields = `[...document.querySelectorAll("[name^='questions[0].branches[0].']")].filter(
		(f) => f.checkVisibility()).map((f) => f.name.slice("questions[0].branches[0].".length)).join()`
	tab.WaitFor(fields + ` === ""`)
	tab.Click("#branch-0-0")
	tab.WaitFor(fields + ` === "answer,then,say"`)
	tab.Fill(`[name="questions[0].expect"]`, "number")
	tab.WaitFor(fields + ` === "at_most,at_least,then,say"`)
	tab.Fill(`[name="questions[0].expect"]`, "text")
	tab.WaitFor(fields + ` === "then,say"`)
	tab.Fill(`[name="`+branch+`then"]`, "")
	tab.Follow(".form-foot button.btn-primary")
	tab.WaitText("main", "Choose what follows")
	tab.Fill(`[name="`+branch+`then"]`, "destination:"+desk.String())
	tab.Follow(".form-foot button.btn-primary")
	tab.WaitText("main", "transfers the call to")
	tab.WaitText("main", "version 1 published")

	// On a phone, each version is a card whose lines are as wide as the page.
	agent := tab.Path()
	tab.Scripts(true)
	tab.Emulate(browsertest.Views[2])
	tab.Go(w.server.URL + agent + "/versions")
	tab.WaitText("tbody", "Made by")
	tab.WaitFor(`[...document.querySelectorAll("tbody td:is(.next, .counted)")].every((cell) =>
		cell.clientWidth === cell.closest("tr").clientWidth)`)

	// The menu of a phone names no key.
	const hint = `document.querySelector(".jump").checkVisibility() &&
		document.querySelector(".jump kbd").checkVisibility()`
	tab.Go(w.server.URL + "/agents#nav")
	tab.WaitFor(`document.querySelector(".jump").checkVisibility()`)
	if browsertest.Eval[bool](tab, hint) {
		t.Error("the menu of a phone names a key")
	}
	tab.Emulate(browsertest.Views[0])
	tab.WaitFor(hint)

	// The form of a carrier connection shows what the carrier needs, with scripts and without.
	const account = `["#name", "#account", "#token", "#region", "#api_key", "#calls_per_second", "#relay_rate"].map(
		(s) => document.querySelector(s).checkVisibility()).join()`
	for _, scripts := range []bool{true, false} {
		tab.Scripts(scripts)
		tab.Go(w.server.URL + "/settings/integrations/new")
		tab.WaitFor(account + ` === "true,true,true,true,true,true,true"`)
		tab.Click("[name=carrier][value=sandbox]")
		tab.WaitFor(account + ` === "true,false,false,false,false,false,true"`)
		tab.Click("[name=carrier][value=twilio]")
		tab.WaitFor(account + ` === "true,true,true,true,true,true,true"`)
	}

	// The form of a model connection shows what its provider needs.
	tab.Go(w.server.URL + "/settings/integrations/models/new")
	const needs = `["#url", "#key", "#sandbox_model"].map((s) => document.querySelector(s).checkVisibility()).join()`
	tab.WaitFor(needs + ` === "true,true,false"`)
	tab.Click("[name=provider][value=sandbox]")
	tab.WaitFor(needs + ` === "false,false,true"`)
}
