#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# One argument plan: how the probes print each conversion of printk().
# Every conversion of printk() through every probe, and on to trace-cmd, perf,
# bpftrace and babeltrace2, beside what printk() makes of the same arguments.
# guest: host_root=yes arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
F=/sys/kernel/tracing
formats=/sys/kernel/debug/marker_formats

# expected PATTERN: names and texts, without the plain pointers, which printk() hashes.
expected() {
	grep -E "$1" $formats/expected | sort
}

# agree FILE PATTERN: it has the same names and texts.
agree() {
	expected "$2" >/tmp/expected
	sort "$1" | grep -E "$2" | grep -v '^format_bad_long' >/tmp/found
	diff /tmp/expected /tmp/found
}

# tools_agree FILE: the same, but for what libtraceevent does not have: %c, '+', ' ', "*";
# and tools align texts with blanks.
tools_agree() {
	{
		expected 'format_(text|word|bad)' | grep -vE 'word_(char|flags|star|text_)'
		printf 'format_word_%s\n' "char\t[97] [ 98] [99 ]" "star\t[42] [43]" "star_minus\t[42]" \
			"flags\t[   42] [42   ] [00042] [42] [42] [042] [     042]" "star_both\t[42]" \
			"text_star\t[ab] [cd]" "text_minus\t[ab]" "text_both\t[abc] 7" |
			sed 's/\\t/\t/'
	} | sed 's/\t */\t/' | sort >/tmp/expected
	sort "$1" | grep -E 'format_(text|word|bad)' | grep -v '^format_bad_long' >/tmp/found
	diff /tmp/expected /tmp/found
}

# one_line_each PROBE: of what is in the buffer; a width or precision is cut.
one_line_each() {
	check "$1: a text with a newline is one line" same 'first\x0aforged: line\x1b[2J' \
		"$(sed -n 's/.*control_text[: ].* *first/first/p' $F/trace)"
	check "$1: so is a character" same 1 "$(grep -c 'control_char.* *\\x0a3 |$' $F/trace)"
	check "$1: no other line begins with it" same 0 "$(grep -vc '^#\|^ *[^ ]*-[0-9]* *\[' $F/trace)"
	for name in width precision text; do
		check "$1: a star_$name that is too large is cut" same 1 "$(grep "star_$name" $F/trace | awk 'length < 4000' | wc -l)"
	done
}

for module in markers marker_formats probe_args probe_trace probe_event probe_ctf; do
	load $module
done
check "there are at least 90 formats to compare" test "$(wc -l <$formats/expected)" -ge 90

# Probes that print where the event happens.
check "args and trace accept all formats" accepted "connect format_* args; connect format_* trace"
echo 1 >$F/events/markers/marker/enable
log_mark
echo 1 >$formats/fire
dmesg | sed -n 's/.*args: marker_formats\/\(format_[a-z0-9_]*\) ([^)]*): \(.*\)/\1\t\2/p' >/tmp/args
check "args prints what printk() does" agree /tmp/args .
sed -n 's/.* marker: marker_formats\/\(format_[a-z0-9_]*\) [^ ]*:[0-9]* \(.*\)/\1\t\2/p' $F/trace >/tmp/trace
check "trace prints what printk() does" agree /tmp/trace .
check "trace prints no empty line" same 0 "$(grep -c '^$' $F/trace)"
check "trace cuts a text of 5000 characters" same "255 255" \
	"$(awk -F '\t' '/^format_bad_long/ { print length($2) }' /tmp/trace | xargs)"
accepted "connect star_* trace; connect control_* trace" >/dev/null
echo 'arg3 != 0 || arg4 != 0 || arg5 != 0 || arg6 != 0 || arg7 != 0' >$F/events/markers/marker/filter
echo >$F/trace
echo 1 >$formats/fire
check "words beyond the arguments of trace are 0" same "" "$(sed -n 's/.* marker: marker_formats\/\(star_[a-z]*\|control_[a-z]*\|format_text_s\|format_word_none\) .*/\1/p' $F/trace)"
echo 0 >$F/events/markers/marker/filter
echo >$F/trace
echo 1 >$formats/fire
one_line_each trace
echo 0 >$F/events/markers/marker/enable
echo >$F/trace
accepted "disconnect *" >/dev/null

# Probes that store events, which are printed later.
accepted "connect star_* event; connect control_* event" >/dev/null
echo 1 >$F/events/marker_formats/enable
echo 1 >$formats/fire
one_line_each event
echo 0 >$F/events/marker_formats/enable
accepted "disconnect *" >/dev/null
echo >$F/trace
check "event accepts all formats" accepted "connect format_* event"
echo 1 >$F/events/marker_formats/enable
echo 1 >$formats/fire
sed -n 's/.*: marker_formats\/\(format_[a-z0-9_]*\): \(.*\)/\1\t\2/p' $F/trace >/tmp/event
check "event prints what printk() does" agree /tmp/event 'format_(text|word|bad)'
check "event prints a plain pointer as an address" same "0x" \
	"$(awk -F '\t' '$1 == "format_hash_p" { print substr($2, 1, 2) }' /tmp/event)"
check "event cuts a text of 5000 characters" same "255 255" \
	"$(awk -F '\t' '/^format_bad_long/ { print length($2) }' /tmp/event | xargs)"
check "a text field of event can be filtered" \
	sh -c "echo 'arg0 == \"32.1.13.184\"' >$F/events/marker_formats/format_text_i4/filter"
# typed EVENT FIELD...: they are in its format.
typed() {
	text=$(tr -s '\t' ' ' <"$F/events/marker_formats/$1/format")
	shift
	for field; do
		holds "$text" "field:$field;" || return 1
	done
}
check "bit-fields are integers of event" typed format_word_bits "unsigned char on" "unsigned int mode" "unsigned int all" \
	"int level" "unsigned int narrow" "unsigned int state"
check "a macro of two arguments is two fields" typed format_text_cpus "unsigned int arg0" "__data_loc char[] arg1"
check "a level leaves the name of the first field" typed format_word_level "int state"
check "a precision is a field of event" holds "$(cat $F/events/marker_formats/format_text_precision_star/format)" "field:int arg0;"
echo 0 >$F/events/marker_formats/enable
echo 0 >$F/events/marker_formats/format_text_i4/filter
echo >$F/trace

# The tools that read them.
mount -t tmpfs run /host/run
accepted "connect format_* ctf" >/dev/null
cat >/host/run/fire <<END
#!/bin/sh
echo 1 >$formats/fire
END
cat >/host/run/print.bt <<'END'
tracepoint:marker_formats:format_text_i4 { printf("format_text_i4\t%s\n", str(args->arg0)); }
tracepoint:marker_formats:format_text_hex { printf("format_text_hex\t%s\n", str(args->arg1)); }
tracepoint:marker_formats:format_text_symbol { printf("format_text_symbol\t%s\n", str(args->arg0)); }
tracepoint:marker_formats:format_text_dentry2 { printf("format_text_dentry2\t%s\n", str(args->arg0)); }
tracepoint:marker_formats:format_text_precision_star { printf("format_text_precision_star\t%s\n", str(args->arg1)); }
END
accepted "disconnect * ctf" >/dev/null
host "$top/tools/kmark" record -o /run/ctf 'format_*' long_texts control_nul -- \
	trace-cmd record -q -b 8192 -o /run/trace.dat -e marker_formats \
	perf record -q -m 1M -a -o /run/perf.data -e 'marker_formats:*' -- \
	bpftrace -o /run/bpftrace.txt -c "/bin/sh /run/fire" /run/print.bt >/host/run/said 2>&1
check "kmark record trace-cmd record perf record bpftrace" same "0" "$?"
cat /host/run/said >&2
host trace-cmd report -q -i /run/trace.dat |
	sed -n 's/.* \(format_[a-z0-9_]*\): *\(.*\)/\1\t\2/p' >/tmp/trace-cmd
check "trace-cmd prints what printk() does" tools_agree /tmp/trace-cmd
host perf script -i /run/perf.data -F event,trace 2>/dev/null |
	sed -n 's/.*marker_formats:\(format_[a-z0-9_]*\): *\(.*\)/\1\t\2/p' >/tmp/perf
check "perf prints what printk() does" tools_agree /tmp/perf
grep -v '^$' /host/run/bpftrace.txt | grep -v Attaching >/tmp/bpftrace
texts_in_bpftrace "bpftrace prints what printk() does" agree /tmp/bpftrace 'format_text_(i4|hex|symbol|dentry2|precision_star)	'
# One text is one field; babeltrace2 2.0.4 now and then misprints an empty one.
host babeltrace2 /run/ctf | sed -n 's/.* marker_formats\/\(format_[a-z0-9_]*\): .*arg[0-9]* = "\(.*\)" }$/\1\t\2/p' |
	sed 's/\\\(["\\]\)/\1/g' | grep -vE '_(percent|empty|none|minus)	' >/tmp/babeltrace2
cp $formats/expected /tmp/all
check "babeltrace2 has the texts" same \
	"$(grep -E '^format_(text|bad)' /tmp/all | grep -vE '_(percent|empty|none|minus)	' | sort)" \
	"$(grep -E '^format_(text|bad)' /tmp/babeltrace2 | grep -v '^format_bad_long' | sort)"
check "babeltrace2 has long texts cut to 255 characters" same "255 255" \
	"$(awk -F '\t' '/^format_bad_long/ { print length($2) }' /tmp/babeltrace2 | xargs)"
check "babeltrace2 has a text up to its NUL" same '"ab", arg2 = 77 }' \
	"$(host babeltrace2 /run/ctf | sed -n 's/.*control_nul: .*arg1 = //p')"
check "babeltrace2 has several long texts of one event" same "255 255 5 255" \
	"$(host babeltrace2 /run/ctf | grep '/long_texts: ' | grep -o '"[^"]*"' | awk '{ print length($0) - 2 }' | xargs)"
accepted "disconnect *" >/dev/null

check "a condition takes bit-fields" accepted \
	"connect format_word_bits args if level<0 && mode==5 && on==1; connect format_word_bits args if level>=0"
log_mark
echo 1 >$formats/fire
check "and compares their values" same 1 "$(dmesg | grep -c 'args: marker_formats/format_word_bits')"
accepted "disconnect *" >/dev/null

# Conversions that cannot be observed are refused, and the log names them.
for probe in event ctf trace; do
	for name in recursive:%pV node:%pOF fwnode:%pfwP clock:%pC disk:%pg user:%pus \
		    unknown:%pz behind:%pV; do
		log_mark
		check "$probe refuses ${name#*:}" refused EOPNOTSUPP "connect refused_${name%:*} $probe"
		check "the log names ${name#*:} for $probe" logged "probe $probe does not support \"${name#*:}\""
	done
done
check "verify reports no mismatch" verified
tap_done
