/** The core judges as JavaScript does. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { hashText } from '../../../src/base/text/hash-text.ts';
import { simhash } from '../../../src/base/text/simhash.ts';
import { readPage } from '../../../src/crawling/reader/read-page.ts';
import { PageExtractor } from '../../../src/reading/extract/extractor.ts';
import { Committee } from '../../../src/reading/topic/committee.ts';
import { CoreJudge } from '../../../src/reading/wasm-reader/core-judge.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { drawnModel } from '../../../tools/soak/drawn-model.ts';
import { TwoReadings } from '../../../tools/soak/two-readings.ts';
import { PageParser } from '../../oracle/page-parser.ts';

let readings: TwoReadings;
beforeAll(async () => {
  readings = await TwoReadings.of([drawnModel(1), drawnModel(2)]);
});

function page(html: string, url = 'http://a.example/some/path-of/words_here.html', type = 'text/html; charset=utf-8') {
  return { url: url as CanonicalUrl, headers: { 'content-type': type }, body: Buffer.from(html) };
}

const SENTENCE = 'The quick brown fox jumps over the lazy dog near the river bank, and it does so again. ';
const prose = (sentences: number) => Array.from({ length: sentences }, (_, i) => `${SENTENCE}Word${i} and ${i * 7919}. `).join('');

describe('pages', () => {
  test.each([
    ['prose', `<title>A title of words</title><p>${prose(40)}</p>`],
    ['no text', '<title></title>'],
    ['one word', '<p>word</p>'],
    ['accents and other alphabets', `<p>${'Zażółć gęślą jaźń. Привет, мир! Ελληνικός σοφός. שלום עולם. مرحبا بالعالم. '.repeat(20)}</p>`],
    [
      'words that fold',
      `<p>${'ﬁne ＡＢＣ ａｂｃ \u{1d400}\u{1d401} cafe\u0301 na\u00efve so\u00adft ǅungla İstanbul ΣΟΦΟΣ ①② '.repeat(20)}</p>`,
    ],
    ['marks alone', '<p>\u0301 a\u0301 \u0301\u0301 b \u200d\u200d c</p>'],
    ['symbols beyond the plane', `<p>${'a\u{1f600}b \u{1f600} x\u{10428}y '.repeat(20)}</p>`],
    ['long words', `<p>${'x'.repeat(40)} ${'y'.repeat(41)} ${'\ufb01'.repeat(41)} z</p>`],
    ['Chinese', `<p>${'你好，世界。今天天气很好。'.repeat(60)}</p>`],
    ['one Chinese word', `<p>${prose(10)} 世界 ${prose(10)}</p>`],
    ['Chinese in the title only', `<title>世界</title><p>${prose(10)}</p>`],
    ['Thai and Japanese', `<p>${'สวัสดีชาวโลก こんにちは世界 '.repeat(30)}</p>`],
    ['a rare Chinese character', `<p>${prose(5)} \u{20000} ${prose(5)}</p>`],
    ['more words than are read', `<p>${'alpha beta gamma delta '.repeat(6000)}</p>`],
    ['more characters than are read', `<p>${'a-'.repeat(210_000)}</p>`],
    [
      'menus and footers',
      `<nav>${'<a href=/x>Menu entry</a> '.repeat(30)}</nav><main><p>${prose(20)}</p></main><footer>Imprint and contact</footer>`,
    ],
  ])('%s', (_name, html) => expect(readings.difference(page(html))).toBe(''));

  test.each([
    ['prose', prose(20)],
    ['nothing', ''],
    ['white space', ' \n\t'],
    ['lines and tabs', 'one two\r\n\tthree  four\n\n\nfive'.repeat(300)],
    ['markup that is none', '<p>a &amp; b</p> <a href=/x>c</a>'],
    ['accents, and characters that fold', 'Zażółć gęślą ﬁne ＡＢＣ e\u0301 \ud800 \u0000 x'.repeat(50)],
    ['one Chinese word', `${prose(3)} 世界 ${prose(3)}`],
    ['more words than are read', 'alpha beta gamma delta '.repeat(6000)],
    ['more characters than are read', `${'word7-'.repeat(80_000)}a\u0301`],
    ['characters up to the last that is read', `${'x'.repeat(399_999)}\u{1d400} end`],
  ])('plain text: %s', (_name, text) =>
    expect(readings.difference(page(text, 'http://a.example/b', 'text/plain; charset=utf-8'))).toBe(''),
  );

  test('plain text after a page, and a page after it', () => {
    const [html, plain] = [page(`<p>${prose(9)}<a href=/a>words</a></p>`), page('some words', 'http://a.example/b', 'text/plain')];
    for (const next of [html, plain, html, plain]) expect(readings.difference(next)).toBe('');
  });

  test('signs of each class at all places of a vector, in a word and by itself', () => {
    const plain = (text: string) => readings.difference(page(text, 'http://a.example/b', 'text/plain; charset=utf-8'));
    for (const sign of ['é', '\u2019', '\ufb01', '\u00ad', '\u0301', '\u{1f600}', '\u4e16', '_', '9', 'Z', '[', '`', '{', '\u007f'])
      for (let lead = 0; lead < 67; lead += sign < '\u0080' ? 1 : 4) {
        const text = `${'ab '.repeat(lead / 3)}${'x'.repeat(lead % 3)}`;
        expect(plain(`${text}${sign}${text} ${sign} end`)).toBe('');
      }
  });

  test('words at the end of the units that are read together', () => {
    const plain = (text: string) => readings.difference(page(text, 'http://a.example/b', 'text/plain; charset=utf-8'));
    for (const unit of [64, 2048])
      for (let size = unit - 3; size < unit + 4; size++)
        for (const word of ['a', 'seven77', 'x'.repeat(40), 'y'.repeat(41), 'z'.repeat(2 * unit + 1)]) {
          const before = 'ab '.repeat(unit).slice(0, size);
          for (const end of ['', ' ', ' next', '\u00e9', '\ufb01'])
            expect(plain(`${before.slice(0, -word.length)} ${word}${end}`)).toBe('');
        }
  });

  test('an address without a path', () => {
    expect(readings.difference(page(prose(20), 'http://a.example/', 'text/plain; charset=utf-8'))).toBe('');
    expect(readings.difference(page(`<p>${prose(20)}`, 'http://a.example/%E4%B8%AD%E6%96%87/x?y'))).toBe('');
  });

  test('a simhash whose last character is inside a word, at its end, behind it', () => {
    for (let pad = 0; pad < 30; pad++)
      expect(readings.difference(page(`<p>${'x'.repeat(pad)} ${'seven77 '.repeat(600)}</p><p>more</p>`))).toBe('');
    for (let pad = 0; pad < 12; pad++)
      expect(readings.difference(page(`<p>${'x'.repeat(pad)}${' one two'.repeat(30)}</p>`.repeat(20)))).toBe('');
  });
});

describe('links', () => {
  const around = (link: string) => page(`<main><p>${SENTENCE}${link}${SENTENCE}</p><p>${prose(8)}</p></main>`);
  test.each([
    ['in a sentence', '<a href=/a>some words</a> '],
    ['inside a word', 'be<a href=/a>fore and af</a>ter '],
    ['at an apostrophe', "l'<a href=/a>eau</a>'s "],
    ['without text', '<a href=/a></a> '],
    ['with an image', '<a href=/a>text <img alt="of an image"></a> '],
    ['with a long anchor', `<a href=/a>${'many words in here '.repeat(30)}</a> `],
    ['with a long word', `<a href=/a>${'w'.repeat(300)}</a> `],
    ['with Chinese', '<a href=/a>世界</a> '],
    ['with a ligature', '<a href=/a>ﬁne ﬂow</a> '],
    ['over blocks', '<a href=/a>one<div>two</div>three</a> '],
    ['twice', '<a href=/a>short</a> and <a href=/a>longer text</a> '],
  ])('%s', (_name, link) => expect(readings.difference(around(link))).toBe(''));

  test('many, with words before and after, and those of the head', () => {
    const list = Array.from({ length: 300 }, (_, i) => `<li>Item ${i} <a href=/p${i}>link number ${i}</a> with words behind it</li>`).join(
      '',
    );
    expect(readings.difference(page(`<link rel=next href=/next><link rel=alternate hreflang=de href=/de><ul>${list}</ul>`))).toBe('');
  });
});

test('several topics, a template, a rule', async () => {
  const line = 'Imprint and contact';
  const models = [
    drawnModel(1),
    drawnModel(2, { template: [hashText(line, 0, line.length) >>> 1], threshold: 0.7 }),
    drawnModel(3, { rule: 'model AND title:words' }),
  ];
  const several = await TwoReadings.of(models);
  for (const title of ['words', 'others'])
    expect(
      several.difference(page(`<title>${title}</title><main><p>${prose(20)}</p></main><footer>${line}</footer><footer>Other</footer>`)),
    ).toBe('');
});

test('a page that another parser has read is left to JavaScript', () => {
  const core = new WasmCore();
  const models = [drawnModel(1)];
  const judge = new CoreJudge(core, models, new Committee(models));
  const extractor = pageExtractor({ productToken: 'forager' }, core);
  const other = new PageExtractor({ productToken: 'forager' }, new PageParser());
  const { extraction, layout } = other.extractWithLayout(page(`<p>${prose(10)}`));
  const read = { ...extraction, url: null, lang: null };
  extractor.extract(page('<p>another page'));
  judge.open(read, layout);
  expect([judge.judge(read), judge.simhash(), judge.judgeLinks([], 'context')]).toEqual([null, null, null]);
});

test('the core judges plain text, but no text with its title and other text', () => {
  const core = new WasmCore();
  const models = [drawnModel(1)];
  const judge = new CoreJudge(core, models, new Committee(models));
  const text = { title: '', text: prose(10), url: null, lang: null };
  judge.open({ ...text, otherText: '' }, null);
  expect([judge.judge(text)?.relevance, judge.simhash()]).toEqual([new Committee(models).judge(text).relevance, simhash(text.text)]);
  judge.open({ ...text, otherText: 'a menu' }, null);
  expect([judge.judge(text), judge.simhash()]).toEqual([null, null]);
});

test('the core is used, and for what it is meant', () => {
  const { core } = readings;
  const html = page(`<title>A title</title><main><p>${prose(10)}<a href=/a>some words</a> ${SENTENCE}</p></main>`);
  const { relevance, simhash: print, links } = readPage(html, core);
  const { extraction, layout } = core.extractor.extractWithLayout(html);
  const judged = { ...extraction, url: html.url, lang: null };
  core.core?.open(judged, layout);
  expect(core.core?.judge(judged)?.relevance).toBe(relevance);
  expect(core.core?.simhash()).toEqual(print);
  expect(core.core?.judgeLinks(extraction.outlinks, 'context')?.[0]?.contextScore).toBe(links[0]?.text.contextScore);
});
