import { expect, test } from 'vitest';
import { detectLanguage, normaliseLang, primaryLang } from '../../../src/base/text/language.ts';

test.each([
  ['en', 'en'],
  ['EN-us', 'en-us'],
  ['en_US', 'en-us'],
  ['en_US.UTF-8', 'en-us'],
  [' zh-Hant-TW ', 'zh-hant-tw'],
  ['de, en', 'de'],
  ['fil', 'fil'],
  ['', null],
  [null, null],
  [undefined, null],
  ['english', null],
  ['e', null],
  ['und', null],
  ['mul', null],
  ['{{ lang }}', null],
  ['en us', null],
  ['-en', null],
  ['en-', null],
  [`en${'-abcdefgh'.repeat(100_000)}`, null],
])('the tag %s is %s', (tag, lang) => {
  expect(normaliseLang(tag)).toBe(lang);
});

test('the primary language', () => {
  expect(primaryLang('zh-Hant-TW')).toBe('zh');
  expect(primaryLang('EN')).toBe('en');
  expect(primaryLang('???')).toBeNull();
});

test.each([
  ['en', 'A crawler starts from a few addresses, follows the links it finds and keeps the pages that belong to its subject.'],
  ['de', 'Ein Sammler beginnt bei einigen Adressen, folgt den gefundenen Verweisen und behält die Seiten, die zum Thema gehören.'],
  ['fr', 'Le robot part de quelques adresses, suit les liens trouvés et garde les pages qui se rapportent à son sujet.'],
  ['es', 'El rastreador empieza con unas direcciones, sigue los enlaces que encuentra y guarda las páginas de su tema.'],
  ['it', 'Il programma parte da alcuni indirizzi, segue i collegamenti trovati e conserva le pagine che riguardano il suo argomento.'],
  ['pt', 'O programa começa com alguns endereços, segue as ligações que encontra e guarda as páginas que tratam do seu assunto.'],
  ['ru', 'Программа начинает с нескольких адресов, переходит по найденным ссылкам и сохраняет страницы по своей теме.'],
  ['zh', '网络爬虫从几个种子网址出发，沿着链接不断抓取网页，并且保留与主题相关的页面。'],
  ['ja', 'クローラはいくつかのアドレスから出発し、見つけたリンクをたどって、主題に合うページを残します。'],
  ['ko', '크롤러는 몇 개의 주소에서 출발하여 링크를 따라가면서 주제에 맞는 문서를 모읍니다.'],
])('detects %s', async (lang, text) => {
  expect(await detectLanguage(text)).toBe(lang);
  expect(await detectLanguage(text.repeat(1000))).toBe(lang);
});

test('too few letters give no language', async () => {
  for (const text of ['', 'hello', '1234567890 1234567890 1234567890', 'nineteen letters ok!', '…'.repeat(100)]) {
    expect(await detectLanguage(text)).toBeNull();
  }
});

test('letters of no language give none', async () => {
  expect(await detectLanguage('asdkjh qwelkj zxmnb poiuqw lkjhasd mnbzxc qpwoei')).toBeNull();
});
