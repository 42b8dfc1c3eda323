import type { DocumentFacts, DocumentKind, DocumentReading } from '../../../src/reading/documents/document-kind.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { type ZipPart, zipFile } from '../../support/zip-file.ts';
import { page } from '../extract/page.ts';

/** A ZIP file of texts by their names, in the order of writing; `mimetype` is stored. */
export function zipOf(
  parts: Readonly<Record<string, string | Uint8Array>>,
  changes: Readonly<Record<string, Partial<ZipPart>>> = {},
): Uint8Array {
  return zipFile(Object.entries(parts).map(([name, data]) => ({ name, data, stored: name === 'mimetype', ...changes[name] })));
}

export async function readWith(kind: DocumentKind, bytes: Uint8Array, base: string | null = null): Promise<DocumentReading> {
  return (await kind.reader()).read(bytes, base);
}

/** Body and facts of a document. @throws with the outcome, if it is another one */
export async function documentIn(
  kind: DocumentKind,
  bytes: Uint8Array,
  base: string | null = null,
): Promise<{ readonly html: string; readonly body: string; readonly facts: DocumentFacts }> {
  const reading = await readWith(kind, bytes, base);
  if (reading.kind !== 'document') throw new Error(JSON.stringify(reading));
  const body = /<body>([\s\S]*)<\/body>/.exec(reading.html)?.[1] ?? '';
  return { html: reading.html, body, facts: reading.facts };
}

/** Lines of the text of HTML: what stands between tags of blocks. */
export function linesOf(html: string): string[] {
  return html
    .replaceAll(/<\/?(?:p|h[1-6]|li|[uo]l|d[ldt]|t[dhr]|table|section|div|pre|blockquote|br)\b[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

/** Text of the page that a document becomes, as a crawl reads it. */
export function textOf(html: string): string {
  const extractor = pageExtractor({ productToken: 'forager', extractor: 'none' });
  return extractor.extract(page(html)).text;
}
