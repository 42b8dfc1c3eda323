/** Copies of corpus files without pages that were taken back: rendered pages, their routes and the answers to their scripts. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ABSENCES_FILE, readAbsences } from '../../../src/corpus/records/absences.ts';
import { purgedCorpus } from '../../../src/corpus/records/corpus-purge.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { readKeptPages } from '../../../src/corpus/records/kept-pages.ts';
import { readRecords } from '../../../src/corpus/records/records.ts';
import { Withdrawals, withdrawalOf } from '../../../src/corpus/records/withdrawals.ts';
import { filesWith } from '../../support/words-in-files.ts';
import { appendRendered, appScript, fileOf, type RenderedSample, renderedOf, SHELL } from './rendered-samples.ts';
import { collected, freshDir, INFO, pageOf, recordOf, urlOf } from './samples.ts';
import { readBack } from './warcio-oracle.ts';

const HOST = 'http://orchard.example/';

/** Texts of the pages that a purged corpus still has, by their URLs; undefined for a record without its WARC records. */
async function purged(samples: readonly RenderedSample[], ...gone: readonly string[]) {
  const [from, to] = [join(freshDir(), 'from'), join(freshDir(), 'to')];
  mkdirSync(to);
  const writer = await FileCorpusWriter.open(from, null, INFO);
  appendRendered(writer, samples);
  // Each page is found unchanged once.
  for (const { record, page } of samples)
    writer.append({ kind: 'revisit', record: { profile: 'identical-payload-digest', of: record.id, stored: null }, page });
  await writer.close();
  const withdrawals = new Withdrawals(
    samples.flatMap(({ record }) => (gone.includes(record.url) ? [withdrawalOf(record, '2026-01-01T00:00:00Z', 'asked')] : [])),
  );
  const sizes = await purgedCorpus(from, to, writer.offsets(), withdrawals);
  const bodies = new Map((await collected(readKeptPages(to, sizes))).map(({ recordId, body }) => [recordId, Buffer.from(body).toString()]));
  const records = await collected(readRecords(to));
  const warc = await readBack(join(to, 'forager-00000.warc.gz'));
  return {
    to,
    records,
    texts: records.map(({ id, url }) => [url.slice(HOST.length), bodies.get(id)?.match(/<p>(.*)<\/p>/)?.[1]]),
    responses: bodies.size,
    kinds: warc.map(({ type, fields }) => `${type} ${fields.get('warc-target-uri') ?? ''}`),
    revisits: warc.flatMap(({ type, fields }) => (type === 'revisit' ? [fields.get('warc-refers-to')?.slice(1, -1)] : [])),
  };
}

const routes = () => {
  const script = appScript();
  return [renderedOf('', 'Home zymurg.', script), renderedOf('#/apple', 'Apple quixot.', script), renderedOf('#/pear', 'Pear.', script)];
};

test('a route leaves without the pages that have its response’s URL', async () => {
  const samples = routes();
  const { to, texts, responses, revisits } = await purged(samples, `${HOST}#/apple`);
  expect(texts).toEqual([
    ['', 'Home zymurg.'],
    ['#/pear', 'Pear.'],
  ]);
  expect(responses).toBe(2);
  expect(revisits).toEqual([samples[0]?.record.id, samples[2]?.record.id]);
  expect(await filesWith(to, 'quixot')).toEqual([]);
});

test('a rendered page leaves, and the routes under its URL stay with their responses and revisits', async () => {
  const samples = routes();
  const { to, texts, responses, revisits } = await purged(samples, HOST);
  expect(texts).toEqual([
    ['#/apple', 'Apple quixot.'],
    ['#/pear', 'Pear.'],
  ]);
  expect(responses).toBe(2);
  expect(revisits).toEqual([samples[1]?.record.id, samples[2]?.record.id]);
  expect(await filesWith(to, 'zymurg')).toEqual([]);
});

test('a page that was kept as it was sent leaves with the responses of its routes: they have its text', async () => {
  const [, apple] = routes();
  if (apple === undefined) throw new Error('no sample');
  const page = pageOf(HOST, `<p>Home zymurg.</p>${SHELL}`);
  const withText = { ...apple, page: { ...apple.page, body: page.body, wireBody: page.body } };
  const { document: _, ...home } = { ...apple, page, record: recordOf(page) };
  const { to, texts } = await purged([home as RenderedSample, withText], HOST);
  expect(texts).toEqual([['#/apple', undefined]]);
  expect(await filesWith(to, 'zymurg')).toEqual([]);
});

test('a page that a script of another page asked for leaves there too, and the other page no longer names it', async () => {
  const script = appScript();
  const apple = renderedOf('apple', 'Apple quixot.', script);
  const pear = renderedOf('pear', 'Pear.', script);
  const part = fileOf(`${HOST}apple`, 'text/html', '<p>Apple quixot, in part.</p>');
  const samples = [apple, { ...pear, document: { ...pear.document, resources: [...pear.document.resources, part] } }];
  const { to, records, texts, kinds } = await purged(samples, `${HOST}apple`);
  expect(texts).toEqual([['pear', 'Pear.']]);
  expect(await filesWith(to, 'quixot')).toEqual([]);
  expect(records[0]?.rendering?.resources).toHaveLength(2);
  // The first page brought the script that both need.
  expect(kinds.filter((kind) => kind.startsWith('response'))).toEqual(
    ['app.js', 'pear', 'api/pear'].map((name) => `response ${HOST}${name}`),
  );
});

test('absences of a page that was taken back leave, and a page that moved to it no longer names it', async () => {
  const [from, to] = [join(freshDir(), 'from'), join(freshDir(), 'to')];
  mkdirSync(to);
  const writer = await FileCorpusWriter.open(from, null, INFO);
  const [apple, pear] = [recordOf(pageOf(`${HOST}zymurg`, 'apple')), recordOf(pageOf(`${HOST}pear`, 'pear'))];
  const at = '2026-10-01T10:00:00.000Z';
  const gone = { url: apple.url, at, status: 410, state: 'gone', to: null, recordId: apple.id } as const;
  const moved = { url: pear.url, at, status: 301, state: 'moved', to: apple.url, recordId: pear.id } as const;
  for (const absence of [gone, moved, { ...moved, state: 'back', status: 200, to: null } as const])
    writer.append({ kind: 'absence', absence });
  await writer.close();
  const sizes = await purgedCorpus(from, to, writer.offsets(), new Withdrawals([withdrawalOf(apple, '2026-11-01T00:00:00Z', 'asked')]));
  expect((await collected(readAbsences(to, sizes[ABSENCES_FILE] ?? 0))).map(({ url, state, to: target }) => [url, state, target])).toEqual([
    [pear.url, 'moved', null],
    [pear.url, 'back', null],
  ]);
  expect(await filesWith(to, 'zymurg')).toEqual([]);
});

test('an alternate of a page that was taken back stays, and no longer names it', async () => {
  const [apple, pear] = [renderedOf('apple', 'Apple.', appScript()), renderedOf('pear', 'Pear.', appScript())];
  const alternateOf = (sample: RenderedSample, url: string): RenderedSample => ({
    ...sample,
    record: { ...sample.record, alternateOf: urlOf(url) },
  });
  const gone = renderedOf('zymurg', 'Gone.', appScript());
  const { to, records } = await purged([gone, alternateOf(apple, gone.record.url), alternateOf(pear, `${HOST}apple`)], gone.record.url);
  expect(records.map(({ url, alternateOf: of }) => [url, of])).toEqual([
    [`${HOST}apple`, undefined],
    [`${HOST}pear`, `${HOST}apple`],
  ]);
  expect(await filesWith(to, 'zymurg')).toEqual([]);
});
