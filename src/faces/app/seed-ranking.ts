/** Candidates for seeds in order: the best pages, and the hosts with the most good pages. */
import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';
import { FingerprintIndex } from '../../base/core/fingerprint-index.ts';
import { ownString } from '../../base/core/own-string.ts';
import type { CanonicalUrl, HostKey } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { CandidateWords } from '../../reading/topic/candidate-words.ts';

/** A candidate with its score: by words, or the score of its text. */
export interface ScoredCandidate extends CandidateWords {
  readonly url: CanonicalUrl;
  readonly score: number;
}

export interface RankedHost {
  readonly host: HostKey;
  /** The host's best page: a seed to start with. */
  readonly seed: CanonicalUrl;
  readonly title: string;
  /** Score of that page. */
  readonly score: number;
  /** Number of its candidates, and of the good ones. */
  readonly pages: number;
  readonly good: number;
}

/** Times as many as are wanted are held before the rest goes. */
const HELD = 4;

/** O(candidates · log(wanted)) time; some 20 bytes a candidate and 500 a host. */
export class SeedRanking {
  readonly #top: number;
  readonly #least: number;
  readonly #seen = new FingerprintIndex();
  readonly #print: Fingerprint = { hi: 0, lo: 0 };
  readonly #hosts = new Map<HostKey, RankedHost>();
  #best: ScoredCandidate[] = [];

  /** @param least score of a good candidate */
  constructor(top: number, least: number) {
    [this.#top, this.#least] = [top, least];
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
  add(candidate: ScoredCandidate): void {
    this.#addToHost(candidate);
    this.#best.push({ ...candidate, url: ownString(candidate.url), title: ownString(candidate.title) });
    if (this.#best.length >= HELD * this.#top) this.#best = this.pages();
  }

  /** The best candidates. */
  pages(): ScoredCandidate[] {
    return this.#best.sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1)).slice(0, this.#top);
  }

  /** Hosts by their good candidates, then by their best one. */
  hosts(): RankedHost[] {
    const inOrder = [...this.#hosts.values()].sort((a, b) => b.good - a.good || b.score - a.score || (a.host < b.host ? -1 : 1));
    return inOrder.slice(0, this.#top);
  }

  #addToHost({ url, title, score }: ScoredCandidate): void {
    const host = hostKeyOf(url);
    const known = this.#hosts.get(host);
    const pages = (known?.pages ?? 0) + 1;
    const good = (known?.good ?? 0) + (score >= this.#least ? 1 : 0);
    const best = known !== undefined && known.score >= score ? known : { seed: ownString(url), title: ownString(title), score };
    this.#hosts.set(host, { host, seed: best.seed, title: best.title, score: best.score, pages, good });
  }
}
