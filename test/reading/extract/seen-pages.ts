/** Small pages, and the lines that a reader sees of each, whatever the method: read by both parsers. */

export interface SeenPage {
  readonly name: string;
  readonly html: string;
  readonly lines: readonly string[];
}

const seen = (name: string, html: string, ...lines: readonly string[]): SeenPage => ({ name, html, lines });

export const SEEN_PAGES: readonly SeenPage[] = [
  // Joiners are spelling after letters of some scripts and in emoji; elsewhere they are not text.
  seen('Persian, with references and markup', '<p>نمی&zwnj;دانم <b>خانه</b>&#x200c;ام', 'نمی\u200cدانم خانه\u200cام'),
  seen('Sinhala', '<p>ශ්‍රී ලංකා', 'ශ්\u200dරී ලංකා'),
  seen('Hindi', '<p>क्\u200dष र्\u200dय', 'क्\u200dष र्\u200dय'),
  seen('Khmer', '<p>ប៊‌ី', 'ប៊\u200cី'),
  seen('a flag, a profession, a heart', '<p>🏳️‍🌈 👩🏽‍🔬 ❤️‍🔥', '🏳️\u200d🌈 👩🏽\u200d🔬 ❤️\u200d🔥'),
  seen('after Latin letters, spaces, each other', '<p>Auf&zwnj;lage \u200d\u200cx می‌‌رود', 'Auflage x می\u200cرود'),
  seen('NEXT LINE', '<p>one\u0085two', 'one two'),
  // Ruby: the words without their readings.
  seen('rp', '<p>a<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rp>(</rp><rt>きょう</rt><rp>)</rp></ruby>b', 'a東京b'),
  seen('without end tags', '<p><ruby>猫<rt>ねこ</ruby>と<ruby>犬<rp>(<rt>いぬ<rp>)</ruby>。', '猫と犬。'),
  seen('nested', '<p><ruby><ruby>攻<rt>こう</rt>殻<rt>かく</rt></ruby><rt>shell</rt></ruby>だ', '攻殻だ'),
  seen('tabular', '<p><ruby><rb>旧<rb>金<rb>山<rt>jiù<rt>jīn<rt>shān<rtc><rt>San Francisco</ruby>市', '旧金山市'),
  seen('a template with an open paragraph', '<p>a<template><p>b</template>c<span hidden><p>d</span>e', 'a', 'c', 'e'),
  seen('unclosed at the end of a paragraph', '<p><ruby>水<rt>みず</p><p>次', '水', '次'),
  // aria-hidden in a line is seen, ornaments are not.
  seen(
    'word by word',
    '<h2 aria-label="x"><span aria-hidden="true">Oh</span><span aria-hidden=true> </span><i aria-hidden=true>no</i><i aria-hidden=true>!</i></h2>',
    'Oh no!',
  ),
  seen(
    'ornaments',
    '<p>Home <span aria-hidden="true">›</span> Docs <b aria-hidden="true">\ue001</b><b aria-hidden=true>👋</b> now',
    'Home Docs now',
  ),
  seen('signs of an icon font', '<p>Next <i class="material-icons" aria-hidden="true">arrow_forward</i> page', 'Next page'),
  seen(
    'a price to be seen, then one to be heard',
    '<p><span aria-hidden="true">$5</span> <span class="sr-only">five dollars</span> each',
    '$5 each',
  ),
  seen(
    'one to be heard, then one to be seen',
    '<p><span class="visually-hidden">five dollars</span><span aria-hidden="true">$5</span> each',
    'five dollars each',
  ),
  seen(
    'a name beside an empty icon',
    '<p><a href=x><i class="fa" aria-hidden="true"></i><span class="sr-only">Search</span></a>',
    'Search',
  ),
  seen('a second link', '<p>Title <a aria-hidden="true" tabindex=-1 href="#x">Permalink</a>', 'Title'),
  // Buttons: words of headings, terms and sentences.
  seen('a numbered heading', '<h4>2. <button>Who pays?</button></h4><p>We do.', '2. Who pays?', 'We do.'),
  seen('a summary', '<details><summary><button><b>More</b> facts</button></summary>Few.</details>', 'More facts', 'Few.'),
  seen('a heading by its role', '<div role="heading"><button>When?</button></div><p>Now.', 'When?', 'Now.'),
  seen(
    'the head of a column',
    '<table><tr><th><button>Year</button><th><button>Grain</button><tr><td>1804<td>rye</table>',
    'Year\tGrain',
    '1804\trye',
  ),
  seen(
    'a word before a comma',
    '<p>The <button>leat</button>, or <button><i>goit</i></button> <em>in</em> the north.',
    'The leat, or goit in the north.',
  ),
  seen('the first word', '<p><button>Leats</button> are dug by hand.', 'Leats are dug by hand.'),
  seen('Chinese', '<p>这个<button>词</button>很老。', '这个词很老。'),
  // Hidden by the attribute, and not.
  seen(
    'until found',
    '<p>a <span hidden="until-found">b</span> <span hidden="UNTIL-FOUND">c</span> <span hidden="hidden">d</span><span hidden>e</span> f',
    'a b c f',
  ),
  seen('a style against the attribute', '<p>a <span hidden style="display:inline">b</span>', 'a b'),
  // Styles.
  seen('capitals', '<p>a<b STYLE="Display : NONE ! important">b</b>c', 'ac'),
  seen('comments', '<p>a<b style="/* display:block; */ display/**/:/**/none">b</b>c', 'ac'),
  seen('the last one', '<p>a<b style="display:none;display:inline">b</b>c', 'abc'),
  seen('the important one', '<p>a<b style="display:none!important;display:inline">b</b>c', 'ac'),
  seen('an invalid one', '<p>a<b style="display:none;display:blok;visibility:hidden;visibility:seen">b</b>c', 'ac'),
  seen(
    'the second property',
    '<p>a<b style="display:block;visibility:hidden">b</b>c<b style="color:red;content-visibility:hidden">d</b>e',
    'a',
    'ce',
  ),
  seen(
    'other properties',
    '<p>a<b style="backface-visibility:hidden;background:url(x;display:none)">b</b><b style=\'font:"; display:none"\'>c</b>',
    'abc',
  ),
  seen(
    'blocks',
    '<p><span style="display:block">a.</span><span style="DISPLAY:FLEX">b.</span><a style="display: list-item">c.</a>d.',
    'a.',
    'b.',
    'c.',
    'd.',
  ),
  seen(
    'rows and cells',
    '<span style="display:table-row"><span style="display:table-cell">a</span><span style="display:table-cell">b</span></span>c',
    'a\tb',
    'c',
  ),
  seen(
    'inside a line',
    '<p>a<span style="display:inline-block">b</span><span style="display:inline-flex">c</span><span style="display:contents">d',
    'abcd',
  ),
  // Preformatted text.
  seen(
    'blank lines',
    '<pre>one\n two\n\n\nthree\r\n \r\nfour\r\rfive</pre>six\n\nseven',
    'one',
    ' two',
    'three',
    'four',
    'five',
    'six seven',
  ),
  seen('blank lines beside markup', '<pre><b>Head</b>\n\n<i>one</i>\ntwo</pre>', 'Head', 'one', 'two'),
  seen('other elements', '<listing>a\n\nb</listing><xmp><b>\n\nc</xmp>d<plaintext>e\n\n</p>', 'a', 'b', '<b>', 'c', 'd', 'e', '</p>'),
];
