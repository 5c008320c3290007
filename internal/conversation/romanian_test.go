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
		noNumbers: []string{"doi sau trei", "câteva", "da"},
		choices: map[string]string{
			"Luni|Marți: marți, vă rog": "Marți", "Luni|Marți: prima": "Luni", "Luni|Marți: nu luni, marți": "Marți",
			"Luni|Marți: ultima": "Marți", "Luni|Marți: luni sau marți": "",
			"Vizită acasă|Apel telefonic: vizita": "Vizită acasă",
		},
		repeat: []string{"Ce?", "Poftim?", "Puteți repeta?", "Încă o dată, vă rog", "Nu am înțeles", "Nu vă aud"},
		who:    []string{"Cine este?", "Cine sună?", "Cu cine vorbesc?", "Despre ce e vorba?"},
		bye:    []string{"La revedere", "Trebuie să închid, la revedere", "O zi bună"},
		skip:   []string{"Nu știu", "Următoarea întrebare", "Prefer să nu răspund", "Habar n-am"},
		machine: []string{
			"Ați sunat la căsuța vocală a lui Ion. / Lăsați un mesaj după semnal.",
			"Abonatul apelat nu este disponibil momentan.",
			"Bună, sunt Ana. / Nu pot răspunde acum la telefon. Lasă un mesaj.",
			"Ați sunat la familia Popescu. / Nu suntem disponibili momentan.", "Vă rugăm lăsați un mesaj după bip.",
			"Apelul dumneavoastră a fost redirecționat către mesageria vocală.",
			"Persoana pe care o apelați nu poate fi contactată.", "Lăsați numele și numărul după semnalul sonor.",
			"Aceasta este mesageria vocală.", "Vă voi suna înapoi cât mai curând.",
			"Numărul apelat este închis sau nu are acoperire.",
		},
		perhaps: []string{"Ați sunat la familia Popescu.", "Nu sunt disponibil momentan."},
		full: []string{
			"Căsuța vocală este plină.", "Mesageria este plină și nu mai poate primi mesaje.",
			"Abonatul nu are activată căsuța vocală.", "Numărul format nu este alocat.",
		},
		screening: []string{
			"Bună ziua. Dacă spuneți numele și motivul apelului, verific dacă această persoană este disponibilă.",
			"Persoana pe care o sunați folosește filtrarea apelurilor de la Google și va primi o transcriere a " +
				"conversației.",
			"Spuneți numele și de ce sunați.", "Sunt asistentul virtual al Anei. Care este motivul apelului?",
		},
		menu: []string{
			"Pentru vânzări, apăsați tasta 1. Pentru asistență, apăsați 2.", "Toți operatorii noștri sunt ocupați.",
			"Apelul dumneavoastră este important pentru noi.", "Convorbirea poate fi înregistrată.",
		},
		hold: []string{"Un moment, vă rog.", "Stați puțin, o chem.", "Așteptați.", "O secundă.", "Vă fac legătura."},
		robot: []string{
			"Sunteți robot?", "Vorbesc cu un robot?", "Este o înregistrare?", "Sunteți o persoană reală?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Ați greșit numărul.", "Număr greșit.", "E o greșeală.", "Nu este nimeni aici cu acest nume.",
				"Nu mai locuiește aici.", "Nu cunosc această persoană.", "Nu mai este numărul lui.",
				"S-a mutat anul trecut.", "Aici nu stă nicio Maria.",
			},
			Deceased: []string{
				"A murit luna trecută.", "Soțul meu a decedat.", "Ea a murit în martie.", "Mama a murit acum doi ani.",
				"Domnul Popescu a decedat.", "Din păcate a murit.", "El nu mai trăiește.", "Soția mea s-a stins.",
			},
			Minor: []string{
				"Mami nu e acasă.", "Tata doarme.", "Părinții mei nu sunt acasă.", "Am șapte ani.", "Am doar șase ani.",
				"Sunt un copil.", "Nu am voie să vorbesc cu străinii.", "Vreți să vorbiți cu mama?",
			},
			Busy: []string{
				"Sunt la volan.", "Conduc acum.", "Sunt în ședință.", "Nu pot vorbi acum.", "Nu este un moment bun.",
				"Nu am timp.", "Sunt ocupat.", "Sunt la serviciu.", "Mă grăbesc.",
			},
			CallBack: []string{
				"Sunați-mă peste o oră.", "Puteți să mă sunați mai târziu?", "Sunt la volan, sunați-mă peste o oră.",
				"Sunați mâine.", "Sună-mă diseară.", "Sunați-mă luni.", "Nu mă sunați înainte de prânz.",
				"Putem vorbi mâine?", "El vine acasă la șase.", "Dați-mi o jumătate de oră.",
			},
			WantsHuman: []string{
				"Pot să vorbesc cu un om?", "Vreau să vorbesc cu un operator.",
				"Transferați-mă cu un operator, vreau un operator.", "Nu vorbesc cu roboți.", "Operator, vă rog.",
				"Vreau o persoană reală.", "Nu vreau să vorbesc cu o mașină.",
				"Aș vrea să vorbesc cu o persoană reală.",
			},
		},
		callBack: map[string]string{
			"Sunați-mă peste o oră.":              "2026-11-25 11:07",
			"Sunați-mă peste douăzeci de minute.": "2026-11-25 10:27",
			"Sunați-mă peste jumătate de oră.":    "2026-11-25 10:37",
			"Sunați-mă peste două ore.":           "2026-11-25 12:07",
			"Sunați-mă mâine dimineață.":          "2026-11-26 09:00",
			"Sunați-mă mâine.":                    "2026-11-26 10:07",
			"Sunați-mă diseară.":                  "2026-11-25 18:00",
			"Sunați-mă la patru.":                 "2026-11-25 16:00",
			"Sunați-mă la ora patru și jumătate.": "2026-11-25 16:30",
			"Sunați-mă la 16:30.":                 "2026-11-25 16:30",
			"Sunați-mă la cinci fără un sfert.":   "2026-11-25 16:45",
			"Sunați-mă luni.":                     "2026-11-30 10:07",
			"Sunați-mă vineri la două.":           "2026-11-27 14:00",
			"Sunați după ora cinci.":              "2026-11-25 17:00",
			"Nu mă sunați înainte de prânz.":      "2026-11-25 12:00",
			"Puteți să mă sunați mai târziu?":     "",
		},
		person: []string{
			"Mama e bolnavă.", "Nu e nicio problemă.", "Vineri am ședință.", "Nu este nimeni aici.", "Da.", "Nu.",
			"Alo?", "Da, alo?", "Eu sunt.", "Cine este?", "Da, luni.", "Mâine dimineață.", "La patru.", "Peste o oră.",
			"I-am lăsat un mesaj asistentei.", "Nu, nu a venit nimeni.", "M-a sunat înapoi luni.",
			"Săptămâna trecută am fost ocupat.", "Luni sunt ocupat.", "Mi s-a descărcat telefonul.",
			"Am șaptezeci de ani.", "Da, locuiesc aici.", "Nu, nu locuiesc singur.", "Mama m-a dus cu mașina.",
			"Am vorbit cu un medic.", "A fost medicamentul greșit.", "Nu mă doare nimic.", "Programarea este mâine.",
			"Încă nu.", "Poate mai târziu.", "Soțul meu este aici.", "Am o întrebare.", "Nu, doctorul nu era acolo.",
			"Nu știu.", "Am sunat la doctor.",
		},
	}.check(t, "ro-RO")
}
