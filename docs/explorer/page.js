/*
 * page.js - the page: its controls, what it simulates when a setting changes, and the answer.
 *
 * A change first simulates the chosen cache size, then the curves, and, when the settings have not changed for a moment, the
 * chosen run with its map and its film.  Work for older settings is dropped.
 */
const QUIET_MS = 150;
const DRAW_MS = 20;
const PROGRESS_MS = 300;
const WINDOWS = ['', ...[4, 8, 16, 32, 64, 128, 256, 512, 1024].map(String)];
const THINK_SCALES = ['0', '0.01', '0.02', '0.05', '0.1', '0.2', '0.5', '1', '2', '5', '10', '20', '50', '100'];
const LONG_WORD = 30; /* letters: may be broken at the end of a line */
const TYPED = { type: 'text', autocomplete: 'off', spellcheck: 'false' };
const MAIN_OPTIONS = ['device', 'policy', 'replay'];

const byId = (id) => document.getElementById(id);

/** An element with attributes, listeners (onchange: f) and children. */
function element(tag, attributes = {}, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === 'function')
			made.addEventListener(name.slice(2), value);
		else if (value !== false)
			made.setAttribute(name, value === true ? '' : value);
	}
	made.append(...children);
	return made;
}

/** Whole, but 100 % only if it is. */
function percent(ratio) {
	const whole = Math.round(ratio * 100);
	return `${whole === 100 && ratio < 1 ? Math.min(Math.round(ratio * 1000) / 10, 99.9) : whole} %`;
}

/** 103 % longer than; 0.24 % less than; as long as. */
function durationAgainst(run, none) {
	const more = (run.elapsed_us / none.elapsed_us - 1) * 100;
	const size = Math.abs(more);
	return size < 0.05 ? 'as long as' : `${Number(size.toPrecision(size < 10 ? 2 : 3))} % ${more > 0 ? 'longer' : 'less'} than`;
}

function nearestIndex(values, value) {
	return values.reduce((best, v, i) => (Math.abs(v - value) < Math.abs(values[best] - value) ? i : best), 0);
}

/* ---- controls: each is {nodes, show(value)} and calls change(value) ---- */

function selectControl({ name, values, text }, change, label = name) {
	const select = element('select', { id: `set-${name}`, onchange: () => change(select.value) },
		...values.map((value) => element('option', { value }, value || 'as recognised')));
	return { nodes: [element('label', { for: select.id, title: text }, label), select], show: (value) => { select.value = value; } };
}

function textControl({ name, text, argument }, change, label = name) {
	const input = element('input', { ...TYPED, id: `set-${name}`, placeholder: argument || '',
		onchange: () => change(input.value.trim()) });
	return { nodes: [element('label', { for: input.id, title: text }, label), input], show: (value) => { input.value = value; } };
}

function parametersOf(entry, common = []) {
	const all = entry ? [...entry.parameters, ...common] : [];
	const details = element('details', { class: 'parameters' }, element('summary', {}, `parameters of ${entry ? entry.name : ''}`),
		element('dl', {}, ...all.flatMap((p) => [element('dt', {}, `${p.name}=`), element('dd', {}, p.text)])));
	return all.length ? [details] : [];
}

/** A name of a list, and its parameters as typed: disk:depth=4. */
function namedControl({ name, list, common }, change, label = name) {
	const select = element('select', { id: `set-${name}`, onchange: () => change(select.value) }, ...list.map((e) => element('option', {}, e.name)));
	const rest = element('input', { ...TYPED, 'aria-label': `parameters of ${label}`, placeholder: ':name=value',
		onchange: () => change(select.value + (/^$|^[:+/]/.test(rest.value.trim()) ? '' : ':') + rest.value.trim()) });
	const hint = element('div');
	const show = (value) => {
		const base = /^[^:+/]*/.exec(value)[0];
		const entry = list.find((e) => e.name === base);
		const text = entry ? entry.text : '';
		if (base && ![...select.options].some((o) => o.value === base))
			select.append(element('option', {}, base));
		select.value = base;
		rest.value = value.slice(base.length);
		if (hint.dataset.of !== base)
			hint.replaceChildren(element('p', { class: 'hint' }, text), ...parametersOf(entry, common));
		hint.dataset.of = base;
	};
	return { nodes: [element('label', { for: select.id }, label), element('div', { class: 'pair' }, select, rest), hint], show };
}

/** A slider over steps; words(value) says what a value means. */
function sliderControl({ name, text }, steps, words, change, label = name) {
	const output = element('output', { for: `set-${name}` });
	const say = (value) => {
		output.textContent = words(value);
		range.setAttribute('aria-valuetext', words(value));
	};
	const range = element('input', { type: 'range', id: `set-${name}`, min: 0, max: steps().length - 1, title: text || '', oninput: () => {
		const value = steps()[range.value];
		say(value);
		change(value);
	} });
	const show = (value, nearest) => {
		range.max = steps().length - 1;
		range.value = nearest === undefined ? nearestIndex(steps().map(Number), Number(value)) : nearest;
		say(value);
	};
	return { range, nodes: [element('div', { class: 'head' }, element('label', { for: range.id }, label), output), range], show };
}

function radioControl({ name, values }, change, label = name) {
	const radios = values.map((value) => element('input', { type: 'radio', name: `set-${name}`, value, onchange: () => change(value) }));
	const box = element('fieldset', { class: 'radios' }, element('legend', {}, label),
		...values.map((value, i) => element('label', {}, radios[i], value)));
	return { nodes: [box], show: (value) => radios.forEach((r) => { r.checked = r.value === value; }) };
}

/** Checkboxes for prefetchers as they are, and a list of those with parameters. */
function prefetchControl(lists, change) {
	const names = lists.prefetchers.filter((p) => !isController(p));
	const boxes = names.map((p) => element('input', { type: 'checkbox', value: p.name, onchange: () => collect() }));
	const others = element('input', { ...TYPED, id: 'set-prefetch', placeholder: 'linux24:max=127,obl:mode=miss',
		onchange: () => collect() });
	const collect = () => change([...boxes.filter((b) => b.checked).map((b) => b.value), ...splitSpecs(others.value.trim())].join(',') || 'none');
	const show = (value) => {
		const specs = splitSpecs(value);
		boxes.forEach((b) => { b.checked = specs.includes(b.value); });
		others.value = specs.filter((spec) => !names.some((p) => p.name === spec)).join(',');
	};
	return { nodes: [
		element('div', { class: 'checks' }, ...boxes.map((b, i) => element('label', { title: names[i].text }, b, names[i].name))),
		element('div', { class: 'field' }, element('label', { for: others.id }, 'others, with parameters'), others,
			element('details', { class: 'parameters' }, element('summary', {}, 'their parameters'),
				...lists.prefetchers.flatMap((p) => parametersOf(p))))], show };
}

/* ---- the page ---- */

/** Counts what is going on: settled() waits for its end. */
class Activity {
	constructor() {
		this.count = 0;
		this.waiting = [];
	}

	async during(promise) {
		this.count++;
		try {
			return await promise;
		} finally {
			if (--this.count === 0)
				this.waiting.splice(0).forEach((resolve) => resolve());
		}
	}

	async settled() {
		while (this.count)
			await new Promise((resolve) => this.waiting.push(resolve));
	}
}

/** Calls f ms after the first call, or, with `restart`, the last one; counts as activity until then. */
function delayed(activity, ms, f, restart) {
	let timer = null;
	let release = null;
	return () => {
		if (release === null)
			activity.during(new Promise((resolve) => { release = resolve; }));
		if (timer !== null && !restart)
			return;
		clearTimeout(timer);
		timer = setTimeout(async () => {
			const done = release;
			release = timer = null;
			try {
				await f();
			} finally {
				done();
			}
		}, ms);
	};
}

class Explorer {
	constructor(engine, lists) {
		const schema = describeSettings(lists);
		Object.assign(this, { engine, lists, schema, traces: new Map(engine.builtin.map((t) => [t.name, t])) });
		this.activity = new Activity();
		this.points = new Points(engine);
		this.adding = Promise.resolve();
		this.footprints = new Map();
		this.messages = new Map();
		this.shown = new Map(); /* by element: {id} of the command whose result it shows, or waits for */
		this.controls = new Map();
		this.sizes = curveSizes(128 * UNITS.M, 32 * UNITS.M, 4096);
		this.writeHashSoon = delayed(this.activity, 400, () => this.pushHash(), true);
		this.drawSoon = delayed(this.activity, DRAW_MS, () => this.drawCurves(), false);
		this.showRunSoon = delayed(this.activity, QUIET_MS, () => this.showRun(), true);
		this.argv = [];
		this.json = '';
		this.makeCharts();
		this.makeControls();
		this.listen();
		this.readSettings();
	}

	settled() {
		return this.activity.settled();
	}

	/** A message of a kind replaces the one before; an empty one removes it. */
	alert(kind, text) {
		if ((this.messages.get(kind) || '') === text)
			return;
		this.messages.set(kind, text);
		byId('alerts').replaceChildren(...[...this.messages.values()].filter(Boolean).map((message) => element('p', {}, message)));
	}

	/** Work whose failure is shown unless the settings have changed meanwhile. */
	attempt(promise) {
		const { turn } = this;
		return this.activity.during(promise.catch((e) => {
			if (e.name === 'Dropped' || turn !== this.turn)
				return;
			this.alert('simulation', e.message);
			if (!this.json)
				byId('answer').textContent = 'There is no answer with these settings.';
		}));
	}

	/* ---- controls ---- */

	makeControls() {
		const setter = (name) => (value) => this.set({ [name]: value });
		const add = (host, name, control) => {
			this.controls.set(name, control);
			byId(host).append(element('div', { class: 'field' }, ...control.nodes));
		};
		const of = (name) => this.schema.find((s) => s.name === name);
		this.makeTraceControls(add);
		add('main-settings', 'cache', this.cacheControl());
		add('main-settings', 'window', sliderControl(of('window'), () => WINDOWS,
			(v) => (v ? `${v} blocks` : 'default of each'), setter('window'), 'largest window'));
		add('main-settings', 'think-scale', sliderControl(of('think-scale'), () => THINK_SCALES, (v) => `x ${v}`, setter('think-scale'), 'think time'));
		for (const name of MAIN_OPTIONS)
			add('main-settings', name, this.optionControl(of(name), setter(name)));
		add('prefetch-settings', 'prefetch', prefetchControl(this.lists, setter('prefetch')));
		add('prefetch-settings', 'controller', radioControl(of('controller'), setter('controller')));
		for (const entry of this.schema.filter((s) => s.option && ![...MAIN_OPTIONS, 'think-scale'].includes(s.name)))
			add('more-settings', entry.name, this.optionControl(entry, setter(entry.name)));
		add('film-settings', 'first', textControl(of('first'), setter('first'), 'first call'));
		add('film-settings', 'calls', textControl(of('calls'), setter('calls'), 'number of calls'));
	}

	optionControl(entry, change) {
		const control = entry.list ? namedControl(entry, change) : (entry.values ? selectControl : textControl)(entry, change);
		if (!entry.list && !MAIN_OPTIONS.includes(entry.name))
			control.nodes.push(element('p', { class: 'hint' }, entry.text));
		return control;
	}

	cacheControl() {
		const block = () => parseSize(this.settings.block, 1);
		const slider = sliderControl({ name: 'cache' }, () => this.sizes.map(sizeArgument), (value) => {
			const bytes = parseSize(value, block());
			return `${sizeInWords(bytes)}, ${(bytes / block()).toLocaleString('en')} blocks`;
		}, (value) => this.set({ cache: value }), 'cache size');
		const exact = textControl({ name: 'exact-cache' }, (value) => this.set({ cache: value }), 'cache size as typed');
		exact.nodes[0].className = 'hidden';
		const show = (value) => {
			slider.show(value, nearestIndex(this.sizes.map(Math.log), Math.log(parseSize(value, block()))));
			exact.show(value);
		};
		return { nodes: [slider.nodes[0], element('div', { class: 'slider' }, slider.range, element('div', {}, ...exact.nodes))], show };
	}

	makeTraceControls(add) {
		const file = element('input', { type: 'file', hidden: true, id: 'open-trace', 'aria-label': 'trace file',
			onchange: () => this.addTraces(file.files).then(() => { file.value = ''; }) });
		const select = element('select', { id: 'set-trace', onchange: () => this.set(select.value
			? this.choice(select.value) : { pattern: this.settings.pattern || this.lists.shapes[0].name, format: '' }) });
		const note = element('p', { class: 'hint', id: 'trace-note' });
		const show = () => {
			const { trace, pattern } = this.settings;
			select.replaceChildren(...[...this.traces.keys()].map((name) => element('option', { value: name }, name)),
				element('option', { value: '' }, 'a generated pattern'));
			select.value = pattern ? '' : trace;
			note.textContent = pattern ? '' : this.traces.get(trace).note || '';
			byId('set-pattern').closest('.field').hidden = !pattern;
		};
		add('trace-settings', 'trace', { nodes: [element('label', { for: 'set-trace' }, 'trace'), select, note], show });
		const shapes = this.lists.shapes.filter((s) => s.name !== ALL_SHAPES);
		const common = this.lists.shapes.filter((s) => s.name === ALL_SHAPES).flatMap((s) => s.parameters);
		add('trace-settings', 'pattern', namedControl({ name: 'pattern', list: shapes, common }, (pattern) => this.set({ pattern }), 'shape'));
		byId('trace-settings').append(element('div', { class: 'row' },
			element('button', { type: 'button', onclick: () => file.click() }, 'Open a trace…'), file,
			element('span', { class: 'hint quiet' }, 'or drop one on the page')));
	}

	showSettings() {
		for (const [name, control] of this.controls)
			control.show(this.settings[name]);
	}

	/** The settings that a trace comes with: the format is one of the file. */
	choice(name) {
		return { trace: name, pattern: '', format: this.traces.get(name).format || '' };
	}

	/** Files, one after the other; the last one that is a trace is shown. */
	addTraces(list) {
		const files = [...list]; /* the list of a drop is emptied */
		this.adding = this.adding.then(async () => {
			const problems = [];
			let last = null;
			for (const file of files)
				try {
					last = await this.addTrace(file);
				} catch (e) {
					problems.push(`${e.message.includes(file.name) ? '' : `${file.name}: `}${e.message}`);
				}
			this.showSettings();
			if (last) {
				this.forget();
				this.set({ ...this.choice(last), first: '1' });
			}
			this.alert('trace', problems.join('\n'));
		});
		return this.activity.during(this.adding);
	}

	/** What is known of a trace, or being simulated, may be of another file of its name. */
	forget() {
		this.footprints = new Map();
		this.points = new Points(this.engine);
		this.shown.clear();
		this.plan = null;
	}

	async addTrace(file) {
		const { format } = this.settings;
		byId('trace-note').textContent = `reading ${file.name}`;
		const { path, text } = await this.engine.add(file, format);
		this.traces.set(file.name, { name: file.name, path, format, command: null, note: text || 'a file of yours' });
		return file.name;
	}

	listen() {
		window.addEventListener('hashchange', () => this.readSettings());
		byId('settings').addEventListener('submit', (e) => e.preventDefault());
		const drag = (on) => (e) => {
			e.preventDefault();
			document.body.classList.toggle('dropping', on);
		};
		document.addEventListener('dragover', drag(true));
		document.addEventListener('dragleave', (e) => !e.relatedTarget && drag(false)(e));
		document.addEventListener('drop', (e) => {
			drag(false)(e);
			this.addTraces(e.dataTransfer.files);
		});
		byId('copy-link').addEventListener('click', () => copyText(`${location.href.replace(/#.*/, '')}#${writeHash(this.settings, this.schema)}`));
		byId('reset').addEventListener('click', (e) => {
			e.preventDefault();
			this.takeHash('');
			this.writeHashSoon();
		});
		byId('numbers').addEventListener('toggle', () => this.drawNumbers());
		byId('save-json').addEventListener('click', () => saveText('run.json', this.json, 'application/json'));
		byId('save-csv').addEventListener('click', () => saveText('curves.csv', this.curvesCsv(), 'text/csv'));
		window.addEventListener('resize', delayed(this.activity, QUIET_MS, () => this.drawPictures(), true));
		document.addEventListener('themechange', () => {
			this.charts.forEach((chart) => chart.restyle());
			byId('bars').querySelectorAll('.bar .part').forEach(contrastText);
			this.drawPictures();
		});
	}

	/* ---- settings and the hash ---- */

	readSettings() {
		this.takeHash(location.hash);
	}

	takeHash(hash) {
		const { settings, problems } = readHash(hash, this.schema, this.lists, this.traces);
		this.settings = settings;
		this.alert('hash', problems.join('\n'));
		this.update();
	}

	set(changes) {
		for (const [name, value] of Object.entries(changes)) {
			const problem = valueProblem(this.schema.find((s) => s.name === name), value, this.lists);
			this.alert('hash', problem || '');
			if (problem)
				return this.showSettings();
		}
		if (Object.keys(changes).some((name) => ['trace', 'pattern'].includes(name)))
			changes = { first: PAGE_DEFAULTS.first, ...changes };
		this.alert('trace', '');
		this.settings = { ...this.settings, ...changes };
		this.writeHashSoon();
		return this.update();
	}

	pushHash() {
		const hash = writeHash(this.settings, this.schema);
		if (!sameHash(location.hash.slice(1), hash))
			history.pushState(null, '', hash ? `#${hash}` : location.href.replace(/#.*/, ''));
		this.markLesson();
	}

	markLesson() {
		const hash = writeHash(this.settings, this.schema);
		for (const link of byId('lessons').querySelectorAll('a:not(.text)')) {
			const settings = readHash(link.hash, this.schema, this.lists, this.traces);
			if (writeHash(settings.settings, this.schema) === hash)
				link.setAttribute('aria-current', 'true');
			else
				link.removeAttribute('aria-current');
		}
	}

	/* ---- simulation ---- */

	async update() {
		const turn = this.turn = (this.turn || 0) + 1;
		const { settings } = this;
		this.alert('simulation', '');
		this.showSettings();
		this.markLesson();
		byId('answer').classList.add('stale');
		await this.attempt((async () => {
			const base = [...traceArguments(settings, this.traces), ...optionArguments(settings, this.schema)];
			const footprint = await this.footprint(settings);
			if (turn === this.turn)
				this.simulate(settings, base, footprint);
		})());
	}

	/** Bytes that the trace refers to. */
	async footprint(settings) {
		const others = this.schema.filter((s) => s.option && !['block', 'mmap', 'format', 'stream-by'].includes(s.name)).map((s) => s.name);
		const argv = ['stat', ...traceArguments(settings, this.traces), ...optionArguments(settings, this.schema, others), '--json'];
		const id = JSON.stringify(argv);
		const { footprints } = this;
		if (!footprints.has(id)) {
			const { out } = await runBufsim(this.engine, argv, { key: 'stat', urgent: true });
			const stat = out.trim().includes('\n') ? {} : JSON.parse(out);
			if (!stat.footprint_blocks)
				throw new Error('the page shows one trace, with at least one reference');
			footprints.set(id, stat.footprint_blocks * stat.block_bytes);
		}
		return footprints.get(id);
	}

	simulate(settings, base, footprint) {
		const compared = comparedPrefetchers(settings, this.lists);
		const block = parseSize(settings.block, 1);
		const bytes = parseSize(settings.cache, block);
		this.sizes = curveSizes(footprint, bytes, block);
		this.view = {
			base, compared, bytes, cache: settings.cache, settings,
			chosen: compared.find((p) => p.name === settings.run) || compared.find((p) => p.name !== 'none') || compared[0],
		};
		if (settings.run && this.view.chosen.name !== settings.run)
			this.alert('simulation', `run=${settings.run}: it is not among the prefetchers to compare`);
		this.controls.get('cache').show(settings.cache);
		const plan = new Plan(base, compared, this.sizes);
		const changed = !this.plan || plan.id !== this.plan.id;
		if (changed)
			this.engine.drop('curve');
		if (changed)
			this.startPlan(plan); /* idle workers begin with the first curve */
		this.simulatePoint();
		this.charts.forEach((chart) => chart.choose(bytes));
		this.drawSoon();
		this.showRunSoon();
	}

	/** The chosen cache size with each prefetcher, and without. */
	simulatePoint() {
		const { base, compared, bytes } = this.view;
		const specs = [...new Set(['none', ...compared.map((p) => p.spec)])].filter((spec) => !this.points.get(base, spec, bytes));
		this.engine.drop('point');
		this.drawPoint();
		for (const spec of specs)
			this.attempt(this.points.simulate(base, spec, [bytes], { key: 'point', urgent: true }).then(() => {
				this.drawPoint();
				this.drawSoon();
			}));
	}

	startPlan(plan) {
		this.plan = plan;
		clearInterval(this.progress);
		byId('progress').textContent = '';
		this.drawSoon();
		const began = performance.now();
		this.progress = setInterval(() => performance.now() - began >= PROGRESS_MS && this.showProgress(plan), 100);
		this.activity.during(this.followPlan(plan));
	}

	/** The finest sizes come when the others are there: the chosen run goes in between. */
	async followPlan(plan) {
		const workers = this.engine.workers.length;
		for (const phase of [[0, 1], [2], [0, 1, 2]]) {
			if (plan !== this.plan)
				return;
			await Promise.all(phase.flatMap((fine) => plan.commands(this.points, fine, this.view.bytes, workers)).map(({ spec, sizes }) =>
				this.attempt(this.points.simulate(plan.base, spec, sizes, { key: 'curve' }).then(() => plan === this.plan && this.drawSoon()))));
		}
		if (plan === this.plan)
			this.endPlan();
	}

	showProgress(plan) {
		byId('progress').textContent = `${plan.done(this.points)} of ${plan.total} points simulated`;
	}

	endPlan() {
		clearInterval(this.progress);
		byId('progress').textContent = '';
	}

	/* ---- pictures ---- */

	makeCharts() {
		const shared = { onPick: (bytes) => this.set({ cache: sizeArgument(bytes) }), onHover: (i) => this.showHover(i) };
		this.charts = [
			new Chart(byId('time-chart'), { ...shared, value: (v) => v.elapsed_us / 1e6, words: (s) => secondsInWords(s).replace(/\.0+ /, ' ') }),
			new Chart(byId('hits-chart'), { ...shared, value: (v) => v.hit_ratio * 100, words: (v) => `${v}`, top: 100 }),
		];
	}

	/** Fresh curves; those not ready yet are drawn as they were, faded. */
	drawCurves() {
		if (!this.plan) /* a trace was added: its curves come soon */
			return;
		const sizes = [...new Set([...this.plan.sizes, this.view.bytes])].sort((a, b) => a - b);
		const fresh = this.plan.curves(this.points, sizes);
		byId('curves').classList.toggle('stale', fresh.length === 0);
		if (fresh.length === 0)
			return;
		const before = JSON.stringify(this.drawnSizes) === JSON.stringify(sizes) ? this.drawn : [];
		const old = (name) => before.filter((c) => c.name === name).map((c) => ({ ...c, stale: true }));
		this.drawn = this.plan.prefetchers.flatMap((p) => fresh.find((c) => c.name === p.name) || old(p.name));
		this.drawnSizes = sizes;
		this.charts.forEach((chart) => chart.draw(sizes, this.drawn, this.view.bytes));
	}

	showHover(i) {
		const at = (c) => c.rows[i] && `${c.name} ${secondsInWords(c.rows[i].values.elapsed_us / 1e6)}, ${percent(c.rows[i].values.hit_ratio)}`;
		byId('hover').textContent = i === null || i === undefined || !this.drawn ? 'A click into a curve sets the cache size.'
			: `${sizeInWords(this.drawnSizes[i])}: ${this.drawn.map(at).filter(Boolean).join('; ')}`;
	}

	/** Answer, table and bars, when all of their points are known. */
	drawPoint() {
		const { base, compared, bytes, chosen } = this.view;
		const row = (spec) => this.points.get(base, spec, bytes);
		const ready = row('none') && compared.every((p) => row(p.spec));
		for (const id of ['answer', 'compare', 'bars'])
			byId(id).classList.toggle('stale', !ready);
		if (!ready)
			return;
		const runs = compared.map((p) => ({ ...p, row: row(p.spec) }));
		byId('answer').textContent = this.answer(row('none').values, row(chosen.spec).values);
		this.drawTable(runs, row('none').values);
		drawBars(byId('bars'), runs);
	}

	answer(none, run) {
		const { chosen, bytes, settings } = this.view;
		const time = secondsInWords(run.elapsed_us / 1e6);
		const ratio = percent(run.hit_ratio);
		const start = `With ${sizeInWords(bytes)} of cache`;
		if (chosen.spec === 'none')
			return `${start} ${settings.pattern || settings.trace} takes ${time} without prefetching, and ${ratio} of its references are hits.`;
		const before = percent(none.hit_ratio);
		const hits = ratio === before ? `its hit ratio is the same, ${ratio}` : `its hit ratio is ${ratio} instead of ${before}`;
		const although = ratio !== before && (run.elapsed_us - none.elapsed_us) * (run.hit_ratio - none.hit_ratio) > 0;
		return `${start} ${chosen.spec} takes ${time}, ${durationAgainst(run, none)} without prefetching${although ? ', although' : ';'} ${hits}.`;
	}

	drawTable(runs, none) {
		const versus = ({ elapsed_us: us }) => (us === none.elapsed_us ? ''
			: `${us > none.elapsed_us ? '+' : '−'}${Math.abs((us / none.elapsed_us - 1) * 100).toFixed(1)} %`);
		const rows = runs.map(({ name, spec, slot, row: { values: v } }) => {
			const radio = element('input', { type: 'radio', name: 'run', value: name, onchange: () => this.set({ run: name }) });
			radio.checked = name === this.view.chosen.name;
			const label = element('label', {}, radio);
			label.insertAdjacentHTML('beforeend', swatch(slot));
			label.append(spec);
			const cells = [secondsInWords(v.elapsed_us / 1e6), versus(v), `${(v.hit_ratio * 100).toFixed(1)} %`,
				(v.read_requests + v.write_requests).toLocaleString('en')];
			return element('tr', {}, element('th', { scope: 'row' }, label), ...cells.map((cell) => element('td', {}, cell)),
				element('td', { class: 'words' }, longestWait({ values: v })));
		});
		const focused = document.activeElement && document.activeElement.name === 'run';
		byId('compare').replaceChildren(element('table', {},
			element('caption', { class: 'hidden' }, 'Prefetchers at the chosen cache size; the selected one is shown below'),
			element('thead', {}, element('tr', {}, ...['show', 'time', 'vs none', 'hits', 'requests'].map((h) => element('th', { scope: 'col' }, h)),
				element('th', { scope: 'col', class: 'words' }, 'waits most for'))), element('tbody', {}, ...rows)));
		if (focused)
			byId('compare').querySelector(':checked').focus();
	}

	/* ---- the chosen run ---- */

	runArgv() {
		return ['run', ...this.view.base, '--cache', this.view.cache, '--prefetch', this.view.chosen.spec];
	}

	sweepArgv() {
		return ['sweep', ...this.plan.base, '--cache', this.plan.sizes.map(sizeArgument).join(','),
			'--prefetch', this.plan.prefetchers.map((p) => p.spec).join(','), '-o', 'curves.csv'];
	}

	filmArgv() {
		const { settings, cache, chosen } = this.view;
		const trace = settings.pattern ? ['--pattern', filmPattern(settings.pattern, this.lists)] : traceArguments(settings, this.traces);
		return ['explain', ...trace, ...optionArguments(settings, this.schema), '--cache', cache, '--prefetch', chosen.spec,
			'--first', settings.first, '--calls', settings.calls, '-o', 'film.json'];
	}

	showRun() {
		if (!this.view || this.view.settings !== this.settings)
			return;
		const argv = [...this.runArgv(), '--json'];
		this.drawCommands();
		this.refresh('numbers-table', argv, ({ out }) => {
			this.argv = argv;
			this.json = out;
			this.drawNumbers();
		});
		if (typeof drawMap === 'function') /* --csv: only text and JSON need the run without prefetching */
			this.showPicture('map', [...this.runArgv(), '--csv', '--map', 'map.json'], 'map.json');
		if (typeof drawFilm === 'function')
			this.showPicture('film', this.filmArgv(), 'film.json');
	}

	/** Run a command for an element of the page, unless that shows the result already, or waits for it; faded until then. */
	refresh(part, argv, take) {
		const id = JSON.stringify(argv);
		if (this.shown.get(part)?.id === id)
			return;
		const job = { id };
		const wanted = () => this.shown.get(part) === job;
		this.shown.set(part, job);
		this.engine.drop(part);
		byId(part).classList.add('stale');
		this.attempt(runBufsim(this.engine, argv, { key: part }).then((result) => {
			if (wanted()) {
				byId(part).classList.remove('stale');
				take(result);
			}
		}, (e) => {
			if (wanted())
				this.shown.delete(part);
			throw e;
		}));
	}

	/** A picture in a section of its own, drawn from a file that a command writes. */
	showPicture(part, argv, file) {
		byId(`${part}-section`).hidden = false;
		this.refresh(part, argv, ({ files }) => {
			this[`${part}Data`] = JSON.parse(new TextDecoder().decode(files[file]));
			this.drawPicture(part);
		});
	}

	drawPicture(part) {
		if (part === 'map' && this.mapData)
			drawMap(byId('map'), this.mapData, { onPick: (us, call) => this.set({ first: String(call) }) });
		if (part === 'film' && this.filmData)
			drawFilm(byId('film'), this.filmData, {});
	}

	drawPictures() {
		['map', 'film'].forEach((part) => this.drawPicture(part));
	}

	drawCommands() {
		const { settings } = this.view;
		const { command } = settings.pattern ? {} : this.traces.get(settings.trace);
		const lines = [...(command ? [command] : []), shellCommand([...this.runArgv(), '--json']), shellCommand(this.sweepArgv()),
			shellCommand(this.filmArgv().slice(0, -2))];
		byId('commands').replaceChildren(...lines.map((line) => element('div', { class: 'command' },
			element('code', {}, ...line.split(/( )/).map((word) => element('span', { class: word.length < LONG_WORD ? 'whole' : '' }, word))),
			element('button', { type: 'button', 'aria-label': `Copy ${line.split(' ', 2).join(' ')}`, onclick: () => copyText(line) }, 'Copy'))));
	}

	drawNumbers() {
		if (!byId('numbers').open || !this.json)
			return;
		const rows = Object.entries(JSON.parse(this.json)).flatMap(([name, value]) => (value && typeof value === 'object'
			? Object.entries(value).map(([inner, v]) => [`${name}.${inner}`, v, inner]) : [[name, value, name]])).filter(([, value]) => value !== null);
		const meaning = (name) => (this.lists.counters.find((c) => c.name === name) || { text: '' }).text;
		byId('numbers-table').replaceChildren(element('table', {}, element('caption', { class: 'hidden' }, 'The run in numbers'),
			element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'name'), element('th', { scope: 'col' }, 'value'),
				element('th', { scope: 'col', class: 'words' }, 'unit, meaning'))),
			element('tbody', {}, ...rows.map(([name, value, counter]) => element('tr', {}, element('th', { scope: 'row' }, name),
				element('td', {}, typeof value === 'number' ? value.toLocaleString('en', { maximumSignificantDigits: 9 }) : String(value)),
				element('td', { class: 'words' }, meaning(counter)))))));
	}

	curvesCsv() {
		const lines = this.plan.prefetchers.flatMap((p) => this.plan.sizes.map((size) => this.points.get(this.plan.base, p.spec, size)))
			.filter(Boolean).map((point) => point.line);
		return `${[this.points.header, ...lines].join('\n')}\n`;
	}
}

/* ---- copying, saving, theme, start ---- */

async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = element('textarea', { class: 'hidden' });
		const { activeElement } = document;
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
		activeElement.focus();
	}
	byId('copied').textContent = '';
	byId('copied').textContent = 'Copied';
}

function saveText(name, text, type) {
	const url = URL.createObjectURL(new Blob([text], { type }));
	element('a', { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function startTheme() {
	const dark = matchMedia('(prefers-color-scheme: dark)');
	const apply = () => {
		const chosen = byId('theme').value;
		document.documentElement.dataset.theme = chosen || (dark.matches ? 'dark' : 'light');
		document.dispatchEvent(new Event('themechange'));
	};
	byId('theme').value = sessionTheme() || '';
	byId('theme').addEventListener('change', () => {
		sessionTheme(byId('theme').value);
		apply();
	});
	dark.addEventListener('change', apply);
	apply();
}

/** The theme chosen before; browsers may refuse to remember it. */
function sessionTheme(value) {
	try {
		if (value !== undefined)
			localStorage.setItem('bufsim-theme', value);
		return localStorage.getItem('bufsim-theme');
	} catch {
		return '';
	}
}

function showLessons() {
	byId('lessons').replaceChildren(...LESSONS.map(({ file, title, hash }, i) => element('li', {},
		element('a', { href: `#${hash}` }, `${i + 1}. ${title}`), ' ',
		element('a', { class: 'text', href: `../lessons/${file}.md`, 'aria-label': `text of lesson ${i + 1}` }, '(text)'))));
	byId('skip').addEventListener('click', (e) => {
		e.preventDefault();
		byId('answer').focus();
	});
}

async function startPage() {
	startTheme();
	showLessons();
	try {
		const engine = await startEngine();
		return new Explorer(engine, await readLists(engine));
	} catch (e) {
		byId('answer').textContent = 'The simulator did not start.';
		byId('alerts').replaceChildren(element('p', {}, e.message));
		throw e;
	}
}

window.explorer = {
	ready: startPage().then(async (explorer) => {
		const view = { settled: () => explorer.settled() };
		for (const name of ['settings', 'argv', 'json'])
			Object.defineProperty(view, name, { get: () => explorer[name] });
		Object.defineProperties(window.explorer, Object.getOwnPropertyDescriptors(view));
		await explorer.settled();
	}),
	settled: () => window.explorer.ready.then(() => window.explorer.settled()),
};
