/** The pages that somebody wants to take back: by their URLs, hosts or ids. */
import { DataError, UsageError } from '../../base/core/errors.ts';
import { isPathThere } from '../../base/core/on-disk.ts';
import type { Bytes, CanonicalUrl, RecordId } from '../../base/core/types.ts';
import { readGivenText } from '../../base/text/given-file.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';

/** Ten million short URLs; a larger file is something else. */
const MAX_BYTES: Bytes = 512 * 1024 * 1024;
/** Unknown pages that an error names. */
const NAMED = 3;

export interface WithdrawalChoiceOptions {
  /** URLs, and files with one a line. */
  readonly urls?: readonly string[];
  /** Names of hosts, with the port if it is not the default one. */
  readonly hostNames?: readonly string[];
  /** Ids of records, and files with one a line. */
  readonly ids?: readonly string[];
}

type Page = { readonly id: RecordId | null; readonly url: CanonicalUrl };

/** Notes which of the wanted pages were found. */
export class WithdrawalChoice {
  /** The words that chose no page so far, by their form in which pages have them. */
  readonly #missing = new Map<string, string>();
  readonly #wanted: ReadonlySet<string>;

  /** @throws UsageError if nothing is chosen, or for a word that is not a URL; DataError for a file without a line */
  constructor({ urls = [], hostNames = [], ids = [] }: WithdrawalChoiceOptions) {
    for (const word of listed('--url', urls)) this.#missing.set(urlOf(word), `--url ${word}`);
    for (const word of hostNames) this.#missing.set(`host ${word.trim().toLowerCase()}`, `--host ${word}`);
    for (const word of listed('--id', ids)) this.#missing.set(idOf(word), `--id ${word}`);
    this.#wanted = new Set(this.#missing.keys());
    if (this.#wanted.size === 0) throw new UsageError('corpus withdraw: no page is named; give --url, --host or --id');
  }

  has({ id, url }: Page): boolean {
    const keys = [url, `host ${new URL(url).host}`, ...(id === null ? [] : [id])].filter((key) => this.#wanted.has(key));
    for (const key of keys) this.#missing.delete(key);
    return keys.length > 0;
  }

  /** Called after all pages were shown. @throws UsageError naming the first words that chose no page */
  refuseMissing(dir: string): void {
    const words = [...this.#missing.values()];
    if (words.length === 0) return;
    const more = words.length > NAMED ? `, and ${words.length - NAMED} more` : '';
    throw new UsageError(
      `${words.slice(0, NAMED).join(', ')}${more}: no page of ${dir}, or taken back already; look for its URL in corpus.jsonl or with forager ledger`,
    );
  }
}

/** Words, and the lines of the files among them; `#` begins a comment. @throws DataError, UsageError */
function listed(option: string, words: readonly string[]): string[] {
  return words.flatMap((word) => {
    if (/^(?:https?|urn):/i.test(word) || !isPathThere(word)) return [word];
    const text = readGivenText(word, { maxBytes: MAX_BYTES, what: 'pages', name: `${option} ${word}` });
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    const named = lines.filter((line) => line !== '' && !line.startsWith('#'));
    if (named.length === 0) throw new DataError(`${option} ${word}: has no line; write one page a line`);
    return named;
  });
}

/** @throws UsageError */
function urlOf(word: string): CanonicalUrl {
  const url = canonicalizeWithRoute(word);
  if (url === null) throw new UsageError(`--url ${word}: is neither an http(s) URL nor a file; give the URL of a page, or a file of URLs`);
  return url;
}

function idOf(word: string): string {
  return word.startsWith('urn:') ? word : `urn:uuid:${word}`;
}
