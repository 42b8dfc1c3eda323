import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BLOCK_FEATURES, blockFeatures, FEATURE_COUNT } from '../../../src/reading/extract/block-features.ts';
import { BlockModel } from '../../../src/reading/extract/block-model.ts';
import { modelDecision, ROLE, slopeDecision } from '../../../src/reading/extract/main-text.ts';
import { FLAG, NEAR_HINTS, nearness } from '../../../src/reading/extract/tags.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { modelOf } from './judging-model.ts';

const parser = new CoreParser(new WasmCore());
const model = BlockModel.bundled();
const sentence = 'Peat moss holds twenty times its weight in water, which is why a bog never quite dries out. ';
const article = `<title>Peat moss</title><body><div class="menu"><ul>${'<li><a href="/x">Some menu entry</a>'.repeat(12)}</ul></div>
  <div class="content"><h1>Peat moss</h1>${`<p>${sentence.repeat(4)}</p>`.repeat(8)}</div>
  <div class="comments"><h3>Comments</h3></div><div id="footer">Copyright, all rights reserved. <a href="/p">Privacy</a></div>`;

function chosen(html: string): string[] {
  const page = parser.parse(html);
  const roles = modelDecision(page, model).roles;
  return page.blocks.filter((_, i) => roles[i] === ROLE.text).map(({ start, end }) => page.text.slice(start, end));
}

test('paragraphs are text; menu and footer are not', () => {
  const text = chosen(article);
  expect(text.filter((block) => block.startsWith('Peat moss holds'))).toHaveLength(8);
  expect(text.join(' ')).not.toMatch(/menu entry|Copyright|Privacy/);
});

test('the same without any class name or id', () => {
  const text = chosen(article.replaceAll(/ (class|id)="[^"]*"/g, ''));
  expect(text.filter((block) => block.startsWith('Peat moss holds'))).toHaveLength(8);
  expect(text.join(' ')).not.toMatch(/menu entry/);
});

function logit(p: number): number {
  return Math.log(p / (1 - p));
}

test('the threshold of a page with code or terms is lower', () => {
  const threshold = (html: string) => modelDecision(parser.parse(html), model).model?.threshold ?? 0;
  const prose = '<p>Peat moss holds twenty times its weight in water, which is why a bog never quite dries out.</p>'.repeat(9);
  const terms = (...names: readonly string[]) => `<dl>${names.map((name) => `<dt>${name}</dt>`).join('')}</dl>`;
  for (const [few, many] of [
    ['<pre>a</pre>', '<pre>a</pre><pre>b</pre>'],
    [terms('-a', '-b'), terms('-a', '-b', '-c')],
    // The profiles of the members of a forum.
    [terms('Joined', 'Posts', 'Town').repeat(3), terms('-a', '-b', '-c', '-d', '-e')],
  ])
    expect(threshold(`${prose}${many}`)).toBeLessThan(0.8 * threshold(`${prose}${few}`));
});

test('the threshold of a page follows the best F1 that is to be expected on it', () => {
  const blocks = (...words: number[]) => words.map((count) => ({ words: count }));
  const thresholdFor = (words: number[], ...probabilities: number[]) =>
    model.thresholdFor({ blocks: blocks(...words), text: '', lines: new Int32Array() }, Float32Array.from(probabilities));
  // All is certain: F1 is 1.
  expect(thresholdFor([100, 50], 1, 0)).toBeCloseTo(0.65, 6);
  // Best is to take both: F1 = 2 · 75 / (100 + 75).
  expect(thresholdFor([50, 50], 1, 0.5)).toBeCloseTo(0.65 * (150 / 175) ** 1.5, 6);
  // Half a chance everywhere: F1 = 2 · 50 / (100 + 50).
  expect(thresholdFor([60, 40], 0.5, 0.5)).toBeCloseTo(0.65 * (2 / 3) ** 1.5, 6);
  // Nothing looks like text, there are no words, or no blocks.
  expect(thresholdFor([100, 100], 0.001, 0.002)).toBe(0.1);
  expect(thresholdFor([0, 0], 0.9, 0.1)).toBe(0.1);
  expect(thresholdFor([])).toBe(0.1);
});

test('what is hidden until a click is text only where the model is surer of it', () => {
  const html = (attribute: string) =>
    `<main><p>${sentence.repeat(4)}</p><p ${attribute}>${sentence.repeat(3)}</p><p>${sentence.repeat(4)}</p></main>`;
  const byProse = (p: number) => modelOf('own.words', 3, -6, logit(p), 0.65);
  const kept = (attribute: string, p: number) => modelDecision(parser.parse(html(attribute)), byProse(p)).roles[1] === ROLE.text;
  for (const hidden of ['hidden', 'style="display: none"', 'aria-hidden=true']) {
    expect([kept('', 0.68), kept(hidden, 0.68), kept(hidden, 0.72)]).toEqual([true, false, true]);
  }
});

test('headings and terms right above text, code, tables and gaps inside the text are kept; others are not', () => {
  const onlyProse = modelOf('own.words', 12, -6, 6, 0.65);
  const kept = (inside: string) => {
    const page = parser.parse(`<main><p>${sentence.repeat(4)}</p>${inside}<p>${sentence.repeat(4)}</p></main>`);
    const { roles } = modelDecision(page, onlyProse);
    return page.blocks.slice(1, -1).flatMap(({ start, end }, i) => (roles[i + 1] === ROLE.text ? [page.text.slice(start, end)] : []));
  };
  expect(kept('<h2>Synopsis</h2><pre>peat(8)</pre>')).toEqual(['Synopsis', 'peat(8)']);
  expect(kept('<h2>Reference</h2><h3>Types</h3><table><tr><td>a</table>')).toEqual(['Reference', 'Types', 'a']);
  expect(kept(`<dl><dt>moss</dt><dd>${sentence}</dd></dl>`)).toEqual(['moss', sentence.trim()]);
  expect(kept('<h2>More</h2><p>a line</p><p>another line</p>')).toEqual([]);
});

test('a single block between two of text is kept from a certain probability on', () => {
  const kept = (p: number) => {
    const page = parser.parse(`<main><p>${sentence.repeat(4)}</p><p>a line</p><p>${sentence.repeat(4)}</p></main>`);
    return modelDecision(page, modelOf('own.words', 12, logit(p), 6, 0.65)).roles[1] === ROLE.text;
  };
  expect([kept(0.39), kept(0.41)]).toEqual([false, true]);
});

test('the nearest element whose class name says what it is counts', () => {
  const nearOf = (html: string) => nearness(parser.parse(html).blocks[0]?.details.near ?? 0, NEAR_HINTS.indexOf(FLAG.comments));
  expect(nearOf('<p class="comment">x')).toBe(7);
  expect(nearOf('<div class="comments"><div><p>x')).toBe(5);
  expect(nearOf('<div class="comments"><div class="comment"><p>x')).toBe(6);
  expect(nearOf(`<div class="comments">${'<div>'.repeat(8)}x`)).toBe(0);
  expect(nearOf('<p>x')).toBe(0);
});

test('a row for each block, a column for each name, all numbers', () => {
  for (const html of ['', 'x', '<p>', article, '<td>'.repeat(50), `${'<div>'.repeat(5000)}x`, `<p>${'a '.repeat(50_000)}`]) {
    const page = parser.parse(html);
    const features = blockFeatures(page, slopeDecision(page.blocks));
    expect(features).toHaveLength(page.blocks.length * FEATURE_COUNT);
    expect(features.every(Number.isFinite)).toBe(true);
    expect(modelDecision(page, model).roles).toHaveLength(page.blocks.length);
  }
  expect(new Set(BLOCK_FEATURES).size).toBe(FEATURE_COUNT);
});

test('reasons and bias sum to the logit, the logit gives the probability', () => {
  const page = parser.parse(article);
  const features = blockFeatures(page, slopeDecision(page.blocks));
  const probabilities = model.probabilities(features);
  for (const i of page.blocks.keys()) {
    const { logit, bias, reasons } = model.explain(features, i);
    expect(reasons.reduce((sum, { contribution }) => sum + contribution, bias)).toBeCloseTo(logit, 9);
    expect(1 / (1 + Math.exp(-logit))).toBeCloseTo(probabilities[i] ?? -1, 6);
  }
});

test('a model of other features is refused', () => {
  const file = JSON.parse(readFileSync(new URL('../../../models/extractor/block-model.json', import.meta.url), 'utf8'));
  expect(() => new BlockModel({ ...file, features: file.features.slice(1) })).toThrow('npm run data -- train-extractor');
});
