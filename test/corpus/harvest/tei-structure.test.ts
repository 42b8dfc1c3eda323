/** The bodies of corpus.tei.xml: the structure of the page with the text of its record, and paragraphs where the WARC record has no such text. */

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { DOMParser } from 'linkedom';
import { expect, test } from 'vitest';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { oneLineOf } from '../../../src/base/text/segments.ts';
import { TeiWriter } from '../../../src/corpus/formats/tei-writer.ts';
import { StoredPages } from '../../../src/corpus/select/stored-pages.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { runs, size } from '../../support/extent.ts';
import { urlOf } from '../records/samples.ts';
import { harvestOf, type SampleCrawl, type SamplePage, sampleCrawl } from './harvest-samples.ts';
import { BODIES, textOfHtml } from './tei-pages.ts';

const pageOfHtml = (html: string, i: number): SamplePage => ({ url: `http://a.example/${i}`, html, record: { text: textOfHtml(html) } });

interface Body {
  readonly form: string | null;
  readonly xml: string;
  readonly text: string;
}

async function bodiesOf(crawl: Pick<SampleCrawl, 'dir'>, over: Parameters<typeof harvestOf>[1] = {}): Promise<Body[]> {
  const xml = await readFile(join(await harvestOf(crawl, { formats: ['tei'], ...over }), 'corpus.tei.xml'), 'utf8');
  return xml
    .split('<text decls="#')
    .slice(1)
    .map((part) => ({
      form: part.slice(0, part.indexOf('"')),
      xml: part.slice(part.indexOf('<body>') + 7, part.indexOf('</body>')),
      text:
        new DOMParser()
          .parseFromString(`<body${part.split('<body', 2)[1]?.split('</body>', 1)[0]}</body>`, 'text/xml')
          .querySelector('body')?.textContent ?? '',
    }));
}

const bodyOf = async (html: string) => (await bodiesOf(await sampleCrawl([pageOfHtml(html, 0)])))[0];

test('headings open divisions, and the blocks keep their kinds', async () => {
  const html = `<p>Before &amp; all<br>of it</p><h1>Graft<i>ing</i></h1><p>See <a href="/x y?a=1&b=2#c#d">the <code>knife</code></a>.</p>
    <h3>Tools</h3><ul><li>knife<li><p>tape</p><ol><li>wax<li>raffia</ol></ul><h2>Say</h2><blockquote><p>Cut
    <p>clean</blockquote><pre><code class="language-sh">cut  -d
  &lt;x></code></pre><table><tr><th>tree<th>month<tr><td>apple<td>March</table><ul><li><h2>Inside</h2></ul>`;
  expect(await bodyOf(html)).toMatchObject({
    form: 'structured',
    xml: `<p>Before &amp; all
<lb/>of it</p>
<div>
<head>Grafting</head>
<p>See <ref target="http://a.example/x%20y?a=1&amp;b=2#c%23d">the <code>knife</code></ref>.</p>
<div>
<head>Tools</head>
<list rend="bulleted">
<item>knife</item>
<item>
<p>tape</p>
<list rend="numbered">
<item>wax</item>
<item>raffia</item>
</list>
</item>
</list>
</div>
<div>
<head>Say</head>
<quote>
<p>Cut</p>
<p>clean</p>
</quote>
<ab type="preformatted" xml:space="preserve"><code lang="sh">cut  -d
  &lt;x&gt;</code></ab>
<table>
<row>
<cell>tree</cell>
<cell>month</cell>
</row>
<row>
<cell>apple</cell>
<cell>March</cell>
</row>
</table>
<list rend="bulleted">
<item><ab type="heading">Inside</ab>
</item>
</list>
</div>
</div>
`,
  });
});

test('joiners, ruby, blocks by style, words in buttons and blank lines are as in the text', async () => {
  const html =
    '<h2><button>می\u200cرود</button></h2><p><ruby>水<rt>みず</ruby> <code>अ\u200dx\u200cy</code></p><p><span style="display:block">one</span>' +
    '<span style="display:block">two <button>three</button> four</span></p><pre>five\n\nsix</pre><p>🏳️\u200d🌈 x\u200cy</p>';
  const { form, xml } = (await bodyOf(html)) ?? { form: null, xml: '' };
  expect(form).toBe('structured');
  expect(
    xml
      .replaceAll(/<[^>]*>/g, '')
      .trim()
      .split(/\n+/),
  ).toEqual(['می\u200cرود', '水 अ\u200dxy', 'one', 'two three four', 'five', 'six', '🏳️\u200d🌈 xy']);
});

test('a structured body has the text of the record, for any page', async () => {
  const html = fc.sample(BODIES, { seed: 5, numRuns: size(500, 150) });
  const crawl = await sampleCrawl(html.map(pageOfHtml));
  const bodies = await bodiesOf(crawl, { dedupe: 'none' });
  expect(bodies).toHaveLength(html.length);
  bodies.forEach(({ text, xml }, i) => {
    expect(oneLineOf(text)).toBe(oneLineOf(crawl.records[i]?.text ?? '').replace(/[\ufffe\uffff]/g, '\ufffd'));
    expect(xml).not.toBe('');
  });
  expect(bodies.filter(({ form }) => form === 'structured').length).toBeGreaterThan(0.9 * bodies.length);
});

test('lists and quotes without end stay in the depth that parsers accept', async () => {
  const body = await bodyOf('<ul><li><blockquote>'.repeat(300).concat('deep'));
  expect(body?.form).toBe('structured');
  expect(body?.xml.match(/<(?:list|item|quote)\b/g)?.length).toBeLessThan(200);
});

const THREE = ['<h1>One</h1><p>apple</p>', '<h1>Two</h1><p>pear</p>', '<h1>Three</h1><p>plum</p>'].map(pageOfHtml);
const forms = (bodies: readonly Body[]) => bodies.map(({ form }) => form);

test('paragraphs for a page whose WARC record has another text, and for all pages without WARC files', async () => {
  const crawl = await sampleCrawl(THREE.map((page, i) => (i === 1 ? { ...page, record: { text: 'Two\npears' } } : page)));
  const bodies = await bodiesOf(crawl);
  expect(forms(bodies)).toEqual(['structured', 'paragraphs', 'structured']);
  expect(bodies[1]?.xml).toBe('<p>Two</p>\n<p>pears</p>\n');
  for (const name of await readdir(crawl.dir)) if (name.endsWith('.warc.gz')) await rm(join(crawl.dir, name));
  expect(forms(await bodiesOf(crawl))).toEqual(['paragraphs', 'paragraphs', 'paragraphs']);
});

test('paragraphs for a page whose structure would have its text in another order', async () => {
  const body = await bodyOf('<table><tr><td>apple<td>March<tr>stray<td>pear<td>May</table>');
  expect(body?.form).toBe('paragraphs');
  expect(oneLineOf(body?.text ?? '')).toBe('apple March stray pear May');
});

test('paragraphs for a page whose WARC record is damaged', async () => {
  const crawl = await sampleCrawl(THREE);
  const path = join(crawl.dir, (await readdir(crawl.dir)).find((name) => name.endsWith('.warc.gz')) ?? '');
  const bytes = await readFile(path);
  const members = [...bytes.keys()].filter((at) => bytes.readUInt32BE(Math.min(at, bytes.length - 4)) === 0x1f8b0800);
  for (const at of members.slice(3, 5)) bytes[at + 60] = (bytes[at + 60] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
  const found = forms(await bodiesOf(crawl));
  expect(found).toContain('paragraphs');
  expect(found).toContain('structured');
});

test('paragraphs that the harvest cuts are absent from the structure', async () => {
  const notice = 'This notice stands on each page of this host, in the same words and without any difference at all.';
  const pages = Array.from({ length: 12 }, (_, i) =>
    pageOfHtml(`<h1>Page ${i}</h1><ul><li>tree ${i}</li><li>shrub ${i}</li></ul><p>${notice}</p>`, i),
  );
  const bodies = await bodiesOf(await sampleCrawl(pages), { repeated: 'drop' });
  expect(new Set(forms(bodies))).toEqual(new Set(['structured']));
  expect(bodies.filter(({ xml }) => xml.includes(notice))).toHaveLength(1);
  expect(bodies[5]?.xml).toBe(
    '<div>\n<head>Page 5</head>\n<list rend="bulleted">\n<item>tree 5</item>\n<item>shrub 5</item>\n</list>\n</div>\n',
  );
});

test('nothing is written for plain text, or for lines in another order', () => {
  const extractor = pageExtractor({ productToken: 'forager', extractor: 'none' });
  const page = (type: string) => ({
    url: urlOf('http://a.example/'),
    headers: { 'content-type': type },
    body: Buffer.from('<p>a<p>b<p>c'),
  });
  const written = (type: string, text: string) => {
    const writer = new TeiWriter();
    return extractor.writeMarkup(page(type), text, writer) ? writer.finish() : writer.finish() || null;
  };
  expect(written('text/html', 'a\nc')).toBe('<p>a</p>\n<p>c</p>\n');
  expect(written('text/html', 'c\na')).toBe(null);
  expect(written('text/plain', '<p>a<p>b<p>c')).toBe(null);
});

test('stored pages are found in any order, over all files, and an unknown one is not', async () => {
  const html = Array.from({ length: 40 }, (_, i) => `<p>page ${i} ${'x'.repeat(i * 7)}</p>`);
  const { dir, records } = await sampleCrawl(html.map(pageOfHtml), 2_000);
  const names = (await readdir(dir)).filter((name) => name.endsWith('.warc.gz')).sort();
  expect(names.length).toBeGreaterThan(3);
  const files = names.map((name) => ({ path: join(dir, name), end: Number.POSITIVE_INFINITY }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: html.length }), { maxLength: 30 }), async (asked) => {
      const pages = new StoredPages(files);
      for (const i of asked) {
        const page = await pages.page(records[i]?.id ?? ('urn:uuid:none' as CorpusRecord['id']));
        expect(page && Buffer.from(page.body).toString()).toBe(html[i] ?? null);
      }
      await pages.close();
    }),
    { numRuns: runs(20) },
  );
});
