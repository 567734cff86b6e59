# Every target makes what it needs, .venv included. `make help` lists them.
PYTHON ?= python3
ARGS ?=
CAMERA ?=
# Debian keeps mosquitto in /usr/sbin, which is not on an ordinary user's path.
export PATH := $(PATH):/usr/local/sbin:/usr/sbin
BIN := .venv/bin
# What OpenCV loads, and the Debian packages that have it.
VISION_LIBRARIES := libGL.so.1=libgl1 libglib-2.0.so.0=libglib2.0-0

# One stamp for what runs a table, one for what a camera needs besides, one for what tests it: the demo does not wait
# for the tests' tools.
RUN := .venv/.installed-broker
EYE := .venv/.installed-broker,vision
DEV := .venv/.installed-dev

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# All stamps install into the same .venv.
.NOTPARALLEL:
.PHONY: help demo test lint schemas pages bench soak clean

help: ## list the targets
	@echo 'usage: make TARGET [PYTHON=/path/to/python3.11] [ARGS="..."]'
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(if $(CAMERA),$(EYE),$(RUN)) ## watch a simulated table being dealt; CAMERA=1; ARGS="--rounds 3 --seed 7"
	@tools/need $(if $(CAMERA),$(VISION_LIBRARIES))
	$(BIN)/tablewatch demo $(if $(CAMERA),--camera) $(ARGS)

test: $(DEV) ## run all tests; ARGS="-m 'not slow'" or ARGS=tests/drivers
	@tools/need mosquitto=mosquitto $(VISION_LIBRARIES)
	$(BIN)/python -m pytest -n 2 $(ARGS)

lint: $(DEV) schemas ## ruff, formatting, strict types, import contracts, schemas, pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

schemas: $(DEV) ## check the schemas and pages that are made from the code
	$(BIN)/tablewatch schemas --check docs/schemas
	$(BIN)/python -m tools.pages --check

pages: $(DEV) ## write the schemas and pages anew that are made from the code
	$(BIN)/tablewatch schemas docs/schemas
	$(BIN)/python -m tools.pages

bench: $(DEV) ## measure latency from wire to subscriber, codecs, and rounds per CPU-second beside other engines
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]' || \
		echo "tablewatch: what this is compared with cannot be installed here, see above; its rows stay empty" >&2
	$(BIN)/python -m bench $(ARGS)

soak: $(DEV) ## kill and unplug simulated tables for hours; hostile bytes for every decoder
	$(BIN)/python -m bench.soak $(ARGS)
	$(BIN)/python -m bench.fuzz
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[fuzz]' || true
	$(BIN)/python -m bench.fuzz --guided
	$(BIN)/python -m pytest -m campaign tests

clean: ## remove .venv, caches and build results
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.installed-%: pyproject.toml tools/venv
	PYTHON='$(PYTHON)' tools/venv $*
	@touch $@
