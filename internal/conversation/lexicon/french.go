package lexicon

import "time"

// French is the lexicon of French.
func French() Language {
	const call = `(?:appelez|rappelez|telephonez|contactez|derangez|harcelez|embetez)`
	const (
		// who answered
		box = `(?:messagerie(?: vocale)?|répondeur(?: automatique| vocal)?|boîte vocale|boîte de réception|` +
			`boîte de messagerie)`
		adv = `(?:(?:actuellement|pour le moment|pour l'instant|en ce moment|momentanément|malheureusement|là|` +
			`maintenant|tout de suite|temporairement) )*`
		quand = `(?:plus tard|demain|après demain|tout à l'heure|ce soir|cet après midi|un autre (?:jour|moment)|` +
			`une autre fois|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|la semaine prochaine|` +
			`dans (?:environ )?(?:une?|la|deux|trois|quatre|cinq|dix|quinze|vingt|trente|[0-9]+|quelques)|` +
			`(?:à|vers|après|avant|pas avant|à partir de) (?:midi|une|deux|trois|quatre|cinq|six|sept|` +
			`huit|neuf|dix|onze|[0-9h:]+|dix huit|dix sept|[a-z]+ heures?|le (?:déjeuner|travail))|à un ` +
			`autre moment|en (?:soirée|fin de))`
		il = `(?:il|elle|monsieur [a-z]+|madame [a-z]+|mon (?:mari|père|fils|frère|grand père)|ma (?:femme|` +
			`mère|fille|soeur|grand mère)|cette personne|la personne)`
		humain = `(?:(?:un|une|quelqu'un|vrai|vraie|de|autre|d'autre) )*(?:être humain|humain|humaine|vraie ` +
			`personne|personne réelle|vraie voix|conseiller|conseillère|opérateur|opératrice|agent|` +
			`personne physique|quelqu'un de (?:réel|vrai)|interlocuteur humain)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Ceci est un appel automatique. Appuyez sur 9 ou dites stop à tout moment, et nous ne " +
				"vous appellerons plus.",
			NotUnderstood: "Excusez-moi, je n'ai pas compris.",
			Goodbye:       "Merci pour votre temps. Au revoir.",
			StillThere:    "Êtes-vous toujours là ?",
			NoAnswer:      "Je ne vous entends pas, je vais donc raccrocher. Au revoir.",
			OptedOut:      "C'est compris. Nous n'appellerons plus ce numéro. Au revoir.",
			Back:          "Excusez-moi, la ligne a été coupée un instant.",
			MoveOn:        "Ce n'est pas grave, continuons.",
			Moment:        "Un instant, s'il vous plaît.",
			Trouble:       "Excusez-moi, nous avons un problème technique et je dois raccrocher. Au revoir.",
			Acks:          []string{"Merci.", "Très bien."},
			Screening:     "Ceci est un appel automatique de {{organization}} pour {{name|le titulaire de ce numéro}}.",
			ScreeningAbout: "Ceci est un appel automatique de {{organization}} pour {{name|le titulaire de ce " +
				"numéro}} au sujet de {{reason}}.",
			Automated: "Je suis une voix automatique, pas une personne. Ceci est un appel automatique de " +
				"{{organization}}.",
			Declined:    "Je regrette, je ne peux pas en parler.",
			Voicemail:   "Ici {{agent}} de {{organization}}. Nous réessayerons une autre fois. Au revoir.",
			WrongPerson: "Excusez-moi de vous avoir dérangé. Au revoir.",
			Deceased:    "Je suis vraiment désolé de l'apprendre. Veuillez excuser cet appel. Au revoir.",
			Minor:       "Merci. Je vais raccrocher maintenant. Au revoir.",
			Busy:        "Je comprends. Excusez-moi de vous avoir dérangé. Au revoir.",
			CallBack:    "Je comprends, et c'est noté. Au revoir.",
			WantsHuman: "Je suis une voix automatique et je ne peux pas transférer l'appel. J'ai noté que vous " +
				"souhaitez parler à une personne. Au revoir.",
		},
		Filler: []string{
			"euh", "heu", "ben", "bah", "hein", "hum", "hmm", "alors", "bon", "enfin", "voyons", "disons",
			"je dirais", "je crois", "je pense", "s'il vous plaît", "s'il te plaît", "merci", "merci beaucoup",
			"excusez moi", "pardon", "écoutez", "tenez", "monsieur", "madame", "et", "mais", "donc",
			"peut être environ", "environ", "à peu près",
		},
		Hello:   []string{"allô", "allo", "bonjour", "bonsoir", "salut", "oui bonjour", "oui allô"},
		Parting: []string{"salut"},
		Bye: []string{
			"au revoir", "à bientôt", "bonne journée", "bonne soirée", "ciao", "je dois y aller",
			"je dois raccrocher", "il faut que je raccroche", "adieu",
		},
		Who: []string{
			"qui est ce", "qui est à l'appareil", "c'est qui", "qui êtes vous", "qui parle", "c'est pour quoi",
			"c'est à quel sujet", "de la part de qui", "qui appelle", "vous êtes qui",
		},
		Repeat: []string{
			"quoi", "comment", "pardon", "excusez moi", "hein", "répétez", "répétez s'il vous plaît",
			"vous pouvez répéter", "pouvez vous répéter", "pourriez vous répéter", "pouvez vous répéter la question",
			"encore une fois", "je n'ai pas compris", "j'ai pas compris", "je ne comprends pas", "je comprends pas",
			"je n'ai pas entendu", "j'ai pas entendu", "je ne vous entends pas", "je vous entends pas",
			"qu'est ce que vous avez dit", "vous dites", "plaît il", "c'est quoi la question",
			"je n'entends pas", "j'entends pas", "je n'entends rien", "je vous entends mal",
			"je n'entends pas bien",
		},
		Skip: []string{
			"je ne sais pas", "je sais pas", "sais pas", "aucune idée", "je n'ai aucune idée",
			"je préfère ne pas répondre", "je ne veux pas répondre", "je préfère ne pas le dire", "question suivante",
			"suivante", "je passe", "passez", "je ne me souviens pas", "ça ne vous regarde pas", "ni l'un ni l'autre",
			"aucun", "aucune", "aucun des deux",
		},

		Record: []string{
			`(?:^|, )laisse un (?:petit )?message`,
			`(?:laissez|laisse moi|laisse nous|laisser) (?:moi |nous |lui |ici |donc |s'il vous plaît )*(?:un|` +
				`votre|ton|vos|tes|le) (?:petit |bref )?(?:message|nom|numéro|coordonnées)`,
			`(?:après|au) (?:le |la |ce )?(?:bip|signal|signal sonore|tonalité|top sonore|son)(?: sonore)?`,
			`(?:vous êtes|tu es|vous voilà) (?:bien )?(?:sur|au|à) (?:la |le |mon |ma |notre |l' ?)?(?:` + box +
				`|numéro de)`,
			`(?:c'est|voici|ici) (?:bien )?(?:la |le |ma |mon )` + box, box + ` (?:de|d'|du) (?:[a-z]+|[0-9]+)`,
			`(?:transféré|redirigé|renvoyé|dirigé|mis en relation) (?:vers|sur|à|avec) (?:la |le |une |sa |un )?` +
				box,
			`(?:votre|ton) (?:correspondant|correspondante) (?:est|n'est|ne peut)`,
			`(?:la personne|l'abonné|le client|le numéro|le correspondant|la ligne) (?:que |à qui |à laquelle ` +
				`)?(?:vous|tu) (?:avez|as|essayez|demandez|appelez|souhaitez|tentez)`,
			`(?:ne peux|ne peut|ne pouvons|ne suis pas en mesure de|peux pas|peut pas) (?:pas )?` + adv +
				`(?:vous répondre|te répondre|répondre à votre appel|répondre à ton appel|prendre votre appel|` +
				`prendre ton appel)`,
			`(?:vous |te )?(?:rappellerai|rappelle|rappellerons|recontacterai|recontacterons) (?:dès|le plus|` +
				`aussitôt|dans les|au plus)`,
			`tu sais quoi faire`, `vous savez quoi faire`, `enregistrez votre message`,
		},
		Reached: []string{
			`(?:vous êtes|tu es) (?:bien )?chez`,
			`(?:je ne suis|je suis|nous ne sommes|nous sommes|on est) (?:pas )` + adv + `(?:disponible|` +
				`disponibles|joignable|joignables)`,
			`(?:n'est|est) pas ` + adv + `(?:disponible|joignable)`,
			`je ne suis pas (?:là|chez moi|à la maison|au bureau) (?:actuellement|pour le moment|pour l'instant|` +
				`en ce moment)`,
			`(?:personne n'est|il n'y a personne) (?:disponible|à la maison|là pour)`,
			`(?:je|nous) (?:vous|te) (?:rappellerai|rappellerons)`,
			`(?:veuillez|merci de) (?:rappeler|réessayer|renouveler votre appel) (?:plus tard|ultérieurement)`,
			`vous avez (?:bien )?(?:joint|appelé|contacté)`,
		},
		Full: []string{
			`(?:` + box + `|mémoire)(?: vocale)?(?: de (?:[a-z]+ )+)? ?est (?:actuellement |malheureusement ` +
				`)?(?:pleine|plein|saturée|saturé)`,
			`ne peut (?:plus |pas )?(?:recevoir|enregistrer|accepter) (?:de |d'|aucun )?(?:nouveaux |autre |` +
				`autres |plus de )?messages?`,
			box + ` (?:[a-z]+ ){0,4}(?:n'est pas|n'a pas|pas encore|n'a pas encore) (?:encore )?(?:été ` +
				`)?(?:configurée?|activée?|initialisée?|disponible)`,
			`n'a pas (?:encore )?(?:configuré|activé|initialisé|personnalisé|de) (?:sa |son |de )?` + box,
			`(?:n'accepte|ne reçoit|ne prend) (?:pas|plus) (?:les |d'|de )?(?:appels|messages)`,
			`le numéro que vous avez (?:composé|demandé) n'est (?:pas|plus) attribué`,
		},
		Screen: []string{
			`(?:nom|qui vous êtes|qui appelle|présenter|présentez vous) (?:, )?et (?:[a-z]+ ){0,3}(?:motif|raison|` +
				`objet|pourquoi)`,
			`(?:indiquez|dites|donnez|précisez|énoncez|enregistrez|indiquer|donner|préciser) (?:moi |nous )?(?:le ` +
				`|la |l' ?)?(?:motif|raison|objet) de (?:votre|ton|l')`,
			`(?:dites|indiquez|énoncez|enregistrez) (?:moi )?votre nom$`,
			`(?:quel est|quelle est) (?:le |la |l' ?)?(?:motif|raison|objet) de (?:votre|ton|cet) appel`,
			`(?:pouvez vous|peux tu|pourriez vous) me dire (?:pourquoi vous appelez|pourquoi tu appelles|le motif)`,
		},
		Screener: []string{
			`(?:filtrage|filtre|filtrer|filtre automatiquement) (?:d'|des |les |les ? )?appels?`,
			`assistant(?:e)? (?:virtuel(?:le)?|numérique|google|truecaller|personnel(?:le)?|vocal|téléphonique)`,
			`(?:je vérifie|je vais vérifier|je vais voir|je verrai|je regarde) si (?:[a-z]+ ){0,4}(?:disponible|` +
				`répondre|joignable)`,
			`(?:recevra|reçoit|aura) une (?:copie|transcription) de (?:cette|la) conversation`,
			`(?:restez|patientez) en ligne (?:pendant|le temps|jusqu)`,
			`merci (?:, )?(?:restez en ligne|ne quittez pas|patientez)`,
		},
		Menu: []string{
			`(?:appuyez|tapez|composez|faites|taper|tape) (?:sur )?(?:la touche |le |sur )*(?:[0-9]|zéro|un|deux|` +
				`trois|quatre|cinq|six|sept|huit|neuf|dièse|étoile)`,
			`tous nos (?:conseillers|agents|opérateurs|correspondants|collaborateurs)`,
			`(?:un|le prochain) (?:de nos )?(?:conseillers?|opérateurs?|agents?) (?:disponible|va prendre|va vous|` +
				`sera)`,
			`votre appel est (?:très )?important`,
			`(?:cet|votre|l') appel (?:peut|est|pourra|va|sera) (?:être )?(?:susceptible d'être )?enregistré`,
			`(?:conversation|communication) (?:est susceptible d'être|peut être|sera|pourra être) enregistrée`,
			`(?:menu principal|écoutez attentivement|nos horaires|horaires d'ouverture|nos bureaux sont|numéro de ` +
				`poste)`,
			`nous allons (?:donner suite|prendre votre appel)`,
		},
		Hold: []string{
			`^(?:(?:oui|ok|d'accord|bien sûr|allô|bonjour|euh) (?:, )?)*(?:un|une|juste un|juste une|attendez un|` +
				`attends un) (?:moment|instant|seconde|petit instant|petit moment|petite seconde|minute|petite ` +
				`minute)(?: (?:, )?s'il (?:vous|te) plaît)?$`,
			`^(?:(?:oui|ok|d'accord|bien sûr|allô|bonjour) (?:, )?)*(?:attendez|attends|patientez|patiente|ne ` +
				`quittez pas|ne quitte pas|ne raccrochez pas|quittez pas)(?: (?:, )?(?:s'il (?:vous|te) plaît|un ` +
				`instant|une seconde|un moment|une minute|deux secondes))*$`,
			`je (?:vous |te )?(?:le|la) (?:passe|cherche|chercher)`,
			`je (?:vous|te) (?:passe|mets en relation|transfère|la passe|le passe)`,
			`je (?:vais )?(?:le |la |l' ?)(?:chercher|appelle|appeler)`,
			`je vais (?:voir|regarder) (?:si |s' ?)(?:il|elle) est (?:là|disponible|à la maison)`,
			`(?:attendez|ne quittez pas|un instant|une seconde)(?: ,)? je (?:vais|vous|te|le|la|l')`,
			`(?:il|elle) arrive$`,
			`^(?:surtout )?(?:ne )?(?:raccrochez|raccroche|quittez|quitte) pas$`,
		},

		WrongPerson: []string{
			`(?:faux|mauvais|pas le bon|erreur de) numéro`,
			`(?:mauvaise personne|pas la bonne personne|vous vous trompez|vous vous êtes trompée?|tu te trompes|` +
				`vous faites erreur|c'est une erreur)(?: de (?:numéro|personne))?$`,
			`(?:trompée?|erreur) de (?:numéro|personne|correspondant)`,
			`il n'y a (?:pas de|personne|aucun|aucune) (?:[a-z]+ )?(?:ici )?(?:de ce nom|à ce nom|qui s'appelle|à ` +
				`ce numéro)`,
			`(?:personne|aucune personne) (?:ici )?(?:de ce nom|ne s'appelle|à ce nom)`,
			`y a pas de (?:monsieur|madame) [a-z]+ ici`,
			`(?:n'habite|habite|ne vit|ne travaille) (?:plus|pas) (?:ici|là|à cette adresse)`,
			`(?:je ne connais|connais|nous ne connaissons) (?:pas|personne|aucun|aucune) (?:cette personne|de ce ` +
				`nom|ce monsieur|cette dame|de monsieur|de madame|qui s'appelle)`,
			`je ne (?:le|la) connais pas`, `(?:ce n'est|c'est) (?:plus|pas) (?:son|le) (?:numéro|téléphone)`,
			`je ne suis pas (?:la personne|celui|celle) (?:que|qu)`, `je ne suis pas (?:monsieur|madame) [a-z]+`,
			`(?:elle|il) a (?:déménagé|changé de numéro)`, `(?:j'ai|je viens d'avoir) ce numéro (?:depuis|que)`,
		},
		Deceased: []string{
			il + ` (?:est|vient de|nous a|n'est) (?:[a-z]+ ){0,3}(?:décédée?|morte?|mourir|quittés?|disparue?|` +
				`plus de ce monde|plus parmi nous|plus là pour)`,
			il + ` (?:n'est )?plus (?:de ce monde|parmi nous)`, `(?:nous l'avons|on l'a|je l'ai) (?:enterrée?|perdue?)`,
			`^(?:(?:non|désolée?|malheureusement|hélas) (?:, )?)*(?:décédée?|[a-z]+ est (?:décédée?|morte?))(?: ` +
				`[a-z]+)*$`,
			`(?:son|ses) (?:enterrement|obsèques)`,
		},
		Minor: []string{
			`(?:maman|papa)(?: et (?:papa|maman))? (?:n'est pas|est pas|est (?:au travail|sous la douche|sortie?|` +
				`dans)|sont pas|dort|prend (?:sa|une) douche)`,
			`(?:ma maman|mon papa|ma mère|mon père|mes parents) (?:n'est pas|ne sont pas|est pas|sont pas) (?:là|` +
				`à la maison)`,
			`(?:ma maman|mon papa|mes parents) (?:est (?:au travail|sous la douche)|sont (?:au travail|sortis)|` +
				`dort|dorment)`,
			`j'ai (?:seulement |que |juste |bientôt )?(?:[3-9]|1[0-5]|trois|quatre|cinq|six|sept|huit|neuf|dix|` +
				`onze|douze|treize|quatorze|quinze) ans`,
			`je suis (?:un|une|qu'un|qu'une|juste un) (?:enfant|petit garçon|petite fille)`, `je ne suis qu'un enfant`,
			`(?:je n'ai|j'ai) pas le droit de (?:parler|répondre)`,
			`(?:je ne dois|je dois) pas parler (?:aux|à des) inconnus`,
			`(?:vous voulez|tu veux) (?:parler à |que j'appelle )?(?:ma |mon )?(?:maman|papa)`,
		},
		Busy: []string{
			`je (?:suis|conduis) ` + adv + `(?:en train de (?:conduire|manger|travailler|cuisiner|dîner|déjeuner)|` +
				`au volant|en voiture|en (?:réunion|rendez vous|cours|entretien|déplacement|ligne|consultation|` +
				`conférence|clientèle|classe)|au travail|au bureau|chez le (?:médecin|dentiste|docteur)|à table|` +
				`sur la route|dans le (?:train|métro|bus))`,
			`je conduis(?: ` + adv + `| là| actuellement| en ce moment)?$`,
			`(?:je ne peux|je peux|peux) (?:vraiment )?pas (?:trop |vraiment )?(?:vous |te )?(?:parler|discuter|` +
				`répondre)(?: (?:là|maintenant|tout de suite|pour le moment|pour l'instant|en ce moment|` +
				`actuellement|au téléphone))*$`,
			`pas (?:vraiment |trop )?(?:le|un) (?:très |vraiment )?bon moment`,
			`(?:un |un très |vraiment un )mauvais moment`,
			`(?:vous tombez mal|tu tombes mal|vous me dérangez|ça tombe mal)`,
			`(?:je n'ai|j'ai|on n'a) pas (?:le|du|trop le) temps(?: (?:là|maintenant|tout de suite|pour le moment|` +
				`pour l'instant|pour ça|de parler))*$`,
			`^(?:(?:non|oui|allô|désolée?|écoutez|pardon|bonjour) (?:, )?)*je suis ` + adv + `(?:très |assez |` +
				`vraiment |un peu |trop )*(?:occupée?|pressée?|débordée?|prise?)(?: (?:là|maintenant|en ce moment|` +
				`pour le moment))*$`,
			`je dois (?:partir|y aller)(?: maintenant| là)$`,
		},
		GoAhead: []string{
			`(?:mais )?(?:allez y|si c'est rapide|faites vite|soyez bref|si ça va vite)`,
			`j'ai (?:une|deux|cinq|quelques) minutes?`,
		},
		CallBack: []string{
			`(?:rappelez|rappelle moi|appelez|appelle moi|téléphonez|réessayez|retéléphonez)(?: (?:moi|nous|le|la|` +
				`donc|plutôt|s'il vous plaît))* ` + quand,
			`(?:rappelez|rappelle) (?:moi|nous)(?: s'il (?:vous|te) plaît)?$`,
			`(?:pouvez vous|pourriez vous|vous pouvez|vous pourriez|peux tu|pourrais tu|tu peux|il faut|merci de|` +
				`veuillez) (?:me |nous |le |la )?(?:rappeler|appeler|retéléphoner|téléphoner)(?: ` + quand + `|$)`,
			`(?:est ce que vous pouvez|est ce que vous pourriez) (?:me |nous )?(?:rappeler|appeler)`,
			`(?:on peut|peut on|pourrait on|on pourrait) (?:se |en )?(?:parler|rappeler|voir ça) ` + quand,
			`(?:on se rappelle|on en parle|plutôt) ` + quand,
			`(?:ne m'appelez|ne me rappelez|n'appelez|ne rappelez|m'appelez|appelez) pas (?:avant|si tôt|si tard|` +
				`maintenant|à cette heure)`,
			il + ` (?:sera|rentre|revient) (?:là |de retour |à la maison )?` + quand,
			`je (?:serai|rentre|reviens|suis) (?:là |libre |disponible |à la maison |chez moi )*` + quand + `$`,
			`(?:donnez|laissez) moi (?:une|dix|vingt|trente|[0-9]+|quelques) (?:heures?|minutes|demi heure)`,
			`(?:rappelez|rappelle|appelez|appelle|rappeler|appeler|téléphonez)(?: [a-z]+){0,3} entre`,
		},
		WantsHuman: []string{
			`(?:parler|discuter|joindre|avoir|passez moi|transférez moi|mettez moi en relation)(?: plutôt)?(?: ` +
				`(?:à|avec|en relation avec|vers))? (?:` + humain + `|une personne$|une vraie personne|quelqu'un ` +
				`de réel)`,
			`(?:je veux|je voudrais|je préfère|je souhaite|j'aimerais|il y a|y a t il) ` + humain,
			`(?:ne parle|parle|ne veux|veux|ne discute|n'aime) pas (?:parler |discuter )?(?:à|avec|aux) (?:un |` +
				`une |des |les )?(?:robots?|machines?|ordinateurs?|répondeurs?)`,
			`(?:ne parle|parle) pas aux (?:robots|machines)`,
			`^(?:(?:non|un|une|s'il vous plaît) (?:, )?)*(?:conseiller|conseillère|opérateur|opératrice|humain|` +
				`être humain|agent|service client|standard)(?: (?:, )?s'il vous plaît)?$`,
			`(?:parler à|avec) (?:une personne|quelqu'un)$`,
		},
		Robot: []string{
			`(?:êtes vous|vous êtes|es tu|tu es|est ce|c'est|je parle (?:à|avec)|parle je (?:à|` +
				`avec)) (?:bien |vraiment |encore |un |une |de |vrai |vraie |l')*(?:robot|bot|machine|` +
				`ordinateur|enregistrement|ia|intelligence artificielle|voix automatique|` +
				`message enregistré|appel automatique|humain|humaine|être humain|personne réelle|` +
				`vraie personne|personne humaine)`,
			`(?:êtes vous|vous êtes) (?:bien )?une (?:vraie )?personne`,
			`je parle à une vraie personne`,
		},
		Speak: []string{
			`(?:parlez vous|vous parlez|tu parles|parles tu|quelqu'un (?:qui )?parle) (?:aussi )?{l}`,
			`(?:peut on|on peut|pouvez vous|pourriez vous|pouvons nous|` +
				`pourrait on)(?: s'il vous plaît)? (?:parler|continuer|passer|le faire)(?: en| à l)? {l}`,
			`parle (?:que|qu|seulement|uniquement) (?:le |l )?{l}`,
			`préfère(?: parler)?(?: en| le| l)? {l}`,
			`^parlez(?: en)? {l}`,
			`^en {l}$`,
			`^(?:en )?{l} s'il vous plaît$`,
		},
		NotSpoken: []string{
			`(?:parle|comprends) pas (?:bien |très bien )?(?:l |le )?{l}`,
		},
		Names: map[string][]string{
			"en": {"anglais"}, "cs": {"tchèque"}, "da": {"danois"}, "de": {"allemand"}, "el": {"grec"},
			"es": {"espagnol"}, "fr": {"français"}, "it": {"italien"}, "nb": {"norvégien"},
			"nl": {"néerlandais", "hollandais"}, "pl": {"polonais"}, "pt": {"portugais"}, "ro": {"roumain"},
			"sv": {"suédois"}, "tr": {"turc"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"une heure": time.Hour, "une demi heure": 30 * time.Minute, "demi heure": 30 * time.Minute,
				"une heure et demie": 90 * time.Minute, "un quart d'heure": 15 * time.Minute,
				"quart d'heure": 15 * time.Minute, "trois quarts d'heure": 45 * time.Minute,
				"quelques minutes": 10 * time.Minute, "quelques heures": 3 * time.Hour, "une journée": 24 * time.Hour,
				"un jour": 24 * time.Hour, "quelques jours": 3 * 24 * time.Hour, "une semaine": 7 * 24 * time.Hour,
				"quinze jours": 14 * 24 * time.Hour, "huit jours": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minute": time.Minute, "minutes": time.Minute, "heure": time.Hour, "heures": time.Hour,
				"jour": 24 * time.Hour, "jours": 24 * time.Hour, "semaine": 7 * 24 * time.Hour,
				"semaines": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"aujourd'hui": 0, "demain": 1, "après demain": 2, "la semaine prochaine": 7, "semaine prochaine": 7,
				"le mois prochain": 30,
			},
			Weekdays: [7][]string{
				{"dimanche"}, {"lundi"}, {"mardi"}, {"mercredi"}, {"jeudi"}, {"vendredi"}, {"samedi"},
			},
			Parts: map[string]int{
				"ce matin": 9, "matin": 9, "dans la matinée": 9, "midi": 12, "après midi": 14, "après le déjeuner": 14,
				"ce soir": 18, "soir": 18, "en soirée": 18, "après le travail": 18, "fin de journée": 17,
			},
			Between: []string{"entre"},
			At:      []string{"à", "vers", "après", "avant", "dès", "à partir de", "jusqu'à"},
			OClock:  []string{"heure", "heures", "h"},
			AM:      []string{"du matin"},
			PM:      []string{"de l'après midi", "du soir"},
			After: map[string]int{
				"et demie": 30, "et demi": 30, "et quart": 15, "moins le quart": -15, "moins quart": -15,
				"moins cinq": -5, "moins dix": -10, "moins vingt": -20,
			},
			Months: [12][]string{
				{"janvier"}, {"février"}, {"mars"}, {"avril"}, {"mai"}, {"juin"}, {"juillet"}, {"août"},
				{"septembre"}, {"octobre"}, {"novembre"}, {"décembre"},
			},
			MonthDays: [31][]string{{"premier", "1er"}},
			OfMonth:   []string{"de", "du"},
			Past:      map[string]int{"hier": 1, "avant hier": 2},
			Ago:       []string{"il y a"},
			Previous:  []string{"dernier", "passé"},
		},
		Spelling: Spelling{
			At:         []string{"arobase", "arrobase", "at", "a commercial"},
			Dot:        []string{"point"},
			Dash:       []string{"tiret", "trait d'union", "moins"},
			Underscore: []string{"tiret bas", "underscore", "tiret du bas"},
			Before:     []string{"est", "c'est", "mail", "e mail", "email", "courriel", "adresse"},
			Plus:       []string{"plus"},
			Times:      map[string]int{"double": 2, "deux fois": 2},
		},

		Harmless: []string{
			`morte? (?:de (?:fatigue|rire|faim|froid|soif|peur|honte|sommeil|jalousie|inquiétude)|d'ennui)`,
			`(?:quel|c'est quoi|quel est) (?:le |ce |un )?(?:mauvais|faux) numéro`,
			`disparue? (?:dans|derrière|en|au|à la)`,
		},
		Ages: []string{"âge", "ans", "an", "années"},
		Aside: []string{
			"il n'est pas là", "elle n'est pas là", "il est pas là", "elle est pas là", "il n'est pas ici",
			"elle n'est pas ici", "il n'est pas à la maison", "elle n'est pas à la maison", "ce n'est pas elle",
			"ce n'est pas lui", "c'est pas elle", "c'est pas lui", "je n'entends pas", "j'entends pas",
			"je n'entends rien", "je ne vous entends pas", "je vous entends pas", "je ne t'entends pas",
		},
		Yes: []string{
			"oui", "ouais", "ouaip", "si", "mais oui", "bien sûr", "bien entendu", "évidemment", "tout à fait",
			"absolument", "exactement", "exact", "c'est ça", "c'est exact", "c'est bien ça", "certainement",
			"d'accord", "ok", "okay", "volontiers", "avec plaisir", "sans problème", "pas de problème",
			"pas de souci", "pourquoi pas", "je crois que oui", "je pense que oui", "effectivement", "en effet",
			"entendu", "ça marche", "je veux bien", "affirmatif",
		},
		No: []string{
			"non", "nan", "mais non", "pas du tout", "pas vraiment", "pas encore", "pas maintenant",
			"bien sûr que non", "certainement pas", "absolument pas", "jamais", "je ne crois pas", "je crois pas",
			"je ne pense pas", "je pense pas", "je crois que non", "non merci", "surtout pas", "négatif",
			"en aucun cas", "ça ne m'intéresse pas", "pas intéressé", "pas intéressée", "c'est faux", "incorrect",
			"ce n'est pas ça", "non plus",
		},
		Unsure: []string{
			"peut être", "éventuellement", "possible", "c'est possible", "je ne sais pas", "je sais pas", "sais pas",
			"ça dépend", "parfois", "plus ou moins", "pas sûr", "pas sûre", "je ne suis pas sûr",
			"je ne suis pas sûre", "aucune idée", "oui et non",
		},
		Hint: []string{"pas", "aucun", "aucune"},
		Mistaken: []string{
			"je veux dire", "je voulais dire", "enfin non", "enfin plutôt", "ou plutôt", "plutôt", "attendez",
			"non attendez", "je me trompe", "pardon non",
		},
		YesAlone: []string{
			"c'est moi", "lui même", "elle même", "c'est elle même", "c'est lui même", "moi même", "bien",
			"très bien", "parfait", "vrai", "c'est vrai", "bon", "juste", "voilà", "super", "ça va",
		},
		NoAlone: []string{"faux", "rien"},
		Not:     []string{"pas", "sans", "sauf", "ni"},
		Connectives: []string{
			"avec", "dans", "pour", "avant", "après",
			"vous", "nous", "elle", "votre", "notre", "cette",
		},

		Ordinals: [MaxOrdinals][]string{
			{"premier", "première", "numéro un", "option un"},
			{"deuxième", "second", "seconde", "numéro deux", "option deux"},
			{"troisième", "numéro trois", "option trois"},
			{"quatrième", "numéro quatre"}, {"cinquième", "numéro cinq"}, {"sixième", "numéro six"},
			{"septième", "numéro sept"}, {"huitième", "numéro huit"},
		},
		Last: []string{"dernier", "dernière"},

		Spell:    spellFrench,
		Thousand: []string{"mille"},
		Half:     []string{"et demi", "et demie"},
		And:      []string{"et"},
		OutOf:    []string{"sur", "de"},
		Minus:    []string{"moins"},
		Article:  []string{"un", "une"},
		Vague: []string{
			"un peu", "un instant", "un moment", "une seconde", "une minute", "un petit peu", "une question", "l'un",
			"une autre",
		},
		Counts: map[string]float64{
			"aucun": 0, "aucune": 0, "rien": 0, "jamais": 0, "une fois": 1, "demi": 0.5, "une douzaine": 12,
			"une dizaine": 10, "une vingtaine": 20,
		},
		DecimalComma: true,

		Glad: []string{
			"bien", "très bien", "super", "parfait", "excellent", "génial", "merveilleux", "content", "contente",
			"heureux", "heureuse", "ravi", "ravie", "satisfait", "satisfaite", "mieux", "gentil", "agréable",
			"formidable",
		},
		Sad: []string{
			"mal", "très mal", "terrible", "horrible", "affreux", "fâché", "fâchée", "énervé", "énervée", "déçu",
			"déçue", "mécontent", "mécontente", "pire", "douleur", "douleurs", "problème", "problèmes", "plainte",
			"marre", "vertiges", "malade", "triste", "arnaque", "inadmissible", "scandaleux",
		},

		Urge: []string{
			"non", "oui", "maintenant", "tout de suite", "je vous dis", "je dis", "j'ai dit", "je veux que vous",
			"ça suffit", "immédiatement", "hey", "là", "vous pouvez", "pouvez vous", "je vous demande d'", "ça",
			"avec ça",
		},
		StopAlone: []string{
			"stop", "stoppez", "arrêtez", "arrête", "arrêter", "ça suffit", "arrêtez ça", "désinscription",
			"désabonnement", "plus d'appels", "n'appelez plus", "ne m'appelez plus", "laissez moi",
		},
		Stop: []string{
			`\b(?:ne |n )?(?:m |me |nous )?` + call + ` (?:donc |surtout )?(?:plus|jamais)\b`,
			`^(?:[a-z]+ )?(?:ne )?(?:m |me )(?:r ?)?(?:appelle|rappelle|telephone|derange) (?:plus|jamais)\b`,
			`\bne (?:m |me |nous )` + call + ` (?:plus|pas|jamais)$`,
			`\bne (?:plus|jamais|pas) (?:m |me |nous )(?:re ` +
				`?)?(?:appeler|rappeler|telephoner|contacter|deranger)(?:$| (?:svp|s il vous plait|a ce numero|du ` +
				`tout|jamais)\b)`,
			`\b(?:arretez|arrete|cessez|cesse|arreter|cesser) (?:donc |tout de suite |maintenant |immediatement ` +
				`)*(?:de |d )(?:m |me |nous )?(?:appeler|telephoner|harceler|deranger|contacter|embeter|rappeler)\b`,
			`\b(?:arretez|arrete|cessez|cesse|stoppez) (?:tous )?(?:ces|les|vos) appels\b`,
			`\b(?:retirez|supprimez|enlevez|effacez|rayez|otez|radiez|desinscrivez|retire|enleve|supprime) ` +
				`(?:moi|nous|mon (?:numero|nom)|ce numero|mes (?:donnees|coordonnees))\b`,
			`\b(?:me |nous |m )?(?:retirer|supprimer|enlever|rayer) (?:mon numero )?de (?:[a-z]+ ` +
				`)?(?:listes?|fichiers?|base)\b`,
			`\b(?:me |nous |m )(?:desinscrire|desabonner|desinscrivez|desabonnez)\b`,
			`\bje (?:ne )?(?:veux|souhaite|desire|voudrais) (?:plus|pas) (?:jamais )?(?:etre |que vous |qu on ` +
				`|recevoir )?(?:me |m |nous ` +
				`)?(?:appelee?s?|rappelee?s?|appeliez|rappeliez|contactee?s?|derangee?s?|appelle|rappelle|(?:d |de ` +
				`vos |vos |ces |de ces |aucun )appels?)\b`,
			`^(?:[a-z]+ )?plus (?:jamais )?d appels\b`,
			`\b(?:laissez|laisse|fichez|foutez) (?:moi|nous) (?:donc )?(?:tranquilles?|la paix|en paix)\b`,
		},
		Cues: []string{
			"appel", "rappel", "telephon", "contact", "derang", "harcel", "embet", "list", "fichier", "base",
			"retire", "supprime", "enleve", "efface", "raye", "ote", "radie", "desinscri", "desabonn", "laiss",
			"fich", "fout",
		},
		NotStop: []string{
			`\bplus (?:tard|tot|souvent|vite)\b`,
			`\bn (?:arretez|arrete|arreter) (?:pas|jamais|surtout pas) (?:de |d )?(?:m |me |nous )?[a-z]*`,
			`\bne (?:cessez|cesse|supprimez|retirez|enlevez|effacez|desinscrivez) pas [a-z ]*`,
			`\bne (?:me |m )(?:supprimez|retirez|enlevez|desinscrivez|desabonnez) pas\b`,
			`\bj (?:ai |avais )?arretee? (?:de |d )[a-z]+`,
			`\b(?:il|elle|on|ils|elles) (?:n |ne )?(?:arrete|cesse)(?:nt)? [a-z ]*`,
			`\b(?:il|elle|on|ils|elles|personne|qui) (?:ne )?(?:m |me )[a-z]+ plus\b`,
			`\bje (?:ne )?(?:veux|souhaite|voudrais) pas [a-z ]*(?:avant|apres|le matin|le soir|demain|aujourd ` +
				`hui|au travail)\b`,
			`\bliste d attente\b`,
		},
	}
}

func spellFrench(n int) []string {
	small := []string{
		"zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
		"treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
	}
	tens := []string{"", "", "vingt", "trente", "quarante", "cinquante", "soixante"}
	switch {
	case n == 1:
		return nil // "un" is also an article
	case n < 20:
		return []string{small[n]}
	case n < 70:
		return frenchTens(tens[n/10], n%10)
	case n < 80:
		all := frenchTens("septante", n%10)
		if n == 71 {
			return append(all, "soixante et onze")
		}
		return append(all, "soixante "+small[n-60])
	case n < 100:
		all := frenchTens("nonante", n%10)
		if n < 90 {
			all = append(frenchTens("huitante", n%10), frenchTens("octante", n%10)...)
		}
		if n == 80 {
			return append(all, "quatre-vingts", "quatre-vingt")
		}
		return append(all, "quatre-vingt "+small[n-80])
	}
	heads := []string{"cent"}
	if n/100 > 1 {
		heads = []string{small[n/100] + " cent", small[n/100] + " cents"}
	}
	var all []string
	for _, head := range heads {
		if n%100 == 0 {
			all = append(all, head)
			continue
		}
		if n%100 == 1 {
			all = append(all, head+" un", head+" une")
		}
		for _, rest := range spellFrench(n % 100) {
			all = append(all, head+" "+rest)
		}
	}
	return all
}

func frenchTens(ten string, unit int) []string {
	small := []string{"", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"}
	switch unit {
	case 0:
		return []string{ten}
	case 1:
		return []string{ten + " et un", ten + " et une", ten + " un"}
	}
	return []string{ten + " " + small[unit]}
}
