package page

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Only returns a filter by one value. The zero value gives no filter.
func Only[T ~string](value T) []T {
	if value == "" {
		return nil
	}
	return []T{value}
}

// Equal returns a filter by a column for Merge: one condition for each value. It adds the
// values to args. Without values, there is no filter.
func Equal[T ~string](args pgx.NamedArgs, column string, values []T) []string {
	var conditions []string
	for i, value := range slices.Compact(slices.Sorted(slices.Values(values))) {
		name := column + "_" + strconv.Itoa(i)
		args[name] = string(value)
		conditions = append(conditions, column+" = @"+name)
	}
	return conditions
}

// Has returns a condition for each key that an object of type jsonb, an SQL expression, must have with a value. A
// number or a boolean is found by its JSON. Has adds the arguments to args, with names that begin with name. No index
// serves these conditions.
func Has(args pgx.NamedArgs, name, object string, values map[string]string) []string {
	var conditions []string
	for i, key := range slices.Sorted(maps.Keys(values)) {
		k, v := name+"_key_"+strconv.Itoa(i), name+"_value_"+strconv.Itoa(i)
		args[k], args[v] = key, values[key]
		conditions = append(conditions, object+" ->> @"+k+"::text = @"+v)
	}
	return conditions
}

// Within returns a condition that begins with "and", for a column of times between two bounds, both excluded. A zero
// time is no bound. It adds the bounds to args.
//
// PostgreSQL expects many rows after one bound, and would look for them in the order of the list. It expects few
// between two, and reads them from the index of the column. So a period without an end has one that is infinite. Read
// has PostgreSQL plan the statement with the bounds: without them, it would expect as few rows between the infinite
// bounds of Where, and could read all rows in the order of the list.
func Within(args pgx.NamedArgs, column string, after, before time.Time) string {
	condition := ""
	if !after.IsZero() || !before.IsZero() {
		args[planned] = true
	}
	if !after.IsZero() {
		args[column+"_after"] = after
		condition = ` and ` + column + ` > @` + column + `_after`
	}
	if !after.IsZero() || !before.IsZero() {
		args[column+"_before"] = bound(before, pgtype.Infinity)
		condition += ` and ` + column + ` < @` + column + `_before`
	}
	return condition
}

// Merge returns a query for the rows that pass one condition of each filter. order ends
// with a limit. The conditions of a filter must exclude each other.
//
// Each combination of conditions becomes a subquery that ends at the limit. It reads an
// index that begins with the columns of the filters and ends with the columns of the
// order. PostgreSQL merges the subqueries. With one condition `= any`, PostgreSQL would
// sort all rows that pass, or read all rows that do not pass. query must end in a
// condition and select the columns of the order.
func Merge(query, order string, filters ...[]string) string {
	queries := []string{query}
	for _, conditions := range filters {
		if len(conditions) == 0 {
			continue
		}
		var narrowed []string
		for _, q := range queries {
			for _, condition := range conditions {
				narrowed = append(narrowed, q+" and "+condition)
			}
		}
		queries = narrowed
	}
	if len(queries) == 1 {
		return queries[0] + " " + order
	}
	return "(" + strings.Join(queries, " "+order+") union all (") + " " + order + ") " + order
}
