/** corpus.conllu and corpus.vert, parsed again. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLineOf, paragraphsOf } from '../../../src/base/text/segments.ts';
import { harvestOf, type SamplePage, sampleCrawl } from './harvest-samples.ts';

const TEXTS = [
  'It’s ripe. Eat it!\nSecond "paragraph" <b>&amp;</b> of_one',
  '我喜欢苹果。树很高。 ok\n\n\n# text = no comment\n1\t_\t_\n</doc>\n<doc id="x">',
  'a\ud800b \u0301c\u0085d\u200be',
  '',
  `${'word '.repeat(1700)}. End`,
  ...fc
    .sample(
      fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.lorem(), fc.constantFrom('\n', '<s>', '<g/>', '。', ' \u0301')), {
        maxLength: 30,
      }),
      { seed: 7, numRuns: 40 },
    )
    .map((parts) => parts.join('')),
];
const PAGES: readonly SamplePage[] = TEXTS.map((text, i) => ({
  url: `http://a.example/${i}?a=%22&b=<`,
  html: 'x',
  record: { text, title: `Title\n“${i}” & <${i}>`, lang: ['en', 'zh', null][i % 3] ?? null },
})).map(({ url, ...rest }) => ({ ...rest, url: new URL(url).href }));

async function written() {
  const made = await sampleCrawl(PAGES, 1e9);
  const out = await harvestOf(made, { formats: ['conllu', 'vertical'] });
  return { out, ...made };
}

interface Parsed {
  readonly text: string;
  readonly isNewParagraph: boolean;
}

test('CoNLL-U: ten columns, numbers from 1, and each # text is that of its tokens; all paragraphs of all pages, in order', async () => {
  const { out, records } = await written();
  const file = await readFile(join(out, 'corpus.conllu'), 'utf8');
  expect(file.endsWith('\n\n')).toBe(true);
  const pages = new Map<string, Parsed[]>();
  const names = new Set<string>();
  let page: Parsed[] = [];
  for (const block of file.split('\n\n').slice(0, -1)) {
    const lines = block.split('\n');
    const comments = lines.filter((line) => line.startsWith('# ') && !line.includes('\t'));
    const value = (name: string) => comments.find((line) => line.startsWith(`# ${name} = `))?.slice(name.length + 5);
    const id = value('newdoc id');
    if (id !== undefined) {
      page = [];
      pages.set(id, page);
      expect(value('segmentation')).toMatch(/^Intl\.Segmenter \(UAX #29, ICU \d+/);
      const record = records.find((one) => one.id === id);
      expect([value('url'), value('title'), value('lang')]).toEqual([record?.url, oneLineOf(record?.title ?? ''), record?.lang ?? 'und']);
    }
    names.add(value('sent_id') ?? '');
    const tokens = lines.slice(comments.length).map((line) => line.split('\t'));
    tokens.forEach((columns, i) => {
      expect(columns).toHaveLength(10);
      expect(columns[0]).toBe(String(i + 1));
      expect(columns.slice(2, 9)).toEqual(Array.from({ length: 7 }, () => '_'));
    });
    const rebuilt = tokens.map(([, form, , , , , , , , misc]) => form + (misc === 'SpaceAfter=No' ? '' : ' ')).join('');
    expect(rebuilt.trimEnd()).toBe(value('text'));
    page.push({ text: rebuilt, isNewParagraph: comments.includes('# newpar') });
  }
  expect(names.size).toBe([...pages.values()].flat().length);
  expectPages(
    pages,
    records.filter(({ text }) => [...paragraphsOf(text)].length > 0),
  );
});

/** The sentences of each page make its paragraphs. */
function expectPages(
  pages: ReadonlyMap<string, readonly Parsed[]>,
  records: readonly { readonly id: string; readonly text: string }[],
): void {
  expect([...pages.keys()]).toEqual(records.map(({ id }) => id));
  for (const { id, text } of records) {
    const paragraphs: string[] = [];
    for (const sentence of pages.get(id) ?? []) {
      if (sentence.isNewParagraph) paragraphs.push(sentence.text);
      else paragraphs.push(`${paragraphs.pop()}${sentence.text}`);
    }
    expect(paragraphs.map((one) => one.trimEnd())).toEqual(Array.from(paragraphsOf(text), (parts) => parts.join(' ')));
  }
}

test('vertical: a token a line, structures as tags, and with <g/> for no space the paragraphs again', async () => {
  const { out, records } = await written();
  const lines = (await readFile(join(out, 'corpus.vert'), 'utf8')).trimEnd().split('\n');
  const pages = new Map<string, Parsed[]>();
  const plain = (text: string) =>
    text.replace(/&(?:lt|gt|quot|amp);/g, (name) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"' })[name] ?? '&');
  let [page, text, isNewParagraph]: [Parsed[], string, boolean] = [[], '', false];
  const open: string[] = [];
  for (const line of lines) {
    const tag = /^<(\/?)(doc|p|s)((?: [a-z]+="[^"<>]*")*)>$/.exec(line);
    if (tag === null) {
      expect(open).toEqual(['doc', 'p', 's']);
      expect(line === '<g/>' || !/[<>\s]|&(?!(?:lt|gt|quot|amp);)/.test(line), line).toBe(true);
      text = line === '<g/>' ? text.slice(0, -1) : `${text}${plain(line)} `;
      continue;
    }
    const [, end, name = '', attributes = ''] = tag;
    if (end) expect(open.pop()).toBe(name);
    else open.push(name);
    if (name === 'doc' && !end) {
      const values = new Map([...attributes.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, plain(value)]));
      const record = records.find(({ id }) => id === values.get('id'));
      expect(values.get('url')).toBe(record?.url);
      expect(values.get('title')).toBe(oneLineOf(record?.title ?? ''));
      expect([...values.keys()]).toEqual(['id', 'url', 'host', 'title', 'author', 'date', 'fetched', 'lang', 'relevance', 'segmentation']);
      page = [];
      pages.set(values.get('id') ?? '', page);
    }
    if (name === 'p' && !end) isNewParagraph = true;
    if (name === 's' && end) {
      page.push({ text, isNewParagraph });
      [text, isNewParagraph] = ['', false];
    }
  }
  expect(open).toEqual([]);
  expectPages(pages, records);
});
