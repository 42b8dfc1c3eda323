/**
 * What the learned site furniture takes out of the main text of real pages: the Debian web, a host at a time, pages in a seeded random order.
 *
 *   npm run bench:furniture -- [--web DIR] [--hosts a,b] [--pages 250] [--method slope|block|none] [--min-pages N] [--min-share S]
 *                              [--sample 50] [--per-host 5] [--topic] [--seed 1]
 *
 * Needs a built web: npm run web:build. `--topic` adds the effect on a topic model, and needs the hosts en.cppreference.com,
 * doc.sagemath.org, docs.kernel.org and macaulay2.com.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { underPrefix } from '../../datasets/debian-web/labels.ts';
import { pagesOf, readManifest } from '../../datasets/debian-web/manifest.ts';
import { seededRng, shuffled } from '../../src/core/rng.ts';
import type { CanonicalUrl } from '../../src/core/types.ts';
import { BlockModel } from '../../src/extract/block-model.ts';
import type { PageContent } from '../../src/extract/blocks.ts';
import { DEFAULT_MAIN_TEXT_METHOD, MAX_PAGE_CHARS, PageExtractor } from '../../src/extract/extractor.ts';
import { SiteFurniture } from '../../src/extract/furniture.ts';
import { modelDecision, ROLE, slopeDecision, visibleBlocks } from '../../src/extract/main-text.ts';
import { PageParser } from '../../src/extract/page-parser.ts';
import { averagePrecision } from '../../src/topic/evaluate.ts';
import { trainTopic } from '../../src/topic/train-topic.ts';
import { decodeText } from '../../src/web/charset.ts';
import { canonicalize, hostKeyOf } from '../../src/web/url.ts';

/** A word left on more of a host's pages than this is counted as still repeating. */
const REPEATS = 0.3;
const TRAINING_PAGES = 20;
/** The sub-topics of test/bench/harvest.ts. */
const TOPICS = [
  'en.cppreference.com/w/cpp/thread/',
  'doc.sagemath.org/html/en/reference/combinat/',
  'docs.kernel.org/networking/',
  'macaulay2.com/doc/Macaulay2/share/doc/Macaulay2/Units/',
];

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    hosts: { type: 'string' },
    pages: { type: 'string', default: '250' },
    method: { type: 'string', default: 'slope' },
    'min-pages': { type: 'string' },
    'min-share': { type: 'string' },
    sample: { type: 'string', default: '50' },
    'per-host': { type: 'string', default: '5' },
    topic: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});

interface Struck {
  readonly host: string;
  readonly page: string;
  readonly text: string;
}

interface HostResult {
  readonly host: string;
  readonly pages: number;
  readonly words: number;
  readonly struckWords: number;
  readonly touchedPages: number;
  readonly repeatedBefore: number;
  readonly repeatedAfter: number;
  readonly micros: number;
}

/** Words of the main text, by block; and how many stand in blocks that many pages have. */
class Repeats {
  words = 0;
  #pages = 0;
  readonly #blocks = new Map<string, { pages: number; lastPage: number; words: number }>();

  add({ text, blocks }: PageContent, roles: Uint8Array): void {
    this.#pages += 1;
    blocks.forEach((block, i) => {
      if (roles[i] !== ROLE.text) return;
      this.words += block.words;
      const line = text.slice(block.start, block.end);
      const known = this.#blocks.get(line) ?? { pages: 0, lastPage: 0, words: 0 };
      if (known.lastPage !== this.#pages) known.pages += 1;
      known.lastPage = this.#pages;
      known.words += block.words;
      this.#blocks.set(line, known);
    });
  }

  repeated(): number {
    let words = 0;
    for (const block of this.#blocks.values()) if (block.pages > REPEATS * this.#pages) words += block.words;
    return words;
  }
}

const manifest = readManifest(values.web);
const seed = Number(values.seed);
const furnitureOptions = {
  ...(values['min-pages'] ? { minPages: Number(values['min-pages']) } : {}),
  ...(values['min-share'] ? { minShare: Number(values['min-share']) } : {}),
};
const parser = new PageParser(values.method === 'block');
const model = values.method === 'block' ? BlockModel.bundled() : null;
const struck: Struck[] = [];
const furniture = new SiteFurniture(furnitureOptions);
const hosts = [...new Set(manifest.rows.map(({ host }) => host))]
  .filter((host) => !values.hosts || values.hosts.split(',').includes(host))
  .sort();
const results = hosts.map(runHost);
printTable(results);
printSample();
if (values.topic) for (const prefix of TOPICS) await runTopic(prefix);

function pagesOfHost(host: string): string[] {
  return manifest.rows
    .filter((row) => row.host === host)
    .flatMap((row) => [...pagesOf(values.web, row)])
    .sort();
}

function rolesOf(content: PageContent): Uint8Array {
  if (values.method === 'none') return visibleBlocks(content.blocks);
  return model === null ? slopeDecision(content.blocks).roles : modelDecision(content, model).roles;
}

function runHost(host: string): HostResult {
  const names = shuffled(pagesOfHost(host), seededRng(seed)).slice(0, Number(values.pages));
  const before = new Repeats();
  const after = new Repeats();
  const key = hostKeyOf(urlOf(`${host}/`));
  let nanos = 0n;
  let touchedPages = 0;
  for (const name of names) {
    const content = parser.parse(htmlOf(name));
    const roles = rolesOf(content);
    const start = process.hrtime.bigint();
    const own = furniture.strike(key, content, roles);
    nanos += process.hrtime.bigint() - start;
    before.add(content, roles);
    after.add(content, own);
    if (own !== roles) touchedPages += 1;
    collect(host, name, content, roles, own);
  }
  return {
    host,
    pages: names.length,
    words: before.words,
    struckWords: before.words - after.words,
    touchedPages,
    repeatedBefore: before.repeated(),
    repeatedAfter: after.repeated(),
    micros: Number(nanos) / 1000 / Math.max(1, names.length),
  };
}

function collect(host: string, page: string, { text, blocks }: PageContent, roles: Uint8Array, own: Uint8Array): void {
  blocks.forEach((block, i) => {
    if (roles[i] === ROLE.text && own[i] !== ROLE.text) struck.push({ host, page, text: text.slice(block.start, block.end) });
  });
}

function htmlOf(name: string): string {
  return decodeText(readFileSync(join(values.web, name)), null, true).text.slice(0, MAX_PAGE_CHARS);
}

function urlOf(name: string): CanonicalUrl {
  const url = canonicalize(`http://${name}`);
  if (url === null) throw new Error(`no URL: ${name}`);
  return url;
}

function printTable(rows: readonly HostResult[]): void {
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`);
  const lines = [...rows]
    .sort((a, b) => b.struckWords / (b.words || 1) - a.struckWords / (a.words || 1))
    .map(
      (row) =>
        `| ${row.host} | ${row.pages} | ${row.words.toFixed(0)} | ${percent(row.struckWords, row.words)} | ${percent(row.touchedPages, row.pages)} | ${percent(row.repeatedBefore, row.words)} | ${percent(row.repeatedAfter, row.words - row.struckWords)} | ${row.micros.toFixed(0)} |`,
    );
  console.log('| host | pages | words of main text | struck | pages touched | in blocks on > 30 % of pages, before | after | µs a page |');
  console.log(`|${' --- |'.repeat(8)}\n${lines.join('\n')}`);
  const mean = (of: (row: HostResult) => number) => rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length);
  console.log(
    `\nmean of ${rows.length} hosts: struck ${(100 * mean((row) => row.struckWords / (row.words || 1))).toFixed(2)} % of the words, on ` +
      `${(100 * mean((row) => row.touchedPages / row.pages)).toFixed(1)} % of the pages; in repeated blocks ${(100 * mean((row) => row.repeatedBefore / (row.words || 1))).toFixed(2)} % before, ` +
      `${(100 * mean((row) => row.repeatedAfter / (row.words - row.struckWords || 1))).toFixed(2)} % after; ${mean((row) => row.micros).toFixed(0)} µs a page; tables ${(furniture.bytes / 1024).toFixed(0)} KiB`,
  );
}

/** Distinct struck blocks, drawn by how often they were struck, for reading: at most `--per-host` of a host, so that no template fills it. */
function printSample(): void {
  const seen = new Set<string>();
  const ofHost = new Map<string, number>();
  const drawn: Struck[] = [];
  for (const one of shuffled(struck, seededRng(seed + 1))) {
    if (drawn.length === Number(values.sample)) break;
    const count = ofHost.get(one.host) ?? 0;
    if (count === Number(values['per-host']) || seen.has(one.host + one.text)) continue;
    seen.add(one.host + one.text);
    ofHost.set(one.host, count + 1);
    drawn.push(one);
  }
  console.log(`\n${drawn.length} of ${struck.length} struck blocks:`);
  drawn.sort((a, b) => (a.page < b.page ? -1 : 1));
  const times = new Map<string, number>();
  for (const { host, text } of struck) times.set(host + text, (times.get(host + text) ?? 0) + 1);
  for (const { host, page, text } of drawn) console.log(`- ${times.get(host + text)} × ${page}: ${text.slice(0, 160)}`);
}

/** Average precision of a topic on the rest of its host, of a model trained on and applied to texts with and without furniture. */
async function runTopic(prefix: string): Promise<void> {
  const host = prefix.slice(0, prefix.indexOf('/'));
  const onTopic = underPrefix(prefix);
  const names = shuffled(pagesOfHost(host), seededRng(seed));
  const targets = names.filter((name) => onTopic(`http://${name}`));
  const training = new Set(targets.slice(0, TRAINING_PAGES));
  const some = new Set(targets.slice(0, 400).concat(names.filter((name) => !onTopic(`http://${name}`)).slice(0, 1500)));
  const texts = [null, new SiteFurniture(furnitureOptions)].map((learned) => {
    const extractor = new PageExtractor({ productToken: 'forager', furniture: learned });
    return names.filter((name) => some.has(name)).map((name) => readText(extractor, name));
  });
  for (const [i, learnedFrom] of texts.entries()) {
    const examples = learnedFrom
      .filter(({ name }) => training.has(name))
      .map(({ name, title, text }) => ({ id: name, url: `http://${name}`, title, text }));
    const { model: topic } = await trainTopic(examples, {
      name: prefix,
      seed,
      extractor: DEFAULT_MAIN_TEXT_METHOD,
      now: 0,
      software: 'bench',
    });
    const scores = texts.map((pages) =>
      averagePrecision(
        pages
          .filter(({ name }) => !training.has(name))
          .map((page) => ({ score: topic.judge(page), onTopic: onTopic(`http://${page.name}`) })),
      ),
    );
    console.log(
      `${prefix} trained ${i === 0 ? 'without' : 'with'}: average precision ${scores.map((score, j) => `${j === 0 ? 'without' : 'with'} ${score.toFixed(4)}`).join(', ')}`,
    );
  }
}

function readText(extractor: PageExtractor, name: string): { readonly name: string; readonly title: string; readonly text: string } {
  const { title, text } = extractor.extract({ url: urlOf(name), headers: {}, body: readFileSync(join(values.web, name)) });
  return { name, title, text };
}
