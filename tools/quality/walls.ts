/**
 * The walls that the extractor finds among real pages with main text, each a false alarm unless its bytes have no text: for changes of `reading/extract/page-wall.ts`.
 *
 *   npm run check -- walls [folder of *.jsonl.gz]
 */

import { readGold } from '../../datasets/extractor/gold.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';

const extractor = pageExtractor({ productToken: 'forager' });
const anywhere = canonicalize('https://www.example.com/page');
let pages = 0;
let walls = 0;
for (const { id, file, url, html, text } of readGold(process.argv[2] ?? '../shared/data/extraction')) {
  pages += 1;
  const address = canonicalize(url) ?? anywhere;
  if (address === null) continue;
  const found = extractor.extract({ url: address, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(html) });
  if (found.wall === undefined) continue;
  walls += 1;
  console.log(`${found.wall}  ${file} ${id}  ${url}`);
  console.log(`    by a person: ${text.length} characters; in the bytes: ${found.otherText.length}  ${found.otherText.slice(0, 100)}`);
}
console.log(`${walls} of ${pages} pages with main text are called walls`);
