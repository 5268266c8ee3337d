# orders.awk - every order of up to three pieces of advice, each through an open file of its own, and what
# the kernel reads then: by WILLNEED of the whole file, and in a call larger than the window.  Between
# them the pages are dropped.  W: pages of the window.
function call(op, offset, bytes) {
	printf "%d 1 %d %s 1 %d %d %d\n", time++, fd, op, size, offset, bytes
}
function advised(depth) {
	fd++
	for (i = 1; i <= depth; i++)
		call(word[kind[i]], 0, 0)
}
function add(depth) {
	advised(depth)
	call("A", 4096, size - 4096)
	call("D", 0, size)
	if (depth < 3) {
		advised(depth)
		call("R", 4096, 4096 * (W + 1))
		call("D", 0, size)
		for (kind[depth + 1] = 1; kind[depth + 1] <= 3; kind[depth + 1]++)
			add(depth + 1)
	}
}
BEGIN {
	split("N S J", word, " ")
	size = 4096 * (2 * W + 8)
	add(0)
	call("R", 0, 1) # advice behind the last call has no place
}
