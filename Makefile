# `make run` answers a real question; `make test` runs everything that CI runs.
# Both set up .venv first, from a machine that has only Python 3.11 and make.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: run test lint bench docs clean

run: $(READY)
	@$(BIN)/firepower odds examples/scout.toml
	@$(BIN)/firepower roll examples/scout.toml --seed 8

test: lint
	$(BIN)/pytest -n auto --dist worksteal

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

docs: $(READY)
	$(BIN)/python -m docs.refresh

bench: $(READY)
	$(BIN)/python -m bench

$(READY): pyproject.toml requirements-dev.lock
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
