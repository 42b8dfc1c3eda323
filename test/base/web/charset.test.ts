import fc from 'fast-check';
import { expect, test } from 'vitest';
import { charsetOf, decodeText } from '../../../src/base/web/charset.ts';
import { looksUtf16 } from '../../../src/base/web/content-type.ts';
import { metaCharset } from '../../../src/base/web/meta-charset.ts';
import { cpuMs, expectWithin } from '../../support/cpu-time.ts';
import { runs } from '../../support/extent.ts';

/** Text in an encoding Node cannot write, found by decoding every one- and two-byte sequence once. */
function encode(text: string, charset: string): Uint8Array {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, number[]>();
  for (let a = 0xff; a >= 0; a--) {
    for (let b = 0xff; a >= 0x80 && b >= 0x40; b--) table.set(decoder.decode(Uint8Array.of(a, b)), [a, b]);
    table.set(decoder.decode(Uint8Array.of(a)), [a]);
  }
  return Uint8Array.from([...text].flatMap((char) => table.get(char) ?? []));
}

/** A page of our own in each charset, and the charset that an undeclared copy must be read as. */
const SAMPLES: readonly (readonly [charset: string, text: string])[] = [
  ['gbk', '网络爬虫从种子网址出发,沿着链接抓取网页,并且判断每个网页是否与主题相关。'],
  ['big5', '網路爬蟲從種子網址出發,沿著連結抓取網頁,並且判斷每個網頁是否與主題相關。'],
  ['shift_jis', 'クローラはシードのURLから出発し、リンクをたどってページを集め、主題に合うかどうかを判断します。'],
  ['euc-jp', 'クローラはシードのURLから出発し、リンクをたどってページを集め、主題に合うかどうかを判断します。'],
  ['euc-kr', '크롤러는 시드 주소에서 출발하여 링크를 따라 문서를 모으고 주제에 맞는지 판단합니다.'],
  ['koi8-r', 'Поисковый робот начинает с заданных адресов, переходит по ссылкам и решает, относится ли страница к теме.'],
  ['windows-1251', 'Поисковый робот начинает с заданных адресов, переходит по ссылкам и решает, относится ли страница к теме.'],
];

/** Sentences as short as a page's only words outside ASCII can be. */
const SHORT: readonly (readonly [charset: string, text: string])[] = [
  ['windows-1254', 'La société a été créée'],
  ['windows-1254', 'café'],
  ['windows-1254', '© 2020 Foo'],
  ['windows-1254', 'It’s a “test” page – really'],
  ['windows-1254', 'Die größte Straße führt über den Fluss.'],
  ['windows-1254', 'El niño comió después de la función en la montaña.'],
  ['iso-8859-2', 'Książka została napisana przez młodego człowieka, który żył w małej wiosce pośród gór.'],
  ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy. Město leží na řece a má mnoho krásných památek.'],
  ['windows-1254', 'Türkiye’nin en büyük şehri olan İstanbul, iki kıtayı birbirine bağlayan köprüleriyle ünlüdür.'],
  ['windows-1251', 'Поисковый робот начинает'],
  ['koi8-r', 'Поисковый робот начинает'],
  ['windows-1253', 'Η μηχανή αναζήτησης ξεκινά από μερικές διευθύνσεις και ακολουθεί τους συνδέσμους.'],
  ['windows-1256', 'يبدأ محرك البحث من بعض العناوين ويتبع الروابط'],
  ['gbk', '中国网站首页，新闻，体育，财经，欢迎访问'],
  ['big5', '網站首頁 新聞 體育 歡迎光臨'],
  ['shift_jis', 'ホームページへようこそ'],
  ['euc-jp', 'ホームページへようこそ 日本'],
  ['euc-kr', '홈페이지에 오신 것을 환영합니다'],
];

/** chardet's name for a charset that contains it. */
const GUESSED: Readonly<Record<string, string>> = { gbk: 'gb18030' };

test.each(SAMPLES)('%s is read when a header, a meta element or nothing declares it', (label, text) => {
  const body = encode(text.repeat(3), label);
  expect(body.length).toBeGreaterThan(text.length * 3 - 1);
  expect(decodeText(body, label, true)).toEqual({ text: text.repeat(3), charset: label, warnings: [] });
  const page = Buffer.concat([Buffer.from(`<html><head><meta charset="${label}"></head><p>`), body]);
  const declared = decodeText(page, null, true);
  expect(declared.charset).toBe(label);
  expect(declared.text.endsWith(text)).toBe(true);
  expect(declared.warnings).toEqual([]);
  const guessed = decodeText(Buffer.concat([Buffer.from('<html><p>'), body]), null, true);
  const charset = GUESSED[label] ?? label;
  expect(guessed.charset).toBe(charset);
  expect(guessed.text.endsWith(text)).toBe(true);
  expect(guessed.warnings).toEqual([`charset not declared; read as ${charset}`]);
});

test('bytes written out by hand', () => {
  expect(decodeText(Uint8Array.of(0xd6, 0xd0, 0xb9, 0xfa), 'gb2312', true).text).toBe('中国');
  expect(decodeText(Uint8Array.of(0x81, 0x30, 0x81, 0x30), 'GB2312', true).text).toBe('\u0080');
  expect(decodeText(Uint8Array.of(0xa4, 0xa4, 0xb0, 0xea), 'big5', true).text).toBe('中國');
  expect(decodeText(Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), 'Shift_JIS', true).text).toBe('日本');
  expect(decodeText(Uint8Array.of(0xc7, 0xd1, 0xb1, 0xb9), 'ks_c_5601-1987', true).text).toBe('한국');
  expect(decodeText(Uint8Array.of(0xcd, 0xc9, 0xd2), 'koi8-r', true).text).toBe('мир');
  expect(decodeText(Uint8Array.of(0xec, 0xe8, 0xf0), 'cp1251', true).text).toBe('мир');
});

test('windows-1252 and the labels that mean it have their printable C1 range', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const c1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
  for (const label of ['windows-1252', 'latin1', 'iso-8859-1', 'ISO-8859-1', 'ascii', 'us-ascii', 'cp1252']) {
    const { text, charset } = decodeText(bytes, label, false);
    expect(charset).toBe('windows-1252');
    expect(text.slice(0x80, 0xa0)).toBe(c1);
    expect(text.slice(0, 0x80) + text.slice(0xa0)).toBe(
      Buffer.from(bytes)
        .toString('latin1')
        .replace(/[\x80-\x9f]/g, ''),
    );
  }
});

test('undeclared western text is windows-1252', () => {
  const text = 'Les élèves naïfs déjeunèrent « à l’œil » près du château, où l’été s’achève — voilà.';
  const { text: read } = decodeText(encode(text, 'windows-1254'), null, true);
  expect(read).toBe(text);
});

test('a byte order mark outranks header and meta, and is no part of the text', () => {
  const utf8 = Buffer.from('\uFEFF<meta charset=koi8-r>é');
  expect(decodeText(utf8, 'windows-1251', true)).toEqual({ text: '<meta charset=koi8-r>é', charset: 'utf-8', warnings: [] });
  const le = Buffer.from('\uFEFF日本', 'utf16le');
  expect(decodeText(le, 'utf-8', true)).toEqual({ text: '日本', charset: 'utf-16le', warnings: [] });
  expect(decodeText(Buffer.from(le).swap16(), null, true)).toEqual({ text: '日本', charset: 'utf-16be', warnings: [] });
});

test('UTF-16 without a byte order mark is read when declared by the header, and when it looks it', () => {
  const le = Buffer.from('<p>日本</p>', 'utf16le');
  expect(decodeText(le, 'utf-16', true).text).toBe('<p>日本</p>');
  expect(decodeText(le, null, true)).toMatchObject({ text: '<p>日本</p>', charset: 'utf-16le' });
  expect(decodeText(Buffer.from(le).swap16(), null, true)).toMatchObject({ text: '<p>日本</p>', charset: 'utf-16be' });
});

test('the header outranks meta, and an unknown label is a warning and the next source', () => {
  const page = Buffer.from('<meta charset="windows-1251">\xec\xe8\xf0', 'latin1');
  expect(decodeText(page, 'koi8-r', true).text.endsWith('ЛХП')).toBe(true);
  expect(decodeText(page, 'klingon', true)).toMatchObject({
    charset: 'windows-1251',
    warnings: ['unknown charset in Content-Type: klingon'],
  });
  expect(decodeText(page, null, false).text).not.toContain('мир');
  expect(decodeText(Buffer.from('<meta charset=nope>é'), 'utf-7', true)).toEqual({
    text: '<meta charset=nope>é',
    charset: 'utf-8',
    warnings: ['unknown charset in Content-Type: utf-7', 'unknown charset in meta: nope'],
  });
});

test('UTF-8 that declares nothing is found, cut in the middle of a character too', () => {
  const bytes = Buffer.from('naïve 日本𝒳');
  for (const cut of [0, 1, 2, 3]) {
    const { charset, text } = decodeText(bytes.subarray(0, bytes.length - cut), null, true);
    expect([cut, charset, text.slice(0, 8)]).toEqual([cut, 'utf-8', 'naïve 日本']);
  }
  expect(decodeText(Buffer.from('plain'), null, true)).toEqual({ text: 'plain', charset: 'utf-8', warnings: [] });
  expect(decodeText(new Uint8Array(), null, true)).toEqual({ text: '', charset: 'utf-8', warnings: [] });
});

test.each(['ࠀक', '日本', 'é', '😀', '\u{10ffff}'])('UTF-8 that declares nothing is found, cut anywhere in %s', (character) => {
  const bytes = Buffer.from(`<p>naïve ${character}`);
  for (let size = Buffer.byteLength('<p>naïve '); size <= bytes.length; size++) {
    const { charset, text } = decodeText(bytes.subarray(0, size), null, true);
    expect([size, charset, text.slice(0, 8)]).toEqual([size, 'utf-8', '<p>naïve']);
  }
});

test('a byte order mark tells UTF-16 whatever follows it', () => {
  for (const [mark, charset] of [
    ['fffe', 'utf-16le'],
    ['feff', 'utf-16be'],
  ] as const) {
    for (const rest of ['', '82f9', '00', '679c82f9']) {
      expect(looksUtf16(Buffer.from(mark + rest, 'hex'))).toBe(charset);
      expect(looksUtf16(Buffer.from(mark.slice(0, 2) + rest, 'hex'))).toBeNull();
    }
  }
});

test('bytes that do not fit are replaced with a warning', () => {
  const page = Buffer.concat([Buffer.from('Größe naïve été'), Uint8Array.of(0xff), Buffer.from('日本')]);
  for (const label of ['utf-8', null]) {
    const { text, charset, warnings } = decodeText(page, label, true);
    expect([text, charset]).toEqual(['Größe naïve été\uFFFD日本', 'utf-8']);
    expect(warnings).toContain('bytes that are not utf-8 were replaced');
  }
  expect(decodeText(Uint8Array.of(0xd6, 0xd0, 0xff), 'gbk', true).warnings).toEqual(['bytes that are not gbk were replaced']);
});

test('a page that says UTF-8 and is not is read by the next source', () => {
  const koi8 = Buffer.from('<meta charset=koi8-r>\xcd\xc9\xd2', 'latin1');
  expect(decodeText(koi8, 'utf-8', true)).toEqual({
    text: '<meta charset=koi8-r>мир',
    charset: 'koi8-r',
    warnings: ['Content-Type says utf-8, the bytes do not'],
  });
  expect(decodeText(Buffer.from('<meta charset=utf-8><p>caf\xe9</p>', 'latin1'), null, true)).toMatchObject({
    text: '<meta charset=utf-8><p>café</p>',
    charset: 'windows-1252',
  });
});

test('a guess rests on the text, not on the markup around it', () => {
  const markup = '<div class="nav"><a href="/x">link</a></div>\n'.repeat(400);
  const read = (text: string, charset: string) => {
    const body = Buffer.concat([Buffer.from(`${markup}<p>Hello and welcome</p><p>`), encode(text, charset), Buffer.from(`</p>${markup}`)]);
    return decodeText(body, null, true).text.includes(`<p>${text}</p>`);
  };
  const missed = SHORT.filter(([charset, text]) => !read(text, charset));
  expect(missed).toEqual([]);
});

test.each([
  ['<meta charset=utf-8>', 'utf-8'],
  ["<META CHARSET = 'koi8-r' >", 'koi8-r'],
  ['<meta http-equiv="Content-Type" content="text/html; charset=big5">', 'big5'],
  ['<meta content="text/html; charset = \'big5\'" http-equiv=content-type />', 'big5'],
  ['<meta content="text/html; charset=big5">', null],
  ['<meta http-equiv=refresh content="0; url=x?charset=big5">', null],
  ['<!-- <meta charset=big5> --><meta charset=euc-kr>', 'euc-kr'],
  ['<!--><meta charset=big5>', 'big5'],
  ['<!-- <meta charset=big5>', null],
  ['<p title="<meta charset=big5>"><meta charset=euc-kr>', 'euc-kr'],
  ['</p title="<meta charset=big5>"><meta charset=euc-kr>', 'euc-kr'],
  ['<metadata charset=big5>', null],
  ['<meta/charset=big5>', 'big5'],
  ['<!doctype html><?php ?><meta charset=utf-16>', 'utf-8'],
  ['<meta charset=x-user-defined>', 'windows-1252'],
  ['<?xml version="1.0" encoding="windows-1251"?><html/>', 'windows-1251'],
  ['<?xml version="1.0" encoding="windows-1251"?><meta charset=koi8-r>', 'koi8-r'],
  ['<meta charset=""><meta charset=big5>', 'big5'],
  ['<meta', null],
  ['< meta charset=big5>', null],
  [`${' '.repeat(1010)}<meta charset=big5>`, null],
])('prescan of %s gives %s', (head, label) => {
  expect(metaCharset(Buffer.from(head))).toBe(label);
});

test('a prescan does not depend on the page before it', () => {
  const parts = ['<meta ', 'charset=big5', 'http-equiv=content-type', 'content="text/html;charset=koi8-r"', '>', ' ', '/', '"', '<p>', 'x'];
  const head = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => `<meta ${some.join(' ')}`);
  const labelAfter = (before: string, text: string) => {
    metaCharset(Buffer.from('<meta charset=euc-kr>'));
    metaCharset(Buffer.from(before));
    return metaCharset(Buffer.from(text));
  };
  fc.assert(
    fc.property(head, fc.nat(80), head, (one, cut, rest) => {
      // Pages that begin alike.
      const other = `${one.slice(0, cut)}${rest}`;
      expect(labelAfter(one, other)).toBe(labelAfter('', other));
    }),
    { numRuns: runs(3000) },
  );
});

test('labels', () => {
  expect(['gb2312', 'GBK', 'cp936', 'x-gbk'].map(charsetOf)).toEqual(Array(4).fill('gbk'));
  expect(['utf8', ' UTF-8 ', 'unicode-1-1-utf-8'].map(charsetOf)).toEqual(Array(3).fill('utf-8'));
  expect(['', 'none', 'iso-8859-99', 'constructor', '__proto__'].map(charsetOf)).toEqual(Array(5).fill(null));
});

test('no bytes and no label make it throw or dawdle', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.option(fc.string(), { nil: null }), fc.boolean(), (bytes, label, isHtml) => {
      expect(typeof decodeText(bytes, label, isHtml).text).toBe('string');
    }),
    { numRuns: runs(300) },
  );
  const tags = fc.array(
    fc.constantFrom('<', '<meta ', 'charset', '=', '"', "'", '>', '/', ' ', 'big5', '<!--', '-->', '<?xml ', 'content', '\0'),
  );
  fc.assert(
    fc.property(tags, (parts) => void metaCharset(Buffer.from(parts.join('')))),
    { numRuns: runs(3000) },
  );
  expectWithin(3000, () => {
    for (const unit of ['<', '<meta ', '<a =', '<!--', '<meta a=', '<meta "', '<a/']) metaCharset(Buffer.from(unit.repeat(500)));
  });
});

test.each<[string, Uint8Array, string]>([
  ['UTF-8 with an escape in it', Buffer.from('<p>Grüße aus München. \u001b$B begins kanji</p>'), 'utf-8'],
  ['ASCII with an escape in it', Buffer.from('<p>echo \u001b$BASH_VERSION and \u001b$@ more of it, é no</p>'.replace('é ', '')), 'utf-8'],
  ['roman letters by escape, then kanji', Buffer.from('<p>\u001b(Ja\u001b(B \u001b$B$3$s$K$A$O\u001b(B</p>', 'latin1'), 'iso-2022-jp'],
])('an escape is not all there is to ISO-2022-JP: %s', (_, bytes, charset) => {
  expect(decodeText(bytes, null, true).charset).toBe(charset);
});

test('boxes drawn in a Russian page do not make it Ukrainian; its letters do', () => {
  const koi8 = new Map(Array.from({ length: 256 }, (_, byte) => [new TextDecoder('koi8-u').decode(Uint8Array.of(byte)), byte]));
  const encoded = (text: string) => Uint8Array.from(text, (char) => koi8.get(char) ?? 0x20);
  const russian = 'Мхи растут на камнях у воды, и каждую весну их становится больше. Они держат воду и землю. ';
  const boxes = Uint8Array.of(0xa4, 0xa5, 0xa6, 0x20, 0xa7, 0x20, 0xad);
  expect(decodeText(Buffer.concat([encoded(russian.repeat(3)), boxes]), null, false).charset).toBe('koi8-r');
  const ukrainian = 'Мохи ростуть на камінні біля води, і щовесни їх більше. Вони тримають воду й землю, і її стає більше. ';
  expect(decodeText(encoded(ukrainian.repeat(3)), null, false).charset).toBe('koi8-u');
});

test.each(['replacement', 'csiso2022kr', 'hz-gb-2312', 'iso-2022-cn', 'iso-2022-cn-ext', 'ISO-2022-KR'])(
  '%s is read as browsers read it: as one U+FFFD, whoever declares it',
  (label) => {
    const page = Buffer.from(`<html><head><meta charset="${label}"></head><p>words <a href="/x">and a link</a>`);
    const read = { text: '\uFFFD', charset: 'replacement', warnings: [expect.stringContaining('browsers refuse to decode')] };
    expect(decodeText(page, null, true)).toEqual(read);
    expect(decodeText(page, label, false)).toEqual(read);
    expect(decodeText(new Uint8Array(), label, true)).toEqual({ text: '', charset: 'replacement', warnings: [] });
    // A byte order mark says more than any label.
    expect(decodeText(Buffer.concat([Buffer.from('\uFEFF'), page]), label, true).charset).toBe('utf-8');
  },
);

test('what only looks like one of those charsets is not refused', () => {
  const body = Buffer.from('\x1b$)C words \x0eGQ1[\x0f and words', 'latin1');
  expect(decodeText(body, null, true).charset).not.toBe('replacement');
});

/** Characters that the decoders of Node 20 have not, or have wrong. */
test.each<readonly [label: string, bytes: readonly number[], text: string]>([
  ['euc-kr', [0x8c, 0x63, 0xb9, 0xe6, 0x94, 0xee], '똠방뷁'],
  ['ks_c_5601-1987', [0xc3, 0xd0, 0x94, 0xee], '촛뷁'],
  ['windows-949', [0xa4, 0xbf, 0xc1, 0xe4], 'ㅏ쥑'],
  ['uhc', [0xc6, 0x52, 0xc0, 0x50], '힣픐'],
  ['big5-hkscs', [0xfb, 0x48, 0x9d, 0xf6, 0x9d, 0xf7, 0x92, 0x5d], '嘅喺咗哋'],
  ['iso-8859-16', [0xaa, 0xba, 0xde, 0xfe], 'ȘșȚț'],
  ['x-user-defined', [0x41, 0x80, 0xff], 'A\uf780\uf7ff'],
  ['koi8-u', [0xae, 0xbe], 'ўЎ'],
  ['windows-1255', [0xca], '\u05ba'],
  ['windows-1253', [0xaa], '\ufffd'],
  ['shift_jis', [0x1a, 0x1c, 0x7f, 0x93, 0xfa], '\x1a\x1c\x7f日'],
  // A damaged character costs its own byte; the markup behind it is read.
  ['euc-jp', [0xc6, 0x3c, 0x70, 0x3e], '\ufffd<p>'],
  ['big5', [0xa4, 0x3c, 0x62, 0x3e], '\ufffd<b>'],
  ['euc-kr', [0xc8, 0x3c, 0x69, 0x3e], '\ufffd<i>'],
])('%s is read by the tables of the Encoding Standard: %j', (label, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes), label, true).text).toBe(text);
});

const LATE = ' '.repeat(1100);

test.each<readonly [what: string, head: string, charset: string, bytes: readonly number[], text: string]>([
  ['behind white space', `${LATE}<meta charset=windows-1250>`, 'windows-1250', [0xf8, 0xec], 'řě'],
  [
    'behind a long script with one of its own',
    `${LATE}<script>'<meta charset=koi8-r>'</script><meta charset=iso-8859-15>`,
    'iso-8859-15',
    [0xa4],
    '€',
  ],
  ['behind a comment', `<!-- <meta charset=koi8-r> ${LATE} --><META CHARSET='windows-1251'>`, 'windows-1251', [0xff], 'я'],
  [
    'as http-equiv',
    `<style>${LATE}</style><meta content="text/html; charset=x-sjis" http-equiv=Content-Type>`,
    'shift_jis',
    [0x93, 0xfa],
    '日',
  ],
  ['the first known one', `${LATE}<meta charset=none><meta charset=koi8-u>`, 'koi8-u', [0xa4], 'є'],
  ['in the body', `<body><p>${LATE}<meta charset=macintosh>`, 'macintosh', [0x80], 'Ä'],
])('a late meta is obeyed where the charset was only guessed: %s', (_, head, charset, bytes, text) => {
  const page = Buffer.concat([Buffer.from(head), Buffer.from(bytes)]);
  const read = decodeText(page, null, true);
  expect([read.charset, read.text.slice(head.length), read.warnings]).toEqual([charset, text, []]);
  expect(decodeText(page, 'windows-1252', true).charset).toBe('windows-1252');
});

test('a late meta does not count in a script, a comment, a title, plain text, or where the bytes say UTF-16', () => {
  for (const inside of ['<script>X</script>', '<!--X-->', '<title>X</title>', '<textarea>X', '<a title="X">'])
    expect(decodeText(Buffer.from(`${LATE}${inside.replace('X', '<meta charset=koi8-r>')}é`), null, true).charset).toBe('utf-8');
  expect(decodeText(Buffer.from(`${LATE}<meta charset=koi8-r>é`), null, false).charset).toBe('utf-8');
  expect(decodeText(Buffer.from(`${LATE}<meta charset=koi8-r>`, 'utf16le'), null, true).charset).toBe('utf-16le');
});

test('a megabyte without a late meta is searched in linear time', () => {
  const [once, eight] = [1, 8].map((times) => {
    const page = Buffer.from('<meta name=charse x><p a=">'.repeat(times * 16_384).concat('é'));
    return cpuMs(() => decodeText(page, null, true));
  });
  expect(eight).toBeLessThan(60 * Math.max(once ?? 0, 2));
});
