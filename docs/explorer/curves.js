/*
 * curves.js - points of curves, simulated by `bufsim sweep` and remembered, and the two charts that show them.
 */

/* One for each prefetcher: colour --c0 to --c7, dash and marker. */
const STYLES = [
	{ dash: [5, 4], marker: 'circle' }, { dash: [], marker: 'square' }, { dash: [2, 3], marker: 'diamond' }, { dash: [11, 4], marker: 'triangle' },
	{ dash: [8, 3, 2, 3], marker: 'cross' }, { dash: [3, 2], marker: 'down' }, { dash: [14, 3, 3, 3], marker: 'ring' }, { dash: [1, 2], marker: 'plus' },
];
const POINTS_KEPT = 20000;

/** Rows of comma-separated values with quotes, as arrays. */
function parseCsv(text) {
	return text.split('\n').filter(Boolean).map((line) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).slice(0, line.endsWith(',') ? undefined : -1)
		.map((cell) => cell.replace(/,$/, '').replace(/^"(.*)"$/, '$1').replace(/""/g, '"')));
}

/** Run a command; the message of one that fails becomes an Error. */
async function runBufsim(engine, argv, options) {
	const result = await engine.run(argv, options);
	if (result.code !== 0)
		throw new Error(messageOf(result));
	return result;
}

/** Points that are known: each is a row of `sweep` as {values: {column: number or text}, line}. */
class Points {
	constructor(engine) {
		this.engine = engine;
		this.known = new Map();
		this.begun = new Set(); /* being simulated */
		this.header = '';
	}

	id(base, spec, bytes) {
		return JSON.stringify([base, spec, bytes]);
	}

	get(base, spec, bytes) {
		return this.known.get(this.id(base, spec, bytes));
	}

	/** Whether a point is known, or will be. */
	has(base, spec, bytes) {
		const id = this.id(base, spec, bytes);
		return this.known.has(id) || this.begun.has(id);
	}

	/** Simulate sizes that are not known yet, in one command. */
	async simulate(base, spec, sizes, options) {
		const ids = sizes.map((size) => this.id(base, spec, size));
		const argv = ['sweep', ...base, '--cache', sizes.map(sizeArgument).join(','), '--prefetch', spec, '--jobs', '1', '-o', '-'];
		ids.forEach((id) => this.begun.add(id));
		try {
			this.read((await runBufsim(this.engine, argv, options)).out, ids);
		} finally {
			ids.forEach((id) => this.begun.delete(id));
		}
	}

	read(text, ids) {
		const lines = text.split('\n').filter(Boolean);
		if (lines.length !== ids.length + 1)
			throw new Error('the settings are a list of runs: the page shows one trace and one value of each setting');
		const [columns, ...rows] = parseCsv(text);
		const number = (cell) => (cell === '' || Number.isNaN(Number(cell)) ? cell : Number(cell));
		[this.header] = lines;
		rows.forEach((row, i) => this.remember(ids[i], {
			values: Object.fromEntries(columns.map((column, c) => [column, number(row[c])])), line: lines[i + 1],
		}));
	}

	remember(id, point) {
		this.known.set(id, point);
		if (this.known.size > POINTS_KEPT)
			this.known.delete(this.known.keys().next().value);
	}
}

/** The work for a picture: each size of each prefetcher, the coarsest sizes first. */
class Plan {
	constructor(base, prefetchers, sizes) {
		Object.assign(this, { base, prefetchers, sizes });
		this.id = JSON.stringify([base, prefetchers.map((p) => p.spec), sizes]);
		this.total = prefetchers.length * sizes.length;
	}

	missing(points, spec) {
		return this.sizes.filter((size) => fineness(size) === 0 && !points.get(this.base, spec, size));
	}

	done(points) {
		return this.prefetchers.reduce((sum, p) => sum + this.sizes.filter((size) => points.get(this.base, p.spec, size)).length, 0);
	}

	/** Commands as [{spec, sizes}]: some for each worker, so that none waits for the last one.  The chosen size has its own. */
	commands(points, fine, chosen, workers) {
		const missing = this.prefetchers.map(({ spec }) => ({
			spec, sizes: this.sizes.filter((size) => fineness(size) === fine && size !== chosen && !points.has(this.base, spec, size)) }));
		const count = missing.reduce((sum, m) => sum + m.sizes.length, 0);
		const most = Math.min(Math.max(Math.ceil(count / (3 * workers)), 1), 4);
		return missing.flatMap(({ spec, sizes }) => {
			const pieces = Math.ceil(sizes.length / most);
			return Array.from({ length: pieces }, (_, i) => ({ spec, sizes: sizes.filter((__, s) => s % pieces === i) }));
		});
	}

	/** The curves of those prefetchers whose coarsest sizes are known: [{name, slot, rows}], a row for each of `sizes` or null. */
	curves(points, sizes) {
		return this.prefetchers.filter((p) => this.missing(points, p.spec).length === 0)
			.map(({ name, spec, slot }) => ({ name, spec, slot, rows: sizes.map((size) => points.get(this.base, spec, size) || null) }));
	}
}

/* ---- drawing ---- */

function cssColour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The outline of a marker around (0, 0) as a path of SVG. */
function markerPath(marker, r) {
	const polygon = (...points) => `M${points.map(([x, y]) => `${x * r} ${y * r}`).join('L')}Z`;
	const circle = `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`;
	return {
		circle,
		square: polygon([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]),
		diamond: polygon([0, -1.3], [1.2, 0], [0, 1.3], [-1.2, 0]),
		triangle: polygon([0, -1.2], [1.2, 0.9], [-1.2, 0.9]),
		cross: `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}`,
		down: polygon([0, 1.2], [1.2, -0.9], [-1.2, -0.9]),
		ring: `${circle}M${r / 2} 0A${r / 2} ${r / 2} 0 1 0 ${-r / 2} 0A${r / 2} ${r / 2} 0 1 0 ${r / 2} 0Z`,
		plus: `M${-1.2 * r} 0L${1.2 * r} 0M0 ${-1.2 * r}L0 ${1.2 * r}`,
	}[marker];
}

/** Line and marker of a prefetcher, for legends. */
function swatch(slot) {
	const { dash, marker } = STYLES[slot];
	return `<svg class="swatch" viewBox="-17 -7 34 14" aria-hidden="true" style="color: var(--c${slot})">`
		+ `<path d="M-17 0H17" stroke="currentColor" stroke-width="2" stroke-dasharray="${dash.join(' ')}"/>`
		+ `<path d="${markerPath(marker, 4)}" fill="currentColor" stroke="currentColor" stroke-width="1.5"/></svg>`;
}

function secondsInWords(seconds) {
	if (seconds === 0)
		return '0 s';
	if (seconds >= 100)
		return `${Math.round(seconds).toLocaleString('en')} s`;
	return seconds >= 1 ? `${seconds.toPrecision(3)} s` : `${Number((seconds * 1000).toPrecision(3))} ms`;
}

/** One quantity against cache size, a line for each prefetcher.  A click calls onPick(bytes). */
class Chart {
	constructor(host, { label, value, words, top, onPick, onHover }) {
		Object.assign(this, { host, label, value, words, top, onPick, onHover });
		this.curves = [];
		new ResizeObserver(() => this.plot && this.plot.setSize(this.size())).observe(host);
	}

	size() {
		return { width: Math.max(this.host.clientWidth, 200), height: this.host.clientHeight || 200 };
	}

	/** curves: [{name, slot, rows, stale}]; chosen: bytes. */
	draw(sizes, curves, chosen) {
		const shape = JSON.stringify([sizes[0], sizes[sizes.length - 1], curves.map((c) => [c.name, c.slot])]);
		Object.assign(this, { sizes, curves, chosen });
		const data = [sizes.map((size) => size / UNITS.M), ...curves.map((c) => c.rows.map((row) => (row ? this.value(row.values) : null)))];
		if (this.shape !== shape)
			this.create(shape, data);
		else
			this.plot.batch(() => {
				curves.forEach((curve, i) => { this.plot.series[i + 1].alpha = curve.stale ? 0.3 : 1; });
				this.plot.setData(data);
			});
	}

	choose(bytes) {
		this.chosen = bytes;
		if (this.plot)
			this.plot.redraw(false);
	}

	restyle() {
		if (this.plot) {
			this.shape = '';
			this.draw(this.sizes, this.curves, this.chosen);
		}
	}

	create(shape, data) {
		if (this.plot)
			this.plot.destroy();
		this.shape = shape;
		this.plot = new uPlot({
			...this.size(), legend: { show: false }, padding: [10, 26, 0, 0],
			scales: {
				x: { time: false, distr: 3, log: 2, range: () => [data[0][0], data[0][data[0].length - 1]] },
				y: { range: (u, min, max) => [0, this.top || (max || 1) * 1.06] },
			},
			axes: this.axes(),
			series: [{}, ...this.curves.map((curve) => this.series(curve))],
			cursor: { sync: { key: 'cache' }, drag: { x: false, y: false }, y: false, points: { size: 7 } },
			hooks: { draw: [() => this.mark()], setCursor: [(u) => this.onHover(u.cursor.idx)] },
		}, data, this.host);
		this.plot.over.addEventListener('click', () => {
			if (this.plot.cursor.idx !== null)
				this.onPick(this.sizes[this.plot.cursor.idx]);
		});
	}

	axes() {
		const look = {
			stroke: () => cssColour('--quiet'), font: '11px system-ui, sans-serif',
			grid: { stroke: () => cssColour('--grid'), width: 1 }, ticks: { stroke: () => cssColour('--grid'), width: 1, size: 4 },
		};
		return [
			{ ...look, size: 24, gap: 3, space: 52, values: (u, splits) => splits.map((mib) => (mib === null ? null : sizeInWords(mib * UNITS.M))) },
			{ ...look, size: 54, gap: 4, space: 32, values: (u, splits) => splits.map(this.words) },
		];
	}

	series({ name, slot, stale }) {
		return {
			label: name, stroke: () => cssColour(`--c${slot}`), width: 1.75, dash: STYLES[slot].dash, alpha: stale ? 0.3 : 1, spanGaps: true,
			points: { show: (u, i) => this.markers(u, i) },
		};
	}

	/** Markers at powers of two and at the chosen size; uPlot has circles only. */
	markers(u, i) {
		const curve = this.curves[i - 1];
		const path = new Path2D(markerPath(STYLES[curve.slot].marker, 3.4 * devicePixelRatio));
		u.ctx.save();
		u.ctx.fillStyle = cssColour(`--c${curve.slot}`);
		u.ctx.strokeStyle = u.ctx.fillStyle;
		u.ctx.lineWidth = 1.2 * devicePixelRatio;
		u.ctx.globalAlpha = curve.stale ? 0.3 : 1;
		u.ctx.setLineDash([]);
		u.data[i].forEach((value, at) => {
			if (value === null || (fineness(this.sizes[at]) === 2 && this.sizes[at] !== this.chosen))
				return;
			u.ctx.save();
			u.ctx.translate(u.valToPos(u.data[0][at], 'x', true), u.valToPos(value, 'y', true));
			u.ctx.fill(path);
			u.ctx.stroke(path);
			u.ctx.restore();
		});
		u.ctx.restore();
		return false;
	}

	/** A line at the chosen cache size. */
	mark() {
		const { ctx, bbox } = this.plot;
		const x = Math.round(this.plot.valToPos(this.chosen / UNITS.M, 'x', true)) + 0.5;
		ctx.save();
		ctx.strokeStyle = cssColour('--mark');
		ctx.lineWidth = devicePixelRatio;
		ctx.setLineDash([]);
		ctx.beginPath();
		ctx.moveTo(x, bbox.top);
		ctx.lineTo(x, bbox.top + bbox.height);
		ctx.stroke();
		ctx.fillStyle = cssColour('--mark');
		ctx.fill(new Path2D(`M${x - 5 * devicePixelRatio} ${bbox.top - 7 * devicePixelRatio}h${10 * devicePixelRatio}L${x} ${bbox.top}Z`));
		ctx.restore();
	}
}
