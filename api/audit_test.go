package api

import (
	"strings"
	"testing"

	"github.com/google/uuid"
)

// Every request that changes something leaves one entry in the audit log, with the key,
// the client's address and the object. The test covers new routes automatically.
func TestEveryChangeIsAudited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	n.writes()
	var key uuid.UUID
	if err := w.Pool.QueryRow(
		t.Context(), `select id from api_key where hash = sha256($1::bytea)`, []byte(n.key),
	).Scan(&key); err != nil {
		t.Fatal(err)
	}
	for _, route := range routes(t) {
		if strings.HasPrefix(route, "GET ") {
			continue
		}
		t.Run(strings.ReplaceAll(route, "/", "_"), func(t *testing.T) {
			w.refill()
			// Adding a number that is already on the list is not a change.
			w.exec(`delete from do_not_call where organization_id = $1`, n.organization)
			method, path, body := n.prepared(route)
			w.exec(`delete from audit_entry where organization_id = $1`, n.organization)
			a := n.do(method, path, body)
			if a.status/100 != 2 {
				t.Fatal(a)
			}
			rows, err := w.Pool.Query(t.Context(), `
				select action || ' of ' || object_type, actor_id = $2 and actor_kind = 'api_key'
					and host(address) = '127.0.0.1' and actor_name <> ''
				       and object_type = split_part(action, '.', 1)
					and (object_id is not null or action like '%.imported' or action = 'evidence.collected')
				from audit_entry where organization_id = $1 and actor_kind <> 'system'`, n.organization, key)
			if err != nil {
				t.Fatal(err)
			}
			var entries []string
			for rows.Next() {
				var what string
				var whole bool
				if err := rows.Scan(&what, &whole); err != nil {
					t.Fatal(err)
				}
				if entries = append(entries, what); !whole {
					t.Errorf("%s lacks who, from where or what", what)
				}
			}
			if err := rows.Err(); err != nil || len(entries) != 1 {
				t.Errorf("%d entries: %v, %v", len(entries), entries, err)
			}
		})
	}
}
