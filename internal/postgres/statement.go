package postgres

import (
	"context"
	"regexp"

	"github.com/jackc/pgx/v5"
)

// Statement is SQL whose named arguments are parsed only once. It is for statements that run often, because parsing
// the arguments costs as much as sending the statement.
type Statement struct {
	SQL   string // with numbered arguments
	names []string
}

var namedArgument = regexp.MustCompile(`@([a-z_]+)`)

// Compile parses the named arguments of a statement. It panics if it can't parse the SQL, so call it during package
// initialization.
func Compile(sql string) Statement {
	marks := pgx.NamedArgs{}
	for _, m := range namedArgument.FindAllStringSubmatch(sql, -1) {
		marks[m[1]] = m[1]
	}
	numbered, values, err := marks.RewriteQuery(context.Background(), nil, sql, nil)
	if err != nil {
		panic("postgres: " + err.Error())
	}
	s := Statement{SQL: numbered}
	for _, v := range values {
		s.names = append(s.names, v.(string))
	}
	return s
}

// Args returns the values in the order of the statement's arguments.
func (s Statement) Args(values pgx.NamedArgs) []any {
	all := make([]any, len(s.names))
	for i, name := range s.names {
		all[i] = values[name]
	}
	return all
}
