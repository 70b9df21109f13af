#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each refusal of a command: its error, the line of the log that explains it, and that nothing has changed.
# guest: arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

load markers expose=
for module in marker_types marker_formats marker_fields marker_test probe_empty probe_count probe_hist probe_latency \
	probe_stack probe_event probe_ctf; do
	load $module
done

# The name of the error of a write.
# shellcheck disable=SC2016
error_of() {
	printf '%s' "$2" | dd of="$M/$1" bs=1M 2>&1 | sed -n 's/^dd: .*: //p' | sed '
		s/^Invalid argument$/EINVAL/; s/^No such file or directory$/ENOENT/; s/^File exists$/EEXIST/
		s/^\(Device or r\|R\)esource busy$/EBUSY/; s/^\(Operation n\|N\)ot supported$/EOPNOTSUPP/
		s/^Operation not permitted$/EPERM/; s/^No space left on device$/ENOSPC/'
}

# explained FILE ERRNO COMMAND LINE: LINE is what the log has then, its lines joined by "|"; SOURCE stands for
# a place in a source.
# shellcheck disable=SC2317 # check() calls it
explained() {
	log_mark
	before=$(connected; cat $M/ctf/sessions)
	error=$(error_of "$1" "$3")
	line=$(dmesg | sed -n '/^\[[^]]*\] markers: /!d; s///; s/([^ ()]*\.[ch]:[0-9]*)/(SOURCE)/g; p' | paste -s -d '|')
	same "$2 $4" "$error $line" && same "$before" "$(connected; cat $M/ctf/sessions)"
}

echo "connect subsys_mark1 count" >$M/control
echo "create closed" >$M/ctf/sessions
tab=$(printf '\t')
while IFS=$tab read -r file error command line; do
	check "$file: $command" explained "$file" "$error" "$command" "$line"
done <<'END'
control	EINVAL	connect site:x count	"site:x": not a selector
control	EINVAL	frob subsys_mark1 count	"frob subsys_mark1": want connect|arm SELECTOR PROBE [ARGS], disconnect SELECTOR [PROBE] or expose [SELECTOR...]
control	EINVAL	connect subsys_mark1	"connect subsys_mark1": want connect|arm SELECTOR PROBE [ARGS], disconnect SELECTOR [PROBE] or expose [SELECTOR...]
control	EINVAL	connect test_types empty	marker_test/test_types (SOURCE) has format "%d %u %d %u %d %u %lld %s", probe empty expects "%d %p"
control	EEXIST	connect subsys_mark1 count	marker_test/subsys_mark1 (SOURCE) has probe count already; disconnect it first
control	EEXIST	connect subsys_* count	marker_test/subsys_mark1 (SOURCE) has probe count already; disconnect it first
control	ENOENT	connect no_such count	no site matches "no_such"; is its module loaded? "arm" waits for it
control	ENOENT	connect subsys_mark1 no_such	no probe "no_such"
control	ENOENT	disconnect test_one	nothing is connected as "test_one"; the file control lists the connections
control	ENOENT	disconnect test_one count	nothing is connected as "test_one count"; the file control lists the connections
control	ENOENT	connect shared_step@fire_types count	no site matches "shared_step@fire_types"; is its module loaded? "arm" waits for it
control	EINVAL	connect shared_*@fire_right count	"shared_*@fire_right": not a selector
control	EINVAL	connect types_ints hist	hist wants arg=N or arg=FIELD|probe hist refuses "": -EINVAL
control	EINVAL	connect types_ints hist arg=8	hist wants arg=N or arg=FIELD|probe hist refuses "arg=8": -EINVAL
control	EINVAL	connect types_texts hist arg=1	hist: arg1 of marker_types/types_texts (SOURCE) is no number: "%u %s %s %p"|marker_types/types_texts (SOURCE) does not get probe hist: -EINVAL
control	EINVAL	connect types_ints hist arg=count	hist: marker_types/types_ints (SOURCE) has no field "count": "%d %u %d %u %d %u %lld %llu"|marker_types/types_ints (SOURCE) does not get probe hist: -EINVAL
control	EINVAL	connect types_ints latency	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "": -EINVAL
control	EINVAL	connect types_ints hist arg=01	hist wants arg=N or arg=FIELD|probe hist refuses "arg=01": -EINVAL
control	EINVAL	connect types_ints hist arg=arg8	hist wants arg=N or arg=FIELD|probe hist refuses "arg=arg8": -EINVAL
control	EINVAL	connect types_ints hist arg=arg00	hist wants arg=N or arg=FIELD|probe hist refuses "arg=arg00": -EINVAL
control	EINVAL	connect types_ints latency from=types_texts	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "from=types_texts": -EINVAL
control	EINVAL	connect types_ints latency key=0	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "key=0": -EINVAL
control	EINVAL	connect types_ints latency from= key=0	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "from= key=0": -EINVAL
control	EINVAL	connect types_ints latency from=types_texts key=	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "from=types_texts key=": -EINVAL
control	EINVAL	connect types_ints latency from=types_texts from=types_ints key=0	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "from=types_texts from=types_ints key=0": -EINVAL
control	EINVAL	connect types_ints latency from=types_texts key=0 key=0	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "from=types_texts key=0 key=0": -EINVAL
control	EINVAL	connect types_ints latency from=types_texts key=0,	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "from=types_texts key=0,": -EINVAL
control	EINVAL	connect types_ints latency from=types_texts key=0,1,2	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "from=types_texts key=0,1,2": -EINVAL
control	EINVAL	connect types_ints latency from=types_texts key=0 x	latency wants from=NAME key=N[,M], N and M numbers or names of fields|probe latency refuses "from=types_texts key=0 x": -EINVAL
control	EINVAL	connect types_ints count label=a b	probe count refuses "label=a b": -EINVAL
control	EINVAL	connect types_ints count label=	probe count refuses "label=": -EINVAL
control	EINVAL	connect types_ints stack x	probe stack refuses "x": -EINVAL
control	EINVAL	arm no_such latency from=no_such key=0	"no_such" is no_such itself: probe latency needs two markers
control	EINVAL	connect types_ints latency from=types_texts key=x	latency: marker_types/types_ints (SOURCE) has no field "x": "%d %u %d %u %d %u %lld %llu"|marker_types/types_ints (SOURCE) does not get probe latency: -EINVAL
control	EINVAL	connect types_ints latency from=types_ints key=5	"types_ints" is types_ints itself: probe latency needs two markers
control	EINVAL	arm types_ints latency from=types_ints key=5	"types_ints" is types_ints itself: probe latency needs two markers
control	EINVAL	connect types_i* latency from=types_ints key=5	"types_i*" is types_ints itself: probe latency needs two markers
control	EINVAL	connect filter event	no event can be called "filter": events/marker_formats/filter of tracefs is a file|marker_formats/filter (SOURCE) does not get probe event: -EINVAL
control	EINVAL	connect test_one event; connect enable event	no event can be called "enable": events/marker_formats/enable of tracefs is a file|marker_formats/enable (SOURCE) does not get probe event: -EINVAL
control	EINVAL	connect types_ints count first=0	first=0: want a number of events
control	EINVAL	connect types_ints count arg=1	probe count refuses "arg=1": -EINVAL
control	EINVAL	connect enable event	no event can be called "enable": events/marker_formats/enable of tracefs is a file|marker_formats/enable (SOURCE) does not get probe event: -EINVAL
control	EINVAL	connect types_ints count if	"if ": at its end: want a field, argN, $comm, ( or !
control	EINVAL	connect types_ints count if arg8 == 1	"if arg8 == 1": at "arg8 == 1": want arg0 to arg7
control	EINVAL	connect types_ints count if $tod == 1	"if $tod == 1": at "$tod == 1": want one of $tid pid comm prio cpu irq preempt cgroup
control	EINVAL	connect types_ints count if nothing == 1	"if nothing == 1": at "nothing == 1": marker_types/types_ints (SOURCE), format "%d %u %d %u %d %u %lld %llu": there is no field "nothing", but arg0 arg1 arg2 arg3 arg4 arg5 arg6 arg7
control	EINVAL	connect types_ints count if arg0 = 1	"if arg0 = 1": at "= 1": want one of == != < <= > >= & ~
control	EINVAL	connect types_ints count if arg0 ==	"if arg0 ==": at its end: want a value
control	EINVAL	connect types_ints count if arg0 == "1	"if arg0 == "1": at ""1": want a value
control	EINVAL	connect types_ints count if arg0 == word	"if arg0 == word": at "arg0 == word": marker_types/types_ints (SOURCE), format "%d %u %d %u %d %u %lld %llu": the field is a number, and the value is no number of 64 bits
control	EINVAL	connect types_ints count if arg0 == 99999999999999999999	"if arg0 == 99999999999999999999": at "arg0 == 99999999999999999999": marker_types/types_ints (SOURCE), format "%d %u %d %u %d %u %lld %llu": the field is a number, and the value is no number of 64 bits
control	EINVAL	connect types_ints count if arg0 > word	"if arg0 > word": at "word": a text has ==, != and ~ only
control	EINVAL	connect types_ints count if arg0 ~ 1	"if arg0 ~ 1": at "arg0 ~ 1": marker_types/types_ints (SOURCE), format "%d %u %d %u %d %u %lld %llu": the field is a number, and ~ compares texts
control	EINVAL	connect types_ints count if arg0 == 128	"if arg0 == 128": at "arg0 == 128": marker_types/types_ints (SOURCE), format "%d %u %d %u %d %u %lld %llu": the field's type has no such value
control	EINVAL	connect types_ints count if arg0 == -129	"if arg0 == -129": at "arg0 == -129": marker_types/types_ints (SOURCE), format "%d %u %d %u %d %u %lld %llu": the field's type has no such value
control	EINVAL	connect types_ints count if arg1 == 256	"if arg1 == 256": at "arg1 == 256": marker_types/types_ints (SOURCE), format "%d %u %d %u %d %u %lld %llu": the field's type has no such value
control	EINVAL	connect types_ints count if arg1 == -1	"if arg1 == -1": at "arg1 == -1": marker_types/types_ints (SOURCE), format "%d %u %d %u %d %u %lld %llu": the field's type has no such value
control	EINVAL	connect types_texts count if arg1 < 5	"if arg1 < 5": at "arg1 < 5": marker_types/types_texts (SOURCE), format "%u %s %s %p": a string has ==, != and ~ only
control	EINVAL	connect types_ints count if $comm > 5	"if $comm > 5": at "5": a string has ==, != and ~ only
control	EINVAL	connect types_ints count if (arg0 == 1	"if (arg0 == 1": at its end: want &&, || or )
control	EINVAL	connect types_ints count if arg0 == 1 arg1 == 1	"if arg0 == 1 arg1 == 1": at "arg1 == 1": want && or || between conditions
control	EINVAL	connect types_ints count if (((((((((arg0 == 1)))))))))	"if (((((((((arg0 == 1)))))))))": at "arg0 == 1)))))))))": that is too many parentheses
control	EINVAL	connect types_ints count if arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1	"if arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1||arg0==1": at "arg0==1": that is too many conditions
control	EINVAL	expose site:x	expose "site:x": not a selector
control	EPERM	connect types_ints ctf context=kstack	ctf: context=kstack: addresses of a stack cannot be hashed; want addresses=raw|probe ctf refuses "context=kstack": -EPERM
control	EINVAL	connect types_ints ctf context=tod	ctf: "context=tod": want context=NAME[,NAME]... of tid pid comm prio cpu irq preempt cgroup kstack ustack; before it session=NAME|probe ctf refuses "context=tod": -EINVAL
control	EINVAL	connect types_ints ctf session=	ctf: "session=": want context=NAME[,NAME]... of tid pid comm prio cpu irq preempt cgroup kstack ustack; before it session=NAME|probe ctf refuses "session=": -EINVAL
control	ENOENT	connect types_ints ctf session=none	ctf: there is no session "none"; see ctf/sessions|probe ctf refuses "session=none": -ENOENT
control	EINVAL	connect types_ints snapshot	snapshot: the session default is mode=discard; want mode=overwrite|probe snapshot refuses "": -EINVAL
control	EINVAL	connect types_ints snapshot x	snapshot: "x": want nothing, or session=NAME|probe snapshot refuses "x": -EINVAL
ctf/control	EINVAL	size=5	ctf/control: "size=5": want size=16K..1G, mode=discard|overwrite, clock=auto|tsc|mono, addresses=hashed|raw, and one of start, stop, flush, snapshot, disconnect, close
ctf/control	EINVAL	mode=x	ctf/control: "mode=x": want size=16K..1G, mode=discard|overwrite, clock=auto|tsc|mono, addresses=hashed|raw, and one of start, stop, flush, snapshot, disconnect, close
ctf/control	EINVAL	clock=x	ctf/control: "clock=x": want size=16K..1G, mode=discard|overwrite, clock=auto|tsc|mono, addresses=hashed|raw, and one of start, stop, flush, snapshot, disconnect, close
ctf/control	EINVAL	snapshot	ctf/control: snapshot: the session default has no events, or is mode=discard
ctf/sessions	EINVAL	create	ctf/sessions: "": want a name of up to 31 letters, digits, '_' and '-'
ctf/sessions	EINVAL	create a/b	ctf/sessions: "a/b": want a name of up to 31 letters, digits, '_' and '-'
ctf/sessions	EINVAL	rename closed	ctf/sessions: "rename": want create NAME, or remove NAME
ctf/sessions	EEXIST	create closed	ctf/sessions: the session "closed" exists
ctf/sessions	ENOENT	remove none	ctf: there is no session "none"; see ctf/sessions
ctf/sessions	EBUSY	remove default	ctf/sessions: the session "default" is always there
END
id=$(rows types_ints sites | awk -F '\t' '{ print $1 }')
check "a latency from the same marker by its site" explained control EINVAL \
	"connect site:$id latency from=types_ints key=5" \
	"\"site:$id\" is types_ints itself: probe latency needs two markers"
for markers in 'types_* latency from=types_ints key=5,0' 'types_texts latency from=types_ints key=5,0' 'types_* event'; do
	check "accepted: connect $markers" accepted "disconnect *; connect $markers"
done
accepted "disconnect *" >/dev/null
check "a marker is called by the name of a macro as it is written" same marker_formats/current \
	"$(awk -F '\t' '$2 ~ /current/ { print $2 }' $M/sites)"
check "no event is left" same "" "$(ls -d /sys/kernel/tracing/events/marker_*/*/ 2>/dev/null)"
check "the log has nothing but the refusals" same "" "$(dmesg | grep -v 'markers:\|hrtimer: interrupt took')"
check "verify reports no mismatch" verified
tap_done
