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
		this.pending = new Map(); /* by id: the task that a worker runs */
		this.ids = 0;
		this.workers = Array.from({ length: Math.min(navigator.hardwareConcurrency || 2, MOST_WORKERS) }, () => this.startWorker(url, module));
	}

	startWorker(url, module) {
		const worker = new Worker(url);

		worker.idle = true;
		worker.onmessage = ({ data }) => {
			const task = this.pending.get(data.id);
			this.pending.delete(data.id);
			worker.idle = true;
			this.handOut();
			task.resolve(data);
		};
		worker.postMessage({ module });
		return worker;
	}

	handOut() {
		for (const worker of this.workers) {
			const task = worker.idle && this.queue.shift();
			if (task) {
				worker.idle = false;
				this.pending.set(task.id, task);
				worker.postMessage({ id: task.id, argv: task.argv });
			}
		}
	}

	/**
	 * Run "bufsim ARGV": {code, out, err, files, ms}, whatever its exit status.
	 * key: for drop(); urgent: before what waits already.
	 */
	run(argv, { key, urgent = false } = {}) {
		return new Promise((resolve, reject) => {
			const task = { id: ++this.ids, argv, key, resolve, reject };
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
	 * Add a trace, a File or {name, bytes}, of any format, packed with gzip or not: {path, text}, what convert says of it.
	 * Throws an Error with the message of the simulator; a trace that was there under its name is then still there.
	 */
	async add(file) {
		const packed = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : file.bytes;
		const bytes = isGzip(packed) ? await unpackGzip(packed, file.name) : packed;
		const before = this.files.get(file.name) || new Uint8Array(0);

		this.give(file.name, bytes);
		const result = await this.run(['convert', file.name, CONVERTED], { urgent: true });
		this.give(file.name, result.files[CONVERTED] || before);
		if (result.code)
			throw new Error(messageOf(result));
		return { path: file.name, text: result.out.trim() };
	}
}

/** With the traces inside the page; scripts/explorer.mk puts them there. */
async function startEngine() {
	const list = JSON.parse(document.getElementById('traces').textContent);
	const [wasm, ...traces] = await Promise.all([readAsset('bufsim.wasm'), ...list.map((t) => readAsset(t.name))]);
	const engine = new Engine(await WebAssembly.compile(wasm), document.getElementById('worker').textContent, list);

	list.forEach((t, i) => engine.give(t.path, traces[i]));
	return engine;
}
