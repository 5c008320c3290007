package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Only is a filter by one value: none for the zero value, which filters nothing.
func Only[T ~string](value T) []T {
	if value == "" {
		return nil
	}
	return []T{value}
}

// Equal is a filter by a column that has one of several values, as a condition for
// each value. Merge takes it. It adds the values to args. No values are no filter.
func Equal[T ~string](args pgx.NamedArgs, column string, values []T) []string {
	var conditions []string
	for i, value := range slices.Compact(slices.Sorted(slices.Values(values))) {
		name := column + "_" + strconv.Itoa(i)
		args[name] = string(value)
		conditions = append(conditions, column+" = @"+name)
	}
	return conditions
}

// Merge is a query whose rows pass one condition of each filter, in an order that
// ends with a limit. The conditions of a filter exclude each other.
//
// Each combination of conditions is a query of its own, which ends at the limit:
// it walks an index that begins with the columns of the filters and ends in the
// order. PostgreSQL merges them. One condition `= any` would make it sort all rows
// that pass, or walk past all that do not. The query ends in a condition, and
// selects the columns of the order.
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
