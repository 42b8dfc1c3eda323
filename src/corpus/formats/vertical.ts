import { escapeSigns } from '../../base/text/escape-signs.ts';
import { oneLineOf, paragraphsOf, SEGMENTATION, sentencesIn, tokensOf } from '../../base/text/segments.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import type { OutputFormat } from './output-format.ts';
import { pagesFile } from './pages-file.ts';

const FILE = 'corpus.vert';
/** Tokens that are written at once. */
const TOKENS = 1000;

/** One token a line, structures as tags, `<g/>` where no space is (https://www.sketchengine.eu/my_keywords/vertical/). */
export const vertical = {
  name: 'vertical',
  help: 'corpus.vert: a token a line in <doc>, <p> and <s>, for Sketch Engine, NoSketch Engine and CWB',
  copies: false,
  open: ({ folder }) => pagesFile(folder, FILE, writePage),
} as const satisfies OutputFormat;

async function writePage(file: HashedFile, page: HarvestedPage): Promise<void> {
  const { lang } = page;
  await file.write(`<doc ${attributesOf(page)}>\n`);
  for (const paragraph of paragraphsOf(page.text)) {
    let lines = '<p>\n';
    for (const sentence of sentencesIn(paragraph, lang)) {
      lines += '<s>\n';
      let i = 0;
      for (const { form, spaceAfter } of tokensOf(sentence, lang)) {
        lines += `${escapeSigns(form)}\n${spaceAfter ? '' : '<g/>\n'}`;
        if (++i % TOKENS !== 0) continue;
        await file.write(lines);
        lines = '';
      }
      await file.write(`${lines}</s>\n`);
      lines = '';
    }
    await file.write('</p>\n');
  }
  await file.write('</doc>\n');
}

function attributesOf({ id, url, title, lang, relevance, fetchedAt, metadata }: HarvestedPage): string {
  const values: Readonly<Record<string, string>> = {
    id,
    url,
    host: new URL(url).host,
    title,
    author: metadata.authors.join('; '),
    date: metadata.published ?? '',
    fetched: fetchedAt,
    lang,
    relevance: String(relevance),
    segmentation: SEGMENTATION,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeSigns(oneLineOf(value))}"`)
    .join(' ');
}
