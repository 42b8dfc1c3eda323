/** The pages of a corpus by the protocols of their statements about rights and use. */
import type { CorpusRecord, HostKey, RightsProtocol, RightsStatement, Use } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { combinedUses } from '../../base/web/use-words.ts';

/** The pages with statements of one protocol. */
export interface ProtocolPages {
  readonly protocol: RightsProtocol;
  readonly pages: number;
  readonly hosts: number;
  /** Pages by use and word; of several statements the stricter. */
  readonly uses: Readonly<Partial<Record<Use, { readonly allow: number; readonly disallow: number }>>>;
  /** Pages with a statement that is not understood. */
  readonly notUnderstood: number;
}

interface Tally {
  pages: number;
  notUnderstood: number;
  readonly hosts: Set<HostKey>;
  readonly uses: Map<Use, { allow: number; disallow: number }>;
}

export class ProtocolCounts {
  readonly #tallies = new Map<RightsProtocol, Tally>();

  add({ url, rights = [] }: Pick<CorpusRecord, 'url' | 'rights'>): void {
    for (const protocol of new Set(rights.map((one) => one.protocol)))
      this.#count(
        hostKeyOf(url),
        protocol,
        rights.filter((one) => one.protocol === protocol),
      );
  }

  /** The protocol with most pages first. */
  pages(): readonly ProtocolPages[] {
    const all = [...this.#tallies].map(([protocol, { hosts, uses, ...counts }]) => ({
      protocol,
      ...counts,
      hosts: hosts.size,
      uses: Object.fromEntries(uses),
    }));
    return all.toSorted((a, b) => b.pages - a.pages || (a.protocol < b.protocol ? -1 : 1));
  }

  #count(host: HostKey, protocol: RightsProtocol, stated: readonly RightsStatement[]): void {
    const tally = this.#tallies.get(protocol) ?? { pages: 0, notUnderstood: 0, hosts: new Set(), uses: new Map() };
    this.#tallies.set(protocol, tally);
    tally.pages += 1;
    tally.hosts.add(host);
    if (stated.some(({ understood }) => !understood)) tally.notUnderstood += 1;
    for (const [use, word] of Object.entries(combinedUses(stated.map(({ uses }) => uses))) as [Use, 'allow' | 'disallow'][]) {
      const counts = tally.uses.get(use) ?? { allow: 0, disallow: 0 };
      counts[word] += 1;
      tally.uses.set(use, counts);
    }
  }
}
