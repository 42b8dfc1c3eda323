/** Text of the web on a terminal: measures its columns and breaks it into lines. Pure. */

/** A stretch of text in one style. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly style: Style;
}

export type Style = 'plain' | 'for' | 'against' | 'strong' | 'dim';

/** ECMA-48 select graphic rendition: green, red, bold, faint. */
const CODES: Readonly<Record<Style, string>> = { plain: '', for: '\x1b[32m', against: '\x1b[31m', strong: '\x1b[1m', dim: '\x1b[2m' };
const RESET = '\x1b[0m';

export function styled(text: string, style: Style, colours: boolean): string {
  return colours && style !== 'plain' ? `${CODES[style]}${text}${RESET}` : text;
}

/** Takes up no column. */
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Two columns wide on terminals: roughly the wide and full-width ranges of Unicode TR 11, and pictographs. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic})$/u;
/** Characters that would move the cursor or reverse the line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Columns of a text on a terminal. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

function widthOf(character: string): number {
  return ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
}

/** The start of a text that fits into `columns`, on one line. */
export function clippedToWidth(text: string, columns: number): string {
  const line = text.slice(0, 4 * columns).replaceAll(UNPRINTABLE, ' ');
  let used = 0;
  let clip = '';
  for (const character of line) {
    used += widthOf(character);
    if (used > columns - 1 && clip.length + character.length < text.length) return `${clip.trimEnd()}…`;
    clip += character;
  }
  return clip;
}

/**
 * A text in lines of at most `columns`. Lines break at white space. A word breaks anywhere if it is longer than a line, or if its script has no spaces
 * (Chinese, Japanese). Line feeds of the text end lines too. Spans are in order and do not overlap.
 */
export function wrapped(text: string, columns: number, spans: readonly Span[], colours: boolean): string[] {
  return linesOf(text, columns).map(({ start, end }) => coloured(text, start, end, spans, colours));
}

interface Line {
  readonly start: number;
  readonly end: number;
}

/** A place to break a line: the end of this line, and the start of the next one. */
interface Gap {
  readonly end: number;
  readonly next: number;
}

function linesOf(text: string, columns: number): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const block of text.split('\n')) {
    for (const line of linesOfBlock(block, columns)) lines.push({ start: start + line.start, end: start + line.end });
    start += block.length + 1;
  }
  return lines;
}

function linesOfBlock(block: string, columns: number): Line[] {
  const lines: Line[] = [];
  let start = 0;
  let used = 0;
  let gap: Gap | null = null;
  let at = 0;
  for (const character of block) {
    const next = at + character.length;
    gap = gapAt(character, at, next, gap);
    used += widthOf(character);
    if (used > columns && at > start && !/\s/.test(character)) {
      const broken: Gap = gap !== null && columnsOf(block.slice(start, gap.end)) > 0 ? gap : { end: at, next: at };
      lines.push({ start, end: broken.end });
      start = broken.next;
      used = columnsOf(block.slice(start, next));
      gap = null;
    }
    at = next;
  }
  return [...lines, { start, end: block.length }];
}

/** A run of white space is one gap; so is the place before a wide character. */
function gapAt(character: string, at: number, next: number, gap: Gap | null): Gap | null {
  if (/\s/.test(character)) return { end: gap?.next === at ? gap.end : at, next };
  return WIDE.test(character) && gap?.next !== at ? { end: at, next: at } : gap;
}

function coloured(text: string, start: number, end: number, spans: readonly Span[], colours: boolean): string {
  let out = '';
  let at = start;
  for (const span of spans) {
    if (span.end <= at || span.start >= end) continue;
    const [from, to] = [Math.max(at, span.start), Math.min(end, span.end)];
    out += text.slice(at, from) + styled(text.slice(from, to), span.style, colours);
    at = to;
  }
  return (out + text.slice(at, end)).trimEnd();
}
