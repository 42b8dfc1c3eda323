/** URLs of JSON: one record a line, or one document with all of them, such as exports of Zotero and backups of browsers. */
import { isReadableType } from '../../base/web/content-type.ts';
import { inText, type LineReader, type ListedUrl, listed } from './listed-url.ts';
import { ADDRESS, CONTEXT, TITLE } from './record-fields.ts';

/** Deepest member of a record that is looked at: Crossref has `link: [{ URL }]`. */
const MOST_DEPTH = 3;
/** Members that hold records: of Zotero, browsers and web services. */
const HOLDERS = /^(?:items|children|roots|bookmark_bar|other|synced|records|results|entries|references|bookmarks)$/i;
/** Folders within folders; a deeper document is no collection of anybody. */
const MOST_FOLDERS = 100;
/** Characters of a document that is read at once: some 50,000 records with abstracts. A longer one is read line by line. */
const MOST_CHARS = 128 * 1024 * 1024;

/** Reader of JSON by its first line: if that is whole, each line is a record. */
export function jsonReader(first: string): LineReader {
  return parsed(first) === undefined ? new JsonDocument() : { read: recordsOfLine, end: () => [] };
}

/** The addresses in a line of JSON; a line that is none is a text. */
export function recordsOfLine(line: string): readonly ListedUrl[] {
  const value = parsed(line);
  return value === undefined ? inText(line) : recordsIn(value, 0).flatMap(ofRecord);
}

class JsonDocument implements LineReader {
  readonly inPieces = true;
  #lines: string[] = [];
  #current = '';
  #size = 0;
  #isDocument = true;

  read(line: string, isWhole: boolean): readonly ListedUrl[] {
    if (!this.#isDocument) return recordsOfLine(line);
    this.#current += line;
    this.#size += line.length;
    if (isWhole) this.#endLine();
    return this.#size > MOST_CHARS ? this.#asLines() : [];
  }

  end(): readonly ListedUrl[] {
    this.#endLine();
    const value = parsed(this.#lines.join('\n'));
    const found = value === undefined ? [] : recordsIn(value, 0).flatMap(ofRecord);
    // Its addresses may have names that nobody knows.
    return found.length > 0 ? found : this.#asLines();
  }

  #endLine(): void {
    this.#lines.push(this.#current);
    this.#current = '';
  }

  #asLines(): readonly ListedUrl[] {
    const lines = [...this.#lines, this.#current];
    [this.#lines, this.#current, this.#isDocument] = [[], '', false];
    return lines.flatMap(recordsOfLine);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim().replace(/,$/, ''));
  } catch {
    return undefined;
  }
}

/** The records of a document. An object without an address may hold some, at any depth of folders. */
function recordsIn(value: unknown, depth: number): readonly unknown[] {
  if (depth > MOST_FOLDERS) return [];
  if (Array.isArray(value)) return value.flatMap((one) => recordsIn(one, depth + 1));
  const members = Object.entries(fieldsOf(value));
  if (members.some(([name, member]) => ADDRESS.test(name) && typeof member === 'string')) return [value];
  const holders = members.filter(([name, member]) => HOLDERS.test(name) && typeof member === 'object');
  return holders.length === 0 ? [value] : holders.flatMap(([, member]) => recordsIn(member, depth + 1));
}

interface Gathered {
  readonly urls: string[];
  title: string;
  name: string;
  context: string;
}

function ofRecord(record: unknown): ListedUrl[] {
  const { mime, status } = fieldsOf(record);
  if (!isPage(textOf(mime), textOf(status))) return [];
  const found: Gathered = { urls: [], title: '', name: textOf(fieldsOf(record)['name']) ?? '', context: '' };
  gather(record, 0, found);
  return found.urls.flatMap((written) => listed(written, found.title || found.name, found.context));
}

function gather(value: unknown, depth: number, found: Gathered): void {
  for (const [name, member] of Object.entries(fieldsOf(value))) {
    const text = Array.isArray(member) ? textOf(member[0]) : textOf(member);
    if (text === undefined && CONTEXT.test(name)) found.context += ` ${wordsIn(member)}`;
    else if (text === undefined && depth < MOST_DEPTH) gather(member, depth + 1, found);
    else if (ADDRESS.test(name) && Array.isArray(member)) found.urls.push(...member.flatMap((one) => textOf(one) ?? []));
    else if (ADDRESS.test(name) && text !== undefined) found.urls.push(text);
    else if (TITLE.test(name) && found.title === '') found.title = text ?? '';
    else if (CONTEXT.test(name)) found.context += ` ${wordsIn(member)}`;
  }
}

/** Zotero has tags as `[{ tag }]`, others as a list of words. */
function wordsIn(member: unknown): string {
  if (!Array.isArray(member)) return textOf(member) ?? '';
  return member.map((one) => textOf(one) ?? textOf(fieldsOf(one)['tag']) ?? '').join(' ');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

/** Is it a page by its type and status? `-` is unknown, and a revisit record is of a page that had not changed. */
export function isPage(mime = '-', status = '-'): boolean {
  const isRead = mime === '-' || mime === 'warc/revisit' || isReadableType(mime.toLowerCase());
  return isRead && /^(?:[23]\d\d|-)$/.test(status);
}
