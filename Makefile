# The two lines to know: `make play` and `make test`. Everything else is made on the way.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PLAYABLE := $(VENV)/.playable
STAMP := $(VENV)/.ready
JOBS ?= 2
MINUTES ?= 30
SEED ?= 1
DECISIONS ?= 1000000
GAMES ?= 1000
LOCKSTEP ?= 200

# Modules are compiled once, whatever the environment says: tests and games start many a process.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup play test lint unit thorough bench strength fuzz mutate packs lockstep soak kills conformance pages pictures docs fmt

help:
	@echo "make play    play a game against the computer"
	@echo "make test    linters, types and all tests"
	@echo "make thorough  all tests with more of what is drawn at random: lines of play, deals, changes of rules"
	@echo "make bench   speed, as ratios to peers"
	@echo "make fuzz    untrusted input, and rulesets that are called fine and do not run (MINUTES=30)"
	@echo "make mutate  every small change of the five rulesets: which of them does no scenario notice?"
	@echo "make lockstep  random games of every game that OpenSpiel has, too, decision by decision (LOCKSTEP=200)"
	@echo "make soak    a million random decisions over everything that ships (DECISIONS=1000000)"
	@echo "make packs   every shipped pack alone, in pairs, in random sets: scenarios, 1,000 random games (GAMES=1000); what is accepted, observed (MINUTES=30)"
	@echo "make kills   200 games and consoles ended by force at random moments, and gone on with"
	@echo "make conformance  what PettingZoo, Gymnasium and OpenSpiel themselves test, on every game; 1,000 games by actions and by whole choices"
	@echo "make strength  how often the searching agent beats a random one, in seven games"
	@echo "make docs    the documents as a site, in build/site"
	@echo "make pages   the pages that are written from rules and code anew: rulebooks, games, codes"
	@echo "make pictures  the pictures in the documents anew: browser tables and a message (needs Chromium)"
	@echo "make fmt     format the code"
	@echo "make setup   only make .venv with everything that developers need; play makes one without"

setup: $(STAMP)

INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

# What a player needs; whoever works on RuleForge gets the tools for it on top.
$(PLAYABLE): pyproject.toml hatch_build.py
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip --upgrade
	$(INSTALL) .
	@$(BIN)/python -m compileall -q ruleforge
	@$(BIN)/python -c "from ruleforge.lang.parser.grammar import tables; tables()"
	@touch $(PLAYABLE)

$(STAMP): $(PLAYABLE)
	$(INSTALL) ".[dev]"
	@touch $(STAMP)

play: $(PLAYABLE)
	@$(BIN)/ruleforge play connect-four --seat yellow=random

test: lint unit

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	MYPY_NUM_WORKERS=$(JOBS) $(BIN)/mypy
	$(BIN)/ruleforge fmt --check rulesets/* rulesets/*/expansions/* examples/*

# Work is handed out one test at a time, so that a slow one does not hold up a queue behind it.
unit: setup
	$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal

thorough: setup
	THOROUGH=1 $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal

bench: setup
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.vector_envs

fuzz: setup
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --seed $(SEED)

mutate: setup
	$(BIN)/python -m tests.mutate --jobs $(JOBS)

packs: setup
	$(BIN)/python -m tests.pack_sets --games $(GAMES) --seed $(SEED)
	$(BIN)/python -m tests.observed_packs --minutes $(MINUTES) --seed $(SEED)

lockstep: setup
	$(BIN)/python -m tests.lockstep --games $(LOCKSTEP) --seed $(SEED)

soak: setup
	$(BIN)/python -m tests.soak --decisions $(DECISIONS) --seed $(SEED)

kills: setup
	$(BIN)/python -m tests.kills --kills 200 --seed $(SEED)

conformance: setup
	THOROUGH=1 $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal tests/rl

strength: setup
	$(BIN)/python -m benchmarks.strength --agent mcts:0.1s

pages: setup
	@for game in rulesets/*/; do \
		$(BIN)/ruleforge docs $$game --out docs/rulebooks/$$(basename $$game).md || exit 1; \
	done
	$(BIN)/python -m benchmarks.games
	$(BIN)/python -m tests.site

pictures: setup
	$(BIN)/python -m tests.pictures

docs: setup
	$(BIN)/zensical build --strict

fmt: setup
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .
