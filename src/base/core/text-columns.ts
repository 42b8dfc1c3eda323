import { InvariantError } from './errors.ts';
import type { LinkHashes, LinkText, LinkZone } from './types.ts';

/**
 * The texts of some links as columns. A few strings cost half as much as some hundred to pass between threads, and to and from a disk. Each string
 * column joins its values by line feeds, which no value contains. The columns do not say which links are URL lists.
 */
export interface TextColumns {
  readonly anchorTexts: string;
  readonly contexts: string;
  readonly imageAlts: string;
  readonly zones: string;
  readonly tagPaths: string;
  /** Anchor score and context score of each link; NaN means null. Shape [links, 2]. */
  readonly scores: Float64Array;
}

export function textColumns(links: readonly { readonly text: LinkText }[]): TextColumns {
  const count = links.length;
  const scores = new Float64Array(2 * count);
  const [anchorTexts, contexts, imageAlts, zones, tagPaths] = [[], [], [], [], []] as [string[], string[], string[], string[], string[]];
  for (const { text } of links) {
    scores[2 * zones.length] = text.anchorScore ?? Number.NaN;
    scores[2 * zones.length + 1] = text.contextScore ?? Number.NaN;
    anchorTexts.push(text.anchorText);
    contexts.push(text.context);
    imageAlts.push(text.imageAlt);
    tagPaths.push(text.tagPath);
    zones.push(text.zone);
  }
  return {
    anchorTexts: anchorTexts.join('\n'),
    contexts: contexts.join('\n'),
    imageAlts: imageAlts.join('\n'),
    zones: zones.join('\n'),
    tagPaths: tagPaths.join('\n'),
    scores,
  };
}

/** @param hashes of each link, if they are known @throws InvariantError if a value contained a line feed */
export function textsOf(columns: TextColumns, count: number, hashes: readonly LinkHashes[] | null = null): LinkText[] {
  const { scores } = columns;
  const anchorTexts = valuesOf(columns.anchorTexts, count);
  const contexts = valuesOf(columns.contexts, count);
  const imageAlts = valuesOf(columns.imageAlts, count);
  const zones = valuesOf(columns.zones, count) as LinkZone[];
  const tagPaths = valuesOf(columns.tagPaths, count);
  const texts: LinkText[] = [];
  for (let i = 0; i < count; i++) {
    const text: { -readonly [K in keyof LinkText]: LinkText[K] } = {
      anchorText: anchorTexts[i] as string,
      context: contexts[i] as string,
      imageAlt: imageAlts[i] as string,
      zone: zones[i] as LinkZone,
      tagPath: tagPaths[i] as string,
      anchorScore: scoreOf(scores[2 * i] as number),
      contextScore: scoreOf(scores[2 * i + 1] as number),
    };
    if (hashes !== null) text.hashes = hashes[i] as LinkHashes;
    texts.push(text);
  }
  return texts;
}

/** The values of a column. @throws InvariantError if their number differs from `count` */
export function valuesOf(column: string, count: number): string[] {
  const values = count === 0 && column === '' ? [] : column.split('\n');
  if (values.length !== count) throw new InvariantError(`a link contains a line feed: ${values.length} values instead of ${count}`);
  return values;
}

/** One value of a column; '' beyond its last one. */
export function valueAt(column: string, position: number): string {
  let from = 0;
  for (let i = 0; i < position; i++) {
    from = column.indexOf('\n', from) + 1;
    if (from === 0) return '';
  }
  const end = column.indexOf('\n', from);
  return end < 0 ? column.slice(from) : column.slice(from, end);
}

function scoreOf(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
