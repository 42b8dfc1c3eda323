/** Pages on standard input: one page, JSON lines or WARC, each gzipped or not; recognised by their start. */
import { constants, gunzipSync } from 'node:zlib';
import { DataError, UsageError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { refusal } from '../../base/text/given-file.ts';
import { FileBytes } from '../../corpus/records/file-bytes.ts';
import { pieces } from '../../corpus/records/gzip-members.ts';
import { kindOfSource, sourceDocument } from './source-document.ts';
import { HTML, MAX_PAGE_FILE_BYTES, pageFrom, pagesOfLines, pagesOfWarc, type SourcePage } from './source-page.ts';

/** Number of bytes read to recognise the input. Gzip makes at most a thousand times as much of it. */
const MAX_HEAD_BYTES: Bytes = 4096;

type Kind = 'page' | 'json-lines' | 'warc';

/**
 * The pages of standard input.
 * @throws UsageError if it was read before; DataError: see `pagesOfStream`
 */
export function readStandardInput(warn?: (message: string) => void): AsyncGenerator<SourcePage> {
  return pagesOfStream('standard input', chunksOfStandardInput(), warn);
}

const wasRead = new WeakSet<NodeJS.ReadStream>();

async function* chunksOfStandardInput(): AsyncGenerator<Uint8Array> {
  const { stdin } = process;
  if (wasRead.has(stdin)) throw new UsageError(`standard input: was read already; give - once`);
  wasRead.add(stdin);
  try {
    for await (const chunk of stdin) yield chunk as Uint8Array;
  } catch (error) {
    throw refusal(error, 'standard input', 'mend or remove it');
  }
}

/**
 * The pages of a stream, returned as they arrive. A WARC starts with its version, JSON lines with an object; everything else is one page of HTML.
 * @param name its name in errors
 * @throws DataError if it is empty, damaged or over a cap, after returning all pages before that
 */
export async function* pagesOfStream(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  warn?: (message: string) => void,
): AsyncGenerator<SourcePage> {
  const input = FileBytes.from(name, chunks);
  try {
    const kind = await kindOfStart(input);
    if (kind === 'warc') yield* pagesOfWarc(input, warn);
    else if (kind === 'json-lines') yield* pagesOfLines(name, unpacked(input));
    else yield await wholePage(name, await wholeOf(input));
  } finally {
    await input.close();
  }
}

async function wholePage(id: string, body: Uint8Array): Promise<SourcePage> {
  const kind = kindOfSource(body, {}, '');
  if (kind !== null) return sourceDocument({ id, url: null, headers: {}, body }, kind);
  return { id, url: null, headers: HTML, body: pageFrom(id, body, false) };
}

/** Waits for no more than it needs: the rest may come slowly. */
async function kindOfStart(input: FileBytes): Promise<Kind> {
  let head = await input.peek();
  if (head.length === 0) throw empty(input);
  for (;;) {
    const kind = kindOf(head);
    if (kind !== null) return kind;
    const more = head.length < MAX_HEAD_BYTES ? await input.peek(head.length + 1) : head;
    if (more.length === head.length) return 'page';
    head = more;
  }
}

/** null if more bytes are needed. */
function kindOf(head: Uint8Array): Kind | null {
  const isGzip = head[0] === 0x1f && (head.length < 2 || head[1] === 0x8b);
  const start = (isGzip ? gunzippedStart(head) : Buffer.from(head.subarray(0, MAX_HEAD_BYTES))).toString('latin1', 0, MAX_HEAD_BYTES);
  // In UTF-8, the byte order mark is these three.
  const text = start.replace(/^(?:\xef\xbb\xbf)?\s*/, '');
  // Only line feeds may precede the first record.
  if (/^[\r\n]*WARC\/\d+\.\d+\r?\n/.test(start)) return 'warc';
  if (/^\{\s*["}]/.test(text)) return 'json-lines';
  return /^(?:|\xef|\xef\xbb|W|WA|WAR|WARC|WARC\/[\d.]{0,7}\r?|\{\s*)$/.test(text) ? null : 'page';
}

function gunzippedStart(head: Uint8Array): Buffer {
  try {
    return gunzipSync(head.subarray(0, MAX_HEAD_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    // Its header is incomplete; or it is damaged, which is reported when it is read.
    return Buffer.alloc(0);
  }
}

async function wholeOf(input: FileBytes): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size: Bytes = 0;
  for await (const part of unpacked(input)) {
    parts.push(part);
    size += part.length;
    if (size > MAX_PAGE_FILE_BYTES)
      throw new DataError(`${input.path}: is over the cap of ${MAX_PAGE_FILE_BYTES} bytes for one page; split it`);
  }
  if (size === 0) throw empty(input);
  return Buffer.concat(parts);
}

async function* unpacked(input: FileBytes): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of pieces(input)) yield bytes;
}

function empty({ path }: FileBytes): DataError {
  return new DataError(`${path}: is empty; give it a page, JSON lines of pages or a WARC`);
}
