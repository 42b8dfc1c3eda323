/** The statements of owners about rights and use, in the words of a card. */
import { USES } from '../../base/core/types.ts';
import type { ProtocolPages } from '../select/protocol-counts.ts';
import { textTable } from './card-tables.ts';
import type { CorpusCard } from './corpus-card.ts';

/** Section of the card; null without a statement. */
export function rightsText({ rights = [] }: CorpusCard): string | null {
  if (rights.length === 0) return null;
  const rows = rights.map((one) => [
    one.protocol,
    String(one.pages),
    String(one.hosts),
    usesText(one, 'disallow'),
    usesText(one, 'allow'),
    String(one.notUnderstood),
  ]);
  const table = textTable(['protocol', 'pages', 'hosts', 'disallow', 'allow', 'not understood'], rows);
  return `Owners of the pages of this corpus make these statements. The field rights of each page has them word for word, with place and time.\n\n${table}`;
}

/** One sentence for other descriptions; null without a statement. */
export function rightsSentence({ rights = [] }: CorpusCard): string | null {
  if (rights.length === 0) return null;
  const parts = rights.map((one) => {
    const words = [usesText(one, 'disallow'), usesText(one, 'allow')];
    const [no, yes] = words;
    return `${one.protocol} on ${one.pages} pages of ${one.hosts} hosts${no === '' ? '' : ` (disallowed: ${no})`}${yes === '' ? '' : ` (allowed: ${yes})`}`;
  });
  return `Statements of the owners about rights and use: ${parts.join('; ')}. The field rights of each page has them word for word.`;
}

/** Uses with their pages: `train-ai 12, search 3`. */
function usesText({ uses }: ProtocolPages, word: 'allow' | 'disallow'): string {
  return USES.flatMap((use) => {
    const pages = uses[use]?.[word] ?? 0;
    return pages > 0 ? [`${use} ${pages}`] : [];
  }).join(', ');
}
