package lexicon

import "time"

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
		// who answered
		kutu = `(?:(?:sesli |mesaj |posta )+kutu(?:su|sun|suna|sunun|nuz)?|telesekreter(?:i|e|in|ine|iniz)?|` +
			`sesli mesaj|sesli posta|tele sekreter)`
		simdi = `(?:(?:şu an|şu anda|şimdi|maalesef|geçici olarak|tam|biraz|bugün|şu sıra|şu sıralar|hâlâ) )*`
		zaman = `(?:daha sonra|sonra|biraz sonra|yarın(?: sabah| akşam| öğlen| öğleden sonra)?|öbür gün|bu ` +
			`(?:akşam|gece|öğleden sonra)|akşam(?:a|leyin)?|akşama doğru|öğleden (?:sonra|önce)|öğlen|` +
			`başka (?:bir )?(?:zaman|gün|sefer)|müsait olunca|(?:pazartesi|salı|çarşamba|perşembe|cuma|` +
			`cumartesi|pazar)(?: günü)?|haftaya|gelecek hafta|önümüzdeki hafta|(?:bir|yarım|iki|üç|dört|` +
			`beş|on|on beş|yirmi|otuz|[0-9]+|birkaç|bir buçuk|iki buçuk) (?:saat|dakika|gün|hafta)(?: ` +
			`kadar)? (?:sonra|içinde)|(?:saat )?(?:birde|ikide|üçte|dörtte|beşte|altıda|yedide|sekizde|` +
			`dokuzda|onda|on birde|on ikide|[0-9:.]+ ?(?:de|da|te|ta)?|buçukta|birden|ikiden|üçten|` +
			`dörtten|beşten|altıdan|yediden|sekizden|dokuzdan|ondan|on birden|on ikiden)(?: sonra| önce| ` +
			`gibi)?|(?:dört|beş|altı|yedi|sekiz|dokuz|on|üç|iki|bir|on bir|on iki) (?:buçukta|gibi|` +
			`civarı)|yeniden|tekrar)`
		kisi = `(?:annem|babam|eşim|kocam|karım|oğlum|kızım|kardeşim|ablam|abim|dedem|anneannem|babaannem|` +
			`kendisi|o|[a-z]+ bey|[a-z]+ hanım)`
		insan = `(?:(?:bir|gerçek|canlı|başka) )*(?:insanla|insan|temsilciyle|temsilci|yetkiliyle|yetkili|kişiyle|` +
			`operatörle|operatör|operatöre|temsilciye|yetkiliye|müşteri temsilcisine|müşteri ` +
			`temsilcisiyle|müşteri temsilcisi|çalışanla|insana)`
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
			Screening: "Bu, {{organization}} tarafından yapılan otomatik bir aramadır. Aranan: {{name|bu " +
				"numaranın sahibi}}.",
			ScreeningAbout: "Bu, {{organization}} tarafından yapılan otomatik bir aramadır. Aranan: {{name|bu " +
				"numaranın sahibi}}. Konu: {{reason}}.",
			Automated: "Ben otomatik bir sesim, insan değilim. Bu, {{organization}} tarafından yapılan " +
				"otomatik bir aramadır.",
			Declined:    "Üzgünüm, bu konuda konuşamam.",
			Voicemail:   "Ben {{organization}} adına arayan {{agent}}. Başka bir zaman yeniden deneyeceğiz. Hoşça kalın.",
			WrongPerson: "Rahatsız ettiğim için özür dilerim. Hoşça kalın.",
			Deceased:    "Başınız sağ olsun. Aradığımız için özür dilerim. Hoşça kalın.",
			Minor:       "Teşekkür ederim. Şimdi kapatıyorum. Hoşça kal.",
			Busy:        "Anlıyorum. Rahatsız ettiğim için özür dilerim. Hoşça kalın.",
			CallBack:    "Anladım ve not aldım. Hoşça kalın.",
			WantsHuman: "Ben otomatik bir sesim ve sizi bağlayamıyorum. Bir insanla konuşmak istediğinizi not " +
				"aldım. Hoşça kalın.",
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
		Parting: []string{"iyi günler", "iyi akşamlar"},
		Bye: []string{
			"hoşça kalın", "hoşçakalın", "hoşça kal", "güle güle", "görüşürüz", "görüşmek üzere", "allahaısmarladık",
			"kapatmam lazım", "kapatmalıyım", "gitmem lazım", "gitmeliyim", "iyi geceler", "kendinize iyi bakın",
			"hadi görüşürüz",
		},
		Who: []string{
			"kimsiniz", "siz kimsiniz", "sen kimsin", "kimsin", "kim arıyor", "arayan kim", "kim bu",
			"kiminle görüşüyorum", "kiminle konuşuyorum", "nereden arıyorsunuz", "neresi orası", "orası neresi",
			"ne için arıyorsunuz", "niye arıyorsunuz", "neden arıyorsunuz", "ne hakkında", "konu nedir", "konu ne",
			"bu ne",
		},
		Repeat: []string{
			"ne", "nasıl", "efendim", "pardon", "anlamadım", "anlayamadım", "duyamadım", "duyamıyorum",
			"sizi duyamıyorum", "ne dediniz", "ne dedin", "tekrar", "tekrar edin", "tekrar eder misiniz",
			"tekrarlar mısınız", "bir daha", "bir daha söyler misiniz", "bir daha söyleyin", "tekrar söyler misiniz",
			"tekrar söyleyin", "soruyu tekrar eder misiniz", "soruyu tekrarlar mısınız", "soru neydi",
			"ne demek istiyorsunuz", "sesiniz gelmiyor", "kesik geliyor",
			"duymuyorum", "sizi duymuyorum", "hiçbir şey duyamıyorum",
		},
		Skip: []string{
			"bilmiyorum", "bilmem", "bilemiyorum", "hiç bilmiyorum", "fikrim yok", "hiçbir fikrim yok",
			"hatırlamıyorum", "söylemesi zor", "cevap vermek istemiyorum", "söylemek istemiyorum",
			"söylemeyi tercih etmem", "yorum yok", "sonraki soru", "sonraki", "geç", "geçelim", "pas",
			"sizi ilgilendirmez", "hiçbiri", "hiç biri", "ne o ne bu",
		},

		Record: []string{
			`(?:mesaj|mesajınızı|mesajını|not|adınızı|notunuzu|isminizi)(?: [a-z]+){0,4} (?:bırakın|bırakınız|` +
				`bırakabilirsiniz|bırak|bırakabilirsin)`,
			`(?:sinyal|bip|sinyal sesinden|bip sesinden|sinyalden)(?: sesinden)?(?: sonra)`,
			`(?:bip|sinyal) sesinden sonra`,
			kutu + `(?:na|ya|ne|ine)? (?:ulaştınız|aktarılıyor|yönlendiriliyor|yönlendirildi|bağlanıyorsunuz|` +
				`bağlandınız)`,
			`(?:[a-z]+)(?: [a-z]+)? (?:in|ın|un|ün) ` + kutu,
			kutu + `(?:na|ne)? (?:yönlendiriliyorsunuz|aktarılıyorsunuz|yönlendirilmektedir|yönlendirilmiştir)`,
			`aradığınız (?:kişiye|kişi|numara|numaraya|abone|aboneye|müşteri) ?`,
			`(?:çağrınıza|aramanıza|telefonunuza|çağrınızı) ` + simdi + `(?:cevap veremiyorum|cevap veremiyoruz|` +
				`yanıt veremiyorum|cevaplayamıyorum|yanıtlayamıyorum|yanıt veremiyoruz)`,
			`(?:en kısa (?:zamanda|sürede)|ilk fırsatta) (?:size |sizi |sana |seni )?(?:dönüş|arayacağım|` +
				`döneceğim|ararım|dönerim|arayacağız|döneceğiz)`,
			`ne yapacağını biliyorsun`,
		},
		Reached: []string{
			`(?:ulaştınız|aradınız|ulaştın)$`,
			simdi + `(?:müsait değilim|müsait değiliz|ulaşılabilir değilim|evde değiliz)$`,
			simdi + `(?:telefona|telefonu|size) (?:bakamıyorum|cevap veremiyorum|açamıyorum|çıkamıyorum|yanıt ` +
				`veremiyorum)`,
			simdi + `cevap (?:veremiyorum|veremiyoruz)`,
			`(?:sizi|seni|size|sana) (?:sonra |daha sonra |geri )*(?:arayacağım|ararım|dönerim|döneceğim|arayacağız)$`,
			`(?:lütfen )?daha sonra (?:tekrar |yeniden )?(?:deneyiniz|deneyin|arayınız)$`, `ulaşılamıyor`,
		},
		Full: []string{
			`(?:` + kutu + `|hafıza|hafızası|kutusu) (?:maalesef |şu anda |şu an )?(?:dolu|doludur|dolmuştur)`,
			`(?:mesaj|yeni mesaj) (?:alamıyor|kabul etmiyor|bırakılamıyor|bırakamazsınız|kabul edemiyor|bırakılamaz)`,
			kutu + `(?:nu|ni|yi)? (?:henüz )?(?:kurulmamış|ayarlanmamış|etkinleştirilmemiş|aktif değil|` +
				`kurulmamıştır|etkinleştirilmemiştir|kurmamış|ayarlamamış|aktif değildir|bulunmamaktadır|` +
				`bulunmuyor|yok)`,
			`(?:numara|aradığınız numara) (?:kullanılmamaktadır|kullanılmıyor|kullanımda değildir|kullanımda değil)`,
		},
		Screen: []string{
			`(?:adınızı|isminizi|adını|ismini|adınız|kim olduğunuzu|kim olduğunu) ve (?:[a-z]+ ){0,2}(?:nedenini|` +
				`nedeninizi|sebebini|neden|niçin|niye|amacınızı)`,
			`(?:arama|aramanızın|aramanın) (?:nedenini|nedeninizi|sebebini|amacını) (?:söyleyin|söyleyiniz|` +
				`belirtin|belirtiniz|söyler|kaydedin|söylerseniz)`,
			`(?:adınızı|isminizi) (?:söyleyin|söyleyiniz|belirtin)$`,
			`(?:aramanızın|aramanın) (?:nedeni|sebebi|amacı) ne(?:dir)?`,
			`(?:neden|niçin|niye) aradığınızı (?:söyleyin|söyler misiniz|söyleyiniz|söyleyebilir misiniz)`,
		},
		Screener: []string{
			`(?:çağrı|arama) (?:filtreleme|filtresi|filtresini|filtrelemeyi|tarama|süzgeci|eleme|filtrelemesi)`,
			`(?:sanal|dijital|kişisel|google|truecaller) asistan(?:ı|ıyım|ım|ıdır)?`,
			`(?:müsait|uygun) olup olmadığına (?:bakacağım|bakayım|bakarım|bakıyorum)`,
			`(?:görüşmenin|konuşmanın) (?:bir )?(?:kopyasını|dökümünü) (?:alacak|alacaktır)`,
			`(?:hatta kalın|hatta bekleyin|hattan ayrılmayın|hattan ayrılmayınız) (?:, )?(?:ben|bu sırada|kişi)`,
			`teşekkürler(?: lütfen)? (?:, )?(?:lütfen )?(?:hatta kalın|hatta bekleyin|hattan ayrılmayın)`,
		},
		Menu: []string{
			`(?:[0-9]|sıfır|sıfıra|bire|biri|ikiye|ikiyi|üçe|üçü|dörde|dördü|beşe|altıya|yediye|sekize|dokuza|` +
				`yıldıza|kareye)(?: [ae]| y[ae]| i| ı)? (?:basın|basınız|tuşlayın|tuşlayınız|tuşuna)`,
			`(?:tuşuna basın|tuşuna basınız|tuşlayın|tuşlayınız)`, `(?:tüm|bütün) (?:müşteri )?temsilcilerimiz`,
			`(?:ilk|sıradaki) (?:müsait|uygun|boşalan) (?:müşteri )?temsilci(?:miz|ye)?`,
			`(?:aramanız|çağrınız) bizim için (?:çok )?(?:önemli|önemlidir)`,
			`(?:görüşmeniz|görüşmeleriniz|konuşmanız|görüşme) (?:[a-z]+ ){0,4}(?:kaydedilmektedir|kaydediliyor|` +
				`kayıt altına|kaydedilecektir|kaydedilebilir)`,
			`(?:ana menü|ana menüye|çalışma saatlerimiz|dahili numarayı|sırada bekleyen|lütfen dikkatle dinleyiniz)`,
		},
		Hold: []string{
			`^(?:(?:evet|tamam|peki|alo|tabii) (?:, )?)*(?:bir|bi) (?:dakika|saniye|dakka|sn|an)(?: (?:, ` +
				`)?(?:lütfen|bekleyin|bekle|bekleyiniz|bekler misiniz|bekletiyorum))*$`,
			`^(?:(?:evet|tamam|peki|alo|tabii) (?:, )?)*(?:bekleyin|bekle|bekleyiniz|bekler misiniz|hatta kalın|` +
				`hattan ayrılmayın|kapatmayın|biraz bekleyin|az bekleyin|lütfen bekleyin)(?: (?:, )?(?:lütfen|` +
				`biraz|bir dakika|bir saniye))*$`,
			`(?:onu|kendisini|annemi|babamı|eşimi|hemen|karımı|kocamı) (?:çağırıyorum|çağırayım$|veriyorum|` +
				`vereyim$|bağlıyorum|çağıracağım)`,
			`(?:size |telefonu )(?:veriyorum|vereyim|bağlıyorum)$`,
			`(?:sizi|hemen|şimdi) (?:bağlıyorum|aktarıyorum|bağlayayım)`,
			`(?:bakayım|bir bakayım) (?:evde|burada|orada) mı$`, `(?:evde|burada) mı (?:bir )?bakayım`,
			`(?:hemen|şimdi) geliyor$`,
			`^(?:lütfen )?(?:telefonu )?(?:kapatmayın|kapatma|kapatmayınız|kapatmayın lütfen)$`,
		},

		WrongPerson: []string{
			`yanlış (?:numara|numarayı|kişi|kişiyi|yer|yeri|no|numaradasınız|aradınız|arıyorsunuz|aramışsınız)`,
			`(?:burada|bu numarada) (?:öyle|böyle|o isimde|bu isimde|[a-z]+ diye|[a-z]+ adında|öyle biri) ` +
				`(?:[a-z]+ )*(?:yok|oturmuyor|çalışmıyor)`,
			`(?:öyle|böyle|o isimde|bu isimde|[a-z]+ diye|[a-z]+ adında) (?:biri|birisi|kimse) (?:burada )?yok`,
			`(?:artık )?burada (?:oturmuyor|yaşamıyor|çalışmıyor|kalmıyor)`,
			`(?:onu|öyle birini|bu kişiyi|o kişiyi|böyle birini|kendisini) tanımıyorum`,
			`(?:bu|artık) (?:numara )?(?:artık )?(?:onun|ona ait) (?:numarası )?değil`,
			`(?:ben )?(?:o|aradığınız kişi|o kişi) değilim$`, `(?:taşındı|taşındılar|numarasını değiştirdi)`,
			`bu (?:numarayı|hattı) (?:yeni|daha yeni) aldım`,
		},
		Deceased: []string{
			kisi + ` (?:[a-z]+ ){0,3}(?:vefat etti|öldü|hayatını kaybetti|rahmetli oldu|vefat etmişti|vefat etmiş|` +
				`öleli|aramızdan ayrıldı|hayatta değil|sizlere ömür)`,
			`^(?:(?:hayır|maalesef|üzgünüm|ne yazık ki) (?:, )?)*(?:[a-z]+ ){0,3}(?:vefat etti|hayatını kaybetti|` +
				`rahmetli oldu|hayatta değil|sizlere ömür)$`,
			`^(?:(?:hayır|maalesef|üzgünüm) (?:, )?)*(?:o )?öldü$`,
			`(?:onu|kendisini) (?:kaybettik|toprağa verdik|defnettik)`, `(?:onun )?cenazesi`,
		},
		Minor: []string{
			`(?:annem|babam|annemle babam|annem ve babam) (?:evde değil|evde yok|uyuyor|duşta|banyoda|işte|` +
				`dışarıda|burada değil|çalışıyor|yok)`,
			`annem (?:ve babam )?(?:evde )?(?:değiller|yoklar)`,
			`(?:ben )?(?:daha |sadece |henüz )?(?:[3-9]|1[0-5]|üç|dört|beş|altı|yedi|sekiz|dokuz|on|on bir|on iki|` +
				`on üç|on dört|on beş) yaşındayım`,
			`(?:ben )?(?:daha |sadece )?(?:çocuğum|bir çocuğum|küçüğüm)$`,
			`yabancılarla (?:konuşmam|konuşamam|konuşmama izin)`,
			`(?:annemi|babamı) (?:çağırayım mı|vereyim mi|ister misiniz|istiyor musunuz)`,
			`annemle (?:konuşmak|görüşmek) (?:ister misiniz|istiyor musunuz)`,
		},
		Busy: []string{
			simdi + `(?:araba|araç|otomobil) (?:kullanıyorum|sürüyorum)`,
			simdi + `(?:direksiyondayım|direksiyon başındayım|toplantıdayım|işteyim|dersteyim|doktordayım|` +
				`yoldayım|trafikteyim|hastanedeyim|yemekteyim|sınavdayım|mesaideyim|arabadayım|otobüsteyim|` +
				`ameliyattayım|yemek yiyorum|çalışıyorum|başka hattayım|bir toplantıdayım|bir görüşmedeyim|` +
				`dişçideyim)$`,
			simdi + `(?:konuşamam|konuşamıyorum|konuşamayacağım|görüşemem|görüşemiyorum)(?: (?:şimdi|şu an|şu ` +
				`anda))*$`,
			simdi + `(?:hiç )?(?:müsait|uygun) değilim`, `(?:iyi|uygun|doğru|müsait) (?:bir )?(?:zaman|an) değil`,
			`(?:kötü|yanlış|uygunsuz) (?:bir )?(?:zaman|zamanda|an|zamanlama)`,
			simdi + `(?:hiç )?(?:vaktim|zamanım) yok`,
			`^(?:(?:hayır|evet|alo|kusura bakmayın|özür dilerim|pardon) (?:, )?)*` + simdi + `(?:çok )?meşgulüm`,
			`acelem var$`, `(?:şu an|şu anda|şimdi) (?:çok )?(?:işim var|yoğunum)$`,
			`(?:çıkmam|gitmem) (?:lazım|gerek|gerekiyor)$`,
		},
		GoAhead: []string{
			`(?:ama )?(?:kısa olsun|kısaysa|çabuk olursa|hızlı olursa|buyurun|sorun bakalım|sorabilirsiniz)`,
			`(?:bir|iki|birkaç|beş) (?:dakikam|dakikanız) var`,
		},
		CallBack: []string{
			`(?:beni |bizi |lütfen |onu |siz )*` + zaman + `(?: (?:tekrar|yeniden|beni|bizi|lütfen|bir daha|` +
				`siz))* (?:arayın|ara|arayınız|arar mısınız|arar mısın|arayabilir misiniz|arayabilir misin|` +
				`ararsanız|ararsan|aramanız|deneyin|arasanız)`,
			`(?:tekrar|yeniden) (?:arayın|ara|arar mısınız|arayabilir misiniz)`,
			`(?:beni )?(?:arayın|ara|arar mısınız|arayabilir misiniz) ` + zaman + `$`,
			zaman + ` (?:konuşalım|konuşabilir miyiz|görüşelim|görüşebilir miyiz|konuşsak)`,
			`(?:beni )?(?:öğleden|[a-z]+(?:den|dan|ten|tan)|sabah|bu kadar erken|bu saatte|bu kadar geç|[0-9:.]+) ` +
				`(?:önce )?aramayın`,
			kisi + `? ?` + zaman + ` (?:evde olur|gelir|gelecek|döner|dönecek|evde olacak)`,
			zaman + ` (?:müsait olurum|evde olurum|müsaitim|evdeyim|müsait olacağım)`,
			`bana (?:bir|yarım|on|yirmi|[0-9]+) (?:saat|dakika) (?:verin|ver)`,
			`(?:saat )?[a-z0-9:]+ (?:ile|ve) [a-z0-9:]+ arası(?:nda)?(?: [a-z]+){0,3} (?:ara|arayın|arar|arayabilir|arayınız)`,
		},
		WantsHuman: []string{
			insan + ` (?:konuşmak|görüşmek|konuşabilir|görüşebilir|konuşayım|bağlayın|bağlar|aktarın|bağlanmak|` +
				`istiyorum|konuşmayı|tercih|var)`,
			`(?:beni )?` + insan + ` bağla`,
			`(?:robotlarla|robotla|makineyle|makinelerle|bilgisayarla|makinayla|bir robotla|bir makineyle|yapay ` +
				`zekayla|yapay zekâyla) (?:konuşmam|konuşmuyorum|konuşmak istemiyorum|konuşmayacağım|görüşmek ` +
				`istemiyorum)`,
			`^(?:(?:hayır|bir) (?:, )?)*(?:temsilci|müşteri temsilcisi|operatör|yetkili|gerçek insan|insan|` +
				`müşteri hizmetleri|gerçek kişi|gerçek bir insan)(?: (?:, )?lütfen)?$`,
		},
		Robot: []string{
			`(?:robot|bot|makine|bilgisayar|kayıt|ses kaydı|bant kaydı|yapay zeka|insan|gerçek|` +
				`gerçek bir insan|gerçek insan|gerçek kişi|otomatik bir ses|otomatik ses|` +
				`otomatik arama) (?:mısınız|misiniz|musunuz|müsünüz|mısın|misin|musun|müsün|mı|mi|mu|mü)`,
			`(?:robotla|makineyle|makinayla|bilgisayarla|kayıtla|yapay zekayla|insanla|` +
				`kişiyle) (?:mı|mi) (?:konuşuyorum|görüşüyorum)`,
		},
		Speak: []string{
			`{l} (?:konuşuyor|biliyor|konuşabiliyor) (?:musunuz|musun)`,
			`{l} (?:konuşabilir|devam edebilir) (?:miyiz|misiniz)`,
			`{l} konuşalım`,
			`(?:sadece|yalnızca) {l} (?:konuşuyorum|biliyorum)`,
			`{l} (?:bilen|konuşan) (?:biri|birisi)`,
			`^{l} lütfen$`,
		},
		NotSpoken: []string{
			`{l} (?:bilmiyorum|konuşmuyorum|konuşamıyorum|anlamıyorum)`,
		},
		Names: map[string][]string{
			"en": {"ingilizce"}, "cs": {"çekçe"}, "da": {"danca"}, "de": {"almanca"}, "el": {"yunanca"},
			"es": {"ispanyolca"}, "fr": {"fransızca"}, "it": {"italyanca"}, "nb": {"norveççe"},
			"nl": {"felemenkçe", "hollandaca"}, "pl": {"lehçe", "polonyaca"}, "pt": {"portekizce"},
			"ro": {"romence", "rumence"}, "sv": {"isveççe"}, "tr": {"türkçe"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"bir saat": time.Hour, "bir saate": time.Hour, "yarım saat": 30 * time.Minute,
				"yarım saate": 30 * time.Minute, "bir buçuk saat": 90 * time.Minute, "çeyrek saat": 15 * time.Minute,
				"birkaç dakika": 10 * time.Minute, "birkaç saat": 3 * time.Hour, "bir gün": 24 * time.Hour,
				"birkaç gün": 3 * 24 * time.Hour, "bir hafta": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"dakika": time.Minute, "dakikaya": time.Minute, "saat": time.Hour, "saate": time.Hour,
				"gün": 24 * time.Hour, "hafta": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"bugün": 0, "bu akşam": 0, "yarın": 1, "öbür gün": 2, "ertesi gün": 2, "haftaya": 7, "gelecek hafta": 7,
				"önümüzdeki hafta": 7, "gelecek ay": 30,
			},
			Weekdays: [7][]string{
				{"pazar"}, {"pazartesi", "pazartesiye"}, {"salı", "salıya"}, {"çarşamba"}, {"perşembe"}, {"cuma"},
				{"cumartesi"},
			},
			Parts: map[string]int{
				"sabah": 9, "öğlen": 12, "öğle": 12, "öğleden önce": 12, "öğleden sonra": 14, "bu akşam": 18,
				"akşam": 18, "akşama": 18, "akşamüstü": 17, "gece": 20,
			},
			Hours: map[string]int{
				"birde": 1, "ikide": 2, "üçte": 3, "dörtte": 4, "beşte": 5, "altıda": 6, "yedide": 7, "sekizde": 8,
				"dokuzda": 9, "onda": 10, "on birde": 11, "on ikide": 12, "birden": 1, "ikiden": 2, "üçten": 3,
				"dörtten": 4, "beşten": 5, "altıdan": 6, "yediden": 7, "sekizden": 8, "dokuzdan": 9, "ondan": 10,
				"on birden": 11, "on ikiden": 12,
			},
			Between: []string{"arasında", "arası"},
			At:      []string{"saat"},
			OClock: []string{
				"gibi", "civarı", "sularında", "de", "da", "te", "ta", "den", "dan", "ten", "tan",
				"ile",
			},
			AM:    []string{"sabah"},
			PM:    []string{"öğleden sonra", "akşam"},
			After: map[string]int{"buçukta": 30, "buçuktan": 30, "buçuk": 30},
			Months: [12][]string{
				{"ocak", "ocakta"}, {"şubat", "şubatta"}, {"mart", "martta"}, {"nisan", "nisanda"},
				{"mayıs", "mayısta"}, {"haziran", "haziranda"}, {"temmuz", "temmuzda"},
				{"ağustos", "ağustosta"}, {"eylül", "eylülde"}, {"ekim", "ekimde"}, {"kasım", "kasımda"},
				{"aralık", "aralıkta"},
			},
			MonthDays: [31][]string{{"bir", "biri", "birinde"}},
			OfMonth:   []string{"ın", "in", "un", "ün", "ayının"},
			Past:      map[string]int{"dün": 1, "evvelsi gün": 2, "önceki gün": 2},
			Ago:       []string{"önce"},
			Previous:  []string{"geçen", "geçtiğimiz"},
		},
		Spelling: Spelling{
			At:         []string{"et işareti", "kuyruklu a", "et", "at", "at işareti"},
			Dot:        []string{"nokta"},
			Dash:       []string{"tire", "eksi"},
			Underscore: []string{"alt çizgi", "alt tire"},
			Before:     []string{"adresim", "e posta", "eposta", "mail", "mailim", "email", "posta adresim"},
			Plus:       []string{"artı"},
			Times:      map[string]int{"çift": 2},
		},

		Harmless: []string{
			`(?:yorgunluktan|gülmekten|açlıktan|korkudan|soğuktan|sıkıntıdan|utançtan|uykusuzluktan|meraktan) (?:[a-z]+ )?(?:öldü|ölmüş|öleli)`,
			`(?:hangi numara yanlış|yanlış numara (?:hangisi|nedir|ne)|hangi yanlış numara)`,
		},
		Ages: []string{"yaş", "yaşında", "yaşındasınız", "yaşınız", "yaşınızı", "yıl"},
		Aside: []string{
			"burada değil", "evde değil", "o burada değil", "o evde değil", "o değil", "duyamıyorum",
			"sizi duyamıyorum", "duymuyorum", "sizi duymuyorum", "hiçbir şey duyamıyorum",
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
