/** Pages with labels on which the rules of walls were tuned: each is what a person says. The held ones are for `npm run check -- walls` alone. */
import { expect, test } from 'vitest';
import { SECOND_PAGES } from '../../../datasets/walls/second-pages.ts';
import { TUNED_PAGES } from '../../../datasets/walls/tuned-pages.ts';
import { PageExtractor } from '../../../src/reading/extract/extractor.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { PageParser } from '../../oracle/page-parser.ts';
import { page } from './page.ts';

const OPTIONS = { productToken: 'forager' };
const extractor = new PageExtractor(OPTIONS, new PageParser());
const fast = pageExtractor(OPTIONS);

test.each([...TUNED_PAGES, ...SECOND_PAGES].map((one) => [one.label, one.name, one] as const))('%s: %s', (label, _, { html, url }) => {
  const found = fast.extract(page(html, url));
  expect(extractor.extract(page(html, url))).toEqual(found);
  expect(found.wall ?? 'page').toBe(label);
  if (label === 'needs-javascript') expect(found).toMatchObject({ shell: true, text: '' });
});
