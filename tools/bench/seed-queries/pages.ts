/** Pages of the Debian web with their subject, read once into memory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostTable } from '../../../datasets/debian-web/hosts.ts';
import { subjectOf } from '../../../datasets/debian-web/labels.ts';
import { type BuiltRow, readManifest } from '../../../datasets/debian-web/manifest.ts';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { extract } from '../../../src/faces/app/page-in-memory.ts';

export interface LabelledPage {
  readonly url: CanonicalUrl;
  readonly host: string;
  readonly subject: string;
  readonly title: string;
  readonly text: string;
}

/** Pages of a host that are read, drawn at random: large manuals would else be most of the web. */
const PER_HOST = 150;
/** Hosts of a subject that has a place in the bench: some for examples, others to be found. */
const LEAST_HOSTS = 4;

/** English pages of all hosts. Some 3 ms a page. */
export function labelledPages(web: string): LabelledPage[] {
  return readManifest(web)
    .rows.filter(({ lang }) => lang === 'en')
    .flatMap((row) => pagesOfRow(web, row));
}

function pagesOfRow(web: string, row: BuiltRow): LabelledPage[] {
  const names = readFileSync(join(web, row.list), 'utf8').split('\n').filter(Boolean);
  return shuffled(names, seededRng(1))
    .slice(0, PER_HOST)
    .flatMap((name) => pageOf(web, name));
}

function pageOf(web: string, name: string): LabelledPage[] {
  const url = canonicalize(`http://${name}`);
  if (url === null) return [];
  const { title, text } = extract(readFileSync(join(web, name)), { url });
  return text === '' ? [] : [{ url, host: new URL(url).host, subject: subjectOf(url) ?? '', title, text }];
}

/** Subjects in alphabetical order: every second one is for choosing settings, the others are reported. */
export function subjectsOf(split: 'dev' | 'report'): string[] {
  const hosts = new Map<string, Set<string>>();
  for (const { subject, host, lang } of hostTable()) if (lang === 'en') hosts.set(subject, (hosts.get(subject) ?? new Set()).add(host));
  const large = [...hosts].filter(([, own]) => own.size >= LEAST_HOSTS).map(([subject]) => subject);
  return large.sort().filter((_, i) => (i % 2 === 0) === (split === 'dev'));
}
