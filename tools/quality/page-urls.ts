/**
 * URLs that `forager links` lists, beside those of parse5's tree: distinct triples of tag, attribute and URL, since a tree repeats an `a` that a page
 * does not close. Pages of a built Debian web, or the HTML files of a folder.
 *
 *   npm run check -- page-urls [--web DIR | --folder DIR] [--pages 2000] [--seed 1]
 *
 * Exit code 1 if a page differs, 2 for bad arguments.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import type { CanonicalUrl } from '../../src/base/core/types.ts';
import { decodeText } from '../../src/base/web/charset.ts';
import { resolveLink } from '../../src/base/web/link-query.ts';
import { pageUrls } from '../../src/reading/extract/page-urls.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** A candidate of an image with its descriptor, as the package srcset has it. */
const CANDIDATE = /\s*([^,\s](?:\S*[^,\s])?(?:\s+[^,]+)?)\s*(?:,|$)/g;

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    folder: { type: 'string' },
    pages: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
});
const root = values.folder ?? values.web;
if (!existsSync(root)) {
  console.error(`${root}: no such folder; give --web or --folder`);
  process.exit(2);
}
const PAGE = 'http://page.example/folder/page.html' as CanonicalUrl;
const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.x?html?$/i.test(name));
const drawn = shuffled(all.sort(), seededRng(Number(values.seed))).slice(0, Number(values.pages));
let [urls, differing] = [0, 0];
for (const name of drawn) {
  const { text, charset } = decodeText(readFileSync(join(root, name)), null, true);
  const ours = new Set(pageUrls(text, { url: PAGE, charset }).map(({ tag, attribute, url }) => `${tag} ${attribute} ${url}`));
  const theirs = new Set(urlsOfTree(text, charset));
  urls += theirs.size;
  const [missed, extra] = [without(theirs, ours), without(ours, theirs)];
  if (missed.length + extra.length === 0) continue;
  differing += 1;
  if (differing <= 10)
    console.log(
      `${name}\n  missed ${missed.length}: ${missed.slice(0, 3).join(' | ')}\n  extra ${extra.length}: ${extra.slice(0, 3).join(' | ')}`,
    );
}
console.log(`${drawn.length} pages, ${urls} distinct URLs by parse5; ${differing} pages differ`);
process.exitCode = differing === 0 ? 0 : 1;

function without(set: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...set].filter((one) => !other.has(one));
}

function urlsOfTree(html: string, charset: string): string[] {
  const elements = [...elementsIn(parse(html, { scriptingEnabled: false }))];
  const attributeOf = (element: Element, name: string) =>
    element.attrs.find((one) => (one.prefix ? `${one.prefix}:${one.name}` : one.name) === name)?.value ?? null;
  const baseHref = elements
    .map((element) => (element.tagName === 'base' ? attributeOf(element, 'href') : null))
    .find((href) => href !== null);
  const own = baseHref === undefined || baseHref === null ? null : resolveLink(baseHref, { url: PAGE, charset });
  const base = own !== null && /^https?:$/.test(own.protocol) ? own.href : PAGE;
  return elements.flatMap((element) =>
    writtenIn(element, (name) => attributeOf(element, name)).flatMap(([attribute, value]) => {
      if (value.trim() === '' || /^[\s\p{Cc}]*(?:data|javascript|vbscript|about|blob):/iu.test(value)) return [];
      const url = resolveLink(value, { url: element.tagName === 'base' ? PAGE : base, charset });
      return url === null ? [] : [`${element.tagName.toLowerCase()} ${attribute} ${url.href}`];
    }),
  );
}

function* elementsIn(node: Node): Generator<Element> {
  if ('tagName' in node) yield node;
  if ('content' in node) yield* elementsIn(node.content);
  if ('childNodes' in node) for (const child of node.childNodes) yield* elementsIn(child);
}

/** Attributes with URLs: a second list, from the index of attributes of the HTML Standard. */
function writtenIn({ tagName }: Element, of: (name: string) => string | null): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const take = (names: string, ...tags: string[]) => {
    if (tags.length > 0 && !tags.includes(tagName.toLowerCase())) return;
    for (const name of names.split(' ')) {
      const value = of(name);
      if (value !== null) found.push([name, value]);
    }
  };
  take('href', 'a', 'area', 'base', 'link', 'use', 'image', 'script');
  take('xlink:href', 'a', 'use', 'image', 'script');
  take('src', 'audio', 'embed', 'frame', 'iframe', 'img', 'input', 'script', 'source', 'track', 'video');
  take('cite', 'blockquote', 'del', 'ins', 'q');
  take('formaction', 'button', 'input');
  take('longdesc', 'img', 'frame', 'iframe');
  take('data codebase classid', 'object');
  take('code codebase archive', 'applet');
  take('lowsrc dynsrc', 'img');
  take('action', 'form');
  take('manifest', 'html');
  take('poster', 'video');
  take('background itemid');
  for (const [name, tags] of [
    ['srcset', ['img', 'source']],
    ['imagesrcset', ['link']],
  ] as const)
    if ((tags as readonly string[]).includes(tagName))
      for (const [, candidate = ''] of (of(name) ?? '').matchAll(CANDIDATE)) found.push([name, candidate.split(/\s+/)[0] ?? '']);
  for (const [name, tags] of [
    ['ping', ['a', 'area']],
    ['profile', ['head']],
  ] as const)
    if ((tags as readonly string[]).includes(tagName)) for (const one of (of(name) ?? '').split(/\s+/)) found.push([name, one]);
  const refresh =
    tagName === 'meta' && of('http-equiv')?.trim().toLowerCase() === 'refresh'
      ? /url\s*=\s*["']?([^"']*)/i.exec(of('content') ?? '')
      : null;
  if (refresh?.[1] !== undefined) found.push(['content', refresh[1]]);
  return found;
}
