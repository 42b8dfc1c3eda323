import { oneLineOf, paragraphsOf, SEGMENTATION, sentencesIn, tokensOf } from '../../base/text/segments.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import type { OutputFormat } from './output-format.ts';
import { pagesFile } from './pages-file.ts';

const FILE = 'corpus.conllu';
/** Tokens that are written at once. */
const TOKENS = 1000;
/** LEMMA to DEPS: all without a value (https://universaldependencies.org/format.html). */
const UNKNOWN = '_\t_\t_\t_\t_\t_\t_';

/** The skeleton that taggers and parsers fill. A page without text is absent: a comment needs a sentence. */
export const conllu = {
  name: 'conllu',
  help: 'corpus.conllu: sentences and tokens for taggers and parsers (CoNLL-U)',
  copies: false,
  open: ({ folder }) => pagesFile(folder, FILE, writePage),
} as const satisfies OutputFormat;

async function writePage(file: HashedFile, { id, url, title, lang, text }: HarvestedPage): Promise<void> {
  const name = id.slice(id.lastIndexOf(':') + 1);
  let head = `# newdoc id = ${id}\n# url = ${url}\n# title = ${oneLineOf(title)}\n# lang = ${oneLineOf(lang)}\n# segmentation = ${SEGMENTATION}\n`;
  let number = 0;
  for (const paragraph of paragraphsOf(text)) {
    head += '# newpar\n';
    for (const sentence of sentencesIn(paragraph, lang)) {
      let lines = `${head}# sent_id = ${name}-${++number}\n# text = ${sentence.text}\n`;
      head = '';
      let i = 0;
      for (const { form, spaceAfter } of tokensOf(sentence, lang)) {
        lines += `${++i}\t${form}\t${UNKNOWN}\t${spaceAfter ? '_' : 'SpaceAfter=No'}\n`;
        if (i % TOKENS !== 0) continue;
        await file.write(lines);
        lines = '';
      }
      await file.write(`${lines}\n`);
    }
  }
}
