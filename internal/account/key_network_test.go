package account_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// A key that is limited to networks works from there only. A refused request is neither counted nor the key's last use.
func TestAKeyIsLimitedToNetworks(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	var p fault.Problems
	office := account.ParseNetworks(&p, "networks", "203.0.113.0/24, 2001:db8::1\n203.0.113.0/24")
	k, header := f.key(t, account.NewKey{Networks: office})
	want := []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8::1/128")}
	if err := p.Err(); err != nil || !slices.Equal(k.Networks, want) {
		t.Errorf("networks %v, %v", k.Networks, err)
	}
	for _, address := range []string{"203.0.113.9", "::ffff:203.0.113.10", "2001:db8::1"} {
		if _, err := f.accounts.AuthenticateKey(ctx, header, netip.MustParseAddr(address)); err != nil {
			t.Errorf("from %s: %v", address, err)
		}
	}
	for _, address := range []netip.Addr{client, netip.MustParseAddr("2001:db8::2"), {}} {
		_, err := f.accounts.AuthenticateKey(ctx, header, address)
		if fault.KindOf(err) != fault.Forbidden || !strings.Contains(err.Error(), "your IP address") {
			t.Errorf("from %s: %v", address, err)
		}
	}
	k, err := f.accounts.Key(ctx, f.org.ID, k.ID)
	if err != nil || k.LastAddress.String() != "2001:db8::1" {
		t.Errorf("last use from %v, %v", k.LastAddress, err)
	}

	// In one statement with others
	_, free := f.key(t, account.NewKey{})
	value := func(header string) string { return strings.TrimPrefix(header, "Bearer ") }
	values := []string{value(header), value(free), value(header), value(free)}
	callers, err := f.accounts.UseKeys(ctx, client, values...)
	if err != nil || callers[0].Window.Allowed || callers[2].Window.Remaining != 57 ||
		callers[3].Window.Remaining != 58 {
		t.Errorf("callers from elsewhere: %+v, %v", callers, err)
	}
	callers, err = f.accounts.UseKeys(ctx, netip.MustParseAddr("203.0.113.9"), values...)
	if err != nil || callers[2].Window.Remaining != 55 || callers[3].Window.Remaining != 56 {
		t.Errorf("callers: %+v, %v", callers, err)
	}
	if callers, err = f.accounts.UseKeys(ctx, client, value(header), value(header)); err != nil || len(callers) != 2 {
		t.Errorf("callers of a statement in which all are refused: %+v, %v", callers, err)
	}

	// The successor has the same networks.
	next, _, err := f.accounts.RotateKey(ctx, f.actor, k.ID, account.Rotation{Overlap: time.Hour})
	if err != nil || !slices.Equal(next.Networks, want) {
		t.Errorf("successor %+v, %v", next, err)
	}
}

func TestNetworksAreParsed(t *testing.T) {
	t.Parallel()
	const none = " is not an IP address or a range such as 203.0.113.0/24"
	for text, want := range map[string]string{
		"":                               "",
		" \n , ":                         "",
		"203.0.113.7":                    "203.0.113.7/32",
		"::ffff:203.0.113.7":             "203.0.113.7/32",
		"10.0.0.0/8\r\n2001:db8::/32 ::": "10.0.0.0/8 2001:db8::/32 ::/128",
		"0.0.0.0/0":                      "0.0.0.0/0",
		"203.0.113.7/24": "networks: 203.0.113.7/24 is not the start of its range: write " +
			"203.0.113.0/24",
		"203.0.113":           `networks: "203.0.113"` + none,
		"fe80::1%eth0":        `networks: "fe80::1%eth0"` + none,
		"10.0.0.0/33":         `networks: "10.0.0.0/33"` + none,
		"::ffff:10.0.0.0/104": `networks: "::ffff:10.0.0.0/104"` + none,
		"example.com":         `networks: "example.com"` + none,
	} {
		var p fault.Problems
		var got []string
		for _, n := range account.ParseNetworks(&p, "networks", text) {
			got = append(got, n.String())
		}
		if err := p.Err(); err != nil {
			got = []string{err.Error()}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func FuzzParseNetworks(f *testing.F) {
	f.Add("203.0.113.0/24, 2001:db8::1")
	f.Fuzz(func(t *testing.T, text string) {
		var p fault.Problems
		networks := account.ParseNetworks(&p, "networks", text)
		if p.Len() > 0 && networks != nil {
			t.Errorf("%q has problems and networks", text)
		}
		var words []string
		for _, n := range networks {
			words = append(words, n.String())
		}
		if again := account.ParseNetworks(&p, "networks", strings.Join(words, "\n")); !slices.Equal(again, networks) {
			t.Errorf("%q is %v, and again %v", text, networks, again)
		}
	})
}

// A change of a key's name and networks holds for the next request. Without a change, nothing is recorded.
func TestAKeyIsChanged(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	k, header := f.key(t, account.NewKey{})
	office := []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}
	for range 2 {
		err := f.accounts.UpdateKey(ctx, f.actor, k.ID, account.KeyChange{Name: " Office ", Networks: office})
		if err != nil {
			t.Fatal(err)
		}
	}
	now, err := f.accounts.Key(ctx, f.org.ID, k.ID)
	if err != nil || now.Name != "Office" || !slices.Equal(now.Networks, office) {
		t.Errorf("the key is %+v, %v", now, err)
	}
	if got := audited(t, f.db.Pool, f.org.ID, k.ID); !slices.Equal(got, []string{
		"api_key.created", "api_key.updated",
	}) {
		t.Errorf("audited %v", got)
	}
	if _, err := f.accounts.AuthenticateKey(ctx, header, client); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("from elsewhere: %v", err)
	}
	if _, err := f.accounts.AuthenticateKey(ctx, header, netip.MustParseAddr("203.0.113.9")); err != nil {
		t.Error(err)
	}

	if err := f.accounts.UpdateKey(ctx, f.actor, k.ID, account.KeyChange{}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("without a name: %v", err)
	}
	stranger := f.actor
	stranger.OrganizationID = uuid.New()
	if err := f.accounts.UpdateKey(ctx, stranger, k.ID, account.KeyChange{
		Name: "Theirs",
	}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("from another organization: %v", err)
	}
	if err := f.accounts.RevokeKey(ctx, f.actor, k.ID); err != nil {
		t.Fatal(err)
	}
	if err := f.accounts.UpdateKey(ctx, f.actor, k.ID, account.KeyChange{
		Name: "Office",
	}); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a revoked key: %v", err)
	}
}
