/** Candidates for seeds in order: the best pages, and the hosts with the most pages on the topic. */
import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';
import { FingerprintIndex } from '../../base/core/fingerprint-index.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import { ownString } from '../../base/core/own-string.ts';
import type { CanonicalUrl, HostKey, Unit } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { CandidateWords } from '../../reading/topic/candidate-words.ts';

/** A candidate that was judged. */
export interface JudgedCandidate extends CandidateWords {
  readonly url: CanonicalUrl;
  readonly relevance: Unit;
}

export interface RankedHost {
  readonly host: HostKey;
  /** The host's most relevant page: a seed to start with. */
  readonly seed: CanonicalUrl;
  readonly title: string;
  /** Relevance of that page. */
  readonly relevance: Unit;
  /** Number of its candidates, and of those on topic. */
  readonly pages: number;
  readonly onTopic: number;
}

/** Times as many as are wanted are held before the rest goes. */
const HELD = 4;

/** O(candidates · log(wanted)) time; some 20 bytes a candidate and 500 a host. */
export class SeedRanking {
  readonly #top: number;
  readonly #threshold: Unit;
  readonly #seen = new FingerprintIndex();
  readonly #print: Fingerprint = { hi: 0, lo: 0 };
  readonly #hosts = new Map<HostKey, RankedHost>();
  #best: JudgedCandidate[] = [];

  constructor(top: number, threshold: Unit) {
    [this.#top, this.#threshold] = [top, threshold];
  }

  /** Number of distinct candidates. */
  get size(): number {
    return this.#seen.size;
  }

  /** Is the URL new? Then it counts from now on. */
  isNew(url: CanonicalUrl): boolean {
    const known = this.#seen.size;
    fingerprint(url, this.#print);
    return this.#seen.of(this.#print) === known;
  }

  /** @param candidate whose URL is new */
  add(candidate: JudgedCandidate): void {
    this.#addToHost(candidate);
    this.#best.push({ ...candidate, url: ownString(candidate.url), title: ownString(candidate.title) });
    if (this.#best.length >= HELD * this.#top) this.#best = this.pages();
  }

  /** The most relevant candidates. */
  pages(): JudgedCandidate[] {
    return this.#best.sort((a, b) => b.relevance - a.relevance || (a.url < b.url ? -1 : 1)).slice(0, this.#top);
  }

  /** Hosts by their candidates on topic, then by their best one. */
  hosts(): RankedHost[] {
    const inOrder = [...this.#hosts.values()].sort(
      (a, b) => b.onTopic - a.onTopic || b.relevance - a.relevance || (a.host < b.host ? -1 : 1),
    );
    return inOrder.slice(0, this.#top);
  }

  #addToHost({ url, title, relevance }: JudgedCandidate): void {
    const host = hostKeyOf(url);
    const known = this.#hosts.get(host);
    const pages = (known?.pages ?? 0) + 1;
    const onTopic = (known?.onTopic ?? 0) + (isOnTopic(relevance, this.#threshold) ? 1 : 0);
    const best = known !== undefined && known.relevance >= relevance ? known : { seed: ownString(url), title: ownString(title), relevance };
    this.#hosts.set(host, { host, seed: best.seed, title: best.title, relevance: best.relevance, pages, onTopic });
  }
}
