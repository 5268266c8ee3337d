# shellcheck shell=sh
# chroot.sh - a minimal Debian system in a folder of its own, for scripts that source this file with their arguments.
#
# Everything runs in namespaces of its own: mounts and processes end with the script, however it ends.  Without root, or
# where no mount is allowed, the script says so and exits with status 77.
set -eu
cd "$(dirname "$0")/.."

cannot() {
	echo "$(basename "$0"): $1" >&2
	exit 77
}

if [ -z "${CHROOT_ALONE-}" ]; then
	if [ "$(id -u)" -ne 0 ]; then cannot "only root makes a chroot: type sudo $0"; fi
	scripts/setup fresh || exit 77
	unshare --mount --pid --fork true 2>/dev/null || cannot 'a mount is not allowed here, so no chroot is made'
	CHROOT_ALONE=yes exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi

work=$(mktemp -d)
root=$work/root
locale=C.UTF-8
remove_root() {
	umount -l "$work"/*/proc "$work"/*/dev/pts "$work"/*/dev/shm 2>/dev/null || :
	rm -rf --one-file-system "$root"
}
trap 'remove_root; rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM

# make_root RELEASE PACKAGES: $root, with /proc and terminals, without /sys.  A mirror of testing may be some days old.
make_root() {
	mmdebstrap -q --variant=apt --include="$2" --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$root" 2>"$work/errors" ||
		cannot "mmdebstrap makes no $1: $(grep -m 1 '^E:' "$work/errors")"
	mount -t proc proc "$root/proc"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
	ln -sf pts/ptmx "$root/dev/ptmx"
	mkdir -p "$root/dev/shm"
	mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
	cp /etc/resolv.conf "$root/etc/"
}

# add_user: called user, without sudo
add_user() {
	echo user:x:1000:1000::/home/user:/bin/sh >>"$root/etc/passwd"
	echo user:x:1000: >>"$root/etc/group"
	install -d -o 1000 -g 1000 "$root/home/user"
}

# in_root USER COMMAND [ARGUMENT...]: a command for sh in the chroot, with the variables of a login alone
in_root() {
	account=$1
	shift
	case $account in root) home=/root ;; *) home=/home/$account ;; esac
	chroot --userspec="$account:$account" "$root" env -i HOME="$home" USER="$account" LC_ALL="$locale" TERM=xterm ${CC+CC="$CC"} \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -euc "$@"
}

# add_packages PACKAGE...
add_packages() {
	in_root root 'apt-get -qq update; export DEBIAN_FRONTEND=noninteractive; apt-get -qq -y --no-install-recommends install "$@"' \
		sh "$@" >"$work/apt.log" 2>&1 || cannot "apt-get fails in the chroot: $(grep -m 1 '^E:' "$work/apt.log")"
}
