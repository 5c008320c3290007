package lexicon

// Turkish is the lexicon of Turkish.
func Turkish() Language {
	const (
		dont = `(?:arama|aramayın|aramayınız|aramasın|aramasınlar|aramayin|rahatsız etme|rahatsız etmeyin|rahatsız ` +
			`etmeyiniz|telefon etme|telefon etmeyin|telefon açma|telefon açmayın|taciz etmeyin|ulaşmayın|iletişime ` +
			`geçmeyin)`
		me   = `(?:beni|bizi|bana|bize|bu numarayı|numaramı|bu numaradan|burayı|buraya|lütfen)`
		more = `(?:bir daha|artık|asla|hiçbir zaman|hiç|kesinlikle|sakın)`
		data = `(?:numaramı|bu numarayı|telefonumu|telefon ` +
			`numaramı|adımı|ismimi|bilgilerimi|kaydımı|verilerimi|beni|bizi)`
		list = `(?:listeden|listenizden|listenden|listelerinizden|sistemden|sisteminizden|kayıtlardan|kayıtlarınızdan|veritabanınızdan|rehberinizden)`
		drop = `(?:sil|silin|siliniz|silebilir|silmenizi|silinsin|çıkar|çıkarın|çıkarınız|çıkarın ` +
			`beni|çıkart|çıkartın|çıkarabilir|çıkarmanızı|kaldır|kaldırın)`
		quit = `(?:bırak|bırakın|bırakınız|kes|kesin|kesiniz|son verin|durdurun|durdur|vazgeçin)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Bu otomatik bir aramadır. İstediğiniz zaman 9 tuşuna basın veya dur deyin, sizi bir " +
				"daha aramayız.",
			NotUnderstood: "Özür dilerim, anlayamadım.",
			Goodbye:       "Zaman ayırdığınız için teşekkür ederim. Hoşça kalın.",
			StillThere:    "Hâlâ orada mısınız?",
			NoAnswer:      "Sizi duyamıyorum, bu yüzden şimdi kapatıyorum. Hoşça kalın.",
			OptedOut:      "Anladım. Bu numarayı bir daha aramayacağız. Hoşça kalın.",
			Back:          "Özür dilerim, bağlantı kısa bir süre koptu.",
			MoveOn:        "Sorun değil, devam edelim.",
			Moment:        "Bir dakika lütfen.",
			Trouble:       "Özür dilerim, teknik bir sorunumuz var ve şimdi kapatmak zorundayım. Hoşça kalın.",
			Acks:          []string{"Teşekkür ederim.", "Tamam."},
		},
		Filler: []string{"ee", "eee", "ıı", "ııı", "hm", "hmm", "mm", "şey", "yani", "işte", "hani", "valla", "vallahi",
			"bence", "bir düşüneyim", "düşüneyim", "bakalım", "bir bakayım", "galiba", "sanırım", "herhalde",
			"zannedersem", "lütfen", "rica ederim", "teşekkürler", "teşekkür ederim", "sağ olun", "sağol",
			"kusura bakmayın", "pardon", "özür dilerim",
			"efendim", "hanımefendi", "beyefendi", "canım", "yaklaşık", "aşağı yukarı", "diyelim", "diyebilirim", "ya",
			"ve", "ama", "fakat", "ben", "aslında", "kızım", "oğlum"},
		Hello: []string{
			"alo", "efendim", "merhaba", "selam", "selamün aleyküm", "günaydın", "iyi günler", "iyi akşamlar",
			"buyurun", "buyrun", "alo buyurun",
		},
		Bye: []string{
			"hoşça kalın", "hoşçakalın", "hoşça kal", "güle güle", "görüşürüz", "görüşmek üzere", "allahaısmarladık",
			"kapatmam lazım", "kapatmalıyım", "gitmem lazım", "gitmeliyim", "iyi geceler", "kendinize iyi bakın",
			"hadi görüşürüz",
		},
		Who: []string{
			"kimsiniz", "siz kimsiniz", "sen kimsin", "kimsin", "kim arıyor", "arayan kim", "kim bu",
			"kiminle görüşüyorum", "kiminle konuşuyorum", "nereden arıyorsunuz", "neresi orası", "orası neresi",
			"ne için arıyorsunuz", "niye arıyorsunuz", "neden arıyorsunuz", "ne hakkında", "konu nedir", "konu ne",
			"bu ne", "robot musunuz", "robot musun", "siz robot musunuz", "bu bir robot mu", "robotla mı konuşuyorum",
		},
		Repeat: []string{
			"ne", "nasıl", "efendim", "pardon", "anlamadım", "anlayamadım", "duyamadım", "duyamıyorum",
			"sizi duyamıyorum", "ne dediniz", "ne dedin", "tekrar", "tekrar edin", "tekrar eder misiniz",
			"tekrarlar mısınız", "bir daha", "bir daha söyler misiniz", "bir daha söyleyin", "tekrar söyler misiniz",
			"tekrar söyleyin", "soruyu tekrar eder misiniz", "soruyu tekrarlar mısınız", "soru neydi",
			"ne demek istiyorsunuz", "sesiniz gelmiyor", "kesik geliyor",
		},
		Record: []string{
			"mesajınızı bırakın", "mesaj bırakın", "lütfen mesaj bırakın", "mesaj bırakabilirsiniz",
			"sinyal sesinden sonra", "bip sesinden sonra", "sesli mesaj", "telesekreter",
			"aradığınız kişiye şu anda ulaşılamıyor", "şu anda telefona cevap veremiyorum",
		},
		Skip: []string{
			"bilmiyorum", "bilmem", "bilemiyorum", "hiç bilmiyorum", "fikrim yok", "hiçbir fikrim yok",
			"hatırlamıyorum", "söylemesi zor", "cevap vermek istemiyorum", "söylemek istemiyorum",
			"söylemeyi tercih etmem", "yorum yok", "sonraki soru", "sonraki", "geç", "geçelim", "pas",
			"sizi ilgilendirmez", "hiçbiri", "hiç biri", "ne o ne bu",
		},

		Yes: []string{
			"evet", "evet evet", "tabii", "tabi", "tabii ki", "tabi ki", "elbette", "elbet", "kesinlikle", "mutlaka",
			"muhakkak", "doğru", "doğrudur", "aynen", "aynen öyle", "öyle", "tamam", "tamamdır", "olur", "peki",
			"pekala", "he", "hı hı", "hıhı", "hee", "okey", "ok", "tamam olur", "memnuniyetle", "seve seve",
			"sorun değil", "problem değil", "sıkıntı yok", "sorun yok", "neden olmasın", "niye olmasın",
			"sanırım evet", "galiba evet", "herhalde evet", "şüphesiz", "onaylıyorum", "katılıyorum",
		},
		No: []string{"hayır", "hayır hayır", "yok", "yoo", "hayır teşekkürler", "hayır teşekkür ederim",
			"yok teşekkürler", "istemiyorum", "istemem", "hiç", "hiç değil", "kesinlikle hayır", "kesinlikle değil",
			"tabii ki hayır", "tabii ki değil", "elbette hayır", "asla", "henüz değil", "daha değil", "henüz yok",
			"şimdi değil", "bugün değil", "sanmıyorum", "zannetmiyorum", "sanırım hayır", "galiba hayır", "pek değil",
			"pek sayılmaz", "maalesef hayır", "maalesef", "ne yazık ki hayır",
			"değil", "doğru değil", "yanlış", "yanlış numara", "öyle değil", "ilgilenmiyorum", "katılmıyorum", "olmaz",
			"imkansız", "mümkün değil"},
		Unsure: []string{
			"belki", "belki de", "olabilir", "bilmiyorum", "bilmem", "emin değilim", "pek emin değilim",
			"duruma göre", "duruma bağlı", "değişir", "bazen", "ara sıra", "hem evet hem hayır", "aşağı yukarı",
			"az çok", "söylemesi zor", "hatırlamıyorum", "henüz bilmiyorum",
		},
		Hint: []string{
			"değilim", "görmedim", "almadım", "gelmedi", "olmadı", "olmadım", "yapmadım", "gitmedim", "etmedim",
			"hiçbir", "hiçbir zaman", "yoktu", "yapamam", "gelemem", "edemem", "içmedim", "kullanmadım", "ağrımıyor",
		},
		Mistaken: []string{
			"yani", "demek istediğim", "demek istedim", "diyecektim", "pardon hayır", "bir dakika", "dur bir dakika",
			"yok yok", "yanlış söyledim", "yanlış oldu", "daha doğrusu", "şaşırdım", "aslında hayır", "düzeltiyorum",
		},
		YesAlone: []string{
			"benim", "evet benim", "buyurun benim", "ta kendisi", "var", "vardı", "isterim", "istiyorum", "gördüm",
			"aldım", "geldi", "oldu", "yaptım", "gittim", "içtim", "iyi", "güzel", "süper", "harika", "mükemmel",
			"uygun", "uyar", "bana uyar", "gelirim", "doğru söylüyorsunuz",
		},
		NoAlone: []string{
			"yalan", "hiçbiri", "hiçbir zaman", "yok öyle bir şey", "değilim", "görmedim", "almadım", "gelmedi",
			"uymaz",
		},
		Not:      []string{"ne"},
		NotAfter: []string{"değil", "olmaz", "olmasın"},

		Connectives: []string{"veya", "için", "önce", "sonra", "evde"},

		Ordinals: [MaxOrdinals][]string{
			{"birinci", "birincisi", "ilk", "ilki", "bir numara", "bir numaralı", "birinci seçenek"},
			{"ikinci", "ikincisi", "iki numara", "ikinci seçenek"},
			{"üçüncü", "üçüncüsü", "üç numara", "üçüncü seçenek"},
			{"dördüncü", "dördüncüsü", "dört numara"}, {"beşinci", "beşincisi", "beş numara"},
			{"altıncı", "altıncısı", "altı numara"}, {"yedinci", "yedincisi", "yedi numara"},
			{"sekizinci", "sekizincisi", "sekiz numara"},
		},
		Last: []string{"sonuncu", "sonuncusu", "en son", "en sonuncusu"},

		Spell:    turkishNumbers.spell,
		Thousand: []string{"bin"},
		Half:     []string{"buçuk"},
		And:      []string{"ve"},
		OutOf:    []string{"bölü"},
		OfScale:  []string{"üzerinden", "üstünden", "içinden"},
		Minus:    []string{"eksi"},
		Article:  []string{"bir", "bir tane", "bir kere", "bir kez", "bir defa"},
		Vague: []string{
			"bir dakika", "bir saniye", "bir an", "bir daha", "biraz", "bir az", "birkaç", "bir kaç", "bir şey",
			"bir sürü", "bir de", "bir miktar", "bir başka", "bir ara", "bir gün",
		},
		Counts: map[string]float64{
			"iki kere": 2, "iki kez": 2, "iki defa": 2, "üç kere": 3, "üç kez": 3, "üç defa": 3, "hiç": 0,
			"hiçbiri": 0, "hiç biri": 0, "hiçbir zaman": 0, "yok": 0, "yarım": 0.5, "bir buçuk": 1.5,
			"bir düzine": 12, "bir çift": 2, "onda bir": 1, "onda iki": 2, "onda üç": 3, "onda dört": 4,
			"onda beş": 5, "onda altı": 6, "onda yedi": 7, "onda sekiz": 8, "onda dokuz": 9, "onda on": 10,
		},
		DecimalComma: true,

		Glad: []string{
			"iyi", "çok iyi", "iyiyim", "güzel", "çok güzel", "harika", "mükemmel", "süper", "şahane", "memnun",
			"memnunum", "mutlu", "mutluyum", "daha iyi", "nazik", "kibar", "yardımcı", "tatlı", "çok teşekkür ederim",
			"allah razı olsun", "seviyorum", "beğendim",
		},
		Sad: []string{
			"kötü", "çok kötü", "berbat", "rezalet", "korkunç", "memnun değilim", "mutsuz", "kızgın", "kızgınım",
			"sinirli", "sinirliyim", "daha kötü", "ağrı", "ağrım", "ağrıyor", "acı", "acıyor", "sorun", "sorunum",
			"problem", "şikayet", "şikayetçiyim", "hayal kırıklığı", "baş dönmesi", "hasta", "hastayım", "üzgün",
			"üzgünüm", "dolandırıcılık", "dolandırıcı", "ayıp", "endişeliyim", "kaba",
		},

		Urge: []string{
			"hayır", "evet", "artık", "hemen", "derhal", "hadi", "dedim", "diyorum", "size diyorum", "ya", "be",
			"lan", "tamam", "yeter", "allah aşkına", "bunu", "şunu", "lütfen artık", "beni", "bir daha",
		},
		StopAlone: []string{
			"dur", "durun", "durunuz", "stop", "yeter", "yeter artık", "bırak", "bırakın", "kes", "kesin şunu",
			"kes şunu", "kesin artık", "arama", "aramayın", "aramayınız", "aramayı bırakın", "aramayı kesin",
			"beni aramayın", "numaramı silin", "listeden çıkar", "listeden çıkarın", "rahat bırakın", "rahat bırak",
		},
		Stop: []string{
			`\b` + more + `(?: (?:` + more + `|` + me + `))* ` + dont + `\b`,
			`\b` + me + `(?: (?:` + more + `|` + me + `))* ` + dont +
				`(?:$| (?:lütfen|artık|bir daha|bundan sonra|bir de|dedim|diyorum|tamam)\b)`,
			`\b` + dont + ` (?:` + me + ` )*(?:` + more + `|bundan sonra)\b`,
			`\b(?:aramayı|aramaları|aramanızı|aramalarınızı|rahatsız etmeyi|telefon etmeyi|telefonları) (?:lütfen ` +
				`|artık |hemen )*` + quit + `\b`,
			`\b(?:aranmak|rahatsız edilmek) (?:da )?istemiyor(?:um|uz)\b`,
			`\b(?:aramanızı|aramasını|aramalarını|aramanızı da|telefon etmenizi|ulaşmanızı) istemiyor(?:um|uz)\b`,
			`\b(?:arama|aramalar|telefon|çağrı) (?:almak |gelmesini )(?:da )?istemiyor(?:um|uz)\b`,
			`\b(?:başka|bu tür|daha fazla|hiçbir) (?:arama|aramalar|telefon|çağrı) istemiyor(?:um|uz)\b`,
			`\b` + data + `(?: (?:lütfen|hemen|artık|` + list + `))* ` + drop + `\b`,
			`\b` + list + ` (?:lütfen |hemen )*(?:beni |bizi |numaramı )?` + drop + `\b`,
			`\b(?:beni|bizi) (?:lütfen |artık )*rahat bırak(?:ın|ınız)?\b`,
			`\b(?:üyelikten|abonelikten) (?:çık|çıkmak|çıkar)[a-z]*`,
		},
		Cues: []string{
			"ara", "rahats", "telefon", "taciz", "ulaş", "iletiş", "sil", "çıkar", "kald", "rahat", "numara",
			"üyelik", "abone", "başka", "çağr",
		},
		NotStop: []string{
			`\b(?:sabah|akşam|gece|öğlen|öğleden önce|öğleden sonra|bugün|yarın|şimdi|şu an|şu ` +
				`anda|mesaide|işteyken|hafta sonu|(?:saat )?[a-z0-9]+d[ae]n önce|[a-z0-9]+ten önce|[a-z0-9]+tan ` +
				`önce|önce|kadar)(?: ` + me + `)* ` + dont + `\b`,
			`\b(?:durma|durmayın|bırakma|bırakmayın|kesme|kesmeyin|silme|silmeyin|çıkarma|çıkarmayın)\b`,
			`\b(?:aramayı|aramaları) (?:bırakmayın|kesmeyin)\b`,
			`\b(?:hiç|artık|hiçbir) arama (?:gel|al|yap|ol)[a-z]*`,
			`\bbekleme listesi[a-z]*`, `\botobüs durağı[a-z]*`,
		},
	}
}

var turkishNumbers = numberWords{
	small: [20][]string{{"sıfır"}, nil, {"iki"}, {"üç"}, {"dört"}, {"beş"}, {"altı"}, {"yedi"}, {"sekiz"}, {"dokuz"},
		{"on"},
		{"on bir", "onbir"}, {"on iki", "oniki"}, {"on üç", "onüç"}, {"on dört", "ondört"}, {"on beş", "onbeş"},
		{"on altı", "onaltı"}, {"on yedi", "onyedi"}, {"on sekiz", "onsekiz"}, {"on dokuz", "ondokuz"}},
	one: []string{"bir"},
	tens: [10][]string{
		2: {"yirmi"}, 3: {"otuz"}, 4: {"kırk"}, 5: {"elli"}, 6: {"altmış"}, 7: {"yetmiş"}, 8: {"seksen"},
		9: {"doksan"},
	},
	hundreds: [10][]string{
		1: {"yüz"}, 2: {"iki yüz", "ikiyüz"}, 3: {"üç yüz", "üçyüz"}, 4: {"dört yüz", "dörtyüz"},
		5: {"beş yüz", "beşyüz"}, 6: {"altı yüz", "altıyüz"}, 7: {"yedi yüz", "yediyüz"},
		8: {"sekiz yüz", "sekizyüz"}, 9: {"dokuz yüz", "dokuzyüz"},
	},
	join: []string{" ", ""},
}
