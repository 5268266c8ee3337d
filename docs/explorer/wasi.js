/*
 * wasi.js - the system of one command: its arguments, its output, and files in memory.
 *
 * The functions of WASI preview 1 that bufsim calls (github.com/WebAssembly/WASI), for one directory of files without folders:
 * a path is the name of a file.
 */
const E = { OK: 0, BADF: 8, EXIST: 20, NOENT: 44, NOSYS: 52, SPIPE: 70 };
const TYPE = { character: 2, directory: 3, file: 4 };
const ALL_RIGHTS = 0x1fffffffn;
const FIRST_FREE = 4; /* 0 to 2 are the standard streams, 3 the directory */
const OPEN = { create: 1, exclusive: 4, truncate: 8 };

class Exit extends Error {
	constructor(code) {
		super(`exit ${code}`);
		this.code = code;
	}
}

/** Bytes that may grow. */
class Content {
	constructor(bytes = new Uint8Array(0)) {
		this.room = bytes; /* what was given is read only: path_open() truncates before a file is written */
		this.size = bytes.length;
	}

	bytes() {
		return this.room.subarray(0, this.size);
	}

	resize(size) {
		if (size > this.room.length) {
			const room = new Uint8Array(Math.max(size, 2 * this.room.length, 4096));
			room.set(this.bytes());
			this.room = room;
		}
		this.size = size;
	}

	write(piece, at) {
		if (at + piece.length > this.size)
			this.resize(at + piece.length);
		this.room.set(piece, at);
	}

	read(into, at) {
		const piece = this.room.subarray(Math.min(at, this.size), Math.min(at + into.length, this.size));
		into.set(piece);
		return piece.length;
	}
}

class System {
	/** files: a Map of names to Uint8Arrays, which are not changed. */
	constructor(args, files) {
		this.args = args.map((a) => new TextEncoder().encode(`${a}\0`));
		this.content = new Map([...files].map(([name, bytes]) => [name, new Content(bytes)]));
		this.given = new Set(this.content.values());
		this.open = [{ content: new Content(), at: 0 }, { content: new Content(), at: 0 }, { content: new Content(), at: 0 }];
	}

	/** The functions that the module imports; what is not here is never called with success. */
	imports(module) {
		return Object.fromEntries(WebAssembly.Module.imports(module)
			.map(({ name }) => [name, this[name] ? this[name].bind(this) : () => E.NOSYS]));
	}

	/** Run an instance of the module to its end. */
	run(module) {
		const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: this.imports(module) });
		this.memory = instance.exports.memory;
		try {
			instance.exports._start();
		} catch (e) {
			if (e instanceof Exit)
				return e.code;
			throw e;
		}
		return 0;
	}

	/** What was written to a standard stream. */
	text(fd) {
		return new TextDecoder().decode(this.open[fd].content.bytes());
	}

	/** The files that were written, as an object of Uint8Arrays. */
	written() {
		return Object.fromEntries([...this.content].filter(([, c]) => !this.given.has(c)).map(([name, c]) => [name, c.bytes().slice()]));
	}

	view() {
		return new DataView(this.memory.buffer);
	}

	bytes(at, n) {
		return new Uint8Array(this.memory.buffer, at, n);
	}

	name(at, n) {
		return new TextDecoder().decode(this.bytes(at, n)).replace(/^(\.\/)+/, '');
	}

	/** The pieces of memory that an array of WASI names. */
	pieces(at, n) {
		const v = this.view();
		return Array.from({ length: n }, (_, i) => this.bytes(v.getUint32(at + 8 * i, true), v.getUint32(at + 8 * i + 4, true)));
	}

	put32(at, value) {
		this.view().setUint32(at, value, true);
		return E.OK;
	}

	put64(at, value) {
		this.view().setBigUint64(at, BigInt(value), true);
		return E.OK;
	}

	/* ---- arguments, the end, chance ---- */

	args_sizes_get(count, size) {
		this.put32(count, this.args.length);
		return this.put32(size, this.args.reduce((sum, a) => sum + a.length, 0));
	}

	args_get(argv, at) {
		for (const [i, a] of this.args.entries()) {
			this.put32(argv + 4 * i, at);
			this.bytes(at, a.length).set(a);
			at += a.length;
		}
		return E.OK;
	}

	proc_exit(code) {
		throw new Exit(code);
	}

	/** The same bytes each time: a command gives the same answer each time. */
	random_get(at, n) {
		this.bytes(at, n).fill(0);
		return E.OK;
	}

	/* ---- the directory ---- */

	fd_prestat_get(fd, at) {
		if (fd !== 3)
			return E.BADF;
		this.put32(at, 0);
		return this.put32(at + 4, 1);
	}

	fd_prestat_dir_name(fd, at) {
		this.bytes(at, 1)[0] = '.'.charCodeAt(0);
		return E.OK;
	}

	fd_readdir(fd, at, n, cookie, used) {
		return this.put32(used, 0);
	}

	path_open(folder, how, at, n, flags, rights, inherited, fdFlags, result) {
		const name = this.name(at, n);
		const there = this.content.has(name);

		if (there ? flags & OPEN.exclusive : !(flags & OPEN.create))
			return there ? E.EXIST : E.NOENT;
		if (!there || flags & OPEN.truncate)
			this.content.set(name, new Content());
		let fd = FIRST_FREE;
		while (this.open[fd])
			fd++;
		this.open[fd] = { content: this.content.get(name), at: 0 };
		return this.put32(result, fd);
	}

	path_filestat_get(folder, how, at, n, result) {
		const name = this.name(at, n);

		if (name === '.' || name === '')
			return this.putStat(result, TYPE.directory, 0, 0);
		return this.content.has(name) ? this.putStat(result, TYPE.file, this.content.get(name).size, this.inode(name)) : E.NOENT;
	}

	path_unlink_file(folder, at, n) {
		return this.content.delete(this.name(at, n)) ? E.OK : E.NOENT;
	}

	inode(name) {
		return 1 + [...this.content.keys()].indexOf(name);
	}

	putStat(at, type, size, inode) {
		this.bytes(at, 64).fill(0);
		this.put64(at + 8, inode);
		this.bytes(at + 16, 1)[0] = type;
		this.put64(at + 24, 1);
		return this.put64(at + 32, size);
	}

	/* ---- open files ---- */

	fd_fdstat_get(fd, at) {
		if (fd !== 3 && !this.open[fd])
			return E.BADF;
		this.bytes(at, 24).fill(0);
		this.bytes(at, 1)[0] = fd < 3 ? TYPE.character : fd === 3 ? TYPE.directory : TYPE.file;
		this.put64(at + 8, ALL_RIGHTS);
		return this.put64(at + 16, ALL_RIGHTS);
	}

	fd_fdstat_set_flags() {
		return E.OK;
	}

	fd_filestat_get(fd, at) {
		const file = this.open[fd];

		if (!file)
			return E.BADF;
		const name = [...this.content.keys()].find((n) => this.content.get(n) === file.content);
		return this.putStat(at, fd < 3 ? TYPE.character : TYPE.file, file.content.size, name === undefined ? 0 : this.inode(name));
	}

	fd_filestat_set_size(fd, size) {
		this.open[fd].content.resize(Number(size));
		return E.OK;
	}

	fd_close(fd) {
		if (!this.open[fd])
			return E.BADF;
		if (fd >= FIRST_FREE)
			this.open[fd] = undefined;
		return E.OK;
	}

	fd_seek(fd, offset, whence, result) {
		const file = this.open[fd];

		if (!file)
			return E.BADF;
		if (fd < 3)
			return E.SPIPE;
		file.at = Number(offset) + [0, file.at, file.content.size][whence];
		return this.put64(result, file.at);
	}

	fd_tell(fd, result) {
		return this.fd_seek(fd, 0, 1, result);
	}

	/** Move pieces of memory from or to a file, at an offset or, without one, where the file is; *done gets the bytes. */
	transfer(fd, at, n, done, offset, move) {
		const file = this.open[fd];

		if (!file)
			return E.BADF;
		const from = offset === undefined ? file.at : Number(offset);
		let to = from;
		for (const piece of this.pieces(at, n)) {
			const moved = move(file.content, piece, to);
			to += moved;
			if (moved < piece.length)
				break;
		}
		if (offset === undefined)
			file.at = to;
		return this.put32(done, to - from);
	}

	fd_pread(fd, at, n, offset, done) {
		return this.transfer(fd, at, n, done, offset, (content, piece, from) => content.read(piece, from));
	}

	fd_read(fd, at, n, done) {
		return this.fd_pread(fd, at, n, undefined, done);
	}

	fd_pwrite(fd, at, n, offset, done) {
		return this.transfer(fd, at, n, done, offset, (content, piece, to) => {
			content.write(piece, to);
			return piece.length;
		});
	}

	fd_write(fd, at, n, done) {
		return this.fd_pwrite(fd, at, n, undefined, done);
	}
}
