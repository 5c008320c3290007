package lexicon

import "time"

// Romanian is the lexicon of Romanian.
func Romanian() Language {
	const (
		ring  = `(?:suna|sunați|sunati|sună|suni|telefona|telefonați|telefonezi|apela|apelați|apelezi|contacta|contactați|contactezi|deranja|deranjați|deranjezi|hărțui|hărțuiți|bâzâi|stresați|căutați|căuta)`
		me    = `(?:mă|ma|ne|îmi|m|pe mine|pe noi|aici|la acest număr|la numărul acesta|la numărul ăsta|vă rog)`
		rang  = `(?:sunat|sunată|sunați|sune|telefonat|apelat|apelată|apeleze|contactat|contactată|contacteze|deranjat|deranjată|deranjeze)`
		never = `(?:niciodată|vreodată|deloc|din nou|iar|iarăși)`
		end   = `(?:opriți vă|oprește te|încetați|încetează|încetați odată|terminați|termină|lăsați|lasă)`
		data  = `(?:numărul meu|numărul ăsta|numărul acesta|acest număr|numărul|datele mele|numele meu)`
		drop  = `(?:ștergeți|șterge|ștergeți mi|șterge mi|scoateți|scoate|scoateți ` +
			`mi|eliminați|elimină|radiați|anulați|tăiați)`
		calls = `(?:apeluri|apelurile|telefoane|telefoanele|apel|sunături)`
		// who answered
		box = `(?:căsuț(?:a|ă|ei) (?:vocal|de mesagerie|poștal)[aăeiă]*|mesageri(?:a|e|ei)(?: vocal[aăe]i?)?|` +
			`robot(?:ul)?(?: telefonic)?|căsuț(?:a|ă)|voicemail)`
		acum = `(?:(?:acum|momentan|în acest moment|în momentul acesta|chiar acum|pe moment|din păcate|tocmai|` +
			`azi|astăzi|temporar|deocamdată) )*`
		cand = `(?:mai târziu|mâine|poimâine|diseară|altă dată|în altă zi|alt moment|mâine (?:dimineață|seară)|` +
			`după (?:amiază|masă|prânz|serviciu|amiaza)|(?:luni|marți|miercuri|joi|vineri|sâmbătă|` +
			`duminică)|săptămâna viitoare|(?:peste|în|cam peste) (?:o|un|două|doi|trei|patru|cinci|zece|` +
			`cincisprezece|douăzeci|treizeci|jumătate|câteva|[0-9]+)|(?:la|după|pe la|înainte de|de la|în ` +
			`jur de|în jurul orei|spre) (?:ora |orele |ora la )?(?:unu|una|două|trei|patru|cinci|șase|` +
			`șapte|opt|nouă|zece|unsprezece|doisprezece|douăsprezece|prânz|amiază|[0-9:.]+)|seara|din nou|` +
			`dimineață|puțin mai târziu)`
		ea = `(?:el|ea|dânsul|dânsa|domnul [a-z]+|doamna [a-z]+|soțul(?: meu)?|soția(?: mea)?|mama|tata|fiul ` +
			`meu|fiica mea|fratele meu|sora mea|bunicul|bunica)`
		om = `(?:(?:un|o|cu|cineva|alt) )*(?:om|om real|om adevărat|operator|operatoare|persoană reală|` +
			`persoană adevărată|ființă umană|persoană|consultant|angajat|real|uman)`
	)
	return Language{
		Lines: Lines{
			Disclosure:    "Acesta este un apel automat. Apăsați 9 sau spuneți stop oricând și nu vă vom mai suna.",
			NotUnderstood: "Îmi pare rău, nu am înțeles.",
			Goodbye:       "Vă mulțumesc pentru timpul acordat. La revedere.",
			StillThere:    "Mai sunteți acolo?",
			NoAnswer:      "Nu vă aud, așa că voi închide acum. La revedere.",
			OptedOut:      "Am înțeles. Nu vom mai suna la acest număr. La revedere.",
			Back:          "Îmi pare rău, legătura s-a întrerupt pentru o clipă.",
			MoveOn:        "Nu-i nimic, să mergem mai departe.",
			Moment:        "Un moment, vă rog.",
			Trouble:       "Îmi pare rău, avem o problemă tehnică și trebuie să închid acum. La revedere.",
			Acks:          []string{"Mulțumesc.", "Bine."},
			Screening:     "Acesta este un apel automat de la {{organization}} pentru {{name|titularul acestui număr}}.",
			ScreeningAbout: "Acesta este un apel automat de la {{organization}} pentru {{name|titularul acestui " +
				"număr}} despre {{reason}}.",
			Automated: "Sunt o voce automată, nu o persoană. Acesta este un apel automat de la " +
				"{{organization}}.",
			Declined:    "Îmi pare rău, nu pot vorbi despre asta.",
			Voicemail:   "Sunt {{agent}} de la {{organization}}. Vom încerca din nou altă dată. La revedere.",
			WrongPerson: "Îmi cer scuze pentru deranj. La revedere.",
			Deceased:    "Îmi pare foarte rău. Vă rog să scuzați apelul. La revedere.",
			Minor:       "Mulțumesc. Acum închid. La revedere.",
			Busy:        "Înțeleg. Îmi cer scuze pentru deranj. La revedere.",
			CallBack:    "Înțeleg, și am notat. La revedere.",
			WantsHuman: "Sunt o voce automată și nu vă pot face legătura. Am notat că doriți să vorbiți cu o " +
				"persoană. La revedere.",
		},
		Filler: []string{"ăă", "ă", "îî", "hm", "hmm", "mm", "păi", "deci", "ei bine", "știți", "știi", "uite",
			"uitați", "ascultați", "vă rog", "te rog", "mulțumesc", "mersi", "scuze", "scuzați", "stați să mă gândesc",
			"să mă gândesc", "să vedem", "cred", "cred că", "eu cred că", "bănuiesc că",
			"aș spune", "aș zice", "să zicem", "pare că", "cam", "aproximativ", "vreo", "în jur de", "probabil",
			"de fapt", "doamnă", "domnule", "dragă", "și", "dar", "a", "că", "eu", "măi"},
		Hello: []string{
			"alo", "bună", "bună ziua", "bună dimineața", "bună seara", "salut", "salutare", "da alo", "alo da",
		},
		Bye: []string{
			"la revedere", "pa", "pa pa", "cu bine", "pe curând", "o zi bună", "o seară bună", "să aveți o zi bună",
			"trebuie să plec", "trebuie să închid", "trebuie să fug", "noapte bună",
		},
		Who: []string{
			"cine este", "cine e", "cine e acolo", "cine sunteți", "cine ești", "cine sună", "cine mă sună",
			"cine vorbește", "cu cine vorbesc", "cu cine am plăcerea", "despre ce e vorba", "despre ce este vorba",
			"în legătură cu ce", "de unde sunați", "de unde mă sunați", "de ce sunați", "ce este asta",
		},
		Repeat: []string{"ce", "poftim", "cum", "pardon", "scuze", "scuzați mă", "ce ați spus", "ce ai spus",
			"ce ați zis", "cum ați spus", "încă o dată", "din nou", "repetați", "repetă", "puteți repeta",
			"puteți să repetați", "poți repeta", "ați putea repeta", "repetați întrebarea", "puteți repeta întrebarea",
			"mai spuneți o dată", "mai ziceți o dată",
			"nu am înțeles", "n am înțeles", "nu înțeleg", "nu am auzit", "n am auzit", "nu aud", "nu vă aud",
			"nu se aude", "care era întrebarea", "ce vreți să spuneți",
			"nu te aud", "nu aud nimic",
		},
		Skip: []string{"nu știu", "habar n am", "habar nu am", "nu am idee", "n am idee", "nici o idee",
			"nu pot să spun", "greu de spus", "nu îmi amintesc", "nu mi amintesc", "nu țin minte",
			"prefer să nu răspund", "prefer să nu spun", "nu vreau să răspund", "nu vreau să spun", "fără comentarii",
			"următoarea întrebare", "următoarea", "mai departe", "pas",
			"nu vă privește", "nu e treaba dumneavoastră", "niciuna", "niciunul", "niciuna dintre ele",
			"nici una nici alta"},

		Record: []string{
			`(?:lăsați|lasă|lăsa|lăsați mi|lasă mi|înregistrați|înregistra)(?: vă rog| aici| ne)* (?:un|mesajul|` +
				`numele|numărul|un scurt|mesaj|o)(?: scurt)?(?: mesaj| tău| dumneavoastră)?`,
			`după (?:semnalul|semnal|ton|tonul|bip|bipul|semnalul sonor|beep)`,
			`(?:ați sunat|ați apelat|ai sunat|aceasta este|acesta este|ați ajuns) (?:la )?(?:` + box + `)`,
			box + ` (?:a|al|lui|numărului)`, `(?:redirecționat|transferat|direcționat) (?:către|la|spre) ` + box,
			`(?:abonatul|persoana|numărul|clientul)(?: (?:pe care|la care|îl|o|apelat|apelată|sunați|apelați|` +
				`format|ați|încercați|să|contactat|contactați|îl apelați))* (?:nu|este|momentan|nu poate|are)`,
			`(?:nu pot|nu putem|nu poate) ` + acum + `(?:răspunde|prelua|să răspund|să preiau)(?: (?:la |apelul|` +
				`telefon|apel))+`,
			`(?:vă|te) (?:voi |vom )?(?:sun|suna|contacta|contactăm|sunăm)(?: eu)?(?: înapoi)? (?:cât|imediat|de ` +
				`îndată)`,
			`știi ce ai de făcut`,
		},
		Reached: []string{
			`(?:ați|ai) (?:sunat|apelat) (?:la|pe)`,
			`(?:nu sunt|nu suntem|nu este) ` + acum + `(?:disponibil|disponibilă|disponibili|de găsit)`,
			`nu (?:pot|putem) ` + acum + `(?:să )?(?:răspund|răspunde|răspundem)(?: ` + acum + `| la telefon| acum)*$`,
			`nu (?:sunt|suntem) acasă (?:momentan|acum|în acest moment)`,
			`(?:vă|te) (?:voi suna|vom suna|sun|sun eu|sunăm)(?: înapoi| eu| mai târziu)+$`,
			`(?:vă rugăm|te rog|vă rog)(?: să)? (?:reveniți|reveniti|sunați|încercați|încercati|reîncercați)(?: ` +
				`din nou)? mai târziu$`,
			`(?:nimeni nu|nu) (?:este|e) nimeni (?:acasă|disponibil)`,
		},
		Full: []string{
			`(?:` + box + `|memoria)(?: [a-z]+)? (?:este|e) (?:plină|plin)`,
			`nu (?:poate|mai poate|mai pot|se mai pot|mai) (?:primi|fi lăsate|lăsa|înregistra|primește) (?:alte |` +
				`noi )?(?:mesaje|mesaj)`,
			box + ` (?:[a-z]+ ){0,3}nu (?:a fost|este|e) (?:încă )?(?:configurată|activată|setată|activă)`,
			`nu (?:are|și a|a) (?:activată |activat |configurat |configurată |setat )?(?:o )?` + box,
			`numărul (?:format|apelat|format de dumneavoastră) nu (?:este|există|mai este)(?: alocat)?`,
		},
		Screen: []string{
			`(?:numele|cine sunteți|cine ești|cine sună) (?:dumneavoastră |tău )?(?:, )?și (?:[a-z]+ ` +
				`){0,2}(?:motivul|scopul|de ce)`,
			`(?:spuneți|spune|menționați|precizați|înregistrați) (?:vă rog )?(?:motivul|scopul) (?:apelului|pentru)`,
			`(?:spuneți|spune) (?:vă rog )?numele(?: dumneavoastră| tău)?$`,
			`care este (?:motivul|scopul) (?:apelului|pentru care)`,
			`(?:puteți să mi spuneți|puteți spune|spuneți mi|spune mi) de ce sunați`,
		},
		Screener: []string{
			`(?:filtrare|filtrarea|filtrul|filtru|filtrează) (?:de |a )?(?:apeluri|apelurilor|apelurile)`,
			`(?:asistent|asistentul|asistenta)(?: meu)? (?:virtual|virtuală|digital|digitală|personal|google|` +
				`truecaller)`,
			`(?:verific|voi verifica|văd|o să văd|voi vedea) dacă (?:[a-z]+ ){1,4}(?:disponibilă|disponibil|poate ` +
				`răspunde)`,
			`(?:va primi|primește) o (?:copie|transcriere) (?:a )?(?:acestei )?(?:conversații|conversației)`,
			`(?:rămâneți|așteptați) (?:vă rog )?(?:pe|la) (?:linie|fir|telefon) (?:, )?(?:în timp ce|până)`,
			`mulțumesc (?:, )?(?:rămâneți|așteptați)(?: vă rog)? (?:pe|la) (?:linie|fir)`,
		},
		Menu: []string{
			`(?:apăsați|tastați|apasă|formați) (?:tasta |cifra |butonul )?(?:[0-9]|zero|unu|doi|trei|patru|cinci|` +
				`șase|șapte|opt|nouă|steluță|diez)(?: |$)`,
			`toți (?:operatorii|agenții|consultanții|colegii)(?: noștri)? sunt`,
			`(?:primul|următorul) (?:operator|consultant) (?:disponibil|liber)`,
			`apelul (?:dumneavoastră|tău) este (?:foarte )?important`,
			`(?:apelul|convorbirea|această convorbire|acest apel|conversația) (?:poate fi|va fi|este|ar putea fi) ` +
				`înregistrat[ăa]?`,
			`(?:meniul principal|programul nostru|program de lucru|numărul de interior|ascultați cu atenție)`,
		},
		Hold: []string{
			`^(?:(?:da|bine|sigur|alo|ok) (?:, )?)*(?:un|doar un|stați un|stai un|așteptați un|așteaptă un|` +
				`imediat un) (?:moment|minut|pic)(?: (?:, )?(?:vă rog|te rog))*$`,
			`^(?:(?:da|bine|sigur|alo|ok) (?:, )?)*(?:o|doar o) (?:secundă|clipă)(?: (?:, )?(?:vă rog|te rog))*$`,
			`^(?:(?:da|bine|sigur|alo|ok) (?:, )?)*(?:așteptați|așteaptă|stați|stai|stați puțin|nu închideți|` +
				`rămâneți la telefon|rămâneți pe fir|stați așa|numai puțin)(?: (?:, )?(?:vă rog|puțin|un pic|un ` +
				`moment|o secundă|te rog))*$`,
			`(?:v o|vi l|vi o|ți o|ți l|vă) (?:dau|chem|pasez|aduc|dau la telefon)`,
			`(?:o|îl) (?:chem|caut|strig)(?: (?:acum|imediat|eu))?$`, `vă (?:fac legătura|transfer|conectez)`,
			`(?:mă uit|verific|să văd) dacă (?:este|e) (?:acasă|aici)`,
			`(?:un moment|stați|așteptați|o secundă)(?: ,)? (?:să|o|îl|vă|v|vi|că|imediat)`, `vine (?:imediat|acum)$`,
			`^(?:vă rog )?(?:să )?nu (?:închideți|închide|închizi|închideți telefonul)$`,
		},

		WrongPerson: []string{
			`(?:număr|persoana|persoană|numărul) greșit[ăa]?`, `(?:este|e) (?:o )?greșeală$`,
			`(?:ați|ai) (?:greșit|format greșit|sunat greșit)(?: (?:numărul|persoana))?`,
			`nu (?:este|e|există|locuiește|stă) nimeni (?:aici )?(?:cu (?:acest|numele)|pe nume)`,
			`aici nu (?:locuiește|stă|lucrează) (?:nimeni|nicio|niciun)`,
			`nimeni (?:aici )?(?:cu acest nume|pe nume|nu se numește)`, `nu (?:mai )?(?:locuiește|stă|lucrează) aici`,
			`nu (?:cunosc|cunoaștem) (?:pe nimeni cu|această persoană|acest domn|această doamnă)`, `nu (?:îl|o) cunosc`,
			`(?:acesta|ăsta|asta) nu (?:mai )?(?:este|e) (?:numărul|telefonul) (?:lui|ei)`,
			`nu (?:mai )?(?:este|e) (?:numărul|telefonul) (?:lui|ei)`,
			`nu sunt (?:eu )?(?:persoana|cea|cel|domnul|doamna)`, `(?:s a|el s a|ea s a) mutat`,
			`am (?:acest număr|numărul acesta) (?:de|doar)`,
		},
		Deceased: []string{
			`(?:` + ea + ` )(?:[a-z]+ ){0,3}(?:murit|decedat|decedată|mort|moartă|stins|trăiește)$`,
			ea + ` (?:a|s a|nu mai) (?:[a-z]+ ){0,2}(?:murit|decedat|stins|trăiește|este printre noi|e printre noi)`,
			`^(?:(?:nu|din păcate|îmi pare rău) (?:, )?)*a (?:murit|decedat)(?: [a-z]+)*$`,
			`(?:l|am|l am|am) (?:înmormântat|îngropat)(?: o)?`, `înmormântarea (?:lui|ei)`,
		},
		Minor: []string{
			`(?:mami|tati|mămica|tăticul)(?: și tati)? (?:nu e|nu este|e la|este la|doarme)`,
			`(?:mama|tata)(?: mea| meu)? (?:nu e|nu este|e|este) (?:acasă|la (?:duș|muncă|serviciu|baie|` +
				`bucătărie)|aici|plecat|plecată)`,
			`(?:mama|tata) doarme`, `părinții(?: mei)? (?:nu sunt|sunt|dorm)`,
			`am (?:doar |numai )?(?:[3-9]|1[0-5]|trei|patru|cinci|șase|șapte|opt|nouă|zece|unsprezece|doisprezece|` +
				`treisprezece|paisprezece|cincisprezece) ani(?:șori)?`,
			`sunt (?:doar |numai )?(?:un )?(?:copil|minor|mic|mică|copilaș)$`,
			`nu (?:am voie|pot|trebuie) să vorbesc cu (?:străinii|străini|necunoscuți)`,
			`(?:vreți|vrei) (?:să vorbiți |să vorbești )?(?:cu |să o chem pe |să chem pe )(?:mama|tata|mami|tati)`,
		},
		Busy: []string{
			`(?:sunt|stau) ` + acum + `(?:la (?:volan|serviciu|muncă|birou|doctor|medic|dentist|o întâlnire|` +
				`cumpărături|masă|școală|cursuri|spital)|în (?:mașină|ședință|întâlnire|tren|autobuz|trafic|` +
				`mijlocul|conferință)|într o (?:ședință|întâlnire|conferință)|pe drum|în altă convorbire)`,
			acum + `(?:conduc|șofez|mănânc|lucrez|gătesc)(?: (?:acum|mașina|chiar acum))*$`,
			`am (?:acum|tocmai|chiar acum) (?:ședință|întâlnire|oră|o ședință|o întâlnire|treabă|un client)$`,
			acum + `nu pot (?:să )?(?:vorbesc|vorbi|discut|discuta)(?: (?:acum|momentan|în acest moment))*$`,
			`nu (?:este|e) (?:un |tocmai un )?(?:moment bun|moment potrivit|timp bun|momentul potrivit|momentul)`,
			`(?:este |e )?(?:un )?(?:moment prost|moment nepotrivit)`,
			`nu am ` + acum + `(?:timp|vreme)(?: (?:acum|pentru asta|de asta|momentan))*$`,
			`^(?:(?:nu|da|alo|scuze|scuzați|îmi pare rău) (?:, )?)*sunt ` + acum + `(?:foarte |cam |puțin ` +
				`)?(?:ocupat|ocupată|prins|prinsă|grăbit|grăbită)(?: (?:acum|momentan))?$`,
			`mă grăbesc$`, `trebuie să (?:plec|ies)(?: acum)?$`,
		},
		GoAhead: []string{
			`(?:dar )?(?:dacă e rapid|dacă durează puțin|spuneți repede|spuneți vă rog|pe scurt)`,
			`am (?:un minut|două minute|câteva minute|cinci minute)`,
		},
		CallBack: []string{
			`(?:sunați|sună|reveniți|reveniți cu un apel|încercați|încearcă|contactați)(?: (?:mă|ne|vă rog|înapoi|` +
				`din nou|te rog|mai bine|l|o))* ` + cand,
			`(?:sunați mă|sună mă|sunați)(?: înapoi| din nou)(?: vă rog)?$`,
			`(?:puteți|ați putea|poți|ai putea)(?: vă rog| te rog)? (?:să )?(?:mă |ne |reveniți|suna|sunați|suni|` +
				`sun[aăi]+|mai )*(?:sunați|suna|suni|reveniți|reveni)?(?: (?:înapoi|din nou))?(?: ` + cand + `)`,
			`(?:puteți|ați putea|poți) (?:să )?(?:mă )?(?:sunați|suna|suni) (?:înapoi|din nou|altă dată)`,
			`(?:putem|am putea|hai să) (?:să )?(?:vorbi|vorbim|discuta|discutăm) ` + cand,
			`(?:mai bine|mai degrabă) ` + cand + `$`,
			`nu mă (?:sunați|suna) (?:înainte|așa devreme|așa târziu|acum|până)`,
			ea + ` (?:vine|ajunge|se întoarce|va fi) (?:acasă )?(?:abia )?` + cand,
			`(?:ajung|mă întorc|voi fi|sunt|vine|se întoarce) (?:acasă |liber |liberă )?(?:abia )?` + cand + `$`,
			`(?:dați mi|dă mi) (?:o oră|o jumătate|zece minute|jumătate|[0-9]+ minute|câteva minute)`,
			`(?:sunați|sună|suna|reveniți|apelați|reveni)(?: [a-z]+){0,3} între`,
		},
		WantsHuman: []string{
			`(?:vorbesc|vorbi|discut|discuta|legătura|vorbiți|conectați mă|transferați mă|transferă mă|vorbim) ` +
				`(?:mai bine )?cu ` + om,
			`(?:vreau|aș vrea|doresc|prefer|aș prefera|există) (?:să vorbesc cu )?(?:un om|un operator|o persoană ` +
				`reală|o persoană adevărată|o ființă umană|un om real|un om adevărat)`,
			`nu (?:vorbesc|vreau să vorbesc|voi vorbi|o să vorbesc|discut) cu (?:un |o )?(?:roboți|robot|robotul|` +
				`mașini|mașină|calculator|calculatoare|înregistrări)`,
			`^(?:(?:nu|un) (?:, )?)*(?:operator|om|operatorul|serviciul clienți|relații clienți|persoană reală|om ` +
				`real)(?: (?:, )?vă rog)?$`,
			`(?:daţi mi|dați mi) (?:un|o) (?:om|operator|persoană reală)`,
		},
		Robot: []string{
			`(?:(?:ești|sunteți|e|este)|^(?:oare |dar |deci |stai )*vorbesc cu) (?:dumneavoastră |cumva |` +
				`chiar |doar |un |o )*(?:robot|bot|calculator|computer|înregistrare|ia|` +
				`inteligență artificială|voce automată|mesaj înregistrat|apel automat|om real|om adevărat|` +
				`persoană reală|ființă umană)`,
			`(?:ești|sunteți) (?:un )?om`, `^(?:oare |dar |deci |stai )*vorbesc cu (?:un om|o persoană)`,
		},
		Speak: []string{
			`(?:vorbiți|vorbești|vorbește cineva)(?: și)?(?: în)?(?: limba)? {l}`,
			`(?:putem|puteți|ați putea|se poate) (?:să )?(?:vorbi|vorbim|vorbiți|continua|` +
				`continuăm)(?: în)?(?: limba)? {l}`,
			`vorbesc (?:doar|numai) (?:în )?{l}`,
			`cineva care vorbește {l}`,
			`^în {l}$`,
			`^(?:în )?{l} vă rog$`,
		},
		NotSpoken: []string{
			`nu (?:vorbesc|înțeleg|știu)(?: bine)?(?: limba)? {l}`,
		},
		Names: map[string][]string{
			"en": {"engleză"}, "cs": {"cehă"}, "da": {"daneză"}, "de": {"germană"}, "el": {"greacă"},
			"es": {"spaniolă"}, "fr": {"franceză"}, "it": {"italiană"}, "nb": {"norvegiană"},
			"nl": {"neerlandeză", "olandeză"}, "pl": {"poloneză"}, "pt": {"portugheză"}, "ro": {"română"},
			"sv": {"suedeză"}, "tr": {"turcă"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"o oră": time.Hour, "o oră și jumătate": 90 * time.Minute, "jumătate de oră": 30 * time.Minute,
				"o jumătate de oră": 30 * time.Minute, "un sfert de oră": 15 * time.Minute,
				"trei sferturi de oră": 45 * time.Minute, "câteva minute": 10 * time.Minute,
				"câteva ore": 3 * time.Hour, "o zi": 24 * time.Hour, "câteva zile": 3 * 24 * time.Hour,
				"o săptămână": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minut": time.Minute, "minute": time.Minute, "de minute": time.Minute, "oră": time.Hour,
				"ore": time.Hour, "de ore": time.Hour, "zile": 24 * time.Hour, "săptămâni": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"azi": 0, "astăzi": 0, "mâine": 1, "poimâine": 2, "săptămâna viitoare": 7, "luna viitoare": 30,
				"diseară": 0,
			},
			Weekdays: [7][]string{{"duminică"}, {"luni"}, {"marți"}, {"miercuri"}, {"joi"}, {"vineri"}, {"sâmbătă"}},
			Parts: map[string]int{
				"dimineață": 9, "dimineața": 9, "prânz": 12, "amiază": 12, "după prânz": 14, "după masă": 14,
				"după amiază": 14, "după amiaza": 14, "diseară": 18, "seara": 18, "seară": 18, "după serviciu": 18,
			},
			Between: []string{"între", "între orele", "între ora"},
			At: []string{
				"la", "la ora", "după", "după ora", "pe la", "înainte de", "înainte de ora", "de la", "în jur de",
				"în jurul orei", "ora", "spre", "până la",
			},
			AM: []string{"dimineața", "dimineață"},
			PM: []string{"după amiaza", "după amiază", "după masă", "seara"},
			After: map[string]int{
				"și jumătate": 30, "jumate": 30, "și jumate": 30, "și un sfert": 15, "fără un sfert": -15,
				"fără zece": -10, "fără cinci": -5, "fără douăzeci": -20, "și zece": 10, "și cinci": 5,
				"și douăzeci": 20,
			},
			Months: [12][]string{
				{"ianuarie"}, {"februarie"}, {"martie"}, {"aprilie"}, {"mai"}, {"iunie"}, {"iulie"},
				{"august"}, {"septembrie"}, {"octombrie"}, {"noiembrie"}, {"decembrie"},
			},
			MonthDays: [31][]string{{"întâi", "unu"}},
			OfMonth:   []string{"ale"},
			Past:      map[string]int{"ieri": 1, "alaltăieri": 2},
			Ago:       []string{"acum", "în urmă cu", "în urmă"},
			Previous:  []string{"trecută", "trecut", "trecute"},
		},
		Spelling: Spelling{
			At:         []string{"arond", "a rond", "at", "coadă de maimuță"},
			Dot:        []string{"punct"},
			Dash:       []string{"liniuță", "cratimă", "minus"},
			Underscore: []string{"underscore", "liniuță jos", "bară jos", "linie jos"},
			Before:     []string{"este", "e", "mail", "email", "e mail", "adresa"},
			Plus:       []string{"plus"},
			Times:      map[string]int{"dublu": 2},
		},

		Harmless: []string{
			`(?:mort|moartă|murit) de (?:oboseală|foame|somn|frig|sete|frică|râs|rușine|cald|plictiseală)`,
			`(?:care e|care este|ce) (?:numărul|număr) greșit`,
		},
		Ages: []string{"ani", "vârstă", "vârsta", "an"},
		Aside: []string{
			"nu e aici", "nu este aici", "nu e acasă", "nu este acasă", "el nu e aici", "ea nu e aici", "nu e ea",
			"nu e el", "nu este ea", "nu este el", "nu aud", "nu vă aud", "nu te aud", "nu se aude",
			"nu aud nimic",
		},
		Yes: []string{"da", "da da", "desigur", "bineînțeles", "sigur", "sigur că da", "cu siguranță", "firește",
			"exact", "corect", "e corect", "este corect", "așa e", "așa este", "întocmai", "de acord", "sunt de acord",
			"bine", "foarte bine", "okay", "ok", "e în regulă", "în regulă", "cu plăcere", "cu drag", "nicio problemă",
			"nici o problemă", "fără probleme",
			"de ce nu", "cred că da", "eu cred că da", "probabil că da", "fără îndoială", "absolut", "normal", "păi da",
			"mhm", "aha", "confirm", "adevărat", "e adevărat"},
		No: []string{"nu", "nu nu", "ba nu", "nu mulțumesc", "nu mersi", "deloc", "nu deloc", "nicidecum",
			"sigur că nu", "bineînțeles că nu", "cu siguranță nu", "categoric nu", "în niciun caz", "sub nicio formă",
			"încă nu", "nu încă", "nu acum", "nu azi", "nu astăzi", "cred că nu", "nu cred", "nu prea", "nici vorbă",
			"din păcate nu", "mă tem că nu", "nu e corect", "nu este corect", "nu e adevărat", "nu sunt de acord",
			"greșit", "e greșit", "ați greșit numărul", "număr greșit", "nu sunt interesat", "nu sunt interesată",
			"nu mă interesează", "mai bine nu"},
		Unsure: []string{
			"poate", "poate că da", "se poate", "posibil", "e posibil", "nu știu", "nu sunt sigur", "nu sunt sigură",
			"depinde", "câteodată", "uneori", "da și nu", "și da și nu", "mai mult sau mai puțin", "așa și așa",
			"greu de spus", "nu îmi amintesc", "nu mi amintesc", "habar n am", "încă nu știu",
		},
		Hint: []string{"n am", "niciodată", "nimic", "niciun", "nicio", "nici"},
		Mistaken: []string{
			"adică", "vreau să spun", "voiam să spun", "vroiam să spun", "am vrut să spun", "ba", "stați", "stai",
			"așteptați", "nu stați", "scuze nu", "pardon nu", "m am înșelat", "am greșit", "mai degrabă",
			"sau mai bine", "de fapt nu",
		},
		YesAlone: []string{
			"eu sunt", "sunt eu", "la telefon", "chiar eu", "personal", "am", "sunt", "pot", "vreau", "am fost",
			"super", "perfect", "excelent", "se potrivește", "îmi convine", "mi se potrivește", "este", "e bine",
			"aș vrea", "mi ar plăcea", "l am văzut", "am luat",
		},
		NoAlone: []string{
			"fals", "niciodată", "nimic", "niciunul", "niciuna", "nu e", "nu este", "nu am", "n am", "nu pot",
			"nu vreau",
		},
		Not: []string{"nu", "fără", "nici", "n"},

		Connectives: []string{
			"pentru", "după", "înainte", "către", "acasă", "este",
			"dumneavoastră",
		},

		Ordinals: [MaxOrdinals][]string{
			{"primul", "prima", "cel dintâi", "cea dintâi", "numărul unu", "opțiunea unu"},
			{"al doilea", "a doua", "doilea", "numărul doi", "opțiunea doi"},
			{"al treilea", "a treia", "treilea", "numărul trei", "opțiunea trei"},
			{"al patrulea", "a patra", "numărul patru"}, {"al cincilea", "a cincea", "numărul cinci"},
			{"al șaselea", "a șasea", "numărul șase"}, {"al șaptelea", "a șaptea", "numărul șapte"},
			{"al optulea", "a opta", "numărul opt"},
		},
		Last: []string{"ultimul", "ultima", "cel din urmă", "cea din urmă"},

		Spell:    romanianNumbers.spell,
		Thousand: []string{"mie", "o mie", "mii", "de mii"},
		Half:     []string{"și jumătate", "jumătate"},
		And:      []string{"și"},
		OutOf:    []string{"din"},
		Minus:    []string{"minus"},
		Article:  []string{"un", "o", "una", "unul"},
		Vague: []string{
			"un moment", "o clipă", "o secundă", "un minut", "puțin", "un pic", "câteva", "câțiva",
			"o dată și încă una", "încă o dată", "încă una", "încă unul", "o parte", "un fel",
		},
		Counts: map[string]float64{
			"o dată": 1, "odată": 1, "de două ori": 2, "de trei ori": 3, "de patru ori": 4, "niciunul": 0,
			"niciuna": 0, "nici una": 0, "nici unul": 0, "deloc": 0, "nimic": 0, "niciodată": 0, "o jumătate": 0.5,
			"unu și jumătate": 1.5, "unul și jumătate": 1.5, "una și jumătate": 1.5, "o duzină": 12, "o pereche": 2,
		},
		DecimalComma: true,

		Glad: []string{
			"bine", "foarte bine", "minunat", "excelent", "perfect", "grozav", "superb", "super", "mulțumit",
			"mulțumită", "fericit", "fericită", "bucuros", "bucuroasă", "mai bine", "amabil", "amabilă", "drăguț",
			"drăguță", "plăcut", "de ajutor", "vă mulțumesc mult", "mulțumesc mult",
		},
		Sad: []string{
			"rău", "foarte rău", "prost", "groaznic", "oribil", "îngrozitor", "nemulțumit", "nemulțumită", "supărat",
			"supărată", "nervos", "nervoasă", "mai rău", "durere", "dureri", "doare", "dor", "problemă", "probleme",
			"reclamație", "plângere", "dezamăgit", "dezamăgită", "amețit", "amețită", "amețeli", "bolnav", "bolnavă",
			"trist", "tristă", "înșelătorie", "țeapă", "rușine", "îngrijorat", "îngrijorată",
		},

		Urge: []string{
			"da", "acum", "imediat", "odată", "gata", "am spus", "am zis", "v am spus", "v am zis", "vreau să",
			"puteți să", "puteți", "trebuie să", "cu asta", "asta", "pentru numele lui dumnezeu", "ok", "bine", "hai",
			"chiar",
		},
		StopAlone: []string{
			"stop", "opriți", "opriți vă", "oprește te", "oprește", "ajunge", "încetați", "încetează", "terminați",
			"destul", "nu mai sunați", "nu mai suna", "nu mă mai sunați", "nu mă mai suna", "dezabonare",
			"dezabonați mă", "lăsați mă", "lăsați mă în pace", "lasă mă în pace",
		},
		Stop: []string{
			`\bnu (?:vă rog )?(?:mă |ma |ne |îmi )?mai (?:` + me + ` )*` + ring + `\b`,
			`\b(?:nu|să nu) (?:mă |ma |ne )?(?:mai )?` + ring + `(?: ` + me + `)* ` + never + `\b`,
			`\b(?:nu|să nu) (?:mă|ma|ne) ` + ring + `(?:$| vă rog\b)`,
			`\bniciodată (?:să )?nu (?:mă |ma |ne )?(?:mai )?` + ring + `\b`,
			`\b(?:să )?nu (?:mă|ma|ne) mai (?:sune|contacteze|deranjeze|apeleze)\b`,
			`\b` + end + `(?: (?:odată|acum|vă rog|imediat))* (?:să |cu )(?:mă |ma |ne )?(?:mai )?(?:tot )?(?:` +
				ring + `|` + calls + `)`,
			`\b(?:nu|nu mai) (?:vreau|doresc|vrem|dorim) (?:să )?(?:mai )?(?:primesc |primim |alte |aceste |astfel ` +
				`de |niciun fel de )*` + calls + `\b`,
			`\bnu (?:mai )?(?:vreau|doresc|vrem|dorim) să (?:mai )?(?:fiu|fim) (?:mai )?` + rang + `\b`,
			`\bnu (?:mai )?(?:vreau|doresc|vrem|dorim) să (?:mă |ne )(?:mai )?` + ring + `\b`,
			`\b(?:fără|gata cu|destul cu) (?:alte |aceste )?` + calls + `\b`,
			`\b` + drop + ` (?:vă rog |te rog )?` + data + `\b`,
			`\b(?:scoateți|scoate|ștergeți|șterge|eliminați|elimină|radiați) (?:mă|ne)(?:$| (?:de pe|din|vă rog|de ` +
				`acolo)\b)`,
			`\bsă (?:mă|ne|mi|îmi) (?:scoateți|ștergeți|eliminați)(?:$| (?:de pe|din|vă rog|numărul)\b)`,
			`\b(?:lăsați|lasă|lăsa) (?:mă|ne) (?:odată |vă rog )?în pace\b`, `\bsă (?:mă|ne) lăsați în pace\b`,
			`\bdezabon[a-z]+ (?:mă|ne)\b`, `\b(?:vreau|doresc) să (?:mă|ne) dezabon[a-z]+`,
		},
		Joins: []string{"să", "ca"},
		Cues: []string{
			"sun", "telefon", "apel", "contact", "deranj", "hărțu", "bâzâ", "stres", "căut", "șterg", "scoat",
			"elimin", "radia", "anula", "tăia", "pace", "dezabon", "număr",
		},
		NotStop: []string{
			`\bnu (?:mă |ma |ne )?(?:mai )?` + ring +
				`(?: [a-z]+){0,3}? (?:înainte|după|azi|astăzi|mâine|acum|dimineața|dimineață|seara|noaptea|la ` +
				`prânz|până|la serviciu|la ora|atât de|așa de)\b`,
			`\bnu (?:vă opriți|te opri|încetați|înceta|mai terminați)(?: [a-z]+)*`,
			`\bnu (?:mă |ne |îmi |mi )*(?:scoateți|ștergeți|șterge|eliminați|dezabon[a-z]+)(?: [a-z]+)*`,
			`\bsă nu (?:mă |ne |mi |îmi )*(?:scoateți|ștergeți|eliminați)(?: [a-z]+)*`,
			`\b(?:el|ea|ei|ele|fiul meu|fiica mea|nimeni|doctorul|medicul) nu (?:mă |ma |ne )?mai ` +
				`(?:sună|suna|contactează)\b`,
			`\bnu (?:mai )?(?:pot|am putut|reușesc) (?:să )?(?:mai )?` + ring + `\b`, `\blist[ăa] de așteptare\b`,
		},
	}
}

var romanianNumbers = numberWords{
	small: [20][]string{{"zero"}, {"unu"}, {"doi", "două"}, {"trei"}, {"patru"}, {"cinci"}, {"șase"}, {"șapte"},
		{"opt"}, {"nouă"}, {"zece"},
		{"unsprezece", "unșpe"}, {"doisprezece", "douăsprezece", "doișpe"}, {"treisprezece", "treișpe"},
		{"paisprezece", "patrusprezece", "paișpe"}, {"cincisprezece", "cinșpe"},
		{"șaisprezece", "șaișpe"}, {"șaptesprezece", "șapteșpe"}, {"optsprezece", "optișpe"},
		{"nouăsprezece", "nouășpe"}},
	one: []string{"unu", "una"},
	tens: [10][]string{
		2: {"douăzeci"}, 3: {"treizeci"}, 4: {"patruzeci"}, 5: {"cincizeci"}, 6: {"șaizeci"}, 7: {"șaptezeci"},
		8: {"optzeci"}, 9: {"nouăzeci"},
	},
	hundreds: [10][]string{
		1: {"o sută", "sută"}, 2: {"două sute"}, 3: {"trei sute"}, 4: {"patru sute"}, 5: {"cinci sute"},
		6: {"șase sute"}, 7: {"șapte sute"}, 8: {"opt sute"}, 9: {"nouă sute"},
	},
	join: []string{" și ", " "},
}
