/**
 * Recall of the main text on manuals, with their sources as the truth: HTML pages of Debian packages that ship the reStructuredText, AsciiDoc or DocBook they were made of,
 * or the same page in groff.
 * A truth that is nowhere in the visible text of its page (made for another format, or left out by a condition) does not count.
 *
 *   npm run check -- manuals [--packages FOLDER] [--pages 100] [--list 5]
 *
 * `--packages` is a folder of .deb files; others are fetched with apt-get. `--pages` limits the pages of a package, `--list` shows lost truths.
 * Truths are looked for in the text that a harvest writes (a description also in the title), with the blocks that siblings keep: the pages of a package are those of one host. The last
 * columns count, before and after the votes of siblings, the places that five pages or more share (a path of classes with a position, outside of
 * boilerplate and links) and that most of them keep while others do not; and the places in all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
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
import { docbookTruths, manTruths } from './markup-truth.ts';

const PACKAGES = (
  'git-doc python3.11-doc cmake-doc borgbackup-doc buildbot-doc debian-policy fish-common knot-doc mopidy-doc openvswitch-doc python-babel-doc ' +
  'python-celery-doc python-certbot-doc python-click-doc python-cryptography-doc python-flask-doc python-jinja2-doc python-kombu-doc python-pytest-doc ' +
  'python-requests-doc python-webob-doc python-werkzeug-doc sphinx-doc python-sqlalchemy-doc python-skimage-doc python-mdanalysis-doc ' +
  'shorewall-doc git-annex ncurses-doc tig'
).split(' ');

const { values } = parseArgs({
  options: { packages: { type: 'string' }, pages: { type: 'string', default: '100' }, list: { type: 'string', default: '0' } },
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
  const isWanted = (file: string) =>
    /\.html$|_sources\/.*\.txt$|git-doc\/[\w-]+\.txt$|\/rst\/.*\.rst(?:\.gz)?$|\.xml(?:\.gz)?$/.test(file) || MAN_PAGE.test(file);
  const { files } = await debianPackage(name, isWanted, { staging, packages: values.packages ?? null });
  const pages = [...files.keys()].filter((file) => file.endsWith('.html'));
  const manPages = new Map(
    [...files.keys()].flatMap((file) => (MAN_PAGE.test(file) ? [[MAN_PAGE.exec(file)?.[1] ?? '', file] as const] : [])),
  );
  const pairs = pages.flatMap((html) => {
    const source = sourcesOf(html).find((file) => files.has(file)) ?? manPages.get(html.replace(/^.*\/|(?:\.\d\w*)?\.html$/g, ''));
    return source === undefined ? [] : [{ html, source }];
  });
  const step = Math.max(1, pairs.length / Number(values.pages));
  const read: ReadPage[] = [];
  for (let at = 0; at < pairs.length; at += step) {
    const { html, source } = pairs[Math.floor(at)] as { readonly html: string; readonly source: string };
    const truths = truthsOf(source, files.get(source) ?? Buffer.alloc(0));
    if (truths.length > 0) read.push(readPage(name, html, files.get(html)?.toString() ?? '', truths));
  }
  return tallied(read);
}

/** The name of a manual page in groff. */
const MAN_PAGE = /\/man\d\/([^/]+?)\.\d\w*(?:\.gz)?$/;

function truthsOf(file: string, bytes: Buffer): readonly Truth[] {
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  if (MAN_PAGE.test(file)) return manTruths(text);
  if (file.includes('.xml')) return docbookTruths(text);
  return /_sources\/|\.rst/.test(file) ? restTruths(text) : asciidocTruths(text);
}

interface ReadPage {
  readonly url: string;
  readonly file: string;
  readonly title: string;
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
  return { url: `http://${name}.invalid/`, file, title: page.title, truths, ...texts, ...(votes && { votes }) };
}

function tallied(pages: readonly ReadPage[]): Tally {
  const siblings = new SiblingVotes();
  for (const page of pages) siblings.add(page);
  const tally = new Tally();
  for (const page of pages) find(page, siblings.textsOf(page).text, tally);
  countPlaces(pages, siblings, tally);
  return tally;
}

function find({ truths, all: visible, file, title }: ReadPage, text: string, tally: Tally): void {
  const [all, kept] = [linesOf(visible), linesOf(text)];
  const heading = linesOf(title);
  tally.pages += 1;
  for (const { kind, words } of truths) {
    const sum = tally.kinds.get(kind);
    if (sum === undefined || !isIn(all, kind, words)) continue;
    sum.all += 1;
    if (isIn(kept, kind, words) || (kind === 'description' && isIn(heading, kind, words))) sum.kept += 1;
    else tally.lost.push(`    ${kind}  ${words.replace('\n', ' / ').slice(0, 80)}  (${file})`);
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
  const names = bases.map((base) => html.slice(base.length, -5));
  const texts = bases.map((base, i) => `${base}_sources/${names[i]}.txt`);
  // SQLAlchemy has its sources beside the folder of HTML.
  const beside = bases.flatMap((base, i) => ['.rst', '.rst.gz'].map((end) => `${base.replace(/html\/$/, 'rst/')}${names[i]}${end}`));
  return [...rest, ...texts, ...beside, ...['.txt', '.xml', '.xml.gz'].map((end) => html.replace(/\.html$/, end))];
}

/** Lines of words between spaces. */
function linesOf(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [`\n ${manualWords(line)} `]))
    .join('');
}

/** An option begins a line: elsewhere it is mentioned. A title is a line of its own. */
function isIn(lines: string, kind: Kind, words: string): boolean {
  if (kind === 'title') return lines.includes(`\n ${words.replace('\n', ' \n ')} `);
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
