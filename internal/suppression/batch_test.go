package suppression_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
)

// The batches add the same large list from both ends. Each batch takes several
// statements.
func TestLargeBatchesDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	f := setup(t)
	forth := make([]suppression.NewEntry, 10_000)
	for i := range forth {
		forth[i] = suppression.NewEntry{
			PhoneNumber: phone.Number(fmt.Sprintf("+1202555%04d", i)), Source: suppression.ByImport,
		}
	}
	back := slices.Clone(forth)
	slices.Reverse(back)
	var wg sync.WaitGroup
	for _, entries := range [][]suppression.NewEntry{forth, back, forth, back} {
		wg.Go(func() {
			if _, err := f.list.AddAll(t.Context(), f.actor, entries); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var n int
	if err := f.db.Pool.QueryRow(t.Context(), `select count(*) from do_not_call`).Scan(&n); err != nil ||
		n != len(forth) {
		t.Errorf("%d, %v", n, err)
	}
}
