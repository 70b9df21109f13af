# SPDX-License-Identifier: GPL-2.0-only
# `make install`, and its parts, of which debian/rules makes the packages.  Included by the
# Makefile behind tsc.mk, which has PREFIX and DESTDIR.
#
# Variables: DESTDIR, PREFIX (/usr/local), PYTHON (what kmark begins with), KDIR.

PYTHON ?= /usr/bin/env -S python3 -ISXutf8
install-destdir = $(if $(word 2,x$(DESTDIR)$(PREFIX)),$(error nothing is installed below \
		  "$(DESTDIR)$(PREFIX)", as that has a space: name another folder),$(DESTDIR))
install-root = $(install-destdir)$(PREFIX)
install-version := $(shell cat VERSION)
# As modules_install has it: kernel.release of Debian's headers says another one.
install-release = $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' $(KDIR)/include/generated/utsrelease.h)
# Modules that a user needs: neither benchmarks nor tests.
install-parts = PARTS='markers/ probes/' SELFTEST=n
install-dkms = $(install-root)/src/markers-$(install-version)
install-dkms-bench = $(install-root)/src/markers-bench-$(install-version)
install-patches = $(install-root)/src/kernel-patches/markers

# Headers for instrumented modules and probes, where marker.mk looks for them.
install-headers := markers/marker.mk markers/markers.lds markers/formats.awk \
		   markers/plan.h markers/symbol.h markers/fetch.h \
		   $(wildcard markers/marker*.h) $(addprefix markers/env/,bounds.h kernel/env.h kernel/env_site.h) \
		   $(wildcard $(addprefix markers/arch/*/,gates.h calls.h site_operands.h))
# Files that Kbuild reads; a build leaves other files beside them.
install-sources = $(shell find Kbuild VERSION markers probes bench -type f \( -name Kbuild -o -name VERSION -o -name '*.[chS]' \
		  -o -name '*.mk' -o -name '*.lds' -o -name '*.awk' -o -name '*.list' -o -name '*.tsv' \) \
		  ! -name '*.mod.c' ! -name '*_list.h' ! -name 'my_open_*.c')

.PHONY: dist release install uninstall user-modules install-modules install-tools install-headers install-dkms install-dkms-bench \
	install-patches
install: install-modules install-tools install-headers tsc-install ## install modules for KDIR's kernel, kmark, headers, TSC library (root, or DESTDIR)

# Remove all files that install writes, found by installing below build/, and folders that are empty then
# and were made by install: not PREFIX/bin and its like.
uninstall: ## remove what install has installed, given the same variables
	rm -rf build/uninstall
	$(MAKE) DESTDIR=$(CURDIR)/build/uninstall install
	cd build/uninstall && find . ! -type d | while read -r file; do rm -f "$(DESTDIR)/$$file"; done
	cd build/uninstall && find .$(PREFIX) ./lib/modules -mindepth 2 -depth -type d \
		! -path .$(PREFIX)/share/man | while read -r folder; do \
		[ ! -d "$(DESTDIR)/$$folder" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)/$$folder" || exit; done
	rm -rf build/uninstall
	$(if $(DESTDIR),,/sbin/depmod $(install-release))

user-modules: ## build only the modules that a user needs: no benchmarks, no tests
	+$(kbuild) $(install-parts) modules

# Out of a kernel's tree, modules_install leaves depmod out, and has no key to sign with.
install-modules: user-modules ## only the modules that a user needs
	$(kbuild) $(install-parts) CONFIG_MODULE_SIG_ALL= INSTALL_MOD_PATH=$(install-destdir) modules_install
	$(if $(DESTDIR),,/sbin/depmod $(install-release))

install-tools: ## only kmark, its manual, its completion and markers.service
	install -d $(addprefix $(install-root)/,bin share/man/man1 share/bash-completion/completions \
		share/zsh/site-functions)
	$(PYTHON) tools/pyz.py --compiled $(install-root)/bin/kmark '$(PYTHON)'
	tools/kmark dev manual --installed -o $(install-root)/share/man/man1
	tools/kmark dev completion --installed bash >$(install-root)/share/bash-completion/completions/kmark
	tools/kmark dev completion --installed zsh >$(install-root)/share/zsh/site-functions/_kmark
	install -d $(install-root)/lib/systemd/system $(install-root)/lib/markers $(install-root)/share/markers
	install tools/boot/markers-boot $(install-root)/lib/markers
	install -m 644 tools/boot/markers.conf $(install-root)/share/markers
	sed 's|=/usr/|=$(PREFIX)/|' tools/boot/markers.service >$(install-root)/lib/systemd/system/markers.service

install-headers: ## only the headers, marker.mk and markers.pc
	for file in $(install-headers:markers/%=%); do \
		install -D -m 644 markers/$$file $(install-root)/include/markers/$$file || exit; done
	install -d $(install-root)/share/pkgconfig
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(install-version)|' markers/markers.pc.in \
		>$(install-root)/share/pkgconfig/markers.pc

install-dkms: ## the sources for dkms, below PREFIX/src
	for file in dkms.conf modules.list $(filter-out bench/% markers/selftest/%,$(install-sources)) \
		markers/selftest/exports.c; do \
		install -D -m 644 $$file $(install-dkms)/$$file || exit; done
	install -D -m 755 tools/keep-symvers $(install-dkms)/tools/keep-symvers

install-dkms-bench: ## the sources of the benchmark's modules for dkms, below PREFIX/src
	for file in modules.list $(filter-out probes/% markers/selftest/%,$(install-sources)); do \
		install -D -m 644 $$file $(install-dkms-bench)/$$file || exit; done
	install -m 644 bench/dkms.conf $(install-dkms-bench)/dkms.conf

install-patches: series ## the series for kernels, below PREFIX/src
	for file in build/series/linux-*/series build/series/linux-*/*/*.patch; do \
		install -D -m 644 $$file $(install-patches)/$${file#build/series/} || exit; done

# git adds the mails, which it does not track, by folder.
dist: series ## write build/markers-VERSION.tar.gz: the commit's files and the series
	git archive -o build/markers-$(install-version).tar.gz $(foreach patch,$(wildcard build/series/*/series build/series/*/*/*), \
		--prefix=markers-$(install-version)/$(dir $(patch)) --add-file=$(patch)) \
		--prefix=markers-$(install-version)/ HEAD

# All of it is of the commit; packages and kmark.pyz are built from the archive. The SBOM is that of reuse,
# whose time and name of the document become those of the commit.
release-name = markers-$(install-version)
release: ## write build/release/: sources with the series, packages, kmark.pyz, SBOM, checksums; install it in a root
	@git diff --quiet HEAD || { echo "release: there are changes that are not committed" >&2; exit 1; }
	tools/setup package lint
	$(MAKE) dist
	rm -rf build/release build/release.work
	mkdir -p build/release build/release.work
	mv build/$(release-name).tar.gz build/release
	tar -x -C build/release.work -f build/release/$(release-name).tar.gz
	python3 -I build/release.work/$(release-name)/tools/pyz.py build/release/kmark.pyz
	$$(tools/setup --path lint)/bin/reuse --root build/release.work/$(release-name) spdx \
		-o build/release.work/sbom.spdx
	sed "s|^\(DocumentNamespace: .*-v[0-9.]*-\).*|\1$$(git rev-parse HEAD)|; s|^Created: .*|Created: $$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)|" build/release.work/sbom.spdx \
		>build/release/$(release-name).spdx
	cd build/release.work/$(release-name) && dpkg-buildpackage -b -us -uc
	mv build/release.work/*.deb build/release
	rm -rf build/release.work
	cd build/release && sha256sum -- * >SHA256SUMS
	$$([ "$$(id -u)" = 0 ] || echo sudo) env PACKAGES=$(CURDIR)/build/release tools/testing/long/install.t apt
