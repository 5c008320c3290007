package web

import (
	"net/http"
	"testing"
)

// A person gives an agent further languages with the buttons of the form, and takes them away again.
func TestAgentLanguages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const add = "/agents"
	held := changed(agentForm(), "kind", "model", "model.instructions", "Ask.", "model.connection_id",
		n.freshModel().String())
	one := v.post(add, changed(held, "action", "add-language")).want(http.StatusOK)
	one.has(`name="languages[0].language"`, "Choose a language").lacks(`name="languages[1].language"`)
	const at = "languages[0]."
	spanish := changed(held, at+"language", "es-US", at+"voice", "amazon:Lupe-Neural", at+"greeting", "Hola {{name}}.",
		at+"inbound_greeting", "Hola {{last_call.name}}, gracias por llamar.",
		at+"disclosure", "", at+"voicemail_message", "", "questions[0].asks[0]", "¿Bien?")
	v.post(add, changed(spanish, "action", "language")).want(http.StatusOK).
		has("In Spanish (US)", "Lupe, female, Amazon Polly Neural", "¿Bien?")
	for _, c := range []struct{ field, value, message string }{
		{at + "language", "en-GB", "Must differ from the agent's other languages"},
		{at + "language", "tlh", "Must be one of"},
		{at + "voice", "amazon:Joanna-Neural", "Speaks en-US and does not fit"},
		{at + "transcription", "deepgram:whisper", "Must be one of"},
		{at + "model", "flash_v9", ""},
		{at + "greeting", "{{", "Must write variables as"},
		{"questions[0].asks[0]", "{{", "Must write variables as"},
	} {
		if got := v.post(add, changed(spanish, c.field, c.value)); c.message != "" {
			got.what += " with " + c.field + " " + c.value
			got.wrong(c.field, c.message)
		}
	}
	twice := []string{"questions[1].ask", "Sure?", "questions[1].key", "ok", "questions[1].expect", "yes_no"}
	v.post(add, changed(held, twice...)).wrong("questions[1].key", "Is also the key of field 1")
	v.post(add, changed(agentForm(), twice...)).wrong("questions[1].key", "Is also the key of question 1")
	w.exec(`update agent set deactivated_at = clock() where name = 'Nora' and organization_id = $1`, n.organization)
	v.post(add, changed(spanish, at+"voice", "elevenlabs:", at+"voice_id", "Rachel")).
		wrong(at+"voice_id", "Must be the ID of an ElevenLabs voice")
	two := changed(spanish, "name", "Ines", "languages[1].language", "", "languages[1].voice", "",
		"languages[2].language",
		"fr-FR", "languages[2].goodbye", "Au revoir.", "questions[0].asks[2]", "Bien ?")
	created := v.post(add, two)
	id := idOf(w, "agent", "name", "Ines")
	created.leads(add + "/" + id.String())
	if !value[bool](w, `
		select script #> '{languages,0}' = $2::jsonb and script #>> '{languages,1,goodbye}' = 'Au revoir.'
		and script #> '{questions,0,asks}' = '{"es-US": "¿Bien?", "fr-FR": "Bien ?"}'
		from agent where id = $1`, id, `{"language": "es-US", "greeting": "Hola {{name}}.", "disclosure": "",
		"inbound_greeting": "Hola {{last_call.name}}, gracias por llamar.",
		"not_understood": "", "goodbye": "", "voicemail_message": "", "speech": {"provider": "amazon",
		"voice": "Lupe-Neural", "model": "", "transcription_provider": "", "transcription_model": ""}}`) {
		t.Errorf("stored %s", value[string](w, `select script from agent where id = $1`, id))
	}
	path := add + "/" + id.String()
	shown := v.get(path).want(http.StatusOK).has("Hola {{name}}.", "Au revoir.", "In French (France)", "Bien ?")
	if !shown.ticked(at+"language", "es-US") || !shown.ticked(at+"voice", "amazon:Lupe-Neural") {
		t.Error("the language and its voice are not chosen")
	}
	v.post(path, changed(two, "action", "language", "questions[0].asks[2]", "-")).want(http.StatusOK).
		has("Some texts are not translated", "French (France): Field 1 without a translation. If no model answers, "+
			"people hear it in English", "French (France): no greeting").
		lacks("Spanish (United States): Field")
	choice := changed(two, "questions[0].expect", "choice", "questions[0].options", "Visit\nCall")
	v.post(path, changed(choice, "action", "language")).has("Choices in French (France)",
		"French (France): Field 1 without translated choices. Answers are understood in English")
	v.post(path, changed(choice, "questions[0].translated_options[2]", "Visite")).
		wrong("questions[0].translated_options[1]", "Must translate each of the 2 choices, in their order")
	v.post(path, changed(choice, "questions[0].translated_options[0]", "Visita\r\nVisita")).
		wrong("questions[0].translated_options[0]", "Sounds the same as choice 1")
	v.post(path, changed(choice, "questions[0].translated_options[0]", "Visita\r\n Llamada \r\n")).leads(path)
	v.get(path).has("Choices in Spanish (US)", "Visita\nLlamada")
	got := value[string](w, `select script #>> '{questions,0,translated_options}' from agent where id = $1`, id)
	if got != `{"es-US": ["Visita", "Llamada"]}` {
		t.Errorf("stored %s", got)
	}
	v.post(path, two).leads(path)
	// A removed language takes its translations along.
	v.post(path, changed(two, "action", "remove-language:0")).want(http.StatusOK).
		has("Bien ?", "Au revoir.").lacks("¿Bien?", "Hola")
	without := changed(two, at+"language", "-", "publish", "yes")
	v.post(path, changed(without, "languages[0].language", "fr-FR", "languages[0].goodbye", "Salut.",
		"questions[0].asks[0]",
		"Ça va ?", "languages[0].greeting", "", "languages[0].inbound_greeting", "",
		"languages[0].voice", "", "languages[1].language", "-")).leads(path)
	v.get(path+"/versions").has("Other language fr-FR, goodbye Before: Au revoir. After: Salut.",
		"Field ok, translation, fr-FR Before: Bien ? After: Ça va ?",
		"Other language es-US Before: greeting when people call: Hola")
	v.post(path, changed(without, "kind", "scripted", "languages[0].language", "fr-FR")).leads(path)
	if value[bool](w, `
		select script ? 'languages' or script #> '{questions,0}' ? 'asks' from agent where id = $1`, id) {
		t.Error("a scripted agent has several languages")
	}
}
