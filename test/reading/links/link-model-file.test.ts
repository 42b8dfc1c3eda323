import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScorableLink } from '../../../src/base/core/parts/scoring.ts';
import { Apprentice, readLinkModel } from '../../../src/reading/links/apprentice.ts';
import { encodeLinkModel } from '../../../src/reading/links/link-model-file.ts';
import { NO_TEXT, referrer, urlOf } from '../../support/frontier-values.ts';

function linkOf(path: string, anchorText: string): ScorableLink {
  const of = referrer('http://a.test/from', {});
  const edge = { referrer: of, link: { ...NO_TEXT, anchorText, contextScore: 0.3 }, learnedFrom: 0 };
  return { url: urlOf(`http://a.test/${path}`), depth: 1, offTopicDepth: 0, edge };
}

function taught(lessons: number, linkModel?: ReturnType<Apprentice['linkModel']>): Apprentice {
  const scorer = new Apprentice({ threshold: 0.5, ...(linkModel && { linkModel }) });
  for (let i = 0; i < lessons; i++)
    scorer.learn(linkOf(`${i % 7}/${i}.html`, i % 2 === 0 ? 'peat moss' : 'car parts'), i % 2 === 0 ? 0.9 : 0.05);
  return scorer;
}

const CRAWLS_OWN = new Set(['yield of the place', 'yield of the referrer'] as const);

test('through a file and back: every link has the priority it had, but for what its place and its referrer have yielded', () => {
  const scorer = new Apprentice({ threshold: 0.5, without: CRAWLS_OWN });
  for (let i = 0; i < 40; i++) scorer.learn(linkOf(`${i}.html`, i % 3 === 0 ? 'peat' : 'cars'), i % 3 === 0 ? 1 : 0);
  const again = readLinkModel(encodeLinkModel(scorer.linkModel(), 'test'), 'm.gz');
  const other = new Apprentice({ threshold: 0.5, without: CRAWLS_OWN, linkModel: again });
  fc.assert(
    fc.property(fc.webPath(), fc.string({ maxLength: 40 }), (path, anchorText) => {
      const link = linkOf(encodeURI(path), anchorText);
      expect(other.score([link])[0]).toBe(scorer.score([link])[0]);
    }),
  );
  expect(again.lessons).toBe(40);
});

test('lessons add up over crawls; nothing learned later changes the model given', () => {
  const first = taught(30).linkModel();
  const before = first.weights.slice();
  expect(taught(12, first).linkModel().lessons).toBe(42);
  expect(first.weights).toEqual(before);
});

test('what begins with a link model knows more than what does not', () => {
  const moss = linkOf('new.html', 'peat moss');
  const cars = linkOf('new.html', 'car parts');
  const gap = (scorer: Apprentice) => (scorer.score([moss])[0] ?? 0) - (scorer.score([cars])[0] ?? 0);
  expect(gap(new Apprentice({ threshold: 0.5 }))).toBe(0);
  expect(gap(new Apprentice({ threshold: 0.5, linkModel: taught(40).linkModel() }))).toBeGreaterThan(0.2);
});

test('damaged files are refused by name', () => {
  const whole = encodeLinkModel(taught(20).linkModel(), 'test');
  const refused = (bytes: Uint8Array) => expect(() => readLinkModel(bytes, 'links.gz')).toThrow(/^links\.gz: is /);
  refused(whole.subarray(0, whole.length - 20));
  refused(Buffer.from('no gzip'));
  refused(gzipSync('{"header":"something else"}'));
  refused(gzipSync('not json'));
  const changed = (change: (file: Record<string, unknown>) => object) =>
    gzipSync(JSON.stringify(change(JSON.parse(gunzipSync(whole).toString()) as Record<string, unknown>)));
  refused(changed((file) => ({ ...file, format: 9 })));
  refused(changed((file) => ({ ...file, buckets: 8 })));
  refused(changed((file) => ({ ...file, weights: 'AAAA' })));
  refused(changed((file) => ({ ...file, places: Buffer.from(new Uint32Array(20).fill(2 ** 30).buffer).toString('base64') })));
});
