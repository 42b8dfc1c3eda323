/** Paragraphs, headings and rows of tables from the lines of a document. Lengths are in sizes of type. */
import { isEntry, withShortLeader } from './contents-entries.ts';
import { type TextLine, textOfLine } from './glyph-lines.ts';

export interface PdfParagraph {
  readonly kind: 'paragraph' | 'item' | 'row';
  readonly lines: readonly TextLine[];
}

/** A list item begins with such a sign, or a number. */
export const BULLET =
  /^[\u2022\u2023\u25aa\u25ab\u25cf\u25cb\u25e6\u2219\u2043\u25a0\u25a1\u2713\u27a2\uf0b7\u00b7\u2013\u2014*]\s+(?=\S)/u;
const NUMBERED = /^(?:\(?\p{Nd}{1,3}[.)]|\(?\p{Ll}\)|\[\p{Nd}{1,3}\])\s/u;
/** End of a sentence, perhaps before a closing quote or bracket. */
const SENTENCE_END = /[.!?:;\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964]["'\u201d\u2019\u00bb)\]]*$/u;
/** A line that much longer than the pitch of the document apart begins a paragraph. */
const GAP = 1.25;
const INDENT = 0.8;
const SAME_SIZE = 0.08;
/** Lines before and behind that show how far a column reaches. */
const NEIGHBOURS = 40;
/** Number of lines of a block that do not yet show how far its column reaches. */
const FEW_LINES = 2;

/** @param lines of the whole document, in the order of reading */
export function pdfParagraphs(lines: readonly TextLine[]): PdfParagraph[] {
  const pitch = usualPitch(lines);
  const paragraphs: PdfParagraph[] = [];
  let current: TextLine[] = [];
  const end = () => {
    const [first] = current;
    const isItem = first !== undefined && (BULLET.test(textOfLine(first)) || current.some(isEntry));
    if (first !== undefined) paragraphs.push({ kind: isItem ? 'item' : 'paragraph', lines: current.map(asEntry) });
    current = [];
  };
  lines.forEach((line, at) => {
    if (line.cells.length > 1 && isRow(lines, at) && !isEntry(line)) {
      end();
      paragraphs.push({ kind: 'row', lines: [line] });
      return;
    }
    if (current.length > 0 && begins(current, line, lines, at, pitch)) end();
    current.push(line);
    if (isEntry(line)) end();
  });
  end();
  return paragraphs;
}

function asEntry(line: TextLine): TextLine {
  return isEntry(line) ? withShortLeader(line) : line;
}

/** Is a line with gaps a row of a table, rather than one with a tab or wide justified gaps? */
function isRow(lines: readonly TextLine[], at: number): boolean {
  const cells = lines[at]?.cells.length ?? 0;
  const isRowLike = (line: TextLine | undefined) => line !== undefined && line.cells.length > 1;
  return cells > 1 && (cells > 2 || isRowLike(lines[at - 1]) || isRowLike(lines[at + 1]));
}

/** The most frequent distance of a line from the one before, in sizes. */
function usualPitch(lines: readonly TextLine[]): number {
  const counts = new Map<number, number>();
  for (let at = 1; at < lines.length; at++) {
    const [before, line] = [lines[at - 1], lines[at]];
    if (before === undefined || line === undefined || before.page !== line.page || Math.abs(before.size - line.size) > 0.1) continue;
    const pitch = Math.round(((before.y - line.y) / line.size) * 20) / 20;
    if (pitch > 0.8 && pitch < 3) counts.set(pitch, (counts.get(pitch) ?? 0) + textOfLine(line).length);
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [1.2, 0])[0];
}

/** Does a line begin a paragraph, after the lines of the current one? */
function begins(current: readonly TextLine[], line: TextLine, lines: readonly TextLine[], at: number, pitch: number): boolean {
  const last = current[current.length - 1];
  if (last === undefined || last.turn !== line.turn) return true;
  const { size } = last;
  if (Math.abs(line.size - size) > SAME_SIZE * size) return true;
  const text = textOfLine(line);
  if (BULLET.test(text) || NUMBERED.test(text)) return true;
  const down = (last.y - line.y) / size;
  if (line.page !== last.page || down < 0) return !continues(current, last, text, lines, at - 1);
  if (down > GAP * Math.max(pitch, pitchOf(current)) + 0.05) return true;
  return isIndented(current, line) || isShort(last, text, lines, at - 1);
}

/** Pitch of the lines of a paragraph; 0 for one line. */
function pitchOf(current: readonly TextLine[]): number {
  const [first, second] = current;
  return first === undefined || second === undefined || first.page !== second.page ? 0 : (first.y - second.y) / second.size;
}

/** Does the text continue in the next column, or on the next page? */
function continues(current: readonly TextLine[], last: TextLine, text: string, lines: readonly TextLine[], at: number): boolean {
  if (SENTENCE_END.test(textOfLine(last)) || isShort(last, text, lines, at)) return false;
  // A single line may be a heading or an item.
  return !/^[\p{Lu}\p{Nd}]/u.test(text) || (current.length > 1 && /[\p{L},-]$/u.test(textOfLine(last)));
}

function isIndented(current: readonly TextLine[], line: TextLine): boolean {
  const [first, second] = current;
  const step = INDENT * line.size;
  if (first === undefined || isRightToLeft(line)) return false;
  if (second === undefined) return false;
  const rest = Math.min(...current.slice(1).map(({ left }) => left));
  const isHanging = rest - first.left > step;
  return isHanging ? Math.abs(line.left - first.left) < step / 2 : line.left - rest > step;
}

/** Would the first word of the next line have had room? Then the line ends its paragraph. */
function isShort(last: TextLine, next: string, lines: readonly TextLine[], at: number): boolean {
  const width = last.right - last.left;
  const [word = ''] = next.split(/\s/, 1);
  const letters = textOfLine(last).length;
  const needed = letters === 0 ? 0 : ((Math.min(word.length, 30) + 1) * width) / letters;
  const edges = columnEdges(last, lines, at);
  const room = isRightToLeft(last) ? last.left - edges.left : edges.right - last.right;
  return room > needed + last.size * (SENTENCE_END.test(textOfLine(last)) ? 0.5 : 2);
}

/** Ends of the column of a line: of the lines around it at the usual distances; of a short block, of all lines near it that begin with it. */
function columnEdges(line: TextLine, lines: readonly TextLine[], at: number): { readonly left: number; readonly right: number } {
  const block = [...blockAround(lines, at, -1), line, ...blockAround(lines, at, 1)];
  const column = block.length > FEW_LINES ? block : [line, ...nearLines(lines, at).filter((other) => isOfColumn(line, other))];
  return { left: Math.min(...column.map(({ left }) => left)), right: Math.max(...column.map(({ right }) => right)) };
}

/** The lines before or behind one, without a gap between them. */
function blockAround(lines: readonly TextLine[], at: number, step: 1 | -1): TextLine[] {
  const block: TextLine[] = [];
  for (let i = at; Math.abs(i - at) < NEIGHBOURS; i += step) {
    const [line, next] = [lines[i], lines[i + step]];
    if (line === undefined || next === undefined || !isOfColumn(line, next) || Math.abs(line.y - next.y) > 1.6 * line.size) break;
    block.push(next);
  }
  return block;
}

function nearLines(lines: readonly TextLine[], at: number): readonly TextLine[] {
  return lines.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS);
}

function isOfColumn(line: TextLine, other: TextLine): boolean {
  if (other.page !== line.page || other.turn !== line.turn || other.cells.length > 1) return false;
  return Math.abs(other.size - line.size) <= SAME_SIZE * line.size && other.left < line.right && other.right > line.left;
}

function isRightToLeft(line: TextLine): boolean {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(textOfLine(line));
}
