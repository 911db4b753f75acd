# `make help` lists the targets.
SHELL := /bin/sh
.DEFAULT_GOAL := help

JDK = $(shell dev/jdk)
MVN = test -n "$(JDK)" && JAVA_HOME="$(JDK)" dev/maven
ACTIONLINT = v1.7.7
# The paths of the API server and, with KYVERNO, of Kyverno, for the programs in src/tools.
CLUSTER = assets=$$(dev/cluster/prepare) && kyverno=$(if $(KYVERNO),$$(dev/cluster/prepare kyverno)) \
  && export JAVA_OPTIONS="-Dpolicysync.testcluster=$$assets -Dpolicysync.kyverno=$$kyverno"
SOURCES := $(shell find pom.xml src/main src/tools/java/dev/policysync/dist dev/dist examples/policies -type f)

.PHONY: help build image check unit it e2e test reproducible torture proofs mutants seeded kyverno matrix demo dashboard cluster bench golden fmt clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "One test, in seconds: make unit TEST=PlannerTest, make it TEST=LeaseLockIT,"
	@echo "make unit TEST='PlannerTest#removesNothing*', make e2e TEST=ExamplePoliciesIT"

build: target/dist/bin/policy-sync ## Build target/dist: launcher, jar, libraries and a class cache; RELEASE=1 no snapshot

target/dist/bin/policy-sync: $(SOURCES)
	@$(MVN) --quiet package -Dmaven.test.skip -DskipTests $(if $(RELEASE),-Dchangelist=)
	@touch $@

image: build ## Build the image into target/image, on a base made from this machine's JDK
	@dev/image/build "$(JDK)"

check: ## Check format and sources: actionlint, google-java-format, Error Prone, NullAway, javac's warnings
	@go run github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT) -shellcheck= -pyflakes= \
	  .github/workflows/*.yaml examples/github-preview.yaml
	@$(MVN) test-compile -Pchecks $(CHECKED)

unit: ## Run the tests that need no cluster; TEST=PlannerTest runs one
	@$(if $(TEST),dev/test '$(TEST)',$(MVN) test)

it: ## Run the tests with a real API server; TEST=LeaseLockIT runs one
	@$(if $(TEST),dev/test '$(TEST)',$(call verify,-Dunit.skipped=true))

e2e: ## Run the tests with a real Kyverno; TEST=ExamplePoliciesIT runs one
	@$(if $(TEST),dev/test '$(TEST)',$(call verify_kyverno))

# The tests run in two processes; everything that both may need is installed before.
verify = assets=$$(dev/cluster/prepare) && prometheus=$$(dev/cluster/prepare prometheus) && dev/browser >/dev/null \
  && dev/cluster/build helm >/dev/null && dev/programs bash zsh nginx && $(MAKE) --no-print-directory image \
  && $(MVN) verify -Dpolicysync.testcluster="$$assets" -Dpolicysync.prometheus="$$prometheus" $(1)
verify_kyverno = assets=$$(dev/cluster/prepare) && kyverno=$$(dev/cluster/prepare kyverno) \
  && cli=$$(dev/cluster/prepare kyverno-cli) \
  && $(MVN) verify -Pe2e -Dpolicysync.testcluster="$$assets" -Dpolicysync.kyverno="$$kyverno" \
  -Dpolicysync.kyverno-cli="$$cli" $(1)

# Compiles once, with the checks, into the folders that the tests use; classes compiled there without the checks are deleted.
test: ## Run everything that CI runs: check, unit, it, e2e, reproducible
	@rm -rf target/classes target/test-classes
	@$(MAKE) --no-print-directory check CHECKED=-Dbuild.folder=$(CURDIR)/target
	@$(call verify)
	@$(MAKE) --no-print-directory e2e reproducible

reproducible: ## Build the jar again in another folder, and compare
	@dev/reproducible "$(JDK)"

torture: ## Run the randomized tests for their full time, several hours
	@$(call verify,-Dunit.skipped=true -Ptorture)
	@$(call verify_kyverno,-Dtorture=true)

# Kyverno's command line collects garbage for 40 % of its time unless it may use more memory (GOGC).
proofs: ## Prove anew the verdicts whose inputs changed, and write src/test/resources/convert/proofs; review the difference
	@parallel=-Djunit.jupiter.execution.parallel && export GOGC=800 \
	  JAVA_OPTIONS="-Dpolicysync.proofs=renew $$parallel.enabled=true $$parallel.mode.default=concurrent" \
	  && dev/test ConvertedVerdictsIT EveryOperatorIT SeededWrongConversionsIT

mutants: ## Count the defects that the unit tests find, 30 minutes; OF='dev.policysync.plan.*' limits it
	@$(MVN) --quiet test-compile org.pitest:pitest-maven:mutationCoverage -Pmutants \
	  $(if $(OF),-Dmutants.of='$(OF)'); status=$$?; \
	  awk -F, '$$6 ~ /SURVIVED|NO_COVERAGE/ { sub(/.*[.]/, "", $$3); print $$6, $$1 ":" $$5, $$4, $$3 }' \
	  target/mutants/mutations.csv | sort -u; exit $$status

seeded: ## Seed defects and list those found by random or single-fault tests, about 30 minutes; ONLY=07 runs and shrinks one
	@JAVA_OPTIONS="$(if $(ONLY),-Dpolicysync.mutants=$(ONLY))" dev/test SeededDefects

kyverno: ## Build Kyverno's controllers, once, about 5 minutes
	@dev/cluster/prepare kyverno

matrix: build ## Run the agent with older Kubernetes and Kyverno, and write docs/compatibility.md; ONLY='Kubernetes 1.33' runs a part
	@$(CLUSTER) && dev/tool matrix/Matrix $(ONLY)

demo: ## Show preview, sync, no-op, drift repair and a guarded removal; KYVERNO=1 adds a real Kyverno, PICTURE=1 draws docs/demo.svg
	@echo "Building the program, about half a minute" && $(MAKE) --no-print-directory build
	@printf '\nBefore any cluster: what lint finds in the example policies.\n' \
	  && target/dist/bin/policy-sync lint examples/policies
	@$(CLUSTER) && dev/tool demo/Demo $(if $(KYVERNO),--kyverno) $(if $(PICTURE),--picture)

dashboard: build ## Draw the chart's Grafana dashboard into docs/dashboard.svg with real data, 10 minutes; builds Prometheus
	@CGO_ENABLED=0 GOWORK=off go build -C dev/cluster/prometheus -mod=readonly -tags=remove_all_sd -trimpath -buildvcs=false \
	  -ldflags "-s -w" -o "$(CURDIR)/target/prometheus" github.com/prometheus/prometheus/cmd/prometheus
	@$(CLUSTER) && dev/tool dashboard/DrawDashboard target/prometheus

cluster: build ## Start an API server with Kyverno's CRDs for experiments, until Ctrl-C; KYVERNO=1 adds Kyverno
	@$(CLUSTER) && dev/tool demo/Demo $(if $(KYVERNO),--kyverno) --stay

# The stand-in for the API answers a request of several packets without delay, as the real API does.
bench: build ## Measure time, CPU and memory, and write the results to docs/; ONLY=noop-100 N=1 runs a part, KYVERNO=1 adds Kyverno, GROWTH=1 uses up to 20,000 policies
	@$(CLUSTER)" -Dsun.net.httpserver.nodelay=true" && dev/tool bench/Bench \
	  $(if $(KYVERNO),--kyverno) $(if $(GROWTH),--growth) $(if $(ONLY),--only=$(ONLY)) $(if $(N),--repetitions=$(N))

golden: ## Update the expected texts of the tests; review the difference before committing
	@$(MVN) test -Dpolicysync.golden=write -Dtest='*GoldenTest' -Dsurefire.failIfNoSpecifiedTests=false

fmt: ## Format the code
	@$(MVN) --quiet spotless:apply

clean: ## Remove the build's output; the API server stays in its cache
	@rm -rf target
