/** The pages that the statements of their owners keep out of a corpus. */
import type { CorpusRecord, ReservedBy, RightsProtocol, RightsStatement, StatedUses } from '../../base/core/types.ts';
import { combinedUses } from '../../base/web/use-words.ts';
import type { Obeyable } from './obeyed-names.ts';

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
