# The two commands to know are `make demo` and `make test`. Each makes what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.tidings-dev
JOBS ?= 2

.PHONY: demo test lint types imports unit cov bench cases docs conformance clean

demo: $(VENV)/.tidings-run
	@$(BIN)/tidings demo

test: lint types imports unit cases-check

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy
	$(BIN)/basedpyright

imports: $(STAMP)
	$(BIN)/lint-imports --no-logo

unit: $(STAMP)
	$(BIN)/pytest -q -rs -n $(JOBS) --dist loadgroup $(if $(COVER),--cov --cov-report=)
	@$(if $(COVER),$(BIN)/coverage report --format=total | sed 's/^/branch coverage: /;s/$$/ %/')

cov: $(STAMP)
	@$(BIN)/coverage erase
	$(BIN)/pytest -q -n $(JOBS) --dist loadgroup -m "not conformance" --cov --cov-report=term-missing:skip-covered

bench: $(STAMP)
	$(BIN)/python bench/run.py

cases: $(STAMP)
	$(BIN)/python tests/cases_table.py

docs: $(STAMP)
	$(BIN)/python tests/pages.py

.PHONY: cases-check
cases-check: $(STAMP)
	$(BIN)/python tests/cases_table.py --check

conformance: $(STAMP)
	TIDINGS_CONFORMANCE_WHOLE=1 $(BIN)/pytest -m conformance -q -rs -n $(JOBS) --dist loadgroup tests/conformance

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.tidings-run: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(STAMP): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.tidings-run

clean:
	rm -rf $(VENV) dist build .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache
