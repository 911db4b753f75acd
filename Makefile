# Everything runs from here; `make help` lists it.
SHELL := /bin/sh
.DEFAULT_GOAL := help

JDK = $(shell dev/jdk)
# Maven's own libraries use what JDK 25 warns of; that is not for us to fix.
MVN = test -n "$(JDK)" && JAVA_HOME="$(JDK)" MAVEN_OPTS="$$MAVEN_OPTS --sun-misc-unsafe-memory-access=allow" \
  mvn --batch-mode --no-transfer-progress -Dstyle.color=never
SOURCES := $(shell find pom.xml src/main src/test/java/dev/policysync/dist dev/dist examples/policies -type f)

.PHONY: help build image unit test e2e kyverno demo cluster bench golden fmt clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: target/dist/bin/policy-sync ## Build target/dist: launcher, jar, libraries and a class cache

target/dist/bin/policy-sync: $(SOURCES)
	@$(MVN) --quiet package -DskipTests
	@touch $@

image: build ## Build the image into target/image, on a base made of this machine's JDK
	@dev/image/build "$(JDK)"

unit: ## Run the tests that need no cluster
	@$(MVN) test

# The tests run in two processes; what both may have to install is installed before.
test: ## Run every test, against a real API server (built once, about 5 minutes) and a real Kyverno
	@assets=$$(dev/cluster/prepare) && dev/browser >/dev/null && dev/image/buildah --version >/dev/null \
	  && $(MVN) verify -Dpolicysync.testcluster="$$assets"
	@$(MAKE) --no-print-directory e2e
	@dev/reproducible "$(JDK)"

e2e: ## Run only the tests against a real Kyverno
	@assets=$$(dev/cluster/prepare) && kyverno=$$(dev/cluster/prepare kyverno) \
	  && $(MVN) verify -Pe2e -Dpolicysync.testcluster="$$assets" -Dpolicysync.kyverno="$$kyverno"

kyverno: ## Build Kyverno's controllers, once, about 5 minutes
	@dev/cluster/prepare kyverno

# What starts the demo's servers, with a Kyverno where KYVERNO is set.
DEMO = assets=$$(dev/cluster/prepare) && kyverno=$(if $(KYVERNO),$$(dev/cluster/prepare kyverno)) \
  && $(MVN) --quiet package test-compile -DskipTests && dev/demo "$(JDK)" "$$assets" "$$kyverno"

demo: ## Show preview, sync, no-op, drift repair and a guarded removal; KYVERNO=1 adds a real Kyverno
	@$(DEMO)

cluster: ## Start an API server with Kyverno's CRDs to play with until Ctrl-C; KYVERNO=1 adds Kyverno
	@$(DEMO) --stay

bench: ## Measure time, CPU and memory into docs/; ONLY=noop-100 N=1 a part, KYVERNO=1 with Kyverno
	@assets=$$(dev/cluster/prepare) && kyverno=$(if $(KYVERNO),$$(dev/cluster/prepare kyverno)) \
	  && $(MVN) --quiet package test-compile -DskipTests \
	  && dev/bench "$(JDK)" "$$assets" "$$kyverno" $(if $(KYVERNO),--kyverno) $(if $(ONLY),--only=$(ONLY)) $(if $(N),--repetitions=$(N))

golden: ## Write the tests' expected texts anew; review the difference before committing
	@$(MVN) test -Dpolicysync.golden=write -Dtest='*GoldenTest' -Dsurefire.failIfNoSpecifiedTests=false

fmt: ## Format the code
	@$(MVN) --quiet spotless:apply

clean: ## Remove what the build made; the built API server stays in its cache
	@rm -rf target
