import { readFileSync } from 'node:fs';
import type { CorpusRecord } from 'forager';
import { crawl, records } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { done } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
afterAll(() => small.close());

const HOST = 'http://kilns.example';
/** What its page alone leaves out: one word, behind links. */
const LOST = 'Unfired';
const NAMES = ['anagama', 'noborigama', 'raku', 'bottle', 'tunnel', 'clamp'];

/** Pages on the topic, each with a note after its lists of links; that of the last one is a word. */
const pages = new Map(
  NAMES.map((name, i) => {
    const example = small.web.examples(small.topic, NAMES.length)[i] ?? '';
    const paragraphs = (example.match(/<p>.*?<\/p>/gs) ?? []).map((p) => p.replaceAll(/<[^>]*>/g, ''));
    const body = paragraphs.map((p) => `<p>${p}</p>`).join('');
    const note = name === NAMES.at(-1) ? LOST : `${paragraphs[2]} ${paragraphs[3]}`;
    const links = NAMES.map((other) => `<li><a href="/${other}">${other}</a></li>`).join('');
    const html = `<!doctype html><title>${name}</title><main>${body}<div class="firing"><p class="ash">${note}</p></div></main><ul>${links}</ul>`;
    return [`${HOST}/${name}`, html] as const;
  }),
);

async function crawled(name: string, seeds: readonly string[]): Promise<ReadonlyMap<string, CorpusRecord>> {
  const { proxy } = await small.serve({ extra: pages });
  const dir = small.path(name);
  await crawl({ dir, topic: await trainedOn(small), seeds, proxy, delay: 0, maxPages: 12, scope: ['host:kilns.example'] });
  await done('harvest', dir, '--out', small.path(`${name}-corpus`), '--dedupe', 'none');
  const rows = readFileSync(small.path(`${name}-corpus`, 'corpus.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return new Map(rows.map((row) => JSON.parse(row) as CorpusRecord).map((record) => [record.url, record]));
}

test('siblings bring back a block, in each order of visits, in harvest, library and why', async () => {
  const seeds = [...pages.keys()];
  const first = await crawled('first', seeds);
  const second = await crawled('second', seeds.toReversed());
  const texts = (corpus: ReadonlyMap<string, CorpusRecord>) => seeds.map((url) => corpus.get(url)?.text);
  expect(texts(first)).toEqual(texts(second));
  const url = seeds.at(-1) ?? '';
  expect(first.get(url)?.text.split('\n')).toContain(LOST);
  expect(first.get(url)).not.toHaveProperty('votes');

  for await (const record of records(small.path('first'))) expect(record.text).toBe(first.get(record.url)?.text);

  const why = await done('why', small.path('first'), url);
  expect(why).toContain(`rule siblings changes 1 block of its text in a harvest:\n    + ${LOST}  (5 of 6 pages keep theirs)`);
});
