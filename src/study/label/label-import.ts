/** Imports labels from files. */
import { DataError, messageOf, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Bytes, CanonicalUrl } from '../../base/core/types.ts';
import { readGivenText } from '../../base/text/given-file.ts';
import { cellsOf, unguarded } from '../../base/text/table-cells.ts';
import { meantUrlText } from '../../base/web/bare-url.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import { person } from '../../crawling/settings/kinds.ts';
import { LABEL_FILE } from './label-log.ts';
import { type Answer, DECISION } from './label-queue.ts';

export interface ImportedLabel {
  readonly url: CanonicalUrl;
  readonly answer: Answer;
  /** The person who answered; absent where the file does not name one. */
  readonly name?: string;
  /** Is it a decision between people who disagree? */
  readonly decides?: true;
}

/** A line is a URL and a word: a million labels. */
const MAX_BYTES: Bytes = 128 * 1024 * 1024;

/** Spellings of labels by people and programs. A map, because an object also has `constructor`. */
const ANSWERS = new Map(
  Object.entries<Answer>({
    ...{ y: 'y', yes: 'y', true: 'y', '1': 'y', relevant: 'y' },
    ...{ n: 'n', no: 'n', false: 'n', '0': 'n', '-1': 'n', irrelevant: 'n' },
    ...{ s: 'skip', skip: 'skip' },
  }),
);
const FORMS = 'write y, n or skip';
const SEPARATORS = [',', ';', '\t'];

/**
 * The labels of a file. CSV has the URL first and the label last, and may have a head line, where a column `name` names the person, and `decision` in a column `queue` marks a decision. JSON lines have
 * `url`, `label` (or `answer`, as in the label file of another crawl, whose other lines are also understood), and perhaps `name`. Empty labels are
 * skipped. Of two labels of one person for one URL, the later counts. In the order of the file.
 * @throws UsageError if the file does not exist; DataError naming the invalid line
 */
export function readLabels(path: string): ImportedLabel[] {
  return labelsIn(textOf(path), path);
}

/** The labels in the content of a file, as `readLabels` returns them. @param path names the file in errors */
export function labelsIn(content: string, path: string): ImportedLabel[] {
  const lines = content.replace(/^\uFEFF/, '').split(/\r?\n/);
  const placed: { readonly line: number; readonly label: ImportedLabel }[] = [];
  const columns = columnsIn(lines[0] ?? '');
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '' || (i === 0 && isHead(line))) continue;
    const where = `${path}:${i + 1}`;
    const read = line.startsWith('{') ? fromJson(line, where) : fromCsv(line, columns, where);
    if (typeof read === 'number') placed.length = Math.max(0, placed.length - read);
    else if (read instanceof Set) placed.splice(0, placed.length, ...placed.filter(({ line }) => !read.has(line)));
    else if (read !== null) placed.push({ line: i + 1, label: read });
  }
  if (placed.length === 0) throw new DataError(`${path}: has no label; write one url,label a line`);
  return lastOfEach(placed.map(({ label }) => label));
}

/** Ordered by the last label of each person and URL: of all labels for a URL, the last of the file remains the last. */
function lastOfEach(labels: readonly ImportedLabel[]): ImportedLabel[] {
  const last = new Map<string, ImportedLabel>();
  for (const label of labels) {
    const key = `${label.decides ? DECISION : ` ${label.name ?? ''}`} ${label.url}`;
    last.delete(key);
    last.set(key, label);
  }
  return [...last.values()];
}

/** The answer that a word means; undefined for any other word. */
export function answerOf(word: string): Answer | undefined {
  return ANSWERS.get(word.trim().toLowerCase());
}

function isHead(line: string): boolean {
  return /^"?url"?\s*[,;\t]/i.test(line) || line.startsWith(LABEL_FILE);
}

/** Optional columns of a file; -1 for one that it has not. */
interface Columns {
  readonly name: number;
  readonly queue: number;
}

function columnsIn(head: string): Columns {
  const cells = !isHead(head) || head.startsWith('{') ? [] : cellsOfLabel(head).map((cell) => cell.toLowerCase());
  return { name: cells.indexOf('name'), queue: cells.indexOf('queue') };
}

/** A label; the number or the lines of earlier labels that an `undo` takes back; or null for an empty label, and for an answer of a language model. */
function fromJson(line: string, where: string): ImportedLabel | number | Set<unknown> | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw unreadable(where, messageOf(error));
  }
  const { url, label, answer, name, queue, undo, train, by } = value as Readonly<Record<string, unknown>>;
  if (Array.isArray(undo)) return new Set<unknown>(undo);
  if (typeof undo === 'number' && Number.isInteger(undo) && undo > 0) return undo;
  if (train === true || by === 'model') return null;
  return labelOf({ url, label: label ?? answer, name, queue }, where);
}

/** The separator of the last two cells is that of all cells: other separators belong to URLs. */
function fromCsv(line: string, columns: Columns, where: string): ImportedLabel | null {
  const cells = cellsOfLabel(line);
  if (cells.length < 2) throw unreadable(where, 'the URL or the label is missing; put a URL with a comma in it in quotes');
  // A line with fewer cells than the head has its label where the name would be.
  const at = (index: number) => (index < 0 || index >= cells.length - 1 ? undefined : unguarded(cells[index] ?? ''));
  return labelOf({ url: cells[0], label: cells.at(-1), name: at(columns.name), queue: at(columns.queue) }, where);
}

/** One cell if the line has no separator. */
function cellsOfLabel(line: string): string[] {
  const unquoted = line.replace(/"[^"]*"/g, (quoted) => ' '.repeat(quoted.length));
  const last = Math.max(...SEPARATORS.map((separator) => unquoted.lastIndexOf(separator)));
  return last < 0 ? cellsOf(line, '\n') : cellsOf(line, unquoted.charAt(last));
}

interface Fields {
  readonly url: unknown;
  readonly label: unknown;
  readonly name: unknown;
  readonly queue: unknown;
}

function labelOf({ url, label, name, queue }: Fields, where: string): ImportedLabel | null {
  const word = String(label ?? '')
    .trim()
    .toLowerCase();
  if (word === '') return null;
  const canonical = typeof url === 'string' ? canonicalizeWithRoute(url) : null;
  if (canonical === null)
    throw unreadable(where, `${JSON.stringify(url)} is not an http(s) URL${typeof url === 'string' ? meantUrlText(url) : ''}`);
  const answer = answerOf(word);
  if (answer === undefined) throw unreadable(where, `${JSON.stringify(label)} is not a label; ${FORMS}`);
  return { url: canonical, answer, ...nameOf(name, where), ...(queue === DECISION && { decides: true }) };
}

/** Empty for no name. */
function nameOf(name: unknown, where: string): Pick<ImportedLabel, 'name'> {
  if (name === undefined || name === null || name === '') return {};
  const checked = person.check.safeParse(name);
  if (!checked.success) throw unreadable(where, `${JSON.stringify(name)} ${checked.error.issues[0]?.message ?? ''}`);
  return { name: checked.data };
}

function unreadable(where: string, why: string): DataError {
  return new DataError(`${where}: ${why}; mend or delete the line`);
}

function textOf(path: string): string {
  if (!isThere(path)) throw new UsageError(`${path}: no such file; give a CSV or JSON lines file of labels`);
  return readGivenText(path, { maxBytes: MAX_BYTES, what: 'labels', remedy: 'give a CSV or JSON lines file of labels' });
}
