/** Readers of the record ids in the files of a corpus. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DamageError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { byteLines } from '../records/records.ts';
import { walkWarcBehindDamage } from '../records/warc-recovery.ts';

/** Ids stand near the beginnings of lines, but after titles in an index of texts. */
const LOOKED_AT: Bytes = 64 * 1024;
/** Name of a WARC file that a harvest copied. */
export const WARC_NAME = /^corpus-\d{5,}\.warc\.gz$/;

/** One id a line. @param id its first group is the id @param without lines that have none @param part the bytes of the file to read */
export async function* idsInLines(
  path: string,
  id: RegExp,
  without?: RegExp,
  { start, end }: { readonly start: Bytes; readonly end: Bytes } = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<string | null> {
  for await (const line of byteLines(path, end, undefined, start)) {
    const text = line.toString('utf8', 0, LOOKED_AT);
    if (line.length > 0 && !without?.test(text)) yield id.exec(text)?.[1] ?? null;
  }
}

/**
 * The ids behind a mark at the start of a line, up to a sign. Lines that are no records are not cut: a text of tokens has millions. Needs the memory of a piece
 * of the file.
 */
export async function* idsAfter(path: string, mark: string, until: string): AsyncGenerator<string | null> {
  const start = Buffer.from(`\n${mark}`);
  let held = Buffer.from('\n');
  const found = function* (before: number): Generator<string | null> {
    let at = held.indexOf(start);
    for (; at >= 0 && at < before; at = held.indexOf(start, at + start.length)) {
      const rest = held.toString('utf8', at + start.length, at + start.length + MAX_ID);
      yield rest.includes(until) ? rest.slice(0, rest.indexOf(until)) : null;
    }
    held = held.subarray(Math.max(0, before));
  };
  try {
    for await (const chunk of createReadStream(path)) {
      held = Buffer.concat([held, chunk as Buffer]);
      yield* found(held.length - start.length - MAX_ID);
    }
    yield* found(held.length);
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); restore the file from a copy`, { cause: error });
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
/** No id is longer. */
const MAX_ID: Bytes = 200;

/** The first cells of all rows but the first (RFC 4180). Needs the memory of a piece of the file. */
export async function* idsInCsv(path: string): AsyncGenerator<string | null> {
  let [quoted, first, cell, row]: [boolean, boolean, number[], number] = [false, true, [], 0];
  try {
    for await (const chunk of createReadStream(path)) {
      for (const byte of chunk as Buffer) {
        if (byte === QUOTE) quoted = !quoted;
        else if (!quoted && byte === LINE_FEED) {
          if (row++ > 0) yield first || cell.length > MAX_ID ? null : Buffer.from(cell).toString('utf8');
          [first, cell] = [true, []];
        } else if (!quoted && byte === COMMA) first = false;
        else if (first && cell.length <= MAX_ID) cell.push(byte);
      }
    }
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); restore the file from a copy`, { cause: error });
  }
}

/** Ids of the responses. Damaged records are skipped. */
export async function* idsInWarcs(dir: string): AsyncGenerator<string> {
  const names = (await readdir(dir)).filter((name) => WARC_NAME.test(name));
  for (const name of names.sort()) {
    const entries = walkWarcBehindDamage(
      join(dir, name),
      () => false,
      Number.POSITIVE_INFINITY,
      () => undefined,
    );
    for await (const { fields } of entries)
      if (fields.get('warc-type') === 'response') yield (fields.get('warc-record-id') ?? '').replace(/^<|>$/g, '');
  }
}
