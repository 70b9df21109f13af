# SPDX-License-Identifier: GPL-2.0-only
# The markers of a module, one a line: name, format and place, with \003 in between; a newline of
# the format is \002. Says which format differs from that of an earlier site of the same name.
BEGIN { FS = "\003" }
{
	gsub(/^(\001.)+|^ +|[\002 ]+$/, "", $2)
}
$1 ~ /:/ {
	printf "%s: error: marker %s: its object file is part of several modules: define MARK_SYSTEM\n",
	       $3, $1 >"/dev/stderr"
	failed = 1
	next
}
$1 !~ /^([A-Za-z0-9_]+\/)?[A-Za-z_][A-Za-z0-9_]*$/ {
	printf "%s: error: marker %s: its name has other characters than letters of ASCII, digits and \"_\"\n",
	       $3, $1 >"/dev/stderr"
	failed = 1
}
!($1 in format) {
	format[$1] = $2
	place[$1] = $3
}
format[$1] != $2 {
	gsub(/\002/, "\\n", $2)
	gsub(/\002/, "\\n", format[$1])
	printf "%s: error: marker %s has the format \"%s\" here and \"%s\" at %s\n", $3, $1, $2,
	       format[$1], place[$1] >"/dev/stderr"
	failed = 1
}
END { exit failed }
