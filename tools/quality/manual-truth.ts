/** What the sources of a manual say must be on its pages: names of options, synopses, one-line descriptions, signatures, footnotes, titles of notes, first lines of paragraphs. */

export const KINDS = ['option', 'synopsis', 'description', 'signature', 'footnote', 'title', 'paragraph'] as const;
export type Kind = (typeof KINDS)[number];

export interface Truth {
  readonly kind: Kind;
  /** `manualWords` of the source, joined by spaces; of a title and of the line below it, joined by a line end. */
  readonly words: string;
}

/** Words with the dashes before them: `-1` and `1` are two. */
export function manualWords(text: string): string {
  return (text.match(/-{0,2}[\p{L}\p{N}\p{M}_]+/gu) ?? []).join(' ');
}

/** Shorter first lines stand on many pages. */
const LEAST_WORDS = 6;
/** Words of a paragraph whose source has no lines of its own. */
export const FIRST_WORDS = 10;
/** The mark of reStructuredText and AsciiDoc that a line has more than words. */
const MARKED = /[`*|\\<>[\]{}^:]|_\b|__/;

/** The truths in a source in AsciiDoc, as of Git. */
export function asciidocTruths(source: string): Truth[] {
  const lines = source.split('\n');
  const found: Truth[] = [];
  for (const [i, line] of lines.entries()) {
    const term = /^(\S.*?):{2,3}$/.exec(line)?.[1];
    if (term !== undefined && !/[:{]/.test(term)) addTruth(found, 'option', plainAsciidoc(term));
    if (/^NAME$/.test(line)) addTruth(found, 'description', plainAsciidoc(lines[i + 2 + Number(lines[i + 2] === '')] ?? ''));
    if (line === '[verse]') addTruth(found, 'synopsis', plainAsciidoc(lines[i + 1] ?? ''));
    const note = /footnote:\[([^\]{]+)/.exec(line)?.[1];
    if (note !== undefined) addTruth(found, 'footnote', plainAsciidoc(note));
    if (isParagraph(lines, i)) addTruth(found, 'paragraph', line);
  }
  return found;
}

function plainAsciidoc(text: string): string {
  return text.replaceAll(/linkgit:([\w.-]+)\[(\d)\]/g, '$1($2)').replaceAll(/[`'+]|\{empty\}/g, '');
}

const OPTION = /^ *\.\. (?:cmdoption|option|confval|envvar|setting):: +(.+)$/;
const SIGNATURE =
  /^ *\.\. (?:py:|c:)?(?:function|method|class|exception|classmethod|staticmethod|decorator|macro):: +(?:\w+ )*([\w.]+\(.*\))$/;
const NOTE = /^ *\.\. (note|warning|tip|important|caution|danger|hint|attention|error|seealso):: *(.*)$/;
const FOOTNOTE = /^\.\. \[(?:\d+|#\w*|\*)\] (.+)$/;
/** A term of a definition list in literals, e.g. of CMake. */
const TERM = /^( *)``?([^`]+)``?$/;

/** The truths in a source in reStructuredText, as of Sphinx. */
export function restTruths(source: string): Truth[] {
  const lines = source.split('\n').map((line) => line.trimEnd());
  const found: Truth[] = [];
  const title = lines.findIndex((line, i) => i > 0 && isRule(line) && !isRule(lines[i - 1] ?? '') && lines[i - 1] !== '');
  const first = title < 0 ? -1 : lines.findIndex((line, i) => i > title && line !== '');
  for (const [i, line] of lines.entries()) {
    const option = OPTION.exec(line)?.[1];
    const signature = SIGNATURE.exec(line)?.[1];
    const note = FOOTNOTE.exec(line)?.[1];
    addNote(found, lines, i);
    const [, indent, term] = TERM.exec(line) ?? [];
    if (option !== undefined) addTruth(found, 'option', option);
    if (signature !== undefined) addTruth(found, 'signature', signature.replaceAll(/[*\\]/g, ''));
    if (note !== undefined && !MARKED.test(note)) addTruth(found, 'footnote', note);
    if (term !== undefined && lines[i - 1] === '' && indentOf(lines[i + 1] ?? '') > (indent ?? '').length) addTruth(found, 'option', term);
    if (/^synopsis$/i.test(line) && isRule(lines[i + 1] ?? '')) addSynopsis(found, lines, i + 2);
    if (isParagraph(lines, i)) addTruth(found, i === first ? 'description' : 'paragraph', line);
  }
  return found;
}

/** The title of a note with the first line of it, if that is of words alone. */
function addNote(found: Truth[], lines: readonly string[], i: number): void {
  const [, name = '', text = ''] = NOTE.exec(lines[i] ?? '') ?? [];
  if (name === '') return;
  const first = text === '' ? (lines[i + 1 + Number(lines[i + 1] === '')] ?? '').trim() : text;
  const title = name === 'seealso' ? 'See also' : name.charAt(0).toUpperCase() + name.slice(1);
  if (isFirstLine(first)) addTruth(found, 'title', `${title}\n${first}`);
}

/** The first line that is neither empty nor markup. */
function addSynopsis(found: Truth[], lines: readonly string[], from: number): void {
  const line = lines.slice(from, from + 8).find((one) => one !== '' && !one.startsWith('..') && !one.endsWith('::'));
  if (line !== undefined) addTruth(found, 'synopsis', line.replaceAll(/[*`|]/g, ''));
}

function isRule(line: string): boolean {
  return /^([=\-~^"'#*+.`:])\1{2,}$/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The first line of a paragraph at the margin, of words alone. */
function isParagraph(lines: readonly string[], i: number): boolean {
  const line = lines[i] ?? '';
  const before = lines[i - 1] ?? '';
  const isAlone = (before === '' || isRule(before)) && !isRule(lines[i + 1] ?? '') && !/^\s/.test(lines[i + 1] ?? '');
  return isAlone && isFirstLine(line);
}

/** A line of words alone, enough of them that few pages have it. */
export function isFirstLine(line: string): boolean {
  return /^\p{Lu}/u.test(line) && !MARKED.test(line) && manualWords(line).split(' ').length >= LEAST_WORDS;
}

/** @param text of two lines for a title */
export function addTruth(found: Truth[], kind: Kind, text: string): void {
  const words = text.split('\n').map(manualWords);
  if (words.every((line) => line !== '')) found.push({ kind, words: words.join('\n') });
}
