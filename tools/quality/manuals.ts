/**
 * Recall of the main text on manuals, with their sources as the truth: HTML pages of Debian packages that ship the reStructuredText or AsciiDoc they were made of.
 * A truth that is nowhere in the visible text of its page (made for another format, or left out by a condition) does not count.
 *
 *   npm run check -- manuals [--packages FOLDER] [--pages 60] [--list 5]
 *
 * `--packages` is a folder of .deb files; others are fetched with apt-get. `--pages` limits the pages of a package, `--list` shows lost truths.
 * Truths are looked for in the text that a harvest writes, with the blocks that siblings keep: the pages of a package are those of one host. The last
 * columns count, before and after the votes of siblings, the places that five pages or more share (a path of classes with a position, outside of
 * boilerplate and links) and that most of them keep while others do not; and the places in all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { debianPackage } from '../../datasets/package-files.ts';
import type { BlockVotes } from '../../src/base/core/types.ts';
import { LEAST_PAGES, SiblingVotes } from '../../src/corpus/select/sibling-votes.ts';
import { BlockModel } from '../../src/reading/extract/block-model.ts';
import { blockVotes } from '../../src/reading/extract/block-votes.ts';
import { linedText } from '../../src/reading/extract/line-notes.ts';
import { modelDecision, otherVisible, textOf, visibleBlocks } from '../../src/reading/extract/main-text.ts';
import { CoreParser } from '../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../src/reading/wasm-reader/wasm-core.ts';
import { asciidocTruths, KINDS, type Kind, manualWords, restTruths, type Truth } from './manual-truth.ts';

const PACKAGES = (
  'git-doc python3.11-doc cmake-doc borgbackup-doc buildbot-doc debian-policy fish-common knot-doc mopidy-doc openvswitch-doc python-babel-doc ' +
  'python-celery-doc python-certbot-doc python-click-doc python-cryptography-doc python-flask-doc python-jinja2-doc python-kombu-doc python-pytest-doc ' +
  'python-requests-doc python-webob-doc python-werkzeug-doc sphinx-doc'
).split(' ');

const { values } = parseArgs({
  options: { packages: { type: 'string' }, pages: { type: 'string', default: '60' }, list: { type: 'string', default: '0' } },
});
const parser = new CoreParser(new WasmCore());
const model = BlockModel.bundled();
const staging = mkdtempSync(join(tmpdir(), 'forager-manuals-'));

class Tally {
  pages = 0;
  readonly kinds = new Map<Kind, { kept: number; all: number }>(KINDS.map((kind) => [kind, { kept: 0, all: 0 }]));
  readonly places = { shared: 0, unlike: 0, still: 0 };
  readonly lost: string[] = [];

  add(other: Tally): void {
    this.pages += other.pages;
    for (const [kind, { kept, all }] of other.kinds) {
      const mine = this.kinds.get(kind);
      if (mine !== undefined) Object.assign(mine, { kept: mine.kept + kept, all: mine.all + all });
    }
    this.places.shared += other.places.shared;
    this.places.unlike += other.places.unlike;
    this.places.still += other.places.still;
  }

  row(name: string): string {
    const shares = KINDS.map((kind) => {
      const { kept, all } = this.kinds.get(kind) ?? { kept: 0, all: 0 };
      return (all === 0 ? '–' : `${kept}/${all} ${(kept / all).toFixed(3)}`).padStart(16);
    });
    const { shared, unlike, still } = this.places;
    return `${name.padEnd(24)}${String(this.pages).padStart(6)}${shares.join('')}${`${unlike} → ${still} of ${shared}`.padStart(20)}`;
  }
}

/** Reads the pages of a package that have a source. */
async function tallyOf(name: string): Promise<Tally> {
  const isWanted = (file: string) => /\.html$|_sources\/.*\.txt$|git-doc\/[\w-]+\.txt$/.test(file);
  const { files } = await debianPackage(name, isWanted, { staging, packages: values.packages ?? null });
  const pages = [...files.keys()].filter((file) => file.endsWith('.html'));
  const pairs = pages.flatMap((html) => {
    const source = sourcesOf(html).find((file) => files.has(file));
    return source === undefined ? [] : [{ html, source }];
  });
  const step = Math.max(1, pairs.length / Number(values.pages));
  const read: ReadPage[] = [];
  for (let at = 0; at < pairs.length; at += step) {
    const { html, source } = pairs[Math.floor(at)] as { readonly html: string; readonly source: string };
    const text = files.get(source)?.toString() ?? '';
    const truths = source.includes('_sources/') ? restTruths(text) : asciidocTruths(text);
    if (truths.length > 0) read.push(readPage(name, html, files.get(html)?.toString() ?? '', truths));
  }
  return tallied(read);
}

interface ReadPage {
  readonly url: string;
  readonly file: string;
  readonly truths: readonly Truth[];
  /** All visible text. */
  readonly all: string;
  readonly text: string;
  readonly otherText: string;
  readonly votes?: BlockVotes;
}

function readPage(name: string, file: string, html: string, truths: readonly Truth[]): ReadPage {
  const page = parser.parse(html);
  const { roles } = modelDecision(page, model);
  const others = otherVisible(page, roles);
  const votes = blockVotes(page, roles, others);
  const texts = { all: linedText(page, visibleBlocks(page.blocks)), text: linedText(page, roles), otherText: textOf(page, others) };
  return { url: `http://${name}.invalid/`, file, truths, ...texts, ...(votes && { votes }) };
}

function tallied(pages: readonly ReadPage[]): Tally {
  const siblings = new SiblingVotes();
  for (const page of pages) siblings.add(page);
  const tally = new Tally();
  for (const page of pages) find(page, siblings.textsOf(page).text, tally);
  countPlaces(pages, siblings, tally);
  return tally;
}

function find({ truths, all: visible, file }: ReadPage, text: string, tally: Tally): void {
  const [all, kept] = [linesOf(visible), linesOf(text)];
  tally.pages += 1;
  for (const { kind, words } of truths) {
    const sum = tally.kinds.get(kind);
    if (sum === undefined || !isIn(all, kind, words)) continue;
    sum.all += 1;
    if (isIn(kept, kind, words)) sum.kept += 1;
    else tally.lost.push(`    ${kind}  ${words.slice(0, 80)}  (${file})`);
  }
}

/** The places of pages that differ from those of most siblings, by the pages alone and with the changes of siblings. */
function countPlaces(pages: readonly ReadPage[], siblings: SiblingVotes, { places }: Tally): void {
  const counts = new Map<number, { kept: number; left: number; nowKept: number }>();
  const count = (place: number, isKept: boolean, isNowKept: boolean) => {
    const { kept, left, nowKept } = counts.get(place) ?? { kept: 0, left: 0, nowKept: 0 };
    counts.set(place, { kept: kept + Number(isKept), left: left + Number(!isKept), nowKept: nowKept + Number(isNowKept) });
  };
  for (const page of pages) {
    const changes = siblings.explain(page);
    const changed = (isKept: boolean) => new Set(changes.flatMap((change) => (change.isKept === isKept ? [change.place] : [])));
    const [added, removed] = [changed(true), changed(false)];
    for (const place of page.votes?.kept ?? []) count(place, true, !removed.has(place));
    for (const place of page.votes?.left ?? []) count(place, false, added.has(place));
  }
  for (const { kept, left, nowKept } of counts.values()) {
    if (kept + left < LEAST_PAGES) continue;
    places.shared += kept + left;
    places.unlike += Math.min(kept, left);
    places.still += Math.min(nowKept, kept + left - nowKept);
  }
}

/** Where the source of a page may be. */
function sourcesOf(html: string): string[] {
  const bases = [...html.matchAll(/\//g)].map(({ index }) => html.slice(0, index + 1));
  const pages = [html.replace(/\.html$/, ''), html.replace(/\/index\.html$/, '')];
  const rest = bases.flatMap((base) => pages.map((page) => `${base}_sources/${page.slice(base.length)}.rst.txt`));
  return [...rest, ...bases.map((base) => `${base}_sources/${html.slice(base.length, -5)}.txt`), html.replace(/\.html$/, '.txt')];
}

/** Lines of words between spaces. */
function linesOf(text: string): string {
  return text
    .split('\n')
    .map((line) => `\n ${manualWords(line)} `)
    .join('');
}

/** An option begins a line: elsewhere it is mentioned. */
function isIn(lines: string, kind: Kind, words: string): boolean {
  return lines.includes(kind === 'option' ? `\n ${words} ` : ` ${words} `);
}

console.log(`${'package'.padEnd(24)} pages${KINDS.map((kind) => kind.padStart(16)).join('')}   places unlike those of siblings`);
const sum = new Tally();
try {
  for (const name of PACKAGES) {
    const tally = await tallyOf(name);
    console.log(tally.row(name));
    for (const line of tally.lost.slice(0, Number(values.list))) console.log(line);
    sum.add(tally);
  }
  console.log(sum.row('all'));
} finally {
  rmSync(staging, { recursive: true, force: true });
}
