/** corpus.wacz in ReplayWeb.page, in a browser. */

import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { HAS_CHROMIUM, launched } from '../../support/chromium.ts';
import { IS_WHOLE, size } from '../../support/extent.ts';
import { COST, fileOf } from '../records/rendered-samples.ts';
import { freshDir, INFO, pageOf, recordOf } from '../records/samples.ts';
import { harvestOf, run, type SamplePage, sampleCrawl } from './harvest-samples.ts';

/** AGPL: fetched into a temporary folder, and never a dependency. */
const VIEWER = 'replaywebpage@2.5.3';
const folder = mkdtempSync(join(tmpdir(), 'replaywebpage-'));
const HAS_VIEWER = HAS_CHROMIUM && (await fetched());
if (!HAS_VIEWER) console.log(`Replay of corpus.wacz is left out: ${VIEWER} cannot be fetched from the registry, or there is no Chromium`);

async function fetched(): Promise<boolean> {
  try {
    const packed = await run('npm', ['pack', VIEWER, '--json', '--pack-destination', folder], { timeout: 60_000 });
    const [{ filename = '' } = {}] = JSON.parse(packed.stdout) as { filename?: string }[];
    await run('tar', ['xzf', join(folder, filename), '-C', folder]);
    return true;
  } catch {
    return false;
  }
}

const DRAWN = 20;
/** In the whole extent, the index is one of blocks. */
const COUNT = size(10_500, 60);
const serial = (i: number) => `Serial number ${7919 * (i + 1)}.`;

const PAGES: readonly SamplePage[] = Array.from({ length: COUNT }, (_, i) => ({
  url: `http://${['www.', '', 'sub.'][i % 3]}host-${i % 7}.example/pages/${i}${i % 4 === 0 ? '?q=a%20b&id=Ä' : '.html'}`,
  html: `<!doctype html><html><head><title>Page ${i}</title></head><body><h1>Page ${i}</h1><p id="serial">${serial(i)}</p></body></html>`,
  gzip: i % 2 === 1,
  again: ([[], [], ['identical-payload-digest'], ['server-not-modified']] as const)[i % 4] ?? [],
})).map(({ url, ...rest }) => ({ ...rest, url: new URL(url).href }));

/** The viewer and the archive on loopback; a part of the archive on request, as the viewer reads it. */
async function served(archive: Buffer): Promise<Server> {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json' };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://a').pathname;
    const name = path === '/' ? 'index.html' : path.slice(1);
    const bytes = name === 'corpus.wacz' ? archive : await readFile(join(folder, 'package', name)).catch(() => null);
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const type = { 'content-type': types[extname(name)] ?? 'application/octet-stream', 'accept-ranges': 'bytes' };
    if (bytes === null) response.writeHead(404).end();
    else if (from === undefined)
      response.writeHead(200, { ...type, 'content-length': bytes.length }).end(request.method === 'HEAD' ? '' : bytes);
    else {
      const start = from === '' ? bytes.length - Number(to) : Number(from);
      const part = bytes.subarray(start, from !== '' && to ? Number(to) + 1 : undefined);
      response
        .writeHead(206, {
          ...type,
          'content-length': part.length,
          'content-range': `bytes ${start}-${start + part.length - 1}/${bytes.length}`,
        })
        .end(part);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The text of the frame in which the viewer shows a URL. */
async function replayed(page: Page, port: number, url: string): Promise<string> {
  await page.goto('about:blank');
  const source = encodeURIComponent(`http://127.0.0.1:${port}/corpus.wacz`);
  await page.goto(`http://127.0.0.1:${port}/?source=${source}#view=resources&url=${encodeURIComponent(url)}`);
  const shows = (frame: Frame) => frame.url().includes('mp_/') && frame !== page.mainFrame();
  for (let waited = 0; waited < 30_000; waited += 100) {
    for (const frame of page.frames().filter(shows)) {
      const text = await frame.evaluate('document.body?.innerText ?? ""').catch(() => '');
      if (typeof text === 'string' && text.trim() !== '' && decodeURI(frame.url()).endsWith(decodeURI(url))) return text;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return `no frame of ${url} among ${page
    .frames()
    .map((frame) => frame.url())
    .join(', ')}`;
}

test.skipIf(!IS_WHOLE || !HAS_VIEWER)(
  'drawn pages are replayed, each with its own serial number, and a URL that is not in the corpus is not',
  async () => {
    const out = await harvestOf(await sampleCrawl(PAGES), { formats: ['wacz'], maxWarcBytes: COUNT * 170 });
    const server = await served(await readFile(join(out, 'corpus.wacz')));
    const { port } = server.address() as AddressInfo;
    const browser = await launched();
    onTestFinished(async () => {
      await browser.close();
      server.close();
    });
    const page = await (await browser.newContext()).newPage();
    const rest = Array.from(PAGES.keys());
    const drawn = Array.from({ length: DRAWN }, () => rest.splice(Math.floor(Math.random() * rest.length), 1)[0] ?? 0);
    for (const i of drawn) {
      const { url = '' } = PAGES[i] ?? {};
      const text = await replayed(page, port, url);
      expect(text, url).toContain(serial(i));
      expect(text.match(/Serial number/g), url).toHaveLength(1);
    }
    expect(await replayed(page, port, 'http://host-1.example/not-in-the-corpus')).toContain('Archived Page Not Found');
  },
  180_000,
);

test.skipIf(!IS_WHOLE || !HAS_VIEWER)(
  'the scripts of a rendered page run in the viewer: they ask for their data, and the archive answers',
  async () => {
    const dir = join(freshDir(), 'corpus');
    const writer = await FileCorpusWriter.open(dir, null, INFO);
    const page = pageOf('http://app.example/moss', '<!doctype html><title>App</title><p id="root"></p><script src="/app.js"></script>');
    const script = fileOf(
      'http://app.example/app.js',
      'text/javascript',
      "fetch('/api/moss.json').then((r) => r.json()).then(({ text }) => { document.getElementById('root').textContent += text; });",
    );
    const data = fileOf('http://app.example/api/moss.json', 'application/json', JSON.stringify({ text: serial(1) }));
    const html = Buffer.from(`<!doctype html><title>App</title><p id="root">${serial(1)}</p><script src="/app.js"></script>`);
    writer.append({ kind: 'page', record: recordOf(page, { rendered: COST }), page, document: { html, resources: [script, data] } });
    await writer.close();
    const out = await harvestOf({ dir }, { formats: ['wacz'] });
    const server = await served(await readFile(join(out, 'corpus.wacz')));
    const browser = await launched();
    onTestFinished(async () => {
      await browser.close();
      server.close();
    });
    const text = await replayed(await (await browser.newContext()).newPage(), (server.address() as AddressInfo).port, page.url);
    // Once: a viewer that showed the rendered document would run its script on it, and add the text again.
    expect(text.match(/Serial number 15838/g)).toHaveLength(1);
  },
  60_000,
);
