/** WARC metadata of a page that names the page on which its URL was found, and the words of that link. */
import { warcMember } from './warc-record.ts';
import type { WarcEntry } from './warc-stream.ts';

type Metadata = Pick<WarcEntry, 'fields' | 'content'>;

/** The page that a metadata record names; null for another record, or if it names none. */
export function referrerIn({ fields, content }: Metadata): string | null {
  if (fields.get('warc-type') !== 'metadata' || content === null) return null;
  return /^referrer: (.*?)\r?$/m.exec(textOf(content))?.[1] ?? null;
}

/** Gzip member of the same record without that page and its words. */
export function withoutReferrer({ fields, content }: Metadata): Uint8Array {
  const lines = textOf(content ?? new Uint8Array()).split(/(?<=\n)/);
  const block = lines.filter((line) => !/^(?:referrer|anchorText): /.test(line)).join('');
  const head = [...fields].filter(([name]) => !MEASURED.has(name)).map(([name, value]) => [fieldName(name), value] as const);
  return warcMember(head, [Buffer.from(block)]);
}

/** Fields that `warcMember` computes. */
const MEASURED: ReadonlySet<string> = new Set(['warc-block-digest', 'content-length']);
const UPPER = /\b(?:warc|id|ip|uri)\b/g;

function fieldName(lower: string): string {
  return lower.replaceAll(UPPER, (word) => word.toUpperCase()).replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function textOf(content: Uint8Array): string {
  return Buffer.from(content).toString('utf8');
}
