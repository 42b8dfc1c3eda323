import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { checkSeeds } from '../../../src/faces/app/init-project.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A host on an address and port of its own. */
async function serve(robots: (path: string) => { readonly to: string } | { readonly text: string }): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const answer = robots(url);
    if ('to' in answer) response.writeHead(302, { location: answer.to }).end();
    else response.end(answer.text);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('hosts of seeds whose robots.txt redirects: one request at a time for the host it leads to, whose rules decide', async () => {
  const asked: { readonly path: string; readonly at: number }[] = [];
  const target = await serve((path) => {
    asked.push({ path, at: performance.now() });
    return { text: path === '/robots.txt' ? 'User-agent: *\nDisallow: /closed' : 'User-agent: *\nDisallow: /none' };
  });
  const paths = ['/rules', '/closed', '/robots.txt'];
  const seeds = await Promise.all(paths.map((path) => serve(() => ({ to: target + path }))));
  const found = await checkSeeds(
    seeds.map((host) => `${host}/page`),
    { allowPrivate: true },
  );
  expect(found.map(({ state, cause }) => [state, cause])).toEqual([
    ['allowed', ''],
    ['unreachable', 'robots'],
    ['allowed', ''],
  ]);
  expect(asked.map(({ path }) => path)).toEqual(['/robots.txt', '/rules']);
  expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(1000);
});
