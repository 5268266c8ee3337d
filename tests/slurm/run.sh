#!/bin/sh
# run.sh BUFSIM - sweeps in slices, by make and by a Slurm of one machine, against the sweep in one piece.
#
# The Slurm is started here, on loopback, with a key, a socket and ports of
# its own in a temporary folder, and ended here: no other Slurm is touched.
# Where that is not possible, the checks that need it are skipped, with the reason.
set -eu
export LC_ALL=C
bufsim=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.."
top=$PWD
tmp=$(mktemp -d)
daemons='' passed=0 failed=0
PATH=$PATH:/usr/sbin:/sbin
for name in $(env | sed -n 's/^\(S[A-Z]*_[A-Z_]*\)=.*/\1/p'); do
	case $name in
	SLURM_* | SBATCH_* | SQUEUE_* | SCANCEL_* | SRUN_*) unset "$name" ;;
	esac
done
unset MAKEFLAGS MAKELEVEL
export SLURM_CONF="$tmp/slurm.conf"

# ---- the cluster ----

up=''

stop_cluster() {
	if [ "$up" ]; then
		scancel -Q -s KILL -f -u "$(id -un)" || :
		wait_until 10 nothing_queued || :
	fi
	for pid in $daemons; do
		kill "$pid" || :
		wait "$pid" || :
	done
	daemons='' up=''
}

trap 'stop_cluster >/dev/null 2>&1; rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

nothing_queued() {
	[ -z "$(timeout 10 squeue -h -u "$(id -un)")" ]
}

# wait_until SECONDS COMMAND...: until it succeeds, in at most so many seconds
wait_until() {
	deadline=$(($(date +%s) + $1))
	shift
	while ! "$@" >/dev/null 2>&1; do
		if [ "$(date +%s)" -ge $deadline ]; then return 1; fi
		sleep 0.1
	done
}

port=$((20000 + $$ % 20000))

listening() {
	grep -q ":$(printf %04X "$1") 00000000:0000 0A " /proc/net/tcp
}

next_port() {
	port=$((port + 1))
	while grep -q ":$(printf %04X $port) " /proc/net/tcp; do port=$((port + 1)); done
}

configure() {
	next_port
	cat <<END
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$tmp/munge.sock
CryptoType=crypto/munge
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
END
	next_port
	echo "NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$port CPUs=2 RealMemory=1000"
	echo "PartitionName=main Nodes=n1 Default=YES State=UP"
}

# run NAME COMMAND...: in the background until stop_cluster
run() {
	log=$tmp/log.$1
	shift
	"$@" >"$log" 2>&1 &
	daemons="$! $daemons"
}

start_cluster() {
	for program in munged slurmctld slurmd sbatch; do
		if ! command -v $program >/dev/null; then
			echo "skipped: Slurm: no $program here (scripts/setup slurm brings it)"
			return 1
		fi
	done
	mkdir "$tmp/state" "$tmp/spool"
	(umask 077 && dd if=/dev/urandom of="$tmp/key" bs=128 count=1 2>/dev/null)
	chmod 755 "$tmp"
	configure >"$SLURM_CONF"
	run munged munged --foreground --key-file="$tmp/key" --socket="$tmp/munge.sock" \
		--pid-file="$tmp/munged.pid" --seed-file="$tmp/seed"
	if wait_until 5 munge -n -S "$tmp/munge.sock"; then
		run slurmctld slurmctld -D -c
		run slurmd slurmd -D -N n1
		# The commands wait for minutes for a controller that is not there.
		if wait_until 10 listening "$(sed -n 's/^SlurmctldPort=//p' "$SLURM_CONF")" &&
			wait_until 10 node_idle && srun -Q true; then
			up=yes
			return
		fi
	fi
	echo "skipped: Slurm does not start here: $(grep -iE 'error|fatal' "$tmp"/log.* |
		tail -n 1 | sed 's/^[^:]*log\.//')"
	return 1
}

node_idle() {
	[ "$(sinfo -h -o %T)" = idle ]
}

# ---- checks ----

ok() {
	passed=$((passed + 1))
	echo "ok      $1"
}

not_ok() {
	failed=$((failed + 1))
	echo "FAILED  $1"
	if [ -e "$tmp/log" ]; then cat "$tmp/log"; fi
}

# check WHAT STATUS COMMAND...: its exit status; its output is then $tmp/log
check() {
	what=$1 want=$2 got=0
	shift 2
	"$@" >"$tmp/log" 2>&1 </dev/null || got=$?
	if [ $got -eq "$want" ]; then ok "$what"; else not_ok "$what (exit status $got, not $want)"; fi
}

says() {
	if grep -qF -- "$1" "$tmp/log"; then ok "says: $1"; else not_ok "does not say: $1"; fi
}

same() {
	if cmp "$tmp/local.csv" "$tmp/$1"; then ok "$1 equals the sweep in one piece"; else not_ok "$1 differs"; fi
}

absent() {
	for file; do
		if [ -e "$file" ]; then
			not_ok "$file is left behind"
			return
		fi
	done
	ok 'nothing is left behind'
}

# The bufsim that is submitted: fails, or stays in the middle of its slice, if it is told to.
mkdir "$tmp/bin" "$tmp/it's work"
cat >"$tmp/bin/bufsim" <<END
#!/bin/sh
task=\${SLURM_ARRAY_TASK_ID-none}
if [ -e "$tmp/fail.\$task" ]; then
	echo 'bufsim: told to fail' >&2
	exit 1
fi
if [ -e "$tmp/stay.\$task" ]; then
	( # not all of it: one policy of two
		for word; do
			shift
			[ "\$word" != lru,clock ] || word=lru
			set -- "\$@" "\$word"
		done
		"$bufsim" "\$@"
	)
	echo \$\$ >"$tmp/pid.\$task"
fi
while [ -e "$tmp/stay.\$task" ]; do sleep 0.1; done
exec "$bufsim" "\$@"
END
chmod +x "$tmp/bin/bufsim"
PATH=$tmp/bin:$PATH
cp traces/samples/csq.txt.gz "$tmp/it's work"
cd "$tmp/it's work"
sweep="csq.txt.gz --cache $(seq -s b, 1000 2000 24000)b --policy lru,clock --prefetch none,linux24"

# shellcheck disable=SC2086 # a list of words
check 'a sweep in one piece' 0 "$bufsim" sweep $sweep --output "$tmp/local.csv"

by_make() {
	check "by make: $1" 0 make -f "$top/scripts/sweep.mk" -j2 M=5 OUT="$tmp/$1.csv" SWEEP="bufsim sweep $sweep"
	same "$1.csv"
	absent "$tmp/$1".csv.*
}

by_make make
# What a killed one leaves: rows of one slice, the last of them torn.
head -n 10 "$tmp/local.csv" >"$tmp/resumed.csv.2.part"
printf 'csq,lru,no' >>"$tmp/resumed.csv.2.part"
by_make resumed
says 'dropped a torn last row'

# submit DIR M
submit() {
	# shellcheck disable=SC2086 # a list of words
	"$top/scripts/slurm/submit" "$1" "$2" --comment='it'"'"'s a test' -- bufsim sweep --device=cheetah9lp --jobs=1 $sweep
}

gather() {
	"$top/scripts/slurm/gather" "$@"
}

# ---- what is refused at once ----

check 'submit without arguments' 2 "$top/scripts/slurm/submit"
check 'gather without arguments' 2 gather
check 'gather what was not submitted' 2 gather "$tmp" out.csv
check 'no number of tasks' 2 submit run 0
check 'no sweep' 2 "$top/scripts/slurm/submit" run 3 -- bufsim run csq.txt.gz
check 'no program' 2 "$top/scripts/slurm/submit" run 3 -- nosuch sweep csq.txt.gz
check 'an output' 2 "$top/scripts/slurm/submit" run 3 -- bufsim sweep csq.txt.gz --output=x.csv
mkdir "$tmp/few"
ln -s "$(command -v dirname)" "$(command -v basename)" "$(command -v sed)" "$tmp/bin/bufsim" "$tmp/few"
check 'submit where there is no Slurm' 1 env PATH="$tmp/few" /bin/sh "$top/scripts/slurm/submit" run 3 -- bufsim sweep csq.txt.gz
says 'no sbatch here'
absent run

# ---- with Slurm ----

with_slurm() {
	check 'a slip is found before anything is submitted' 2 \
		"$top/scripts/slurm/submit" run 3 -- bufsim sweep csq.txt.gz --policy lru,nosuch
	check 'options that sbatch refuses' 1 \
		"$top/scripts/slurm/submit" run 3 --partition=nosuch -- bufsim sweep csq.txt.gz
	absent run

	check 'submit' 0 submit run 3
	check 'submit to the same folder' 2 submit run 3
	check 'gather' 0 gather run "$tmp/whole.csv"
	same whole.csv
	absent "$tmp"/whole.csv.*
	check 'gather: how far?' 0 gather run
	says '3 of 3 tasks finished, 0 running, 0 waiting'
	check 'gather to a file that exists' 2 gather run "$tmp/whole.csv"

	: >"$tmp/stay.2"
	: >"$tmp/stay.4"
	check 'submit what will be killed' 0 submit killed 4
	check 'two tasks stay in the middle of their slices' 0 wait_until 20 \
		ls "$tmp/pid.2" "$tmp/pid.4" killed/slice.1.done killed/slice.3.done
	check 'gather: how far?' 0 gather killed
	says '2 of 4 tasks finished, 2 running'
	kill -KILL "$(cat "$tmp/pid.2")"
	scancel "$(squeue -h -o %F | head -n 1)_4"
	check 'all tasks have ended' 0 wait_until 20 nothing_queued
	rm "$tmp/stay.2" "$tmp/stay.4"
	printf 'csq,lru,no' >>killed/slice.2.csv
	check 'gather: how far?' 0 gather killed
	says 'not finished: 2,4'
	check 'gather what was killed' 0 gather killed "$tmp/killed.csv"
	says 'submitted again, 1 of at most 3 times: 2,4'
	same killed.csv

	: >"$tmp/fail.3"
	check 'submit what will fail' 0 submit failing 3
	check 'gather what fails every time' 1 gather failing "$tmp/failing.csv"
	says 'submitted again, 3 of at most 3 times: 3'
	says 'bufsim: told to fail'
	absent "$tmp"/failing.csv*
	rm "$tmp/fail.3"
	check 'gather when the cause is removed' 0 gather failing "$tmp/failing.csv"
	same failing.csv

	check 'by make with srun as its shell' 0 make -f "$top/scripts/sweep.mk" -j2 SHELL=srun \
		.SHELLFLAGS='-Q -n1 -N1 sh -c' M=4 OUT="$tmp/srun.csv" SWEEP="bufsim sweep $sweep"
	same srun.csv

	printf '#!/bin/sh\nexit 1\n' >"$tmp/few/squeue"
	chmod +x "$tmp/few/squeue"
	check 'gather when Slurm does not answer' 1 env PATH="$tmp/few:$PATH" "$top/scripts/slurm/gather" run out.csv
	says 'squeue failed'
}

if start_cluster; then with_slurm; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
