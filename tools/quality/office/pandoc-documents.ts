/** Documents that pandoc makes of generated Markdown, and their scores as Forager reads them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Unit } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import type { DocumentKind } from '../../../src/reading/documents/document-kind.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { scorePage } from '../score.ts';
import { type MarkdownDocument, markdownDocument } from './markdown-documents.ts';

export interface DocumentScore {
  readonly f1: Unit;
  /** Found and wanted. */
  readonly headings: readonly [found: number, all: number];
  readonly links: readonly [found: number, all: number];
  readonly notes: readonly [found: number, all: number];
}

export function hasPandoc(): boolean {
  return spawnSync('pandoc', ['--version']).status === 0;
}

/** Files of one kind, by the numbers of their documents. */
export function pandocFiles(kind: string, count: number): { readonly file: Buffer; readonly source: MarkdownDocument }[] {
  const folder = mkdtempSync(join(tmpdir(), 'forager-office-'));
  try {
    return Array.from({ length: count }, (_, number) => {
      const source = markdownDocument(number);
      writeFileSync(join(folder, 'a.md'), source.markdown);
      execFileSync('pandoc', ['a.md', '-o', `a.${kind}`, '--metadata', `title=${source.title}`], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      return { file: readFileSync(join(folder, `a.${kind}`)), source };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const extractor = pageExtractor({ productToken: 'forager', extractor: 'none' });
const url = canonicalize('https://documents.example/a') ?? fail('no URL');

function fail(message: string): never {
  throw new Error(message);
}

/** @throws Error if the file is not read as a document */
export async function scoreOf(kind: DocumentKind, file: Uint8Array, source: MarkdownDocument): Promise<DocumentScore> {
  const reading = await (await kind.reader()).read(file, url);
  if (reading.kind !== 'document') return fail(JSON.stringify(reading));
  const body = Buffer.from(reading.html);
  const { extraction, markdown } = extractor.extractMarkdown(
    { url, headers: { 'content-type': 'text/html; charset=utf-8' }, body },
    { links: true },
  );
  const text = `${plain(extraction.title)} ${plain(extraction.text)}`;
  const outlinks = new Set(extraction.outlinks.map((link) => link.url as string));
  const lines = new Set(markdown.split('\n').map(plain));
  return {
    f1: scorePage(letters(extraction.text), letters(source.text), 'words').f1,
    headings: counted(source.headings, ({ level, text: heading }) => lines.has(`${'#'.repeat(level)} ${heading}`)),
    links: counted(source.links, ({ href, text: shown }) => outlinks.has(canonicalize(href) ?? '') && text.includes(shown)),
    notes: counted(source.notes, (note) => text.includes(note)),
  };
}

/** Numbers of notes are text of some formats and not of others. */
function letters(text: string): string {
  return text.replaceAll(/\p{N}+/gu, ' ');
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function counted<T>(all: readonly T[], isFound: (one: T) => boolean): readonly [number, number] {
  return [all.filter(isFound).length, all.length];
}
