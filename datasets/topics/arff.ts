/** Attribute-Relation File Format, the form Weka keeps data in; dense rows only. */
import { DataError } from '../../src/base/core/errors.ts';

export interface ArffTable {
  readonly relation: string;
  /** Names of the columns. */
  readonly attributes: readonly string[];
  /** A value a column; null where it is missing (`?`). */
  readonly rows: readonly (readonly (string | null)[])[];
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** @throws DataError with file and line: no data section, a row of another width, an open quote, a sparse row. */
export function parseArff(source: string, file: string): ArffTable {
  let relation = '';
  const attributes: string[] = [];
  const rows: (readonly (string | null)[])[] = [];
  let inData = false;
  source.split(/\r?\n/).forEach((line, at) => {
    const where = `${file}:${at + 1}`;
    const plain = line.trim();
    if (plain === '' || plain.startsWith('%')) return;
    if (inData) rows.push(rowOf(plain, attributes.length, where));
    else if (/^@relation\s/i.test(plain)) relation = firstWord(plain.slice('@relation'.length), where);
    else if (/^@attribute\s/i.test(plain)) attributes.push(firstWord(plain.slice('@attribute'.length), where));
    else if (/^@data\b/i.test(plain)) inData = true;
    else throw new DataError(`${where}: neither a declaration nor data; get the file again`);
  });
  if (!inData) throw new DataError(`${file}: has no @data section; get the file again`);
  return { relation, attributes, rows };
}

function firstWord(text: string, where: string): string {
  return readValue(text.trimStart(), 0, /[\s,]/, where).value;
}

function rowOf(line: string, width: number, where: string): (string | null)[] {
  if (line.startsWith('{')) throw new DataError(`${where}: a sparse row, which is not read; convert it to dense form`);
  const values: (string | null)[] = [];
  for (let at = 0; at <= line.length; ) {
    while (line[at] === ' ' || line[at] === '\t') at++;
    const { value, end, quoted } = readValue(line, at, /,/, where);
    values.push(value === '?' && !quoted ? null : value);
    const rest = /^\s*(,|$)/.exec(line.slice(end));
    if (rest === null) throw new DataError(`${where}: text after a closing quote; get the file again`);
    at = end + rest[0].length + (rest[1] === '' ? 1 : 0);
  }
  if (values.length !== width) throw new DataError(`${where}: ${values.length} values for ${width} attributes; get the file again`);
  return values;
}

interface Value {
  readonly value: string;
  /** Where the text goes on behind it. */
  readonly end: number;
  readonly quoted: boolean;
}

/** A value from `at` on: in quotes with backslash escapes, or plain up to what `stop` matches. */
function readValue(line: string, at: number, stop: RegExp, where: string): Value {
  const quote = line[at];
  if (quote !== "'" && quote !== '"') {
    const length = line.slice(at).search(stop);
    const end = length < 0 ? line.length : at + length;
    return { value: line.slice(at, end).trim(), end, quoted: false };
  }
  let value = '';
  for (let i = at + 1; i < line.length; i++) {
    const char = line[i] ?? '';
    if (char === quote) return { value, end: i + 1, quoted: true };
    if (char === '\\') {
      i += 1;
      const escaped = line[i] ?? '';
      value += ESCAPES[escaped] ?? escaped;
    } else value += char;
  }
  throw new DataError(`${where}: a quote is not closed; get the file again`);
}
