/*
 * explorer.test.mjs - docs/explorer/index.html in headless Chromium: numbers, files, addresses, words, pictures.
 *
 * The page runs the program's own commands, so that its numbers are compared byte for byte with those of $BUFSIM, run in a
 * folder with the same names of files.  Pictures go to the folder of this file, to be looked at.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';
import { chromium } from 'playwright-core';

const PAGE = process.env.PAGE;
const ADDRESS = pathToFileURL(PAGE).href;
const WORK = 'work';
const MOST_BYTES = 3e6;
const WAIT_MS = 60000;

let browser;
let page;
let complaints; /* of the console and of the page */

const native = (...argv) => execFileSync(process.env.BUFSIM, argv, { cwd: WORK, encoding: 'utf8', maxBuffer: 1 << 28, stdio: 'pipe' });

before(async () => {
	const chosen = process.env.CHROMIUM || execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'], { encoding: 'utf8' }).trim();

	browser = await chromium.launch({ executablePath: chosen, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
	native('convert', '--slice', '1:50000', 'traces/samples/tpch-myisam.txt.gz', 'tpch-slice.bst');
});

after(() => browser.close());

beforeEach(async (t) => {
	complaints = [];
	page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
	page.setDefaultTimeout(WAIT_MS);
	page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
	page.on('pageerror', (e) => complaints.push(String(e)));
	t.after?.(() => page.close());
});

async function open(hash = '', address = ADDRESS, works = true) {
	await page.goto('about:blank');
	await page.goto(address + hash);
	await page.waitForFunction((ok) => window.explorer && (ok ? window.explorer.json : document.getElementById('alerts').innerText), works)
		.catch(async (e) => assert.fail(`${e.message}\nThe page says: ${await alertText()}`));
}

const settled = () => page.evaluate(() => window.explorer.settled());
const shown = () => page.evaluate(() => ({ argv: window.explorer.argv, json: window.explorer.json }));
const alertText = () => page.locator('#alerts').innerText();

/** What the program says on standard error of a command that fails. */
function complaint(...argv) {
	try {
		native(...argv);
	} catch (e) {
		return e.stderr.trim().replace(/^bufsim: /, '');
	}
	return assert.fail(`${argv.join(' ')} did not fail`);
}

async function assertNative() {
	const { argv, json } = await shown();
	assert.equal(json, native(...argv), argv.join(' '));
	return argv;
}

/** Drop files, {name: bytes}, on the page, as from a file manager. */
async function dropAll(files) {
	const data = await page.evaluateHandle((all) => {
		const transfer = new DataTransfer();
		for (const [name, text] of all)
			transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
		return transfer;
	}, Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')]));

	for (const type of ['dragenter', 'dragover', 'drop'])
		await page.dispatchEvent('body', type, { dataTransfer: data });
}

const drop = (name, bytes) => dropAll({ [name]: bytes });

test('the page is one file below 3 MB, which asks for no other', async () => {
	const asked = [];

	assert.ok(fs.statSync(PAGE).size < MOST_BYTES);
	page.on('request', (r) => asked.push(r.url().split('#')[0]));
	await open();
	await settled();
	assert.deepEqual(asked.filter((url) => !/^(blob|data|about):/.test(url)), [ADDRESS]);
	assert.deepEqual(complaints, []);
});

for (const hash of [
	'',
	'#cache=8M&policy=arc&prefetch=none,linux24&run=linux24',
	'#device=nvme-960evo&run=ondemand',
	'#controller=ledger&run=linux24&cache=64M',
	'#controller=iprp&run=ondemand&cache=16M',
	'#replay=process&cache=16M&run=linux24',
	'#trace=tpch-slice&cache=20M&run=linux24',
	'#trace=pattern&pattern=zipf:alpha=0.9,blocks=20000&run=ondemand',
	'#window=64&run=ondemand&think-scale=3',
	'#wait=block&scheduler=sptf&insert=tail&complete=buffer&run=linux24',
	'#policy=2q&device=hc310&layout=accusim&run=obl&prefetch=none,obl',
])
	test(`settings ${hash || '(none)'}: the same JSON as the program's`, async () => {
		await open(hash);
		const argv = await assertNative();
		assert.deepEqual(await alertText(), '');
		for (const [name, value] of new URLSearchParams(hash.slice(1)))
			if (!['run', 'controller', 'window', 'trace', 'prefetch'].includes(name))
				assert.equal(argv[argv.indexOf(`--${name}`) + 1], value);
		assert.deepEqual(complaints, []);
	});

test('the saved curves are the rows of the sweep that the page names', async () => {
	await open('#prefetch=none,obl');
	await settled();
	await page.locator('#numbers > summary').click();
	const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-csv')]);
	const command = (await page.locator('#commands').innerText()).split('\n').find((line) => line.includes(' sweep ')).trim().split(/\s+/);
	assert.equal(fs.readFileSync(await download.path(), 'utf8'), native(...command.slice(1, -1), '-'));
});

test('a dropped trace, packed or not, gives the numbers of its file', async () => {
	for (const [name, bytes] of [
		['glimpse.txt.gz', fs.readFileSync('work/traces/samples/glimpse.txt.gz')],
		['queries.tr', zlib.gunzipSync(fs.readFileSync('work/traces/samples/parquet.txt.gz'))],
	]) {
		fs.writeFileSync(`${WORK}/${name}`, bytes);
		await open();
		await drop(name, bytes);
		await page.waitForFunction((n) => window.explorer.argv.some((word) => word.endsWith(n)), name);
		const argv = await assertNative();
		assert.ok(argv.some((word) => word.endsWith(name)));
		assert.deepEqual(complaints, []);
	}
});

test('a broken trace is refused in the words of the program, and the page goes on', async () => {
	const whole = fs.readFileSync('work/traces/samples/parquet.txt.gz');
	const text = zlib.gunzipSync(whole).toString();

	await open();
	const before = await shown();
	for (const [name, bytes, message] of [
		['cut.txt.gz', whole.subarray(0, whole.length / 2), /cut\.txt\.gz: .*gzip/],
		['damaged.txt', Buffer.from(text.replace(/ R /, ' R x')), null],
		['letter.txt', Buffer.from('Dear simulator,\nhow are you?\n'), null],
		['empty.txt', Buffer.alloc(0), null],
		['a.zip', Buffer.from('PK\x03\x04 and so on'), null],
	]) {
		fs.writeFileSync(`${WORK}/${name}`, bytes);
		await drop(name, bytes);
		await page.waitForFunction((n) => document.getElementById('alerts').innerText.includes(n), name);
		if (message)
			assert.match(await alertText(), message);
		else
			assert.ok((await alertText()).includes(complaint('convert', name, 'x.bst')), `${await alertText()}\n${complaint('convert', name, 'x.bst')}`);
		await settled();
		assert.deepEqual(await shown(), before);
	}
	await page.selectOption('#set-trace', 'tpch-slice');
	await page.waitForFunction(() => window.explorer.argv.includes('tpch-slice.bst'));
	await assertNative();
	assert.deepEqual(complaints, []);
});

test('any name of a file will do, except those of the page\'s own files', async () => {
	const bytes = fs.readFileSync('work/traces/samples/parquet.txt.gz');

	await open();
	for (const name of ['csq', 'tpch-slice.bst', 'converted.bst', 'map.json']) {
		await drop(name, bytes);
		await page.waitForFunction((n) => document.getElementById('alerts').innerText.includes(`${n}: the page has a file`), name);
	}
	await settled();
	assert.ok((await assertNative()).includes('traces/samples/csq.txt.gz'));
	for (const name of ['--json.txt', 'a b#%20.txt', '<img src=x onerror="alert(1)">\u2192\'.txt']) {
		fs.writeFileSync(`${WORK}/${name}`, bytes);
		await drop(name, bytes);
		await page.waitForFunction((n) => window.explorer.argv.some((word) => word.endsWith(n)), name);
		await settled();
		await assertNative();
		assert.equal(await alertText(), '');
	}
	assert.deepEqual(complaints, []);
});

test('of several files that are dropped at once all are there', async () => {
	const bytes = fs.readFileSync('work/traces/samples/parquet.txt.gz');

	await open();
	await dropAll({ 'one.txt': bytes, 'letter.txt': Buffer.from('Dear simulator\n'), 'two.txt': bytes });
	await page.waitForFunction(() => window.explorer.argv.includes('two.txt'));
	assert.match(await alertText(), /^letter\.txt: /);
	await page.selectOption('#set-trace', 'one.txt');
	await page.waitForFunction(() => window.explorer.argv.includes('one.txt'));
});

test('another file of the same name takes the place of the first', async () => {
	await open();
	for (const sample of ['parquet', 'glimpse']) {
		const bytes = fs.readFileSync(`work/traces/samples/${sample}.txt.gz`);
		fs.writeFileSync(`${WORK}/same.gz`, bytes);
		await drop('same.gz', bytes);
		await page.waitForFunction((json) => window.explorer.argv.includes('same.gz') && window.explorer.json !== json, (await shown()).json);
		await assertNative();
	}
});

test('a trace whose format must be named is read as it says', async () => {
	const rows = Array.from({ length: 500 }, (_, i) => `${i * 1000};R;${i * 8192};4096`.replaceAll(';', ','));
	const format = 'csv:time=1,op=2,offset=3,length=4';

	fs.writeFileSync(`${WORK}/rows.csv`, rows.join('\n'));
	await open();
	await drop('rows.csv', fs.readFileSync(`${WORK}/rows.csv`));
	await page.waitForFunction(() => document.getElementById('alerts').innerText.includes('rows.csv'));
	await open(`#format=${format}`, ADDRESS, false);
	await drop('rows.csv', fs.readFileSync(`${WORK}/rows.csv`));
	await page.waitForFunction(() => window.explorer.argv.includes('rows.csv'));
	assert.ok((await assertNative()).includes(format));
	await page.selectOption('#set-trace', 'csq');
	await page.waitForFunction(() => !window.explorer.argv.includes('rows.csv'));
	assert.equal(await alertText(), '');
});

test('wrong settings in the address are named, and the others hold', async () => {
	await open('#cache=8M&policy=nonesuch&colour=red&prefetch=none,linux24&run=linux24');
	const text = await alertText();
	assert.match(text, /nonesuch/);
	assert.match(text, /colour/);
	const argv = await assertNative();
	assert.equal(argv[argv.indexOf('--cache') + 1], '8M');
	for (const [hash, message] of [['cache=lots', /lots/], ['prefetch=,,', /prefetch=,,: a list of/], ['cache=%zz', /%/]]) {
		await open(`#${hash}`);
		assert.match(await alertText(), message);
		await assertNative();
	}
	await page.selectOption('#set-policy', 'arc');
	await page.waitForFunction(() => location.hash === '#policy=arc');
	assert.deepEqual(complaints, []);
});

test('the address follows the settings, and Back goes back', async () => {
	await open();
	await page.selectOption('#set-policy', 'arc');
	await page.waitForFunction(() => window.explorer.argv.includes('arc'));
	assert.match(page.url(), /#.*policy=arc/);
	assert.ok((await assertNative()).includes('arc'));
	await page.goBack();
	await page.waitForFunction(() => !window.explorer.argv.includes('arc'));
	await assertNative();
	await page.goForward();
	await page.waitForFunction(() => window.explorer.argv.includes('arc'));
});

test('the keyboard alone sets the cache and chooses a run', async () => {
	await open();
	const before = (await shown()).argv;
	await page.focus('#set-cache');
	await page.keyboard.press('ArrowLeft');
	await page.waitForFunction((a) => window.explorer.argv.join() !== a, before.join());
	assert.notEqual((await shown()).argv[3], before[3]);
	await assertNative();
});

test('every link of the page leads to a file', async () => {
	await open();
	const links = await page.$$eval('a[href]', (all) => all.map((a) => a.href));
	assert.ok(links.length > 6);
	for (const link of links.filter((l) => l.startsWith('file:')))
		assert.ok(fs.existsSync(new URL(link.split('#')[0])), link);
});

test('the lessons open the page with their settings', async () => {
	await open();
	const presets = await page.evaluate('LESSONS');
	assert.equal(presets.length, 6);
	for (const { file, hash } of presets) {
		const text = fs.readFileSync(new URL(`../lessons/${file}.md`, ADDRESS), 'utf8');
		assert.ok(text.includes(`](../explorer/index.html#${hash})`), `${file}: ${hash}`);
		await open(`#${hash}`);
		assert.equal(await alertText(), '', file);
		await assertNative();
	}
	assert.deepEqual(complaints, []);
});

test('a web server works as well as a folder', async () => {
	const server = http.createServer((request, answer) => {
		answer.setHeader('content-type', 'text/html');
		answer.end(fs.readFileSync(PAGE));
	});

	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		await open('#cache=16M', `http://127.0.0.1:${server.address().port}/`);
		await assertNative();
		assert.deepEqual(complaints, []);
	} finally {
		server.close();
	}
});

for (const [name, width, colorScheme] of [['light', 1280, 'light'], ['dark', 1280, 'dark'], ['phone', 360, 'light']])
	test(`${name}: nothing is wider than the window, and axe finds nothing`, async () => {
		await page.setViewportSize({ width, height: 900 });
		await page.emulateMedia({ colorScheme });
		await open('#first=26&calls=4&prefetch=none,linux24');
		await settled();
		await page.screenshot({ path: `explorer-${name}.png`, fullPage: true });
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
		await page.addScriptTag({ path: 'node_modules/axe-core/axe.min.js' });
		const { violations } = await page.evaluate(() => window.axe.run());
		assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 200)).join(' | ')}`), []);
	});
