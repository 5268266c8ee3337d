/*
 * engine.js - commands of bufsim, run in workers.
 *
 *	const engine = await startEngine();
 *	const { out } = await engine.run(['run', 'traces/samples/csq.txt.gz', '--json']);
 *
 * A command is the program's own, and sees the files that were added; each runs in an instance of its own, so that none
 * depends on one before it.
 */
const MOST_WORKERS = 8;
const CONVERTED = 'converted.bst';
const WRITTEN = [CONVERTED, 'map.json', 'film.json', 'curves.csv']; /* by commands of the page */

/** A run that was not wanted any more. */
class Dropped extends Error {
	constructor() {
		super('dropped');
		this.name = 'Dropped';
	}
}

/** The bytes of <script type="application/gzip" id="asset-NAME">, which holds gzip in base64. */
async function readAsset(name) {
	const packed = atob(document.getElementById(`asset-${name}`).textContent.trim());
	return unpackGzip(Uint8Array.from(packed, (c) => c.charCodeAt(0)), name);
}

/** Errors name the file. */
async function unpackGzip(bytes, name) {
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));

	try {
		return new Uint8Array(await new Response(stream).arrayBuffer());
	} catch {
		throw new Error(`${name}: the gzip data is damaged, cut off, or has several members: try "gzip -dc ${name}" on your machine`);
	}
}

function isGzip(bytes) {
	return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The message of a run that failed, without the name of the program. */
function messageOf(result) {
	return result.err.trim().replace(/^bufsim: /, '') || `exit status ${result.code}`;
}

class Engine {
	constructor(module, workerText, builtin) {
		const url = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));

		this.builtin = builtin;
		this.files = new Map();
		this.queue = [];
		this.workers = Array.from({ length: Math.min(navigator.hardwareConcurrency || 2, MOST_WORKERS) }, () => this.startWorker(url, module));
	}

	startWorker(url, module) {
		const worker = new Worker(url);

		const end = (result) => {
			const { task } = worker;
			worker.task = undefined;
			this.handOut();
			if (task)
				task.resolve(result);
		};
		worker.onmessage = ({ data }) => end(data);
		worker.onerror = worker.onmessageerror = (e) => end({ code: 70, out: '', err: e.message || 'out of memory', files: {} });
		worker.postMessage({ module });
		return worker;
	}

	handOut() {
		for (const worker of this.workers) {
			if (!worker.task && this.queue.length) {
				const task = worker.task = this.queue.shift();
				worker.postMessage({ argv: task.argv, own: task.own });
			}
		}
	}

	/**
	 * Run "bufsim ARGV": {code, out, err, files, ms}, whatever its exit status.
	 * key: for drop(); urgent: before what waits already; own: a Map of files that no other command sees.
	 */
	run(argv, { key, urgent = false, own } = {}) {
		return new Promise((resolve, reject) => {
			const task = { argv, key, own, resolve, reject };
			if (urgent)
				this.queue.unshift(task);
			else
				this.queue.push(task);
			this.handOut();
		});
	}

	/** Forget what waits with that key: it is rejected as Dropped. */
	drop(key) {
		const dropped = this.queue.filter((task) => task.key === key);

		this.queue = this.queue.filter((task) => task.key !== key);
		for (const task of dropped)
			task.reject(new Dropped());
	}

	/** Make a file known to all workers under a name. */
	give(name, bytes) {
		this.files.set(name, bytes);
		for (const worker of this.workers)
			worker.postMessage({ file: name, bytes });
	}

	/**
	 * Add a trace, a File of any format, packed with gzip or not: {path, text}, what convert says of it.  format: of --format, or
	 * ''; every command of such a trace has it, so that the file stays as it is.  Throws an Error with the message of the
	 * simulator; a trace that was there under its name is then still there.
	 */
	async add(file, format = '') {
		if (WRITTEN.includes(file.name) || this.builtin.some((t) => [t.name, t.path].includes(file.name)))
			throw new Error(`${file.name}: the page has a file of that name: give yours another name`);
		const packed = new Uint8Array(await file.arrayBuffer());
		const bytes = isGzip(packed) ? await unpackGzip(packed, file.name) : packed;
		const path = file.name.startsWith('-') ? `./${file.name}` : file.name;
		const argv = ['convert', path, CONVERTED, ...(format ? ['--format', format] : [])];
		const result = await this.run(argv, { urgent: true, own: new Map([[file.name, bytes]]) });

		if (result.code)
			throw new Error(messageOf(result));
		this.give(file.name, format ? bytes : result.files[CONVERTED]);
		return { path, text: result.out.trim() };
	}
}

/** With the traces inside the page; scripts/explorer.mk puts them there. */
async function startEngine() {
	for (const name of ['WebAssembly', 'DecompressionStream', 'Worker'])
		if (!(name in window))
			throw new Error(`This browser has no ${name}: the page needs one of 2023 or later.`);
	const list = JSON.parse(document.getElementById('traces').textContent);
	const [wasm, ...traces] = await Promise.all([readAsset('bufsim.wasm'), ...list.map((t) => readAsset(t.name))]);
	const engine = new Engine(await WebAssembly.compile(wasm), document.getElementById('worker').textContent, list);

	list.forEach((t, i) => engine.give(t.path, traces[i]));
	return engine;
}
