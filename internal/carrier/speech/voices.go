package speech

import "strings"

// voices are the voices of all providers, those of a provider in the order of their quality.
var voices = allVoices()

// table lists the voices of Google and Amazon for the languages of agents, as Twilio documents them
// for <Say> and ConversationRelay. The names of Google omit the locale, with which they begin.
//
// Source: https://www.twilio.com/docs/voice/twiml/say/text-speech#available-voices-and-languages, as of
// May 2025, and for Journey-O https://www.twilio.com/docs/voice/twiml/connect/conversationrelay. Twilio
// documents no voice of Amazon for Czech and Greek.
var table = []struct {
	locale   string
	provider Provider
	gender   Gender
	names    string
}{
	{"en-US", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-C Neural2-E " +
		"Neural2-F Neural2-G Neural2-H Wavenet-C Wavenet-E Wavenet-F Wavenet-G Wavenet-H " +
		"Journey-O Standard-C Standard-E Standard-F Standard-G Standard-H"},
	{"en-US", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-A Neural2-D " +
		"Neural2-I Neural2-J Wavenet-A Wavenet-B Wavenet-D Wavenet-I Wavenet-J Standard-A " +
		"Standard-B Standard-D Standard-I Standard-J"},
	{"en-US", Amazon, Female, "Danielle-Generative Joanna-Generative Ruth-Generative Danielle-Neural Ivy-Neural " +
		"Joanna-Neural Kendra-Neural Kimberly-Neural Ruth-Neural Salli-Neural Ivy Joanna Kendra " +
		"Kimberly Salli"},
	{"en-US", Amazon, Male, "Matthew-Generative Stephen-Generative Gregory-Neural Joey-Neural Justin-Neural " +
		"Kevin-Neural Matthew-Neural Stephen-Neural Joey Justin Kevin Matthew"},
	{"en-GB", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-N Wavenet-N " +
		"Standard-N"},
	{"en-GB", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-O Wavenet-O " +
		"Standard-O"},
	{"en-GB", Amazon, Female, "Amy-Generative Amy-Neural Emma-Neural Amy Emma"},
	{"en-GB", Amazon, Male, "Arthur-Neural Brian-Neural Brian"},
	{"en-AU", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-A Neural2-C " +
		"Wavenet-A Wavenet-C Standard-A Standard-C"},
	{"en-AU", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-B Neural2-D " +
		"Wavenet-B Wavenet-D Standard-B Standard-D"},
	{"en-AU", Amazon, Female, "Olivia-Generative Olivia-Neural Nicole"},
	{"en-AU", Amazon, Male, "Russell"},
	{"en-IN", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-A Neural2-D " +
		"Wavenet-A Wavenet-D Wavenet-E Standard-A Standard-D Standard-E"},
	{"en-IN", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-B Neural2-C " +
		"Wavenet-B Wavenet-C Wavenet-F Standard-B Standard-C Standard-F"},
	{"en-IN", Amazon, Female, "Kajal-Generative Kajal-Neural Aditi Raveena"},
	{"cs-CZ", Google, Female, "Wavenet-B Standard-B"},
	{"da-DK", Google, Female, "Wavenet-F Standard-F"},
	{"da-DK", Google, Male, "Wavenet-G Standard-G"},
	{"da-DK", Amazon, Female, "Sofie-Neural Naja"},
	{"da-DK", Amazon, Male, "Mads"},
	{"de-DE", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-G Wavenet-G " +
		"Standard-G"},
	{"de-DE", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-H Wavenet-H " +
		"Standard-H"},
	{"de-DE", Amazon, Female, "Vicki-Generative Vicki-Neural Marlene Vicki"},
	{"de-DE", Amazon, Male, "Daniel-Generative Daniel-Neural Hans"},
	{"de-AT", Amazon, Female, "Hannah-Neural"},
	{"el-GR", Google, Female, "Wavenet-B Standard-B"},
	{"es-ES", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-H Wavenet-F " +
		"Wavenet-H Standard-A Standard-F Standard-H"},
	{"es-ES", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-G Wavenet-E " +
		"Wavenet-G Standard-E Standard-G"},
	{"es-ES", Amazon, Female, "Lucia-Generative Lucia-Neural Conchita Lucia"},
	{"es-ES", Amazon, Male, "Sergio-Generative Sergio-Neural Enrique"},
	{"es-MX", Amazon, Female, "Mía-Generative Mia-Neural Mia"},
	{"es-MX", Amazon, Male, "Andres-Generative Andres-Neural"},
	{"es-US", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-A Wavenet-A " +
		"Standard-A"},
	{"es-US", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-B Neural2-C " +
		"Wavenet-B Wavenet-C Standard-B Standard-C"},
	{"es-US", Amazon, Female, "Lupe-Generative Lupe-Neural Lupe Penelope"},
	{"es-US", Amazon, Male, "Pedro-Generative Pedro-Neural Miguel"},
	{"fr-FR", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-F Wavenet-F " +
		"Standard-F"},
	{"fr-FR", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-G Wavenet-G " +
		"Standard-G"},
	{"fr-FR", Amazon, Female, "Lea-Generative Lea-Neural Celine Lea"},
	{"fr-FR", Amazon, Male, "Rémi-Generative Remi-Neural Mathieu"},
	{"fr-CA", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-A Neural2-C " +
		"Wavenet-A Wavenet-C Standard-A Standard-C"},
	{"fr-CA", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-B Neural2-D " +
		"Wavenet-B Wavenet-D Standard-B Standard-D"},
	{"fr-CA", Amazon, Female, "Gabrielle-Neural Chantal"},
	{"fr-CA", Amazon, Male, "Liam-Neural"},
	{"it-IT", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Wavenet-A Wavenet-E " +
		"Standard-A Standard-E"},
	{"it-IT", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-F Wavenet-F " +
		"Standard-F"},
	{"it-IT", Amazon, Female, "Bianca-Generative Bianca-Neural Bianca Carla"},
	{"it-IT", Amazon, Male, "Adriano-Neural Giorgio"},
	{"nb-NO", Google, Female, "Wavenet-F Standard-F"},
	{"nb-NO", Google, Male, "Wavenet-G Standard-G"},
	{"nb-NO", Amazon, Female, "Ida-Neural Liv"},
	{"nl-NL", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Wavenet-F Standard-F"},
	{"nl-NL", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Wavenet-G Standard-G"},
	{"nl-NL", Amazon, Female, "Laura-Neural Lotte"},
	{"nl-NL", Amazon, Male, "Ruben"},
	{"nl-BE", Google, Female, "Wavenet-C Standard-C"},
	{"nl-BE", Google, Male, "Wavenet-D Standard-D"},
	{"nl-BE", Amazon, Female, "Lisa-Neural"},
	{"pl-PL", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Wavenet-F Standard-F"},
	{"pl-PL", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Wavenet-G Standard-G"},
	{"pl-PL", Amazon, Female, "Ola-Neural Ewa Maja"},
	{"pl-PL", Amazon, Male, "Jacek Jan"},
	{"pt-BR", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Neural2-A Neural2-C " +
		"Wavenet-C Wavenet-D Standard-C Standard-D"},
	{"pt-BR", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Neural2-B Wavenet-B " +
		"Wavenet-E Standard-B Standard-E"},
	{"pt-BR", Amazon, Female, "Camila-Neural Vitoria-Neural Camila Vitoria"},
	{"pt-BR", Amazon, Male, "Thiago-Neural Ricardo"},
	{"pt-PT", Google, Female, "Wavenet-E Standard-E"},
	{"pt-PT", Google, Male, "Wavenet-F Standard-F"},
	{"pt-PT", Amazon, Female, "Ines-Neural Ines"},
	{"pt-PT", Amazon, Male, "Cristiano"},
	{"ro-RO", Google, Female, "Wavenet-B Standard-B"},
	{"ro-RO", Amazon, Female, "Carmen"},
	{"sv-SE", Google, Female, "Wavenet-F Standard-F"},
	{"sv-SE", Google, Male, "Wavenet-G Standard-G"},
	{"sv-SE", Amazon, Female, "Elin-Neural Astrid"},
	{"tr-TR", Google, Female, "Chirp3-HD-Aoede Chirp3-HD-Kore Chirp3-HD-Leda Chirp3-HD-Zephyr Wavenet-A Wavenet-C " +
		"Wavenet-D Standard-A Standard-C Standard-D"},
	{"tr-TR", Google, Male, "Chirp3-HD-Charon Chirp3-HD-Fenrir Chirp3-HD-Orus Chirp3-HD-Puck Wavenet-B Wavenet-E " +
		"Standard-B Standard-E"},
	{"tr-TR", Amazon, Female, "Burcu-Neural Filiz"},
}

// elevenLabs are the voices of ElevenLabs that Twilio's documentation names: the default for English,
// and that of its examples. They speak every language with the models of version 2.5. Other voices
// are given by their ID.
// https://www.twilio.com/docs/voice/conversationrelay/voice-configuration
// https://www.twilio.com/en-us/blog/integrate-elevenlabs-voices-with-twilios-conversationrelay
var elevenLabs = []Voice{
	{Provider: ElevenLabs, ID: "UgBBYS2sOqTuMpoF3BR0", Name: "Mark", Gender: Male},
	{Provider: ElevenLabs, ID: "ZF6FPAbjXT4488VcRRnw", Name: "Amelia", Gender: Female},
}

func allVoices() []Voice {
	var all []Voice
	for _, row := range table {
		for name := range strings.FieldsSeq(row.names) {
			v := Voice{Provider: row.provider, ID: name, Gender: row.gender, Locale: row.locale}
			switch v.Provider {
			case Google:
				v.ID = v.Locale + "-" + name
				i := strings.LastIndex(name, "-") // "Chirp3-HD-Aoede", "Wavenet-B"
				v.Name, v.Engine = name[i+1:], strings.Replace(name[:i], "Chirp3-HD", "Chirp 3 HD", 1)
			default:
				var engine bool
				if v.Name, v.Engine, engine = strings.Cut(name, "-"); !engine {
					v.Engine = "Standard"
				}
			}
			all = append(all, v)
		}
	}
	return append(all, elevenLabs...)
}
