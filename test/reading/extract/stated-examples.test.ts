/**
 * Statements about use: the examples of their texts, and random ones, by Forager and by the second reader of test/oracle, which another hand wrote from
 * the texts alone.
 */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StatedUses } from '../../../src/base/core/types.ts';
import { parseRobots } from '../../../src/base/web/robots.ts';
import { signalSense, usageSense } from '../../../src/base/web/use-statements.ts';
import { usesByTerms } from '../../../src/base/web/use-terms.ts';
import { combinedUses } from '../../../src/base/web/use-words.ts';
import { readRslTerms } from '../../../src/reading/extract/rsl-reader.ts';
import { fieldDictionary } from '../../oracle/field-dictionary.ts';
import { licencePreferences } from '../../oracle/licence-terms.ts';
import { LICENCE_EXAMPLES, ROBOTS_EXAMPLES, SIGNAL_EXAMPLES, USAGE_EXAMPLES } from '../../oracle/stated-examples.ts';
import {
  combined,
  type Preferences,
  type Stated,
  signalPreferences,
  statedByRobots,
  usagePreferences,
} from '../../oracle/stated-preferences.ts';
import { runs } from '../../support/extent.ts';
import { urlOf } from '../../support/frontier-values.ts';

const RUNS = { numRuns: runs(5000) };
const PAGE = 'https://example.com/x';

test.each(USAGE_EXAMPLES)('Content-Usage, $source: $value', ({ value, preferences }) => {
  expect([usageSense(value).uses, usagePreferences(value)]).toEqual([preferences, preferences]);
});

test.each(SIGNAL_EXAMPLES)('Content-Signal, $source: $value', ({ value, preferences }) => {
  expect([signalSense(value).uses, signalPreferences(value)]).toEqual([preferences, preferences]);
});

test.each(ROBOTS_EXAMPLES)('robots.txt, $source: $path', ({ file, token = 'Forager', path, preferences, licence }) => {
  for (const { uses, stated } of [ours(file, token, path), theirs(file, token, path)]) {
    expect(uses).toEqual(preferences);
    expect(stated.filter(([protocol]) => protocol === 'rsl').map(([, words]) => words)).toEqual(licence === undefined ? [] : [licence]);
  }
});

test.each(LICENCE_EXAMPLES)('RSL, $source', ({ document, page = PAGE, preferences }) => {
  expect([usesOf(document, page), licencePreferences(document, new URL(page))]).toEqual([preferences, preferences]);
});

const usesOf = (document: string, page: string): StatedUses | null => usesByTerms(readRslTerms(document), urlOf(page));

/** Statements of a robots.txt that state something, and their sense together. */
interface Reading {
  readonly uses: Preferences;
  readonly stated: readonly (readonly [protocol: string, words: string, path: string | null, sense: Preferences])[];
}

function ours(file: string, token: string, path: string): Reading {
  const stated = parseRobots(file, token).statements(path);
  const understood = stated
    .filter((one) => one.understood)
    .map((one) => [one.protocol, one.statement, one.path, one.uses as Preferences] as const);
  return { uses: combinedUses(stated.map(({ uses }) => uses)) as Preferences, stated: sorted(understood) };
}

function theirs(file: string, token: string, path: string): Reading {
  const bytes = Buffer.from(file).toString('latin1');
  const text = (words: string) => Buffer.from(words, 'latin1').toString();
  const found = statedByRobots(bytes, token, path).map(
    (one: Stated) => [one.protocol, text(one.words), one.path === null ? null : text(one.path), one.preferences] as const,
  );
  return { uses: combined(found.map(([, , , preferences]) => preferences)), stated: sorted(found) };
}

function sorted(stated: Reading['stated']): Reading['stated'] {
  return stated.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const FIELD_PIECES = [
  'train-ai',
  'search',
  'ai-use',
  'Train-AI',
  'foo',
  '=',
  '=',
  'y',
  'n',
  'Y',
  ',',
  ', ',
  ' ',
  '\t',
  ';',
  ';a=1',
  ';b',
  '"',
  '"n"',
  '?1',
  '?0',
  '1',
  '-2.5',
  '1.',
  '(',
  ')',
  '(y n)',
  ':aGk=:',
  '@12',
  '%"a%c3%bc"',
  '*',
  'ü',
];

test('random values of Content-Usage have one sense', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...FIELD_PIECES), { maxLength: 14 }), (pieces) => {
      const value = pieces.join('').trim();
      expect(usageSense(value).uses).toEqual(usagePreferences(Buffer.from(value).toString('latin1')));
    }),
    RUNS,
  );
});

const member = fc.tuple(
  fc.constantFrom('train-ai', 'search', 'ai-use', 'x'),
  fc.constantFrom('=y', '=n', '', '="n"', '=y;a="="', '=n;b', ';n', '=?0', '=(n)', '=1.5'),
);
const usageValue = fc.array(member, { maxLength: 4 }).map((members) => members.map((pair) => pair.join('')).join(', '));
const signal = fc.tuple(
  fc.constantFrom('search', 'ai-input', 'ai-train', 'use', ''),
  fc.constantFrom('=yes', '=no', ' = No', '=maybe', '', '=no=yes'),
);
const signalValue = fc.array(signal, { maxLength: 4 }).map((signals) => signals.map((pair) => pair.join('')).join(','));

test('random dictionaries and signals have one sense', () => {
  fc.assert(
    fc.property(usageValue, signalValue, (usage, signals) => {
      expect(usageSense(usage).uses).toEqual(usagePreferences(usage));
      expect(signalSense(signals).uses).toEqual(signalPreferences(signals));
    }),
    RUNS,
  );
});

const PATHS = [
  '',
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a*',
  '/*b',
  '/a/b$',
  '/a$',
  '/%61',
  '/ü',
  '/%C3%BC',
  '/%c3%bc',
  '/a%20b',
  '/*.pdf$',
  '/a?q=1',
  '/**',
  '/%2A',
  '/A',
  '/never',
];
const TARGETS = ['/', '/a', '/a/', '/a/b', '/a/bc', '/%C3%BC', '/a%20b', '/x.pdf', '/x.pdfx', '/a?q=1', '/*', '/$', '/A/b', '/never/a'];
const path = fc.constantFrom(...PATHS);
const blank = fc.constantFrom('', ' ', '\t', '  ');
const line = fc.oneof(
  fc.constantFrom(
    '',
    '# User-agent: Forager',
    'Sitemap: https://h.example/s.xml',
    'Crawl-delay: 2',
    'Unknown: x',
    'User-agent: other',
    'User-agent: *',
    'User-agent: Forager',
    'user-AGENT : forager',
    'License: https://h.example/l.xml',
    'license:/l.xml',
    'License:',
  ),
  fc.tuple(fc.constantFrom('Allow', 'Disallow', 'disallow '), path).map(([rule, where]) => `${rule}: ${where}`),
  fc
    .tuple(blank, path, fc.constantFrom(' ', '\t'), usageValue, fc.constantFrom('', ' # note', '#n'))
    .map(([before, where, gap, value, note]) => `${before}Content-Usage:${before}${where}${where === '' ? '' : gap}${value}${note}`),
  fc.tuple(blank, signalValue).map(([before, value]) => `Content-${before === '' ? 's' : 'S'}ignal${before}:${value}`),
);

test('random files of robots.txt state the same for each page', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 14 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom(...TARGETS),
      (lines, end, target) => {
        const file = lines.join(end);
        expect(ours(file, 'Forager', target)).toEqual(theirs(file, 'Forager', target));
      },
    ),
    RUNS,
  );
});

const words = fc.array(fc.constantFrom('all', 'ai-all', 'ai-train', 'ai-input', 'ai-index', 'search', 'train-ai', 'ai-use', 'dream'), {
  maxLength: 3,
});
const list = fc
  .tuple(
    fc.constantFrom('permits', 'prohibits'),
    fc.constantFrom('usage', 'usage', 'usage', 'user', 'geo'),
    words,
    fc.constantFrom(' ', ',', '\n'),
  )
  .map(([name, type, all, gap]) => `<p:${name} type="${type}">${all.join(gap)}</p:${name}>`);
const payment = fc
  .constantFrom('free', 'attribution', 'crawl', 'use', 'subscription', 'contribution')
  .map((type) => `<p:payment type='${type}'/>`);
const others = fc.constantFrom(
  '',
  '<!-- <p:prohibits type="usage">all</p:prohibits> -->',
  '<p:legal type="warranty">ownership &amp; no</p:legal>',
  '<x:prohibits type="usage">all</x:prohibits>',
  '<![CDATA[ < ]]>',
);
const oneLicence = fc
  .array(fc.oneof(list, list, payment, others), { maxLength: 4 })
  .map((parts) => `<p:license>${parts.join('')}</p:license>`);
const address = fc
  .tuple(
    fc.constantFrom('', '', 'https://example.com', 'https://other.example', 'HTTPS://EXAMPLE.com'),
    fc.constantFrom('/', '/a', '/a/*', '/*b$', '/%61/b', '/a?q=1&amp;r=2'),
  )
  .map((both) => both.join(''));
const oneContent = fc
  .tuple(address, fc.constantFrom('', '', ' server="https://s.example"', ' encrypted="true"'), fc.array(oneLicence, { maxLength: 3 }))
  .map(([url, more, licences]) => `<p:content url="${url}"${more}>${licences.join('\n')}</p:content>`);
/** Documents in the three spellings: a prefix, none, a feed. */
const document = fc.tuple(fc.array(oneContent, { maxLength: 4 }), fc.constantFrom('p:', '', 'feed')).map(([contents, spelling]) => {
  const inner = contents.join('').replace(/<x:.*?<\/x:\w+>/g, '<x:prohibits xmlns:x="urn:x" type="usage">all</x:prohibits>');
  if (spelling === 'feed')
    return `<?xml version="1.0"?><rss xmlns:p="https://rslstandard.org/rsl"><channel><item>${inner}</item></channel></rss>`;
  const named = inner.replace(/(<\/?)p:/g, `$1${spelling}`);
  return `<${spelling}rsl xmlns${spelling === '' ? '' : ':p'}="https://rslstandard.org/rsl">${named}</${spelling}rsl>`;
});

test('random documents of RSL state the same for each page', () => {
  const pages = [
    'https://example.com/',
    'https://example.com/a',
    'https://example.com/a/b',
    'https://example.com/a?q=1&r=2',
    'https://other.example/a/xb',
  ];
  fc.assert(
    fc.property(document, fc.constantFrom(...pages), (xml, page) => {
      expect(usesOf(xml, page)).toEqual(licencePreferences(xml, new URL(page)));
    }),
    RUNS,
  );
});

const VECTORS = new URL('../../../../shared/data/rights/', import.meta.url);
test.skipIf(!existsSync(VECTORS))('the second reader passes the vectors of RFC 9651 for dictionaries', () => {
  const wrong: string[] = [];
  for (const name of ['dictionary', 'param-dict', 'examples']) {
    for (const vector of JSON.parse(readFileSync(new URL(`sf-${name}.json`, VECTORS), 'utf8')) as Vector[]) {
      if (vector.header_type !== 'dictionary') continue;
      const keys = [...(fieldDictionary(vector.raw.join(', '))?.keys() ?? ['fails'])];
      if (keys.join() !== (vector.must_fail ? 'fails' : vector.expected?.map(([key]) => key).join())) wrong.push(vector.name);
    }
  }
  expect(wrong).toEqual([]);
});

interface Vector {
  readonly name: string;
  readonly raw: readonly string[];
  readonly header_type: string;
  readonly expected?: readonly [string, unknown][];
  readonly must_fail?: boolean;
}
