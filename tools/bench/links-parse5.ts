/**
 * Links of our streaming pass beside those of parse5's tree, on pages of a built Debian web. Each `href` of an `a` or `area` and `src` of a
 * `frame` or `iframe` that parse5 finds must be among our outlinks, resolved and canonical (or be the page itself), and each of our
 * outlinks among its. What differs is counted by cause, with examples.
 *
 *   npm run bench -- links [--web DIR] [--pages 20000] [--seed 1] [--examples 5]
 *
 * Exit code 1 when a difference has no known cause, 2 for bad arguments.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DefaultTreeAdapterTypes, html as markup, parse } from 'parse5';
import { pagesOf, readManifest } from '../../datasets/debian-web/manifest.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import type { CanonicalUrl } from '../../src/base/core/types.ts';
import { decodeText } from '../../src/base/web/charset.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { ourExtractor } from '../quality/extract-modes.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Links of a tree, as written, by where they stand: the page, svg or math, the inert content of a template, a meta refresh. */
interface TreeLinks {
  readonly page: Set<string>;
  readonly foreign: Set<string>;
  readonly template: Set<string>;
  readonly refresh: Set<string>;
  base: string | null;
}

type Cause =
  | 'missed: over our cap'
  | 'missed: unexplained'
  | 'extra: meta refresh'
  | 'extra: in svg or math'
  | 'extra: in a template'
  | 'extra: unexplained';

interface Tally {
  pages: number;
  bytes: number;
  hrefs: number;
  theirs: number;
  ours: number;
  shared: number;
  differing: number;
  readonly causes: Map<Cause, { count: number; readonly pages: Set<string>; readonly examples: string[] }>;
}

const ADDRESS: Readonly<Record<string, string>> = { a: 'href', area: 'href', frame: 'src', iframe: 'src' };

const REFRESH = /url\s*=\s*["']?([^"']*)/i;

const { web, pages, seed, examples } = wanted();
const extractor = ourExtractor('none');
const tally: Tally = { pages: 0, bytes: 0, hrefs: 0, theirs: 0, ours: 0, shared: 0, differing: 0, causes: new Map() };
for (const page of drawn()) compare(page);
print();
process.exitCode = [...tally.causes.keys()].some((cause) => cause.endsWith('unexplained')) ? 1 : 0;

function wanted() {
  try {
    const { values } = parseArgs({
      options: {
        web: { type: 'string', default: '.cache/debian-web' },
        pages: { type: 'string', default: '20000' },
        seed: { type: 'string', default: '1' },
        examples: { type: 'string', default: '5' },
      },
    });
    if (readManifest(values.web).pages === 0)
      throw new Error(`no Debian web in ${values.web}: run npm run data -- web-build, or give --web`);
    if (!(Number(values.pages) > 0)) throw new Error(`--pages ${values.pages}: a number above 0`);
    return { web: values.web, pages: Number(values.pages), seed: Number(values.seed), examples: Number(values.examples) };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

function drawn(): string[] {
  const all = readManifest(web).rows.flatMap((row) => pagesOf(web, row));
  return shuffled([...new Set(all)].sort(), seededRng(seed)).slice(0, pages);
}

function compare(page: string): void {
  const url = canonicalize(`http://${page.split('/').map(encodeURIComponent).join('/')}`);
  if (url === null) throw new Error(`${page}: no URL`);
  const body = readFileSync(join(web, page));
  const headers = { 'content-type': 'text/html' };
  const { outlinks, warnings } = extractor.extract({ url, headers, body });
  const tree = linksOf(parse(decodeText(body, null, true).text, { scriptingEnabled: false }));
  const base = baseOf(tree.base, url);
  const theirs = canonicalSet(tree.page, base);
  // parse5 is asked about links of the body; ours of the head come last.
  const ours = new Set(outlinks.filter(({ tagPath }) => tagPath !== 'html>head>link').map((link) => link.url));
  theirs.delete(url);
  count(body.length, tree, theirs, ours);
  const isCapped = warnings.some((warning) => warning.includes('the rest is left out'));
  const before = sumOfCauses();
  for (const link of theirs) if (!ours.has(link)) note(isCapped ? 'missed: over our cap' : 'missed: unexplained', url, link);
  for (const link of ours) if (!theirs.has(link)) note(causeOfExtra(link, tree, base), url, link);
  if (sumOfCauses() > before) tally.differing += 1;
}

function count(bytes: number, tree: TreeLinks, theirs: ReadonlySet<string>, ours: ReadonlySet<string>): void {
  tally.pages += 1;
  tally.bytes += bytes;
  tally.hrefs += tree.page.size;
  tally.theirs += theirs.size;
  tally.ours += ours.size;
  for (const link of theirs) if (ours.has(link)) tally.shared += 1;
}

function sumOfCauses(): number {
  return [...tally.causes.values()].reduce((sum, { count: own }) => sum + own, 0);
}

function causeOfExtra(link: CanonicalUrl, tree: TreeLinks, base: string): Cause {
  if (canonicalSet(tree.foreign, base).has(link)) return 'extra: in svg or math';
  if (canonicalSet(tree.template, base).has(link)) return 'extra: in a template';
  return canonicalSet(tree.refresh, base).has(link) ? 'extra: meta refresh' : 'extra: unexplained';
}

function note(cause: Cause, page: string, link: string): void {
  const known = tally.causes.get(cause) ?? { count: 0, pages: new Set<string>(), examples: [] };
  known.count += 1;
  if (!known.pages.has(page) && known.examples.length < examples) known.examples.push(`${link}\n    on ${page}`);
  known.pages.add(page);
  tally.causes.set(cause, known);
}

// The tree.

function linksOf(document: Node): TreeLinks {
  const links: TreeLinks = { page: new Set(), foreign: new Set(), template: new Set(), refresh: new Set(), base: null };
  const stack: { readonly node: Node; readonly inTemplate: boolean }[] = [{ node: document, inTemplate: false }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { node, inTemplate } = at;
    if ('attrs' in node) take(node, inTemplate, links);
    // Backwards, so that elements come off the stack in the order of the page: the first base counts.
    if ('childNodes' in node) for (let i = node.childNodes.length; i-- > 0; ) push(node.childNodes[i], inTemplate);
    if ('content' in node) push(node.content, true);
  }
  return links;

  function push(node: Node | undefined, inTemplate: boolean): void {
    if (node !== undefined) stack.push({ node, inTemplate });
  }
}

function take(element: Element, inTemplate: boolean, links: TreeLinks): void {
  const { tagName, namespaceURI } = element;
  const isHtml = namespaceURI === markup.NS.HTML;
  if (tagName === 'meta' && attribute(element, 'http-equiv')?.toLowerCase() === 'refresh') {
    const target = REFRESH.exec(attribute(element, 'content') ?? '')?.[1];
    if (target !== undefined) links.refresh.add(target);
  }
  if (tagName === 'base' && isHtml && !inTemplate) links.base ??= attribute(element, 'href');
  const name = ADDRESS[tagName];
  const address = name === undefined ? null : attribute(element, name);
  if (address !== null) (inTemplate ? links.template : isHtml ? links.page : links.foreign).add(address);
}

function attribute(element: Element, name: string): string | null {
  return element.attrs.find((attr) => attr.name === name)?.value ?? null;
}

/** HTML Standard §2.4.3: the first base, unless its scheme is one that pages are not fetched by. */
function baseOf(href: string | null, page: string): string {
  if (href === null || !URL.canParse(href, page)) return page;
  const base = new URL(href, page);
  return /^https?:$/.test(base.protocol) ? base.href : page;
}

function canonicalSet(hrefs: ReadonlySet<string>, base: string): Set<CanonicalUrl> {
  return new Set([...hrefs].map((href) => canonicalize(href, base)).filter((link) => link !== null));
}

// The report.

function print(): void {
  const { pages: read, bytes, hrefs, theirs, ours, shared, differing, causes } = tally;
  console.log('# Links against parse5\n');
  console.log(`Node ${process.version}. ${read} pages of the Debian web (seed ${seed}), mean ${(bytes / read / 1000).toFixed(0)} kB.\n`);
  console.log('| | count |\n| --- | ---: |');
  console.log(`| distinct addresses as written, by page | ${hrefs} |`);
  console.log(`| parse5: distinct canonical links, by page | ${theirs} |`);
  console.log(`| ours | ${ours} |`);
  console.log(`| in both | ${shared} (${((100 * shared) / theirs).toFixed(4)} % of parse5's) |`);
  console.log(`| pages with a difference | ${differing} |`);
  for (const [cause, { count: own, pages: on }] of causes) console.log(`| ${cause} | ${own} on ${on.size} pages |`);
  for (const [cause, found] of causes) console.log(`\n${cause}:\n${found.examples.map((example) => `- ${example}`).join('\n')}`);
}
