/** Documents that a crawl refused: those of kinds that it does not read, and those without text. */
import { DOCUMENT_KIND_NAMES, type DocumentKindName } from '../../base/core/document-kind-names.ts';
import { storedReason } from '../../base/core/reason.ts';
import type { CanonicalUrl, StateName } from '../../base/core/types.ts';
import { documentNameOf } from '../../reading/documents/document-types.ts';
import type { LedgerVisitor } from './ledger-walk.ts';

export interface RefusedDocuments {
  /** Number of files of each kind that the crawl does not read, the most frequent first. */
  readonly kinds: readonly { readonly kind: DocumentKindName; readonly files: number }[];
  /** Number of documents without text, and of their pages. */
  readonly noText: { readonly documents: number; readonly pages: number };
}

interface Line {
  readonly url: CanonicalUrl;
  readonly state: StateName;
  readonly reason: string;
}

/** Counts the documents of a walk. */
export class RefusedDocumentTally implements LedgerVisitor {
  #files = new Map<DocumentKindName, number>();
  #documents = 0;
  #pages = 0;

  /** Copy of the counts: an addition to it does not change these. */
  copy(): RefusedDocumentTally {
    const copy = new RefusedDocumentTally();
    copy.#files = new Map(this.#files);
    [copy.#documents, copy.#pages] = [this.#documents, this.#pages];
    return copy;
  }

  line({ url, state, reason: text }: Line): void {
    if (state !== 'refused') return;
    const reason = storedReason(text);
    if (reason === 'no-text' || (typeof reason === 'object' && reason.kind === 'no-text')) {
      this.#documents += 1;
      this.#pages += typeof reason === 'object' ? reason.pages : 0;
    }
    const kind = kindOfRefused(reason, url);
    if (kind !== null) this.#files.set(kind, (this.#files.get(kind) ?? 0) + 1);
  }

  /** None of them is refused for its type. */
  plain(): void {}

  counts(): RefusedDocuments {
    const kinds = DOCUMENT_KIND_NAMES.map((kind) => ({ kind, files: this.#files.get(kind) ?? 0 })).filter(({ files }) => files > 0);
    return { kinds: kinds.sort((a, b) => b.files - a.files), noText: { documents: this.#documents, pages: this.#pages } };
  }
}

/** The kind by the type of the answer; by the ending of a link that was not requested. */
function kindOfRefused(reason: ReturnType<typeof storedReason>, url: CanonicalUrl): DocumentKindName | null {
  if (typeof reason === 'object' && reason.kind === 'content-type') return reason.document;
  return reason === 'content-type' ? documentNameOf('', url) : null;
}

/** The refused documents among lines of a ledger. O(lines). */
export function refusedDocuments(lines: Iterable<Line>): RefusedDocuments {
  const tally = new RefusedDocumentTally();
  for (const line of lines) tally.line(line);
  return tally.counts();
}
