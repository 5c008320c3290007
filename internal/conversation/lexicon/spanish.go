package lexicon

import "time"

// Spanish is the lexicon of Spanish.
func Spanish() Language {
	const (
		// who answered
		box = `(?:buzón(?: de voz| de mensajes)?|contestador(?:a)?(?: automático| automática)?|mensajería|` +
			`correo de voz|casilla(?: de voz| de mensajes)?)`
		ahora = `(?:(?:ahora|ahorita|en este momento|en estos momentos|por el momento|ahora mismo|actualmente|` +
			`temporalmente|hoy|justo) )*`
		cuando = `(?:más tarde|más tardecito|luego|después|mañana|pasado mañana|otro día|otro momento|en otro ` +
			`momento|otra hora|esta (?:tarde|noche)|(?:por|en) la (?:mañana|tarde|noche)|al mediodía|el ` +
			`(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)|la (?:próxima semana|semana que ` +
			`viene)|(?:en|dentro de) (?:una?|unos?|unas|media|hora|dos|tres|cuatro|cinco|diez|quince|` +
			`veinte|treinta|[0-9]+|un par de)|(?:a|hacia|después de|antes de|a partir de|sobre|pasadas) ` +
			`(?:la|las|el|mediodía|comer|[0-9]+)|en un rato|al rato)`
		ella = `(?:él|ella|el señor|la señora|mi (?:marido|esposo|esposa|mujer|padre|madre|hijo|hija|hermano|` +
			`hermana|papá|mamá|abuelo|abuela)|(?:el señor|la señora|don|doña) [a-z]+|esa persona|esta ` +
			`persona)`
		persona = `(?:una persona|un humano|un ser humano|un agente|una agente|un operador|una operadora|un asesor|` +
			`una asesora|un representante|una persona real|alguien (?:real|de verdad|de carne y hueso|` +
			`humano)|una persona de verdad)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Esta es una llamada automática. Pulse 9 o diga «stop» en cualquier momento y no " +
				"volveremos a llamarle.",
			NotUnderstood: "Perdone, no le he entendido.",
			Goodbye:       "Muchas gracias por su tiempo. Adiós.",
			StillThere:    "¿Sigue ahí?",
			NoAnswer:      "No le oigo, así que voy a colgar. Adiós.",
			OptedOut:      "Entendido. No volveremos a llamar a este número. Adiós.",
			Back:          "Perdone, se ha cortado un momento.",
			MoveOn:        "No pasa nada, sigamos.",
			Moment:        "Un momento, por favor.",
			Trouble:       "Perdone, tenemos un problema técnico y tengo que colgar. Adiós.",
			Acks:          []string{"Gracias.", "De acuerdo."},
			Screening:     "Esta es una llamada automática de {{organization}} para {{name|el titular de este número}}.",
			ScreeningAbout: "Esta es una llamada automática de {{organization}} para {{name|el titular de este " +
				"número}} sobre {{reason}}.",
			Automated: "Soy una voz automática, no una persona. Esta es una llamada automática de " +
				"{{organization}}.",
			Declined:    "Lo siento, no puedo hablar de eso.",
			Voicemail:   "Le habla {{agent}} de {{organization}}. Lo intentaremos de nuevo en otro momento. Adiós.",
			WrongPerson: "Disculpe la molestia. Adiós.",
			Deceased:    "Lo siento mucho. Disculpe la llamada. Adiós.",
			Minor:       "Gracias. Ahora voy a colgar. Adiós.",
			Busy:        "Entiendo. Disculpe la interrupción. Adiós.",
			CallBack:    "Entiendo, y lo he anotado. Adiós.",
			WantsHuman: "Soy una voz automática y no puedo pasarle la llamada. He anotado que quiere hablar con " +
				"una persona. Adiós.",
		},
		Filler: []string{
			"eh", "em", "mm", "hmm", "este", "bueno", "pues", "a ver", "mire", "oiga", "por favor", "gracias",
			"muchas gracias", "creo", "yo creo", "creo que", "digamos", "o sea", "perdón", "perdone", "señorita",
			"señor", "y", "pero", "así que", "como", "unos", "unas", "más o menos", "quizás unos",
		},
		Hello: []string{
			"hola", "buenas", "buenos días", "buenas tardes", "buenas noches", "diga", "dígame", "aló", "alo",
			"sí dígame", "bueno",
		},
		Bye: []string{
			"adiós", "hasta luego", "chao", "chau", "me tengo que ir", "tengo que irme", "tengo que colgar",
			"que tenga buen día", "hasta pronto",
		},
		Who: []string{
			"quién es", "quién habla", "con quién hablo", "quién llama", "quién es usted", "de parte de quién",
			"de dónde llama", "de dónde llaman", "qué es esto",
		},
		Repeat: []string{
			"qué", "cómo", "cómo dice", "perdón", "perdone", "mande", "disculpe", "otra vez", "de nuevo", "repita",
			"repítalo", "me lo repite", "puede repetir", "puede repetirlo", "podría repetir", "podría repetirlo",
			"puede repetir la pregunta", "no le oigo", "no le escucho", "no he entendido", "no entiendo",
			"no entendí", "no le entiendo", "no le he entendido", "qué ha dicho", "qué dijo", "cuál era la pregunta",
			"no oigo", "no oigo nada", "no escucho", "no se oye", "no escucho nada", "no te oigo",
		},
		Skip: []string{
			"no sé", "no lo sé", "ni idea", "no tengo idea", "no sabría decirle", "prefiero no decirlo",
			"prefiero no contestar", "no quiero decirlo", "siguiente", "siguiente pregunta", "paso", "no me acuerdo",
			"no recuerdo", "ninguno", "ninguna", "ninguno de los dos",
		},

		Record: []string{
			`(?:deja|dejen|déjeme|déjame|déjanos|déjenos|dejar|graba) (?:por favor |aquí )*(?:un|el) (?:breve ` +
				`)?(?:mensaje|recado)`,
			`por favor (?:, )?(?:deje|grabe)`,
			`(?:deje|deja|dejen|dejar|grabe|graba|déjenos|déjame|déjeme) (?:por favor |aquí )*(?:su|tu|sus|tus) ` +
				`(?:breve )?(?:mensaje|recado|nombre|número|teléfono|datos)`,
			`(?:después|tras|luego) (?:de |del )?(?:de )?(?:la |el |escuchar la |oír la )?(?:señal|tono|bip|` +
				`pitido|beep)`,
			`al (?:oír|escuchar|sonar) (?:la señal|el tono|el bip|el pitido)`,
			`(?:ha llamado|has llamado|llamó|está llamando|se ha comunicado|te has comunicado|te comunicaste|se ` +
				`comunicó) (?:al|a|con|al número de) (?:el |la )?` + box,
			`(?:este|esta|éste) es (?:el|la) ` + box, `es el ` + box + ` de`, box + ` de(?:l)? (?:[a-z]+|[0-9]+)`,
			`(?:desviada|transferida|enviada|dirigida|será enviada|reenviada) (?:a|al|hacia el) (?:el |su |la )?` +
				box,
			`(?:el|la) (?:teléfono|número|cliente|abonado|usuario|persona|móvil|celular) (?:al |a la |a quien |al ` +
				`que |que |con el que |con la que )*(?:usted )?(?:llama|ha llamado|está llamando|marcó|ha marcado|` +
				`intenta|desea|solicita|llamó|marca)`,
			`(?:apagado|desconectado) o fuera de (?:cobertura|servicio|área)`,
			`no (?:puedo|podemos|puede) (?:atender|contestar|responder|tomar) (?:a )?(?:su|tu|la|el) (?:llamada|` +
				`teléfono|llamado)`,
			`(?:le|te|lo|la) (?:devolveré|devolveremos|llamaré|contestaré|responderé|llamaremos|regreso) (?:la ` +
				`llamada )?(?:en cuanto|lo antes|cuando|tan pronto|a la brevedad|lo más)`,
			`me (?:comunicaré|pondré en contacto) (?:contigo|con usted) (?:en cuanto|lo antes|cuando|tan pronto|a ` +
				`la brevedad|lo más)`,
			`ya sabes qué hacer`,
		},
		Reached: []string{
			`(?:ha|has) (?:llamado|contactado) (?:a|al|con)`,
			`no (?:estoy|estamos) ` + ahora + `(?:disponibles?|localizables?)`,
			`no (?:estoy|estamos) en (?:casa|la oficina) ` + ahora + `$`,
			`no (?:puedo|podemos) (?:contestar|atender|ponerme|responder)(?: ` + ahora + `| al teléfono| el teléfono)`,
			`no (?:está|se encuentra) disponible`, `(?:no hay nadie|nadie está) (?:en casa|disponible)`,
			`(?:le|te) (?:devolveré|devolveremos) la llamada`, `(?:le|te) llamaré(?: más tarde| luego)?$`,
			`(?:inténtelo|inténtalo|intente|llame|vuelva a intentarlo) (?:de nuevo |nuevamente |otra vez |llamar ` +
				`)*más tarde`,
		},
		Full: []string{
			`(?:` + box + `|memoria)(?: de [a-z]+)? está(?: completamente)? (?:lleno|llena)`,
			`(?:no (?:puede|pueden|se pueden|se puede|admite|acepta)) (?:recibir |grabar |dejar |guardar )?(?:más ` +
				`|nuevos )?mensajes`,
			box + ` (?:[a-z]+ ){0,3}(?:no (?:ha sido|está|fue|se ha)|todavía no|aún no) (?:[a-z]+ ` +
				`)?(?:configurado|configurada|activado|activada|habilitado|inicializado)`,
			`no (?:ha|tiene) (?:configurado |activado |habilitado |configurada )?(?:un |su |el )?` + box +
				`(?: configurado| activado)?`,
			`no (?:recibe|acepta|puede recibir) llamadas`, `el número (?:marcado|que marcó|que ha marcado) no existe`,
		},
		Screen: []string{
			`(?:nombre|quién es|quién eres|quién llama) (?:, )?y (?:[a-z]+ ){0,2}(?:motivo|razón|por qué|asunto|qué)`,
			`(?:diga|di|indique|indica|grabe|graba|mencione) (?:el |la )(?:motivo|razón|asunto) de(?: su| tu| ` +
				`la)? llamada`,
			`(?:diga|di|grabe|graba|indique) (?:su|tu) nombre$`,
			`(?:dígame|dime|puede decirme|puedes decirme) (?:por qué|el motivo|para qué) (?:llama|llamas|de)`,
			`cuál es (?:el|la) (?:motivo|razón|asunto) de (?:su|tu|la) llamada`,
		},
		Screener: []string{
			`filtr(?:o|ado|a|ar|ando) (?:de )?(?:las )?llamadas?`,
			`(?:asistente|asistenta) (?:virtual|digital|de google|de truecaller|personal|de llamadas)`,
			`(?:veré|verificaré|comprobaré|voy a ver|compruebo) si (?:[a-z]+ ){0,4}(?:disponible|puede atender)`,
			`(?:recibirá|tendrá) una (?:copia|transcripción) de (?:esta|la) conversación`,
			`(?:permanezca|manténgase|quédese|no cuelgue|espere) (?:en (?:la )?línea )?(?:, )?(?:mientras|hasta ` +
				`que|en línea)`,
			`gracias (?:, )?(?:permanezca|manténgase|quédese|espera|espere) en (?:la )?línea`,
		},
		Menu: []string{
			`(?:pulse|marque|oprima|presione|digite|pulsa|marca|oprime|presiona) (?:el |la |la tecla |el número ` +
				`)*(?:[0-9]|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|asterisco|almohadilla|numeral|` +
				`gato)`,
			`todos (?:nuestros|los) (?:agentes|operadores|asesores|representantes|ejecutivos)`,
			`su llamada es (?:muy )?importante`,
			`(?:esta|su|la) llamada (?:puede|podrá|podría|será|va a) (?:ser )?(?:grabada|monitoreada)`,
			`(?:próximo|siguiente|primer) (?:agente|operador|asesor|ejecutivo|representante)`,
			`(?:menú principal|escuche atentamente|las siguientes opciones|número de extensión|si conoce la ` +
				`extensión|si conoce el número)`,
			`(?:nuestro|el) horario de atención`,
			`para (?:ventas|soporte|español|inglés|atención al cliente) (?:, )?(?:pulse|marque|oprima|presione|diga)`,
		},
		Hold: []string{
			`^(?:(?:sí|bueno|claro|ok|vale|hola|a ver|por favor) (?:, )?)*(?:un|deme un|dame un|espere un|espera ` +
				`un|espéreme un|espérame un|aguarde un) (?:momento|momentito|segundo|minuto|segundito|ratito|` +
				`instante|minutito)(?: (?:, )?por favor)?$`,
			`^(?:(?:sí|bueno|claro|ok|vale|hola) (?:, )?)*(?:espere|espera|espéreme|espérame|no cuelgue|no ` +
				`cuelgues|aguarde|permítame|una? momentito)(?: (?:, )?(?:por favor|un momento|un segundo|` +
				`tantito))*$`,
			`(?:ahora|ya|ahorita|enseguida)? ?(?:se lo|se la|te lo|te la|le|te) (?:paso|pongo|comunico)(?: con)?`,
			`(?:voy a (?:buscar|llamar|avisar|ver si)|deje que (?:llame|busque)) ?(?:a )?(?:lo|la|le|él|ella|mi ` +
				`[a-z]+|está)?$`,
			`(?:voy a |deje |déjeme |a )(?:buscarlo|buscarla|llamarlo|llamarla|ver si está)`,
			`(?:no cuelgue|un momento|espere)(?: ,)? (?:que )?(?:ahora|voy|le paso|la llamo|lo llamo|se pone|le ` +
				`comunico|viene)`,
			`ahora (?:se pone|viene)$`,
			`^(?:por favor )?no (?:cuelgue|cuelgues|cuelguen|me cuelgue)(?: el teléfono)?$`,
		},

		WrongPerson: []string{
			`(?:número|persona|teléfono) (?:equivocado|equivocada|incorrecto|errado)`,
			`(?:se ha|te has|está|se) (?:equivocado|equivocó|equivocando) de (?:número|persona|teléfono)`,
			`(?:está|estás) (?:usted )?(?:equivocado|equivocada|marcando mal)$`,
			`aquí no (?:vive|trabaja) (?:ningún|ninguna|nadie|esa|ese|él|ella|la señora|el señor)`,
			`aquí no hay nadie (?:con|que|llamad[oa]|de)`,
			`no (?:hay|vive|existe) (?:ningún|ninguna|nadie) (?:aquí )?(?:con ese nombre|que se llame|llamad[oa])`,
			`(?:nadie|ninguna persona) (?:aquí )?(?:con ese nombre|se llama así)`,
			`(?:ya )?no (?:vive|trabaja) (?:más )?aquí`,
			`no (?:conozco|conocemos) a (?:esa persona|ese señor|esa señora|nadie con ese nombre)`,
			`(?:ese|este|éste) (?:ya )?no es (?:el|su) (?:número|teléfono)`,
			`(?:no soy|yo no soy) (?:esa persona|la persona|él|ella|quien busca|quien usted)`,
			ella + ` (?:ya )?se (?:mudó|ha mudado|cambió de (?:casa|número))`,
			`(?:tengo|acabo de recibir|me dieron|compré) este número (?:desde|hace|apenas|la semana|nuevo)`,
		},
		Deceased: []string{
			`^(?:(?:no|lo siento|ya|disculpe|es que|lamentablemente|desgraciadamente) (?:, )?)*(?:falleció|ha ` +
				`fallecido|murió|ha muerto|está muerto|está muerta|pasó a mejor vida|ya no está con nosotros|nos ` +
				`dejó|ya no vive entre nosotros)(?: [a-z]+)*$`,
			ella + ` (?:[a-z]+ ){0,2}(?:falleció|ha fallecido|murió|ha muerto|está muert[oa]|está fallecid[oa]|no ` +
				`está con nosotros)`,
			`(?:está|es) (?:fallecido|fallecida|difunto|difunta)`, `(?:lo|la) (?:enterramos|hemos enterrado|perdimos)`,
			`su (?:funeral|entierro)`,
		},
		Minor: []string{
			`(?:mi|tu)? ?(?:mami|papi|mamita|papito) (?:no está|está en|se está|duerme)`,
			`mi (?:mamá|papá|mama|papa)(?: y mi (?:papá|mamá))? (?:no (?:está|se encuentra)|está (?:en (?:la ` +
				`ducha|el baño|el trabajo|la calle)|dormid[oa]|trabajando|ocupad[oa]|durmiendo|bañ[a-z]+|` +
				`duch[a-z]+)|se está|salió|duerme)`,
			`mis (?:papás|padres) (?:no (?:están|se encuentran)|están (?:en|trabajando|dormidos|durmiendo)|salieron)`,
			`(?:solo |sólo )?tengo (?:solo |sólo )?(?:[3-9]|1[0-5]|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|` +
				`once|doce|trece|catorce|quince) (?:años|añitos)`,
			`soy (?:un|una|solo un|sólo un|solo una|sólo una) (?:niño|niña|menor)`,
			`no (?:puedo|debo|me dejan|tengo permiso para|tengo permiso de) hablar con (?:extraños|desconocidos)`,
			`(?:quiere|quieres|le paso|llamo) (?:hablar con |que llame )?(?:a )?mi (?:mamá|papá|mami|papi)`,
		},
		Busy: []string{
			`(?:estoy|voy) (?:` + ahora + `)(?:manejando|conduciendo|en el (?:coche|carro|trabajo|médico|doctor|` +
				`hospital|cine|banco|tráfico)|en (?:una |otra )?(?:reunión|junta|clase|llamada|cita|consulta|` +
				`misa)|en medio de|comiendo|cenando|almorzando|trabajando|cocinando|al volante|saliendo|por salir|` +
				`atendiendo)`,
			`(?:ahora |ahorita |en este momento )?no (?:le |te |les )?puedo (?:hablar|atender|atenderle|atenderlo|` +
				`platicar|conversar|hablarle)(?: ahora| ahorita| en este momento| con usted)*$`,
			`no es (?:un |el )?(?:buen|mejor) (?:momento|rato)`,
			`(?:es |me (?:pilla|agarra|coge|llama) en )?(?:un )?mal momento`,
			`no tengo tiempo(?: ahora| ahorita| en este momento| para esto)?$`,
			`^(?:(?:no|sí|hola|perdón|lo siento|mire|disculpe|oiga|es que) (?:, )?)*(?:estoy|ando) ` + ahora +
				`(?:un poco |muy |bastante |algo )?(?:ocupad[oa]|liad[oa]|ataread[oa])(?: ahora| ahorita| en este ` +
				`momento)?$`,
			`(?:me tengo que ir|tengo prisa|voy de salida|ando corriendo)$`,
		},
		GoAhead: []string{
			`(?:pero )?(?:adelante|si es rápido|si va a ser rápido|dígame rápido|rapidito|sea breve)`,
			`tengo (?:un|dos|cinco|unos) (?:minutos?|minutito)`,
		},
		CallBack: []string{
			`(?:llame|llámeme|llámame|llama|llámenos|márqueme|márcame|marque|vuelva a llamar|vuelve a llamar|` +
				`vuélvame a llamar|hábleme|háblame|comuníquese|intente|inténtelo|inténtalo|pruebe) (?:[a-z]+ ` +
				`){0,4}?` + cuando,
			`(?:vuelva a llamar|vuelve a llamar|vuélvame a llamar|devuélvame la llamada|llámeme luego|llame luego)`,
			`(?:puede|puedes|podría|podrías|pueden|podrían|me puede|me puedes|me podría) (?:volver a )?(?:llamar|` +
				`llamarme|marcarme|marcar|hablarme|devolverme)(?: (?:la llamada|[a-z]+))? ?` + cuando,
			`(?:puede|puedes|podría|me puede|me podría) (?:volver a llamar|volver a llamarme|llamarme|devolverme ` +
				`la llamada)$`,
			`(?:podemos|podríamos|mejor) (?:hablar|hablamos|lo hablamos) ` + cuando,
			`(?:hablamos|mejor) ` + cuando + `$`,
			`no (?:me )?(?:llame|llames|llamen|marque) (?:antes|tan temprano|tan tarde|ahora|a esta hora|a estas ` +
				`horas|hasta)`,
			`(?:llega|vuelve|regresa|estará|está) ` + cuando + `$`,
			`(?:estaré|llego|regreso|vuelvo|salgo) (?:[a-z]+ ){0,2}` + cuando,
			`(?:deme|dame) (?:una|media|diez|veinte|treinta|quince|[0-9]+|un par de) (?:hora|horas|minutos)`,
			`(?:llame|llámeme|llámame|llama|llamen|llamar|llamarme|márqueme|marque)(?: [a-z]+){0,3} entre`,
		},
		WantsHuman: []string{
			`(?:hablar|comunicar|comunicarme|platicar|pase|páseme|pásame|comuníqueme|comunícame|póngame|` +
				`transfiera|transfiérame) (?:mejor )?(?:con|a) ` + persona,
			`(?:quiero|quisiera|necesito|prefiero|me gustaría|hay) ` + persona,
			`no (?:hablo|quiero hablar|voy a hablar|me gusta hablar) con (?:una |un )?(?:robots?|máquinas?|` +
				`grabación|grabaciones|contestadoras?|computadoras?|ordenador|inteligencia artificial)`,
			`^(?:(?:no|un|una|por favor) (?:, )?)*(?:agente|operador|operadora|representante|persona real|humano|` +
				`asesor|atención al cliente|servicio al cliente)(?: (?:, )?por favor)?$`,
			persona + ` (?:por favor|real|de verdad)$`,
		},
		Robot: []string{
			`(?:es|eres|será|estoy hablando con|hablo con) (?:usted |esto |este |acaso |un |` +
				`una )*(?:robot|bot|máquina|computadora|ordenador|grabación|ia|inteligencia artificial|` +
				`voz automática|llamada automática|mensaje grabado|persona real|persona de verdad|` +
				`persona de carne y hueso|ser humano|humano|humana)`,
			`(?:es usted|eres) una persona`,
		},
		Speak: []string{
			`(?:habla|hablas|hablan|hablás)(?: usted| ustedes| alguien)? {l}`,
			`(?:puede|puedes|pueden|podemos|podría|podríamos)(?: usted)?(?: por favor)? (?:hablar|` +
				`hablarme|seguir|continuar|hacerlo)(?: en)? {l}`,
			`(?:alguien|persona) que hable {l}`,
			`(?:solo|solamente|únicamente) hablo {l}`,
			`hablo (?:solo|solamente) {l}`,
			`prefiero(?: hablar)?(?: en)?(?: el)? {l}`,
			`^hable(?: en)? {l}`,
			`^en {l}$`,
			`^(?:en )?{l} por favor$`,
		},
		NotSpoken: []string{
			`no (?:hablo|entiendo|comprendo|sé)(?: mucho| nada de| bien| el)* {l}`,
		},
		Names: map[string][]string{
			"en": {"inglés"}, "cs": {"checo"}, "da": {"danés"}, "de": {"alemán"}, "el": {"griego"},
			"es": {"español", "castellano"}, "fr": {"francés"}, "it": {"italiano"}, "nb": {"noruego"},
			"nl": {"neerlandés", "holandés"}, "pl": {"polaco"}, "pt": {"portugués"}, "ro": {"rumano"},
			"sv": {"sueco"}, "tr": {"turco"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"una hora": time.Hour, "media hora": 30 * time.Minute, "hora y media": 90 * time.Minute,
				"una hora y media": 90 * time.Minute, "un cuarto de hora": 15 * time.Minute,
				"tres cuartos de hora": 45 * time.Minute, "un rato": 30 * time.Minute, "un ratito": 15 * time.Minute,
				"unos minutos": 10 * time.Minute, "un par de minutos": 5 * time.Minute,
				"un par de horas": 2 * time.Hour, "unas horas": 3 * time.Hour, "un día": 24 * time.Hour,
				"un par de días": 2 * 24 * time.Hour, "unos días": 3 * 24 * time.Hour, "una semana": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minuto": time.Minute, "minutos": time.Minute, "minutitos": time.Minute, "hora": time.Hour,
				"horas": time.Hour, "día": 24 * time.Hour, "días": 24 * time.Hour, "semana": 7 * 24 * time.Hour,
				"semanas": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"hoy": 0, "mañana": 1, "pasado mañana": 2, "esta mañana": 0, "la próxima semana": 7,
				"la semana próxima": 7, "la semana que viene": 7, "el próximo mes": 30,
			},
			Weekdays: [7][]string{
				{"domingo"}, {"lunes"}, {"martes"}, {"miércoles"}, {"jueves"}, {"viernes"}, {"sábado"},
			},
			Parts: map[string]int{
				"esta mañana": 9, "por la mañana": 9, "en la mañana": 9, "a primera hora": 9, "mediodía": 12,
				"después de comer": 15, "después del almuerzo": 14, "esta tarde": 15, "tarde noche": 19,
				"por la tarde": 15, "en la tarde": 15, "esta noche": 20, "por la noche": 20, "en la noche": 20,
				"después del trabajo": 18,
			},
			Between: []string{"entre las", "entre la", "entre"},
			At: []string{
				"a la", "a las", "a eso de las", "las", "la", "sobre las", "hacia las", "después de las",
				"después de la", "antes de las", "antes de la", "a partir de las", "pasadas las", "hasta las",
				"como a las",
			},
			OClock: []string{"en punto"},
			AM:     []string{"am", "a m", "de la mañana", "en la mañana", "por la mañana"},
			PM:     []string{"pm", "p m", "de la tarde", "de la noche", "en la tarde", "por la tarde"},
			Before: map[string]int{
				"un cuarto para las": -15, "cuarto para las": -15, "diez para las": -10, "veinte para las": -20,
				"cinco para las": -5,
			},
			After: map[string]int{
				"y media": 30, "y cuarto": 15, "menos cuarto": -15, "y cinco": 5, "y diez": 10, "y veinte": 20,
				"y veinticinco": 25, "menos cinco": -5, "menos diez": -10, "menos veinte": -20,
				"menos veinticinco": -25,
			},
			Months: [12][]string{
				{"enero"}, {"febrero"}, {"marzo"}, {"abril"}, {"mayo"}, {"junio"}, {"julio"}, {"agosto"},
				{"septiembre", "setiembre"}, {"octubre"}, {"noviembre"}, {"diciembre"},
			},
			MonthDays: [31][]string{{"primero", "uno"}},
			OfMonth:   []string{"de", "del"},
			Past:      map[string]int{"ayer": 1, "anteayer": 2, "antes de ayer": 2, "antier": 2},
			Ago:       []string{"hace"},
			Previous:  []string{"pasado", "pasada", "último"},
		},
		Spelling: Spelling{
			At:         []string{"arroba", "at"},
			Dot:        []string{"punto"},
			Dash:       []string{"guion", "guión medio", "menos"},
			Underscore: []string{"guion bajo", "subguion", "barra baja"},
			Before:     []string{"es", "sería", "correo", "correo electrónico", "email", "e mail", "dirección"},
			Plus:       []string{"más"},
			Times:      map[string]int{"doble": 2, "triple": 3},
		},

		Harmless: []string{
			`(?:muert[oa]|murió|ha muerto) de (?:cansancio|hambre|risa|sueño|frío|miedo|sed|vergüenza|calor|aburrimiento)`,
			`(?:cuál|qué) (?:es )?(?:el |ese )?(?:número|teléfono) (?:equivocado|incorrecto|errado)`,
		},
		Ages: []string{"edad", "años", "año"},
		Aside: []string{
			"ella no está", "él no está", "no está aquí", "no está en casa", "no se encuentra", "ahora no está",
			"no es ella", "no es él", "no oigo", "no le oigo", "no te oigo", "no oigo nada", "no escucho",
			"no le escucho", "no se oye", "no escucho nada",
		},
		Yes: []string{
			"sí", "claro", "claro que sí", "por supuesto", "desde luego", "correcto", "exacto", "exactamente",
			"eso es", "así es", "vale", "de acuerdo", "ok", "okay", "está bien", "sin duda", "seguro",
			"efectivamente", "afirmativo", "cómo no", "sin problema", "no hay problema", "por qué no", "creo que sí",
			"me parece bien", "encantado", "encantada", "con gusto", "dale", "órale",
		},
		No: []string{
			"no", "qué va", "para nada", "en absoluto", "claro que no", "por supuesto que no", "todavía no", "aún no",
			"ahora no", "creo que no", "me parece que no", "tampoco", "de ninguna manera", "no gracias", "negativo",
			"nunca", "jamás", "no me interesa", "incorrecto", "no es correcto", "no es así", "se equivoca", "no no",
		},
		Unsure: []string{
			"quizás", "quizá", "tal vez", "puede ser", "a lo mejor", "no sé", "no lo sé", "no estoy seguro",
			"no estoy segura", "depende", "a veces", "más o menos", "según", "ni idea", "no me acuerdo",
			"no recuerdo", "sí y no",
		},
		Mistaken: []string{
			"quiero decir", "quise decir", "mejor dicho", "perdón", "no espere", "espere", "digo", "me equivoqué",
			"me he equivocado",
		},
		YesAlone: []string{
			"soy yo", "yo misma", "yo mismo", "con él", "con ella", "al habla", "lo soy", "bien", "muy bien",
			"perfecto", "verdad", "cierto", "es cierto", "es verdad", "lo tengo", "puedo", "quiero", "bueno",
		},
		NoAlone:     []string{"falso", "mentira", "ninguno", "ninguna", "nada"},
		Not:         []string{"no", "sin", "ni"},
		Connectives: []string{"para", "desde", "después", "antes", "usted", "ustedes", "esta", "este"},

		Ordinals: [MaxOrdinals][]string{
			{"primero", "primera", "primer", "número uno", "opción uno"},
			{"segundo", "segunda", "número dos", "opción dos"},
			{"tercero", "tercera", "tercer", "número tres", "opción tres"},
			{"cuarto", "cuarta", "número cuatro"}, {"quinto", "quinta", "número cinco"},
			{"sexto", "sexta", "número seis"}, {"séptimo", "séptima", "número siete"},
			{"octavo", "octava", "número ocho"},
		},
		Last: []string{"último", "última"},

		Spell:    spellSpanish,
		Thousand: []string{"mil"},
		Half:     []string{"y medio", "y media"},
		And:      []string{"y"},
		OutOf:    []string{"de", "sobre"},
		Minus:    []string{"menos"},
		Article:  []string{"un", "una"},
		Vague: []string{
			"un poco", "un momento", "una pregunta", "un segundo", "un rato", "unos pocos", "una cosa", "un minuto",
		},
		Counts: map[string]float64{
			"ninguno": 0, "ninguna": 0, "ningún": 0, "nada": 0, "nunca": 0, "medio": 0.5, "un par": 2,
			"una docena": 12, "media docena": 6,
		},
		DecimalComma: true,

		Glad: []string{
			"bien", "muy bien", "estupendo", "excelente", "perfecto", "maravilloso", "genial", "contento", "contenta",
			"feliz", "mejor", "encantado", "encantada", "satisfecho", "satisfecha", "amable", "fantástico",
		},
		Sad: []string{
			"mal", "muy mal", "fatal", "terrible", "horrible", "enfadado", "enfadada", "enojado", "enojada",
			"molesto", "molesta", "harto", "harta", "peor", "dolor", "duele", "problema", "problemas", "queja",
			"reclamo", "decepcionado", "decepcionada", "mareo", "mareos", "triste", "enfermo", "enferma", "estafa",
		},

		Urge: []string{
			"ya", "ahora", "ahora mismo", "le digo que", "he dicho que", "quiero que", "puede", "pueden", "que", "sí",
			"de una vez", "oye", "inmediatamente", "con esto",
		},
		StopAlone: []string{
			"stop", "pare", "paren", "basta", "ya basta", "para ya", "parad", "pare con esto", "darme de baja",
			"deme de baja", "no llame más", "no llamen más", "no más llamadas",
		},
		Stop: []string{
			`\bno (?:me |nos )?(?:vuelvan?|vuelvas) (?:nunca )?(?:mas )?a ` +
				`(?:llamar(?:me|nos)?|contactar(?:me|nos)?|molestar(?:me|nos)?|telefonear(?:me)?)\b`,
			`\bno (?:me |nos )(?:llamen?|llames|llameis|contacten?|molesten?|telefoneen?)(?: por favor)?(?:$| ` +
				`(?:mas|nunca|jamas|otra vez|de nuevo|ya|a este numero|a esta casa|aqui)\b)`,
			`\bno (?:llamen?|llames) (?:mas|nunca mas|otra vez|de nuevo|a este numero|aqui|a mi casa)\b`,
			`\bnunca mas (?:me |nos )?(?:llamen?|llames|vuelvan? a llamar)`,
			`\b(?:dejen|dejes|deje|deja|paren|pare|para|pares) (?:ya |por favor |de una vez )*de ` +
				`(?:llamar(?:me|nos)|molestar(?:me|nos)?|contactar(?:me|nos)|marcar(?:me)|telefonear(?:me|nos)?|llamar(?:$| (?:a este|aqui|a mi casa|por favor|ya|tanto)))`,
			`\b(?:quite|borre|elimine|saque|tache|remueva|retire|quita|borra|elimina|saca)n?(?:me|nos) (?:por favor ` +
				`)?(?:de|del) (?:[a-z]+ ){0,3}(?:listas?|base|sistema|registros?|directorio)\b`,
			`\b(?:borren?|eliminen?|quiten?|saquen?|retiren?|borra|elimina|quita|saca) (?:por favor )?(?:mi|este) ` +
				`(?:numero|telefono|nombre)\b`,
			`\b(?:d[ae]r?(?:me|nos|se)|dame|deme|denme|demen?) de baja\b`,
			`\bme (?:quiero |voy a )?(?:doy|dar) de baja\b`, `\b(?:den|de) de baja (?:mi|este)\b`,
			`\bno quiero que (?:me|nos) (?:llamen?|llames|contacten?|molesten?|vuelvan? a llamar|sigan? ` +
				`llamando)(?:$| (?:mas|nunca|otra vez|de nuevo|ya|por favor)\b)`,
			`\bno (?:quiero|deseo) (?:recibir )?(?:mas |estas |sus |este tipo de |ninguna )*llamadas(?:$| ` +
				`(?:mas|nunca|de ustedes|suyas|por favor|de este tipo|de nadie|comerciales)\b)`,
			`\bno mas llamadas\b`, `\b(?:dejen?|deja)(?:me|nos) (?:en paz|tranquil[oa]s?)\b`,
		},
		Cues: []string{
			"llam", "contact", "molest", "telefon", "marca", "list", "base", "sistema", "registr", "directorio",
			"numero", "nombre", "baja", "paz", "tranquil",
		},
		NotStop: []string{
			`\bmas (?:tarde|temprano|adelante)\b`,
			`\bno (?:me |nos )?(?:dejen?|dejes|paren?|pares) (?:nunca )?de [a-z]+`, `\bsin parar de [a-z]+`,
			`\bno (?:me |nos |quiero |quieren? )*(?:dar(?:me|se)?|deme?n?|den|borren?|eliminen?|quiten?|saquen?) ` +
				`(?:de baja|mi (?:numero|telefono|nombre)|este numero)\b`,
			`\ba llamar(?:me|nos)? (?:hasta|antes|tan|a las|por la|hoy|manana|de [a-z]+ a|despues)\b`,
			`\blista de espera\b`,
		},
	}
}

func spellSpanish(n int) []string {
	small := []string{"cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once",
		"doce", "trece", "catorce", "quince",
		"dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidós", "veintitrés",
		"veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve"}
	tens := []string{"", "", "", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"}
	hundreds := []string{
		"", "ciento", "doscient", "trescient", "cuatrocient", "quinient", "seiscient", "setecient", "ochocient",
		"novecient",
	}
	switch {
	case n == 21:
		return []string{"veintiuno", "veintiún", "veintiuna"}
	case n < 30:
		return []string{small[n]}
	case n < 100:
		if n%10 == 0 {
			return []string{tens[n/10]}
		}
		all := []string{tens[n/10] + " y " + small[n%10]}
		if n%10 == 1 {
			all = append(all, tens[n/10]+" y un", tens[n/10]+" y una")
		}
		return all
	case n == 100:
		return []string{"cien", "ciento"}
	}
	heads := []string{hundreds[n/100]}
	if n/100 > 1 {
		heads = []string{hundreds[n/100] + "os", hundreds[n/100] + "as"}
	}
	var all []string
	for _, head := range heads {
		if n%100 == 0 {
			all = append(all, head)
			continue
		}
		for _, rest := range spellSpanish(n % 100) {
			all = append(all, head+" "+rest)
		}
	}
	return all
}
