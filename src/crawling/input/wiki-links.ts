/**
 * URLs of a dump of MediaWiki's table `externallinks`: INSERT lines of MySQL. Until MediaWiki 1.41 it has whole URLs in `el_to`; since then the host in
 * reverse order in `el_to_domain_index` and the rest in `el_to_path` (mediawiki.org, "Manual:Externallinks table").
 */
import { inText, type LineReader, type ListedUrl, listed } from './listed-url.ts';

const OLD = ['el_id', 'el_from', 'el_to', 'el_index', 'el_index_60'];
const NEW = ['el_id', 'el_from', 'el_to_domain_index', 'el_to_path'];
/** Characters of a value that are held: a URL that is followed has at most 2,048, and so has its index. */
const MOST_VALUE = 4096;
const TABLE = /`?externallinks`?/;
const QUOTE = "'";

export class WikiLinks implements LineReader {
  readonly inPieces = true;
  #columns: string[] = [];
  /** `create`, `insert` and `other` are statements of SQL; `none` is between them. */
  #statement: 'none' | 'create' | 'insert' | 'other' = 'none';
  #isNewLine = true;
  #isInTuple = false;
  #isQuoted = false;
  #isEscaped = false;
  #value = '';
  #cells: string[] = [];
  #found: ListedUrl[] = [];

  read(line: string, isWhole: boolean): readonly ListedUrl[] {
    const begins = this.#isNewLine && !this.#isQuoted;
    this.#isNewLine = isWhole;
    const rest = begins ? this.#begin(line) : line;
    if (this.#statement === 'insert') this.#values(rest);
    else if (this.#statement === 'other' && /https?:/i.test(line)) return inText(line);
    const found = this.#found;
    this.#found = [];
    return found;
  }

  end(): readonly ListedUrl[] {
    return [];
  }

  /** Notes the statement that a line begins or continues. @returns the part of the line that has values */
  #begin(line: string): string {
    const start = line.slice(0, 500);
    if (/^CREATE TABLE/i.test(start)) this.#create(start);
    else if (this.#statement === 'create') this.#column(start);
    else if (/^(?:INSERT|REPLACE)\s/i.test(start)) return this.#insert(line, start);
    return line;
  }

  #create(start: string): void {
    this.#statement = TABLE.test(start) ? 'create' : 'other';
    if (this.#statement === 'create') this.#columns = [];
  }

  #column(start: string): void {
    const name = /^\s*`?(el_\w+)`?\s/.exec(start)?.[1];
    if (name !== undefined) this.#columns.push(name);
    if (/^\)/.test(start)) this.#statement = 'none';
  }

  #insert(line: string, start: string): string {
    const [head, named] = /^\w+\s+(?:IGNORE\s+)?INTO\s+`?externallinks`?\s*(?:\(([^)]*)\))?\s*VALUES/i.exec(start) ?? [];
    this.#statement = head === undefined ? 'other' : 'insert';
    if (named !== undefined) this.#columns = named.split(',').map((name) => name.replaceAll('`', '').trim());
    this.#isInTuple = false;
    return line.slice(head?.length ?? 0);
  }

  /** O(characters): the state is kept from piece to piece. */
  #values(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const sign = text[at] as string;
      if (!this.#isInTuple) this.#isInTuple = sign === '(';
      else if (this.#isQuoted && !this.#isEscaped && sign === '\\') this.#isEscaped = true;
      else if (!this.#isEscaped && sign === QUOTE) this.#quote(text[at - 1] === QUOTE);
      else if (!this.#isQuoted && (sign === ',' || sign === ')')) this.#endCell(sign === ')');
      else this.#take(sign);
    }
  }

  /** A doubled quote inside quotes is one. */
  #quote(isDouble: boolean): void {
    if (!this.#isQuoted && isDouble && this.#value !== '') this.#value += QUOTE;
    this.#isQuoted = !this.#isQuoted;
  }

  #take(sign: string): void {
    this.#isEscaped = false;
    if (this.#value.length < MOST_VALUE) this.#value += sign;
  }

  #endCell(isLast: boolean): void {
    this.#cells.push(this.#value);
    this.#value = '';
    if (!isLast) return;
    this.#found.push(...urlOfRow(this.#cells, this.#columns));
    [this.#cells, this.#isInTuple] = [[], false];
  }
}

function urlOfRow(cells: readonly string[], known: readonly string[]): ListedUrl[] {
  const columns = known.length === cells.length ? known : cells.length === NEW.length ? NEW : OLD;
  const cell = (name: string) => cells[columns.indexOf(name)];
  const whole = cell('el_to');
  const index = cell('el_to_domain_index');
  const url = index === undefined ? whole : urlOfIndex(index, cell('el_to_path') ?? '');
  return url === undefined ? [] : listed(url, '');
}

/** `https://org.example.www.:8080` is `https://www.example.org:8080`; addresses keep their order behind `V4.` or `V6.`. */
function urlOfIndex(index: string, path: string): string | undefined {
  const [, scheme, host = '', port = ''] = /^(https?:\/\/)(.*?)\.?(:\d+)?$/i.exec(index) ?? [];
  if (scheme === undefined) return undefined;
  const [first = '', ...labels] = host.split('.');
  const rest = path === 'NULL' ? '' : path;
  if (first === 'V4') return `${scheme}${labels.join('.')}${port}${rest}`;
  if (first === 'V6') return `${scheme}[${labels.join(':')}]${port}${rest}`;
  return `${scheme}${[first, ...labels].reverse().join('.')}${port}${rest}`;
}
