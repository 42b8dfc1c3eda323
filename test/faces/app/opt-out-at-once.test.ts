/** A host that joins the opt-out list while the crawl runs, by the log of the server. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { crawl, status } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { htmlAnswer, notFound, type PageAnswer, type PageSource } from '../../../datasets/page-source.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
afterAll(() => small.close());

const [OUT, OTHER, BORROWS] = ['out.example', 'other.example', 'borrows.example'];
/** The request of the host during which its owner is put on the list. */
const AT = 7;
const PAGES = 25;

interface Web {
  readonly source: PageSource;
  /** Hosts and paths of the requests after the line was written. */
  readonly after: string[];
}

/** Pages of one host link to the other, redirect to it, and a third host has its robots.txt there. */
function webOf(list: string): Web {
  const after: string[] = [];
  let asked = 0;
  const get = (host: string, path: string): PageAnswer => {
    if (asked >= AT) after.push(`${host}${path}`);
    if (host === OUT && ++asked === AT) appendFileSync(list, `${OUT}\n`);
    if (path === '/robots.txt')
      return host === BORROWS
        ? redirect(`http://${OUT}/rules.txt`)
        : { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('') };
    if (path.startsWith('/to/')) return redirect(`http://${OUT}${path}`);
    const number = /^\/(?:from-)?(\d+)$/.exec(path)?.[1];
    if (number === undefined) return notFound();
    const next = Number(number) + 1;
    const links = [`http://${host}/${next}`, `http://${OTHER}/${next}`, `http://${OUT}/from-${next}`, `http://${OTHER}/to/${next}`];
    if (next === PAGES) links.push(`http://${BORROWS}/0`);
    return htmlAnswer(
      `<title>${host}${path}</title><p>Page ${path} of ${host}.</p>${next > PAGES ? '' : links.map((url) => `<a href="${url}">${url}</a> `).join('')}`,
    );
  };
  return { source: { get }, after };
}

function redirect(location: string): PageAnswer {
  return { status: 302, headers: { location }, body: Buffer.from('') };
}

test('no request goes to a host after it was put on the list: no page, no robots.txt, no target of a redirect', async () => {
  const list = small.path('added.txt');
  writeFileSync(list, '# nobody yet\n');
  const { source, after } = webOf(list);
  const web = await startWebProxy(source);
  const dir = small.path('added');
  try {
    const seeds = [`http://${OUT}/0`, `http://${OTHER}/0`];
    const options = {
      topic: await trainedOn(small),
      seeds,
      proxy: web.proxy,
      delay: 0,
      delayFactor: 0,
      optOut: list,
      concurrency: 8,
      tunnel: 4 * PAGES,
      workers: 1,
    };
    await crawl({ dir, ...options });
  } finally {
    await web.close();
  }
  expect(after.filter((line) => line.startsWith(OUT))).toEqual([]);
  // The crawl met that host in each way after that.
  for (const way of [`${OTHER}/${PAGES}`, `${OTHER}/to/${PAGES}`, `${BORROWS}/robots.txt`]) expect(after).toContain(way);
  expect((await status(dir)).reasons).toMatchObject({ 'refused:opt-out': expect.any(Number) });
});
