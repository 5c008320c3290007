package lexicon

import "slices"

// SecretsIn returns what codes and passwords are called that nobody may read out on the phone, in a language, by its
// primary subtag, and in every language. Phrases are written as they are spoken.
func SecretsIn(tag string) []string { return slices.Concat(secrets[""], secrets[tag]) }

var secrets = map[string][]string{
	"": {"PIN", "OTP", "passcode"},
	"cs": {
		"ověřovací kód", "ověřovacího kódu", "jednorázový kód", "jednorázové heslo",
		"bezpečnostní kód", "heslo", "PIN kód",
	},
	"da": {
		"engangskode", "engangskoden", "bekræftelseskode", "sikkerhedskode", "adgangskode", "pinkode",
		"pinkoden",
	},
	"de": {
		"TAN", "Einmalcode", "Einmalkennwort", "Einmalpasswort", "Bestätigungscode", "Prüfcode",
		"Sicherheitscode", "Passwort", "Kennwort", "Geheimzahl",
	},
	"el": {
		"κωδικός επαλήθευσης", "κωδικός ασφαλείας",
		"κωδικός μίας χρήσης", "κωδικός μιας χρήσης",
		"κωδικός πρόσβασης", "συνθηματικό",
	},
	"en": {
		"one time code", "one time password", "one time passcode", "verification code",
		"security code", "authentication code", "login code", "password",
	},
	"es": {
		"código de verificación", "código de seguridad", "código de un solo uso",
		"clave de un solo uso", "clave dinámica", "contraseña",
	},
	"fr": {
		"code de vérification", "code de sécurité", "code à usage unique", "code de validation",
		"code secret", "mot de passe",
	},
	"it": {"codice di verifica", "codice di sicurezza", "codice monouso", "codice segreto", "password"},
	"nb": {
		"engangskode", "engangskoden", "engangspassord", "bekreftelseskode", "sikkerhetskode",
		"passord", "pinkode",
	},
	"nl": {"verificatiecode", "beveiligingscode", "eenmalige code", "wachtwoord", "pincode"},
	"pl": {
		"kod weryfikacyjny", "kodu weryfikacyjnego", "kod jednorazowy", "hasło jednorazowe",
		"kod bezpieczeństwa", "hasło",
	},
	"pt": {
		"código de verificação", "código de segurança", "código de uso único", "senha",
		"palavra-passe",
	},
	"ro": {
		"cod de verificare", "codul de verificare", "cod de securitate", "codul de securitate",
		"cod de unică folosință", "parola",
	},
	"sv": {
		"engångskod", "engångskoden", "engångslösenord", "verifieringskod", "säkerhetskod",
		"lösenord", "pinkod",
	},
	"tr": {
		"doğrulama kodu", "doğrulama kodunuz", "güvenlik kodu", "güvenlik kodunuz",
		"tek kullanımlık şifre", "şifre", "şifreniz", "parola", "parolanız",
	},
}
