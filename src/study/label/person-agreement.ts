/** Agreement of the people who label a crawl, where two of them answered the same page. Pure. */
import { type Agreement, agreementOf } from './judge/agreement.ts';
import type { LabelEntry } from './label-log.ts';

export interface PersonAgreement extends Agreement {
  /** Names of the two people. In `yesNo` and the like, the first one comes first. */
  readonly names: readonly [string, string];
}

type Answered = Pick<LabelEntry, 'url' | 'answer' | 'sha256' | 'name'>;

/** Every two names with a page that both answered y or n, in order of names. The last answer of a person counts, if both saw the same text. */
export function personAgreements(entries: readonly Answered[]): PersonAgreement[] {
  const byName = new Map<string, Map<string, Answered>>();
  for (const entry of entries) {
    if (entry.name === undefined) continue;
    const answers = byName.get(entry.name) ?? new Map<string, Answered>();
    byName.set(entry.name, answers.set(entry.url, entry));
  }
  const people = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  const pairs = people.flatMap(([a, first], i) =>
    people.slice(i + 1).map(([b, second]) => ({ names: [a, b] as const, ...agreementOf(sharedBy(first, second)) })),
  );
  return pairs.filter(({ pages }) => pages > 0);
}

function sharedBy(first: ReadonlyMap<string, Answered>, second: ReadonlyMap<string, Answered>) {
  const both = [...first.values()].flatMap((a) => {
    const b = second.get(a.url);
    return b?.sha256 === a.sha256 ? [`${a.answer}${b.answer}`] : [];
  });
  const count = (pair: string) => both.filter((one) => one === pair).length;
  return { yesYes: count('yy'), yesNo: count('yn'), noYes: count('ny'), noNo: count('nn') };
}
