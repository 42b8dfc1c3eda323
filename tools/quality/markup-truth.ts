/** What manual pages in groff and reference pages in DocBook say must be on their pages in HTML: see manual-truth.ts. */
import { decodeXML } from 'entities';
import { addTruth, FIRST_WORDS, isFirstLine, type Truth } from './manual-truth.ts';

/** Marks of groff inside a line. */
const ESCAPES: readonly (readonly [RegExp, string])[] = [
  [/\\f(?:\[\w*\]|\(..|.)/g, ''],
  [/\\s[-+]?\d/g, ''],
  [/\\\*\((?:lq|rq)|\\\((?:lq|rq|dq)/g, '"'],
  [/\\\(aq|\\\((?:oq|cq)/g, "'"],
  [/\\\((?:bu|em|en)|\\[&%|^/,!]/g, ' '],
  [/\\-/g, '-'],
  [/\\e|\\\(rs/g, '\\'],
  [/\\[ 0~]/g, ' '],
];
/** Macros whose arguments are a line: of man(7). */
const FONTS = /^\.(?:B|I|BR|BI|RB|RI|IR|IB|R|SM|SB)\s+/;

/** The truths in a manual page, as man(7) and its generators write it. */
export function manTruths(source: string): Truth[] {
  const found: Truth[] = [];
  let section = '';
  const lines = source.split('\n').filter((line) => !/^[.']\\"|^\.\s*$/.test(line));
  for (const [i, line] of lines.entries()) {
    const heading = /^\.S[Hh]\s+"?(.*?)"?\s*$/.exec(line)?.[1];
    if (heading !== undefined) section = heading.toUpperCase();
    const before = lines[i - 1] ?? '';
    const isFirst = /^\.(?:S[HhSs]\b|PP|P\b|LP|sp|nf)/.test(before);
    const text = plainGroff(line);
    if (text === null) continue;
    if (isTag(lines, i)) addTruth(found, 'option', text);
    else if (section === 'NAME' && isFirst && text.includes(' - ')) addTruth(found, 'description', text.slice(text.indexOf(' - ')));
    else if (section === 'SYNOPSIS' && isFirst) addTruth(found, 'synopsis', text);
    else if (isFirst && isFirstLine(text)) addTruth(found, 'paragraph', text);
  }
  return found;
}

/** A tag of `.TP` is on the next line, one of `.IP` is its argument, without signs and numbers of lists. */
function isTag(lines: readonly string[], i: number): boolean {
  const tag = /^\.IP\s+"?(.+?)"?(?:\s+\d+\w?)?\s*$/.exec(lines[i] ?? '')?.[1];
  return (tag !== undefined && /^-|^\\fB|^\\-/.test(tag)) || /^\.TP\b/.test(lines[i - 1] ?? '');
}

/** The words of a line; null for a line of macros. */
function plainGroff(line: string): string | null {
  const font = FONTS.exec(line)?.[0];
  const tag = /^\.IP\s+/.exec(line)?.[0];
  if (/^[.']/.test(line) && font === undefined && tag === undefined) return null;
  let text = line.slice((font ?? tag ?? '').length);
  if (tag !== undefined) text = text.replace(/\s+\d+\w?\s*$/, '');
  if (font !== undefined || tag !== undefined) text = argumentsOf(text, /^\.(?:B|I|R|SM|SB)\s|^\.IP/.test(line) ? ' ' : '');
  for (const [mark, plain] of ESCAPES) text = text.replaceAll(mark, plain);
  return /\\/.test(text) ? null : text;
}

/** Fonts that alternate have no space between arguments. */
function argumentsOf(text: string, between: string): string {
  return Array.from(text.matchAll(/"([^"]*)"?|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? '').join(between);
}

/** The truths in DocBook. */
export function docbookTruths(source: string): Truth[] {
  const found: Truth[] = [];
  const xml = source.replaceAll(/<!--[\s\S]*?-->/g, '');
  for (const text of elements(xml, 'refpurpose')) addTruth(found, 'description', text);
  for (const text of [...elements(xml, 'cmdsynopsis'), ...elements(xml, 'synopsis')]) addTruth(found, 'synopsis', text);
  for (const text of elements(xml, 'term')) addTruth(found, 'option', text);
  for (const text of elements(xml, 'footnote')) addTruth(found, 'footnote', text);
  for (const text of elements(xml.replaceAll(/<footnote[\s\S]*?<\/footnote>/g, ''), 'para'))
    if (isFirstLine(text)) addTruth(found, 'paragraph', firstWords(text));
  for (const kind of ['Note', 'Warning', 'Tip', 'Important', 'Caution'])
    for (const text of elements(xml, kind.toLowerCase())) addTruth(found, 'title', `${kind}\n${firstWords(text)}`);
  return found;
}

function firstWords(text: string): string {
  return text.split(' ').slice(0, FIRST_WORDS).join(' ');
}

/** The texts of the elements of a name, on a line each. Elements in their like are read as text of the outer one. */
function elements(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'));
  return Array.from(found, ([, inner = '']) =>
    decodeXML(inner.replaceAll(/<\/?(?:para|title|programlisting|listitem)[^>]*>/g, ' ').replaceAll(/<[^>]*>/g, ''))
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).filter((text) => text !== '');
}
