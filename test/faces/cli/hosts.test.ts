// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the notation of the file of hosts
/** Secrets of certain hosts, cookies and their way through a crawl: to their hosts alone, and into nothing that is kept. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { forager, refused } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const SECRET = 'hunter2-s3cret';
const BASIC = Buffer.from(`me:${SECRET}`).toString('base64');
const small = smallWeb();
const { path, seeds } = small;
const hostOf = (url: string) => new URL(url).host;
const own = hostOf(seeds[0] ?? '');
const log: { readonly host: string; readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
const server = createServer(({ url = '', headers }, response) => {
  const { host, pathname } = new URL(url);
  log.push({ host, path: pathname, headers });
  const { status, headers: fields, body } = small.web.source.get(host, pathname) ?? { status: 404, headers: {}, body: '' };
  response.writeHead(status, { ...fields, 'set-cookie': `of-${host.replaceAll('.', '-')}=${SECRET}; Path=/` }).end(body);
});
let topic: string;
let proxy: string;
beforeAll(async () => {
  topic = await trainedOn(small);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env['FORAGER_TEST_SECRET'] = SECRET;
});
afterAll(async () => {
  delete process.env['FORAGER_TEST_SECRET'];
  server.closeAllConnections();
  server.close();
  await small.close();
});

const args = (dir: string, ...more: string[]) => [
  'crawl',
  path(dir),
  '--topic',
  topic,
  '--seeds',
  ...seeds,
  '--proxy',
  proxy,
  '--delay',
  '0',
  ...more,
];

/** The command's words and every file of its directory, archives unpacked. */
async function allOf(
  dir: string,
  ...words: string[]
): Promise<{ readonly text: string; readonly warc: string; readonly sent: typeof log }> {
  const from = log.length;
  const { code, stdout, stderr } = await forager(...words);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const names = readdirSync(path(dir), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = names.map(({ name, parentPath }) => {
    const bytes = readFileSync(`${parentPath}/${name}`);
    return { name, text: (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1') };
  });
  const warc = files.filter(({ name }) => name.endsWith('.warc.gz')).map((file) => file.text);
  return { text: [stdout, stderr, ...files.map((file) => file.text)].join('\n'), warc: warc.join('\n'), sent: log.slice(from) };
}

test('credentials go to their hosts alone, robots.txt too, and stand in nothing that a crawl keeps or says; the file is read at each run', async () => {
  const file = path('hosts.yaml');
  writeFileSync(file, `hosts:\n  ${own}:\n    user: me\n    password: \${FORAGER_TEST_SECRET}\n    headers:\n      X-Key: key-${SECRET}\n`);
  const first = await allOf('secret', ...args('secret', '--hosts', file, '--max-pages', '15', '--log', '-', '--log-level', 'debug'));
  const logged = first.sent.filter(({ headers }) => headers.authorization !== undefined || headers['x-key'] !== undefined);
  expect(new Set(logged.map(({ host }) => host))).toEqual(new Set([own]));
  expect(logged.map((request) => request.path)).toContain('/robots.txt');
  expect(logged).toHaveLength(first.sent.filter(({ host }) => host === own).length);
  expect(logged[0]?.headers).toMatchObject({ authorization: `Basic ${BASIC}`, 'x-key': `key-${SECRET}` });
  expect(new Set(first.sent.map(({ host }) => host)).size).toBeGreaterThan(1);
  expect(first.warc).toContain('authorization: [redacted]\r\n');
  expect(first.warc).toContain('x-key: [redacted]\r\n');
  const kept = first.text.replaceAll(/^set-cookie: .*$/gim, '');
  for (const secret of [SECRET, BASIC]) expect(kept).not.toContain(secret);
  expect(JSON.parse(readFileSync(path('secret', 'crawl.json'), 'utf8'))).toMatchObject({ hosts: file, cookies: false, http2: false });

  writeFileSync(file, `hosts:\n  ${own}:\n    headers: {X-Key: other}\n`);
  const second = await allOf('secret', 'crawl', path('secret'), '--max-pages', '25');
  const again = second.sent.filter(({ host }) => host === own);
  expect(again.length).toBeGreaterThan(0);
  expect(again.every(({ headers }) => headers['x-key'] === 'other' && headers.authorization === undefined)).toBe(true);
  const third = await allOf('secret', 'crawl', path('secret'), '--max-pages', '35', '--hosts', 'none');
  expect(third.sent.some(({ headers }) => headers['x-key'] !== undefined)).toBe(false);
});

test('a file that is wrong ends the command before anything is written, with nothing of its values', async () => {
  const file = path('wrong.yaml');
  await refused(2, ['--hosts', 'cannot be read'], ...args('wrong', '--hosts', path('no-such.yaml')));
  writeFileSync(file, `hosts:\n  ${own}:\n    user: me\n    pasword: ${SECRET}\n`);
  await refused(2, [file, '"pasword"', 'did you mean password?'], ...args('wrong', '--hosts', file));
  writeFileSync(file, `hosts:\n  ${own}:\n    user: me\n    password: \${FORAGER_NOT_SET}\n`);
  await refused(2, [`${file}:4`, 'FORAGER_NOT_SET is not set'], ...args('wrong', '--hosts', file));
  expect(readdirSync(path())).not.toContain('wrong');
});

wholeTest(
  'with --cookies a host gets back what it set, and no other host does; requests are stored without them, answers as they came',
  async () => {
    const { sent, warc } = await allOf('cookies', ...args('cookies', '--cookies', '--max-pages', '30'));
    const cookies = sent.filter(({ headers }) => headers.cookie !== undefined);
    expect(cookies.length).toBeGreaterThan(20);
    for (const { host, headers } of cookies) expect(headers.cookie).toBe(`of-${host.replaceAll('.', '-')}=${SECRET}`);
    expect(warc).toContain('cookie: [redacted]\r\n');
    expect(warc).not.toMatch(/^cookie: of-/im);
    expect(warc).toMatch(/^set-cookie: of-.*hunter2/im);
    const again = await allOf('cookies', 'crawl', path('cookies'), '--max-pages', '40');
    expect(again.sent.some(({ headers }) => headers.cookie !== undefined)).toBe(true);
  },
);

test('without it no cookie is sent', async () => {
  const { sent } = await allOf('bare', ...args('bare', '--max-pages', '20'));
  expect(sent.length).toBeGreaterThan(20);
  expect(sent.some(({ headers }) => headers.cookie !== undefined)).toBe(false);
});
