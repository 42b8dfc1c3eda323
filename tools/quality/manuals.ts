/**
 * Recall of the main text on manuals, with their sources as the truth: HTML pages of Debian packages that ship the reStructuredText or AsciiDoc they were made of.
 * A truth that is nowhere in the visible text of its page (made for another format, or left out by a condition) does not count.
 *
 *   npm run check -- manuals [--packages FOLDER] [--pages 60] [--list 5]
 *
 * `--packages` is a folder of .deb files; others are fetched with apt-get. `--pages` limits the pages of a package, `--list` shows lost truths.
 * The last columns count the blocks of a package whose path of classes is main text on most of its pages, and not on this one, or the other way round.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { debianPackage } from '../../datasets/package-files.ts';
import { BlockModel } from '../../src/reading/extract/block-model.ts';
import { modelDecision, ROLE, textOf, visibleBlocks } from '../../src/reading/extract/main-text.ts';
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
  /** Kept and other blocks of each path of classes, of one package. */
  readonly zones = new Map<number, [kept: number, other: number]>();
  /** Those of packages that were added. */
  readonly added = { unlike: 0, blocks: 0 };
  readonly lost: string[] = [];

  add(other: Tally): void {
    this.pages += other.pages;
    for (const [kind, { kept, all }] of other.kinds) {
      const mine = this.kinds.get(kind);
      if (mine !== undefined) Object.assign(mine, { kept: mine.kept + kept, all: mine.all + all });
    }
    this.added.unlike += other.unlike;
    this.added.blocks += other.blocks;
  }

  get unlike(): number {
    return [...this.zones.values()].reduce((sum, zone) => sum + Math.min(...zone), this.added.unlike);
  }

  get blocks(): number {
    return [...this.zones.values()].reduce((sum, [kept, rest]) => sum + kept + rest, this.added.blocks);
  }

  row(name: string): string {
    const shares = KINDS.map((kind) => {
      const { kept, all } = this.kinds.get(kind) ?? { kept: 0, all: 0 };
      return (all === 0 ? '–' : `${kept}/${all} ${(kept / all).toFixed(3)}`).padStart(16);
    });
    return `${name.padEnd(24)}${String(this.pages).padStart(6)}${shares.join('')}${String(this.unlike).padStart(8)} of ${this.blocks}`;
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
  const tally = new Tally();
  for (let at = 0; at < pairs.length; at += step) {
    const { html, source } = pairs[Math.floor(at)] as { readonly html: string; readonly source: string };
    const text = files.get(source)?.toString() ?? '';
    read(files.get(html)?.toString() ?? '', source.includes('_sources/') ? restTruths(text) : asciidocTruths(text), html, tally);
  }
  return tally;
}

/** Where the source of a page may be. */
function sourcesOf(html: string): string[] {
  const bases = [...html.matchAll(/\//g)].map(({ index }) => html.slice(0, index + 1));
  const pages = [html.replace(/\.html$/, ''), html.replace(/\/index\.html$/, '')];
  const rest = bases.flatMap((base) => pages.map((page) => `${base}_sources/${page.slice(base.length)}.rst.txt`));
  return [...rest, ...bases.map((base) => `${base}_sources/${html.slice(base.length, -5)}.txt`), html.replace(/\.html$/, '.txt')];
}

function read(html: string, truths: readonly Truth[], file: string, tally: Tally): void {
  if (truths.length === 0) return;
  const page = parser.parse(html);
  const { roles } = modelDecision(page, model);
  const [all, kept] = [linesOf(textOf(page, visibleBlocks(page.blocks))), linesOf(textOf(page, roles))];
  tally.pages += 1;
  for (const { kind, words } of truths) {
    const sum = tally.kinds.get(kind);
    if (sum === undefined || !isIn(all, kind, words)) continue;
    sum.all += 1;
    if (isIn(kept, kind, words)) sum.kept += 1;
    else tally.lost.push(`    ${kind}  ${words.slice(0, 80)}  (${file})`);
  }
  for (const [i, { details }] of page.blocks.entries()) {
    const zone = tally.zones.get(details.classPath) ?? [0, 0];
    zone[roles[i] === ROLE.text ? 0 : 1] += 1;
    tally.zones.set(details.classPath, zone);
  }
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

console.log(`${'package'.padEnd(24)} pages${KINDS.map((kind) => kind.padStart(16)).join('')}   blocks unlike others of their path`);
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
