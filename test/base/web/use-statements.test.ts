import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parseDictionary } from 'structured-headers';
import { describe, expect, test } from 'vitest';
import { MAX_STATEMENT_CHARS, signalSense, usageSense, writtenStatement } from '../../../src/base/web/use-statements.ts';
import { combinedUses } from '../../../src/base/web/use-words.ts';
import { expectWithin } from '../../support/cpu-time.ts';

const [ALLOW, DISALLOW] = ['allow', 'disallow'] as const;
const NOTHING = { understood: false, uses: {} };
const understood = (uses: object) => ({ understood: true, uses });

describe('Content-Usage, draft-ietf-aipref-vocab', () => {
  test.each([
    ['train-ai=n', understood({ 'train-ai': DISALLOW })],
    ['train-ai=y', understood({ 'train-ai': ALLOW })],
    ['search=y, train-ai=n', understood({ search: ALLOW, 'train-ai': DISALLOW })],
    ['  train-ai=n\t,\tsearch=n ', understood({ 'train-ai': DISALLOW, search: DISALLOW })],
    ['train-ai=n;x=1, foo=y', understood({ 'train-ai': DISALLOW })],
    ['train-ai=n, train-ai=y', understood({ 'train-ai': ALLOW })],
    ['train-ai=y, train-ai', NOTHING],
    ['train-ai', NOTHING],
    ['train-ai=?0', NOTHING],
    ['train-ai="n"', NOTHING],
    ['train-ai=N', NOTHING],
    ['train-ai=0', NOTHING],
    ['train-ai=(n)', NOTHING],
    ['train-ai;v=1=n', NOTHING],
    ['Train-AI=n', NOTHING],
    ['train-ai=n,', NOTHING],
    ['train-ai=n; ü', NOTHING],
    ['foo=y', NOTHING],
    ['', NOTHING],
    ['constructor=y, __proto__=n', NOTHING],
  ])('%j', (written, sense) => {
    expect(usageSense(written)).toEqual(sense);
  });
});

describe('Content-Signal', () => {
  test.each([
    ['search=yes, ai-input=no, ai-train=no', understood({ search: ALLOW, 'ai-input': DISALLOW, 'train-ai': DISALLOW })],
    ['search=yes,ai-train=no', understood({ search: ALLOW, 'train-ai': DISALLOW })],
    [' AI-Train = No ', understood({ 'train-ai': DISALLOW })],
    ['ai-train=no, ai-train=yes', understood({ 'train-ai': DISALLOW })],
    ['ai-train=no, use=reference', understood({ 'train-ai': DISALLOW })],
    ['use=immediate', NOTHING],
    ['/x ai-train=no', NOTHING],
    ['ai-train', NOTHING],
    ['ai-train=maybe', NOTHING],
    ['', NOTHING],
  ])('%j', (written, sense) => {
    expect(signalSense(written)).toEqual(sense);
  });
});

test('of several statements any disallow disallows, else any allow allows', () => {
  expect(combinedUses([{ 'train-ai': ALLOW }, { 'train-ai': DISALLOW, search: ALLOW }, { 'train-ai': ALLOW }])).toEqual({
    'train-ai': DISALLOW,
    search: ALLOW,
  });
  expect(combinedUses([])).toEqual({});
});

test('a statement that is too long is cut, and not understood', () => {
  const written = `train-ai=n, ${'a=y, '.repeat(MAX_STATEMENT_CHARS)}b=y`;
  const stated = writtenStatement({ protocol: 'content-usage', from: 'header', path: null }, written, usageSense);
  expect(stated).toMatchObject({ ...NOTHING, path: null });
  expect(stated.statement).toBe(written.slice(0, MAX_STATEMENT_CHARS));
});

test('any value has a sense, without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (written) => {
      for (const sense of [usageSense(written), signalSense(written)]) expect(Object.keys(sense.uses).length > 0).toBe(sense.understood);
    }),
    { numRuns: 500 },
  );
});

test('the time for a long value is linear', () => {
  const values = ['train-ai=', ' ', ',', '"', '(', ';a', '=n,', '?0'].map((piece) => piece.repeat(200_000 / piece.length));
  expectWithin(1500, () => {
    for (const value of values) [usageSense(value), signalSense(value)];
  });
});

const VECTORS = new URL('../../../../shared/data/rights/', import.meta.url);
test.skipIf(!existsSync(VECTORS))('RFC 9651 §3.2: the vectors of the working group for dictionaries', () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const name of ['dictionary', 'param-dict', 'examples']) {
    for (const vector of JSON.parse(readFileSync(new URL(`sf-${name}.json`, VECTORS), 'utf8')) as Vector[]) {
      if (vector.header_type !== 'dictionary') continue;
      seen += 1;
      const keys = keysOf(vector.raw.join(', '));
      if (vector.must_fail ? keys !== null : keys?.join() !== vector.expected?.map(([key]) => key).join()) wrong.push(vector.name);
    }
  }
  expect([wrong, seen > 40]).toEqual([[], true]);
});

interface Vector {
  readonly name: string;
  readonly raw: readonly string[];
  readonly header_type: string;
  readonly expected?: readonly [string, unknown][];
  readonly must_fail?: boolean;
}

function keysOf(written: string): readonly string[] | null {
  try {
    return [...parseDictionary(written).keys()];
  } catch {
    return null;
  }
}
