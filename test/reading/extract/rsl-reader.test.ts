import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usesByTerms } from '../../../src/base/web/use-terms.ts';
import { readRslTerms } from '../../../src/reading/extract/rsl-reader.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { urlOf } from '../../support/frontier-values.ts';

const rsl = (contents: string) => `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl">${contents}</rsl>`;
const content = (licences: string, url = '/') => `<content url="${url}">${licences}</content>`;
const usesAt = (document: string, url = 'https://h.example/a/b') => usesByTerms(readRslTerms(document), urlOf(url));
const [ALLOW, DISALLOW] = ['allow', 'disallow'];
const none = { 'train-ai': DISALLOW, 'ai-input': DISALLOW, search: DISALLOW, mining: DISALLOW };

test.each([
  ['prohibits', '<license><prohibits type="usage">ai-train</prohibits></license>', { 'train-ai': DISALLOW }],
  ['a closed list', '<license><permits type="usage">search</permits></license>', { ...none, search: ALLOW }],
  [
    'the list of all',
    '<license><permits type="usage">all</permits></license>',
    { ...none, ...{ 'train-ai': ALLOW, 'ai-input': ALLOW, search: ALLOW, mining: ALLOW } },
  ],
  ['all uses of AI', '<license><permits type="usage">ai-all</permits></license>', { ...none, 'train-ai': ALLOW, 'ai-input': ALLOW }],
  [
    'prohibits before permits',
    '<license><permits type="usage">ai-all search</permits><prohibits type="usage">ai-train</prohibits></license>',
    { 'train-ai': DISALLOW, 'ai-input': ALLOW, search: ALLOW, mining: DISALLOW },
  ],
  ['commas', '<license><permits type="usage">search,ai-input</permits></license>', { ...none, search: ALLOW, 'ai-input': ALLOW }],
  ['money', '<license><permits type="usage">ai-train</permits><payment type="purchase"/></license>', none],
  ['money for all', '<license><payment type="crawl"><amount currency="USD">1</amount></payment></license>', none],
  [
    'a name in the card',
    '<license><permits type="usage">ai-train</permits><payment type="attribution"/></license>',
    { ...none, 'train-ai': ALLOW },
  ],
  [
    'one of two offers is free',
    '<license><permits type="usage">ai-train</permits><payment type="use"/></license><license><permits type="usage">search</permits></license>',
    { ...none, search: ALLOW },
  ],
  ['users and places are not uses', '<license><permits type="user">commercial</permits><prohibits type="geo">DE</prohibits></license>', {}],
  ['words that nobody knows', '<license><prohibits type="usage">ai-dream constructor</prohibits></license>', {}],
  ['no licence', '', {}],
])('%s', (_name, licences, uses) => {
  expect(usesAt(rsl(content(licences)))).toEqual(uses);
});

const prohibiting = (use: string, url: string) => content(`<license><prohibits type="usage">${use}</prohibits></license>`, url);
test.each([
  ['the longest pattern', prohibiting('search', '/') + prohibiting('ai-train', '/a/'), { 'train-ai': DISALLOW }],
  ['equal ones, both', prohibiting('search', '/a/') + prohibiting('ai-train', '/a/'), { search: DISALLOW, 'train-ai': DISALLOW }],
  ['wildcards', prohibiting('search', '/*b$'), { search: DISALLOW }],
  ['an address', prohibiting('search', 'https://h.example/a/*'), { search: DISALLOW }],
  ['an address of the host alone', prohibiting('search', 'https://H.example'), { search: DISALLOW }],
  ['an address of another host', prohibiting('search', 'https://other.example/'), null],
  ['no pattern', prohibiting('search', ''), null],
  ['no match', prohibiting('search', '/c'), null],
])('the part for a page: %s', (_name, contents, uses) => {
  expect(usesAt(rsl(contents))).toEqual(uses);
});

test('prefixes, CDATA, comments and entities of XML', () => {
  const document = `<r:rsl xmlns:r="https://rslstandard.org/rsl"><!-- <content url="/a"> --><r:content url="/a&amp;b">
    <r:license><r:prohibits type="usage"><![CDATA[ai-train]]></r:prohibits></r:license></r:content></r:rsl>`;
  expect(readRslTerms(Buffer.from(document))).toEqual([{ location: '/a&b', uses: { 'train-ai': DISALLOW } }]);
});

test('a file that is no RSL has no terms; a damaged one has those before the damage', () => {
  for (const other of ['', '[]', '<html><content url="/"></content></html>', 'not xml']) expect(readRslTerms(other)).toEqual([]);
  const whole = rsl(prohibiting('search', '/a') + prohibiting('ai-train', '/b'));
  expect(readRslTerms(whole.slice(0, -40)).map(({ location }) => location)).toEqual(['/a']);
  fc.assert(fc.property(fc.string(), (text) => Array.isArray(readRslTerms(`<rsl>${text}`))));
});

test('a hostile document costs linear time', () => {
  const pieces = [
    '<content url="/">',
    '<license>',
    '<permits type="usage">',
    'ai-train ',
    '<',
    '&',
    prohibiting('search', '/*'.repeat(20)),
  ];
  expectWithin(4000, () => {
    for (const piece of pieces) usesAt(rsl(piece.repeat(500_000 / piece.length)));
  });
});
