# SPDX-License-Identifier: GPL-2.0-only
# The pages as a site.  Included by the Makefile; uses nothing of it.

# DOCS: another folder than build/html; TREE: the pages of another tree.
DOCS := build/html
TREE := .

.PHONY: docs docs-clean
docs: ## build the pages as a site: build/html/index.html
	tools/setup docs
	python3 tools/docs/pages.py --tree $(TREE) $(DOCS).pages
	$$(tools/setup --path docs)/bin/sphinx-build -W --keep-going -n -q -j auto -b html \
		-c tools/docs -d $(DOCS).doctrees $(DOCS).pages $(DOCS)

docs-clean:
	rm -rf $(DOCS) $(DOCS).pages $(DOCS).doctrees
