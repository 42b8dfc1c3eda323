import { decodeHTML, decodeHTMLAttribute } from 'entities';
import fc from 'fast-check';
import { Tokenizer as Parse5, type Token, TokenizerMode } from 'parse5';
import { expect, test } from 'vitest';
import { type ContentModel, type TokenSink, tokenize } from '../../../src/reading/extract/tokenizer.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { runs } from '../../support/extent.ts';

/** Start tags as `<name attribute=value …>` (`/>` when self-closing), end tags as `</name>`, text as it reads. */
type Told = string[];

const MODELS: Readonly<Record<string, ContentModel>> = {
  title: 'rcdata',
  textarea: 'rcdata',
  style: 'raw',
  xmp: 'raw',
  iframe: 'raw',
  script: 'script',
  plaintext: 'plaintext',
};
const MODES: Readonly<Record<ContentModel, number>> = {
  data: TokenizerMode.DATA,
  rcdata: TokenizerMode.RCDATA,
  raw: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
};

function addText(told: Told, text: string): void {
  const last = told.at(-1);
  if (last?.startsWith('"')) told[told.length - 1] = last + text;
  else if (text !== '') told.push(`"${text}`);
}

/** What our tokenizer tells, in one foreign element throughout or in none. */
function ours(html: string, foreign: boolean): Told {
  const told: Told = [];
  let name = '';
  let attributes: [string, string][] = [];
  const sink: TokenSink = {
    text: (start, end, references) => addText(told, references ? decodeHTML(html.slice(start, end)) : html.slice(start, end)),
    startTag: (start, end) => {
      name = html.slice(start, end).toLowerCase();
      attributes = [];
    },
    attribute: (nameStart, nameEnd, valueStart, valueEnd) => {
      const key = html.slice(nameStart, nameEnd).toLowerCase();
      if (!attributes.some(([known]) => known === key)) attributes.push([key, decodeHTMLAttribute(html.slice(valueStart, valueEnd))]);
    },
    startTagEnd: (selfClosing) => {
      told.push(tagText(name, attributes, selfClosing));
      return foreign ? 'data' : (MODELS[name] ?? 'data');
    },
    endTag: (start, end) => told.push(`</${html.slice(start, end).toLowerCase()}>`),
    isForeign: () => foreign,
  };
  tokenize(html, sink);
  return told;
}

/** The same from parse5, the peer that passes the html5lib tests. */
function theirs(html: string, foreign: boolean): Told {
  const told: Told = [];
  const onText = ({ chars }: Token.CharacterToken) => addText(told, chars);
  const tokenizer: Parse5 = new Parse5(
    { sourceCodeLocationInfo: false },
    {
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => undefined,
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: onText,
      onStartTag: ({ tagName, attrs, selfClosing }) => {
        told.push(
          tagText(
            tagName,
            attrs.map(({ name, value }) => [name, value]),
            selfClosing,
          ),
        );
        tokenizer.state = foreign ? TokenizerMode.DATA : (MODES[MODELS[tagName] ?? 'data'] as typeof tokenizer.state);
        tokenizer.lastStartTagName = tagName;
      },
      onEndTag: ({ tagName }) => told.push(`</${tagName}>`),
    },
  );
  tokenizer.inForeignNode = foreign;
  tokenizer.write(html, true);
  return told;
}

function tagText(name: string, attributes: readonly (readonly [string, string])[], selfClosing: boolean): string {
  return `<${[name, ...attributes.map(([key, value]) => `${key}=${value}`)].join(' ')}${selfClosing ? '/' : ''}>`;
}

test.each([
  'a < b <c>d</c> e',
  '<a href=x/>y<br/><p/ id=1/ / class>z',
  '<a =b ==c d= e="f"g=\'h\'i = j>k',
  '<a href="x>y" title=\'<b>\'>t</a >u</a x="y>z">v</>w</ b>x',
  '<!doctype html "a>b"><!--a--><!--><!---><!----><!--a--!>b<!--a->b--x--><?php echo?>c<!x>d<![CDATA[e]]>f',
  '<title>a<b>c&amp;d</titlex></title ><textarea></p></TEXTAREA><style><a></style><xmp></xmp/>a',
  '<script>a<!--b<script>c</script>d--></script>e<script><!--></script>f<script><!--<script></script>x',
  '<plaintext>a</plaintext><b>',
  '&amp;&lt&notit;&#65;&#x41;&#0;&#128;&unknown; <a href="?a=1&lt=2&amp;b&copy">&copy',
  '</',
  '<',
  '<a',
  '<a b="c',
  '</a',
  '<!--a',
  '<!--a--!',
  'x<?',
  'x<!',
  '<title>a',
  '<title>a</title',
  '<script>a</script',
  '<script><!--<script>--></script>a',
  '<![CDATA[a<b>]]>c]]>',
])('reads %j as parse5 does', (html) => {
  expect(ours(html, false)).toEqual(theirs(html, false));
  expect(ours(html, true)).toEqual(theirs(html, true));
});

test('reads made-up markup as parse5 does', () => {
  const piece = fc.constantFrom(
    ...['<', '>', '</', '/>', '/', '=', '"', "'", '&', ';', '!', '-', '--', '-->', '--!>', '<!--', '<!', '<?', ' ', '\n', '\t', '\f'],
    ...['a', 'B', '<a', '<p>', '<br/>', 'href', 'class="x"', 'id=1', '&amp;', '&lt', '&#65;', '&nbsp', 'é', '汉', '😀', 'K', 'ſ'],
    ...[
      '<script',
      '</script',
      '<script>',
      '</script>',
      '<title>',
      '</title>',
      '</titl',
      '<style>',
      '</style >',
      '<textarea>',
      '</textarea/>',
    ],
    ...['<xmp>', '</XMP>', '<![CDATA[', ']]>', ']]', '<plaintext>', 'script', '<!-', '<SCRIPT '],
  );
  const html = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(html, fc.boolean(), (text, foreign) => {
      expect(ours(text, foreign)).toEqual(theirs(text, foreign));
    }),
    { numRuns: runs(20_000) },
  );
});

test.each([
  ['<', 2_000_000],
  ['<!--', 500_000],
  ['<a "', 500_000],
  ["<a b='", 300_000],
  ['<script><!--', 200_000],
  ['<title></titl', 200_000],
  ['&', 2_000_000],
  ['</', 1_000_000],
  ['<![CDATA[', 200_000],
])('%j repeated %i times takes time in proportion', (piece, count) => {
  const timed = (times: number) => {
    const html = piece.repeat(times);
    return cpuMs(() => ours(html, true));
  };
  timed(count / 10);
  // Quadratic would be a hundred times as long.
  expect(timed(count)).toBeLessThan(40 * Math.max(5, timed(count / 10)));
});
