/** Personal data in the texts of the HTML pages of a folder, as the extractor reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalize } from '../../../src/base/web/url.ts';
import { personalRanges } from '../../../src/corpus/personal/personal-data.ts';
import { PERSONAL_KINDS, type PersonalKind } from '../../../src/corpus/personal/personal-names.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';

/** Prints finds a thousand pages by kind, and the first finds of distinct words with their surroundings. @param show number of each kind @param every only each page of so many */
export function findsInPages(folder: string, show: number, every: number): void {
  const extractor = pageExtractor({ productToken: 'forager' });
  const url = canonicalize('https://www.example.com/page');
  if (url === null) return;
  const counts = new Map<PersonalKind, number>();
  const samples = new Map<PersonalKind, Map<string, string>>(PERSONAL_KINDS.map((kind) => [kind, new Map()]));
  let seen = 0;
  let [pages, without, characters, ms] = [0, 0, 0, 0];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.html?$/.test(entry.name) || seen++ % every > 0) continue;
    const body = readFileSync(join(entry.parentPath, entry.name));
    const { text, otherText, lang } = extractor.extract({ url, headers: { 'content-type': 'text/html' }, body });
    const all = `${text}\n${otherText}`;
    pages += 1;
    characters += all.length;
    const start = performance.now();
    const found = personalRanges(all, lang?.split('-', 1)[0] ?? 'und');
    ms += performance.now() - start;
    without += Number(found.length === 0);
    for (const [from, to, kind] of found) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const places = samples.get(kind);
      if (places && places.size < show)
        places.set(all.slice(from, to), `${lang ?? 'und'} ${JSON.stringify(all.slice(Math.max(0, from - 50), to + 20))}`);
    }
  }
  console.log(
    `${pages} pages, ${characters} characters, ${without} without finds; ${((1e4 * ms) / characters).toFixed(2)} ms for 10,000 characters`,
  );
  for (const kind of PERSONAL_KINDS)
    console.log(`${kind.padEnd(6)} ${((1000 * (counts.get(kind) ?? 0)) / pages).toFixed(1)} finds in 1,000 pages`);
  for (const [kind, places] of samples) for (const [written, around] of places) console.log(`${kind}  ${written}  ${around}`);
}
