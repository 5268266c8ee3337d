# shellcheck shell=sh
# region.sh THREADS [FAILS] - a program for bufsim scale --run: 20 ms at least, and a region of 8 ms / THREADS by a
# clock of its own.  It fails with FAILS threads.
if [ "$1" = "${2-}" ]; then
	echo 'out of luck' >&2
	exit 3
fi
sleep 0.02
echo begin 100 >>"$BUFSIM_ROI"
echo end "100.00$((8 / $1))" >>"$BUFSIM_ROI"
echo 'it is done'
