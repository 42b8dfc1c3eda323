/** Pages that a browser has rendered: what the crawl keeps of them, and what it says. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Rendering } from '../../../src/base/core/rendering.ts';
import type { RecordId, RobotsAnswer, StoredResponse } from '../../../src/base/core/types.ts';
import { pageOf } from '../../corpus/records/samples.ts';
import { type SmallCrawlOptions, type SmallPage, smallCrawl } from './small-crawl.ts';

const A = 'http://app.test/a';
const B = 'http://app.test/b';
const SHELL: SmallPage = { relevance: 0.9, body: '<div id=root></div><script src=app.js></script>' };
const ANSWER: RobotsAnswer = { host: 'http://cdn.test', fetchedAt: '2026-01-01T00:00:00.000Z', status: 404 } as unknown as RobotsAnswer;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function renderingOf(html: string | null, more: Partial<Rendering['visit']> = {}): Rendering {
  const script = pageOf('http://app.test/app.js', 'draw()');
  return {
    visit: {
      ms: 340,
      requests: 1,
      bytes: 6,
      because: 'shell',
      text: [0, html?.length ?? null],
      links: [0, 1],
      used: html !== null,
      ...more,
    },
    document: html === null ? null : { html: Buffer.from(html), resources: [script] },
    answers: [{ kind: 'robots', answer: ANSWER, page: null }],
  };
}
const shell = (html: string | null, more: Partial<SmallPage> = {}): SmallPage => ({ ...SHELL, rendering: renderingOf(html), ...more });

test('a page is kept by its rendered document: two with one shell are no copies, and two with one document are', async () => {
  const web = { [A]: shell('<p>a'), [B]: shell('<p>b'), 'http://app.test/c': shell('<p>a') };
  const run = await smallCrawl({ web, seeds: Object.keys(web) });
  expect(run.records.map(({ url, payloadSha256, rendered }) => [url, payloadSha256, rendered])).toEqual([
    [A, sha256('<p>a'), { ms: 340, requests: 1, bytes: 6 }],
    [B, sha256('<p>b'), { ms: 340, requests: 1, bytes: 6 }],
  ]);
  expect([...run.documents.values()].map(({ html }) => Buffer.from(html).toString())).toEqual(['<p>a', '<p>b']);
  expect(run.fate('http://app.test/c')).toMatchObject({ state: 'duplicate', reason: { of: A }, payloadSha256: sha256('<p>a') });
  expect(run.recorded.map((visit) => visit.kind === 'page' && visit.content.payloadSha256)).toEqual(['<p>a', '<p>b', '<p>a'].map(sha256));
});

test('a page that stands as the server sent it is kept by that, and its fate tells of the browser', async () => {
  const rendering = renderingOf(null, { trouble: 'render-crash' });
  const run = await smallCrawl({ web: { [A]: { ...SHELL, rendering } }, seeds: [A] });
  expect(run.records[0]).toMatchObject({ payloadSha256: sha256(SHELL.body ?? '') });
  expect(run.records[0]).not.toHaveProperty('rendered');
  expect(run.documents.size).toBe(0);
  expect(run.fate(A)?.rendered).toEqual(rendering.visit);
});

test.each([
  ['off-topic', { relevance: 0.1 }],
  ['refused', { noindex: true }],
  ['refused', { wall: 'login' }],
  ['kept', {}],
] as const)('the fate of a page that is %s has the rendering, and answers about robots.txt are stored', async (state, more) => {
  const run = await smallCrawl({ web: { [A]: shell('<p>a', more) }, seeds: [A] });
  expect(run.fate(A)).toMatchObject({ state, rendered: renderingOf('<p>a').visit });
  expect(run.robotsAnswers).toEqual([ANSWER]);
  expect((await smallCrawl({ web: { [A]: { relevance: 0.9 } }, seeds: [A] })).fate(A)).not.toHaveProperty('rendered');
});

const STORED: StoredResponse = { etag: null, lastModified: null, date: '2026-01-01T00:00:00Z', payloadDigest: 'sha1:X', rendered: true };
const again = (first: SmallPage, second: SmallPage, stored: SmallCrawlOptions['revisit'] = { age: 0 }) =>
  smallCrawl({ web: { [A]: [first, second] }, seeds: [A], revisit: { stored: new Map([['urn:uuid:1' as RecordId, STORED]]), ...stored } });

test('a revisit compares rendered documents: the same one is a revisit record, also under another shell, and another one is a version', async () => {
  const other = '<div id=root></div><script src=app-2.js></script>';
  for (const body of [SHELL.body ?? '', other]) {
    const same = await again(shell('<p>a'), shell('<p>a', { body }));
    expect(same.again).toMatchObject([{ profile: 'identical-payload-digest', of: 'urn:uuid:1', stored: STORED }]);
    expect(same.line(A).revisit).toMatchObject({ result: 'same', version: null });
    expect([same.records.length, same.robotsAnswers.length]).toEqual([1, 2]);
  }
  const changed = await again(shell('<p>a'), shell('<p>another'));
  expect(changed.again).toEqual([]);
  expect(changed.line(A).revisit).toMatchObject({ result: 'changed', version: { payloadSha256: sha256('<p>another') } });
  expect([...changed.documents.values()].map(({ html }) => Buffer.from(html).toString())).toEqual(['<p>a', '<p>another']);
});

test.each([
  ['the browser crashed', { ...SHELL, rendering: renderingOf(null, { trouble: 'render-crash' }) }],
  ['no browser rendered it', { ...SHELL, shell: true }],
] as const)('a shell says nothing about the page that was kept by its rendered document: %s', async (_, second) => {
  const run = await again(shell('<p>a'), second);
  expect([run.records.length, run.again.length]).toEqual([1, 0]);
  expect(run.line(A)).not.toHaveProperty('revisit');
});

test('a page that no longer needs a browser gets a version as the server sent it', async () => {
  const run = await again(shell('<p>a'), { relevance: 0.9, body: '<p>all of it' });
  expect(run.line(A).revisit).toMatchObject({ result: 'changed', version: { payloadSha256: sha256('<p>all of it') } });
  expect(run.records[1]).not.toHaveProperty('rendered');
});
