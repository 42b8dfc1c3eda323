/**
 * F1 of the main text against the human one, per file and third:
 * `node --import tsx test/quality/extract-f1.ts <folder of *.jsonl.gz>`.
 * Fields of a line: id, url, lang, type, html, text. News by shingles of four words, Chinese by characters, the rest by words,
 * all as multisets. A third is a hash of the registrable domain modulo 3; weights are tuned on thirds 0 and 1 ("tuning") only.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { getDomain } from 'tldts';
import { mainBlocks, textOf } from '../../src/extract/main-text.ts';
import { PageParser } from '../../src/extract/page-parser.ts';

interface GoldPage {
  readonly id: string;
  readonly url: string;
  readonly type: string;
  readonly html: string;
  readonly text: string;
}
interface Score {
  readonly f1: number;
  readonly hit: number;
  readonly found: number;
  readonly gold: number;
}

/** FNV-1a, 32 bits: splits the domains the same way on every machine. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

export function thirdOf(page: { readonly id: string; readonly url: string }): number {
  return hash(getDomain(page.url) ?? (page.url || page.id)) % 3;
}

function units(text: string, file: string): string[] {
  if (file.includes('zh')) return text.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? [];
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (!file.includes('news')) return words;
  return words.slice(3).map((_, i) => words.slice(i, i + 4).join(' '));
}

function score(found: readonly string[], gold: readonly string[]): Score {
  const left = new Map<string, number>();
  for (const unit of gold) left.set(unit, (left.get(unit) ?? 0) + 1);
  let hit = 0;
  for (const unit of found) {
    const count = left.get(unit) ?? 0;
    if (count > 0) hit += 1;
    left.set(unit, count - 1);
  }
  const total = found.length + gold.length;
  return { f1: total === 0 ? 1 : (2 * hit) / total, hit, found: found.length, gold: gold.length };
}

/** F1 of the pooled precision and recall, each page's counts divided by the size of their union (as article-extraction-benchmark does). */
function pooledF1(scores: readonly Score[]): number {
  let hit = 0;
  let total = 0;
  for (const s of scores) {
    const union = s.found + s.gold - s.hit;
    if (union > 0) hit += s.hit / union;
    if (union > 0) total += (s.found + s.gold) / union;
  }
  return (2 * hit) / total;
}

function row(name: string, scores: readonly Score[]): string {
  const mean = scores.reduce((sum, s) => sum + s.f1, 0) / scores.length;
  return `${name.padEnd(44)} ${String(scores.length).padStart(5)} ${mean.toFixed(4)} ${pooledF1(scores).toFixed(4)}`;
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node --import tsx test/quality/extract-f1.ts <folder of *.jsonl.gz>');
  process.exit(2);
}
const parser = new PageParser();
const groups = new Map<string, Score[]>();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'))) {
  for (const line of gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .split('\n')) {
    if (line === '') continue;
    const page = JSON.parse(line) as GoldPage;
    const content = parser.parse(page.html);
    const text = textOf(content, mainBlocks(content.blocks));
    const part = thirdOf(page) === 2 ? 'held out' : 'tuning';
    const one = score(units(text, file), units(page.text, file));
    const name = file.replace('.jsonl.gz', '');
    for (const key of [`${part}: ${name}`, `${part}: ${name}, ${page.type}`]) groups.set(key, [...(groups.get(key) ?? []), one]);
  }
}
console.log(`${'part: file, type'.padEnd(44)} pages mean F1 pooled F1`);
for (const [name, scores] of [...groups].sort(([a], [b]) => a.localeCompare(b))) console.log(row(name, scores));
