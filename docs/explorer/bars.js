/*
 * bars.js - where the time goes: think time, the processor and the parts of the stall, a bar for each prefetcher, and the same as a table.
 */

/* The words of `bufsim run` (sim/report/waits.c). */
const PART_WORDS = {
	think_us: 'think', cpu_us: 'the processor', stall_miss_us: 'misses being read', stall_ride_us: 'readahead read with them', stall_demand_queue_us: 'queued behind demand',
	stall_prefetch_queue_us: 'queued behind prefetches', stall_write_queue_us: 'queued behind writes', stall_late_us: 'late prefetches',
	stall_delayed_us: 'delayed hits', stall_frame_us: 'a free frame or request', stall_write_us: 'synchronous writes', stall_idle_us: 'an idle device',
};

const LEAST_LABEL = 50; /* pixels */

const partName = (column) => PART_WORDS[column] || column.replace(/^stall_|_us$/g, '').replace(/_/g, ' ');

/** think_us, cpu_us and all parts of stall_us that are not zero in some row. */
function partColumns(rows) {
	return Object.keys(rows[0].values).filter((column) => /^(think|cpu|stall_.+)_us$/.test(column) && rows.some((row) => row.values[column] > 0));
}

/** The name of the part with the longest wait. */
function longestWait(row) {
	const waits = partColumns([row]).filter((column) => column !== 'think_us');
	return waits.length ? partName(waits.reduce((a, b) => (row.values[a] >= row.values[b] ? a : b))) : '';
}

/** With its value, where there is room for it. */
function barSegment(column, us, widest, room) {
	const share = us / widest * 100;
	const words = `${partName(column)}: ${secondsInWords(us / 1e6)}`;
	const label = share / 100 * room >= LEAST_LABEL ? secondsInWords(us / 1e6) : '';
	return share > 0 ? `<span class="part ${column}" style="width: ${share.toFixed(3)}%" title="${words}">${label}</span>` : '';
}

function barsTable(columns, runs) {
	const cells = (column) => runs.map((run) => `<td>${secondsInWords(run.row.values[column] / 1e6)}</td>`).join('');
	return `<table class="figures"><caption class="hidden">Time by cause</caption><thead><tr><th scope="col">waiting for</th>`
		+ `${runs.map((run) => `<th scope="col">${escapeHtml(run.spec)}</th>`).join('')}</tr></thead><tbody>`
		+ `${columns.map((column) => `<tr><th scope="row">${partName(column)}</th>${cells(column)}</tr>`).join('')}</tbody></table>`;
}

/** runs: [{spec, slot, row}]; the bars are decoration for the table, which says the same. */
function drawBars(host, runs) {
	const columns = partColumns(runs.map((run) => run.row));
	const total = (row) => columns.reduce((sum, column) => sum + row.values[column], 0);
	const widest = Math.max(...runs.map((run) => total(run.row)), 1);
	const room = Math.min(host.clientWidth, Math.max(host.clientWidth - 220, 300));
	const opened = host.querySelector('details[open]') ? ' open' : '';
	const bar = ({ spec, slot, row }) => `<div class="bar-name">${swatch(slot)} ${escapeHtml(spec)}</div>`
		+ `<div class="bar">${columns.map((column) => barSegment(column, row.values[column], widest, room)).join('')}</div>`
		+ `<div class="bar-total">${secondsInWords(total(row) / 1e6)}</div>`;
	const key = (column) => `<li><span class="part ${column}"></span>${partName(column)}</li>`;
	host.innerHTML = `<div class="bars" aria-hidden="true">${runs.map(bar).join('')}</div>`
		+ `<ul class="key" aria-hidden="true">${columns.map(key).join('')}</ul>`
		+ `<details${opened}><summary>The same as a table</summary>${barsTable(columns, runs)}</details>`;
	host.querySelectorAll('.bar .part').forEach(contrastText);
}

/** Black or white on the colour of an element, whichever is easier to read. */
function contrastText(part) {
	const [r, g, b] = getComputedStyle(part).backgroundColor.match(/[\d.]+/g).map((c) => (c / 255) ** 2.2);
	part.style.color = 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? '#000' : '#fff';
}

function escapeHtml(text) {
	return String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
}
