#!/usr/bin/env bash
# Generates clients from the served description of the API with generators of Go and TypeScript and their defaults,
# compiles them, and drives a demo with them: bin/dialwright, on a database of its own. Lints the description, too.
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
DIALWRIGHT_URL=$(value url)
DIALWRIGHT_KEY=$(value api_key)
export DIALWRIGHT_URL DIALWRIGHT_KEY

cp -r tools/generators/* "$work"
curl --silent --show-error --fail "$DIALWRIGHT_URL/openapi.json" >"$work/openapi.json"

mkdir "$work/go/dialwright"
go tool -modfile=tools/go.mod oapi-codegen -generate types,client -package dialwright \
  -o "$work/go/dialwright/client.gen.go" "$work/openapi.json"
(cd "$work/go" && GOWORK=off go vet ./... && GOWORK=off go build -o client . && ./client)

cd "$work/typescript"
npm ci --no-audit --no-fund --loglevel=error
PATH=$PWD/node_modules/.bin:$PATH
openapi-typescript "$work/openapi.json" --output gen/schema.d.ts
openapi-ts --input "$work/openapi.json" --output gen/hey
orval --input "$work/openapi.json" --output gen/orval.ts --client fetch
orval --input "$work/openapi.json" --output gen/zod.ts --client zod
tsc
esbuild drive.ts --bundle --platform=node --format=esm --outfile=build/drive.mjs --log-level=warning
node build/drive.mjs

redocly lint --extends recommended-strict "$work/openapi.json"
echo 'extends: ["spectral:oas"]' >.spectral.yaml
spectral lint --fail-severity warn "$work/openapi.json"
