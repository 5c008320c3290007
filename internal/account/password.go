package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ccojocar/zxcvbn-go"
	"github.com/jackc/pgx/v5"
	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Bounds of a password in characters. A password must also be hard to guess. There are no
// rules of composition (NIST SP 800-63B §3.1.1.2).
const (
	MinPassword = 12
	MaxPassword = 200
)

// The cost of argon2id: 19 MiB, two passes, one lane (RFC 9106 and the OWASP password
// storage advice). Each hash includes its cost, so old hashes stay valid when the cost is
// raised.
const (
	argonMemory = 19 * 1024 // KiB
	argonPasses = 2
	argonLanes  = 1
	argonSalt   = 16 // bytes
	argonTag    = 32 // bytes
)

// hasher bounds how many passwords are hashed at once, so that unauthenticated sign-ins
// cannot fill memory or occupy every core.
type hasher struct {
	slots chan struct{}
	dummy string // a hash without a password, so that unknown accounts take the same time
}

func newHasher(slots int) *hasher {
	salt, tag := make([]byte, argonSalt), make([]byte, argonTag)
	rand.Read(salt)
	rand.Read(tag)
	return &hasher{slots: make(chan struct{}, slots), dummy: phc(salt, tag)}
}

// enter waits for a slot until ctx ends.
func (h *hasher) enter(ctx context.Context) (leave func(), err error) {
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", context.Cause(ctx))
	}
}

// hash returns the PHC string of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	salt := make([]byte, argonSalt)
	rand.Read(salt)
	return phc(salt, argon2.IDKey(normalize(password), salt, argonPasses, argonMemory, argonLanes, argonTag)), nil
}

// matches reports whether stored is the hash of password. An empty stored hash is for an
// unknown account: matches takes the same time and returns false.
func (h *hasher) matches(ctx context.Context, stored, password string) (bool, error) {
	known := stored != ""
	if !known {
		stored = h.dummy
	}
	memory, passes, lanes, salt, tag, err := readPHC(stored)
	if err != nil {
		return false, err
	}
	leave, err := h.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	got := argon2.IDKey(normalize(password), salt, passes, memory, lanes, uint32(len(tag)))
	return subtle.ConstantTimeCompare(got, tag) == 1 && known, nil
}

// normalize maps the ways in which keyboards compose the same letters to one password.
func normalize(password string) []byte { return norm.NFKC.Bytes([]byte(password)) }

func phc(salt, tag []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, argonMemory, argonPasses, argonLanes, b64.EncodeToString(salt), b64.EncodeToString(tag))
}

func readPHC(s string) (memory, passes uint32, lanes uint8, salt, tag []byte, err error) {
	bad := fmt.Errorf("read a stored password hash: not an argon2id PHC string")
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return 0, 0, 0, nil, nil, bad
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &lanes); n != 3 || err != nil ||
		passes == 0 || lanes == 0 {
		return 0, 0, 0, nil, nil, bad
	}
	if salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return 0, 0, 0, nil, nil, bad
	}
	if tag, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil || len(tag) == 0 {
		return 0, 0, 0, nil, nil, bad
	}
	return memory, passes, lanes, salt, tag, nil
}

// minStrength is the lowest accepted score of zxcvbn, of 0 to 4. It excludes passwords
// that a guesser finds by common passwords, words, names, dates, rows of keys and
// knowledge of the person.
const minStrength = 3

// maxRated bounds the characters that are rated, because the rating time grows with the
// square of their number.
const maxRated = 64

// checkPassword adds the problems of a new password. about are texts that a guesser knows
// about its owner: names, the email address, the organization.
func checkPassword(p *fault.Problems, path, password string, about ...string) {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		p.Addf(path, "must be text")
	case n < MinPassword:
		p.Addf(path, "must have at least %d characters", MinPassword)
	case n > MaxPassword:
		p.Addf(path, "must have at most %d characters", MaxPassword)
	case weak(password, about):
		p.Addf(path, "too easy to guess. Use several unrelated words or a random password")
	}
}

func weak(password string, about []string) bool {
	rated := []rune(string(normalize(password)))
	if len(rated) > maxRated {
		rated = rated[:maxRated]
	}
	known := []string{"dialwright"}
	for _, text := range about {
		known = append(known, text)
		known = append(known, strings.FieldsFunc(text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r)
		})...)
	}
	return zxcvbn.PasswordStrength(string(rated), known).Score < minStrength
}

// about returns the texts that a guesser knows about the owner of an account. For an
// unknown address, it returns only the address.
func (s *Service) about(ctx context.Context, email string) ([]string, error) {
	names, err := postgres.Collect(ctx, s.pool, pgx.RowTo[string], `
		select name from app_user where email = @email
		union all
		select o.name from app_user u
		join membership m on m.user_id = u.id
		join organization o on o.id = m.organization_id
		where u.email = @email`, pgx.NamedArgs{"email": email})
	if err != nil {
		return nil, fmt.Errorf("read who a user is: %w", err)
	}
	return append(names, email), nil
}
