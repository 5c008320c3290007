package conversation

import "testing"

func TestTurkish(t *testing.T) {
	t.Parallel()
	utterances{
		optOut: []string{
			"Dur", "Durun lütfen.", "Hayır, dur!", "Stop", "DUR!", "Yeter artık", "Dur dedim", "Aramayın",
			"Beni aramayın", "Beni bir daha aramayın", "Bir daha aramayın lütfen", "Artık beni aramayın",
			"Lütfen bir daha bu numarayı aramayın", "Beni asla aramayın",
			"Aramayı bırakın", "Beni aramayı kesin artık", "Beni rahatsız etmeyin", "Bir daha rahatsız etmeyin",
			"Aranmak istemiyorum", "Beni aramanızı istemiyorum", "Başka arama istemiyorum", "Numaramı silin",
			"Beni listeden çıkarın", "Lütfen numaramı listenizden çıkarın", "Beni listenizden silin",
			"Beni rahat bırakın", "Rahat bırakın!", "stop calling me",
		},
		noOptOut: []string{
			"Durmayın", "Aramayı bırakmayın", "Otobüs durağındayım", "Sabah aramayın", "Saat ondan önce aramayın",
			"Beni şimdi aramayın, yarın arayın", "Yarın arayın", "Oğlum beni hiç aramıyor", "Kimse aramadı",
			"Hiç arama gelmedi", "Numaramı silmeyin", "Beni listeden çıkarmayın", "Hayır", "Hayır, teşekkürler",
			"Bekleme listesindeyim", "Bilmiyorum", "Doktoru aradım",
		},
		yes: []string{
			"Evet.", "Tabii ki", "Evet, elbette", "Şey, evet, sanırım", "Aynen!", "Doğru",
			"Evet, ama pazartesi değil", "Hayır, pardon, evet", "Sorun değil", "Benim", "Neden olmasın?", "Tamam",
			"Olur",
		},
		no: []string{
			"Hayır.", "Hayır, teşekkürler", "Yok", "Sanmıyorum", "Henüz değil", "Evet, dur bir dakika, hayır",
			"Onu görmedim", "Pek değil", "Doğru değil", "Maalesef hayır", "İstemiyorum",
		},
		unsure: []string{
			"Belki", "Bilmiyorum", "Duruma göre", "Emin değilim", "Olabilir", "Salı", "Hem evet hem hayır",
		},
		numbers: map[string]float64{
			"3": 3, "üç": 3, "Yaklaşık üç, sanırım": 3, "yirmi beş": 25, "yirmibeş": 25, "yüz yirmi": 120,
			"iki yüz elli": 250, "bin": 1000, "iki bin beş yüz": 2500, "1.200": 1200, "3,5": 3.5, "iki buçuk": 2.5,
			"bir buçuk": 1.5,
			"Bir.":      1, "hiç": 0, "on üzerinden sekiz": 8, "10 üzerinden 8": 8, "onda sekiz": 8, "eksi beş": -5,
			"beş, hayır, altı": 6, "iki kere": 2, "KIRK": 40, "altı": 6, "İKİ": 2,
		},
		noNumbers: []string{"iki veya üç", "birkaç", "evet"},
		choices: map[string]string{
			"Pazartesi|Salı: salı günü lütfen": "Salı", "Pazartesi|Salı: ilki": "Pazartesi",
			"Pazartesi|Salı: pazartesi değil, salı": "Salı", "Pazartesi|Salı: salı, pazartesi değil": "Salı",
			"Pazartesi|Salı: sonuncusu": "Salı", "Pazartesi|Salı: pazartesi veya salı": "",
			"Ev ziyareti|Telefon görüşmesi: ziyaret": "Ev ziyareti",
		},
		repeat: []string{"Ne?", "Tekrar eder misiniz?", "Bir daha söyler misiniz?", "Anlamadım", "Sizi duyamıyorum"},
		who:    []string{"Kimsiniz?", "Kim arıyor?", "Kiminle görüşüyorum?", "Nereden arıyorsunuz?"},
		bye:    []string{"Hoşça kalın", "Kapatmam lazım, hoşça kalın", "Görüşürüz"},
		skip:   []string{"Bilmiyorum", "Sonraki soru", "Söylemek istemiyorum", "Hiçbir fikrim yok"},
		machine: []string{
			"Aradığınız kişiye şu anda ulaşılamıyor. / Lütfen daha sonra tekrar deneyiniz.",
			"Merhaba, Ahmet'in telesekreterine ulaştınız. / Sinyal sesinden sonra mesajınızı bırakın.",
			"Şu anda telefona cevap veremiyorum. / Sizi daha sonra ararım.", "Lütfen bip sesinden sonra mesaj bırakın.",
			"Aradığınız numaraya şu anda ulaşılamamaktadır.", "Sesli mesaj kutusuna yönlendiriliyorsunuz.",
			"Çağrınıza şu anda cevap veremiyorum.", "Adınızı ve numaranızı bırakın.",
			"En kısa zamanda size dönüş yapacağım.", "Aradığınız kişi şu anda cevap vermiyor.",
			"Selam, ben Can. Mesajını bırak.",
		},
		perhaps: []string{"Şu anda telefona cevap veremiyorum.", "Yılmaz ailesine ulaştınız."},
		full: []string{
			"Sesli mesaj kutusu dolu.", "Telesekreter doludur, mesaj bırakılamıyor.",
			"Sesli mesaj kutusu henüz kurulmamış.", "Aradığınız numara kullanılmamaktadır.",
		},
		screening: []string{
			"Merhaba. Adınızı ve arama nedeninizi söylerseniz bu kişinin müsait olup olmadığına bakacağım.",
			"Aradığınız kişi Google çağrı filtreleme kullanıyor ve görüşmenin bir kopyasını alacak.",
			"Adınızı ve neden aradığınızı söyleyin.", "Ben Ayşe'nin sanal asistanıyım. Aramanızın nedeni nedir?",
		},
		menu: []string{
			"Satış için 1'e basın. Destek için 2'ye basın.", "Tüm müşteri temsilcilerimiz meşgul.",
			"Aramanız bizim için çok önemli.", "Görüşmeleriniz kayıt altına alınmaktadır.",
		},
		hold: []string{
			"Bir dakika lütfen.", "Bir saniye, onu çağırıyorum.", "Bekleyin.", "Hatta kalın.", "Hemen bağlıyorum.",
		},
		robot: []string{
			"Robot musunuz?", "Bu bir robot mu?", "Robotla mı konuşuyorum?", "Gerçek bir insan mısınız?",
			"Bu bir kayıt mı?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Yanlış numara.", "Yanlış numarayı aradınız.", "Burada öyle biri yok.", "Artık burada oturmuyor.",
				"Öyle birini tanımıyorum.", "Bu artık onun numarası değil.", "Geçen yıl taşındı.",
				"Burada bu isimde kimse yok.", "Yanlış kişiyi arıyorsunuz.",
			},
			Deceased: []string{
				"Geçen ay vefat etti.", "Eşim öldü.", "Annem iki yıl önce vefat etti.", "Kendisi vefat etti.",
				"Maalesef hayatını kaybetti.", "Babam artık hayatta değil.", "Mehmet Bey vefat etti.",
				"Onu geçen yıl toprağa verdik. Onu kaybettik.",
			},
			Minor: []string{
				"Annem evde değil.", "Babam uyuyor.", "Annem duşta.", "Yedi yaşındayım.", "Ben daha altı yaşındayım.",
				"Ben çocuğum.", "Yabancılarla konuşmam yasak.", "Annemi çağırayım mı?",
			},
			Busy: []string{
				"Araba kullanıyorum.", "Şu an araba kullanıyorum.", "Toplantıdayım.", "Şu anda konuşamam.",
				"Şu an müsait değilim, iyi bir zaman değil.", "Vaktim yok.", "Meşgulüm.", "Şu an işteyim.",
				"İyi bir zaman değil.",
			},
			CallBack: []string{
				"Bir saat sonra arayın.", "Daha sonra arayabilir misiniz?",
				"Araba kullanıyorum, bir saat sonra arayın.", "Yarın arayın.", "Akşam ara.", "Beni pazartesi arayın.",
				"Beni öğleden önce aramayın.", "Yarın konuşalım.", "Saat altıda evde olur.", "Bana yarım saat verin.",
			},
			WantsHuman: []string{
				"Bir insanla konuşmak istiyorum.", "Bir temsilciyle görüşebilir miyim?", "Beni bir yetkiliye bağlayın.",
				"Robotlarla konuşmam.", "Müşteri temsilcisi lütfen.", "Gerçek bir insan istiyorum.",
				"Makineyle konuşmak istemiyorum.", "Operatör lütfen.",
			},
		},
		callBack: map[string]string{
			"Bir saat sonra arayın.":         "2026-11-25 11:07",
			"Yirmi dakika sonra arayın.":     "2026-11-25 10:27",
			"Yarım saat sonra arayın.":       "2026-11-25 10:37",
			"İki saat sonra arayın.":         "2026-11-25 12:07",
			"Yarın sabah arayın.":            "2026-11-26 09:00",
			"Yarın arayın.":                  "2026-11-26 10:07",
			"Bu akşam arayın.":               "2026-11-25 18:00",
			"Saat dörtte arayın.":            "2026-11-25 16:00",
			"Dörtte arayın.":                 "2026-11-25 16:00",
			"Dört buçukta arayın.":           "2026-11-25 16:30",
			"Saat 16:30'da arayın.":          "2026-11-25 16:30",
			"Pazartesi arayın.":              "2026-11-30 10:07",
			"Cuma günü saat ikide arayın.":   "2026-11-27 14:00",
			"Beşten sonra arayın.":           "2026-11-25 17:00",
			"Beni öğleden önce aramayın.":    "2026-11-25 12:00",
			"Daha sonra arayabilir misiniz?": "",
		},
		person: []string{
			"Evet, işim var.", "Burada sorun yok.", "Hayır, uygun değil.", "Evet.", "Hayır.", "Alo?", "Efendim?",
			"Buyurun.", "Evet, benim.", "Kim arıyor?", "Evet, pazartesi.", "Yarın sabah.", "Saat dörtte.",
			"Bir saat sonra.", "Hemşireye mesaj bıraktım.", "Hayır, kimse gelmedi.", "Pazartesi beni geri aradı.",
			"Geçen hafta meşguldüm.", "Pazartesi meşgulüm ama salı olur.", "Telefonum bozuldu.", "Yetmiş yaşındayım.",
			"Evet, burada oturuyorum.", "Hayır, yalnız yaşamıyorum.", "Annem beni götürdü.", "Bir doktorla konuştum.",
			"Yanlış ilaçtı.", "Ağrım yok.", "Randevum yarın.", "Henüz değil.", "Belki sonra.", "Eşim burada.",
			"Bir sorum var.", "Hayır, doktor orada değildi.", "Bilmiyorum.", "Doktoru aradım.",
		},
	}.check(t, "tr-TR")
}
