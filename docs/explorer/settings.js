/*
 * settings.js - what the page can be set to: names, values and defaults from the program's own lists, the hash of the page, and
 * the command lines that the settings mean.
 *
 * Settings are one object of strings.  The names are those of the command line; besides there are `controller` and `window`, which
 * become part of --prefetch, and `run`, `first` and `calls`, which choose what the page shows of a run.
 */

const PAGE_DEFAULTS = {
	trace: 'csq', pattern: '', cache: '32M', prefetch: 'none,linux24,ondemand', controller: 'none', window: '', run: '', first: '1', calls: '20',
};
const NOT_OPTIONS = ['cache', 'prefetch', 'pattern', 'help'];
const LISTED = { policy: 'policies', device: 'devices', scheduler: 'schedulers' };
/* The others have no time, or no elapsed time, to draw. */
const TIMED_REPLAYS = ['serial', 'process'];

const ALL_SHAPES = 'of all'; /* the entry with the parameters that every shape has */

const LESSONS = [
	{ file: '1-hit-ratio-up-time-up', title: 'Hit ratio up, time up', hash: 'prefetch=none,linux24&first=26&calls=4' },
	{
		file: '2-window-trap', title: 'The window trap',
		hash: 'pattern=short-runs:run=2&cache=16M&run=linux24&calls=3',
	},
	{
		file: '3-end-of-the-loop', title: 'The end of the loop',
		hash: 'pattern=loop&cache=15M&prefetch=none,ondemand&first=4096&calls=4',
	},
	{
		file: '4-free-prefetch-lie', title: 'The free-prefetch lie',
		hash: 'device=fixed&prefetch=none,obl,ondemand,linux24&run=linux24&first=29&calls=1',
	},
	{
		file: '5-how-much-window', title: 'How much window a drive wants',
		hash: 'pattern=streams:streams=4,think=10us,descriptors=own&device=hc310'
			+ '&prefetch=none,ondemand:pages=8,ondemand:pages=32,ondemand:pages=256&run=ondemand:pages=256',
	},
	{
		file: '6-twenty-years', title: 'Twenty years',
		hash: 'device=nvme-960evo&prefetch=none,linux24,ondemand:version=6.18&run=ondemand:version=6.18',
	},
];

/* ---- the program's lists ---- */

/** `bufsim list TOPIC` as [{name, text, parameters: [{name, text}]}]. */
function parseList(output) {
	const entries = [];
	let target = null;
	for (const line of output.split('\n').slice(1)) {
		const [, indent, name, text = ''] = /^( *)(of all|\S+)(?: +(.*))?$/.exec(line) || [];
		if (indent === '  ') {
			target = { name, text, parameters: [] };
			entries.push(target);
		} else if (indent === '    ' && name.startsWith(':')) {
			target = { name: name.slice(1, -1), text };
			entries[entries.length - 1].parameters.push(target);
		} else if (target && line) {
			target.text = `${target.text} ${line.trim()}`.trim();
		}
	}
	return entries;
}

/** The options of `bufsim COMMAND --help` as [{name, argument, text, def}]. */
function parseOptions(output) {
	const options = [];
	let option = null;
	for (const line of output.split('\n')) {
		const start = /^ {2}(?:-\w, )?--([\w-]+)(?: (\S+))?(?: {2,}(.*))?$/.exec(line);
		if (start) {
			option = { name: start[1], argument: start[2] || '', text: start[3] || '' };
			options.push(option);
		} else if (option && /^ {32}\S/.test(line)) {
			option.text = `${option.text} ${line.trim()}`.trim();
		} else {
			option = null;
		}
	}
	for (const o of options) {
		const [, text, def] = /^(.*?)(?: \[([^\]]*)\])?$/.exec(o.text);
		Object.assign(o, { text, def: def || '' });
	}
	return options;
}

async function readLists(engine) {
	const out = async (...argv) => (await engine.run(argv, { key: 'lists', urgent: true })).out;
	const topics = ['policies', 'prefetchers', 'schedulers', 'devices', 'shapes', 'counters'];
	const [run, explain, ...lists] = await Promise.all([
		out('run', '--help'), out('explain', '--help'), ...topics.map((topic) => out('list', topic))]);
	const both = parseOptions(explain).map((o) => o.name);
	const listed = Object.fromEntries(topics.map((topic, i) => [topic, parseList(lists[i])]));
	await Promise.all(listed.shapes.filter((s) => s.name !== ALL_SHAPES).map(async (shape) => {
		const [, ...lines] = (await out('list', shape.name)).split('\nparameters')[0].split('\n');
		shape.text = lines.map((line) => line.trim()).join('\n');
	}));
	return {
		...listed,
		options: parseOptions(run).filter((o) => both.includes(o.name) && !NOT_OPTIONS.includes(o.name)),
	};
}

const baseName = (spec) => /^[^:+]*/.exec(spec)[0];
const isController = (entry) => entry.text.startsWith('controller:');

/** All settings: [{name, def, text, values, list}]; `values` are all that there are, `list` holds the names a value begins with. */
function describeSettings(lists) {
	const controllers = lists.prefetchers.filter(isController).map((p) => p.name);
	const page = Object.entries(PAGE_DEFAULTS).map(([name, def]) => ({ name, def, text: '' }));
	page.find((s) => s.name === 'controller').values = ['none', ...controllers];
	const options = lists.options.map((option) => {
		let values = option.argument.includes('|') ? option.argument.split('|') : undefined;
		if (option.name === 'replay')
			values = TIMED_REPLAYS;
		else if (values && !option.def)
			values = ['', ...values];
		return { ...option, option: true, values, list: lists[LISTED[option.name]] };
	});
	return [...page, ...options];
}

/* ---- sizes ---- */

const UNITS = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** Bytes of a size such as 32M or 8192b; null if it is none. */
function parseSize(text, blockBytes) {
	const [, number, unit] = /^(\d+(?:\.\d+)?)(?:(b)|([KMGT])(?:i?B)?)?$/i.exec(text) ? /^([\d.]+)(.?)/.exec(text.toUpperCase()) : [];
	if (number === undefined)
		return null;
	return Number(number) * (unit === 'B' ? blockBytes : UNITS[unit] || 1);
}

/** The shortest exact form for the command line. */
function sizeArgument(bytes) {
	const unit = ['T', 'G', 'M', 'K'].find((u) => bytes % UNITS[u] === 0);
	return unit ? `${bytes / UNITS[unit]}${unit}` : `${bytes}`;
}

function sizeInWords(bytes) {
	const unit = ['T', 'G', 'M', 'K'].find((u) => bytes >= UNITS[u]);
	return unit ? `${Number((bytes / UNITS[unit]).toPrecision(4))} ${unit}iB` : `${bytes} bytes`;
}

/** Four sizes an octave, around the footprint and with `chosen` inside: ascending. */
function curveSizes(footprint, chosen, blockBytes) {
	const high = Math.max(Math.ceil(Math.log2(footprint * 1.5)), Math.ceil(Math.log2(chosen)));
	const least = Math.log2(blockBytes) + 5;
	const low = Math.min(Math.max(high - 8, least), Math.max(Math.floor(Math.log2(chosen)), Math.log2(blockBytes)), high - 1);
	const sizes = [];
	for (let power = low; power < high; power++)
		for (const quarter of [1, 1.25, 1.5, 1.75])
			sizes.push(2 ** power * quarter);
	return [...sizes, 2 ** high].filter((size) => size % blockBytes === 0);
}

/** 0 for every second power of two, 1 for the others, 2 for sizes between them: what is simulated first. */
function fineness(bytes) {
	const octave = Math.log2(bytes);
	return Number.isInteger(octave) ? octave % 2 : 2;
}

/* ---- the hash ---- */

function encodeSetting(value) {
	return encodeURI(value).replace(/[&#]/g, encodeURIComponent);
}

function writeHash(settings, schema) {
	return schema.filter(({ name, def }) => settings[name] !== def && !(name === 'trace' && settings.pattern))
		.map(({ name }) => `${name}=${encodeSetting(settings[name])}`).join('&');
}

/** Whether two hashes mean the same: browsers encode more or less of one. */
function sameHash(a, b) {
	try {
		return decodeURI(a) === decodeURI(b);
	} catch {
		return false; /* a broken % sequence */
	}
}

/** What is wrong with a value; null if nothing. */
function valueProblem({ name, values, list }, value, lists) {
	const one = (names) => `${name}=${value}: ${name} is one of ${names.filter(Boolean).join(', ')}`;
	if (values && !values.includes(value))
		return one(values);
	if (list && !list.some((entry) => entry.name === baseName(value)))
		return one(list.map((entry) => entry.name));
	if (name === 'cache' && !(parseSize(value, 4096) > 0))
		return `cache=${value}: a size such as 32M or 8192b`;
	if (['first', 'calls'].includes(name) && !/^[1-9]\d{0,14}$/.test(value))
		return `${name}=${value}: a number of calls, 1 or more`;
	if (name === 'window' && !/^\d{0,6}$/.test(value))
		return `window=${value}: a number of blocks`;
	if (name === 'think-scale' && !(value !== '' && Number(value) >= 0))
		return `think-scale=${value}: a number, 0 or more`;
	const known = (spec) => lists.prefetchers.some((p) => p.name === baseName(spec));
	if (name === 'prefetch' && !(splitSpecs(value).length && splitSpecs(value).every(known)))
		return `prefetch=${value}: a list of ${lists.prefetchers.map((p) => p.name).join(', ')}`;
	return null;
}

/** Settings of a hash, with the defaults for all that is left out or wrong: {settings, problems}. */
function readHash(hash, schema, lists, traces) {
	const settings = Object.fromEntries(schema.map(({ name, def }) => [name, def]));
	const problems = [];
	for (const part of hash.replace(/^#/, '').split('&').filter(Boolean)) {
		const [, name, code] = /^([^=]*)=?(.*)$/.exec(part);
		const entry = schema.find((s) => s.name === name);
		let value = code;
		try {
			value = decodeURIComponent(code);
		} catch {
			problems.push(`${part}: a broken % sequence`);
			continue;
		}
		let problem = entry ? valueProblem(entry, value, lists) : `${name}: unknown setting; there are ${schema.map((s) => s.name).join(', ')}`;
		if (name === 'trace' && value === 'pattern')
			continue;
		if (name === 'trace' && !traces.has(value))
			problem = `trace=${value}: this page has ${[...traces.keys()].join(', ')}; open other traces from a file`;
		if (problem)
			problems.push(problem);
		else
			settings[name] = value;
	}
	return { settings, problems };
}

/* ---- the command line ---- */

/** Items of a list of prefetchers: a piece NAME=VALUE belongs to the item before it. */
function splitSpecs(list) {
	const specs = [];
	for (const piece of list.split(',')) {
		if (specs.length && /^[\w-]+=/.test(piece))
			specs[specs.length - 1] += `,${piece}`;
		else if (piece)
			specs.push(piece);
	}
	return [...new Set(specs)];
}

/** The parameter that limits the window of a prefetcher, if it has one. */
function windowParameter(entry) {
	return entry && entry.parameters.find((p) => /^largest .*in blocks/.test(p.text));
}

/** A prefetcher with the window and inside the controller that are set. */
function effectiveSpec(name, settings, lists) {
	const base = baseName(name);
	const entry = lists.prefetchers.find((p) => p.name === base);
	if (base === 'none' || isController(entry))
		return name;
	const parameter = windowParameter(entry);
	const set = settings.window && parameter && !/\b(pages|kb|max|pmax)=/.test(name);
	const windowed = set ? `${name}${name.includes(':') ? ',' : ':'}${parameter.name}=${settings.window}` : name;
	return settings.controller === 'none' ? windowed : `${settings.controller}+${windowed}`;
}

/** The prefetchers to compare: [{name, spec, slot}]; each has a colour, `slot`, of its own. */
function comparedPrefetchers(settings, lists) {
	const taken = new Set();
	return splitSpecs(settings.prefetch).map((name) => {
		let slot = lists.prefetchers.filter((p) => !isController(p)).findIndex((p) => p.name === baseName(name));
		for (slot = Math.max(slot, 0) % STYLES.length; taken.has(slot) && taken.size < STYLES.length;)
			slot = (slot + 1) % STYLES.length;
		taken.add(slot);
		return { name, spec: effectiveSpec(name, settings, lists), slot };
	});
}

function optionArguments(settings, schema, except = []) {
	return schema.filter((s) => s.option && settings[s.name] !== s.def && !except.includes(s.name))
		.flatMap(({ name }) => [`--${name}`, settings[name]]);
}

function traceArguments(settings, traces) {
	return settings.pattern ? ['--pattern', settings.pattern] : [traces.get(settings.trace).path];
}

/** In a film a generated workload would think for a second between calls: here it thinks as in the run. */
function filmPattern(pattern, lists) {
	const [, think] = /not given (\w+),/.exec(lists.shapes.flatMap((s) => s.parameters).find((p) => p.name === 'think').text) || [];
	return pattern.replace(/[^+/]+/g, (part) => (!think || /\bthink=/.test(part) || !lists.shapes.some((s) => s.name === baseName(part)) ? part
		: `${part}${/[:,]$/.test(part) ? '' : part.includes(':') ? ',' : ':'}think=${think}`));
}

/** A command as it is typed into a shell. */
function shellCommand(argv) {
	return ['bufsim', ...argv].map((a) => (/^[\w@%+=:,./-]+$/.test(a) ? a : `'${a.replace(/'/g, `'\\''`)}'`)).join(' ');
}
