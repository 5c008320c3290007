package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
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
