package lexicon

// Caller are the lines of an agent and of messages for people who call, and what they ask. {{agent}} and
// {{organization}} are filled in, and {{reason}} is why the caller was called last.
type Caller struct {
	Greeting string // without one of the agent
	Message  string // of a number for which nothing is set
	Full     string // nobody can talk now
	Offer    string // after Full; key 1
	Withheld string // to an opt-out of somebody whose number is withheld
	Why      string // to "why did you call me?"
	WhyAbout string // the same, if the reason is known
	Unknown  string // the same, if nobody called the number
	Hidden   string // the same, if the number is withheld

	WhyAsked []string // asks why they were called; patterns, as in Language
}

// Callers are the lines by language, by the primary subtag of BCP 47.
var Callers = map[string]Caller{
	"en": {
		Greeting: "Hello, this is {{agent}} from {{organization}}. Thank you for calling.",
		Message:  "Hello, you have reached {{organization}}. Nobody can take your call on this number.",
		Full:     "Hello, you have reached {{organization}}. I'm sorry, we can't take your call at the moment.",
		Offer:    "If you want us to call you back, press 1.",
		Withheld: "Your number is withheld, so I can't put it on our do-not-call list. Please call again with your " +
			"number shown, and press 9.",
		Why:      "{{organization}} called you.",
		WhyAbout: "{{organization}} called you. The reason: {{reason}}.",
		Unknown:  "I know of no call from {{organization}} to your number.",
		Hidden:   "Your number is withheld, so I can't see whether {{organization}} called you.",
		WhyAsked: []string{
			`why (?:did|do|are|were|have) (?:you|you guys|they) (?:call|calling|called|ring|ringing|phone|try)(?: [a-z]+)*`,
			`(?:you|somebody|someone|they|this number) (?:called|rang|phoned|tried to (?:call|reach)) (?:me|us)(?: [a-z]+)*`,
			`(?:missed|got|had|have) (?:a|your|the) (?:missed )?call(?: [a-z]+)*`,
			`what (?:did|do) you (?:want|call (?:me )?(?:about|for))`, `returning (?:a|your) call`,
		},
	},
	"cs": {
		Greeting: "Dobrý den, tady {{agent}}, {{organization}}. Děkujeme za zavolání.",
		Message:  "Dobrý den, dovolali jste se do {{organization}}. Na tomto čísle hovory nikdo nepřijímá.",
		Full:     "Dobrý den, dovolali jste se do {{organization}}. Bohužel teď nemůžeme váš hovor přijmout.",
		Offer:    "Pokud chcete, abychom vám zavolali zpět, stiskněte 1.",
		Withheld: "Vaše číslo je skryté, proto je nemohu zařadit na seznam čísel, kam nevoláme. Zavolejte prosím " +
			"znovu s viditelným číslem a stiskněte 9.",
		Why:      "Volali jsme vám z {{organization}}.",
		WhyAbout: "Volali jsme vám z {{organization}}. Důvod: {{reason}}.",
		Unknown:  "O žádném hovoru z {{organization}} na vaše číslo nevím.",
		Hidden:   "Vaše číslo je skryté, proto nevidím, zda vám z {{organization}} někdo volal.",
		WhyAsked: []string{
			`proc (?:jste|jsi) (?:mi |me )?(?:volali|volal|volala)(?: [a-z]+)*`, `proc mi volate`,
			`(?:volali|volal) jste mi`, `(?:nekdo mi|mi) (?:volal|volali)(?: [a-z]+)*`, `zmeskany hovor`, `co jste chteli`,
		},
	},
	"da": {
		Greeting: "Goddag, det er {{agent}} fra {{organization}}. Tak fordi du ringer.",
		Message:  "Goddag, du har ringet til {{organization}}. Ingen tager telefonen på dette nummer.",
		Full:     "Goddag, du har ringet til {{organization}}. Vi kan desværre ikke tage dit opkald lige nu.",
		Offer:    "Tryk 1, hvis du vil ringes op.",
		Withheld: "Dit nummer er skjult, så jeg kan ikke sætte det på vores liste over numre, vi ikke ringer til. " +
			"Ring igen med synligt nummer, og tryk 9.",
		Why:      "{{organization}} har ringet til dig.",
		WhyAbout: "{{organization}} har ringet til dig. Årsagen: {{reason}}.",
		Unknown:  "Jeg kender ikke til et opkald fra {{organization}} til dit nummer.",
		Hidden:   "Dit nummer er skjult, så jeg kan ikke se, om {{organization}} har ringet til dig.",
		WhyAsked: []string{
			`hvorfor (?:ringede|ringer|har) (?:du|i)(?: [a-z]+)*`, `(?:du|i|nogen) (?:ringede|har ringet)(?: [a-z]+)*`,
			`ubesvaret opkald`, `hvad ville (?:du|i)`,
		},
	},
	"de": {
		Greeting: "Guten Tag, hier ist {{agent}} von {{organization}}. Danke für Ihren Anruf.",
		Message:  "Guten Tag, Sie sind mit {{organization}} verbunden. Unter dieser Nummer nimmt niemand Anrufe an.",
		Full: "Guten Tag, Sie sind mit {{organization}} verbunden. Wir können Ihren Anruf im Moment leider nicht " +
			"annehmen.",
		Offer: "Wenn wir Sie zurückrufen sollen, drücken Sie die 1.",
		Withheld: "Ihre Nummer ist unterdrückt, deshalb kann ich sie nicht sperren. Bitte rufen Sie mit sichtbarer " +
			"Nummer noch einmal an und drücken Sie die 9.",
		Why:      "{{organization}} hat Sie angerufen.",
		WhyAbout: "{{organization}} hat Sie angerufen. Es ging um: {{reason}}.",
		Unknown:  "Ich weiß von keinem Anruf von {{organization}} bei Ihrer Nummer.",
		Hidden:   "Ihre Nummer ist unterdrückt, deshalb sehe ich nicht, ob {{organization}} Sie angerufen hat.",
		WhyAsked: []string{
			`(?:warum|wieso|weshalb|weswegen) (?:haben sie|hast du|habt ihr|rufen sie|riefen sie|wurde ich)(?: [a-z]+)*`,
			`(?:sie|ihr) (?:haben|habt) (?:mich |uns |bei mir )?angerufen`,
			`(?:ich )?(?:wurde|bin) (?:von [a-z]+ )*angerufen(?: worden)?`, `(?:verpassten|entgangenen) anruf`,
			`(?:verpasster|entgangener) anruf`, `was wollten sie`, `was wollten sie von mir`, `ich rufe zurück`,
		},
	},
	"el": {
		Greeting: "Γεια σας, είμαι {{agent}} από {{organization}}. Ευχαριστούμε που καλέσατε.",
		Message:  "Γεια σας, καλέσατε {{organization}}. Κανείς δεν απαντά σε κλήσεις σε αυτόν τον αριθμό.",
		Full:     "Γεια σας, καλέσατε {{organization}}. Λυπούμαστε, δεν μπορούμε να απαντήσουμε αυτή τη στιγμή.",
		Offer:    "Αν θέλετε να σας καλέσουμε εμείς, πατήστε 1.",
		Withheld: "Ο αριθμός σας είναι κρυφός, γι' αυτό δεν μπορώ να τον βάλω στη λίστα μη κλήσης. Καλέστε ξανά με " +
			"ορατό αριθμό και πατήστε 9.",
		Why:      "Σας κάλεσε {{organization}}.",
		WhyAbout: "Σας κάλεσε {{organization}}. Ο λόγος: {{reason}}.",
		Unknown:  "Δεν γνωρίζω κάποια κλήση από {{organization}} στον αριθμό σας.",
		Hidden:   "Ο αριθμός σας είναι κρυφός, γι' αυτό δεν βλέπω αν σας κάλεσε {{organization}}.",
		WhyAsked: []string{
			`γιατι με (?:πηρατε|καλεσατε|παιρνετε|πηρες)(?: [a-z]+)*`, `με (?:πηρατε|καλεσατε)(?: [a-z]+)*`,
			`αναπαντητη κληση`, `χαμενη κληση`, `τι θελατε`,
		},
	},
	"es": {
		Greeting: "Hola, le habla {{agent}} de {{organization}}. Gracias por llamar.",
		Message:  "Hola, ha llamado a {{organization}}. Nadie atiende llamadas en este número.",
		Full:     "Hola, ha llamado a {{organization}}. Lo sentimos, no podemos atender su llamada en este momento.",
		Offer:    "Si quiere que le devolvamos la llamada, pulse 1.",
		Withheld: "Su número está oculto, así que no puedo ponerlo en nuestra lista de no llamar. Llame de nuevo con " +
			"el número visible y pulse 9.",
		Why:      "{{organization}} le llamó.",
		WhyAbout: "{{organization}} le llamó por este motivo: {{reason}}.",
		Unknown:  "No me consta ninguna llamada de {{organization}} a su número.",
		Hidden:   "Su número está oculto, así que no puedo ver si {{organization}} le llamó.",
		WhyAsked: []string{
			`por que (?:me|nos) (?:llamo|llamaron|llamaste|llaman|llama|han llamado|ha llamado|llamasteis)(?: [a-z]+)*`,
			`(?:me|nos) (?:han llamado|llamaron|llamo|llamasteis|ha llamado)(?: [a-z]+)*`, `llamada perdida`,
			`para que (?:me )?(?:llamaron|llamaban|llamo)`, `que (?:querian|queria)`, `devuelvo (?:la|su|una) llamada`,
		},
	},
	"fr": {
		Greeting: "Bonjour, ici {{agent}} de {{organization}}. Merci de votre appel.",
		Message:  "Bonjour, vous êtes en communication avec {{organization}}. Personne ne répond aux appels à ce numéro.",
		Full: "Bonjour, vous êtes en communication avec {{organization}}. Nous ne pouvons pas prendre votre appel pour " +
			"le moment.",
		Offer: "Si vous souhaitez être rappelé, appuyez sur 1.",
		Withheld: "Votre numéro est masqué, je ne peux donc pas l'inscrire sur notre liste d'opposition. Rappelez " +
			"avec votre numéro affiché, puis appuyez sur 9.",
		Why:      "{{organization}} vous a appelé.",
		WhyAbout: "{{organization}} vous a appelé. Le motif : {{reason}}.",
		Unknown:  "Je n'ai connaissance d'aucun appel de {{organization}} vers votre numéro.",
		Hidden:   "Votre numéro est masqué, je ne peux donc pas voir si {{organization}} vous a appelé.",
		WhyAsked: []string{
			`pourquoi (?:m|est ce que vous m|vous m|vous nous|tu m) ?(?:avez vous|avez|as|a t on|appelez` +
				`|appelez vous)(?: [a-z]+)*`,
			`(?:vous m avez|on m a|vous avez essaye de m|vous m aviez) (?:appele|joindre|telephone)(?: [a-z]+)*`,
			`appel (?:manque|en absence)`, `que (?:vouliez vous|me vouliez vous)`,
			`qu est ce que vous (?:vouliez|me vouliez)`,
		},
	},
	"it": {
		Greeting: "Buongiorno, sono {{agent}} di {{organization}}. Grazie per la chiamata.",
		Message:  "Buongiorno, risponde {{organization}}. A questo numero nessuno risponde alle chiamate.",
		Full:     "Buongiorno, risponde {{organization}}. Al momento non possiamo rispondere alla chiamata.",
		Offer:    "Se desidera essere richiamato, prema 1.",
		Withheld: "Il suo numero è nascosto, quindi non posso inserirlo nella lista dei numeri da non chiamare. " +
			"Richiami con il numero visibile e prema 9.",
		Why:      "{{organization}} l'ha chiamata.",
		WhyAbout: "{{organization}} l'ha chiamata per questo motivo: {{reason}}.",
		Unknown:  "Non mi risulta nessuna chiamata di {{organization}} al suo numero.",
		Hidden:   "Il suo numero è nascosto, quindi non vedo se {{organization}} l'ha chiamata.",
		WhyAsked: []string{
			`perche (?:mi|ci) (?:avete|ha|hai|hanno|chiamate|state) ?(?:chiamato|chiamata|chiamando)?(?: [a-z]+)*`,
			`(?:mi|ci) (?:avete|ha|hanno) (?:chiamato|chiamata|telefonato)(?: [a-z]+)*`, `chiamata persa`,
			`(?:che cosa|cosa) (?:volevate|voleva)`,
		},
	},
	"nb": {
		Greeting: "Hei, dette er {{agent}} fra {{organization}}. Takk for at du ringer.",
		Message:  "Hei, du har ringt {{organization}}. Ingen svarer på anrop til dette nummeret.",
		Full:     "Hei, du har ringt {{organization}}. Vi kan dessverre ikke ta anropet ditt akkurat nå.",
		Offer:    "Trykk 1 hvis du vil at vi skal ringe deg tilbake.",
		Withheld: "Nummeret ditt er skjult, så jeg kan ikke sette det på listen over numre vi ikke ringer til. Ring " +
			"igjen med synlig nummer, og trykk 9.",
		Why:      "{{organization}} ringte deg.",
		WhyAbout: "{{organization}} ringte deg. Årsaken: {{reason}}.",
		Unknown:  "Jeg kjenner ikke til noen samtale fra {{organization}} til nummeret ditt.",
		Hidden:   "Nummeret ditt er skjult, så jeg kan ikke se om {{organization}} ringte deg.",
		WhyAsked: []string{
			`hvorfor (?:ringte|ringer|har) (?:du|dere)(?: [a-z]+)*`, `(?:du|dere|noen) (?:ringte|har ringt)(?: [a-z]+)*`,
			`(?:ubesvart|tapt) anrop`, `hva ville (?:du|dere)`,
		},
	},
	"nl": {
		Greeting: "Goedendag, u spreekt met {{agent}} van {{organization}}. Bedankt voor het bellen.",
		Message:  "Goedendag, u bent verbonden met {{organization}}. Op dit nummer neemt niemand oproepen aan.",
		Full:     "Goedendag, u bent verbonden met {{organization}}. We kunnen uw oproep op dit moment niet aannemen.",
		Offer:    "Wilt u dat we u terugbellen? Toets dan 1.",
		Withheld: "Uw nummer is afgeschermd, dus ik kan het niet op onze bel-me-niet-lijst zetten. Bel opnieuw " +
			"met een zichtbaar nummer en toets 9.",
		Why:      "{{organization}} heeft u gebeld.",
		WhyAbout: "{{organization}} heeft u gebeld. De reden: {{reason}}.",
		Unknown:  "Ik weet niet van een oproep van {{organization}} naar uw nummer.",
		Hidden:   "Uw nummer is afgeschermd, dus ik kan niet zien of {{organization}} u heeft gebeld.",
		WhyAsked: []string{
			`waarom (?:heeft u|hebt u|belt u|belde u|heb je|bel je|hebben jullie|bellen jullie|belden jullie)(?: [a-z]+)*`,
			`(?:u|jullie|je|iemand) (?:heeft|hebt|hebben) (?:mij |me |ons )?gebeld(?: [a-z]+)*`, `gemiste oproep`,
			`ik ben gebeld(?: [a-z]+)*`, `wat wilde u`,
		},
	},
	"pl": {
		Greeting: "Dzień dobry, tu {{agent}}, {{organization}}. Dziękujemy za telefon.",
		Message:  "Dzień dobry, tu {{organization}}. Pod tym numerem nikt nie odbiera połączeń.",
		Full:     "Dzień dobry, tu {{organization}}. Niestety w tej chwili nie możemy odebrać połączenia.",
		Offer:    "Aby zamówić oddzwonienie, proszę nacisnąć 1.",
		Withheld: "Państwa numer jest zastrzeżony, więc nie mogę dodać go do listy numerów, pod które nie dzwonimy. " +
			"Proszę zadzwonić z widocznym numerem i nacisnąć 9.",
		Why:      "Dzwoniliśmy do Państwa z {{organization}}.",
		WhyAbout: "Dzwoniliśmy do Państwa z {{organization}}. Powód: {{reason}}.",
		Unknown:  "Nic nie wiem o połączeniu z {{organization}} na Państwa numer.",
		Hidden:   "Państwa numer jest zastrzeżony, więc nie widzę, czy dzwoniliśmy z {{organization}}.",
		WhyAsked: []string{
			`(?:dlaczego|czemu|po co) (?:panstwo |pan |pani )?(?:do mnie )?(?:dzwoniliscie|dzwonicie|dzwonil` +
				`|dzwonila|dzwonili)(?: [a-z]+)*`,
			`(?:dzwoniliscie|dzwonili panstwo|ktos dzwonil|ktos do mnie dzwonil)(?: [a-z]+)*`, `nieodebrane polaczenie`,
			`czego panstwo chcieliscie`, `oddzwaniam`,
		},
	},
	"pt": {
		Greeting: "Olá, aqui é {{agent}} da {{organization}}. Obrigado por ligar.",
		Message:  "Olá, você ligou para {{organization}}. Ninguém atende chamadas neste número.",
		Full:     "Olá, você ligou para {{organization}}. Lamentamos, não podemos atender a sua ligação neste momento.",
		Offer:    "Se quiser que liguemos de volta, pressione 1.",
		Withheld: "O seu número está oculto, por isso não posso colocá-lo na nossa lista de não ligar. Ligue de novo " +
			"com " +
			"o número visível e pressione 9.",
		Why:      "{{organization}} ligou para você.",
		WhyAbout: "{{organization}} ligou para você por este motivo: {{reason}}.",
		Unknown:  "Não tenho registro de nenhuma ligação de {{organization}} para o seu número.",
		Hidden:   "O seu número está oculto, por isso não vejo se {{organization}} ligou para você.",
		WhyAsked: []string{
			`por ?que (?:e que )?(?:voces |voce |me )?(?:me )?(?:ligaram|ligou|ligaste|ligam|estao ligando)(?: [a-z]+)*`,
			`(?:voces|voce|alguem) (?:me )?(?:ligaram|ligou)(?: [a-z]+)*`, `(?:ligacao|chamada) perdida`,
			`o que (?:voces |voce )?(?:queriam|queria)`, `retornando (?:a|uma|sua) ligacao`,
		},
	},
	"ro": {
		Greeting: "Bună ziua, sunt {{agent}} de la {{organization}}. Vă mulțumim că ați sunat.",
		Message:  "Bună ziua, ați sunat la {{organization}}. La acest număr nu răspunde nimeni la apeluri.",
		Full:     "Bună ziua, ați sunat la {{organization}}. Ne pare rău, nu putem prelua apelul în acest moment.",
		Offer:    "Dacă doriți să vă sunăm noi, apăsați 1.",
		Withheld: "Numărul dumneavoastră este ascuns, așa că nu îl pot pune pe lista celor pe care nu îi sunăm. " +
			"Sunați din nou cu numărul vizibil și apăsați 9.",
		Why:      "{{organization}} v-a sunat.",
		WhyAbout: "{{organization}} v-a sunat pentru: {{reason}}.",
		Unknown:  "Nu știu de niciun apel de la {{organization}} către numărul dumneavoastră.",
		Hidden:   "Numărul dumneavoastră este ascuns, așa că nu văd dacă v-a sunat {{organization}}.",
		WhyAsked: []string{
			`de ce (?:m ati|m ai|ne ati|ma|m a) ?(?:sunat|apelat|sunati|cautat)(?: [a-z]+)*`,
			`(?:m ati|m a|ne ati) (?:sunat|apelat|cautat)(?: [a-z]+)*`, `apel (?:pierdut|ratat|nepreluat)`, `ce doreati`,
		},
	},
	"sv": {
		Greeting: "Hej, det här är {{agent}} från {{organization}}. Tack för att du ringer.",
		Message:  "Hej, du har ringt {{organization}}. Ingen svarar på samtal till det här numret.",
		Full:     "Hej, du har ringt {{organization}}. Vi kan tyvärr inte ta ditt samtal just nu.",
		Offer:    "Tryck 1 om du vill att vi ringer upp dig.",
		Withheld: "Ditt nummer är dolt, så jag kan inte sätta det på vår lista över nummer vi inte ringer. Ring igen " +
			"med " +
			"synligt nummer och tryck 9.",
		Why:      "{{organization}} ringde dig.",
		WhyAbout: "{{organization}} ringde dig. Anledningen: {{reason}}.",
		Unknown:  "Jag känner inte till något samtal från {{organization}} till ditt nummer.",
		Hidden:   "Ditt nummer är dolt, så jag kan inte se om {{organization}} ringde dig.",
		WhyAsked: []string{
			`varfor (?:ringde|ringer|har) (?:du|ni)(?: [a-z]+)*`, `(?:du|ni|nagon) (?:ringde|har ringt)(?: [a-z]+)*`,
			`missat samtal`, `vad ville (?:du|ni)`,
		},
	},
	"tr": {
		Greeting: "Merhaba, ben {{organization}} adına {{agent}}. Aradığınız için teşekkürler.",
		Message:  "Merhaba, {{organization}} numarasını aradınız. Bu numarada çağrılar yanıtlanmıyor.",
		Full:     "Merhaba, {{organization}} numarasını aradınız. Üzgünüz, şu anda çağrınızı yanıtlayamıyoruz.",
		Offer:    "Sizi geri aramamızı isterseniz 1'e basın.",
		Withheld: "Numaranız gizli olduğu için onu aranmayacaklar listesine ekleyemiyorum. Lütfen numaranız görünür " +
			"şekilde tekrar arayın ve 9'a basın.",
		Why:      "{{organization}} sizi aradı.",
		WhyAbout: "{{organization}} sizi aradı. Konu: {{reason}}.",
		Unknown:  "{{organization}} tarafından numaranıza yapılmış bir arama bilmiyorum.",
		Hidden:   "Numaranız gizli olduğu için {{organization}} sizi aradı mı göremiyorum.",
		WhyAsked: []string{
			`(?:beni )?(?:neden|niye|nicin) (?:beni |bizi )?(?:aradiniz|aradin|ariyorsunuz|aramistiniz)`,
			`beni (?:aradiniz|aramissiniz|aramistiniz)`, `cevapsiz (?:arama|cagri)(?: [a-z]+)*`, `ne istiyordunuz`,
		},
	},
}
