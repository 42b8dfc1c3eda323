/** The statements of the robots.txt files that a crawl stored, as of a moment. */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataError } from '../../base/core/errors.ts';
import type { CanonicalUrl, EpochMs, RightsStatement } from '../../base/core/types.ts';
import { parseRobots, type RobotsRules } from '../../base/web/robots.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { type KeptRobotsAnswer, RIGHTS_WARC, ROBOTS_FILE, robotsAnswers } from './robots-answers.ts';
import { readWarcResponses } from './warc-reader.ts';

/** Most redirects that are followed (RFC 9309 §2.3.1.2). */
const MAX_REDIRECTS = 5;

/** Memory: the rules of all stored texts. */
export class StoredRobots {
  readonly #answers = new Map<string, KeptRobotsAnswer[]>();
  readonly #rules = new Map<string, RobotsRules>();

  private constructor() {}

  /** Reads those of a corpus folder; none of a crawl of an earlier version. Damage ends the reading, and the answers before it count. */
  static async read(corpusDir: string, productToken: string): Promise<StoredRobots> {
    const stored = new StoredRobots();
    const [lines, warc] = [join(corpusDir, ROBOTS_FILE), join(corpusDir, RIGHTS_WARC)];
    if (!existsSync(lines) || !existsSync(warc)) return stored;
    try {
      for await (const { body } of readWarcResponses(warc))
        stored.#rules.set(createHash('sha256').update(body).digest('hex'), parseRobots(body, productToken));
      for await (const answer of robotsAnswers(corpusDir, statSync(lines).size)) stored.#add(answer);
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
    }
    return stored;
  }

  #add(answer: KeptRobotsAnswer): void {
    // A host that could not be reached kept the rules that it had.
    if (answer.outcome === 'unreachable') return;
    const known = this.#answers.get(answer.url);
    if (known) known.push(answer);
    else this.#answers.set(answer.url, [answer]);
  }

  /** The statements about a page in the last answer before it was requested. */
  statements(url: CanonicalUrl, at: EpochMs): readonly RightsStatement[] {
    let answer = this.#lastOf(`${hostKeyOf(url)}/robots.txt`, at);
    for (let hop = 0; answer?.to && hop < MAX_REDIRECTS; hop++) answer = this.#lastOf(answer.to, at);
    const { fetchedAt, sha256 } = answer ?? { fetchedAt: null, sha256: null };
    if (fetchedAt === null || sha256 === null) return [];
    return (this.#rules.get(sha256)?.statements(url) ?? []).map((statement) => ({ ...statement, fetchedAt }));
  }

  #lastOf(url: string, at: EpochMs): KeptRobotsAnswer | null {
    return this.#answers.get(url)?.findLast(({ fetchedAt }) => Date.parse(fetchedAt) <= at) ?? null;
  }
}
