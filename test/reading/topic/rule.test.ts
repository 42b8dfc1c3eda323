import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/base/core/errors.ts';
import {
  evaluateRule,
  explainRule,
  mentionsModel,
  needs,
  parseRule,
  type Rule,
  type RulePage,
  ruleText,
  withModel,
  withoutExclusions,
} from '../../../src/reading/topic/rule.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { runs } from '../../support/extent.ts';

const PAGE: RulePage = {
  url: 'https://www.example.org/Blog/2020/moss.html?a=1',
  title: 'Mosses of the Peat Bog',
  text: 'Sphagnum grows in wet habitats. Der Moorbusch, 泥炭地的苔藓.',
  language: 'en-gb',
  document: 'openapi',
};
const holds = (source: string, page: Partial<RulePage> = {}, relevance = 0.25) =>
  evaluateRule(parseRule(source), { ...PAGE, ...page }, relevance);

test.each([
  ['moss NOT game', 'moss'],
  ['moss, peat NOT game, golf', 'moss OR peat'],
  ['model AND NOT site:shop.example AND NOT lang:de', 'model'],
  ['(moss NOT game) OR (peat NOT title:golf)', 'moss OR peat'],
  ['moss AND (peat OR NOT game)', null],
  ['NOT game', null],
  ['NOT (moss NOT game)', null],
  ['url:/bog/ AND NOT (a, b) AND (c NOT d)', 'url:/bog/ AND c'],
])('%s without its NOTs that exclude: %s', (source, rest) => {
  const rule = withoutExclusions(parseRule(source));
  expect(rule && ruleText(rule)).toBe(rest);
});

test.each([
  ['peat bog, sphagnum, moss AND habitat', '("peat bog" OR sphagnum OR moss) AND habitat'],
  ['peat bog, sphagnum, moss AND NOT game', '("peat bog" OR sphagnum OR moss) AND NOT game'],
  ['a, b AND NOT c', '(a OR b) AND NOT c'],
  ['a, b NOT c, d', '(a OR b) AND NOT (c OR d)'],
  ['a, b, NOT c', '(a OR b) AND NOT c'],
  ['a, b, -c', '(a OR b) AND NOT c'],
  ['a, b, AND c', '(a OR b) AND c'],
  ['a AND b, c AND d', 'a AND (b OR c) AND d'],
  ['a, b OR c AND NOT d', 'a OR b OR (c AND NOT d)'],
  ['(a AND b), c', '(a AND b) OR c'],
  ['--a', 'a'],
  ['(a, b) AND c', '(a OR b) AND c'],
  ['a AND (b AND c) OR (d OR e)', '(a AND b AND c) OR d OR e'],
  ['peat -bog', 'peat AND NOT bog'],
  ['peat NOT bog', 'peat AND NOT bog'],
  ['-(a, b)', 'NOT (a OR b)'],
  ['NOT NOT a', 'a'],
  ['Covid-19 - wave', '"covid 19 wave"'],
  ['URL:/Blog/*.html Or, model', null],
  ['URL:/Blog/*.html OR Model', 'url:/Blog/*.html OR model'],
  ['"model", language model', '"model" OR "language model"'],
  ['title:MOSS AND title:"Peat  Bog"', 'title:moss AND title:"peat bog"'],
  ['lang:ger', 'lang:de'],
  ['TYPE:OpenAPI AND model', 'type:openapi AND model'],
  ['lang:pt-BR AND site:.Bücher.EXAMPLE', 'lang:pt AND site:xn--bcher-kva.example'],
  ['site:*.example.org', 'site:example.org'],
  ['url:"/a,b (c)/"', 'url:"/a,b (c)/"'],
  ['“peat bog”；„Moor“、«tourbière»，「泥炭」', '"peat bog" OR moor OR tourbière OR 泥炭'],
  ['a,, b ,', 'a OR b'],
  ['url:«a"b»', 'url:a%22b'],
  ['泥炭* AND 苔藓', '泥炭 AND 苔藓'],
  ['moss* AND climat* change', 'moss* AND "climat* change"'],
  ['"½" OR ½', '"½" OR "½"'],
  ['and, or', 'and OR or'],
  ['"romeo and juliet"', '"romeo and juliet"'],
])('%s is read as %s', (source, text) => {
  if (text === null) expect(() => parseRule(source)).toThrow(UsageError);
  else expect(ruleText(parseRule(source))).toBe(text);
});

test.each([
  ['', 'at character 1: a word, a "quoted phrase", a field such as url: or a parenthesis is expected here, but the rule ends'],
  ['corn AND', 'at character 9: a word'],
  ['AND corn', 'at character 1: a word'],
  ['corn AND urll:foo', 'at character 10: unknown field "urll:"; did you mean url:?'],
  ['foo:bar', 'at character 1: unknown field "foo:"; the fields are url:, title:, lang:, site: and type:'],
  ['corn OR http://example.org/', 'at character 9: "http:" begins a URL; write url: in front of it'],
  ['(corn OR (maize)', 'at character 1: this parenthesis is not closed'],
  ['corn) OR maize', 'at character 5: this parenthesis has no opening one'],
  ['(corn "maize")', 'at character 7: AND, OR, a comma or ")" is expected'],
  ['"peat bog" moss', 'at character 12: AND, OR or a comma is expected'],
  ['-peat bog', 'at character 7: AND, OR or a comma is expected'],
  ['moss, -game, bog', 'at character 12: a list cannot continue after "-"; write the excluded words last'],
  ['a, "peat bog', 'at character 4: the quotation mark is not closed'],
  ['a 」', 'at character 3: 」 has no opening mark'],
  ['corn or maize', 'at character 1: "or" is a word here; write OR, or "corn …" in quotation marks if it is one phrase'],
  ['corn OR + ', 'at character 9: "+" has no word to search for'],
  [`corn OR ${'a'.repeat(41)}`, 'at character 9: "aaaaaaaa'],
  ['url: AND corn', 'at character 1: url: has no value'],
  ['type:doc', 'type: takes a kind of document, not "doc": pdf, epub, docx, odt, openapi, wsdl, feed'],
  ['type: OR corn', 'type: has no value; write it right behind the colon, e.g. type:pdf'],
  ['lang:german', 'lang: takes a language code such as de or pt-BR, not "german"; did you mean de (German)?'],
  ['lang:jp', 'lang: takes a language code such as de or pt-BR, not "jp"'],
  ['site:http://example.org/', 'site: takes a host name such as example.org, not "http://example.org/"'],
  ['site:a..b', 'site: takes a host name'],
  ['site:ex*mple.org', 'site: takes a host name'],
  ['x'.repeat(4097), '4097 characters long; 4096 are the most'],
  [Array.from({ length: 256 }, (_, i) => `a${i}`).join(), 'has 257 words, phrases and fields, model counted; 256 are the most'],
  [`${'('.repeat(33)}a${')'.repeat(33)}`, 'at character 34: parentheses and NOTs in each other more than 32 deep'],
  [`${'-'.repeat(33)}a`, 'more than 32 deep'],
  [`"${'a '.repeat(33)}"`, 'a phrase of 33 words; 32 are the most'],
])('%s is refused in one line that says where and why', (source, why) => {
  expect(() => parseRule(source)).toThrow(UsageError);
  expect(() => parseRule(source)).toThrow(why);
  expect(() => parseRule(source)).toThrow(/^rule ".*": [^\n]*$/);
});

test('the message quotes the rule around the place', () => {
  const long = `${'corn OR '.repeat(100)}\nurll:x${' OR corn'.repeat(100)}`;
  expect(() => parseRule(long)).toThrow(/^rule "….{119,122}…": at character 802: unknown field/);
});

test.each([
  ['sphagnum', 1],
  ['peat bog', 1],
  ['peat sphagnum', 0],
  ['bog sphagnum', 0],
  ['moss', 0],
  ['moss*', 1],
  ['moss OR habitats', 1],
  ['moss AND habitats', 0],
  ['NOT moss', 1],
  ['泥炭, nothing', 1],
  ['title:sphagnum', 0],
  ['title:"mosses of" AND title:peat', 1],
  ['url:/blog/', 1],
  ['url:/blog/*.html', 0],
  ['url:/blog/*a=1', 1],
  ['url:moss.html AND -url:news', 1],
  ['url:"/蜡"', 0],
  ['site:example.org', 1],
  ['site:www.example.org AND site:.org', 1],
  ['site:ample.org OR site:www.example.org.uk', 0],
  ['lang:en', 1],
  ['lang:en-US', 1],
  ['lang:de', 0],
  ['type:openapi', 1],
  ['type:wsdl', 0],
  ['type:openapi AND model', 0.25],
  ['model AND NOT type:OpenAPI', 0],
  ['type:pdf, type:openapi', 1],
  ['model', 0.25],
  ['NOT model', 0.75],
  ['model AND lang:en', 0.25],
  ['model AND lang:de', 0],
  ['model OR url:/blog/', 1],
  ['model OR lang:de', 0.25],
])('%s is %s of the page', (source, value) => expect(holds(source)).toBe(value));

test('URLs are compared in one form of percent-encoding, and dollar and quotation mark mean themselves', () => {
  expect(holds('url:/Käse/', { url: 'https://example.org/k%c3%a4se/' })).toBe(1);
  expect(holds('url:a$', { url: 'https://example.org/?a$b' })).toBe(1);
  expect(holds('url:«a"b»', { url: 'https://example.org/?a%22b' })).toBe(1);
});

test('what is not known does not hold', () => {
  const unknown = { url: null, language: null, document: null };
  expect(holds('url:* OR site:org OR lang:en', unknown)).toBe(0);
  expect(holds('NOT lang:en', unknown)).toBe(1);
  expect(holds('type:pdf OR type:openapi', unknown)).toBe(0);
  expect(holds('site:example.org', { url: 'not a URL' })).toBe(0);
});

test('a rule says what it reads, and reads nothing else', () => {
  const refusing = (...known: (keyof RulePage)[]): RulePage =>
    Object.defineProperties(
      { ...PAGE },
      Object.fromEntries(
        (Object.keys(PAGE) as (keyof RulePage)[])
          .filter((name) => !known.includes(name))
          .map((name) => [name, { get: () => expect.fail(`${name} was read`) }]),
      ),
    );
  expect(needs(parseRule('model AND url:a OR title:b'))).toEqual({ model: true, url: true, title: true, text: false, language: false });
  expect(needs(parseRule('NOT corn, lang:en'))).toEqual({ model: false, url: false, title: true, text: true, language: true });
  expect(evaluateRule(parseRule('model AND url:a OR title:b'), refusing('url', 'title'), 0.5)).toBe(0.5);
  // The cheap atoms settle it, wherever they stand.
  expect(evaluateRule(parseRule('sphagnum AND model'), refusing(), 0)).toBe(0);
  expect(evaluateRule(parseRule('sphagnum OR site:org'), refusing('url'), 0)).toBe(1);
  expect(evaluateRule(parseRule('(sphagnum OR title:bog) AND lang:de'), refusing('language'), 0)).toBe(0);
  expect(evaluateRule(parseRule('peat bog'), refusing('title'), 0)).toBe(1);
});

test('the model is joined where it is not spoken of', () => {
  expect(ruleText(withModel(parseRule('a, b')))).toBe('model AND (a OR b)');
  expect(ruleText(withModel(parseRule('a OR NOT model')))).toBe('a OR NOT model');
  expect([mentionsModel(parseRule('"model"')), mentionsModel(parseRule('a AND -model'))]).toEqual([false, true]);
  expect(evaluateRule(withModel(parseRule('sphagnum')), PAGE, 0.25)).toBe(0.25);
});

test('every atom is explained, in order', () => {
  expect(explainRule(parseRule('moss OR NOT (lang:en AND model), title:Peat, "peat bog"'), PAGE, 0.25)).toEqual([
    { atom: 'moss', value: 0 },
    { atom: 'lang:en', value: 1 },
    { atom: 'model', value: 0.25 },
    { atom: 'title:peat', value: 1 },
    { atom: '"peat bog"', value: 1 },
  ]);
});

const WORDS = ['corn', 'peat', 'bog', 'Moss', 'ÉTUDE', '泥炭', 'x1', 'model'];
const word = fc.constantFrom(...WORDS);
const atom = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  word.map((word) => `title:${word}*`),
  fc.constantFrom('model', 'url:/a/', 'url:b*c', 'url:"(,)"', 'lang:de', 'site:.org', 'type:pdf', 'corn*', '½'),
);
const { source } = fc.letrec<{ source: string; inner: string }>((tie) => ({
  source: fc.oneof({ depthSize: 'small' }, atom, tie('inner'), tie('inner')),
  inner: fc.oneof(
    fc.tuple(tie('source'), fc.constantFrom(' AND ', ' OR '), tie('source')).map(([a, operator, b]) => `${a}${operator}${b}`),
    fc.tuple(tie('source'), fc.constantFrom(', ', '；'), tie('source')).map(([a, comma, b]) => `(${a})${comma}${b}`),
    tie('source').map((inner) => `(${inner})`),
    fc.tuple(fc.constantFrom('NOT ', '-', 'NOT -'), tie('source')).map(([not, inner]) => `${not}(${inner})`),
  ),
}));
const page: fc.Arbitrary<RulePage> = fc.record({
  url: fc.option(fc.constantFrom('https://example.org/a/', 'http://example.com/B/c', 'mailto:a@b.org')),
  title: fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
  text: fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  language: fc.option(fc.constantFrom('de', 'de-AT', 'en')),
  document: fc.option(fc.constantFrom('pdf', 'openapi')),
});
const relevance = fc.double({ min: 0, max: 1, noNaN: true });

test('a rule written out is the same rule', () => {
  fc.assert(
    fc.property(source, page, relevance, (source, page, relevance) => {
      const rule = parseRule(source);
      for (const one of [rule, withModel(rule)]) {
        const again = parseRule(ruleText(one));
        expect(ruleText(again)).toBe(ruleText(one));
        expect(explainRule(again, page, relevance)).toEqual(explainRule(one, page, relevance));
        expect(evaluateRule(again, page, relevance)).toBe(evaluateRule(one, page, relevance));
      }
    }),
    { numRuns: runs(300) },
  );
});

test('values are in [0, 1]; AND is the minimum, OR the maximum, and De Morgan holds', () => {
  fc.assert(
    fc.property(source, source, page, relevance, (a, b, page, relevance) => {
      const value = (source: string) => evaluateRule(parseRule(source), page, relevance);
      expect(value(a)).toBeGreaterThanOrEqual(0);
      expect(value(a)).toBeLessThanOrEqual(1);
      expect(value(`(${a}) AND (${b})`)).toBe(Math.min(value(a), value(b)));
      expect(value(`(${a}) OR (${b})`)).toBe(Math.max(value(a), value(b)));
      expect(value(`NOT ((${a}) AND (${b}))`)).toBeCloseTo(value(`NOT (${a}) OR NOT (${b})`), 12);
      expect(value(`NOT ((${a}) OR (${b}))`)).toBeCloseTo(value(`NOT (${a}) AND NOT (${b})`), 12);
    }),
    { numRuns: runs(300) },
  );
});

test('any string is a rule or a usage error of one line', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('(', ')', ' AND ', ' OR ', 'NOT ', '-', ',', '"', 'url:', 'site:', 'lang:', 'type:', '*', '「', '\n'),
    word,
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), page, (pieces, page) => {
      try {
        const rule = parseRule(pieces.join(''));
        expect(ruleText(parseRule(ruleText(rule)))).toBe(ruleText(rule));
        expect(evaluateRule(rule, page, 0.5)).toBeLessThanOrEqual(1);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
        expect((error as UsageError).message).not.toMatch(/[\n\r\u0085\u2028]/);
      }
    }),
    { numRuns: runs(500) },
  );
});

test('rules at the caps can be written out with the model, and read again', () => {
  const atCaps = [
    Array.from({ length: 255 }, (_, i) => `a${i}`).join(),
    `${'(a OR b AND '.repeat(15)}NOT c${')'.repeat(15)}`,
    `${'ﬃ'.repeat(13)} `.repeat(32),
  ];
  for (const source of atCaps) expect(ruleText(parseRule(ruleText(withModel(parseRule(source)))))).toContain('model AND ');
  expect(() => parseRule(`${'(a OR b AND '.repeat(16)}NOT c${')'.repeat(16)}`)).toThrow('more than 32 deep');
  expect(() => parseRule('ﬃ'.repeat(13).concat(',').repeat(200))).toThrow('characters long when it is written out in full');
});

test('1 MB of text is read once, whatever the number of phrases', () => {
  const pages = ['w7 w8 the v the '.repeat(65_000), 'the '.repeat(250_000), 'the'.repeat(350_000)];
  const ms = (rule: Rule) =>
    cpuMs(() => {
      for (const text of pages) evaluateRule(rule, { ...PAGE, title: text, text }, 0);
    });
  const few = parseRule('w the, v7*');
  const many = parseRule(Array.from({ length: 100 }, (_, i) => `w${i} the, v${i}*`).join());
  ms(few);
  // Comparing each of the 100 phrases that end in "the" at each "the" takes more than 30 times as long.
  expect(ms(many)).toBeLessThan(10 * Math.max(ms(few), 50));
});

test('a rule that a model has may name a language that no language is: it holds for no page, as it did', () => {
  expect(() => parseRule('lang:jp')).toThrow('takes a language code');
  const rule = parseRule('lang:en OR lang:jp', true);
  expect(ruleText(rule)).toBe('lang:en OR lang:jp');
});
