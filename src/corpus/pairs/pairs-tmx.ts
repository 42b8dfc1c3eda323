import { VERSION } from '../../base/core/version.ts';
import { escaped } from '../formats/tei-text.ts';
import type { PairFormat } from './pair-format.ts';
import type { PairSide, SentencePair } from './sentence-pair.ts';

const FILE = 'pairs.tmx';

/** Translation Memory eXchange 1.4b (LISA OSCAR, 2005). */
export const tmx = {
  name: 'tmx',
  help: `${FILE}: a translation memory, TMX 1.4`,
  async open({ folder, langs, now }) {
    const file = await folder.file(FILE);
    const written = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    await file.write(
      `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">\n<header creationtool="forager" creationtoolversion="${escaped(VERSION)}" segtype="sentence" o-tmf="forager" adminlang="en" srclang="${langs[0]}" datatype="plaintext" creationdate="${written}"/>\n<body>\n`,
    );
    return {
      write: (pair) => file.write(unitOf(pair, langs)),
      finish: async () => {
        await file.write('</body>\n</tmx>\n');
        await folder.finish(FILE);
      },
    };
  },
} as const satisfies PairFormat;

function unitOf({ id, left, right, score, kind, pagesBy, pagesScore, split }: SentencePair, langs: readonly [string, string]): string {
  const facts = { score, kind, 'pages-by': pagesBy, 'pages-score': pagesScore, ...(split && { split }) };
  return `<tu tuid="${id}">${propsOf(facts)}${variantOf(left, langs[0])}${variantOf(right, langs[1])}</tu>\n`;
}

/** The elements of a variant are in the order of the DTD: properties, then the segment. */
function variantOf({ text, id, url, start, end }: PairSide, lang: string): string {
  return `<tuv xml:lang="${lang}">${propsOf({ url, id, start, end })}<seg>${escaped(text)}</seg></tuv>`;
}

/** Types of a tool's own begin with `x-`. */
function propsOf(facts: Readonly<Record<string, string | number>>): string {
  return Object.entries(facts)
    .map(([name, value]) => `<prop type="x-${name}">${escaped(String(value))}</prop>`)
    .join('');
}
