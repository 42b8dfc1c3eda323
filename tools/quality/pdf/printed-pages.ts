/** Pages of HTML with known text in several scripts, printed by Chromium: columns, tables, footnotes, from right to left. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';

/** Words of each script, written for this check. */
const WORDS: Readonly<Record<string, string>> = {
  English:
    'the tide mill stands at an old river where water turns its wheel while grain waits under oak beams and millers count every measure twice',
  German: 'die alte Mühle steht über dem Fluss während das Wasser größere Räder dreht und Müller ihr Getreide für jede Straße zählen',
  Russian: 'старая мельница стоит над рекой где вода вращает колесо пока зерно ждёт под дубовыми балками а мельник считает каждую меру',
  Greek: 'ο παλιός μύλος στέκεται πάνω από το ποτάμι όπου το νερό γυρίζει τον τροχό ενώ ο μυλωνάς μετρά κάθε σακί αλεύρι',
  Chinese: '古老 水磨 位于 河边 水流 转动 巨大 木轮 谷物 存放 在 橡木 梁 下面 磨坊 主人 仔细 计算 每一 袋 面粉',
  Japanese: '古い 水車 は 川 の そば に あり 水 が 大きな 木 の 輪 を 回し 粉屋 は 袋 を 数える カタカナ も ある',
  Arabic: 'الطاحونة القديمة تقف فوق النهر حيث يدير الماء العجلة بينما ينتظر القمح تحت عوارض البلوط ويحسب الطحان كل مكيال',
  Hebrew: 'הטחנה הישנה עומדת מעל הנהר שבו המים מסובבים את הגלגל והקמח מחכה מתחת לקורות ואיש סופר כל שק',
};
const UNSPACED = new Set(['Chinese', 'Japanese']);
const RIGHT_TO_LEFT = new Set(['Arabic', 'Hebrew']);
const LANGUAGES: Readonly<Record<string, string>> = {
  German: 'de',
  Russian: 'ru',
  Greek: 'el',
  Chinese: 'zh',
  Japanese: 'ja',
  Arabic: 'ar',
  Hebrew: 'he',
};
const LAYOUTS = ['plain', 'columns', 'table', 'notes', 'heads'] as const;
type Layout = (typeof LAYOUTS)[number];

export interface PrintedPage {
  readonly script: string;
  readonly layout: Layout;
  readonly pdf: Buffer;
  readonly text: string;
}

/** @param dir scratch folder */
export function* printedPages(dir: string, count: number): Generator<PrintedPage> {
  mkdirSync(dir, { recursive: true });
  const scripts = Object.keys(WORDS).filter((script) => !UNSPACED.has(script) || hasFont(LANGUAGES[script] ?? ''));
  for (let n = 0; n < count; n++) {
    const script = scripts[n % scripts.length] ?? 'English';
    const layout = LAYOUTS[Math.floor(n / scripts.length) % LAYOUTS.length] ?? 'plain';
    const { html, text } = pageOf(script, layout, seededRng(n + 1));
    const [from, to] = [join(dir, 'page.html'), join(dir, 'page.pdf')];
    writeFileSync(from, html);
    const header = layout === 'heads' ? [] : ['--no-pdf-header-footer'];
    execFileSync('chromium', ['--headless', '--no-sandbox', '--disable-gpu', ...header, `--print-to-pdf=${to}`, from], { stdio: 'ignore' });
    yield { script, layout, pdf: readFileSync(to), text };
  }
}

/** Without a font, Chromium prints boxes, and a line lacks its first character. */
function hasFont(language: string): boolean {
  return execFileSync('fc-list', [`:lang=${language}`, 'file']).length > 0;
}

function pageOf(script: string, layout: Layout, rng: Rng): { readonly html: string; readonly text: string } {
  const texts: string[] = [];
  const say = (words: number) => {
    texts.push(sentenceOf(script, words, rng));
    return texts.at(-1) ?? '';
  };
  const dir = RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr';
  const title = say(4);
  const paragraphs = (count: number) => Array.from({ length: count }, () => `<p>${say(40 + Math.floor(rng() * 40))}</p>`).join('');
  const body = `<h1>${title}</h1>${bodyOf(layout, say, paragraphs)}`;
  const html = `<!doctype html><html lang="${LANGUAGES[script] ?? 'en'}" dir="${dir}"><meta charset="utf-8"><style>.c{columns:2}td{padding:2px 40px}</style><body>${body}</body></html>`;
  return { html, text: texts.join('\n') };
}

function bodyOf(layout: Layout, say: (words: number) => string, paragraphs: (count: number) => string): string {
  switch (layout) {
    case 'plain':
      return `${paragraphs(4)}<h2>${say(3)}</h2>${paragraphs(4)}`;
    case 'columns':
      return `<div class="c">${paragraphs(10)}</div>`;
    case 'table': {
      const before = paragraphs(1);
      const rows = Array.from({ length: 6 }, () => `<tr>${[2, 2, 2].map((words) => `<td>${say(words)}</td>`).join('')}</tr>`).join('');
      return `${before}<table>${rows}</table>${paragraphs(1)}`;
    }
    case 'notes':
      return `${paragraphs(3)}<hr><div style="font-size:70%">${paragraphs(2)}</div>`;
    case 'heads':
      return paragraphs(40);
  }
}

function sentenceOf(script: string, count: number, rng: Rng): string {
  const words = (WORDS[script] ?? '').split(' ');
  const chosen = Array.from({ length: count }, () => words[Math.floor(rng() * words.length)] ?? '');
  return UNSPACED.has(script) ? `${chosen.join('')}。` : `${chosen.join(' ')}.`;
}
