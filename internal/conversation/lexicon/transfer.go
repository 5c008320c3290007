package lexicon

// Transfers are the lines of calls that are transferred to people.
type Transfers struct {
	// Before a transfer, with the {{destination}}, and whether the rest is recorded if that changes. After a
	// transfer that failed, and with it the offer of a call by somebody.
	Transfer, TransferRecorded, TransferUnrecorded string
	TransferFailed, OfferCallBack                  string

	// To the person to whom a call is transferred. {{organization}} and {{name}}, of the recipient, are filled in.
	Handover, HandoverRecorded, HandoverKeys, CallerGone string
}

// TransfersIn returns the lines in a language, by its primary subtag. A language without any has those of English.
func TransfersIn(tag string) Transfers {
	if t, ok := transfers[tag]; ok {
		return t
	}
	return transfers["en"]
}

var transfers = map[string]Transfers{
	"cs": {
		Transfer:           "Okamžik, prosím. Přepojuji: {{destination}}.",
		TransferRecorded:   "Zbytek hovoru se nahrává.",
		TransferUnrecorded: "Od této chvíle se hovor nenahrává.",
		TransferFailed:     "Je mi líto, {{destination}} teď není k zastižení.",
		OfferCallBack:      "Má vám někdo zavolat zpět?",
		Handover:           "Hovor přepojený od {{organization}}. {{name|Volaný}} s vámi chce mluvit.",
		HandoverRecorded:   "Hovor se nahrává.",
		HandoverKeys:       "Stiskněte 1 pro přijetí hovoru, nebo 2 pro odmítnutí.",
		CallerGone:         "Volající zavěsil. Na shledanou.",
	},
	"da": {
		Transfer:           "Et øjeblik. Jeg stiller dig om: {{destination}}.",
		TransferRecorded:   "Resten af samtalen bliver optaget.",
		TransferUnrecorded: "Fra nu af bliver samtalen ikke optaget.",
		TransferFailed:     "Beklager, {{destination}} kan ikke træffes lige nu.",
		OfferCallBack:      "Skal nogen ringe dig op?",
		Handover:           "Et opkald omstillet af {{organization}}. {{name|Personen}} vil gerne tale med dig.",
		HandoverRecorded:   "Samtalen bliver optaget.",
		HandoverKeys:       "Tryk 1 for at tage opkaldet eller 2 for at afvise det.",
		CallerGone:         "Personen har lagt på. Farvel.",
	},
	"de": {
		Transfer:           "Einen Moment bitte. Ich verbinde Sie: {{destination}}.",
		TransferRecorded:   "Der Rest des Gesprächs wird aufgezeichnet.",
		TransferUnrecorded: "Ab jetzt wird das Gespräch nicht mehr aufgezeichnet.",
		TransferFailed:     "Es tut mir leid, {{destination}} ist gerade nicht erreichbar.",
		OfferCallBack:      "Soll Sie jemand zurückrufen?",
		Handover:           "Ein Anruf, weitergeleitet von {{organization}}. {{name|Die Person}} möchte mit Ihnen sprechen.",
		HandoverRecorded:   "Das Gespräch wird aufgezeichnet.",
		HandoverKeys:       "Drücken Sie die 1, um den Anruf anzunehmen, oder die 2, um ihn abzulehnen.",
		CallerGone:         "Der Anrufer hat aufgelegt. Auf Wiederhören.",
	},
	"el": {
		Transfer:           "Μια στιγμή, παρακαλώ. Σας συνδέω: {{destination}}.",
		TransferRecorded:   "Η υπόλοιπη κλήση ηχογραφείται.",
		TransferUnrecorded: "Από εδώ και πέρα η κλήση δεν ηχογραφείται.",
		TransferFailed: "Λυπάμαι, {{destination}}: δεν υπάρχει απάντηση αυτή τη " +
			"στιγμή.",
		OfferCallBack: "Θέλετε να σας καλέσει κάποιος;",
		Handover: "Κλήση που μεταφέρεται από: {{organization}}. {{name|Το άτομο}} θέλει " +
			"να μιλήσει μαζί σας.",
		HandoverRecorded: "Η συνομιλία ηχογραφείται.",
		HandoverKeys: "Πατήστε 1 για να δεχτείτε την κλήση ή 2 για να την " +
			"απορρίψετε.",
		CallerGone: "Ο καλών έκλεισε το τηλέφωνο. Γεια σας.",
	},
	"en": {
		Transfer:           "One moment, please. I am connecting you with {{destination}}.",
		TransferRecorded:   "The rest of the call is recorded.",
		TransferUnrecorded: "From now on, the call is not recorded.",
		TransferFailed:     "I am sorry, {{destination}} can't be reached right now.",
		OfferCallBack:      "Shall somebody call you back?",
		Handover:           "A call transferred by {{organization}}. {{name|The person}} would like to talk to you.",
		HandoverRecorded:   "The conversation is recorded.",
		HandoverKeys:       "Press 1 to take the call, or 2 to decline it.",
		CallerGone:         "The caller has hung up. Goodbye.",
	},
	"es": {
		Transfer:           "Un momento, por favor. Le paso con {{destination}}.",
		TransferRecorded:   "El resto de la llamada se graba.",
		TransferUnrecorded: "A partir de ahora, la llamada no se graba.",
		TransferFailed:     "Lo siento, en este momento no es posible hablar con {{destination}}.",
		OfferCallBack:      "¿Quiere que alguien le devuelva la llamada?",
		Handover:           "Una llamada transferida por {{organization}}. {{name|La persona}} quiere hablar con usted.",
		HandoverRecorded:   "La conversación se graba.",
		HandoverKeys:       "Pulse 1 para aceptar la llamada o 2 para rechazarla.",
		CallerGone:         "La persona que llamaba ha colgado. Adiós.",
	},
	"fr": {
		Transfer:           "Un instant, s'il vous plaît. Je vous mets en relation : {{destination}}.",
		TransferRecorded:   "La suite de l'appel est enregistrée.",
		TransferUnrecorded: "À partir de maintenant, l'appel n'est plus enregistré.",
		TransferFailed:     "Je suis désolé, {{destination}} n'est pas joignable pour le moment.",
		OfferCallBack:      "Souhaitez-vous que quelqu'un vous rappelle ?",
		Handover:           "Un appel transféré par {{organization}}. {{name|La personne}} souhaite vous parler.",
		HandoverRecorded:   "La conversation est enregistrée.",
		HandoverKeys:       "Appuyez sur 1 pour prendre l'appel, ou sur 2 pour le refuser.",
		CallerGone:         "L'appelant a raccroché. Au revoir.",
	},
	"it": {
		Transfer:           "Un momento, per favore. La metto in contatto: {{destination}}.",
		TransferRecorded:   "Il resto della chiamata viene registrato.",
		TransferUnrecorded: "Da questo momento la chiamata non viene registrata.",
		TransferFailed:     "Mi dispiace, {{destination}} non è raggiungibile in questo momento.",
		OfferCallBack:      "Vuole che qualcuno la richiami?",
		Handover:           "Una chiamata trasferita da {{organization}}. {{name|La persona}} desidera parlare con lei.",
		HandoverRecorded:   "La conversazione viene registrata.",
		HandoverKeys:       "Prema 1 per accettare la chiamata o 2 per rifiutarla.",
		CallerGone:         "Chi chiamava ha riattaccato. Arrivederci.",
	},
	"nb": {
		Transfer:           "Et øyeblikk. Jeg setter deg over: {{destination}}.",
		TransferRecorded:   "Resten av samtalen blir tatt opp.",
		TransferUnrecorded: "Fra nå av blir samtalen ikke tatt opp.",
		TransferFailed:     "Beklager, {{destination}} kan ikke nås akkurat nå.",
		OfferCallBack:      "Skal noen ringe deg tilbake?",
		Handover:           "En samtale satt over av {{organization}}. {{name|Personen}} vil gjerne snakke med deg.",
		HandoverRecorded:   "Samtalen blir tatt opp.",
		HandoverKeys:       "Trykk 1 for å ta samtalen, eller 2 for å avvise den.",
		CallerGone:         "Personen har lagt på. Ha det.",
	},
	"nl": {
		Transfer:           "Een ogenblik, alstublieft. Ik verbind u door: {{destination}}.",
		TransferRecorded:   "De rest van het gesprek wordt opgenomen.",
		TransferUnrecorded: "Vanaf nu wordt het gesprek niet opgenomen.",
		TransferFailed:     "Het spijt me, {{destination}} is nu niet bereikbaar.",
		OfferCallBack:      "Zal iemand u terugbellen?",
		Handover:           "Een gesprek, doorverbonden door {{organization}}. {{name|De persoon}} wil u graag spreken.",
		HandoverRecorded:   "Het gesprek wordt opgenomen.",
		HandoverKeys:       "Druk op 1 om het gesprek aan te nemen, of op 2 om het te weigeren.",
		CallerGone:         "De beller heeft opgehangen. Tot ziens.",
	},
	"pl": {
		Transfer:           "Chwileczkę. Łączę: {{destination}}.",
		TransferRecorded:   "Dalsza część rozmowy jest nagrywana.",
		TransferUnrecorded: "Od tej chwili rozmowa nie jest nagrywana.",
		TransferFailed:     "Przykro mi, {{destination}} w tej chwili nie odbiera.",
		OfferCallBack:      "Czy ktoś ma oddzwonić?",
		Handover:           "Rozmowa przekierowana przez {{organization}}. {{name|Rozmówca}} prosi o rozmowę.",
		HandoverRecorded:   "Rozmowa jest nagrywana.",
		HandoverKeys:       "Naciśnij 1, aby odebrać rozmowę, lub 2, aby ją odrzucić.",
		CallerGone:         "Rozmówca się rozłączył. Do widzenia.",
	},
	"pt": {
		Transfer:           "Um momento, por favor. Vou transferir a chamada: {{destination}}.",
		TransferRecorded:   "O resto da chamada é gravado.",
		TransferUnrecorded: "A partir de agora, a chamada não é gravada.",
		TransferFailed:     "Lamento, {{destination}} não está disponível neste momento.",
		OfferCallBack:      "Quer que alguém lhe ligue de volta?",
		Handover:           "Uma chamada transferida por {{organization}}. {{name|A pessoa}} quer falar consigo.",
		HandoverRecorded:   "A conversa é gravada.",
		HandoverKeys:       "Prima 1 para atender a chamada ou 2 para a recusar.",
		CallerGone:         "A pessoa que ligava desligou. Adeus.",
	},
	"ro": {
		Transfer:           "Un moment, vă rog. Vă fac legătura: {{destination}}.",
		TransferRecorded:   "Restul convorbirii este înregistrat.",
		TransferUnrecorded: "De acum înainte, convorbirea nu este înregistrată.",
		TransferFailed:     "Îmi pare rău, {{destination}} nu poate fi contactat acum.",
		OfferCallBack:      "Doriți să vă sune cineva înapoi?",
		Handover: "Un apel transferat de {{organization}}. {{name|Persoana}} dorește să " +
			"vorbească cu dumneavoastră.",
		HandoverRecorded: "Convorbirea este înregistrată.",
		HandoverKeys:     "Apăsați 1 pentru a prelua apelul sau 2 pentru a-l refuza.",
		CallerGone:       "Apelantul a închis. La revedere.",
	},
	"sv": {
		Transfer:           "Ett ögonblick. Jag kopplar dig vidare: {{destination}}.",
		TransferRecorded:   "Resten av samtalet spelas in.",
		TransferUnrecorded: "Från och med nu spelas samtalet inte in.",
		TransferFailed:     "Jag beklagar, {{destination}} går inte att nå just nu.",
		OfferCallBack:      "Ska någon ringa upp dig?",
		Handover:           "Ett samtal som kopplas av {{organization}}. {{name|Personen}} vill gärna prata med dig.",
		HandoverRecorded:   "Samtalet spelas in.",
		HandoverKeys:       "Tryck 1 för att ta samtalet, eller 2 för att avböja det.",
		CallerGone:         "Personen har lagt på. Hej då.",
	},
	"tr": {
		Transfer:           "Bir dakika lütfen. Sizi bağlıyorum: {{destination}}.",
		TransferRecorded:   "Görüşmenin devamı kaydedilmektedir.",
		TransferUnrecorded: "Bundan sonra görüşme kaydedilmeyecektir.",
		TransferFailed:     "Üzgünüm, {{destination}} şu anda ulaşılamıyor.",
		OfferCallBack:      "Birisi sizi geri arasın mı?",
		Handover: "{{organization}} tarafından aktarılan bir arama. {{name|Arayan " +
			"kişi}} sizinle konuşmak istiyor.",
		HandoverRecorded: "Görüşme kaydedilmektedir.",
		HandoverKeys:     "Aramayı almak için 1'e, reddetmek için 2'ye basın.",
		CallerGone:       "Arayan kişi telefonu kapattı. Hoşça kalın.",
	},
}
