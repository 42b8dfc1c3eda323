/** A trap of WebAssembly, our error or a want of memory, costs at most the page that it happens on. */
import { describe, expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import type { PageReading } from '../../../src/crawling/reader/page-reading.ts';
import { readPage } from '../../../src/crawling/reader/read-page.ts';
import { LinkFeatures } from '../../../src/reading/links/link-features.ts';
import { Committee } from '../../../src/reading/topic/committee.ts';
import { CoreJudge } from '../../../src/reading/wasm-reader/core-judge.ts';
import type { CoreExports } from '../../../src/reading/wasm-reader/core-module.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { drawnModel } from '../../../tools/soak/drawn-model.ts';
import { sample } from '../../support/extent.ts';

const WORDS = 'Peat grows – barely – a millimetre a year where water stands, and keeps what falls into it. ';
const url = 'http://a.example/bogs/peat.html' as CanonicalUrl;
const headers = { 'content-type': 'text/html; charset=utf-8' };
const bog = { url, headers, body: Buffer.from(`<title>Peat</title><main><p>${WORDS.repeat(8)}<a href=/moss>moss</a></main>`) };
const plain = { url, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(WORDS.repeat(9)) };

/** Each call of that function traps, until the core is renewed. */
function breakAt(core: WasmCore, name: keyof CoreExports): void {
  const broken = () => {
    throw new Error('unreachable');
  };
  Object.defineProperty(core.memory, 'core', { value: { ...core.memory.core, [name]: broken } });
}

function readingIn(core: WasmCore): PageReading {
  const models = [drawnModel(1)];
  const committee = new Committee(models);
  const extractor = pageExtractor({ productToken: 'forager' }, core);
  const judge = new CoreJudge(core, models, committee);
  return {
    extractor,
    committee,
    judgement: 'anchor-and-context',
    hashing: new LinkFeatures(),
    languageOf: () => null,
    core: judge,
    documents: [],
  };
}

const TO_TEXT = ['release', 'decodeUtf8', 'begin', 'parse', 'textLength', 'resolveLinks', 'tellDistinct', 'chooseLinks'] as const;

describe.each(sample(TO_TEXT, [1, 3, 7]))('a trap in %s', (name) => {
  test('the page is empty, with a warning, and the next is read by a new memory', () => {
    const core = new WasmCore();
    const extractor = pageExtractor({ productToken: 'forager' }, core);
    const whole = extractor.extract(bog);
    const before = core.memory;
    breakAt(core, name);
    expect(extractor.extract(bog)).toMatchObject({ text: '', outlinks: [], warnings: ['the reader failed on this page: unreachable'] });
    expect(core.memory).not.toBe(before);
    expect(extractor.extract(bog)).toEqual(whole);
  });

  test('a crawl gets the error, for its page alone', () => {
    const core = new WasmCore();
    const reading = readingIn(core);
    const whole = readPage(bog, reading);
    breakAt(core, name);
    expect(() => readPage(bog, reading)).toThrow(DataError);
    expect(readPage(bog, reading)).toEqual(whole);
  });
});

test.each(['decodeUtf8', 'parse'] as const)('Markdown, TEI and explanation after a trap in %s', (name) => {
  const core = new WasmCore();
  const extractor = pageExtractor({ productToken: 'forager' }, core);
  breakAt(core, name);
  expect(extractor.extractMarkdown(bog)).toMatchObject({ markdown: '', extraction: { text: '' } });
  breakAt(core, name);
  expect(extractor.explain(bog)).toMatchObject({ explanation: null, extraction: { text: '' } });
  breakAt(core, name);
  expect(extractor.writeMarkup(bog, WORDS.trim(), { paragraph: expect.unreachable } as never)).toBe(false);
  expect(extractor.extractMarkdown(bog).markdown).toContain('# Peat');
});

test.each(['rateBlocks', 'bestExpectedF1', 'chooseBlocks'] as const)('a trap in %s: JavaScript chooses the main text', (name) => {
  const core = new WasmCore();
  const extractor = pageExtractor({ productToken: 'forager' }, core);
  const [first, whole] = [extractor.extract(bog), extractor.extract(bog)];
  expect(first).toEqual(whole);
  const before = core.memory;
  breakAt(core, name);
  expect(extractor.extract(bog)).toEqual(whole);
  expect(core.memory).not.toBe(before);
});

const TO_JUDGEMENT = [
  'readWords',
  'readOther',
  'addBlocks',
  'logit',
  'simhash',
  'takeLinks',
  'findWords',
  'judgeLinks',
  'hashLinks',
] as const;

test.each(sample(TO_JUDGEMENT, [0, 3, 7]))('a trap in %s: JavaScript judges the rest of the page, with the same result', (name) => {
  for (const page of [bog, plain]) {
    const core = new WasmCore();
    const reading = readingIn(core);
    const whole = readPage(page, reading);
    const before = core.memory;
    breakAt(core, name);
    expect(readPage(page, reading)).toEqual(whole);
    expect(core.memory).not.toBe(before);
    expect(readPage(page, reading)).toEqual(whole);
  }
});
