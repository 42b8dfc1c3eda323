/** A crawl of hosts whose pages, or pictures, have names that end in `.jpg`: what is requested, and how much of a picture is read. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ledger } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sample } from '../../support/extent.ts';
import { done } from './forager.ts';
import { smallWeb } from './small-web.ts';

const small = smallWeb();
const TEXT = `<h1>Moss</h1><p>${'Moss grows on the bog, and sphagnum moss is a moss of the bog. '.repeat(12)}</p>`;
const asked: string[] = [];
let sent = 0;
const links = (ending: string) =>
  Array.from({ length: 20 }, (_, i) => `<a href="/photo/${i}.${ending}">moss ${i}</a> <a href="/scan/${i}.pdf">moss</a>`).join(' ');

/** `/photo/0.jpg` to `19`: pages, or pictures of 40 MB. */
function siteOf(ending: string, arePages: boolean) {
  return createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/robots.txt') return response.writeHead(404).end();
    if (!url.startsWith('/photo/')) return html(response, links(ending), url);
    if (arePages) return html(response, '<a href="/">all</a>', url);
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': '41943040' });
    return pour(response);
  });
}

function html(response: ServerResponse, more: string, url: string) {
  return response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Moss ${url}</title>${TEXT}<p>${url}</p>${more}`);
}

function pour(response: ServerResponse): void {
  const part = Buffer.alloc(65_536, 0xff);
  const next = () => {
    while (!response.destroyed && sent < 41_943_040) {
      sent += part.byteLength;
      if (!response.write(part)) return;
    }
    response.end();
  };
  response.on('drain', next);
  next();
}

beforeAll(() => done('train', '--keywords', 'moss, sphagnum, bog', '--out', small.path('moss')));
afterAll(() => small.close());

async function crawled(name: string, ending: string, arePages: boolean): Promise<Map<string, string>> {
  asked.length = sent = 0;
  const server = siteOf(ending, arePages);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dir = small.path(name);
  await done(
    ...[
      'crawl',
      dir,
      '--topic',
      small.path('moss'),
      '--seeds',
      `${at}/`,
      '--allow-private',
      '--delay',
      '0',
      '--workers',
      '1',
      '--traps',
      'off',
    ],
  );
  server.closeAllConnections();
  server.close();
  const ends = new Map<string, string>();
  for await (const { url, state, reason } of ledger(dir)) ends.set(new URL(url).pathname, `${state} ${reason}`.trim());
  return ends;
}

test.each(sample(['jpg', 'webm', 'ogg'], [1]))('pages called .%s are all kept, and PDFs need no request', async (ending) => {
  const ends = await crawled(`pages-${ending}`, ending, true);
  expect([...ends.values()].filter((end) => end === 'kept')).toHaveLength(21);
  expect(asked.filter((path) => path.startsWith('/photo'))).toHaveLength(20);
  expect(asked.some((path) => path.endsWith('.pdf'))).toBe(false);
});

test('of pictures, one is asked, and its body is not read', async () => {
  const ends = await crawled('pictures', 'jpg', false);
  expect(asked.filter((path) => path.startsWith('/photo'))).toHaveLength(1);
  // What the sockets of both ends hold.
  expect(sent).toBeLessThan(8 * 2 ** 20);
  expect([...ends.values()].filter((end) => end === 'refused content-type')).toHaveLength(40);
  expect([...ends.values()].filter((end) => end === 'kept')).toHaveLength(1);
});
