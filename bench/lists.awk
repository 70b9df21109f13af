# SPDX-License-Identifier: GPL-2.0-only
# Makes a header of macros from loops/shapes.list or peers/peers.list:
#
#	awk -v what=shapes -f lists.awk loops/shapes.list >shapes_list.h
#	awk -v what=peers -f lists.awk peers/peers.list >peers_list.h
#
# BENCH_SHAPES(X) is X(shape) of each; BENCH_LISTED_BOTH(X), _SLOW(X) and _EVENT(X)
# are X(variant, KIND) of the peers in that list that the kernel's options permit,
# BENCH_LISTED(X) of all of these.
BEGIN {
	FS = "\t"
	print "/* SPDX-License-Identifier: GPL-2.0-only */"
	print "/* Made by bench/lists.awk. */"
}

!/^[a-z]/ {
	next
}

what == "shapes" {
	all = all " X(" $1 ")"
}

what == "peers" {
	use = " BENCH_PEER_" $1 "(X)"
	all = all use
	if ($5 ~ /both/)
		both = both use
	if ($5 ~ /slow/)
		slow = slow use
	if ($5 ~ /event/)
		event = event use
	options = $4
	gsub(/[^|]+/, "defined(&)", options)
	gsub(/[|]/, " || ", options)
	print "#if " options
	print "#include \"" $3 ".h\""
	print "#define BENCH_PEER_" $1 "(X) X(" $1 ", " toupper($1) ")"
	print "#else"
	print "#define BENCH_PEER_" $1 "(X)"
	print "#endif"
}

END {
	if (what == "shapes")
		print "#define BENCH_SHAPES(X)" all
	if (what != "peers")
		exit
	print "#define BENCH_LISTED(X)" all
	print "#define BENCH_LISTED_BOTH(X)" both
	print "#define BENCH_LISTED_SLOW(X)" slow
	print "#define BENCH_LISTED_EVENT(X)" event
}
