# Two commands do everything: `make run` and `make test`. The rest is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
# Two more than there are processors: many tests wait for servers, browsers and databases.
WORKERS ?= $(shell expr $$(nproc) + 2)

.PHONY: run test check collected soak bench lock upgrade audit sbom wheel clean

# Some machines forbid it: then each of the hundreds of processes that tests start would compile
# the whole program again.
unexport PYTHONDONTWRITEBYTECODE

# --- set-up: what is installed is exactly what requirements/*.txt pins ---------------------------
# Nothing else, either: dependencies that are never loaded are not in these files (left-out.toml).
INSTALL := pip install --quiet --no-deps
$(VENV)/run.stamp: requirements/run.txt requirements/build.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(INSTALL) --require-hashes -r requirements/run.txt
	$(BIN)/$(INSTALL) --require-hashes -r requirements/build.txt --upgrade --target $(VENV)/build
	PYTHONPATH=$(VENV)/build $(BIN)/$(INSTALL) --no-build-isolation --editable .
	touch $@

$(VENV)/dev.stamp: requirements/dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(INSTALL) --require-hashes -r requirements/dev.txt
	$(BIN)/$(INSTALL) --no-build-isolation --editable .
	touch $(VENV)/run.stamp $@

# The search of the analyser of unwinnable positions, in C.
CORE := src/arrocco/hall/unwinnable/core
$(CORE)/search.so: $(wildcard $(CORE)/*.[ch]) $(CORE)/build.py
	$(PYTHON) $(CORE)/build.py

# The scripts of the pages, bundled into the package. Pages inform without them; the board does not.
BUILT := src/arrocco/web/static/built
$(BUILT)/.stamp: frontend/package-lock.json frontend/build.mjs $(shell find frontend/src -type f 2>/dev/null)
	cd frontend && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build
	touch $@

# What the tests use from Debian. Without root or apt the tests that need it say so, loudly.
$(VENV)/debian.stamp: | $(VENV)/dev.stamp
	@if command -v chromium >/dev/null && command -v chromium-headless-shell >/dev/null && command -v cc >/dev/null && command -v caddy >/dev/null \
		&& [ -x /usr/sbin/nginx ] \
		&& [ -x /usr/games/stockfish ] && command -v janus >/dev/null && command -v ffprobe >/dev/null \
		&& command -v systemd-analyze >/dev/null && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
			--no-install-recommends chromium postgresql gcc libc6-dev caddy nginx-light systemd stockfish janus ffmpeg \
			>/dev/null \
			|| echo "NOTICE: chromium, postgresql, gcc, caddy, nginx, systemd, stockfish, janus and ffmpeg could not be installed"; \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell >/dev/null 2>&1 \
			|| echo "NOTICE: no chromium-headless-shell: browser tests take the whole browser, and longer"; \
	else echo "NOTICE: no chromium, postgresql, gcc, caddy, nginx, systemd, stockfish, janus or ffmpeg here, and no right to install them"; fi
	touch $@

# --- the main job: an invented office with a year behind it, and its playing hall ------------------
run: $(VENV)/run.stamp $(CORE)/search.so $(BUILT)/.stamp
	$(BIN)/arrocco demo serve --office demo-office --port $(PORT)

# --- all checks and tests -------------------------------------------------------------------------
check: $(VENV)/dev.stamp $(BUILT)/.stamp
	cd frontend && npm run --silent check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Collecting once beforehand, beside the checks, which have one processor busy: the workers then find
# every module of the tests compiled, where each of them would compile all. What fails is said later.
collected: $(VENV)/debian.stamp $(CORE)/search.so $(BUILT)/.stamp
	@$(BIN)/pytest --collect-only -q -m "not soak" >/dev/null 2>&1 || true

# What waits for real servers, browsers and media may be late beside others: a few such failures are
# named and tried again alone.
FAILED := build/failed-tests
test: $(VENV)/debian.stamp $(CORE)/search.so $(BUILT)/.stamp
	@$(MAKE) --no-print-directory -j 2 check collected
	@mkdir -p build && rm -f $(FAILED)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not soak" --failed-to $(FAILED) \
		|| $(BIN)/python -m tools.failed_alone $(FAILED)

# --- long runs, never part of `make test` ---------------------------------------------------------
soak: $(VENV)/dev.stamp $(VENV)/debian.stamp $(CORE)/search.so $(BUILT)/.stamp
	$(BIN)/pytest -n auto --dist worksteal -m soak

$(VENV)/bench.stamp: $(VENV)/dev.stamp requirements/bench.txt
	$(BIN)/pip install --quiet --require-hashes -r requirements/bench.txt
	touch $@

bench: $(VENV)/bench.stamp $(CORE)/search.so
	$(BIN)/python -m benchmarks

# --- what pins, audits and packs; in a place of its own, since the program needs none of it --------
TOOLS := $(VENV)/tools
$(TOOLS).stamp: requirements/tools.txt
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/$(INSTALL) --require-hashes -r requirements/tools.txt
	touch $@

# Pins anew after editing requirements/*.in: `lock` leaves what is pinned, `upgrade` takes the newest.
COMPILE := $(TOOLS)/bin/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links
lock: $(TOOLS).stamp
	$(COMPILE) --output-file requirements/run.txt requirements/run.in
	$(PYTHON) -m tools.requirements requirements/run.txt
	$(COMPILE) --output-file requirements/dev.txt requirements/dev.in
	$(PYTHON) -m tools.requirements requirements/dev.txt
	$(COMPILE) --output-file requirements/build.txt requirements/build.in
	$(COMPILE) --output-file requirements/bench.txt requirements/bench.in
	$(COMPILE) --output-file requirements/tools.txt requirements/tools.in

upgrade: COMPILE += --upgrade
upgrade: lock

# Known vulnerabilities of what is pinned; never part of `make test`: it asks others on the network.
audit: $(TOOLS).stamp
	$(TOOLS)/bin/python -m tools.audit

# What the program consists of (CycloneDX), checked against the schema of the format.
SBOM := build/arrocco.cdx.json
sbom: $(SBOM)
$(SBOM): $(VENV)/dev.stamp $(TOOLS).stamp requirements/run.txt frontend/package-lock.json tools/sbom.py
	$(BIN)/python -m tools.sbom $@
	$(TOOLS)/bin/python -m tools.sbom_schema $@

# Everything that can be built, for this platform: dist/ then holds all that a server needs.
wheel: $(VENV)/dev.stamp $(BUILT)/.stamp $(SBOM)
	ARROCCO_WHOLE=1 $(BIN)/python -m hatchling build --directory dist
	cp requirements/run.txt dist/requirements.txt
	cp -r $(SBOM) packaging dist/

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
