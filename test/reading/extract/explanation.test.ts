import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockModel } from '../../../src/reading/extract/block-model.ts';
import type { BlockExplanation, PageExplanation } from '../../../src/reading/extract/explanation.ts';
import type { PageExtractor } from '../../../src/reading/extract/extractor.ts';
import { modelDecision, ROLE, RULE, slopeDecision } from '../../../src/reading/extract/main-text.ts';
import { MAIN_TEXT_METHODS } from '../../../src/reading/extract/text-method-names.ts';
import type { TextParts } from '../../../src/reading/extract/text-parts.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { runs, sample } from '../../support/extent.ts';
import { modelOf } from './judging-model.ts';
import { page } from './page.ts';

const folder = fileURLToPath(new URL('../../golden/', import.meta.url));
const golden = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .map((name) => readFileSync(folder + name, 'utf8'));
const parser = new CoreParser(new WasmCore());
const model = BlockModel.bundled();
const roleNames = Object.keys(ROLE);
const sentence = 'Peat moss holds twenty times its weight in water, which is why a bog never quite dries out. ';
const prose = `<p>${sentence.repeat(3)}</p>`;

function explained(html: string, extractor: PageExtractor): { readonly text: string; readonly explanation: PageExplanation } {
  const { extraction, explanation } = extractor.explain(page(html));
  if (explanation === null) throw new Error('no explanation');
  return { text: extraction.text, explanation };
}

function textOf({ blocks }: PageExplanation): string {
  let text = '';
  let ends = 0;
  for (const block of blocks) {
    ends = Math.max(ends, block.lineEnds);
    if (block.role !== 'text') continue;
    text += (text === '' ? '' : '\n'.repeat(ends)) + block.text;
    ends = 0;
  }
  return text;
}

/** Pages of all kinds: the golden ones, and markup at random. */
const pieces = fc.constantFrom(
  '<p>',
  '<nav>',
  '</nav>',
  '<footer>',
  '<pre>',
  '</pre>',
  '<table><tr><td>',
  '</table>',
  '<div class="comments">',
  '<div class="menu">',
  '</div>',
  '<h2>',
  '</h2>',
  '<a href="/x">more</a> ',
  '<span hidden>gone</span>',
  'a few words ',
  sentence,
  sentence.repeat(2),
);
const anyPage = fc.oneof(
  fc.constantFrom(...golden),
  fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
);
const anyParts: fc.Arbitrary<TextParts> = fc.record(
  { headings: fc.boolean(), tables: fc.boolean(), code: fc.boolean(), comments: fc.boolean() },
  { requiredKeys: [] },
);

test.each(sample(MAIN_TEXT_METHODS, [0]))('%s: the explained roles are those of the extraction', (extractor) => {
  fc.assert(
    fc.property(anyPage, anyParts, (html, parts) => {
      const reader = pageExtractor({ productToken: 'forager', extractor, parts });
      const { text, explanation } = explained(html, reader);
      expect(textOf(explanation)).toBe(text);
      expect(text).toBe(reader.extract(page(html)).text);
    }),
    { numRuns: runs(300) },
  );
});

test('role by role: what the block model and the slope say', () => {
  const byModel = pageExtractor({ productToken: 'forager', extractor: 'block' });
  const bySlope = pageExtractor({ productToken: 'forager', extractor: 'slope' });
  fc.assert(
    fc.property(anyPage, (html) => {
      // The posts of a thread are chosen after that.
      const rolesOf = ({ explanation: { blocks } }: { explanation: PageExplanation }, roles: Uint8Array) =>
        blocks.map(({ role, rule }, i) => (rule === 'post' ? roleNames[roles[i] ?? 0] : role));
      const content = parser.parse(html);
      const named = (roles: Uint8Array) => Array.from(roles, (role) => roleNames[role]);
      const [byTrees, byDensity] = [modelDecision(content, model).roles, slopeDecision(content.blocks).roles];
      expect(rolesOf(explained(html, byModel), byTrees)).toEqual(named(byTrees));
      expect(rolesOf(explained(html, bySlope), byDensity)).toEqual(named(byDensity));
    }),
    { numRuns: runs(300) },
  );
});

test('reasons and bias sum to the logit, the logit gives the probability, the probability the rule', () => {
  const byModel = pageExtractor({ productToken: 'forager', extractor: 'block' });
  let seen = 0;
  for (const html of golden) {
    const { explanation } = explained(html, byModel);
    for (const { rule, role, model: view, slope } of explanation.blocks) {
      if (view === null || slope === null || explanation.threshold === null) throw new Error('the block model says why');
      const sum = view.reasons.reduce((total, { contribution }) => total + contribution, view.bias);
      expect(Math.abs(sum - view.logit)).toBeLessThan(1e-6);
      expect(1 / (1 + Math.exp(-view.logit))).toBeCloseTo(view.probability, 6);
      const sizes = view.reasons.map(({ contribution }) => Math.abs(contribution));
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      if (rule === 'model') expect(role === 'text').toBe(view.probability >= explanation.threshold);
      else if (rule === 'slope') expect(role).toBe(slope.role);
      else if (rule === 'post') expect(['text', 'links']).toContain(role);
      else expect({ role, under: view.probability < explanation.threshold }).toEqual({ role: 'text', under: true });
      seen += 1;
    }
  }
  expect(seen).toBeGreaterThan(50);
});

test('rules that overrule the model are named', () => {
  const rulesOf = (html: string, chosen: BlockModel) => {
    const { rules, roles } = modelDecision(parser.parse(html), chosen);
    return Array.from(rules, (rule, i) => `${Object.keys(RULE)[rule]} ${roleNames[roles[i] ?? 0]}`);
  };
  const onlyProse = modelOf('own.endsSentence', 0.5, -6, 6);
  const code = '<pre>a few lines of code that stand between the two, no sentence in them</pre>';
  expect(rulesOf(`<article>${prose}${code}${prose}</article>`, onlyProse)).toEqual(['model text', 'code-or-table text', 'model text']);
  const gap = '<p>a line without a full stop, of the slope</p>';
  expect(rulesOf(`<article>${prose}${gap}${prose}</article>`, onlyProse)).toEqual(['model text', 'model links', 'model text']);
  expect(rulesOf(`<article>${prose}${gap}${prose}</article>`, modelOf('own.endsSentence', 0.5, -0.3, 6))).toEqual([
    'model text',
    'gap text',
    'model text',
  ]);
  expect(rulesOf(`<article>${prose}<h2>Half way</h2>${prose}</article>`, onlyProse)).toEqual(['model text', 'heading text', 'model text']);
  expect(rulesOf(`<nav><p>menu</nav><article>${prose}</article>`, modelOf('own.endsSentence', 0.5, -6, -6))).toEqual([
    'slope outside',
    'slope text',
  ]);
});

test('the slope says which segment, and what keeps a block out', () => {
  const reader = pageExtractor({ productToken: 'forager', extractor: 'slope' });
  const rulesOf = (html: string) => explained(html, reader).explanation.blocks.map(({ role, rule }) => `${role} ${rule}`);
  const links = '<p><a href="/1">one of two links</a> <a href="/2">the other link</a></p>';
  expect(rulesOf(`<nav>menu</nav><main>${prose}${links}${prose}</main><p>after</p><footer>end</footer>`)).toEqual([
    'outside boilerplate',
    'text segment',
    'links run-of-links',
    'text segment',
    'outside outside',
    'outside boilerplate',
  ]);
  const gap = '<ul><li><a href="/x">some link</a></ul>'.repeat(60);
  expect(new Set(rulesOf(`<main>${prose}${prose}${gap}${prose}</main>`))).toEqual(
    new Set(['text segment', 'text second-segment', 'outside outside']),
  );
  expect(rulesOf('<nav>menu</nav><div class="sidebar">aside</div><p>few words</p>')).toEqual([
    'outside boilerplate',
    'outside boilerplate-by-name',
    'text no-segment',
  ]);
  expect(rulesOf('<nav>menu</nav><div hidden>gone</div>')).toEqual(['text all-boilerplate', 'outside hidden']);
});

test('what the blocks are, in numbers and names', () => {
  const html = `<title>t</title><nav><ul><li><a href="/">Home page</a></ul></nav><main class="content">${prose}</main>`;
  const [home, text] = explained(html, pageExtractor({ productToken: 'forager', extractor: 'slope' })).explanation.blocks;
  expect(home).toMatchObject({ index: 0, words: 2, linkWords: 2, sentences: 0, text: 'Home page', model: null });
  expect(home?.flags).toEqual(['nav', 'list']);
  expect(home?.slope?.score).toBeLessThan(0);
  expect(text).toMatchObject({ index: 1, sentences: 3, flags: ['main', 'body'], slope: { role: 'text', rule: 'segment' } });
  const { explanation } = explained(html, pageExtractor({ productToken: 'forager', extractor: 'none' }));
  expect(explanation.threshold).toBeNull();
  for (const block of explanation.blocks) expect(block).toMatchObject({ slope: null, model: null });
});

test('options are named as the last word', () => {
  const left = pageExtractor({ productToken: 'forager', parts: { headings: false } });
  const ruleOf = (blocks: readonly BlockExplanation[], start: string) => blocks.find(({ text }) => text.startsWith(start))?.rule;
  const html = `<main>${prose}<h2>Half way</h2>${prose}</main>`;
  expect(ruleOf(explained(html, left).explanation.blocks, 'Half way')).toBe('left-out');
  const added = pageExtractor({ productToken: 'forager', parts: { comments: true } });
  const commented = `<main>${prose.repeat(4)}</main>${'<p>x</p>'.repeat(40)}<div class="comments"><p>Nice.</p></div>`;
  expect(ruleOf(explained(commented, added).explanation.blocks, 'Nice.')).toBe('added');
});

test('plain text has no blocks to explain', () => {
  const { extraction, explanation } = pageExtractor({ productToken: 'forager' }).explain(
    page('one\ntwo', undefined, { 'content-type': 'text/plain' }),
  );
  expect({ text: extraction.text, explanation }).toEqual({ text: 'one\ntwo', explanation: null });
});
