/* worker.js - runs one command after the other.  Follows wasi.js in the text of a worker. */
const files = new Map();
let module;

function runCommand({ argv, own = [] }) {
	const began = performance.now();

	try {
		const system = new System(['bufsim', ...argv], new Map([...files, ...own]));
		const code = system.run(module);
		return { code, out: system.text(1), err: system.text(2), files: system.written(), ms: performance.now() - began };
	} catch (e) {
		return { code: 70, out: '', err: `bufsim: ${e instanceof RangeError ? 'out of memory' : e}`, files: {}, ms: performance.now() - began };
	}
}

onmessage = ({ data }) => {
	if (data.module)
		module = data.module;
	else if (data.file)
		files.set(data.file, data.bytes);
	else
		postMessage(runCommand(data));
};
