import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCK_FEATURES, blockFeatures, FEATURE_COUNT } from '../../src/extract/block-features.ts';
import { BlockModel } from '../../src/extract/block-model.ts';
import { bteBlocks, TagOffsets } from '../../src/extract/bte.ts';
import { modelledBlocks, ROLE, slopeDecision } from '../../src/extract/main-text.ts';
import { PageParser } from '../../src/extract/page-parser.ts';
import { maxSegment } from '../../src/extract/slope.ts';

const parser = new PageParser();
const model = BlockModel.bundled();
const sentence = 'Peat moss holds twenty times its weight in water, which is why a bog never quite dries out. ';
const article = `<title>Peat moss</title><body><div class="menu"><ul>${'<li><a href="/x">Some menu entry</a>'.repeat(12)}</ul></div>
  <div class="content"><h1>Peat moss</h1>${`<p>${sentence.repeat(4)}</p>`.repeat(8)}</div>
  <div class="comments"><h3>Comments</h3></div><div id="footer">Copyright, all rights reserved. <a href="/p">Privacy</a></div>`;

function chosen(html: string): string[] {
  const page = parser.parse(html);
  const roles = modelledBlocks(page, model);
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

test('a row for each block, a column for each name, all numbers', () => {
  for (const html of ['', 'x', '<p>', article, '<td>'.repeat(50), `${'<div>'.repeat(5000)}x`, `<p>${'a '.repeat(50_000)}`]) {
    const page = parser.parse(html);
    const features = blockFeatures(page, slopeDecision(page.blocks));
    expect(features).toHaveLength(page.blocks.length * FEATURE_COUNT);
    expect(features.every(Number.isFinite)).toBe(true);
    expect(modelledBlocks(page, model)).toHaveLength(page.blocks.length);
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
  const file = JSON.parse(readFileSync(new URL('../../models/extractor/block-model.json', import.meta.url), 'utf8'));
  expect(() => new BlockModel({ ...file, features: file.features.slice(1) })).toThrow('npm run train:extractor');
});

test('body text extraction takes the run of words and tags with the best sum, whatever the markup', () => {
  const piece = fc.constantFrom('<b>', '</b>', '<p>', '</p>', '<br>', 'one ', 'two three ', '<img>', '<td>', ' ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const tags = new TagOffsets();
      const page = parser.parse(pieces.join(''), tags);
      const tokens = pieces.flatMap((part) =>
        part.startsWith('<')
          ? [-1]
          : part
              .split(/\s+/)
              .filter(Boolean)
              .map(() => 1),
      );
      const best = maxSegment(tokens).score;
      const roles = bteBlocks(page, tags.offsets);
      const words = page.blocks.reduce((sum, block, i) => sum + (roles[i] === ROLE.text ? block.words : 0), 0);
      // Whole blocks are told, so that all words of the best run are among them.
      if (best > 0) expect(words).toBeGreaterThanOrEqual(best);
      else expect(words).toBe(0);
    }),
    { numRuns: 2000 },
  );
});

test('body text extraction of an article', () => {
  const tags = new TagOffsets();
  const page = parser.parse(article, tags);
  const roles = bteBlocks(page, tags.offsets);
  const text = page.blocks.filter((_, i) => roles[i] === ROLE.text).map(({ start, end }) => page.text.slice(start, end));
  expect(text.filter((block) => block.startsWith('Peat moss holds'))).toHaveLength(8);
  expect(text.join(' ')).not.toContain('menu entry');
});
