# Everything a person or CI does here, by name. `make` alone lists it.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO_TOOLS := go tool -modfile=tools/go.mod
CORES    := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# Without paths in what it compiles, Go uses one cache for every copy of this directory, and for build and test alike.
# Inlining templ's small functions into thousands of generated lines took three quarters of the time to compile views.
export GOFLAGS := $(shell go env GOFLAGS) -trimpath -gcflags=github.com/dialwright/dialwright/views=-l
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## bin/dialwright
	go build -ldflags "-X main.version=$(VERSION)" -o bin/dialwright ./cmd/dialwright

.PHONY: run
run: postgres build ## the demo: database, simulated phone network, sample data, dashboard
	bin/dialwright demo

.PHONY: test
test: lint postgres chromium generated ## lint, and all tests on real PostgreSQL and in real Chromium
	@# The longest first. Some tests mostly wait, so more packages than cores run at once. Lint has vetted.
	go test -vet=off -timeout 2h -p $$(( $(CORES) + 2 )) ./web ./cmd/dialwright ./views ./internal/dialer ./api ./...

.PHONY: chaos
chaos: postgres ## servers killed, connections cut, the database restarted, for FOR=10m; SEED= to see a run again
	DIALWRIGHT_CHAOS_FOR=$(or $(FOR),10m) DIALWRIGHT_CHAOS_SEED=$(SEED) go test -count 1 -timeout 0 -v -run TestChaos ./cmd/dialwright

.PHONY: chaos-ha
chaos-ha: ## the primary of three switched, killed and frozen during a campaign; needs patroni, etcd and haproxy (apt)
	DIALWRIGHT_CHAOS_HA=yes DIALWRIGHT_CHAOS_SEED=$(SEED) go test -count 1 -timeout 0 -v -run 'TestClusterChaos' ./cmd/dialwright

.PHONY: chaos-upgrade
chaos-upgrade: postgres ## the version at FROM= (a tag or commit) upgraded to this one during a campaign
	@test -n "$(FROM)" || { echo "Set FROM to a tag or a commit"; exit 1; }
	rm -rf bin/previous && mkdir -p bin/previous && git archive $(FROM) | tar -x -C bin/previous
	cd bin/previous && go build -o ../dialwright-previous ./cmd/dialwright
	DIALWRIGHT_PREVIOUS=$(CURDIR)/bin/dialwright-previous go test -count 1 -v -run TestChaosOfAnUpgrade ./cmd/dialwright

.PHONY: check
check: lint generated generators vulnerabilities ## what a reviewer would run: lint, generated clients, known vulnerabilities, races
	go test -race -timeout 2h ./...

.PHONY: lint
lint: ## format, tidiness, vet and the linters of .golangci.yml
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -d $$(git ls-files '*.go'); exit 1; }
	go mod tidy -diff
	cd clients/go && go mod tidy -diff
	@# golangci-lint vets what people wrote; what templ wrote, it leaves out.
	go vet $$(git ls-files '*_templ.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|')
	$(GO_TOOLS) golangci-lint run
	cd clients/go && go tool -modfile=../../tools/go.mod golangci-lint run --config ../../.golangci.yml

.PHONY: vulnerabilities
vulnerabilities: ## known vulnerabilities in what the product imports; says so when their database can't be reached
	@tools/vulnerabilities.sh

.PHONY: generators
generators: postgres build ## clients from the API's description by five generators, with which a demo is driven; linters
	@tools/generators.sh

.PHONY: conformance
conformance: ## our requests to Twilio against TWILIO_OAI=…/twilio_api_v2010.json, Twilio's description of its API
	@test -n "$(TWILIO_OAI)" || { echo "Set TWILIO_OAI to twilio_api_v2010.json of https://github.com/twilio/twilio-oai"; exit 1; }
	TWILIO_OAI="$(abspath $(TWILIO_OAI))" go test -count 1 -v -run 'TestRecordedRequests|TestDescriptionConformance' ./internal/carrier/twilio

.PHONY: bench
bench: postgres build ## the figures of BENCHMARKS.md; never fails on a figure; HISTORY=FILE keeps them
	go run ./cmd/bench $(if $(HISTORY),-history $(HISTORY))

.PHONY: screenshots
screenshots: postgres chromium ## every page as PNG into screenshots/: desktop and phone, light and dark
	DIALWRIGHT_SCREENSHOTS=$(CURDIR)/screenshots go test -count 1 -run Pages ./views/... ./web/...

.PHONY: pictures
pictures: postgres chromium ## README's pictures, taken from the pages of a demo within five minutes
	DIALWRIGHT_PICTURES=$(CURDIR)/views/testdata go test -count 1 -v -run '^TestPictures$$' ./cmd/dialwright

.PHONY: generate
generate: node_modules ## templ components, CSS, scripts and the clients' types from their sources
	go tool templ generate -log-level error
	npm run --silent build
	@mkdir -p bin
	go run ./cmd/dialwright openapi > bin/openapi.json
	@# Only what is nil is left out of a request: an empty list is a value.
	$(GO_TOOLS) oapi-codegen -config clients/go/oapi-codegen.yaml bin/openapi.json | \
		sed 's/,omitempty"/,omitzero"/' > bin/client.gen.go
	mv bin/client.gen.go clients/go/client.gen.go
	node clients/typescript/generate.mjs < bin/openapi.json

.PHONY: generated
generated: generate ## fails when a committed generated file is not what its source makes
	@git diff --exit-code --stat -- '*_templ.go' static clients || { echo "generated files differ from their sources: commit the result of 'make generate'"; exit 1; }
	@test -z "$$(git status --porcelain -- static views clients | grep '^??' || true)" || { git status --short -- static views clients; echo "generated files are not committed"; exit 1; }

node_modules: package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch node_modules

.PHONY: postgres
postgres: ## PostgreSQL's server binaries: from the system, else by npm
	@tools/postgres.sh

.PHONY: chromium
chromium: ## a browser for the page tests: from the system, else by apt
	@tools/chromium.sh

.PHONY: clean
clean: ## what was built; the demo's data in .data stays
	rm -rf bin node_modules screenshots
