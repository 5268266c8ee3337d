/*
 * film.js - draw a film, the data that `bufsim explain -o film.json` writes
 * (sim/film/film_json.h).
 *
 * drawFilm(host, film, options) replaces the children of the element host by a
 * picture as wide as host.  options: width, in pixels, instead of host's;
 * heading: false leaves out the title and the setting.  The colours are in
 * film.css.
 *
 * Boxes of one colour are one path, and a single box of text follows the
 * pointer or the arrow keys: thousands of elements would be slow.
 */
'use strict';

const drawFilm = (() => {
	const SVG = 'http://www.w3.org/2000/svg';

	/* In pixels. */
	const LEFT = 160, EDGE = 16, MARGIN = 14, LEAST_WIDTH = 720, MOST_WIDTH = 1600;
	const ROW = 22, GAP = 14, LINE = 19, LABEL = 17, SWATCH = 12, TICK = 90, STRIP = 4;
	const WAITING = 12, LEAST_QUEUE = 24, MOST_QUEUE = 72, MOST_DEVICE = 96;
	const MOST_BLOCK = 10, LEAST_CACHE = 40, MOST_CACHE = 280, BAND_GAP = 7;
	const MARK_WIDTH = 2.4, LEAST_MARK = 3, LEAST_HEIGHT = 1.6, EDGED = 4;

	const MOST_PROCESSES = 12, MOST_DEVICE_ROWS = 16;
	const MANY = 60; /* arrows */
	const NEAR = 8; /* blocks: a smaller gap between bands is drawn as it is */

	/* ---- the data ---- */

	function rows(list, ...names) {
		return list.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
	}

	function readRequests(film) {
		const known = 8;

		return film.requests.map((row) => {
			const [number, first, count, demanded, use, queued, started, done] = row;

			return { number, first, count, demanded, use: film.uses[use].word, queued, started, done,
				parts: row.slice(known) };
		});
	}

	function readFilm(film) {
		return { ...film,
			spans: rows(film.spans, 'process', 'act', 'from', 'to'),
			calls: rows(film.calls, 'number', 'process', 'begin', 'end', 'write', 'first', 'count'),
			requests: readRequests(film),
			late: rows(film.late, 'when', 'process', 'request'),
			events: rows(film.events, 'when', 'first', 'count', 'fate'),
			stays: rows(film.stays, 'first', 'count', 'from', 'to') };
	}

	/* The last of a sorted list of which a condition holds. */
	function lastOf(list, holds) {
		let low = 0, high = list.length;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (holds(list[middle]))
				low = middle + 1;
			else
				high = middle;
		}
		return list[low - 1];
	}

	function fileOf(film, block) {
		return lastOf(film.files, (file) => file.first <= block);
	}

	function fileName(file) {
		return file.name ? file.name.slice(file.name.lastIndexOf('/') + 1) || file.name : `file ${file.inode}`;
	}

	function range(file, first, count) {
		const from = first - file.first;

		return count > 1 ? `${from}-${from + count - 1}` : `${from}`;
	}

	function blocksText(film, first, count) {
		const file = fileOf(film, first);

		return `block${count > 1 ? 's' : ''} ${range(file, first, count)} of ${fileName(file)}`;
	}

	function group(n) {
		return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
	}

	function timeText(us) {
		const [n, unit] = us < 1000 ? [us, 'us'] : us < 1e6 ? [us / 1000, 'ms'] : [us / 1e6, 's'];
		const [whole, part] = (us < 1000 ? String(n) : n.toFixed(3)).split('.');

		return `${group(whole)}${part ? `.${part}` : ''} ${unit}`;
	}

	/* ---- elements ---- */

	function element(name, attributes, parent) {
		const made = document.createElementNS(SVG, name);

		for (const [key, value] of Object.entries(attributes))
			made.setAttribute(key, value);
		parent.append(made);
		return made;
	}

	function colourOf(style) {
		return `var(--film-${style.replace(/ /g, '-')})`;
	}

	function label(page, text, x, y, look = '') {
		const made = element('text', { class: look, x, y: y + 4.5 }, page.svg);

		made.textContent = text;
	}

	function round(x) {
		return Math.round(x * 100) / 100;
	}

	/* Boxes are collected by their style; the styles are drawn in the order of their first box. */
	function box(page, style, left, right, top, bottom) {
		if (!page.boxes.has(style))
			page.boxes.set(style, []);
		page.boxes.get(style).push(
			`M${round(left)} ${round(top)}H${round(right)}V${round(bottom)}H${round(left)}z`);
	}

	function drawBoxes(page, down = 0) {
		for (const [style, boxes] of page.boxes) {
			const path = element('path', { d: boxes.join(''), transform: `translate(0 ${down})` }, page.svg);

			path.style.fill = colourOf(style);
			if (page.edged.has(style))
				path.style.stroke = colourOf(`${style}-edge`);
		}
		page.boxes.clear();
	}

	/* What the text beside the pointer says about a part of the picture. */
	function spot(page, lane, left, right, top, bottom, text) {
		page.spots.push({ lane, left, right, top, bottom, text });
	}

	function xOf(page, when) {
		const { begin, end } = page.film;
		const part = (when - begin) / (end - begin);

		return LEFT + (page.right - LEFT) * Math.min(1, Math.max(0, part));
	}

	/* ---- texts of a limited width ---- */

	function widthOf(page, text) {
		return page.plain.measureText(text).width;
	}

	function shorten(page, text, room) {
		for (let keep = text.length; keep > 1; keep--) {
			const half = keep / 2;
			const shorter = keep === text.length ? text
				: `${text.slice(0, Math.ceil(half))}…${text.slice(text.length - Math.floor(half))}`;

			if (widthOf(page, shorter) <= room)
				return shorter;
		}
		return text.slice(0, 1);
	}

	function wrap(font, text, room) {
		const lines = [];
		let line = '';

		for (const word of text.split(' ')) {
			const longer = line ? `${line} ${word}` : word;

			if (line && font.measureText(longer).width > room) {
				lines.push(line);
				line = word;
			} else {
				line = longer;
			}
		}
		return [...lines, line];
	}

	function paragraph(page, font, text, y, look) {
		for (const line of wrap(font, text, page.width - 2 * MARGIN)) {
			label(page, line, MARGIN, y + LINE / 2, look);
			y += LINE;
		}
		return y + 2;
	}

	function beside(page, text, y) {
		label(page, shorten(page, text, LEFT - MARGIN - 8), LEFT - 8, y, 'film-soft film-right');
	}

	/* items: [style, text].  The bottom of it. */
	function key(page, items, y) {
		let x = LEFT;

		for (const [style, text] of items) {
			const width = SWATCH + 6 + widthOf(page, text);

			if (x > LEFT && x + width > page.width - EDGE) {
				x = LEFT;
				y += LINE;
			}
			const swatch = element('rect', { x, y: y + (LINE - SWATCH) / 2, width: SWATCH, height: SWATCH },
				page.svg);

			swatch.style.fill = colourOf(style);
			if (page.edged.has(style))
				swatch.style.stroke = colourOf(`${style}-edge`);
			label(page, text, x + SWATCH + 6, y + LINE / 2);
			x += width + 18;
		}
		return items.length ? y + LINE : y;
	}

	function lane(page, top, height) {
		page.lanes.push({ top, bottom: top + height });
	}

	/* ---- the program ---- */

	function actStyle(act) {
		return act.word === 'think' || act.word === 'processor' ? act.word : `wait-${act.word}`;
	}

	function drawNumbers(page, y) {
		let free = 0;

		label(page, 'call', LEFT - 8, y, 'film-soft film-right');
		for (const call of page.film.calls) {
			const x = xOf(page, call.begin), text = group(call.number);

			if (x < free)
				continue;

			const width = widthOf(page, text);

			if (x + width > page.width)
				break;
			label(page, text, x, y, 'film-soft');
			free = x + width + 8;
		}
	}

	function spanText(film, span) {
		const act = film.acts[span.act], time = timeText(span.to - span.from);
		const call = film.calls.filter((c) => c.process === span.process && c.begin <= span.from).pop();

		if (!call || span.from >= call.end)
			return `${act.name}: ${time}`;
		return `call ${group(call.number)} ${call.write ? 'writes' : 'reads'} ` +
			`${blocksText(film, call.first, call.count)}\nwaiting, ${act.name}: ${time}`;
	}

	function fillProgram(page) {
		const { film, row } = page;

		for (const span of film.spans) {
			const left = xOf(page, span.from), right = xOf(page, span.to), top = row.get(span.process);

			if (top === undefined || right - left < 0.02)
				continue;
			box(page, actStyle(film.acts[span.act]), left, right, top + 1, top + ROW - 1);
			spot(page, 0, left, right, top, top + ROW, () => spanText(film, span));
		}
		for (const call of film.calls) {
			const x = xOf(page, call.begin), top = row.get(call.process);

			if (top !== undefined)
				box(page, 'begin', x - 0.4, x + 0.4, top - 1, top + ROW);
		}
	}

	function drawProgram(page, y) {
		const { film } = page, shown = film.processes.slice(0, MOST_PROCESSES);
		const hidden = film.processes.length - shown.length, single = film.processes.length === 1;

		label(page, single ? 'program' : film.programs ? 'programs' : 'processes', MARGIN, y + LINE / 2);
		y = key(page, film.acts.filter((act) => act.us).reverse()
			.map((act) => [actStyle(act), `${act.name} ${timeText(act.us)}`]), y) + 4;
		if (single) {
			drawNumbers(page, y + LABEL / 2);
			y += LABEL;
		}
		lane(page, y, shown.length * ROW);
		shown.forEach((process, i) => {
			page.row.set(process.number, y + i * ROW);
			if (!single)
				beside(page, process.name, y + (i + 0.5) * ROW);
		});
		fillProgram(page);
		y += shown.length * ROW;
		if (hidden) {
			label(page, `${hidden} more process${hidden > 1 ? 'es are' : ' is'} not shown`, LEFT, y + LABEL / 2,
				'film-soft');
			y += LABEL;
		}
		return y;
	}

	/* ---- the queue ---- */

	function isShown(film, request) {
		return request.queued < film.end && request.done > film.begin;
	}

	/* When the requests that wait become more or fewer. */
	function findChanges(film) {
		return film.requests
			.filter((r) => isShown(film, r) && r.started > r.queued && r.started > film.begin)
			.flatMap(({ queued, started, use }) => [{ when: queued, by: 1, use }, { when: started, by: -1, use }])
			.sort((a, b) => a.when - b.when || a.by - b.by);
	}

	function greatestDepth(changes) {
		let depth = 0, most = 0;

		for (const change of changes) {
			depth += change.by;
			most = Math.max(most, depth);
		}
		return most;
	}

	function stack(page, waiting, left, right, bottom, each) {
		const texts = [], lowest = bottom;

		for (const [use, n] of waiting) {
			if (!n)
				continue;
			box(page, `use-${use}`, left, right, bottom - n * each, bottom);
			bottom -= n * each;
			texts.push(`${n} ${use}`);
		}
		if (texts.length)
			spot(page, 1, left, right, bottom, lowest, () => `waiting requests: ${texts.join(', ')}`);
	}

	function fillQueue(page, changes, bottom, each) {
		const waiting = new Map(page.film.uses.map((use) => [use.word, 0]));

		changes.forEach((change, i) => {
			const next = changes[i + 1];

			waiting.set(change.use, waiting.get(change.use) + change.by);
			if (!next || next.when === change.when)
				return;
			const left = xOf(page, change.when), right = xOf(page, next.when);

			if (right - left >= 0.02)
				stack(page, waiting, left, right, bottom, each);
		});
	}

	function drawQueue(page, y) {
		const changes = findChanges(page.film), most = greatestDepth(changes);
		const height = Math.min(MOST_QUEUE, Math.max(LEAST_QUEUE, most * WAITING));

		label(page, 'queue', MARGIN, y + height / 2);
		beside(page, most ? `at most ${most}` : 'empty', y + height / 2);
		lane(page, y, height);
		fillQueue(page, changes, y + height, Math.min(WAITING, height / (most || 1)));
		return y + height;
	}

	/* ---- the device ---- */

	/* Requests in service at the same time are in different rows; the number of rows. */
	function chooseRows(page) {
		const { film } = page, busy = [];
		let most = 1;

		for (const request of film.requests) {
			let row = busy.findIndex((until) => until <= request.started);

			if (row < 0)
				row = busy.length < MOST_DEVICE_ROWS ? busy.length : busy.indexOf(Math.min(...busy));
			busy[row] = request.done;
			request.row = row;
			if (isShown(film, request))
				most = Math.max(most, row + 1);
		}
		return most;
	}

	function requestText(film, r) {
		const parts = film.parts.map((part, i) => [part.word, r.parts[i]]).filter(([, us]) => us);

		return `${r.use} request, ${blocksText(film, r.first, r.count)}\n` +
			`${timeText(r.started - r.queued)} in the queue, ${timeText(r.done - r.started)} in service\n` +
			parts.map(([word, us]) => `${word} ${timeText(us)}`).join(', ');
	}

	function fillDevice(page, top, height) {
		const { film } = page;

		for (const r of film.requests.filter((request) => isShown(film, request))) {
			const high = top + r.row * height, low = high + height - height / 12;
			const middle = low - Math.min(STRIP, height / 3);
			let at = r.started;

			r.top = high;
			r.parts.forEach((us, i) => {
				const left = xOf(page, at), right = xOf(page, at + us);

				if (right - left >= 0.02)
					box(page, `part-${film.parts[i].word}`, left, right, high, middle);
				at += us;
			});
			box(page, `use-${r.use}`, xOf(page, r.started), xOf(page, r.done), middle, low);
			spot(page, 2, xOf(page, r.started), xOf(page, r.done), high, low, () => requestText(film, r));
		}
	}

	/* The key is below: arrows come from above. */
	function drawDevice(page, y) {
		const { film } = page, n = chooseRows(page);
		const height = Math.min(n * (ROW + STRIP), MOST_DEVICE);
		const parts = film.parts.filter((part) => part.us)
			.map((part) => [`part-${part.word}`, `${part.word} ${timeText(part.us)}`]);
		const uses = film.uses.filter((use) => use.requests)
			.map((use) => [`use-${use.word}`, `${use.word} requests ${group(use.requests)}`]);

		label(page, 'device', MARGIN, y + ROW / 2);
		if (!parts.length && !uses.length)
			beside(page, 'idle', y + ROW / 2);
		lane(page, y, height);
		fillDevice(page, y, height / n);
		return key(page, [...parts, ...uses], y + height + 4);
	}

	/* ---- the cache ---- */

	/* The blocks that are shown; those that only leave, and had been used, are not. */
	function findPieces(film) {
		const evicted = film.fates.findIndex((fate) => fate.word === 'evicted');

		return [...film.events.filter((event) => event.fate !== evicted),
			...film.requests.filter((r) => isShown(film, r) && r.use !== 'write')];
	}

	/* Pieces that touch or nearly touch, in one file, are one band. */
	function findBands(film) {
		const bands = [];

		for (const { first, count } of findPieces(film).sort((a, b) => a.first - b.first)) {
			const last = bands[bands.length - 1], file = fileOf(film, first);

			if (last && last.file === file && first <= last.end + NEAR)
				last.end = Math.max(last.end, first + count);
			else
				bands.push({ file, first, end: first + count, at: bands.length });
		}
		return bands;
	}

	function measureBands(bands) {
		const blocks = bands.reduce((sum, band) => sum + band.end - band.first, 0);
		const gaps = Math.max(0, bands.length - 1);
		const gap = gaps ? Math.min(BAND_GAP, MOST_CACHE / 4 / gaps) : 0;
		const each = Math.min(MOST_BLOCK, (MOST_CACHE - gap * gaps) / (blocks || 1));

		return { gap, each, height: Math.max(LEAST_CACHE, each * blocks + gap * gaps) };
	}

	function placeBands(bands, { gap, each }, bottom) {
		for (const band of bands) {
			band.bottom = bottom;
			bottom -= each * (band.end - band.first) + gap;
		}
	}

	/* Boxes for the blocks that are in a band; the number of these. */
	function addBlocks(page, style, left, right, piece, least, text) {
		const end = piece.first + piece.count;
		const last = lastOf(page.bands, (band) => band.first < end);
		let shown = 0;

		for (let i = last ? last.at : -1; i >= 0 && page.bands[i].end > piece.first; i--) {
			const band = page.bands[i], first = Math.max(band.first, piece.first);
			const count = Math.min(band.end, end) - first;
			const bottom = band.bottom - page.each * (first - band.first);
			const top = bottom - Math.max(least, page.each * count);

			box(page, style, left, right, top, bottom);
			spot(page, 3, left, right, top, bottom, () => text(first, count));
			shown += count;
		}
		return shown;
	}

	function addTime(page, style, from, to, piece, what) {
		const left = xOf(page, from), right = xOf(page, to);

		if (right - left < 0.02 || !piece.count)
			return;
		page.seen.add(style);
		addBlocks(page, style, left, right, piece, LEAST_HEIGHT,
			(first, count) => `${what}: ${timeText(to - from)}\n${blocksText(page.film, first, count)}`);
	}

	function fillFlights(page) {
		const { film } = page;

		for (const r of film.requests.filter((request) => isShown(film, request) && request.use !== 'write')) {
			addTime(page, 'flight-demand', r.queued, r.done, { first: r.first, count: r.demanded },
				'demand being read');
			addTime(page, 'flight-prefetch', r.queued, r.done,
				{ first: r.first + r.demanded, count: r.count - r.demanded }, 'prefetch being read');
		}
	}

	function fillMarks(page) {
		const { film } = page;

		for (const event of film.events) {
			const x = xOf(page, event.when), fate = film.fates[event.fate];
			const text = (first, count) => `${fate.name}: ${blocksText(film, first, count)}\nat ${
				timeText(event.when)}`;
			const shown = addBlocks(page, `fate-${fate.word}`, x, x + MARK_WIDTH, event, LEAST_MARK, text);

			page.marks.set(fate, (page.marks.get(fate) ?? 0) + shown);
		}
	}

	function cacheKey(page) {
		const { film, seen, marks } = page;
		const states = [['flight-demand', 'demand being read'], ['flight-prefetch', 'prefetch being read'],
			['stay', 'prefetched, not used yet']];

		return [...states.filter(([style]) => seen.has(style)),
			...film.fates.filter((fate) => marks.get(fate))
				.map((fate) => [`fate-${fate.word}`, `${fate.name} ${group(marks.get(fate))}`])];
	}

	/* The name of the file, unless the label below has it, and the numbers of its blocks. */
	function drawBand(page, band, named, y, high) {
		const blocks = range(band.file, band.first, band.end - band.first), name = fileName(band.file);

		if (named) {
			beside(page, blocks, y);
		} else if (high) {
			beside(page, name, y - LABEL / 2);
			beside(page, blocks, y + LABEL / 2);
		} else {
			const room = LEFT - MARGIN - 8 - widthOf(page, `: ${blocks}`);

			beside(page, `${shorten(page, name, room)}: ${blocks}`, y);
		}
	}

	/* As many as fit, from the lowest up. */
	function drawBandNames(page) {
		let free = Infinity, last;

		for (const band of page.bands) {
			const height = page.each * (band.end - band.first), y = band.bottom - height / 2;
			const named = band.file === last, high = height >= 2 * LABEL;
			const half = high && !named ? LABEL : LABEL / 2;

			if (y + half > free)
				continue;
			drawBand(page, band, named, y, high);
			free = y - half;
			last = band.file;
		}
	}

	/* The lowest band ends at a height of 0. */
	function fillCache(page, sizes) {
		placeBands(page.bands, sizes, 0);
		for (const band of page.bands)
			box(page, 'band', LEFT, page.right, band.bottom - page.each * (band.end - band.first), band.bottom);
		fillFlights(page);
		for (const stay of page.film.stays)
			addTime(page, 'stay', stay.from, stay.to, stay, 'prefetched, not used yet');
		fillMarks(page);
	}

	/* Its boxes go down when the height of its key is known: the key has what occurs in them. */
	function drawCache(page, y) {
		const sizes = measureBands(page.bands), before = page.spots.length;

		page.each = sizes.each;
		if (sizes.each >= EDGED)
			page.edged.add('stay');
		label(page, 'cache', MARGIN, y + LINE / 2);
		fillCache(page, sizes);

		const top = key(page, cacheKey(page), y) + 4, bottom = top + sizes.height;

		for (const moved of page.spots.slice(before)) {
			moved.top += bottom;
			moved.bottom += bottom;
		}
		drawBoxes(page, bottom);
		placeBands(page.bands, sizes, bottom);
		lane(page, top, sizes.height);
		drawBandNames(page);
		return bottom;
	}

	/* ---- lines ---- */

	function tickStep(page) {
		const { begin, end } = page.film, least = Math.max(1, (end - begin) * TICK / (page.right - LEFT));
		const power = 10 ** Math.floor(Math.log10(least)), digit = least / power;

		return Math.round(power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10));
	}

	/* The lines lie below all boxes. */
	function drawAxis(page, bottom) {
		const { begin, end } = page.film, step = tickStep(page);
		const [unit, us] = end - begin >= 1e7 ? ['s', 1e6] : end - begin >= 1000 ? ['ms', 1000] : ['us', 1];
		const digits = Math.max(0, Math.ceil(Math.log10(us / step)));
		let lines = '';

		for (let at = Math.ceil(begin / step) * step; at <= end; at += step) {
			const x = round(xOf(page, at)), [whole, part] = (at / us).toFixed(digits).split('.');

			for (const { top, bottom: low } of page.lanes)
				lines += `M${x} ${round(top)}V${round(low)}`;
			label(page, part ? `${group(whole)}.${part}` : group(whole), x, bottom + 14, 'film-middle');
		}
		page.back.setAttribute('d', lines);
		label(page, `time, ${unit}`, (LEFT + page.right) / 2, bottom + 34, 'film-middle');
		return bottom + 46;
	}

	/* A triangle with its tip at (x, y), along (dx, dy). */
	function head(x, y, dx, dy) {
		const length = Math.hypot(dx, dy) || 1, ux = dx / length, uy = dy / length;

		return `M${round(x)} ${round(y)}L${round(x - 8 * ux + 2.6 * uy)} ${round(y - 8 * uy - 2.6 * ux)}` +
			`L${round(x - 8 * ux - 2.6 * uy)} ${round(y - 8 * uy + 2.6 * ux)}z`;
	}

	/* From a late reference to the request that it waits for. */
	function drawArrows(page) {
		const { film } = page;
		let lines = '', heads = '';

		for (const late of film.late) {
			const row = page.row.get(late.process), request = film.requests[late.request];

			if (row === undefined || request.top === undefined)
				continue;
			const x = xOf(page, late.when), y = row + ROW - 3, toY = request.top;
			const toX = xOf(page, Math.max(request.started, late.when)) + 1;

			lines += `M${round(x)} ${round(y)}L${round(toX)} ${round(toY)}`;
			heads += head(toX, toY, toX - x, toY - y);
		}
		if (!lines)
			return;
		element('path', { class: `film-arrow ${film.late.length > MANY ? 'film-faint' : ''}`, d: lines }, page.svg);
		element('path', { class: 'film-head', d: heads }, page.svg);
	}

	/* ---- the text beside the pointer ---- */

	function spotAt(page, x, y) {
		const near = 2;

		return page.spots.filter((s) => x >= Math.min(s.left, s.right - near) - 1 &&
			x <= Math.max(s.right, s.left + near) + 1 && y >= s.top - 0.5 && y <= s.bottom + 0.5).pop();
	}

	function placeTip(page, s) {
		const { tip, scroll, svg } = page, scale = svg.getBoundingClientRect().width / page.width;
		const x = (s.left + s.right) / 2 * scale - scroll.scrollLeft;
		const room = scroll.clientWidth - tip.offsetWidth - 4;

		tip.style.left = `${Math.max(4, Math.min(room, x - tip.offsetWidth / 2))}px`;
		tip.style.top = `${s.bottom * scale + 8}px`;
	}

	function show(page, s) {
		page.current = s;
		page.tip.hidden = !s;
		page.frame.style.display = s ? '' : 'none';
		if (!s)
			return;
		page.tip.textContent = s.text();
		for (const [name, value] of [['x', s.left], ['y', s.top], ['width', Math.max(1, s.right - s.left)],
			['height', s.bottom - s.top]])
			page.frame.setAttribute(name, value);
		placeTip(page, s);
	}

	/* The next spot of the lane in that direction, in the order of time. */
	function beyond(page, from, by) {
		const lanes = page.spots.filter((s) => s.lane === from.lane).sort((a, b) => a.left - b.left);

		return lanes[lanes.indexOf(from) + by] ?? from;
	}

	/* The spot of the next lane that has any, at about the same time. */
	function across(page, from, by) {
		for (let at = from.lane + by; at >= 0 && at < page.lanes.length; at += by) {
			const spots = page.spots.filter((s) => s.lane === at);
			const far = (s) => Math.abs(s.left - from.left);

			if (spots.length)
				return spots.reduce((best, s) => (far(s) < far(best) ? s : best));
		}
		return from;
	}

	function moveBy(page, pressed) {
		const from = page.current;

		switch (from ? pressed : 'first') {
		case 'ArrowLeft':
			return beyond(page, from, -1);
		case 'ArrowRight':
			return beyond(page, from, 1);
		case 'ArrowUp':
			return across(page, from, -1);
		case 'ArrowDown':
			return across(page, from, 1);
		default:
			return page.spots.find((s) => s.lane === 0) ?? page.spots[0];
		}
	}

	function keep(page, s) {
		const { scroll, svg } = page, scale = svg.getBoundingClientRect().width / page.width;

		if (s.left * scale < scroll.scrollLeft || s.right * scale > scroll.scrollLeft + scroll.clientWidth)
			scroll.scrollLeft = s.left * scale - scroll.clientWidth / 2;
	}

	function listen(page) {
		const point = (event) => {
			const area = page.svg.getBoundingClientRect(), scale = page.width / area.width;

			show(page, spotAt(page, (event.clientX - area.left) * scale, (event.clientY - area.top) * scale));
		};

		page.svg.addEventListener('pointermove', point);
		page.svg.addEventListener('pointerdown', point);
		page.svg.addEventListener('pointerleave', () => show(page));
		page.svg.addEventListener('blur', () => show(page));
		page.svg.addEventListener('keydown', (event) => {
			if (event.key === 'Escape')
				show(page);
			if (!event.key.startsWith('Arrow') || !page.spots.length)
				return;
			event.preventDefault();

			const next = moveBy(page, event.key);

			keep(page, next);
			show(page, next);
		});
	}

	/* ---- all ---- */

	function sentence(film) {
		const uses = film.uses.filter((use) => use.requests).map((use) => `${group(use.requests)} ${use.word}`);

		return `Film of ${film.title}; requests: ${uses.join(', ') || 'none'}.`.replace(/\u00a0/g, ' ');
	}

	/* Measures texts. */
	function fontOf(host, size) {
		const context = document.createElement('canvas').getContext('2d');

		context.font = `${size} ${getComputedStyle(host).fontFamily}`;
		return context;
	}

	function div(look, parent) {
		const made = document.createElement('div');

		made.className = look;
		parent.append(made);
		return made;
	}

	function newPage(host, data, options) {
		const wanted = options.width || host.clientWidth || 1000;
		const width = Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, wanted)));
		const film = readFilm(data), figure = document.createElement('div');
		const scroll = div('film-scroll', figure), tip = div('film-tip', figure);
		const svg = element('svg', { role: 'img', 'aria-label': sentence(film), tabindex: 0 }, scroll);

		figure.className = 'film';
		tip.setAttribute('role', 'status');
		tip.hidden = true;
		return { film, width, right: width - EDGE, figure, scroll, tip, svg,
			plain: fontOf(host, '13px'), bold: fontOf(host, '600 15px'),
			back: element('path', { class: 'film-line' }, svg), boxes: new Map(),
			edged: new Set(['think', 'flight-demand', 'flight-prefetch']), spots: [], lanes: [],
			row: new Map(), bands: findBands(film), seen: new Set(), marks: new Map() };
	}

	function drawLanes(page, y) {
		for (const draw of [drawProgram, drawQueue, drawDevice, drawCache]) {
			y = draw(page, y) + GAP;
			drawBoxes(page);
		}
		return drawAxis(page, y - GAP);
	}

	function draw(host, data, options = {}) {
		const page = newPage(host, data, options);
		let y = 8;

		if (options.heading !== false) {
			y = paragraph(page, page.bold, data.title, y, 'film-title');
			y = paragraph(page, page.plain, data.setting, y, 'film-soft') + 8;
		}
		const height = Math.ceil(drawLanes(page, y));

		drawArrows(page);
		page.frame = element('rect', { class: 'film-frame' }, page.svg);
		page.svg.setAttribute('viewBox', `0 0 ${page.width} ${height}`);
		show(page);
		listen(page);
		host.replaceChildren(page.figure);
	}

	return draw;
})();
