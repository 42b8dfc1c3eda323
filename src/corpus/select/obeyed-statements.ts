/** Protocols whose statements a corpus can obey, and the pages that they keep out of it. */
import type { CorpusRecord, ReservedBy, RightsProtocol, RightsStatement, StatedUses } from '../../base/core/types.ts';
import { combinedUses } from '../../base/web/use-words.ts';

/** Protocols that reserve uses. Licences allow them. */
export const OBEYABLE = ['tdm', 'noai', 'content-usage', 'content-signal', 'rsl'] as const satisfies readonly RightsProtocol[];
export type Obeyable = (typeof OBEYABLE)[number];

/** The protocols that are obeyed without a choice of the user: those of 0.2. The newer ones have no consensus on their labels yet. */
export const OBEYED_BY_DEFAULT: readonly Obeyable[] = ['tdm', 'noai'];

/** The uses that the statements of some protocols allow and disallow together. */
export function usesStated(rights: readonly RightsStatement[], protocols: ReadonlySet<RightsProtocol>): StatedUses {
  return combinedUses(rights.filter(({ protocol }) => protocols.has(protocol)).map(({ uses }) => uses));
}

/** The source by which a page is reserved: that of its reservation, else the first obeyed protocol that disallows a use. null if none does. */
export function reservedBy({ reservation, rights = [] }: CorpusRecord, obeyed: readonly Obeyable[]): ReservedBy | Obeyable | null {
  if (reservation?.reserved && obeyed.includes(reservation.by === 'noai' ? 'noai' : 'tdm')) return reservation.by;
  // The reservation is that of the TDM protocol where both have one.
  const others = obeyed.filter((protocol) => protocol !== 'tdm');
  return others.find((protocol) => Object.values(usesStated(rights, new Set([protocol]))).includes('disallow')) ?? null;
}
