#!/usr/bin/env bash
# Generates a Go client from the served description of the API, with the generator's defaults, compiles it, and
# runs a campaign with it against a demo: bin/dialwright, on a database of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
demo=
finish() {
  [ -z "$demo" ] || { kill "$demo" && wait "$demo" || true; } 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT

bin/dialwright demo --data "$work/data" --addr 127.0.0.1:0 --metrics-addr "" --sandbox-speed 50 >"$work/demo.log" 2>&1 &
demo=$!
for _ in $(seq 300); do
  grep -q "listens on" "$work/demo.log" && break
  kill -0 "$demo" 2>/dev/null || break
  sleep 1
done
grep -q "listens on" "$work/demo.log" || { cat "$work/demo.log" >&2; exit 1; }
value() { sed -n "s/^  \"$1\": \"\(.*\)\",*$/\1/p" "$work/data/credentials.json"; }
url=$(value url)

mkdir "$work/dialwright"
cp tools/client/* "$work"
curl --silent --show-error --fail "$url/openapi.json" >"$work/openapi.json"
go tool -modfile=tools/go.mod oapi-codegen -generate types,client -package dialwright -o "$work/dialwright/client.gen.go" "$work/openapi.json"
(cd "$work" && GOWORK=off go vet ./... && GOWORK=off go build -o client .)
DIALWRIGHT_URL=$url DIALWRIGHT_KEY=$(value api_key) "$work/client"
