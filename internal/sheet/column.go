package sheet

import (
	"slices"
	"strings"
	"unicode"
)

// ColumnName returns the normalized name of a column: "First Name" becomes first_name.
func ColumnName(header string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(header), func(r rune) bool {
		return r == '-' || r == '_' || unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' || r == '\u200b'
	}), "_")
}

// NumberColumns are the names, as ColumnName returns them, of a column of phone numbers,
// plainest first.
var NumberColumns = []string{
	"phone_number", "phone", "phone_no", "phonenumber", "number", "telephone", "telephone_number", "tel", "mobile",
	"mobile_number", "mobile_phone",
	"cell", "cell_phone", "cellphone", "contact_number", "primary_phone", "home_phone", "work_phone", "e164", "msisdn",
	"whatsapp",
	"telefon", "telefonnummer", "rufnummer", "handy", "handynummer", "mobil", "mobilnummer",
	"téléphone", "numéro", "numéro_de_téléphone", "portable",
	"teléfono", "telefono", "móvil", "movil", "celular", "número", "numero", "telefone", "telemóvel", "cellulare",
}

// Find returns the index of the first column with one of the names, or -1. Names that
// come first in names take precedence. The columns are named as ColumnName returns them.
func Find(columns []string, names []string) int {
	for _, name := range names {
		if i := slices.Index(columns, name); i >= 0 {
			return i
		}
	}
	return -1
}
