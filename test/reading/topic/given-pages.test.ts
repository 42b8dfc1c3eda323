import { expect, test } from 'vitest';
import { simhash } from '../../../src/base/text/simhash.ts';
import { FeatureCounter } from '../../../src/reading/topic/features.ts';
import { GivenPages } from '../../../src/reading/topic/given-pages.ts';
import { type StoredRow, storedRow } from '../../../src/reading/topic/training-file.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page as sourcePage } from '../extract/page.ts';

/** Eleven different sentences about a weir. */
const WEIR =
  `The weir at Holm was rebuilt after the flood, and its crest was raised by half a metre. Salmon pass it only at high water, which the
anglers regret. A fish ladder of nine basins was opened beside the old mill race. Counters in the third basin log every passing trout. In dry
summers the ladder takes all of the flow and the crest stays bare. Gravel gathers under the apron and must be dredged each spring. The miller's
family sold its water right to the district. Since then a turbine lights the village hall and forty houses. Otters have come back to the pool
below. Herons wait on the sill at dusk. A gauge at the bridge reads the level every quarter of an hour.`.replaceAll('\n', ' ');
const FOREST =
  `Charcoal burners lived in the beech forest for six generations. They stacked cords of wood to domes, covered them with turf and watched
them for a fortnight. Their platforms are still seen on the slopes as level circles of black soil. Botanists dig there for seeds and dates. The iron
works in the valley bought every sack until coke came by rail. Then the huts fell in, and spruce was planted in rows. Woodpeckers prefer the old
beeches that nobody could reach. A trail with eleven boards now leads past the best platforms to the ridge.`.replaceAll('\n', ' ');

const extractor = pageExtractor({ productToken: 'test' });

interface Written {
  readonly title?: string;
  readonly text: string;
  readonly menu?: string;
  readonly footer?: string;
}

/** What is read of such a page. */
function read({ title = '', text, menu = 'Home About', footer = 'Imprint' }: Written) {
  const paragraphs = text.split(/(?<=\.) /).map((sentence) => `<p>${sentence}</p>`);
  const html = `<title>${title}</title><nav>${menu}</nav><main><h1>${title}</h1>${paragraphs.join('')}</main><footer>${footer}</footer>`;
  const extraction = extractor.extract(sourcePage(html));
  return { title: extraction.title, text: extraction.text };
}

function given(role: 'example' | 'irrelevant', id: string, written: Written, url: string | null = null): StoredRow {
  const page = { id, url, language: null, ...read(written) };
  const row = storedRow({ role, host: null, language: null, counts: new FeatureCounter().snapshot(page), page });
  if (row === null) throw new Error('it has a page');
  return row;
}

const OWN = new GivenPages([
  given('example', 'saved/weir.html', { title: 'The weir at Holm', text: WEIR }),
  given('irrelevant', 'saved/forest.html', { title: 'Charcoal', text: FOREST }),
  given('example', 'saved/note.html', { title: 'Note', text: 'You have to switch on scripts to see this page.' }),
]);

function found(written: Written): string[] {
  return OWN.rowsOf({ url: 'http://web.test/any', ...read(written) }).map(({ role, id }) => `${role} ${id}`);
}

test.each([
  [
    'another header and footer',
    { title: 'The weir at Holm', text: WEIR, menu: 'Rivers Mills Fish Shop', footer: 'Printed from the archive' },
  ],
  ['a mirror of another title', { title: 'Archive of the district', text: WEIR }],
  ['no title', { text: WEIR }],
  ['a date that changed', { title: 'The weir at Holm', text: WEIR.replace('each spring', 'on 12 May 2019') }],
  ['a sentence more, and the name of the site', { title: 'The weir at Holm | District news', text: `${WEIR} Eels are counted too.` }],
])('a saved example is recognised: %s', (_, written) => {
  expect(found(written)).toEqual(['example saved/weir.html']);
});

test('a saved irrelevant page is recognised as such', () => {
  expect(found({ title: 'Charcoal', text: FOREST, menu: 'Paths' })).toEqual(['irrelevant saved/forest.html']);
});

/** A page of a generated manual: all but the name and two lines is that of every page. */
function manual(name: string, does: string): Written {
  return { title: name, text: `${name} ${does}. ${WEIR} See ${name} for more.` };
}

test.each([
  [
    'of one template with few words of its own',
    manual('Tool basin', 'fills the holes of a raster'),
    manual('Tool stream', 'orders rivers by their size'),
  ],
  ['of equal title and half of the text', { title: 'News', text: `${WEIR} ${FOREST}` }, { title: 'News', text: WEIR }],
  [
    'of one template for another subject',
    { title: 'A', text: WEIR },
    { title: 'B', text: WEIR.replaceAll(/weir|ladder|crest|water/g, 'wall') },
  ],
  [
    'that is a notice of a few words',
    { title: 'One', text: 'Accept all cookies to go on.' },
    { title: 'Two', text: 'Accept all cookies to go on.' },
  ],
])('a different page is none: %s', (_, example, other) => {
  const own = new GivenPages([given('example', 'saved', example)]);
  expect(own.rowsOf({ url: 'http://web.test/any', ...read(other) })).toEqual([]);
});

test('the URL tells first, whatever the text is by now; then the nearest text', () => {
  const far = given('irrelevant', 'far', { title: 'The weir at Holm', text: `${WEIR} Eels are counted too.` });
  const own = new GivenPages([
    far,
    given('example', 'near', { text: WEIR }),
    given('example', 'url', { text: FOREST }, 'http://Web.test/a#top'),
  ]);
  const rows = own.rowsOf({ url: 'http://web.test/a', ...read({ title: 'The weir at Holm', text: WEIR }) });
  expect(rows.map(({ id }) => id)).toEqual(['url', 'near', 'far']);
  expect(own.mayBe({ url: 'http://web.test/a' })).toBe(true);
  expect(own.mayBe({ url: 'http://web.test/b', simhash: simhash(WEIR) })).toBe(true);
  expect(own.mayBe({ url: 'http://web.test/b' })).toBe(false);
});

test('rows of earlier versions are recognised by URL alone', () => {
  const { simhash: _, ...old } = given('example', 'old', { title: 'The weir at Holm', text: WEIR }, 'http://web.test/a');
  const own = new GivenPages([old]);
  const page = read({ title: 'The weir at Holm', text: WEIR });
  expect(own.rowsOf({ url: 'http://web.test/a', ...page })).toEqual([old]);
  expect(own.rowsOf({ url: 'http://web.test/b', ...page })).toEqual([]);
});

test('a route is another page than the one under its URL', () => {
  const route = given('example', 'http://app.test/#/weir', { text: 'Weir.' }, 'http://app.test/#/weir');
  const pages = new GivenPages([route]);
  expect([pages.ofUrl('http://app.test/#/weir'), pages.ofUrl('http://app.test/')]).toEqual([[route], []]);
});
