package conversation

import (
	"strings"
	"testing"
)

func TestProposeKey(t *testing.T) {
	t.Parallel()
	for ask, want := range map[string]string{
		"Would you like a nurse to visit you?": "nurse_visit",
		"From 0 to 10, how much does it hurt?": "hurt",
		"Are you coming on {{day|Monday}}?":    "coming",
		"Schläfst du gut, Größe?":              "schlafst_gut_grosse",
		"Πονάτε σήμερα;":                       "ponate_simera",
		"":                                     "question",
		"Is it?":                               "is_it",
		"Would you like to renew your plan?":   "renew_plan",
		"Can you pay it by Friday?":            "pay_friday",
		"What is your age?":                    "age",
		"Who's your GP?":                       "gp",
		"How are you?":                         "how_are_you",
		"Is it {{ appointment_date|Monday }}?": "appointment_date",
		"Is it {{last_call.day}}?":             "day",
		"Is it OK if we record this call?":     "record_call",
		"Anything else you'd like to tell us?": "anything_else",
		"On a scale of 0 to 10, how likely are you to recommend us?": "likely_recommend",
		"Donaudampfschifffahrtsgesellschaftskapitänswitwe?":          "question",
	} {
		if got := ProposeKey(ask, "en-US", nil); got != want {
			t.Errorf("%q: %q, want %q", ask, got, want)
		}
	}
	for tag, c := range map[string][2]string{
		"cs-CZ": {"Třeští vám dnes žaludek?", "tresti_dnes_zaludek"},
		"da-DK": {"Gør dit øje ondt på grund af æbleskiver?", "ondt_grund_aebleskiver"},
		"de-DE": {"Schmerzt der Fuß beim Größerwerden?", "schmerzt_fuss_beim"},
		"el-GR": {"Θέλετε επίσκεψη νοσοκόμας;", "thelete_episkepsi_nosokomas"},
		"de-AT": {"Möchten Sie Ihren Tarif verlängern?", "tarif_verlangern"},
		"de-CH": {"Would you like to renew your plan?", "renew_plan"}, // of an agent in another language
		"es-MX": {"¿Quiere renovar su plan?", "renovar_plan"},
		"fr-CA": {"Voulez-vous renouveler votre forfait ?", "renouveler_forfait"},
		"es-ES": {"¿Mañana le duele el estómago?", "manana_duele_estomago"},
		"fr-FR": {"Votre cœur bat-il très fort à Noël ?", "coeur_tres_fort"},
		"nb-NO": {"Føler du ærlig trøtthet?", "foler_aerlig_trotthet"},
		"pl-PL": {"Czy żółć i łydki bolą?", "zolc_lydki_bola"},
		"pt-PT": {"Sente dor no coração amanhã?", "sente_coracao_amanha"},
		"ro-RO": {"Aveți amețeli și greață?", "aveti_ameteli_greata"},
		"sv-SE": {"Har du ångest på kvällen?", "angest_kvallen"},
		"tr-TR": {"Şiddetli ağrınız ısrarcı mı?", "siddetli_agriniz_israrci"},
		"uk-UA": {"Чи болить вам голова?", "question"}, // the letters have no Latin form, so keys are numbered
	} {
		if got := ProposeKey(c[0], tag, nil); got != c[1] {
			t.Errorf("%s: %q: %q, want %q", tag, c[0], got, c[1])
		}
	}
	// A key leaves room for a number after it.
	long := strings.Repeat("a", 36)
	for ask, want := range map[string]string{
		long + "b":                long + "b",
		long + "bc":               "question",
		long + "bc short":         "short",
		long[:31] + " limit":      long[:31] + "_limit",
		long[:32] + " limit":      long[:32],
		"first second third four": "first_second_third",
	} {
		if got := ProposeKey(ask, "en", nil); got != want {
			t.Errorf("%q: %q, want %q", ask, got, want)
		}
	}
	if got := ProposeKey("A visit?", "en", []string{"visit", "visit_2"}); got != "visit_3" {
		t.Errorf("a key that is taken: %q", got)
	}
}
