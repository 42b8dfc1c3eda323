/** The explanation of a page's main text as a table for people, `WIDTH` columns wide unless the id is longer. */

import { counted } from '../../base/text/number-text.ts';
import type { BlockReason } from '../../reading/extract/block-model.ts';
import type { BlockExplanation, PageExplanation } from '../../reading/extract/explanation.ts';
import { FLAG, HINTS } from '../../reading/extract/tags.ts';
import type { ExplainedPage } from '../app/extract-pages.ts';
import { clippedToWidth } from './terminal-text.ts';

const WIDTH = 100;
const MAX_TEXT = 60;
/** Reasons shown for each block. */
const REASONS = 3;

/** Columns of a method: the heading of the number column, the number of a block, and the line below the block. */
interface Columns {
  readonly heading: string;
  readonly numberOf: (block: BlockExplanation) => string;
  readonly detailOf: (block: BlockExplanation) => string;
}

/** Lines of the table of one page. */
export function blockTable({ id, extraction, extractor, explanation }: ExplainedPage): string[] {
  const name = extraction.title === '' ? id : `${id}: ${extraction.title}`;
  const head = clippedToWidth(name, Math.max(WIDTH, id.length + 1));
  if (explanation === null) return [head, 'plain text, used as it is'];
  const { blocks, threshold } = explanation;
  const texts = blocks.filter(({ role }) => role === 'text').length;
  const summary = `extractor ${extractor}${threshold === null ? '' : `, threshold ${threshold.toFixed(3)}`}: ${texts} of ${blocks.length} blocks are text`;
  return [head, summary, ...(blocks.length === 0 ? [] : ['', ...rowsOf(explanation)])];
}

function rowsOf({ blocks }: PageExplanation): string[] {
  const columns = columnsOf(blocks);
  const byWidth = Math.max('decided by'.length, ...blocks.map((block) => decidedBy(block).length));
  const numberWidth = Math.max(columns.heading.length, ...blocks.map((block) => columns.numberOf(block).length));
  const row = (index: string, role: string, number: string, by: string, text: string): string => {
    const aligned = numberWidth === 0 ? '' : `${number.padStart(numberWidth)}  `;
    const start = `${index.padStart(5)}  ${role.padEnd(7)}  ${aligned}${by.padEnd(byWidth)}  `;
    return `${start}${clippedToWidth(text, Math.min(MAX_TEXT, WIDTH - start.length))}`.trimEnd();
  };
  return [
    row('block', 'role', columns.heading, 'decided by', 'text'),
    ...blocks.flatMap((block) => {
      const detail = columns.detailOf(block);
      const line = row(String(block.index), block.role, columns.numberOf(block), decidedBy(block), block.text.replaceAll(/\s+/g, ' '));
      return detail === '' ? [line] : [line, `       ${detail}`];
    }),
  ];
}

function columnsOf(blocks: readonly BlockExplanation[]): Columns {
  const [first] = blocks;
  if (first?.model) {
    const numberOf = ({ model }: BlockExplanation) => (model?.probability ?? 0).toFixed(3);
    return { heading: 'prob', numberOf, detailOf: ({ model }) => reasonsOf(model?.reasons ?? []) };
  }
  if (first?.slope) return { heading: 'score', numberOf: ({ slope }) => (slope?.score ?? 0).toFixed(1), detailOf: countsOf };
  return { heading: '', numberOf: () => '', detailOf: () => '' };
}

/** The rule that decided the role of the block; with the rule of the slope if the model left the decision to the slope, and with the siblings that may differ. */
function decidedBy({ rule, slope, spare }: BlockExplanation): string {
  const words = rule === 'slope' && slope !== null ? `slope: ${slope.rule}` : rule;
  return `${words.replaceAll('-', ' ')}${spare ? ', or siblings' : ''}`;
}

/** Lists as many of the first reasons as fit on a line: feature, its value, and its contribution in log odds. */
function reasonsOf(reasons: readonly BlockReason[]): string {
  let line = '';
  for (const { feature, value, contribution } of reasons.slice(0, REASONS)) {
    const reason = `${feature} ${Number(value.toPrecision(3))} (${contribution < 0 ? '-' : '+'}${Math.abs(contribution).toFixed(2)})`;
    const longer = line === '' ? reason : `${line}  ${reason}`;
    if (longer.length > WIDTH - 7) break;
    line = longer;
  }
  return line;
}

/** The slope's evidence: words, elements, and names of elements. */
function countsOf({ words, linkWords, sentences, flags }: BlockExplanation): string {
  const elements = flags.filter((flag) => (FLAG[flag] & HINTS) === 0);
  const names = flags.filter((flag) => (FLAG[flag] & HINTS) !== 0);
  const parts = [
    counted(words, 'word') + (linkWords > 0 ? `, ${linkWords} linked` : '') + (sentences > 0 ? `, ${counted(sentences, 'sentence')}` : ''),
    ...(elements.length > 0 ? [`in ${elements.join(', ')}`] : []),
    ...(names.length > 0 ? [`named ${names.join(', ')}`] : []),
  ];
  return clippedToWidth(parts.join('; '), WIDTH - 7);
}
