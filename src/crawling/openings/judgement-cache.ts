/** The judgements of the user's judges: a file of the crawl that only grows. A text is asked about once. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { GrowingLines, type LineForm } from '../../corpus/records/growing-lines.ts';
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import type { PageJudgement } from './judgements.ts';

const lineSchema = z.strictObject({
  /** SHA-256 of the module or of the command, hex, its first 16 digits. */
  judge: z.string(),
  /** SHA-256 of title and main text, hex. */
  text: z.string(),
  relevance: z.number().min(0).max(1),
  because: z.string().optional(),
});
type StoredJudgement = z.infer<typeof lineSchema>;

const FORM: LineForm<StoredJudgement> = {
  parse: (value) => lineSchema.parse(value),
  name: 'a stored judgement',
  remedy: 'delete the line, and the judge is asked again',
};

/** Digest by which a text is known, hex. */
export function judgedTextDigest({ title, text }: { readonly title: string; readonly text: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([title, text]))
    .digest('hex');
}

export class JudgementCache {
  readonly #judge: string;
  readonly #file: GrowingLines<StoredJudgement>;
  readonly #known: Map<string, PageJudgement>;

  /** @param judgeSha256 of the judge; judgements of others stay in the file. @throws DamageError naming the invalid line */
  constructor({ judgements }: Pick<CrawlPaths, 'judgements'>, judgeSha256: string) {
    this.#judge = judgeSha256.slice(0, 16);
    const { file, lines } = GrowingLines.open(judgements, FORM);
    this.#file = file;
    const own = lines.filter(({ judge }) => judge === this.#judge);
    this.#known = new Map(own.map(({ text, relevance, because }) => [text, { relevance, ...(because !== undefined && { because }) }]));
  }

  /** Number of texts that the judge has judged. */
  get size(): number {
    return this.#known.size;
  }

  get(text: string): PageJudgement | undefined {
    return this.#known.get(text);
  }

  /** Stores judgements by the digests of their texts; they are on disk when this resolves. @throws StoreError */
  async add(given: readonly (readonly [text: string, judgement: PageJudgement])[]): Promise<void> {
    if (given.length === 0) return;
    for (const [text, judgement] of given) this.#known.set(text, judgement);
    await this.#file.append(given.map(([text, judgement]) => ({ judge: this.#judge, text, ...judgement })));
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Checks the file of a crawl. @throws DamageError */
export function checkJudgements({ judgements }: Pick<CrawlPaths, 'judgements'>): void {
  GrowingLines.open(judgements, FORM);
}
