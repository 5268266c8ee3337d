/*
 * map.js - draw the map of a run, block against time: the file of
 * `bufsim run --map FILE.json`, whose shape is in sim/film/map_json.h.
 *
 *	drawMap(host, JSON.parse(text), {onPick: (timeUs, call) => ...});
 *
 * The map takes the width of host and replaces what is in it.  After a change
 * of the width or of the theme, call it again.  onPick is called when a moment
 * is chosen, by a click or with the keyboard; call is the number of the call
 * under way then, or of the next one.  Colours are in map.css.
 */
'use strict';

const drawMap = (() => {
	const LEFT = 64, TOP = 8, BOTTOM = 42, NAMES = 150; // pixels around the points
	const BESIDE = 16; // more than there are kinds
	const BAND = 4, LABEL = 16; // a lower file has no border; from one label to the next
	const TEXTS = {
		hit: 'hits',
		used: 'prefetched, used in time',
		late: 'late prefetches',
		delayed: 'delayed hits',
		miss: 'misses',
		wasted: 'prefetched, never used',
	};
	const UNITS = [['days', 86400e6], ['h', 3600e6], ['s', 1e6], ['ms', 1e3], ['us', 1]];

	/** The point that was chosen last, by map: it stays when the map is drawn again. */
	const chosen = new WeakMap();

	// ---- numbers ----

	/** 1,234,567; toLocaleString() takes 20 ms to load its tables. */
	const group = (n) => String(n).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

	/** The largest unit of which there are some: [name, its length in us]. */
	const unitOf = (us) => UNITS.find(([, length]) => us >= 3 * length) || UNITS[UNITS.length - 1];

	/** 1, 2 or 5 times a power of ten, at least that much. */
	function roundStep(least) {
		const power = 10 ** Math.floor(Math.log10(least));

		return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least * 0.999);
	}

	/** Multiples of step in [from, to]. */
	function ticks(from, to, step) {
		const first = Math.ceil(from / step), n = Math.floor(to / step) - first + 1;

		return Array.from({length: Math.max(n, 0)}, (_, i) => (first + i) * step);
	}

	// ---- points ----

	/** The kinds of all points, 0 for nothing, by rows from the lowest; and the runs: first, end, ... */
	function readRows(map) {
		const kinds = new Uint8Array(map.width * map.height), runs = [];

		map.rows.forEach((row, y) => {
			let at = y * map.width, n = 0;

			for (let i = 0; i < row.length; i++) {
				const c = row.charCodeAt(i);

				if (c >= 48 && c <= 57) {
					n = 10 * n + c - 48;
					continue;
				}
				const end = at + (n || 1), kind = c === 46 ? 0 : c - 96;

				if (kind)
					runs.push(at, end);
				while (at < end)
					kinds[at++] = kind;
				n = 0;
			}
		});
		return {kinds, runs};
	}

	/** The kind at a point, or that of an isolated point beside it, which is drawn twice as large. */
	function kindAt({map, kinds}, column, row) {
		const at = row * map.width + column, left = column > 0 ? 1 : 0;
		const below = row > 0 ? map.width : 0;

		return kinds[at] || kinds[at - left] || kinds[at - below] || kinds[at - left - below];
	}

	/** Where each of n points begins among pixels. */
	const places = (n, pixels) =>
		Int32Array.from({length: n + 2}, (_, i) => Math.floor(Math.min(i, n) * pixels / n));

	/**
	 * A point takes the pixels from x0, y0 up to x1, y1, and those up to x2, y2 where nothing
	 * else is: there cells get BESIDE as well.  Where pixels are fewer than points, a hit shows
	 * only if there is nothing else.  y goes up.
	 */
	function paintPoint(to, kind, x0, x1, x2, y0, y1, y2) {
		const {cells, pixel, width} = to, colour = to.colours[kind];

		for (let y = y0; y < y2; y++)
			for (let x = x0, at = (to.height - 1 - y) * width + x0; x < x2; x++, at++) {
				const old = cells[at], own = x < x1 && y < y1;

				if (own ? !old || old > BESIDE || (old === 1 && kind > 1) : !old) {
					cells[at] = own ? kind : BESIDE + kind;
					pixel[at] = colour;
				}
			}
	}

	/** From the last point: a pixel beside several is of the left one, else the lower one, as in kindAt(). */
	function paintPoints({map, kinds, runs}, to) {
		const xs = places(map.width, to.width), ys = places(map.height, to.height);

		for (let r = runs.length - 2; r >= 0; r -= 2) {
			const y = Math.floor(runs[r] / map.width), row = y * map.width;
			const y0 = ys[y], y1 = Math.max(ys[y + 1], y0 + 1), y2 = Math.max(ys[y + 2], y1);

			for (let i = runs[r + 1] - 1; i >= runs[r]; i--) {
				const x0 = xs[i - row], x1 = Math.max(xs[i - row + 1], x0 + 1);

				paintPoint(to, kinds[i], x0, x1, Math.max(xs[i - row + 2], x1), y0, y1, y2);
			}
		}
	}

	/** A CSS colour as a pixel, whatever the order of bytes. */
	function pixelOf(context, css) {
		context.fillStyle = css;
		context.fillRect(0, 0, 1, 1);
		return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
	}

	// ---- around the points ----

	function drawTimes(g) {
		const {context, plot, map} = g;
		const [name, length] = unitOf(map.end_us - map.begin_us);
		const from = map.begin_us / length, to = map.end_us / length;
		const step = roundStep((to - from) * 90 / plot.width);

		context.textAlign = 'center';
		context.textBaseline = 'top';
		for (const t of ticks(from, to, step)) {
			const x = plot.left + (t - from) / (to - from) * plot.width;

			context.fillRect(Math.round(x), plot.top + plot.height, 1, 5);
			context.fillText(group(Number(t.toPrecision(9))), x, plot.top + plot.height + 8);
		}
		context.fillText(`time, ${name}`, plot.left + plot.width / 2, plot.top + plot.height + 25);
	}

	function drawBlocks(g) {
		const {context, plot, map} = g;
		const step = Math.max(roundStep(map.blocks * 48 / plot.height), 1);

		context.textAlign = 'right';
		context.textBaseline = 'middle';
		for (const b of ticks(0, map.blocks - 1, step)) {
			const y = plot.top + plot.height * (1 - b / map.blocks);

			context.fillRect(plot.left - 5, Math.round(y), 5, 1);
			context.fillText(group(b), plot.left - 8, y);
		}
		context.fillRect(plot.left - 1, plot.top, 1, plot.height);
		context.fillRect(plot.left - 1, plot.top + plot.height, plot.width + 1, 1);
	}

	/** Files as bands of pixels from above, the highest first. */
	function bandsOf({map, plot}) {
		return map.files.map(({name, first, blocks}) => ({
			name,
			top: plot.top + plot.height * (1 - (first + blocks) / map.blocks),
			height: plot.height * blocks / map.blocks,
		})).filter((band) => band.height >= BAND).sort((a, b) => b.height - a.height);
	}

	/** The end of a path distinguishes files. */
	function shortName(context, path, width) {
		const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1);
		let from = 0;

		while (from < name.length && context.measureText(`\u2026${name.slice(from)}`).width > width)
			from++;
		return from ? `\u2026${name.slice(from)}` : name;
	}

	function drawFiles(g) {
		const {context, plot} = g;
		const labelled = [];

		context.textAlign = 'left';
		context.textBaseline = 'middle';
		for (const band of bandsOf(g)) {
			const middle = band.top + band.height / 2;

			context.fillStyle = g.grid;
			context.fillRect(plot.left, Math.round(band.top), plot.width, 1);
			if (!plot.names || labelled.some((y) => Math.abs(y - middle) < LABEL))
				continue;
			labelled.push(middle);
			context.fillStyle = g.ink;
			context.fillText(shortName(context, band.name, plot.names - 8),
				plot.left + plot.width + 8, middle);
		}
		context.fillStyle = g.ink;
	}

	/** Points are painted in pixels of the device. */
	function drawPoints(g, style) {
		const {context, plot, map, ratio} = g;
		const layer = document.createElement('canvas');
		const on = layer.getContext('2d', {willReadFrequently: true});

		layer.width = Math.round(plot.width * ratio);
		layer.height = Math.round(plot.height * ratio);
		const colours = Uint32Array.from([0, ...map.kinds.map((kind) =>
			pixelOf(on, style.getPropertyValue(`--map-${kind}`)))]);
		const image = on.createImageData(layer.width, layer.height);

		paintPoints(g, {
			width: image.width,
			height: image.height,
			pixel: new Uint32Array(image.data.buffer),
			cells: new Uint8Array(image.width * image.height),
			colours,
		});
		on.putImageData(image, 0, 0);
		context.drawImage(layer, plot.left, plot.top, plot.width, plot.height);
	}

	/** A text for those who do not see it. */
	const describe = (map) => 'block against time of ' +
		`${map.trace}: ${map.kinds.map((kind) => `${group(map.counts[kind])} ${TEXTS[kind]}`).join(', ')}`;

	function drawCanvas(g) {
		const style = getComputedStyle(g.host);
		const {canvas, context, plot, ratio} = g;

		canvas.width = Math.round(g.width * ratio);
		canvas.height = Math.round(g.height * ratio);
		canvas.style.width = `${g.width}px`;
		canvas.style.height = `${g.height}px`;
		canvas.setAttribute('role', 'img');
		canvas.setAttribute('aria-label', describe(g.map));
		context.scale(ratio, ratio);
		context.font = `12px ${getComputedStyle(canvas).fontFamily}`;
		g.ink = style.getPropertyValue('--map-ink');
		g.grid = style.getPropertyValue('--map-grid');
		drawFiles(g);
		drawPoints(g, style);
		context.fillStyle = g.ink;
		drawTimes(g);
		drawBlocks(g);
	}

	// ---- pointing ----

	/** The point at a place of the canvas, or null. */
	function pointAt({map, plot}, x, y) {
		const column = Math.floor((x - plot.left) / plot.width * map.width);
		const row = Math.floor((plot.top + plot.height - y) / plot.height * map.height);

		return column >= 0 && column < map.width && row >= 0 && row < map.height
			? {column, row} : null;
	}

	const timeOf = (map, column) =>
		map.begin_us + Math.ceil(column * (map.end_us - map.begin_us) / map.width);

	/** "12.30 s": as many digits as columns can be told apart. */
	function timeText(map, column) {
		const [name, length] = unitOf(map.end_us - map.begin_us);
		const wide = (map.end_us - map.begin_us) / length / map.width;
		const digits = Math.max(0, Math.ceil(-Math.log10(wide)));

		return `${(timeOf(map, column) / length).toFixed(Math.min(digits, 9))} ${name}`;
	}

	/** The last file that begins at block b or below. */
	const fileAt = (map, b) => map.files.reduce((at, f) => f.first <= b ? f : at, map.files[0]);

	function blocksText(map, row) {
		const from = Math.floor(row * map.blocks / map.height);
		const to = Math.max(from, Math.ceil((row + 1) * map.blocks / map.height) - 1);
		const file = fileAt(map, from), more = fileAt(map, to) === file ? '' : ' and others';
		const first = from - file.first;
		const last = Math.min(to - file.first, file.blocks - 1);

		return `${first === last ? 'block' : 'blocks'} ${group(first)}` +
			`${first === last ? '' : `\u2013${group(last)}`} of ${file.name}${more}`;
	}

	function pointText(g, {column, row}) {
		const {map} = g, kind = kindAt(g, column, row);

		return `${timeText(map, column)}, call ${group(map.calls[column])}\n` +
			`${blocksText(map, row)}\n${kind ? TEXTS[map.kinds[kind - 1]] : 'nothing'}`;
	}

	/** Beside the point, and within the canvas. */
	function placeTip(g, point) {
		const {plot, map, tip} = g;
		const x = plot.left + (point.column + 0.5) * plot.width / map.width;
		const y = plot.top + plot.height - (point.row + 0.5) * plot.height / map.height;

		tip.textContent = pointText(g, point);
		tip.hidden = false;
		const left = x + 12 + tip.offsetWidth > g.width ? x - 12 - tip.offsetWidth : x + 12;
		const top = Math.min(y + 12, g.height - tip.offsetHeight);

		tip.style.left = `${Math.max(left, 0)}px`;
		tip.style.top = `${Math.max(top, 0)}px`;
	}

	function placeCursor(g, point) {
		const {plot, map, cursor} = g;

		chosen.set(map, point);
		cursor.style.left = `${plot.left + (point.column + 0.5) * plot.width / map.width}px`;
		cursor.style.top = `${plot.top}px`;
		cursor.style.height = `${plot.height}px`;
		cursor.setAttribute('aria-valuenow', point.column);
		cursor.setAttribute('aria-valuetext', pointText(g, point).replaceAll('\n', '; '));
	}

	function listenToPointer(g, pick) {
		const at = (event) => pointAt(g, event.offsetX, event.offsetY);

		g.canvas.addEventListener('pointermove', (event) => {
			const point = at(event);

			if (point)
				placeTip(g, point);
			else
				g.tip.hidden = true;
		});
		g.canvas.addEventListener('pointerleave', () => { g.tip.hidden = true; });
		g.canvas.addEventListener('click', (event) => {
			const point = at(event);

			if (point && pick) {
				placeCursor(g, point);
				pick(point);
			}
		});
	}

	/** The point that a key leads to, or null. */
	function moved({column, row}, {key, shiftKey}, {width, height}) {
		const far = shiftKey ? 10 : 1, within = (n, end) => Math.max(0, Math.min(n, end - 1));
		const to = {
			ArrowLeft: [column - far, row],
			ArrowRight: [column + far, row],
			ArrowUp: [column, row + far],
			ArrowDown: [column, row - far],
			PageDown: [column - width / 10, row],
			PageUp: [column + width / 10, row],
			Home: [0, row],
			End: [width - 1, row],
		}[key];

		return to ? {column: within(to[0], width), row: within(to[1], height)} : null;
	}

	function listenToKeys(g, pick) {
		g.cursor.addEventListener('keydown', (event) => {
			const point = moved(chosen.get(g.map), event, g.map);

			if (point) {
				placeCursor(g, point);
				placeTip(g, point);
			} else if (event.key === 'Enter' || event.key === ' ') {
				pick(chosen.get(g.map));
			} else {
				return;
			}
			event.preventDefault();
		});
		g.cursor.addEventListener('blur', () => { g.tip.hidden = true; });
	}

	// ---- all of it ----

	function element(name, className, parent) {
		const e = document.createElement(name);

		e.className = className;
		parent.append(e);
		return e;
	}

	function addLegend(map, parent) {
		const list = element('ul', 'map-legend', parent);

		for (const kind of map.kinds.filter((k) => map.counts[k])) {
			const item = element('li', '', list);

			item.style.setProperty('--map-kind', `var(--map-${kind})`);
			item.textContent = `${TEXTS[kind]} ${group(map.counts[kind])}`;
		}
	}

	function addCursor(g, parent) {
		const attributes = {role: 'slider', tabindex: 0, 'aria-label': 'moment of the run',
			'aria-valuemin': 0, 'aria-valuemax': g.map.width - 1};

		g.cursor = element('div', 'map-cursor', parent);
		for (const [name, value] of Object.entries(attributes))
			g.cursor.setAttribute(name, value);
		placeCursor(g, chosen.get(g.map) || {column: 0, row: 0});
	}

	function layOut(g) {
		const names = g.width >= 640 ? NAMES : 0;
		const width = Math.max(g.width - LEFT - (names || 8), 100);
		const height = Math.round(Math.min(Math.max(width * 0.4, 240), g.map.height));

		g.plot = {left: LEFT, top: TOP, width, height, names};
		g.height = TOP + height + BOTTOM;
	}

	return function drawMap(host, map, options = {}) {
		const figure = document.createElement('figure');
		const g = {host, map, ratio: window.devicePixelRatio || 1};
		const {onPick} = options;
		const pick = onPick && (({column}) => onPick(timeOf(map, column), map.calls[column]));

		const focused = host.contains(document.activeElement);

		figure.className = 'map';
		host.replaceChildren(figure);
		addLegend(map, figure);
		const plot = element('div', onPick ? 'map-plot map-picks' : 'map-plot', figure);

		g.width = Math.floor(figure.clientWidth);
		g.canvas = element('canvas', '', plot);
		g.context = g.canvas.getContext('2d');
		Object.assign(g, readRows(map));
		layOut(g);
		drawCanvas(g);
		g.tip = element('div', 'map-tip', plot);
		g.tip.hidden = true;
		listenToPointer(g, pick);
		if (pick) {
			addCursor(g, plot);
			listenToKeys(g, pick);
			if (focused)
				g.cursor.focus();
		}
	};
})();
