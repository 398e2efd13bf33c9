# The two to know: `make run` sits you down in a group chat, `make test` runs every test. Both set up what is missing.
PY := .venv/bin/python
LOCK := pip compile pyproject.toml --all-extras --universal --generate-hashes --no-emit-index-url \
	--no-emit-find-links --python-version 3.11 --quiet --output-file requirements.lock --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help setup run test lint format bench eval faults lock

help:
	@echo "make run      set up, then a group chat in this terminal"
	@echo "make test     set up, then every test"
	@echo "make lint     ruff and mypy"
	@echo "make bench    calls, prompt sizes, times and bytes of a turn, as JSON lines"
	@echo "make eval     routing on the labelled cases"
	@echo "make faults   crashes, cut connections and rate limits: what is lost, doubled or out of order"
	@echo "make setup    only set up (.venv from requirements.lock)"
	@echo "make lock     resolve pyproject.toml into requirements.lock anew"

setup:
	@sh .ci/setup

run: setup
	@$(PY) -m bot models fetch --if-needed || true
	@$(PY) -m bot chat

test: setup
	$(PY) -m pytest -n auto --maxprocesses 4 --dist loadgroup

lint: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

format: setup
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: setup
	@$(PY) -m tests.bench

eval: setup
	@$(PY) -m tests.evaluation.score

faults: setup
	@$(PY) -m tests.faults

lock:
	@if command -v uv >/dev/null 2>&1; then uv $(LOCK); else .tools/bin/uv $(LOCK); fi
