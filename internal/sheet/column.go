package sheet

import (
	"slices"
	"strings"
	"unicode"
)

// ColumnName is how a column is spoken of, whatever its file calls it:
// "First Name" is first_name.
func ColumnName(header string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(header), func(r rune) bool {
		return r == '-' || r == '_' || unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' || r == '\u200b'
	}), "_")
}

// NumberColumns are the names, as ColumnName makes them, by which a column of
// phone numbers goes, the plainest first.
var NumberColumns = []string{
	"phone_number", "phone", "phone_no", "phonenumber", "number", "telephone", "telephone_number", "tel", "mobile",
	"mobile_number", "mobile_phone",
	"cell", "cell_phone", "cellphone", "contact_number", "primary_phone", "home_phone", "work_phone", "e164", "msisdn",
	"whatsapp",
	"telefon", "telefonnummer", "rufnummer", "handy", "handynummer", "mobil", "mobilnummer",
	"téléphone", "numéro", "numéro_de_téléphone", "portable",
	"teléfono", "telefono", "móvil", "movil", "celular", "número", "numero", "telefone", "telemóvel", "cellulare",
}

// Find is the first column that goes by one of the names, those that stand
// first in names before the others; -1 when there is none. The columns are as
// ColumnName makes them.
func Find(columns []string, names []string) int {
	for _, name := range names {
		if i := slices.Index(columns, name); i >= 0 {
			return i
		}
	}
	return -1
}
