import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BlockModel } from '../../../src/reading/extract/block-model.ts';
import { modelDecision } from '../../../src/reading/extract/main-text.ts';
import { findThread } from '../../../src/reading/extract/threads/thread.ts';
import { mayFindThread } from '../../../src/reading/extract/threads/thread-evidence.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { SEEN_PAGES } from './seen-pages.ts';

const parser = new CoreParser(new WasmCore());
const model = BlockModel.bundled();

/** Is there evidence, and is there a thread, whether or not the page passes the gate? */
function asked(html: string): { readonly evidence: boolean; readonly thread: boolean } {
  const content = parser.parse(html);
  const { roles } = modelDecision(content, model);
  const evidence = mayFindThread(parser.elements(html), content);
  return { evidence, thread: findThread(parser.elements(html), content, roles, () => null) !== null };
}

const text = 'I wait a whole night before I open the kiln. Below eighty degrees nothing can happen to a bowl of stoneware.';
const posts = (of: (i: number) => string) => `<title>Cracks</title><div>${[1, 2, 3, 4].map(of).join('')}</div>`;
const day = (i: number) => `${i} May 2019`;

test.each([
  ['a class of posts', posts((i) => `<div class="comment"><i>${day(i)}</i> <b>Ada ${i}</b><p>${text}</p></div>`)],
  ['an id of posts', posts((i) => `<section id="message-${i}"><header>Ada wrote on ${day(i)}:</header><p>${text}</p></section>`)],
  ['a type of posts', posts((i) => `<div itemscope itemtype="https://schema.org/Comment"><i>${day(i)}</i><p>${text}</p></div>`)],
  ['an element of posts', posts((i) => `<article class="x"><a rel="author">Ada Vale</a> <i>${day(i)}</i><p>${text}</p></article>`)],
  ['classes of authors', posts((i) => `<div><b class="username">Ada ${i}</b><p>${day(i)}</p><p>${text}</p></div>`)],
  ['links to users', posts((i) => `<div><a href="/user/ada${i}">Ada ${i}</a><p>${day(i)}</p><p>${text}</p></div>`)],
  ['attributes with authors', posts((i) => `<div><b data-author="Ada ${i}">A.</b><p>${day(i)}</p><p>${text}</p></div>`)],
  ['signs', posts((i) => `<div><b>Ada ${i}</b><p>Posted: ${day(i)}</p><p>${text}</p></div>`)],
  ['lines with authors', posts((i) => `<div><p>by Ada Vale on ${day(i)}</p><p>${text}</p></div>`)],
  ['a mail', `<title>kiln</title><b>Ada Vale</b> ada at example.org<br><i>Mon May 3 10:00:00 CEST 2021</i><pre>${text}\n${text}</pre>`],
])('evidence of %s', (_name, html) => {
  expect(asked(html)).toEqual({ evidence: true, thread: true });
});

test('no evidence on documentation with days', () => {
  const entry = (i: number) => `<li><p>Version 1.${i}, ${day(i)}</p><p>The kiln reads its curve from a file. ${text}</p></li>`;
  const html = `<title>Changes</title>${['url', 'util', 'utf8', 'uri'].map((name) => `<a href="${name}.html">${name}</a>`)}<ul>${[1, 2, 3, 4].map(entry).join('')}</ul>`;
  expect(asked(html)).toEqual({ evidence: false, thread: false });
});

const GOLDEN = new URL('../../golden/', import.meta.url);

test('a page with a thread has evidence', () => {
  const golden = readdirSync(GOLDEN).filter((name) => name.endsWith('.html'));
  const pages = [...golden.map((name) => readFileSync(new URL(name, GOLDEN), 'utf8')), ...SEEN_PAGES.map(({ html }) => html)];
  const found = pages.map(asked);
  expect(found.filter(({ thread }) => thread).length).toBeGreaterThan(1);
  expect(found.filter(({ thread, evidence }) => thread && !evidence)).toEqual([]);
});
