import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { hostKeyOf } from '../../../src/base/web/url.ts';
import { type FileFetcher, RobotsCache } from '../../../src/crawling/fetch/robots-cache.ts';
import { fetchList, impatientRobots } from '../../../src/crawling/input/fetch-list.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A host whose robots.txt fails as often, and then allows all. */
async function hostWithTrouble(failures: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const failing = request.url === '/robots.txt' && asked.filter((path) => path === '/robots.txt').length <= failures;
    response.writeHead(failing ? 503 : 200, { 'content-type': 'text/html' }).end(failing ? '' : 'User-agent: *');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`, asked };
}

test.concurrent('a robots.txt that cannot be had is asked for twice, and the URLs given up at once', async () => {
  const { url, asked } = await hostWithTrouble(Number.POSITIVE_INFINITY);
  const progress: string[] = [];
  const { pages, failures } = await fetchList([urlOf(url), urlOf(`${url}/2`)], {
    allowPrivate: true,
    delay: 0,
    onProgress: (done, total) => progress.push(`${done}/${total}`),
  });
  expect(pages).toEqual([]);
  expect(failures.map(({ reason }) => reason)).toEqual(['robots-unreachable:http-5xx', 'robots-unreachable:http-5xx']);
  expect(asked).toEqual(['/robots.txt', '/robots.txt']);
  expect(progress).toEqual(['0/2', '1/2', '2/2', '2/2']);
});

test.concurrent('one that answers the second time is obeyed', async () => {
  const { url, asked } = await hostWithTrouble(1);
  const { pages } = await fetchList([urlOf(url)], { allowPrivate: true, delay: 0 });
  expect(pages.length).toBe(1);
  expect(asked).toEqual(['/robots.txt', '/robots.txt', '/page']);
});

test('it waits a few seconds for it, once, and not for a host that answers', async () => {
  const clock = new VirtualClock(0, true);
  const url = urlOf('http://a.example/');
  const answering = (code: 'http-5xx' | 'http-4xx', status: number): FileFetcher => ({
    fetchFile: async () => ({ kind: 'failed', code, status, retryAfter: null, ms: 1, detail: '' }),
  });
  const failing = answering('http-5xx', 503);
  const robots = impatientRobots(new RobotsCache(failing, 'Forager', clock), clock);
  await robots.load(hostKeyOf(url), new AbortController().signal);
  expect(clock.now()).toBe(2000);
  expect({ verdict: robots.verdict(url), unreachable: robots.unreachable(hostKeyOf(url)) }).toEqual({
    verdict: 'deny',
    unreachable: { until: 2000, cause: 'http-5xx' },
  });
  const absent = answering('http-4xx', 404);
  const reached = impatientRobots(new RobotsCache(absent, 'Forager', clock), clock);
  await reached.load(hostKeyOf(url), new AbortController().signal);
  expect({ now: clock.now(), unreachable: reached.unreachable(hostKeyOf(url)) }).toEqual({ now: 2000, unreachable: null });
});
