package call

import (
	"context"
	"regexp"

	"github.com/jackc/pgx/v5"
)

// statement is SQL with named arguments, read once. The statements that run
// many times in every call are worth it: reading them costs as much as sending.
type statement struct {
	sql   string
	names []string
}

var argument = regexp.MustCompile(`@([a-z_]+)`)

// compile panics on SQL that can't be read, which the first test meets.
func compile(sql string) statement {
	marks := pgx.NamedArgs{}
	for _, m := range argument.FindAllStringSubmatch(sql, -1) {
		marks[m[1]] = m[1]
	}
	numbered, values, err := marks.RewriteQuery(context.Background(), nil, sql, nil)
	if err != nil {
		panic("call: " + err.Error())
	}
	s := statement{sql: numbered}
	for _, v := range values {
		s.names = append(s.names, v.(string))
	}
	return s
}

// args are the values in the order of the statement.
func (s statement) args(values pgx.NamedArgs) []any {
	all := make([]any, len(s.names))
	for i, name := range s.names {
		all[i] = values[name]
	}
	return all
}

var (
	advance   = compile(sqlAdvance)
	known     = compile(sqlKnown)
	detect    = compile(sqlDetect)
	lock      = compile(sqlLock)
	finish    = compile(sqlFinish)
	write     = compile(sqlWrite)
	writeMany = compile(sqlWriteMany)

	callFirst   = compile(sqlCallFirst)
	writeReason = compile(sqlWriteReason)
	cutShort    = compile(sqlCutShort)
	complete    = compile(sqlComplete)
	releaseLine = compile(sqlRelease)
)
