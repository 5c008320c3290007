package conversation

import "testing"

func TestRomanian(t *testing.T) {
	t.Parallel()
	utterances{
		optOut: []string{
			"Stop", "Stop, vă rog.", "Nu, stop!", "Opriți-vă!", "Încetați!", "Ajunge!", "Am spus stop",
			"Nu mă mai sunați", "Nu mă mai suna", "Vă rog să nu mă mai sunați", "Nu mai sunați la acest număr",
			"Nu mă sunați niciodată", "Nu mă sunați.",
			"Încetați să mă mai sunați", "Încetați odată cu apelurile", "Nu mai vreau apeluri",
			"Nu vreau să mai fiu sunat", "Nu doresc să mai fiu contactată", "Nu vreau să mă mai sunați",
			"Scoateți-mă de pe listă", "Ștergeți numărul meu", "Ştergeţi-mi numărul",
			"Vreau să mă scoateți de pe listă",
			"Lăsați-mă în pace", "Lasă-mă în pace!", "Vreau să mă dezabonez", "Nu mă mai deranjați", "stop calling me",
		},
		noOptOut: []string{
			"Nu vă opriți", "Nu pot să mă opresc din tușit", "În stația de autobuz", "Nu mă sunați înainte de zece",
			"Nu mă mai sunați azi", "Sunați-mă mâine", "Fiul meu nu mă mai sună", "Nu m-a sunat nimeni",
			"Să nu mă scoateți de pe listă", "Nu ștergeți numărul meu", "Nu", "Nu, mulțumesc",
			"Sunt pe lista de așteptare", "Nu știu",
			"Am sunat la doctor", "E pace aici",
		},
		yes: []string{
			"Da.", "Da, da", "Da, desigur", "Ăă, da, cred că da", "Sigur că da!", "Exact", "Da, dar nu luni",
			"Nu, adică da", "Nicio problemă", "Eu sunt", "De ce nu?", "Bine", "La telefon",
		},
		no: []string{
			"Nu.", "Nu, mulțumesc", "Nu prea", "Cred că nu", "Încă nu", "Da, stați, nu", "Nu l-am văzut", "Deloc",
			"Nu e adevărat", "Din păcate nu", "Nu cred",
		},
		unsure: []string{"Poate", "Nu știu", "Depinde", "Nu sunt sigură", "Greu de spus", "Marți", "Da și nu"},
		numbers: map[string]float64{
			"3": 3, "trei": 3, "Cam trei, cred": 3, "douăzeci și cinci": 25, "douăzeci și unu": 21,
			"o sută douăzeci": 120, "două sute cincizeci": 250, "o mie": 1000, "două mii cinci sute": 2500,
			"1.200": 1200, "3,5": 3.5, "doi și jumătate": 2.5, "unu și jumătate": 1.5,
			"Una.": 1, "niciuna": 0, "opt din zece": 8, "8 din 10": 8, "minus cinci": -5, "cinci, nu, șase": 6,
			"de două ori": 2, "șaişpe": 16,
		},
		noNumbers: []string{"doi sau trei", "un moment", "câteva", "da"},
		choices: map[string]string{
			"Luni|Marți: marți, vă rog": "Marți", "Luni|Marți: prima": "Luni", "Luni|Marți: nu luni, marți": "Marți",
			"Luni|Marți: ultima": "Marți", "Luni|Marți: luni sau marți": "",
			"Vizită acasă|Apel telefonic: vizita": "Vizită acasă",
		},
		repeat: []string{"Ce?", "Poftim?", "Puteți repeta?", "Încă o dată, vă rog", "Nu am înțeles", "Nu vă aud"},
		who:    []string{"Cine este?", "Cine sună?", "Cu cine vorbesc?", "Despre ce e vorba?", "Sunteți robot?"},
		bye:    []string{"La revedere", "Trebuie să închid, la revedere", "O zi bună"},
		skip:   []string{"Nu știu", "Următoarea întrebare", "Prefer să nu răspund", "Habar n-am"},
		machine: []string{
			"Bună, lăsați un mesaj după semnalul sonor.", "Nu pot răspunde acum. Lăsați mesajul după bip.",
		},
	}.check(t, "ro-RO")
}
