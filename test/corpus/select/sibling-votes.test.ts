import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';
import { SiblingVotes } from '../../../src/corpus/select/sibling-votes.ts';
import { blockVotes, spareBlocks } from '../../../src/reading/extract/block-votes.ts';
import { linedText } from '../../../src/reading/extract/line-notes.ts';
import { modelDecision, otherVisible, ROLE, textOf } from '../../../src/reading/extract/main-text.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { modelOf } from '../../reading/extract/judging-model.ts';
import { linedPage } from '../../support/lined-pages.ts';

const parser = new CoreParser(new WasmCore());
/** A model that keeps sentences alone: what else is in a text, siblings have kept. */
const onlySentences = modelOf('own.endsSentence', 0.5, -6, 6);

/** A page as its crawl stores it. */
function page(html: string, url = 'http://kiln.example/') {
  const content = parser.parse(html);
  const { roles } = modelDecision(content, onlySentences);
  const others = otherVisible(content, roles);
  const votes = blockVotes(content, roles, others);
  return { url, text: linedText(content, roles), otherText: textOf(content, others), ...(votes && { votes }) };
}
type Page = ReturnType<typeof page>;

function votesOf(pages: readonly Page[]): SiblingVotes {
  const siblings = new SiblingVotes();
  for (const one of pages) siblings.add(one);
  return siblings;
}

const KILNS = ['Anagama', 'Noborigama', 'Raku', 'Bottle', 'Tunnel', 'Shuttle', 'Clamp'];
/** Six pages of a template whose note ends with a full stop, and the last one of which does not. */
function notes(note = (name: string) => `<p class="glaze">${name} ware takes an ash glaze`, among = '', last = '') {
  return KILNS.map((name, i) => {
    const end = i < KILNS.length - 1 ? '.' : last;
    return page(
      `<div class="body"><h1>${name}</h1>${among}${note(name)}${end}</div><p>The ${name.toLowerCase()} kiln is fired with wood, for days.</p>`,
    );
  });
}
const LOST = 'Clamp ware takes an ash glaze';

test('a block is in the text if most of its siblings keep theirs at the same place', () => {
  const pages = notes();
  const last = pages.at(-1) as Page;
  expect(last.text).not.toContain(LOST);
  const siblings = votesOf(pages);
  const { text, otherText } = siblings.textsOf(last);
  expect(text.split('\n\n')).toEqual(expect.arrayContaining([LOST, 'The clamp kiln is fired with wood, for days.']));
  expect(otherText ?? '').not.toContain(LOST);
  expect(siblings.explain(last)).toEqual([expect.objectContaining({ text: LOST, isKept: true, agree: 6, pages: 7 })]);
  for (const other of pages.slice(0, -1)) expect(siblings.textsOf(other).text).toBe(other.text);
});

const without = (name: string) => `<p>${name} ware takes an ash glaze`;

test.each<[string, readonly Page[]]>([
  ['four pages', notes().slice(3)],
  ['siblings of another host', notes().map((one, i) => (i < 6 ? { ...one, url: 'http://other.example/' } : one))],
  ['a path without classes', KILNS.map((name, i) => page(`${without(name)}${i < 6 ? '.' : ''}</p><h2>Firing</h2><div>It is fired.</div>`))],
  [
    'siblings that disagree',
    [
      ...notes().slice(3),
      ...KILNS.slice(4).map((name) => page(`<div class="body"><h1>x</h1><p class="glaze">${name} glaze</div><p>It is fired.</p>`)),
    ],
  ],
])('%s change nothing', (_, pages) => {
  const last = pages.findLast(({ otherText }) => otherText.includes(LOST));
  if (last === undefined) throw new Error('no page has lost its note');
  expect(votesOf(pages).textsOf(last)).toEqual({ text: last.text, otherText: last.otherText });
});

test.each([
  ['a menu by its element', (name: string) => `<nav class="glaze"><p>${name} ware takes an ash glaze`],
  ['an aside', (name: string) => `<aside><p class="glaze">${name} ware takes an ash glaze`],
  ['a hidden block', (name: string) => `<p class="glaze" hidden>${name} ware takes an ash glaze`],
  ['a link', (name: string) => `<p class="glaze"><a href="/${name}">${name} ware takes an ash glaze</a>`],
])('%s never becomes text', (_, note) => {
  const pages = notes(note);
  const last = pages.at(-1) as Page;
  expect(last.text + last.otherText).toContain(note('').includes('hidden') ? '' : LOST);
  expect(votesOf(pages).explain(last)).toEqual([]);
});

test('a line that siblings repeat and leave out stays out, and a label that they keep returns', () => {
  const advert = '<p class="glaze">Advertisement';
  const pages = notes(undefined, advert);
  // The first of two blocks is at another place than the only one.
  const shown = votesOf(pages).textsOf(pages.at(-1) as Page).text;
  expect(shown).toContain(LOST);
  expect(shown).not.toContain('Advertisement');
  const labels = KILNS.map((name, i) =>
    page(
      `<p>It is a kiln.</p><div class="body"><dl><dt class="use">Use<dd>${i < 6 ? `${name} ware is for tea.` : 'Tea'}</dl></div><p>It is fired.</p>`,
    ),
  );
  expect(
    votesOf(labels)
      .textsOf(labels.at(-1) as Page)
      .text.split('\n'),
  ).toContain('Use');
});

test('words that siblings leave out at a place are taken out of the page that keeps them', () => {
  const [kept, left] = [
    'The guild of potters is a charity: please give what you can to it.',
    'The guild of potters is a charity: please give what you can to it',
  ];
  const pages = KILNS.map((name, i) =>
    page(`<div class="body"><p>The ${name} kiln is fired with wood.</p></div><div class="plea"><p>${i < 6 ? left : kept}</div>`),
  );
  const keeper = pages.at(-1) as Page;
  expect(keeper.text).toContain(kept);
  // The words differ by a full stop: no line of the siblings.
  expect(votesOf(pages).textsOf(keeper).text).toBe(keeper.text);
  const same = { ...keeper, text: keeper.text.replace(kept, left) };
  const siblings = votesOf([...pages.slice(0, -1), same]);
  expect(siblings.textsOf(same)).toEqual({ text: 'The Clamp kiln is fired with wood.', otherText: left });
  expect(siblings.explain(same)).toEqual([expect.objectContaining({ isKept: false, text: left, agree: 6, pages: 7 })]);
});

test('neither the order of the pages nor their number of visits changes a text', () => {
  const pages = [...notes(), ...notes((name) => `<ul class="uses"><li>${name}<li>tea bowls`), ...notes(undefined, '<p class="by">Anon')];
  const texts = (order: readonly Page[]) => {
    const siblings = votesOf(order);
    return pages.map((one) => siblings.textsOf(one));
  };
  for (const seed of [1, 2, 3]) expect(texts(shuffled(pages, seededRng(seed)))).toEqual(texts(pages));
});

test('spare blocks are written with their lines, as the text of a page with all of them', () => {
  fc.assert(
    fc.property(linedPage, fc.infiniteStream(fc.boolean()), ({ html }, kept) => {
      const content = parser.parse(`<div class="page">${html}</div>`);
      const roles = Uint8Array.from(content.blocks, () => (kept.next().value ? ROLE.text : ROLE.outside));
      const others = otherVisible(content, roles);
      const votes = blockVotes(content, roles, others);
      if (votes === null) return;
      const siblings = new SiblingVotes();
      const { left, spare } = votes;
      const keeper = { kept: [...votes.kept, ...left, ...spare.places], left: [], lines: spare.lines, spare: NONE };
      for (let n = 0; n < 5; n += 1) siblings.add({ url: 'http://kiln.example/', votes: keeper });
      const own = { url: 'http://kiln.example/', text: linedText(content, roles), otherText: textOf(content, others), votes };
      const all = spareBlocks(content, roles);
      const whole = roles.map((role, block) => (all.has(block) ? ROLE.text : role));
      expect(siblings.textsOf(own).text).toBe(linedText(content, whole));
    }),
  );
});
const NONE = { places: [], lines: [], after: [], before: [], gapsBefore: [], gapsBehind: [], others: [], heights: [], texts: [] };
