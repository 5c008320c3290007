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
		noNumbers: []string{"iki veya üç", "bir dakika", "birkaç", "evet"},
		choices: map[string]string{
			"Pazartesi|Salı: salı günü lütfen": "Salı", "Pazartesi|Salı: ilki": "Pazartesi",
			"Pazartesi|Salı: pazartesi değil, salı": "Salı", "Pazartesi|Salı: salı, pazartesi değil": "Salı",
			"Pazartesi|Salı: sonuncusu": "Salı", "Pazartesi|Salı: pazartesi veya salı": "",
			"Ev ziyareti|Telefon görüşmesi: ziyaret": "Ev ziyareti",
		},
		repeat: []string{"Ne?", "Tekrar eder misiniz?", "Bir daha söyler misiniz?", "Anlamadım", "Sizi duyamıyorum"},
		who:    []string{"Kimsiniz?", "Kim arıyor?", "Kiminle görüşüyorum?", "Nereden arıyorsunuz?", "Robot musunuz?"},
		bye:    []string{"Hoşça kalın", "Kapatmam lazım, hoşça kalın", "Görüşürüz"},
		skip:   []string{"Bilmiyorum", "Sonraki soru", "Söylemek istemiyorum", "Hiçbir fikrim yok"},
		machine: []string{
			"Merhaba, lütfen sinyal sesinden sonra mesaj bırakın.",
			"Şu anda telefona cevap veremiyorum. Mesajınızı bırakın.",
		},
	}.check(t, "tr-TR")
}
