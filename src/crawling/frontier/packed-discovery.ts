import { type TextColumns, textColumns, textsOf, valuesOf } from '../../base/core/text-columns.ts';
import {
  type CanonicalUrl,
  type DiscoveredLink,
  type HostKey,
  type LinkTask,
  type LinkText,
  type ListKind,
  type OwnScore,
  PAGE,
  type RefusalReason,
  type Unit,
} from '../../base/core/types.ts';
import type { StoredDiscovery } from './store.ts';

/** The form in the database of a task that is not a page, since version 0.1. */
interface ListMark {
  readonly kind: ListKind | 'reservations';
  readonly level: number;
}

/** The form of a discovery in the database, its links as columns; `npm run bench -- frontier` shows the gain. Strings are joined as in `TextColumns`. */
export interface PackedDiscovery extends Omit<StoredDiscovery, 'links'> {
  readonly count: number;
  readonly urls: string;
  /** '' for the same host as that of the link before. */
  readonly hosts: string;
  /** '' for a link that may be followed. */
  readonly refusals: string;
  readonly texts: Omit<TextColumns, 'scores'>;
  /** The priority of each link, then the scores of their texts. Little-endian doubles. */
  readonly numbers: Uint8Array;
  /** Links to anything other than a page, by position. */
  readonly lists: readonly (readonly [position: number, ListMark])[];
  /** Weights that a hook gave, by position. Absent without any. */
  readonly weights?: readonly (readonly [position: number, weight: Unit])[];
  /** Scores by a strategy of the user, by position. Absent without any. */
  readonly owns?: readonly (readonly [position: number, own: OwnScore])[];
}

export function packDiscovery({ links, ...rest }: StoredDiscovery): PackedDiscovery {
  const count = links.length;
  const { scores, ...texts } = textColumns(links);
  const numbers = new Float64Array(3 * count);
  numbers.set(scores, count);
  const [urls, hosts, refusals] = [[], [], []] as [string[], string[], string[]];
  const lists: [number, ListMark][] = [];
  const weights: [number, Unit][] = [];
  const owns: [number, OwnScore][] = [];
  let before: HostKey | null = null;
  for (const { url, host, priority, refusal, text, task } of links) {
    const at = urls.length;
    numbers[at] = priority;
    const mark = markOf(task);
    if (mark) lists.push([at, mark]);
    if (text.weight !== undefined) weights.push([at, text.weight]);
    if (text.own !== undefined) owns.push([at, text.own]);
    hosts.push(host === before ? '' : host);
    refusals.push(refusal ?? '');
    urls.push(url);
    before = host;
  }
  return {
    ...rest,
    count,
    urls: urls.join('\n'),
    hosts: hosts.join('\n'),
    refusals: refusals.join('\n'),
    texts,
    numbers: new Uint8Array(numbers.buffer),
    lists,
    ...(weights.length > 0 && { weights }),
    ...(owns.length > 0 && { owns }),
  };
}

/** @throws Error of any kind for data that `packDiscovery` did not make */
export function unpackDiscovery(packed: PackedDiscovery): StoredDiscovery {
  const { count, urls, hosts, refusals, texts, numbers, lists, weights = [], owns = [], ...rest } = packed;
  const doubles = new Float64Array(Uint8Array.from(numbers).buffer);
  const unpacked = textsOf({ ...texts, scores: doubles.subarray(count) }, count);
  for (const [at, weight] of weights) unpacked[at] = { ...(unpacked[at] as LinkText), weight };
  for (const [at, own] of owns) unpacked[at] = { ...(unpacked[at] as LinkText), own };
  const tasks = new Map(lists.map(([at, mark]) => [at, taskOf(mark)]));
  const urlOf = valuesOf(urls, count) as CanonicalUrl[];
  const hostOf = valuesOf(hosts, count) as HostKey[];
  const refusalOf = valuesOf(refusals, count) as (RefusalReason | '')[];
  const links: DiscoveredLink[] = [];
  let host = hostOf[0] as HostKey;
  for (let i = 0; i < count; i++) {
    host = hostOf[i] || host;
    links.push({
      url: urlOf[i] as CanonicalUrl,
      host,
      priority: doubles[i] as number,
      refusal: refusalOf[i] || null,
      text: unpacked[i] as LinkText,
      task: tasks.get(i) ?? PAGE,
    });
  }
  return { ...rest, links };
}

function markOf(task: LinkTask): ListMark | null {
  if (task.kind === 'page') return null;
  return task.kind === 'list' ? { kind: task.list, level: task.level } : { kind: task.kind, level: 0 };
}

function taskOf({ kind, level }: ListMark): LinkTask {
  return kind === 'reservations' ? { kind } : { kind: 'list', list: kind, level };
}
