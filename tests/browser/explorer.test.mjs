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

const native = (...argv) => execFileSync(process.env.BUFSIM, argv, { cwd: WORK, encoding: 'utf8', maxBuffer: 1 << 28 });

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

async function open(hash = '', address = ADDRESS) {
	await page.goto('about:blank');
	await page.goto(address + hash);
	await page.evaluate(() => window.explorer.ready);
	await settled();
}

const settled = () => page.evaluate(() => window.explorer.settled());
const shown = () => page.evaluate(() => ({ argv: window.explorer.argv, json: window.explorer.json }));
const alertText = () => page.locator('#alerts').innerText();

async function assertNative() {
	const { argv, json } = await shown();
	assert.equal(json, native(...argv), argv.join(' '));
	return argv;
}

/** Drop a file on the page, as from a file manager. */
async function drop(name, bytes) {
	const data = await page.evaluateHandle(([n, text]) => {
		const transfer = new DataTransfer();
		transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], n));
		return transfer;
	}, [name, bytes.toString('base64')]);

	for (const type of ['dragenter', 'dragover', 'drop'])
		await page.dispatchEvent('body', type, { dataTransfer: data });
}

test('the page is one file below 3 MB, which asks for no other', async () => {
	const asked = [];

	assert.ok(fs.statSync(PAGE).size < MOST_BYTES);
	page.on('request', (r) => asked.push(r.url().split('#')[0]));
	await open();
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
