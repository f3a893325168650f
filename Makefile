# Two commands do all the set-up on a fresh machine:
#   make run     builds the starter knowledge base, serves it, and shows a signed order's cards    (PORT=8080, ONCE=1 to stop after the sample)
#   make test    passes the tests
SHELL := /bin/bash
PORT ?= 8080
ONCE ?=
PYTHON ?=
RELEASE ?=

.PHONY: help run test lint wheel check clean

help:
	@sed -n '1,4p' Makefile | sed 's/^# \{0,1\}//'
	@echo '  make lint    ruff, mypy strict, import-linter'
	@echo '  make wheel   builds the wheel and tries it in an empty directory'
	@echo '  make clean   removes .venv and var/'

run:
	@PYTHON='$(PYTHON)' PORT='$(PORT)' ONCE='$(ONCE)' scripts/run.sh

test:
	@PYTHON='$(PYTHON)' scripts/setup.sh dev
	@.venv/bin/python -m pytest $(ARGS)

lint:
	@PYTHON='$(PYTHON)' scripts/setup.sh dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports

wheel:
	@PYTHON='$(PYTHON)' scripts/setup.sh dev
	@scripts/try-wheel.sh

clean:
	rm -rf .venv var build dist
