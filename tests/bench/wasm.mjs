/*
 * wasm.mjs RUNS MODULE TRACE ARGUMENT... - the cost of "bufsim ARGUMENT..." in WebAssembly, in the V8 of node.
 *
 * Prints seconds of processor time, the least of RUNS runs after one that is not counted, less those of a command that does
 * nothing.  A run is what a worker of docs/explorer does.
 */
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const [runs, module, trace, ...argv] = process.argv.slice(2);
const name = path.basename(trace); /* a worker has no folders above its own */
const page = new URL('../../docs/explorer/', import.meta.url);
const worker = { performance, WebAssembly, TextEncoder, TextDecoder, postMessage: (result) => { worker.result = result; } };

vm.createContext(worker);
for (const file of ['wasi.js', 'worker.js'])
	vm.runInContext(fs.readFileSync(new URL(file, page), 'utf8'), worker);
worker.onmessage({ data: { module: new WebAssembly.Module(fs.readFileSync(module)) } });
worker.onmessage({ data: { file: name, bytes: fs.readFileSync(trace) } });

function seconds(command) {
	const began = process.cpuUsage();

	worker.onmessage({ data: { argv: command } });
	const used = process.cpuUsage(began);
	if (worker.result.code)
		throw new Error(worker.result.err);
	return (used.user + used.system) / 1e6;
}

function least(command) {
	seconds(command);
	return Math.min(...Array.from({ length: Number(runs) }, () => seconds(command)));
}

console.log(least(argv.map((word) => (word === trace ? name : word))) - least(['--version']));
